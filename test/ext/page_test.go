package ext

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// A site that connects by itself: its very first console lines and errors are kept, once each, at every level.
func TestAlwaysConnectKeepsFirstLines(t *testing.T) {
	for _, level := range []string{"observe", "control"} {
		t.Run(level, func(t *testing.T) {
			w := start(t)
			w.set(fmt.Sprintf(`{alwaysSites: [{site: '127.0.0.1', level: %q, suspended: false}]}`, level))
			browsertest.Until(t, browsertest.Patience, "scripts are registered", func() bool {
				var count int
				w.WorkerEval(`chrome.scripting.getRegisteredContentScripts().then((all) => all.length)`, &count)
				return count == 3 // bridge, console hook, inspector
			})
			tab := w.OpenTab(w.Pages.URL("/app/"))
			id := w.TabID(tab)
			info := w.d.awaitTab(0, "tab.connected", id)
			if info.text("level") != level {
				t.Errorf("level %q, want %q", info.text("level"), level)
			}
			tab.Eval(`console.log('the last line')`, nil)
			w.awaitLines(0, id, "the last line", 1)
			lines := w.d.consoleLines(0, id, "")
			if len(lines) < 2 {
				t.Errorf("the app's first lines are missing: %v", lines)
			}
			texts := make(map[string]int)
			for _, line := range lines {
				_, text, _ := strings.Cut(line, ":")
				texts[text]++
			}
			if texts["the last line"] != 1 {
				t.Errorf("lines %v", lines)
			}
			// The person's Disconnect outlasts the next page of the site.
			mark := w.d.mark()
			w.Disconnect(tab)
			w.d.awaitTab(mark, "tab.disconnected", id)
			tab.Navigate(w.Pages.URL("/page/Next"))
			tab.Await(`document.title === 'Next'`)
			for _, e := range w.d.since(mark) {
				if e.Op == "tab.connected" && e.number("tabId") == id {
					t.Errorf("connected again: %v", e.Payload)
				}
			}
			// What was registered ahead leaves no trace where it is not wanted.
			browsertest.Until(t, browsertest.Patience, "the console is the page's own", func() bool { return !hooked(t, tab) })
		})
	}
}

// hooked looks from outside whether the page's console.log is wrapped; the page itself cannot tell.
func hooked(t *testing.T, tab *browsertest.Tab) bool {
	t.Helper()
	var answer struct {
		Result struct{ Type, Subtype string }
	}
	if err := tab.Call("Runtime.evaluate", map[string]any{"expression": "console.log"}, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Result.Subtype == "proxy"
}

// Connect and Disconnect leave a page as it was: its console is the same object as before, no attribute, no element, no global (P-34, P-24).
func TestP34NothingLeft(t *testing.T) {
	w := start(t)
	tab := w.OpenTab(w.Pages.URL("/page/One"))
	tab.Eval(`window.before = { log: console.log, warn: console.warn, names: Object.getOwnPropertyNames(window).sort().join(), html: document.documentElement.outerHTML }`, nil)
	id := w.TabID(tab)
	for _, level := range []string{"observe", "act", "control"} {
		mark := w.d.mark()
		w.Connect(tab, level)
		w.d.awaitTab(mark, "frame.added", id)
		tab.Eval(fmt.Sprintf(`console.log('seen at %s')`, level), nil)
		w.awaitLines(mark, id, "seen at "+level, 1)
		if level == "control" {
			w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
			if hooked(t, tab) {
				t.Error("the console is patched while the debugger has it")
			}
		}
		var seen []string
		tab.Eval(`Object.getOwnPropertyNames(window).filter((name) => /bridge|debug/i.test(name) && name !== 'before')`, &seen)
		if len(seen) > 0 {
			t.Errorf("%s: the page sees %v", level, seen)
		}
		var runtime string
		if tab.Eval(`typeof chrome?.runtime?.id`, &runtime); runtime != "undefined" {
			t.Errorf("%s: the page sees chrome.runtime.id", level)
		}
		w.Disconnect(tab)
		tab.Await(`console.log === before.log && console.warn === before.warn && Object.getOwnPropertyNames(window).filter((name) => name !== 'before').sort().join() === before.names
			&& document.documentElement.outerHTML === before.html`)
	}
}

// A site over plain http is no secure context: there is no crypto.randomUUID, and the bridge lives.
func TestPlainHTTPSite(t *testing.T) {
	w := start(t, "--host-resolver-rules=MAP plain.test 127.0.0.1")
	tab := w.OpenTab(strings.Replace(w.Pages.URL("/page/One"), "127.0.0.1", "plain.test", 1))
	if tab.Text(`typeof crypto.randomUUID + isSecureContext`) != "undefinedfalse" {
		t.Fatal("the site is a secure context")
	}
	mark := w.d.mark()
	w.Connect(tab, "observe")
	id := w.TabID(tab)
	w.d.awaitTab(mark, "frame.added", id)
	tab.Eval(`console.log('seen')`, nil)
	w.awaitLines(mark, id, "seen", 1)
}

// Pages and other extensions reach nothing of ours (N-21, N-22).
func TestN21NobodyElse(t *testing.T) {
	other := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(other, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("manifest.json", `{"manifest_version":3,"name":"Other","version":"1","permissions":["nativeMessaging","scripting","tabs"],"host_permissions":["<all_urls>"],
		"background":{"service_worker":"sw.js"},"web_accessible_resources":[{"resources":["frame.html"],"matches":["<all_urls>"]}]}`)
	write("frame.html", "<p>frame of another extension")
	write("page.html", "<p>page")
	write("sw.js", "self.ready = true;")
	w := startBeside(t, other)
	id := otherWorker(w)
	for what, attempt := range map[string]string{
		"sendMessage":   `chrome.runtime.sendMessage(OURS, {kind: 'watch', tabId: 1}).then(() => 'answered', String)`,
		"connect":       `new Promise((done) => { const port = chrome.runtime.connect(OURS, {name: 'popup'}); port.onMessage.addListener(() => done('answered')); port.onDisconnect.addListener(() => done(String(chrome.runtime.lastError?.message))); port.postMessage({kind: 'stopEverything'}); })`,
		"connectNative": `new Promise((done) => { const port = chrome.runtime.connectNative('com.debugbridge.host'); port.onMessage.addListener(() => done('answered')); port.onDisconnect.addListener(() => done(String(chrome.runtime.lastError?.message))); })`,
		"frame":         `fetch('chrome-extension://' + OURS + '/popup.html').then(() => 'answered', String)`,
	} {
		var got string
		id.Eval(strings.ReplaceAll(attempt, "OURS", quote(browsertest.ExtensionID)), &got)
		if got == "answered" || got == "" {
			t.Errorf("%s of another extension: %q", what, got)
		}
	}
	tab, tabID := w.open(w.Pages.URL("/page/One"), "control")
	for _, attempt := range []string{
		`typeof chrome === 'undefined' || chrome.runtime === undefined || typeof chrome.runtime.sendMessage`,
		`fetch('chrome-extension://` + browsertest.ExtensionID + `/popup.html').then(() => 'answered', () => 'refused')`,
		`new Promise((done) => { const frame = document.createElement('iframe'); frame.src = 'chrome-extension://` + browsertest.ExtensionID + `/popup.html'; frame.onload = () => { try { done(frame.contentDocument ? 'empty' : 'refused'); } finally { frame.remove(); } }; document.body.append(frame); })`,
	} {
		var got any
		if tab.Eval(attempt, &got); got == "answered" || got == "function" {
			t.Errorf("%s: %v", attempt, got)
		}
	}

	// A frame of the other extension in the page: nobody may debug it then, and the bridge goes on.
	tab.Eval(fmt.Sprintf(`new Promise((done) => { const frame = document.createElement('iframe'); frame.src = %q; frame.onload = done; document.body.append(frame); }).then(() => true)`, "chrome-extension://"+extensionOf(w)+"/frame.html"), nil)
	refusal := w.d.refused("CAPABILITY_MISSING", "cdp.send", cdpCall(tabID, "Runtime.evaluate", map[string]any{"expression": "1"}))
	if refusal.Details["reason"] != "foreign_extension_frame" {
		t.Errorf("details %v", refusal.Details)
	}
	if _, err := w.d.bridge(tabID, map[string]any{"type": "click", "target": map[string]any{"selector": "#b"}}); err != nil {
		t.Errorf("the bridge beside a foreign frame: %v", err)
	}
	mark := w.d.mark()
	tab.Navigate(w.Pages.URL("/page/Two"))
	w.d.awaitTab(mark, "frame.added", tabID)
	w.d.cdp(tabID, "Runtime.evaluate", map[string]any{"expression": "1"})
	// Now it comes while the debugger is there: Chrome throws us out, and the console goes on through the hook.
	mark = w.d.mark()
	tab.Eval(fmt.Sprintf(`void setTimeout(() => { const frame = document.createElement('iframe'); frame.src = %q; document.body.append(frame); }, 0)`, "chrome-extension://"+extensionOf(w)+"/frame.html"), nil)
	w.d.awaitTab(mark, "cdp.detached", tabID)
	browsertest.Until(t, browsertest.Patience, "the hook has the console again", func() bool { return hooked(t, tab) })
	tab.Eval(`console.log('still heard')`, nil)
	w.awaitLines(mark, tabID, "still heard", 1)
	for _, e := range w.d.since(mark) {
		if e.Op == "tab.disconnected" || e.Op == "tab.paused" {
			t.Errorf("%s: %v", e.Op, e.Payload)
		}
	}
}

// The extension is reloaded: its old content scripts let go of the page in silence (H-06).
// (A browser without developer mode, as here, leaves it off after that; to a page it is the same.)
func TestH06Reload(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "act")
	tab.Eval(`console.log('before')`, nil)
	w.awaitLines(0, id, "before", 1)
	if !hooked(t, tab) {
		t.Fatal("the console is not hooked at level act")
	}
	if err := tab.Call("Runtime.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	thrown, logged := tab.Listen("Runtime.exceptionThrown"), tab.Listen("Runtime.consoleAPICalled")
	before := len(logged.All())
	w.WorkerEval(`void setTimeout(() => chrome.runtime.reload(), 0)`, nil)
	browsertest.Until(t, browsertest.Patience, "the page has its console back", func() bool { return !hooked(t, tab) })
	tab.Eval(`document.body.append('x')`, nil)
	if got := thrown.All(); len(got) > 0 {
		t.Errorf("exceptions in the page: %s", got)
	}
	if got := logged.All()[before:]; slices.ContainsFunc(got, func(raw json.RawMessage) bool { return strings.Contains(string(raw), "context invalidated") }) {
		t.Errorf("in the page's console: %s", got)
	}
}

// A page that is prepared in advance is not the page (P-09).
func TestP09Prerender(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "act")
	mark := w.d.mark()
	next := w.Pages.URL("/page/Next")
	tab.Eval(fmt.Sprintf(`(() => { const rules = document.createElement('script'); rules.type = 'speculationrules'; rules.text = JSON.stringify({prerender: [{source: 'list', urls: [%q]}]}); document.head.append(rules); })()`, next), nil)
	browsertest.Until(t, browsertest.Patience, "the page is asked for in advance", func() bool { return w.Pages.Hits("/page/Next") > 0 })
	tab.Eval(`console.log('the live page')`, nil)
	w.awaitLines(mark, id, "the live page", 1)
	for _, e := range w.d.since(mark) {
		if text := fmt.Sprint(e.Payload); strings.Contains(text, "/page/Next") && e.Op != "bridge.event" {
			t.Errorf("told of before it is shown: %s %s", e.Op, text)
		}
	}
	mark = w.d.mark()
	tab.Eval(fmt.Sprintf(`void (location.href = %q)`, next), nil)
	w.d.await(mark, "tab.navigated", func(e event) bool { return e.text("url") == next })
	added := w.d.await(mark, "frame.added", func(e event) bool { return e.number("frameId") == 0 })
	if added.text("url") != next {
		t.Errorf("frame.added %v", added.Payload)
	}
	if _, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"}); err != nil {
		t.Error(err)
	}
}
