package http

import (
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
)

// index serves GET /v1.
func (a *API) index(c *call) {
	if err := c.only(); err != nil {
		c.fail(err)
		return
	}
	type verb struct {
		Path    string `json:"path"`
		Method  string `json:"method"` // GET where it only looks; POST goes always
		Summary string `json:"summary"`
	}
	type resource struct {
		Name     string `json:"name"`
		Commands []verb `json:"commands"`
	}
	out := struct {
		Epoch     string     `json:"epoch"`
		OpenAPI   string     `json:"openapi"`
		Events    string     `json:"events"`
		Overview  string     `json:"overview"`
		Resources []resource `json:"resources"`
	}{Epoch: a.config.Hub.Epoch(), OpenAPI: "/v1/openapi.json", Events: "/v1/events", Overview: "/v1/overview"}
	for _, name := range command.All.Resources() {
		r := resource{Name: name}
		for _, cmd := range command.All.Of(name) {
			method := "POST"
			if cmd.Effect == catalog.Read {
				method = "GET"
			}
			r.Commands = append(r.Commands, verb{pathOf(cmd), method, cmd.Summary})
		}
		out.Resources = append(out.Resources, r)
	}
	c.value(out)
}

// pathOf is the route of a command.
func pathOf(cmd *catalog.Command) string { return "/v1/" + cmd.Resource() + "/" + cmd.Verb() }
