package devtools

import (
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// directDenied is what no client of a managed or remote browser may do, method or
// DOMAIN.*, with the reason. The browser is the agent's own or was handed over whole, so
// this is what would end it for the others, leave it, or reach this computer.
var directDenied = map[string]string{
	"Browser.close":                 "other clients may use the browser; `dbridge session stop` ends it",
	"Browser.crash":                 "other clients may use the browser",
	"Browser.crashGpuProcess":       "other clients may use the browser",
	"Target.sendMessageToTarget":    "sessions are flat here: attach with flatten and send with a sessionId",
	"Target.exposeDevToolsProtocol": "it gives the browser into the page's hands",
	"Target.setRemoteLocations":     "it makes the browser connect to other machines",
	"Page.setDownloadBehavior":      "it decides where downloads go; use Browser.setDownloadBehavior with a browserContextId",
	"Page.handleFileChooser":        "it gives files of this computer to the page; use DOM.setFileInputFiles",
	"Tethering.*":                   "it opens ports of this computer",
	"Extensions.*":                  "it installs what stays",
	"PWA.*":                         "it installs what stays",
}

// directRules look at the parameters, and give others where those are to be sent instead.
var directRules = map[string]func(*directPort, jsontext.Value) (changed jsontext.Value, err error){
	"Page.navigate":               (*directPort).address,
	"Target.createTarget":         (*directPort).address,
	"Network.loadNetworkResource": (*directPort).address,
	"Target.attachToTarget":       (*directPort).flat,
	"Target.setAutoAttach":        (*directPort).flat,
	"Target.autoAttachRelated":    (*directPort).flat,
	"Browser.setDownloadBehavior": (*directPort).downloads,
	"DOM.setFileInputFiles":       (*directPort).files,
	"Input.dispatchDragEvent":     (*directPort).dragged,
}

// refusal is an error of ours in the protocol's words.
type refusal struct {
	code int
	why  string
}

// methodName is what the browser may be asked: other spellings are other methods.
var methodName = lazy.MustCompile(`^[A-Z][A-Za-z]*\.[a-z][A-Za-z]*$`)

// judge applies the policy to a message of the client, and gives the parameters to send.
func (p *directPort) judge(m Message) (jsontext.Value, *refusal) {
	if !methodName.MatchString(m.Method) {
		return nil, &refusal{CodeMethodNotFound, "'" + m.Method + "' wasn't found"}
	}
	domain, _, _ := strings.Cut(m.Method, ".")
	for _, entry := range []string{m.Method, domain + ".*"} {
		if why, denied := directDenied[entry]; denied {
			return nil, &refusal{CodeServerError, m.Method + " is not allowed: " + why}
		}
	}
	if err := p.permitted(m); err != nil {
		return nil, &refusal{CodeServerError, fault.From(err).Message}
	}
	rule, ok := directRules[m.Method]
	if !ok || m.Params == nil {
		return m.Params, nil
	}
	changed, err := rule(p, m.Params)
	switch {
	case err != nil:
		failure := fault.From(err)
		code := CodeServerError
		if failure.Code == fault.ValidationError {
			code = CodeInvalidParams
		}
		return nil, &refusal{code, failure.Message}
	case changed != nil:
		return changed, nil
	}
	return m.Params, nil
}

// parameters decodes what a rule looks at; other members are let be.
func parameters(params jsontext.Value, into any) error {
	if err := json.Unmarshal(params, into, jsontext.AllowInvalidUTF8(true)); err != nil {
		return fault.New(fault.ValidationError, "Invalid parameters").Because(err)
	}
	return nil
}

// address lets only those pages be loaded that a command could load.
func (p *directPort) address(params jsontext.Value) (changed jsontext.Value, err error) {
	var asked struct {
		URL string `json:"url"`
	}
	if err := parameters(params, &asked); err != nil {
		return nil, err
	}
	if asked.URL == "" {
		return nil, nil // the browser's affair: a blank page, or its error
	}
	return nil, p.d.host.Allow(asked.URL)
}

// flat refuses sessions whose messages would come wrapped into others.
func (p *directPort) flat(params jsontext.Value) (changed jsontext.Value, err error) {
	var asked struct {
		Flatten    bool  `json:"flatten"`
		AutoAttach *bool `json:"autoAttach"`
	}
	if err := parameters(params, &asked); err != nil {
		return nil, err
	}
	if !asked.Flatten && (asked.AutoAttach == nil || *asked.AutoAttach) {
		return nil, fault.New(fault.PolicyDenied, "sessions are flat here: give flatten: true")
	}
	return nil, nil
}

// downloads keeps the daemon's folder for what is downloaded: in the browser's default
// context always, elsewhere where the client may not name files of this computer.
func (p *directPort) downloads(params jsontext.Value) (changed jsontext.Value, err error) {
	var asked struct {
		Behavior      string `json:"behavior"`
		Context       string `json:"browserContextId,omitempty"`
		Path          string `json:"downloadPath,omitempty"`
		EventsEnabled bool   `json:"eventsEnabled,omitzero"`
	}
	if err := parameters(params, &asked); err != nil {
		return nil, err
	}
	folder := p.d.host.Downloads()
	switch {
	case folder == "" || asked.Context != "" && p.d.local:
		return nil, nil // of another computer; or the client's own affair
	case asked.Context == "":
		asked.Behavior, asked.Path = "allowAndName", folder
	case asked.Path != "":
		asked.Path = folder
	}
	return json.Marshal(asked)
}

const notYourFiles = "files of this computer are given by its own programs: take the address from `dbridge session cdp`"

// files refuses to give files of this computer to a page, except those that were downloaded.
func (p *directPort) files(params jsontext.Value) (changed jsontext.Value, err error) {
	var asked struct {
		Files []string `json:"files"`
	}
	if err := parameters(params, &asked); err != nil {
		return nil, err
	}
	return nil, p.mayGive("DOM.setFileInputFiles", asked.Files)
}

// dragged is files for what is dropped on a page.
func (p *directPort) dragged(params jsontext.Value) (changed jsontext.Value, err error) {
	var asked struct {
		Data struct {
			Files []string `json:"files"`
		} `json:"data"`
	}
	if err := parameters(params, &asked); err != nil {
		return nil, err
	}
	return nil, p.mayGive("Input.dispatchDragEvent", asked.Data.Files)
}

func (p *directPort) mayGive(method string, files []string) error {
	if p.d.local {
		return nil
	}
	folder := p.d.host.Downloads()
	for _, file := range files {
		if folder == "" || filepath.Dir(filepath.Clean(file)) != folder {
			return fault.New(fault.PolicyDenied, "%s is not allowed: %s", method, notYourFiles)
		}
	}
	return nil
}
