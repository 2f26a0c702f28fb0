package ext

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// The worker dies with a tab attached: the new one adopts the debugger, the bridges
// come back, and commands of both lanes work (H-04, M13).
func TestH04WorkerKilled(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	for round := range 3 {
		mark := w.d.mark()
		w.KillWorker()
		// Nothing wakes it but the bridges, which come back by themselves.
		began := time.Now()
		w.d.await(mark, "state", nil)
		if _, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"}); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("round %d: back after %v, want 5 s", round, took)
		}
		got := w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "40 + 2", "returnByValue": true})
		if result, _ := got["result"].(map[string]any); result["value"] != 42.0 {
			t.Errorf("round %d: evaluate gives %v", round, got)
		}
		if _, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"}); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		for i := range 3 {
			tab.Eval(fmt.Sprintf("console.log('after kill %d.%d')", round, i), nil)
		}
		w.awaitLines(mark, id, fmt.Sprintf("after kill %d.2", round), 1)
		if lines := w.d.consoleLines(mark, id, fmt.Sprintf("after kill %d.", round)); len(lines) != 3 {
			t.Errorf("round %d: console lines %v, want 3", round, lines)
		}
	}
	var level string
	if w.WorkerEval(`chrome.storage.session.get('grants').then((all) => all.grants[0].level)`, &level); level != "control" {
		t.Errorf("level %q after the restarts", level)
	}
}

// The grant ended while the worker was dead: its attachment is an orphan and goes (H-05).
func TestH05OrphanDetached(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/One"), "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	mark := w.d.mark()
	w.WorkerEval(`chrome.storage.session.set({grants: []}).then(() => true)`, nil)
	w.KillWorker()
	w.d.await(mark, "state", nil)
	browsertest.Until(t, browsertest.Patience, "the orphan is detached", func() bool {
		var attached bool
		// Only our own attachment takes a command.
		w.WorkerEval(fmt.Sprintf(`chrome.debugger.sendCommand({tabId: %d}, 'Inspector.enable').then(() => true, () => false)`, id), &attached)
		return !attached
	})
}

// awaitLines waits until at least n console lines hold part.
func (w *world) awaitLines(mark, tab int, part string, n int) {
	w.t.Helper()
	browsertest.Until(w.t, browsertest.Patience, fmt.Sprintf("%d console lines with %q", n, part), func() bool {
		return len(w.d.consoleLines(mark, tab, part)) >= n
	})
}

// The console goes over from the page's hook to the debugger and back while the page
// writes all the time: every line comes once, in order.
func TestConsoleHandOverExactlyOnce(t *testing.T) {
	w := start(t)
	w.set(`{idleSeconds: 5}`)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	mark := w.d.mark()
	tab.Eval(`window.n = 0; window.timer = setInterval(() => console.log('tick ' + n++), 1)`, nil)
	w.awaitLines(mark, id, "tick", 20)
	for range 3 {
		before := w.d.mark()
		w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
		w.awaitCDP(before, id, "tick", 50)
		w.d.must("cdp.detach", map[string]any{"tabId": id})
		after := w.d.mark()
		w.awaitLines(after, id, "tick", 50)
	}
	var last int
	tab.Eval(`(clearInterval(timer), n - 1)`, &last)
	w.awaitLines(mark, id, fmt.Sprintf("tick %d", last), 1)
	lines := w.d.consoleLines(mark, id, "tick")
	var byHook, byCDP int
	seen := make(map[string]int)
	var bad []string
	for i, line := range lines {
		lane, text, _ := strings.Cut(line, ":")
		if lane == "hook" {
			byHook++
		} else {
			byCDP++
		}
		if earlier, twice := seen[text]; twice {
			bad = append(bad, fmt.Sprintf("%s again at %d, first at %d", line, i, earlier))
		}
		seen[text] = i
	}
	for i := range last + 1 {
		if _, there := seen[fmt.Sprintf("tick %d", i)]; !there {
			bad = append(bad, fmt.Sprintf("tick %d lost", i))
		}
	}
	if len(bad) > 0 {
		t.Errorf("%d faults in %d lines: %v", len(bad), len(lines), bad[:min(len(bad), 20)])
	}
	if byHook < 50 || byCDP < 50 {
		t.Errorf("%d lines through the hook, %d through the debugger: no hand-over took place", byHook, byCDP)
	}
}

// What a page writes between Connect and the moment when the hook is in the page is told by
// the debugger, once it comes: of a page that writes all the time no line is lost from the
// click on, none comes twice, and none of before the click comes.
func TestConsoleFromTheClickOn(t *testing.T) {
	w := start(t)
	w.set(`{idleSeconds: 5}`)
	tab := w.OpenTab(w.Pages.URL("/page/One"))
	id := w.TabID(tab)
	tab.Eval(`window.n = 0; window.times = []; window.timer = setInterval(() => { times[n] = Date.now(); console.log('tick ' + n + ' ' + times[n++]) }, 1)`, nil)
	tab.Await(`n > 50`)
	w.Connect(tab, "control")
	w.d.await(0, "frame.added", func(e event) bool { return e.number("tabId") == id })
	w.awaitLines(0, id, "tick", 20)
	for range 2 { // the second time all is told already
		mark := w.d.mark()
		w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
		w.awaitCDP(mark, id, "tick", 20)
		w.d.must("cdp.detach", map[string]any{"tabId": id})
	}
	var last int
	tab.Eval(`(clearInterval(timer), n - 1)`, &last)
	w.awaitLines(0, id, fmt.Sprintf("tick %d ", last), 1)
	var since int64
	w.WorkerEval(`chrome.storage.session.get('grants').then((all) => Object.values(all.grants)[0].since)`, &since)
	told := map[int]int{}
	first, before := last, 0
	for _, line := range w.d.consoleLines(0, id, "tick") {
		var n int
		var at int64
		_, text, _ := strings.Cut(line, ":")
		if _, err := fmt.Sscanf(text, "tick %d %d", &n, &at); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		told[n]++
		first = min(first, n)
		if at < since {
			before++
		}
		if told[n] == 2 {
			t.Errorf("%s came twice", line)
		}
	}
	for n := first; n <= last; n++ {
		if told[n] == 0 {
			t.Errorf("tick %d of %d to %d was lost", n, first, last)
		}
	}
	if before > 0 {
		t.Errorf("%d lines of before the click", before)
	}
	// The page's own clock says which lines are of after the click.
	var due int
	tab.Eval(fmt.Sprintf(`times.findIndex((at) => at > %d)`, since), &due)
	if first > due {
		t.Errorf("the first line told is %d, that of after the click is %d", first, due)
	}
}

// awaitCDP waits for console lines through the debugger.
func (w *world) awaitCDP(mark, tab int, part string, n int) {
	w.t.Helper()
	browsertest.Until(w.t, browsertest.Patience, "console lines through the debugger", func() bool {
		count := 0
		for _, line := range w.d.consoleLines(mark, tab, part) {
			if strings.HasPrefix(line, "cdp:") {
				count++
			}
		}
		return count >= n
	})
}

// A page loaded while the debugger is attached gives its first lines once, the one in a cross-process frame too.
func TestConsoleOfNewDocuments(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	mark := w.d.mark()
	tab.Navigate(w.Pages.URL("/app/"))
	w.d.await(mark, "frame.added", func(e event) bool { return e.number("frameId") != 0 })
	tab.Eval(`console.log('end of first look')`, nil)
	w.awaitLines(mark, id, "end of first look", 1)
	lines := w.d.consoleLines(mark, id, "")
	slices.Sort(lines)
	for i := 1; i < len(lines); i++ {
		if _, text, _ := strings.Cut(lines[i], ":"); strings.HasSuffix(lines[i-1], ":"+text) {
			t.Errorf("twice: %s and %s", lines[i-1], lines[i])
		}
	}
	if len(lines) < 2 {
		t.Errorf("the app's own console lines are missing: %v", lines)
	}
}

// Idle for the set time: the debugger goes, says so, and comes back when needed.
func TestIdleDetach(t *testing.T) {
	w := start(t)
	w.set(`{idleSeconds: 5}`)
	_, id := w.open(w.Pages.URL("/page/One"), "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	mark := w.d.mark()
	if got := w.d.awaitTab(mark, "cdp.detached", id).text("reason"); got != "idle" {
		t.Errorf("reason %q, want idle", got)
	}
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
}

// Crash, reload: the same tab goes on (P-03).
func TestP03Crash(t *testing.T) {
	for _, level := range []string{"act", "control"} {
		t.Run(level, func(t *testing.T) {
			w := start(t)
			tab, id := w.open(w.Pages.URL("/page/One"), level)
			if level == "control" {
				w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
			}
			mark := w.d.mark()
			tab.Crash()
			if got := w.d.awaitTab(mark, "tab.paused", id).text("reason"); got != "crashed" {
				t.Errorf("reason %q, want crashed", got)
			}
			refusal := w.d.refused("NOT_CONNECTED", "bridge.call", map[string]any{"tabId": id, "frameId": 0, "command": map[string]any{"type": "request_ui_tree"}})
			if refusal.Details["reason"] != "crashed" {
				t.Errorf("details %v", refusal.Details)
			}
			mark = w.d.mark()
			w.d.must("tab.navigate", map[string]any{"tabId": id, "reload": true})
			w.d.awaitTab(mark, "tab.resumed", id)
			w.d.awaitTab(mark, "frame.added", id)
			if _, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// A tab put to sleep keeps its connection, under a new id if Chrome gives one (P-04, M17).
func TestP04Discard(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/One"), "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	w.OpenTab(w.Pages.URL("/page/Two"))
	mark := w.d.mark()
	var after struct{ ID int }
	w.WorkerEval(fmt.Sprintf(`chrome.tabs.discard(%d).then((tab) => ({id: tab.id}))`, id), &after)
	if after.ID != id {
		if got := w.d.awaitTab(mark, "tab.updated", id).number("newTabId"); got != after.ID {
			t.Errorf("newTabId %d, want %d", got, after.ID)
		}
	}
	if got := w.d.awaitTab(mark, "tab.paused", after.ID).text("reason"); got != "discarded" {
		t.Errorf("reason %q, want discarded", got)
	}
	mark = w.d.mark()
	w.WorkerEval(fmt.Sprintf(`chrome.tabs.update(%d, {active: true}).then(() => true)`, after.ID), nil)
	w.d.awaitTab(mark, "tab.resumed", after.ID)
	w.d.awaitTab(mark, "frame.added", after.ID)
	w.d.cdp(after.ID, "Runtime.evaluate", map[string]any{"expression": "1"})
}

// Leaving the site pauses before anything is read; coming back goes on; so do pages that no extension may enter (N-24, P-05).
func TestN24LeavingTheSite(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	for _, step := range []struct{ url, reason string }{
		{w.Pages.CrossURL("/page/Elsewhere"), "left_site"},
		{"chrome://version/", "navigated_to_restricted"},
		{w.Pages.URL("/redirect?cross&to=/page/Elsewhere"), "left_site"},
	} {
		mark := w.d.mark()
		w.WorkerEval(fmt.Sprintf(`chrome.tabs.update(%d, {url: %s}).then(() => true)`, id, quote(step.url)), nil)
		if got := w.d.awaitTab(mark, "tab.paused", id).text("reason"); got != step.reason {
			t.Errorf("%s: reason %q, want %q", step.url, got, step.reason)
		}
		refusal := w.d.refused("NOT_CONNECTED", "cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "document.title"}))
		if refusal.Details["reason"] != step.reason {
			t.Errorf("%s: details %v", step.url, refusal.Details)
		}
		w.d.refused("NOT_CONNECTED", "bridge.call", map[string]any{"tabId": id, "frameId": 0, "command": map[string]any{"type": "request_ui_tree"}})
		for _, e := range w.d.since(mark) {
			if text := fmt.Sprint(e.Payload); e.Op != "tab.paused" && strings.Contains(text, "Elsewhere") && !strings.Contains(text, "requestWillBeSent") && !strings.Contains(text, "frameRequestedNavigation") && !strings.Contains(text, "frameStartedNavigating") && !strings.Contains(text, "frameScheduledNavigation") {
				t.Errorf("%s: told of the other site: %s %v", step.url, e.Op, text)
			}
		}
		mark = w.d.mark()
		w.WorkerEval(fmt.Sprintf(`chrome.tabs.update(%d, {url: %s}).then(() => true)`, id, quote(w.Pages.URL("/page/Back"))), nil)
		w.d.awaitTab(mark, "tab.resumed", id)
		w.d.awaitTab(mark, "frame.added", id)
		got := w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "document.title", "returnByValue": true})
		if result, _ := got["result"].(map[string]any); result["value"] != "Back" {
			t.Errorf("after %s: %v", step.url, got)
		}
	}
	tab.Detach()
}

// "Any site in this tab" goes where the tab goes, but not onto the deny list.
func TestAnySiteAndDenyList(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/One"), "act", browsertest.AnySite())
	if got := w.d.must("tab.navigate", map[string]any{"tabId": id, "url": w.Pages.CrossURL("/page/Two")}); got["url"] != w.Pages.CrossURL("/page/Two") {
		t.Errorf("navigate: %v", got)
	}
	if _, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"}); err != nil {
		t.Error(err)
	}
	mark := w.d.mark()
	w.set(`{deny: ['localhost']}`)
	w.d.awaitTab(mark, "tab.disconnected", id)
	popup := w.popupPage(id)
	popup.Await(`document.querySelector('#tab-status').textContent.includes('deny list') && document.querySelector('#connect').disabled`)
}

// Cancel on the debugger bar beats every machine: no command attaches again without a new click (N-27).
func TestN27CanceledByUser(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	w.set(`{alwaysSites: [{site: '127.0.0.1', level: 'control', suspended: false}]}`)
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	mark := w.d.mark()
	// Headless has no bar; this is what Chrome does when Cancel is pressed.
	w.WorkerEval(fmt.Sprintf(`chrome.debugger.detach({tabId: %d}).then(() => { chrome.debugger.onDetach.dispatch({tabId: %d}, 'canceled_by_user'); return true; })`, id, id), nil)
	if got := w.d.awaitTab(mark, "cdp.detached", id).text("reason"); got != "canceled_by_user" {
		t.Errorf("reason %q", got)
	}
	w.d.awaitTab(mark, "tab.disconnected", id)
	w.d.refused("NOT_CONNECTED", "cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "1"}))
	mark = w.d.mark()
	w.KillWorker()
	w.WakeWorker()
	w.d.await(mark, "state", nil)
	// The always-connect list heeds it too, in this tab and in others.
	tab.Navigate(w.Pages.URL("/page/Two"))
	w.OpenTab(w.Pages.URL("/page/Three"))
	w.d.refused("NOT_CONNECTED", "cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "1"}))
	for _, e := range w.d.since(mark) {
		if e.Op == "tab.connected" {
			t.Errorf("connected again without a click: %v", e.Payload)
		}
	}
	w.Connect(tab, "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
}

// An open dialog is said at once, with its text, and can be handled (P-13).
func TestP13Dialogs(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	mark := w.d.mark()
	refusal := w.d.refused("DIALOG_BLOCKING", "cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "confirm('really?')"}))
	dialog, _ := refusal.Details["dialog"].(map[string]any)
	if dialog["message"] != "really?" || dialog["kind"] != "confirm" || refusal.Details["dispatched"] != true {
		t.Errorf("details %v", refusal.Details)
	}
	w.d.await(mark, "cdp.event", func(e event) bool { return e.text("method") == "Page.javascriptDialogOpening" })
	began := time.Now()
	w.d.refused("DIALOG_BLOCKING", "cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "1"}))
	if took := time.Since(began); took > time.Second {
		t.Errorf("refused after %v", took)
	}
	w.d.cdp(id, "Page.handleJavaScriptDialog", map[string]any{"accept": true})
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})

	// Opened before the debugger came: nothing works but the person's hand.
	w.d.must("cdp.detach", map[string]any{"tabId": id})
	tab.Detach()
	if _, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"}); err != nil {
		t.Fatal(err)
	}
	w.WorkerEval(fmt.Sprintf(`chrome.scripting.executeScript({target: {tabId: %d}, world: 'MAIN', func: () => setTimeout(() => alert('first'), 50)}).then(() => true)`, id), nil)
	browsertest.Until(t, browsertest.Patience, "the page is held by its dialog", func() bool {
		var held bool
		w.WorkerEval(fmt.Sprintf(`Promise.race([chrome.scripting.executeScript({target: {tabId: %d}, func: () => 1}).then(() => false), new Promise((done) => setTimeout(done, 300, true))])`, id), &held)
		return held
	})
	refusal = w.d.refused("DIALOG_BLOCKING", "cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "1"}))
	if len(refusal.Suggestions) == 0 || !strings.Contains(refusal.Suggestions[0], "by hand") {
		t.Errorf("suggestions %v", refusal.Suggestions)
	}
}

// Twenty times back and forth: one bridge, no line twice (P-08).
func TestP08BackForwardCache(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/bfcache/a"), "act")
	mark := w.d.mark()
	tab.Navigate(w.Pages.URL("/bfcache/b"))
	w.d.awaitTab(mark, "frame.added", id)
	for round := range 10 {
		for i, step := range []string{"back", "forward"} {
			mark := w.d.mark()
			w.d.must("tab.navigate", map[string]any{"tabId": id, step: true})
			w.d.awaitTab(mark, "frame.added", id)
			line := fmt.Sprintf("round %d.%d.", round, i)
			if _, err := w.d.bridge(id, map[string]any{"type": "request_ui_tree"}); err != nil {
				t.Fatal(err)
			}
			tab.Await(`document.readyState === 'complete'`)
			browsertest.Until(t, browsertest.Patience, "a console line of the shown page", func() bool {
				return tab.TryEval(fmt.Sprintf(`console.log(%q)`, line), nil) == nil
			})
			w.awaitLines(mark, id, line, 1)
			tab.Eval(fmt.Sprintf(`console.log(%q)`, line+"end"), nil)
			w.awaitLines(mark, id, line+"end", 1)
			if lines := w.d.consoleLines(mark, id, line); len(lines) != 2 {
				t.Errorf("%s: %v", line, lines)
			}
		}
	}
}

// The tab closes while a command runs (P-02).
func TestP02TabClosed(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	w.d.cdp(id, "Runtime.evaluate", map[string]any{"expression": "1"})
	mark := w.d.mark()
	failed := make(chan error, 1)
	go func() {
		_, err := w.d.call("cdp.send", cdpCall(id, "Runtime.evaluate", map[string]any{"expression": "new Promise(() => 0)", "awaitPromise": true}))
		failed <- err
	}()
	tab.Eval(`1`, nil)
	began := time.Now()
	tab.Close()
	err := <-failed
	if err == nil || !strings.HasPrefix(err.Error(), "CDP_DISCONNECTED") && !strings.HasPrefix(err.Error(), "NOT_CONNECTED") {
		t.Errorf("the command ends with %v", err)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("it ended after %v", took)
	}
	if got := w.d.awaitTab(mark, "tab.disconnected", id).text("reason"); got != "closed" {
		t.Errorf("reason %q", got)
	}
}

// The daemon goes away and comes back: telemetry of the time between comes, each message once.
func TestTelemetrySurvivesTheLink(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "act")
	mark := w.d.mark()
	tab.Eval(`window.n = 0; window.timer = setInterval(() => console.log('tick ' + n++), 2)`, nil)
	w.awaitLines(mark, id, "tick", 20)
	for range 3 {
		before := w.d.mark()
		w.d.hangUp()
		w.d.await(before, "state", nil)
		w.awaitLines(w.d.mark(), id, "tick", 20)
	}
	var last int
	tab.Eval(`(clearInterval(timer), n - 1)`, &last)
	w.awaitLines(mark, id, fmt.Sprintf("tick %d", last), 1)
	lines := w.d.consoleLines(mark, id, "tick")
	for i, line := range lines {
		if want := fmt.Sprintf("hook:tick %d", i); line != want {
			t.Fatalf("line %d is %q, want %q", i, line, want)
		}
	}
	if len(lines) != last+1 {
		t.Errorf("%d lines, want %d", len(lines), last+1)
	}
}
