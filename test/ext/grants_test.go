package ext

import (
	"errors"
	"fmt"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// asked are all requests of the link that are about a tab, with the level each takes.
// The daemon of these tests holds no grants and refuses nothing: what is refused, the
// extension refuses.
func asked(tab int, elsewhere string) []struct {
	op, level string
	payload   map[string]any
} {
	type fields = map[string]any
	target := fields{"selector": "#b"}
	bridge := func(command fields) fields {
		return fields{"tabId": tab, "frameId": 0, "command": command, "timeoutMs": 5000}
	}
	return []struct {
		op, level string
		payload   fields
	}{
		{"bridge.call", "observe", bridge(fields{"type": "request_ui_tree"})},
		{"bridge.call", "observe", bridge(fields{"type": "request_dom_snapshot"})},
		{"bridge.call", "observe", bridge(fields{"type": "outline"})},
		{"bridge.call", "observe", bridge(fields{"type": "request_state"})},
		{"bridge.call", "observe", bridge(fields{"type": "ask", "id": "q", "text": "?"})},
		{"bridge.call", "observe", bridge(fields{"type": "record_start"})},
		{"recorder.inject", "observe", fields{"tabId": tab}},
		{"tab.picture", "observe", fields{"tabId": tab}},
		{"confirm.ask", "observe", fields{"tabId": tab, "id": "c", "act": "submit", "agent": "a", "what": "w", "timeoutMs": 1000}},
		{"bridge.call", "act", bridge(fields{"type": "click", "target": target})},
		{"bridge.call", "act", bridge(fields{"type": "fill", "target": target, "value": "x"})},
		{"bridge.call", "act", bridge(fields{"type": "press", "key": "a"})},
		{"bridge.call", "act", bridge(fields{"type": "mouse", "do": "click", "x": 20, "y": 20})},
		{"bridge.call", "act", bridge(fields{"type": "locate", "target": target})},
		{"bridge.call", "act", bridge(fields{"type": "foresee", "target": target})},
		{"bridge.call", "act", bridge(fields{"type": "layout_try"})},
		{"bridge.call", "act", bridge(fields{"type": "tools_call", "name": "t"})},
		{"tab.navigate", "act", fields{"tabId": tab, "url": "/page/Two"}},
		{"tab.navigate", "act", fields{"tabId": tab, "url": elsewhere}},
		{"tab.navigate", "act", fields{"tabId": tab, "back": true}},
		{"tabs.open", "act", fields{"openerTabId": tab, "url": "/page/Two"}},
		{"tabs.close", "act", fields{"tabId": tab}},
		{"tabs.activate", "act", fields{"tabId": tab}},
		{"window.resize", "act", fields{"tabId": tab, "width": 500, "height": 500}},
		{"bridge.call", "control", bridge(fields{"type": "state_set", "path": "a", "value": 1})},
		{"bridge.call", "control", bridge(fields{"type": "state_dispatch", "action": fields{}})},
		{"cdp.send", "control", cdpCall(tab, "Runtime.evaluate", fields{"expression": "changes = 100"})},
		{"cdp.batch", "control", fields{"tabId": tab, "sends": []any{fields{"method": "Input.insertText", "params": fields{"text": "x"}}}}},
		{"cdp.targets", "control", fields{"tabId": tab}},
		{"cdp.hold", "control", fields{"tabId": tab, "on": true}},
		{"files.set", "control", fields{"tabId": tab, "objectId": "1", "files": []any{"/etc/hostname"}}},
		{"trace.add", "control", fields{"tabId": tab, "id": "t"}},
	}
}

// INV-A, the extension's half: with a daemon that permits all, nothing of an agent gets
// into a tab without a live grant for this tab, this site and this level (N-24, N-26).
func TestInvAExtensionRefuses(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "observe")
	elsewhere := w.Pages.CrossURL("/page/Elsewhere")
	watch := func() {
		tab.Eval(`window.changes = 0; for (const kind of ['click', 'keydown', 'pointerdown', 'input']) addEventListener(kind, () => { window.changes += 1; }, true);
			new MutationObserver((all) => { window.changes += all.length; }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true})`, nil)
	}
	untouched := func(what string) {
		t.Helper()
		var changes int
		if tab.Eval("window.changes", &changes); changes != 0 {
			t.Errorf("%s: the page changed %d times", what, changes)
		}
	}
	// refuses wants every request that takes more than a level refused; all of them without one.
	refuses := func(what, level, code string) {
		t.Helper()
		rank := map[string]int{"": 0, "observe": 1, "act": 2, "control": 3}
		watch()
		for _, ask := range asked(id, elsewhere) {
			if rank[ask.level] <= rank[level] {
				continue
			}
			_, err := w.d.call(ask.op, ask.payload)
			refusal, ok := errors.AsType[*callError](err)
			picture := ask.op == "tab.picture" && ok && refusal.Code == "CAPABILITY_MISSING" // it has but one answer
			if !ok || refusal.Code != code && !picture {
				t.Errorf("%s: %s %v: %v, want %s", what, ask.op, ask.payload, err, code)
			}
		}
		untouched(what)
	}

	refuses("level observe", "observe", "CAPABILITY_MISSING")

	mark := w.d.mark()
	w.Connect(tab, "act")
	w.d.awaitTab(mark, "tab.connected", id)
	refuses("level act", "act", "CAPABILITY_MISSING")
	w.d.refused("POLICY_DENIED", "tab.navigate", map[string]any{"tabId": id, "url": elsewhere})

	mark = w.d.mark()
	w.Connect(tab, "control")
	w.d.awaitTab(mark, "tab.connected", id)
	w.d.refused("POLICY_DENIED", "tabs.open", map[string]any{"openerTabId": id, "url": elsewhere})
	other := w.TabID(w.OpenTab(w.Pages.URL("/page/Other"))) // the same site, and never connected
	tab.Front()
	w.d.refused("NOT_CONNECTED", "cdp.send", cdpCall(other, "Runtime.evaluate", map[string]any{"expression": "1"}))
	w.d.refused("NOT_CONNECTED", "bridge.call", map[string]any{"tabId": other, "frameId": 0, "command": map[string]any{"type": "request_ui_tree"}})

	// Another site pauses the grant.
	mark = w.d.mark()
	tab.Navigate(elsewhere)
	w.d.awaitTab(mark, "tab.paused", id)
	refuses("another site", "", "NOT_CONNECTED")
	mark = w.d.mark()
	tab.Navigate(w.Pages.URL("/page/One"))
	w.d.awaitTab(mark, "tab.resumed", id)

	// Its time is over, told by nobody.
	w.WorkerEval(`chrome.storage.session.get('grants').then(({ grants }) => chrome.storage.session.set({ grants: grants.map((one) => ({ ...one, expiresAt: Date.now() - 1 })) })).then(() => true)`, nil)
	mark = w.d.mark()
	w.KillWorker()
	w.WakeWorker()
	w.d.await(mark, "state", nil)
	refuses("expired", "", "NOT_CONNECTED")

	// A new click, and its end.
	mark = w.d.mark()
	w.Connect(tab, "control")
	w.d.awaitTab(mark, "tab.connected", id)
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	mark = w.d.mark()
	w.Disconnect(tab)
	w.d.awaitTab(mark, "tab.disconnected", id)
	refuses("disconnected", "", "NOT_CONNECTED")
	var tabs int
	w.WorkerEval(fmt.Sprintf(`chrome.tabs.query({}).then((all) => all.filter(({ id, url }) => id === %d || id === %d || url.endsWith('/page/Two')).length)`, id, other), &tabs)
	if tabs != 2 {
		t.Errorf("%d tabs of three are there", tabs)
	}
}

// A grant with a time ends by itself: the daemon is told, and nothing gets through after
// it, nor to the daemon.
func TestGrantExpires(t *testing.T) {
	w := start(t)
	w.set(`{grantMinutes: 1}`)
	tab, id := w.open(w.Pages.URL("/page/One"), "act")
	if _, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"}); err != nil {
		t.Fatal(err)
	}
	// A minute passes for the extension alone.
	w.WorkerEval(`(() => { const real = Date.now; Date.now = () => real() + 61000; return true; })()`, nil)
	w.d.refused("NOT_CONNECTED", "bridge.call", map[string]any{"tabId": id, "frameId": 0, "command": map[string]any{"type": "request_ui_tree"}})
	mark := w.d.mark()
	tab.Eval(`console.error('after the end'); document.body.append('after the end')`, nil)
	w.WorkerEval(`(chrome.alarms.onAlarm.dispatch({ name: 'wake' }), true)`, nil)
	if got := w.d.awaitTab(mark, "tab.disconnected", id).text("reason"); got != "detached_by_user" {
		t.Errorf("reason %q", got)
	}
	for _, e := range w.d.since(mark) {
		if e.Op == "bridge.event" {
			t.Errorf("told after the end: %v", e.Payload)
		}
	}
	browsertest.Until(t, browsertest.Patience, "the popup's offer", func() bool {
		popup := w.popupPage(id)
		defer popup.Close()
		return popup.Text(`document.querySelector('#connect').textContent`) == "Connect"
	})
}
