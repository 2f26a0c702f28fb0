package ext

import (
	"fmt"
	"testing"
)

// A tab that an agent opens has its opener's grant and no more.
func TestOpenedTabTakesItsOpenersGrant(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/One"), "act")
	mark := w.d.mark()
	made := w.d.must("tabs.open", map[string]any{"url": w.Pages.URL("/page/Two"), "openerTabId": id, "background": true, "level": "control"})
	opened := int(made["tabId"].(float64))
	info := w.d.awaitTab(mark, "tab.connected", opened)
	if info.text("level") != "act" || info.number("openerTabId") != id || info.Payload["anySite"] != false {
		t.Errorf("tab.connected says %v", info.Payload)
	}
	if _, err := w.d.bridge(opened, map[string]any{"type": "request_ui_tree"}); err != nil {
		t.Error(err)
	}
	w.d.must("tabs.activate", map[string]any{"tabId": opened})
	w.d.must("tabs.close", map[string]any{"tabId": opened})
	w.d.awaitTab(mark, "tab.disconnected", opened)

	w.d.refused("POLICY_DENIED", "tabs.open", map[string]any{"url": w.Pages.CrossURL("/page/Two"), "openerTabId": id})
	w.d.refused("POLICY_DENIED", "tabs.open", map[string]any{"url": "file:///etc/passwd", "openerTabId": id})
	w.d.refused("POLICY_DENIED", "tabs.open", map[string]any{"url": w.Pages.URL("/page/Two"), "openerTabId": id, "sessionId": "another"})
	w.d.refused("NOT_CONNECTED", "tabs.close", map[string]any{"tabId": opened})
	w.d.refused("CAPABILITY_MISSING", "cdp.hold", map[string]any{"tabId": id, "on": true})
}

func TestWatcherOpensAndClosesNothing(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/One"), "observe")
	w.d.refused("CAPABILITY_MISSING", "tabs.open", map[string]any{"url": w.Pages.URL("/page/Two"), "openerTabId": id})
	w.d.refused("CAPABILITY_MISSING", "tabs.close", map[string]any{"tabId": id})
	w.d.refused("CAPABILITY_MISSING", "window.resize", map[string]any{"tabId": id, "width": 600, "height": 500})
}

// A page's popup on its own site is connected, one elsewhere is only told of.
func TestPopups(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	open := func(url string) {
		tab.Eval(fmt.Sprintf(`document.getElementById('b').onclick = () => { window.open(%q) }; 1`, url), nil)
		if _, err := w.d.bridge(id, map[string]any{"type": "frame_info"}); err != nil {
			t.Fatal(err)
		}
		w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "document.getElementById('b').click()", "userGesture": true})
	}
	mark := w.d.mark()
	open(w.Pages.URL("/page/Popup"))
	info := w.d.await(mark, "tab.connected", func(e event) bool { return e.number("openerTabId") == id })
	if info.text("level") != "control" {
		t.Errorf("tab.connected says %v", info.Payload)
	}
	mark = w.d.mark()
	elsewhere := w.Pages.CrossURL("/page/Elsewhere")
	open(elsewhere)
	told := w.d.await(mark, "tab.popup", func(e event) bool { return e.number("openerTabId") == id })
	if told.text("url") != elsewhere {
		t.Errorf("tab.popup says %v", told.Payload)
	}
	for _, e := range w.d.since(mark) {
		if e.Op == "tab.connected" {
			t.Errorf("connected: %v", e.Payload)
		}
	}
}

func TestNavigateWithInitScriptAndAnswerToLeaving(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/dialogs"), "control")
	w.d.must("tab.navigate", map[string]any{"tabId": id, "reload": true, "ignoreCache": true, "initScript": "window.early = 7"})
	tab.Await("window.early === 7")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "document.getElementById('guard').click()", "userGesture": true})
	f := w.d.refused("NAVIGATION_INTERRUPTED", "tab.navigate", map[string]any{"tabId": id, "url": w.Pages.URL("/page/Two"), "beforeunload": "dismiss"})
	if f.Details["reason"] != "dialog_dismissed" {
		t.Errorf("details %v", f.Details)
	}
	w.d.must("tab.navigate", map[string]any{"tabId": id, "url": w.Pages.URL("/page/Two"), "beforeunload": "accept"})
	tab.Await("document.title === 'Two' && window.early === undefined")
}
