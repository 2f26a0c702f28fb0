package page

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// cdpDenied is what raw CDP may not do through the extension, method or
// DOMAIN.*, with the reason: whatever reaches beyond the page that the person
// connected. The extension holds the same list (background/cdp-policy.ts) and
// judges the addresses of Page.navigate.
var cdpDenied = map[string]string{
	"Network.getAllCookies":       "it reads the cookies of every site",
	"Network.getCookies":          "it reads cookies of any site it is asked for",
	"Network.setCookie":           "it writes cookies of any site",
	"Network.setCookies":          "it writes cookies of any site",
	"Network.deleteCookies":       "it deletes cookies of any site",
	"Network.clearBrowserCookies": "it deletes the cookies of the whole browser",
	"Network.clearBrowserCache":   "it empties the cache of the whole browser",
	"Network.loadNetworkResource": "it loads any address with the person's credentials",
	"Page.getCookies":             "it reads cookies of any site it is asked for",
	"Page.deleteCookie":           "it deletes cookies of any site",
	"Storage.*":                   "it reaches the storage and the cookies of any site",
	"CacheStorage.*":              "it reaches the caches of any site",
	"IndexedDB.*":                 "it reaches the databases of any site",
	"DOM.setFileInputFiles":       "it gives files of this computer to the page",
	"Page.setDownloadBehavior":    "it decides where downloads go",
	"Page.handleFileChooser":      "it gives files of this computer to the page",
	"Target.*":                    "it reaches targets outside this tab",
	"Browser.*":                   "it reaches the whole browser",
	"SystemInfo.*":                "it tells of the person's computer",
	"Fetch.continueWithAuth":      "it answers sign-in prompts",
	"WebMCP.invokeTool":           "the person allows a page's tools by site; use tools call",
	"WebAuthn.*":                  "it replaces the person's security keys",
}

// cdpDeniedDirect is the list for a managed or remote browser, which has its own
// profile or was handed over whole: what would blind or end the connection, lead out of
// the browser, or reach this computer. Who asks may have no more than a token.
var cdpDeniedDirect = map[string]string{
	"Target.*":                    "the sessions of this browser are the daemon's",
	"Browser.close":               "other agents may use the browser",
	"Browser.crash":               "other agents may use the browser",
	"Browser.setDownloadBehavior": "it decides where downloads go",
	"Page.setDownloadBehavior":    "it decides where downloads go",
	"DOM.setFileInputFiles":       "it gives files of this computer to the page; use element upload",
	"Page.handleFileChooser":      "it gives files of this computer to the page; use element upload",
	"Network.loadNetworkResource": "it reads files of this computer, too; use fetch in the page",
	"Tethering.*":                 "it opens ports of this computer",
	"Extensions.*":                "it installs what stays",
	"PWA.*":                       "it installs what stays",
}

// cdpScripts run code in the page: they need the page's switch for it.
var cdpScripts = map[string]bool{
	"Runtime.evaluate":                      true,
	"Runtime.callFunctionOn":                true,
	"Runtime.compileScript":                 true,
	"Runtime.runScript":                     true,
	"Page.addScriptToEvaluateOnNewDocument": true,
	"Page.addScriptToEvaluateOnLoad":        true,
	"Debugger.evaluateOnCallFrame":          true,
	"Debugger.setScriptSource":              true,
}

// RunsScript reports a method that runs code of the caller in the page.
func RunsScript(method string) bool { return cdpScripts[method] }

// Judge says why a raw DevTools command may not go to the page, or nil: it is no
// method at all, it reaches beyond the page, or it runs a script where that is off.
func (t *Tab) Judge(method string, params jsontext.Value) error {
	if !isMethod(method) {
		return fault.New(fault.CDPError, "'%s' wasn't found", method).
			With("cdp", map[string]any{"code": -32601, "message": "'" + method + "' wasn't found"})
	}
	t.mu.Lock()
	info := t.info
	t.mu.Unlock()
	denials := cdpDenied
	if info.source() != protocol.SourceExtension {
		denials = cdpDeniedDirect
	}
	domain, _, _ := strings.Cut(method, ".")
	for _, entry := range []string{method, domain + ".*"} {
		if reason, denied := denials[entry]; denied {
			return fault.New(fault.PolicyDenied, "%s is not allowed: %s", method, reason).With("method", method).
				Suggest("Use a command that stays within the page.")
		}
	}
	if method == "Input.dispatchDragEvent" && dragsFiles(params) {
		return fault.New(fault.PolicyDenied, "%s is not allowed: it gives files of this computer to the page", method).With("method", method).
			Suggest("Drag what is in the page.")
	}
	if cdpScripts[method] && !slices.Contains(info.capabilities(), protocol.CapEval) {
		return fault.New(fault.CapabilityMissing, "%s runs a script, and scripts are off for this page", method).With("method", method).
			Suggest("Ask the person to allow scripts for this tab in the Debug Bridge popup.")
	}
	return nil
}

// dragsFiles reports a drag that brings files along, or that cannot be read.
func dragsFiles(params jsontext.Value) bool {
	var asked struct {
		Data struct {
			Files []jsontext.Value `json:"files"`
		} `json:"data"`
	}
	return decode(params, &asked) != nil || len(asked.Data.Files) > 0
}

// isMethod reports Domain.method as Chrome writes it. What is spelt otherwise must not
// pass a table that knows the right spelling alone.
func isMethod(method string) bool {
	domain, name, found := strings.Cut(method, ".")
	return found && startsIn(domain, 'A', 'Z') && startsIn(name, 'a', 'z')
}

// startsIn reports a word of ASCII letters and digits whose first is between the two.
func startsIn(word string, from, to byte) bool {
	if word == "" || word[0] < from || word[0] > to {
		return false
	}
	for i := range len(word) {
		if c := word[i] | 0x20; (c < 'a' || c > 'z') && (word[i] < '0' || word[i] > '9') {
			return false
		}
	}
	return true
}

// CDP passes one raw command to the page's debugger (session.CDPExecutor).
func (t *Tab) CDP(ctx context.Context, method string, params jsontext.Value, cdpSession string) (jsontext.Value, error) {
	if err := t.Judge(method, params); err != nil {
		return nil, err
	}
	if err := t.Permit(method, params, cdpSession); err != nil {
		return nil, err
	}
	if refused := t.refusal(); refused != nil && method != "Page.handleJavaScriptDialog" {
		return nil, refused
	}
	if t.own(cdpSession, method) {
		return jsontext.Value("{}"), nil
	}
	send := t.rawSend(method, params, cdpSession)
	send.TimeoutMs = remaining(ctx)
	return t.call(ctx, "cdp.send", send)
}

// clientPatience is how long a DevTools client's command may take: such a client has
// its own limits, and Chrome has none.
const clientPatience = 12 * 60 * 60 * 1000

// Begin sends a DevTools client's command, which Judge has let pass, and calls then with
// the answer: once, and in the order of the tab's events where the browser tells it.
// Commands go in the order of the calls. A dialog makes them wait, as in Chrome. then
// must not block and must not call into the tab. The error is a *fault.Error.
func (t *Tab) Begin(ctx context.Context, method string, params jsontext.Value, cdpSession string, then func(jsontext.Value, error)) {
	t.mu.Lock()
	paused := t.paused
	t.mu.Unlock()
	if paused != "" {
		then(nil, notConnected(paused))
		return
	}
	send := t.rawSend(method, params, cdpSession)
	send.TimeoutMs, send.Patient = clientPatience, true
	if err := t.barred("cdp.send", send); err != nil {
		then(nil, err)
		return
	}
	ended, tell := t.inputBegins("cdp.send", send), then
	then = func(raw jsontext.Value, err error) {
		ended()
		tell(raw, err)
	}
	again := func() { then(t.call(ctx, "cdp.send", send)) }
	browser, _ := t.route()
	ordered, ok := browser.(interface {
		Start(op string, payload any, then func(jsontext.Value, error)) error
	})
	if !ok {
		go again()
		return
	}
	err := ordered.Start("cdp.send", send, func(raw jsontext.Value, err error) {
		var failure *fault.Error
		if errors.As(err, &failure) && failure.Code == fault.ExtensionNotConnected && failure.Details["dispatched"] == false {
			go again() // to the worker that takes its place
			return
		}
		if err == nil {
			raw, err = t.answered("cdp.send", send, raw)
		}
		then(raw, err)
	})
	if err != nil {
		then(nil, err)
	}
}

func (t *Tab) rawSend(method string, params jsontext.Value, cdpSession string) cdpSend {
	send := cdpSend{SessionID: cdpSession, Method: method}
	if len(params) > 0 {
		send.Params = params
	}
	t.mu.Lock()
	send.TabID = t.id
	t.mu.Unlock()
	return send
}
