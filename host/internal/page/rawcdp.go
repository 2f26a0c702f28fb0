package page

import (
	"context"
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
	"DOM.setFileInputFiles":       "it gives files of this computer to the page",
	"Page.setDownloadBehavior":    "it decides where downloads go",
	"Page.handleFileChooser":      "it gives files of this computer to the page",
	"Target.*":                    "it reaches targets outside this tab",
	"Browser.*":                   "it reaches the whole browser",
	"Fetch.continueWithAuth":      "it answers sign-in prompts",
	"WebAuthn.*":                  "it replaces the person's security keys",
}

// cdpDeniedDirect is the list for a managed or remote browser, which has its own
// profile or was handed over whole: only what would blind or end the connection.
var cdpDeniedDirect = map[string]string{
	"Target.*":                    "the sessions of this browser are the daemon's",
	"Browser.close":               "other agents may use the browser",
	"Browser.crash":               "other agents may use the browser",
	"Browser.setDownloadBehavior": "it decides where downloads go",
}

// CDP passes one raw command to the page's debugger (session.CDPExecutor).
func (t *Tab) CDP(ctx context.Context, method string, params jsontext.Value, cdpSession string) (jsontext.Value, error) {
	domain, _, _ := strings.Cut(method, ".")
	denials := cdpDenied
	t.mu.Lock()
	if t.info.source() != protocol.SourceExtension {
		denials = cdpDeniedDirect
	}
	t.mu.Unlock()
	for _, entry := range []string{method, domain + ".*"} {
		if reason, denied := denials[entry]; denied {
			return nil, fault.New(fault.PolicyDenied, "%s is not allowed: %s", method, reason).With("method", method).
				Suggest("Use a command that stays within the page.")
		}
	}
	if refused := t.refusal(); refused != nil && method != "Page.handleJavaScriptDialog" {
		return nil, refused
	}
	send := cdpSend{SessionID: cdpSession, Method: method, TimeoutMs: remaining(ctx)}
	if len(params) > 0 {
		send.Params = params
	}
	t.mu.Lock()
	send.TabID = t.id
	t.mu.Unlock()
	return t.call(ctx, "cdp.send", send)
}
