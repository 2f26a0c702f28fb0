package ext

import (
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// The person clicks Connect, the daemon is told and can ask; Disconnect undoes it.
func TestConnectAndDisconnect(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "act", browsertest.Session("shop"))
	info := w.d.awaitTab(0, "tab.connected", id)
	if info.text("level") != "act" || info.text("sessionId") != "shop" || info.text("title") != "One" || info.Payload["eval"] != false {
		t.Errorf("tab.connected says %v", info.Payload)
	}
	result, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"})
	if err != nil {
		t.Fatal(err)
	}
	tree, _ := result["result"].(map[string]any)
	items, _ := tree["items"].([]any)
	if len(items) != 1 {
		t.Errorf("the tree has %d items, want the one button: %v", len(items), tree)
	}
	mark := w.d.mark()
	w.Disconnect(tab)
	if got := w.d.awaitTab(mark, "tab.disconnected", id).text("reason"); got != "detached_by_user" {
		t.Errorf("reason %q", got)
	}
	w.d.refused("NOT_CONNECTED", "bridge.call", map[string]any{"tabId": id, "frameId": 0, "command": map[string]any{"type": "request_ui_tree"}})
	var left bool
	w.WorkerEval(`chrome.storage.session.get('grants').then((all) => all.grants.length > 0)`, &left)
	if left {
		t.Error("the grant is still there")
	}
}

// Level by level, what is refused (N-26), and the page stays untouched.
func TestN26Levels(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "observe")
	tab.Eval(`window.changes = 0; document.getElementById('b').addEventListener('click', () => window.changes++);
		new MutationObserver((all) => window.changes += all.length).observe(document, {subtree: true, childList: true, attributes: true, characterData: true})`, nil)
	target := map[string]any{"selector": "#b"}
	for _, command := range []map[string]any{
		{"type": "click", "target": target}, {"type": "hover", "target": target}, {"type": "focus", "target": target},
		{"type": "type", "target": target, "text": "x"}, {"type": "select", "target": target, "value": "x"},
		{"type": "scroll", "to": "bottom"}, {"type": "locate", "target": target},
	} {
		f := w.d.refused("CAPABILITY_MISSING", "bridge.call", map[string]any{"tabId": id, "frameId": 0, "command": command, "timeoutMs": 5000})
		if f.Details["needed"] != "act" {
			t.Errorf("%v: details %v", command["type"], f.Details)
		}
	}
	w.d.refused("UNKNOWN_TYPE", "bridge.call", map[string]any{"tabId": id, "frameId": 0, "command": map[string]any{"type": "evaluate", "code": "1"}})
	w.d.refused("UNKNOWN_TYPE", "bridge.call", map[string]any{"tabId": id, "frameId": 0, "command": map[string]any{"type": "console_hook", "on": false}})
	w.d.refused("CAPABILITY_MISSING", "tab.navigate", map[string]any{"tabId": id, "reload": true})
	f := w.d.refused("CAPABILITY_MISSING", "cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "1"}))
	if f.Details["needed"] != "control" {
		t.Errorf("cdp.send: details %v", f.Details)
	}
	var changes int
	if tab.Eval("window.changes", &changes); changes != 0 {
		t.Errorf("the page changed %d times", changes)
	}
}

// Methods that reach beyond the tab are refused although the level is control.
func TestRawMethodsDenied(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/One"), "control")
	for _, method := range []string{
		"Network.getAllCookies", "Network.getCookies", "Network.setCookie", "Network.clearBrowserCookies", "Storage.getCookies", "Storage.clearDataForOrigin",
		"Page.setDownloadBehavior", "DOM.setFileInputFiles", "Target.createTarget", "Target.attachToTarget", "Browser.close", "WebAuthn.enable", "Fetch.continueWithAuth",
	} {
		w.d.refused("POLICY_DENIED", "cdp.send", cdpCall(id, method, nil))
	}
	for _, url := range []string{"file:///etc/hostname", "chrome://version", "javascript:alert(1)", "data:text/html,x", w.Pages.CrossURL("/page/Two")} {
		w.d.refused("POLICY_DENIED", "cdp.send", cdpCall(id, "Page.navigate", map[string]any{"url": url}))
		w.d.refused("POLICY_DENIED", "tab.navigate", map[string]any{"tabId": id, "url": url})
	}
	w.d.refused("POLICY_DENIED", "tab.navigate", map[string]any{"tabId": id, "url": "http://127.0.0.1:9224/"})
	if got := w.d.must("tab.navigate", map[string]any{"tabId": id, "url": "/page/Two"}); got["url"] != w.Pages.URL("/page/Two") {
		t.Errorf("navigate within the site: %v", got)
	}
	if got := w.d.must("tab.navigate", map[string]any{"tabId": id, "back": true}); got["url"] != w.Pages.URL("/page/One") {
		t.Errorf("back: %v", got)
	}
	w.d.refused("NAVIGATION_INTERRUPTED", "tab.navigate", map[string]any{"tabId": id, "url": "/download"})
}

// The popup on pages that no extension may enter says why, and offers nothing (P-07).
func TestP07RestrictedPages(t *testing.T) {
	w := start(t)
	for _, url := range []string{"chrome://version/", "about:blank", "data:text/html,<title>d</title>", "view-source:" + w.Pages.URL("/page/One")} {
		var made struct{ ID int }
		w.WorkerEval(`chrome.tabs.create({url: `+quote(url)+`}).then((tab) => ({id: tab.id}))`, &made)
		popup := w.popupPage(made.ID)
		popup.Await(`document.querySelector('#tab-status').classList.contains('problem')`)
		var disabled bool
		if popup.Eval(`document.querySelector('#connect').disabled && document.querySelector('#levels').disabled`, &disabled); !disabled {
			t.Errorf("%s: Connect is offered", url)
		}
		popup.Close()
	}
}

// An agent's own list of tabs names the sites of tabs that are not connected, and no more.
func TestTabsListKeepsOthersPrivate(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/Mine?q=1"), "observe")
	other := w.OpenTab(w.Pages.CrossURL("/page/Private?token=s3cret"))
	otherID := w.TabID(other)
	tabs, _ := w.d.must("tabs.list", map[string]any{})["tabs"].([]any)
	for _, raw := range tabs {
		tab, _ := raw.(map[string]any)
		switch int(tab["tabId"].(float64)) {
		case id:
			if tab["connected"] != true || tab["title"] != "Mine" || tab["level"] != "observe" {
				t.Errorf("own tab: %v", tab)
			}
		case otherID:
			if tab["connected"] != false || tab["title"] != "" || strings.Contains(tab["url"].(string), "Private") {
				t.Errorf("another tab: %v", tab)
			}
		}
	}
}
