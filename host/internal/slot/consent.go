package slot

import (
	"slices"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Whether agents may call the tools that pages declare is decided for each site. In the
// person's own Chrome the extension asks the person and keeps the answer with the tab's
// grant; for browsers of ours it is kept here, and ends with the browser.

// AnySite allows the tools of all sites.
const AnySite = "*"

// AllowTools lets the context call tools that pages of a site declare, by host name.
func (c *Context) AllowTools(site string) error {
	if c.own() == nil {
		return fault.New(fault.PolicyDenied, "in the person's own Chrome the person decides: by the switch Page tools of the Debug Bridge popup").
			Suggest("Ask the person to switch on Page tools in the Debug Bridge popup of that tab.")
	}
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	if !slices.Contains(c.e.tools, site) {
		c.e.tools = append(c.e.tools, site)
	}
	return nil
}

// ToolsAllowed lists the sites whose tools the context may call.
func (c *Context) ToolsAllowed() []string {
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	return slices.Clone(c.e.tools)
}

// MayCallTools says why tools of a site on a page may not be called, or nil.
func (c *Context) MayCallTools(source protocol.Source, site string) error {
	if source == protocol.SourceExtension {
		return nil // the extension judges
	}
	if allowed := c.ToolsAllowed(); slices.Contains(allowed, site) || slices.Contains(allowed, AnySite) {
		return nil
	}
	return fault.New(fault.PolicyDenied, "nobody has allowed the tools of %s yet: a page's tools do what the page likes", site).
		With("reason", "consent").With("site", site).
		Suggest("Ask the person, then: dbridge tools allow "+site, "To allow it for good, in config.toml: page-tools = [\""+site+"\"]")
}
