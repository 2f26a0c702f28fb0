package checks

import (
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
)

// P-15: a page that spins by itself is told of in time, holds up nobody else, and can be closed or loaded anew.
func TestP15SpinningPage(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{
		"/":      `<!doctype html><title>Spinner</title><button>Spin</button><script>function spin() { setTimeout(() => { for (;;); }) }</script>`,
		"/other": `<!doctype html><title>Other</title><button>Press</button>`,
	}, nil)
	e := s.managed(t, "/other")
	e.OK("page", "open", s.cross("/"))
	e.OK("runtime", "eval", "spin()")

	other := e.In("another")
	browser, err := chromium.Find()
	if err != nil {
		t.Fatal(err)
	}
	began := make(chan struct{})
	done := make(chan struct{})
	go func() { // another agent in a browser of its own, all the while
		defer close(done)
		a := other.Run("session", "start", "--headless", "--executable", browser, "--url", s.url("/other"))
		close(began)
		for range 20 {
			start := time.Now()
			if a = other.Run("element", "click", `button "Press"`); a.Exit != 0 {
				t.Errorf("another agent: %s", a.Stdout)
			}
			if took := time.Since(start); took > patient(2*time.Second) {
				t.Errorf("another agent's click took %v", took)
			}
		}
	}()
	<-began
	for _, c := range []struct {
		code string
		line []string
	}{
		{"TIMEOUT", []string{"capture", "snapshot"}},
		{"TIMEOUT", []string{"element", "click", `button "Spin"`}},
		{"INDETERMINATE", []string{"runtime", "eval", "1"}}, // it runs when the page comes back
	} {
		within(t, 6*time.Second, strings.Join(c.line, " "), func() {
			a := e.Run(c.line...)
			if a.Code != c.code || a.Error.Details["reason"] != "page_unresponsive" || len(a.Error.Suggestions) == 0 {
				t.Errorf("%v: exit %d %s", c.line, a.Exit, a.Stdout)
			}
		})
	}
	// The same browser's other page is not held up, although its commands run in turn.
	within(t, time.Second, "a click on the other page", func() { e.OK("element", "click", `button "Press"`, "--page", "1") })
	within(t, time.Second, "page list", func() { e.OK("page", "list") })
	within(t, 3*time.Second, "close", func() { e.OK("page", "close") })
	if got := e.Eval("document.title"); got != "Other" {
		t.Errorf("the page left is %v", got)
	}
	e.OK("page", "open", s.cross("/"))
	e.OK("runtime", "eval", "spin()")
	within(t, 5*time.Second, "away from a spinning page", func() { e.OK("page", "navigate", s.url("/other")) })
	e.OK("element", "click", `button "Press"`)
	<-done
}

// P-16: neither a debugger statement nor a pause that somebody asked for holds commands for good.
func TestP16Paused(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{
		"/": `<!doctype html><title>Paused</title><button onclick="debugger; this.after(' pressed')">Press</button><script>debugger; console.log('after it')</script>`,
	}, nil)
	e := s.managed(t, "/")
	within(t, 3*time.Second, "a click into a debugger statement", func() { e.OK("element", "click", `button "Press"`) })
	contains(t, e.Text("capture", "snapshot"), "pressed")
	contains(t, e.Text("console", "list"), "after it")
	if got := e.Eval("debugger; 7"); got != 7.0 {
		t.Errorf("a script with a debugger statement gives %v", got)
	}
	// Who asks for pauses over raw DevTools gets them, and a word of it.
	e.OK("cdp", "send", "Debugger.enable")
	e.OK("cdp", "send", "Debugger.setSkipAllPauses", `{"skip":false}`)
	for _, line := range [][]string{{"element", "click", `button "Press"`}, {"capture", "snapshot"}, {"observe", "state"}, {"runtime", "eval", "8"}} {
		within(t, 2*time.Second, strings.Join(line, " "), func() {
			if a := e.Run(line...); a.Exit != 4 || a.Error.Details["reason"] != "paused" || len(a.Error.Suggestions) == 0 {
				t.Errorf("%v: exit %d %s", line, a.Exit, a.Stdout)
			}
		})
	}
	e.OK("cdp", "send", "Debugger.setSkipAllPauses", `{"skip":true}`)
	e.OK("cdp", "send", "Debugger.resume")
	within(t, 3*time.Second, "after it", func() { e.OK("element", "click", `button "Press"`) })
}

// P-31: a page behind another, frozen or in a minimized window is driven all the same, and frames are drawn.
func TestP31BackgroundAndFrozen(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{
		"/":      `<!doctype html><title>Back</title><button onclick="requestAnimationFrame(() => this.after(' pressed-' + (window.n = (window.n ?? 0) + 1)))">Press</button><input aria-label=Field><p onmouseover="this.textContent = 'over it'">under</p>`,
		"/other": `<!doctype html><title>Other</title><button>Other</button>`,
	}, nil)
	e := s.managed(t, "/")
	e.OK("page", "open", s.url("/other"))
	e.OK("page", "use", "1")
	pressed := 0
	try := func(how string, more ...[]string) {
		t.Helper()
		pressed++
		for _, line := range append([][]string{
			{"element", "click", `button "Press"`}, {"element", "fill", `textbox "Field"`, how}, {"input", "key", "a"}, {"element", "hover", "css=p"},
		}, more...) {
			within(t, 3*time.Second, how+": "+strings.Join(line, " "), func() { e.OK(append(line, "--timeout", "8000")...) })
		}
		contains(t, e.Text("capture", "snapshot"), "pressed-"+string(rune('0'+pressed)), how+"a", "over it")
	}
	try("behind", []string{"page", "wait-function", "new Promise(r => requestAnimationFrame(r)).then(() => true)"}, []string{"page", "wait-idle"}, []string{"capture", "screenshot"})
	e.OK("cdp", "send", "Page.setWebLifecycleState", `{"state":"frozen"}`)
	try("frozen")
	e.OK("cdp", "send", "Page.setWebLifecycleState", `{"state":"active"}`)
	window := e.OK("cdp", "send", "Browser.getWindowForTarget")["result"].(map[string]any)["windowId"].(float64)
	e.OK("cdp", "send", "Browser.setWindowBounds", `{"windowId":`+number(window)+`,"bounds":{"windowState":"minimized"}}`)
	try("minimized")
}
