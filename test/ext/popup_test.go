package ext

import (
	"fmt"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// Without the native host the popup says so, with the command that repairs it.
func TestPopupSaysWhatIsBroken(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true, NoHost: true})
	w := &world{Env: env, t: t}
	browsertest.Until(t, browsertest.Patience, "the worker has begun", func() bool {
		var begun bool
		return w.TryWorkerEval(`typeof chrome === 'object'`, &begun) == nil && begun
	})
	tab := w.OpenTab(w.Pages.URL("/page/One"))
	popup := w.popupPage(w.TabID(tab))
	popup.Await(`document.querySelector('[data-hop=host]').dataset.state === 'fail'`)
	if got := popup.Text(`document.querySelector('#fix-command').textContent`); got != "dbridge install" {
		t.Errorf("the command is %q", got)
	}
	// A tab can be connected all the same; the daemon is told when it comes.
	popup.Await(`!document.querySelector('#connect').disabled`)
}

// The popup by keyboard alone; Stop everything; what follows it.
func TestPopupKeyboardAndStop(t *testing.T) {
	w := start(t)
	w.open(w.Pages.URL("/page/One"), "observe")
	tab := w.OpenTab(w.Pages.URL("/page/Two"))
	id := w.TabID(tab)
	popup := w.popupPage(id)
	popup.Await(`!document.querySelector('#connect').disabled`)
	mark := w.d.mark()
	popup.Eval(`document.querySelector('#session').focus()`, nil)
	popup.Press("Enter")
	if got := w.d.awaitTab(mark, "tab.connected", id).text("level"); got != "observe" {
		t.Errorf("level %q, want the one chosen last", got)
	}
	popup.Await(`document.querySelector('#connect').textContent === 'Connected'`)
	popup.Await(`document.querySelectorAll('#connected .show').length === 2 && document.querySelector('#agents').textContent.includes('Claude')`)
	// Every control has a name.
	var nameless []string
	popup.Eval(`[...document.querySelectorAll('button, input')].filter((e) => e.checkVisibility() && !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML)`, &nameless)
	if len(nameless) > 0 {
		t.Errorf("without a name: %v", nameless)
	}
	// Another level, applied.
	mark = w.d.mark()
	popup.Click("input[value=act]")
	popup.Click("#connect")
	if got := w.d.awaitTab(mark, "tab.connected", id).text("level"); got != "act" {
		t.Errorf("level %q after the change", got)
	}
	w.set(`{alwaysSites: [{site: '127.0.0.1', level: 'act', suspended: false}]}`)
	mark = w.d.mark()
	popup.Click("#stop")
	w.d.await(mark, "tab.disconnected", nil)
	w.d.awaitTab(mark, "tab.disconnected", id)
	popup.Await(`document.querySelector('#stop').disabled && document.querySelector('#tab-status').textContent.includes('stopped')`)
	w.OpenTab(w.Pages.URL("/page/Three"))
	for _, e := range w.d.since(mark) {
		if e.Op == "tab.connected" {
			t.Errorf("connected after Stop everything: %v", e.Payload)
		}
	}
}

// The context menu and the keyboard command do what the popup does. (Chrome's own menu cannot be clicked by a test; this is what it calls.)
func TestMenuAndCommand(t *testing.T) {
	w := start(t)
	tab := w.OpenTab(w.Pages.URL("/page/One"))
	id := w.TabID(tab)
	does := func(dispatch, op string) event {
		t.Helper()
		mark := w.d.mark()
		w.WorkerEval(fmt.Sprintf(`chrome.tabs.get(%d).then((tab) => { %s; return true; })`, id, dispatch), nil)
		return w.d.awaitTab(mark, op, id)
	}
	if got := does(`chrome.contextMenus.onClicked.dispatch({menuItemId: 'connect-control'}, tab)`, "tab.connected").text("level"); got != "control" {
		t.Errorf("level %q", got)
	}
	browsertest.Until(t, browsertest.Patience, "the badge", func() bool {
		var badge string
		w.WorkerEval(fmt.Sprintf(`chrome.action.getBadgeText({tabId: %d})`, id), &badge)
		return badge == "C"
	})
	does(`chrome.contextMenus.onClicked.dispatch({menuItemId: 'disconnect'}, tab)`, "tab.disconnected")
	does(`chrome.commands.onCommand.dispatch('toggle-connection', tab)`, "tab.connected")
	does(`chrome.commands.onCommand.dispatch('toggle-connection', tab)`, "tab.disconnected")
}

// What is typed into the options page holds at once.
func TestOptions(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/One"), "control")
	options := w.OpenTab("chrome-extension://" + browsertest.ExtensionID + "/options.html")
	options.Await(`document.querySelector('#telemetry input').checked`)
	mark := w.d.mark()
	options.Click(`#debuggerMode input[value=never]`)
	w.d.await(mark, "tab.connected", func(e event) bool { return e.text("debuggerMode") == "never" && e.Payload["eval"] == false })
	w.d.refused("CAPABILITY_MISSING", "cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "1"}))
	mark = w.d.mark()
	options.Click(`#debuggerMode input[value=always]`)
	browsertest.Until(t, browsertest.Patience, "the debugger is attached", func() bool {
		var attached bool
		w.WorkerEval(fmt.Sprintf(`chrome.debugger.sendCommand({tabId: %d}, 'Inspector.enable').then(() => true, () => false)`, id), &attached)
		return attached
	})
	options.Click(`#deny-add input`)
	options.Type("HTTP://127.0.0.1:1/x")
	options.Press("Enter")
	options.Await(`document.querySelector('#deny').textContent.includes('127.0.0.1:1')`) // another port: nothing happens
	options.Click(`#deny-add input`)
	options.Type("127.0.0.1")
	options.Press("Enter")
	w.d.awaitTab(mark, "tab.disconnected", id)
}
