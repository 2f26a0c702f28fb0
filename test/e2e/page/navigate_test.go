package page

import (
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// navigate: by address (absolute, relative, redirect), back, forward, reload, and
// what cannot be navigated to.
func TestNavigate(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/page/one")
			from := p.Len()
			step := func(fields params, want string) {
				t.Helper()
				done := p.Do("navigate", fields)
				if got := text(done, "url"); got != want || done.String("effect") != "navigated" {
					t.Errorf("navigate %v: %s", fields, done.Raw)
				}
				p.Tab.Await("location.href === " + quote(want) + " && document.readyState === 'complete'")
				// The next command is for the new document, at once.
				p.Do("request_ui_tree", nil)
			}
			one, two := env.Pages.URL("/page/one"), env.Pages.URL("/page/two")
			step(params{"url": two}, two)
			step(params{"back": true}, one)
			step(params{"forward": true}, two)
			p.Eval("void (window.here = 1)", nil)
			step(params{"reload": true}, two)
			if p.is("window.here") {
				t.Error("not loaded again")
			}
			step(params{"url": "one"}, one)
			step(params{"url": "/redirect?to=/page/two"}, two)
			step(params{"url": "#part"}, two+"#part")
			step(params{"url": env.Pages.CrossURL("/page/other")}, env.Pages.CrossURL("/page/other"))
			step(params{"url": "/redirect?cross&to=/page/one"}, one)

			// Told once each, in order, as other agents see it.
			var told []string
			for _, m := range p.since(from, "page_navigated") {
				told = append(told, strings.TrimPrefix(m.String("url"), "http://"))
			}
			if len(told) != 9 {
				t.Errorf("page_navigated: %v", told)
			}

			for _, c := range []struct {
				fields params
				code   string
			}{
				{params{"forward": true}, "NAVIGATION_INTERRUPTED"},
				{params{"url": "file:///etc/hostname"}, "POLICY_DENIED"},
				{params{"url": "chrome://version"}, "POLICY_DENIED"},
				{params{"url": "javascript:alert(1)"}, "POLICY_DENIED"},
				{params{"url": "data:text/html,x"}, "POLICY_DENIED"},
				{params{"url": "http://169.254.169.254/latest"}, "POLICY_DENIED"},
				{params{"url": env.Daemon().HTTPURL + "/"}, "POLICY_DENIED"},
				{params{"url": "http://"}, "VALIDATION_ERROR"},
				{params{}, "VALIDATION_ERROR"},
				{params{"url": one, "reload": true}, "VALIDATION_ERROR"},
				{params{"url": "/status/204"}, "NAVIGATION_INTERRUPTED"},
				{params{"url": "/download"}, "NAVIGATION_INTERRUPTED"},
			} {
				began := time.Now()
				done := p.try("navigate", c.fields)
				if done.Code() != c.code {
					t.Errorf("navigate %v: want %s: %s", c.fields, c.code, done.Raw)
				}
				if took := time.Since(began); took > 4*time.Second {
					t.Errorf("navigate %v took %v", c.fields, took)
				}
			}
			if here := p.Text("location.href"); here != one {
				t.Errorf("ended up on %s", here)
			}
		})
	}
}

// P-01: a document that goes while a command runs in it ends the command at once
// with what is known; the page takes the next one.
func TestP01NavigationMidCommand(t *testing.T) {
	cases := []struct {
		name    string
		command string
		fields  params
		move    string // makes the page navigate while the command waits
		level   string // only there
		ends    []string
	}{
		{"click waits", "click", on("never"), `location.href = '/page/next'`, "", []string{"NAVIGATION_INTERRUPTED"}},
		{"click waits, other site", "click", on("never"), `location.href = '{{cross}}/page/next'`, "", []string{"NAVIGATION_INTERRUPTED"}},
		{"click waits, redirect", "click", on("never"), `location.href = '/redirect?cross&to=/page/next'`, "", []string{"NAVIGATION_INTERRUPTED"}},
		{"type waits", "type", on("never", "text", "x"), `location.reload()`, "", []string{"NAVIGATION_INTERRUPTED"}},
		{"evaluate waits", "evaluate", params{"code": "window.began = true; new Promise(() => {})"}, `location.href = '/page/next'`, "control", []string{"NAVIGATION_INTERRUPTED", "INDETERMINATE"}},
		{"evaluate waits, other site", "evaluate", params{"code": "window.began = true; new Promise(() => {})"}, `location.href = '{{cross}}/page/next'`, "control", []string{"NAVIGATION_INTERRUPTED", "INDETERMINATE"}},
	}
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/page/ready")
			for _, c := range cases {
				if c.level != "" && c.level != level {
					continue
				}
				t.Run(c.name, func(t *testing.T) {
					use(t)
					p.renew("/targets")
					p.Do("request_ui_tree", nil)
					from := p.Len()
					started := p.Start(c.command, c.fields)
					if c.command == "evaluate" { // or it would run in the next document, which stays
						browsertest.Until(t, browsertest.Patience, "the script runs", func() bool {
							var began bool
							p.Eval("window.began === true", &began)
							return began
						})
					}
					p.Eval(`void setTimeout(() => { `+strings.ReplaceAll(c.move, "{{cross}}", env.Pages.CrossURL(""))+` }, 300)`, nil)
					committed := p.AwaitFrom(from, "page_navigated", func(m browserMessage) bool { return m.Type() == "page_navigated" })
					began := time.Now()
					done := p.Result(started)
					if took := time.Since(began); took > time.Second {
						t.Errorf("%v after the commit: %s", took, done.Raw)
					}
					known := false
					for _, code := range c.ends {
						known = known || done.Code() == code
					}
					if !known {
						t.Errorf("%s (after %s)", done.Raw, committed.String("url"))
					}
					p.Do("request_ui_tree", nil)
				})
			}
			t.Run("click that navigates", func(t *testing.T) {
				use(t)
				for _, to := range []string{"/page/next", env.Pages.CrossURL("/page/next"), "/slow?ms=400"} {
					p.renew("/targets")
					p.Eval(`void document.getElementById('by-id').addEventListener('click', () => { location.href = `+quote(to)+` })`, nil)
					began := time.Now()
					done := p.Do("click", params{"target": params{"id": "by-id"}})
					if done.String("effect") != "navigated" || done.String("via") != via(level, "click") {
						t.Errorf("to %s: %s", to, done.Raw)
					}
					if took := time.Since(began); took > 2*time.Second {
						t.Errorf("to %s took %v", to, took)
					}
					p.Tab.Await("location.pathname.startsWith(" + quote(to[strings.LastIndex(to, "/"):strings.LastIndex(to, "/")+3]) + ") || location.pathname === '/page/next'")
				}
			})
			t.Run("same document", func(t *testing.T) {
				use(t)
				p.renew("/targets")
				p.Eval(`void document.getElementById('by-id').addEventListener('click', () => history.pushState(0, '', '/pushed'))`, nil)
				from := p.Len()
				p.Do("click", params{"target": params{"id": "by-id"}})
				m := p.AwaitFrom(from, "page_navigated", func(m browserMessage) bool { return m.Type() == "page_navigated" })
				if same, _ := m.Fields["sameDocument"].(bool); !same || !strings.HasSuffix(m.String("url"), "/pushed") {
					t.Errorf("%s", m.Raw)
				}
				p.Do("click", params{"target": params{"text": "By class"}})
			})
			t.Run("answers that are no page", func(t *testing.T) {
				use(t)
				for _, to := range []string{"/status/204", "/download"} {
					p.renew("/targets")
					p.Eval(`void document.getElementById('by-id').addEventListener('click', () => { location.href = `+quote(to)+` })`, nil)
					done := p.try("click", params{"target": params{"id": "by-id"}})
					if !done.Success() {
						t.Errorf("%s: %s", to, done.Raw)
					}
					p.Do("click", params{"target": params{"text": "By class"}})
				}
			})
			t.Run("snapshot and tree", func(t *testing.T) {
				use(t)
				p.renew("/app/")
				p.Eval(`void setTimeout(() => { location.href = '/page/next' }, 30)`, nil)
				var ids []string
				for range 8 {
					ids = append(ids, p.Start("request_ui_tree", nil), p.Start("request_dom_snapshot", nil))
				}
				for _, one := range ids {
					if done := p.Result(one, 8*time.Second); !done.Success() && done.Code() != "NAVIGATION_INTERRUPTED" {
						t.Errorf("%s", done.Raw)
					}
				}
			})
		})
	}
}

// P-02: a tab that closes ends its commands, with a word of why.
func TestP02TabClosed(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := fresh(t, level, "/targets")
			waiting := []string{p.Start("click", on("never"))}
			queued := p.Start("click", on("by-id"))
			from := p.Len()
			p.Tab.Close()
			began := time.Now()
			gone := p.AwaitFrom(from, "app_disconnected", func(m browserMessage) bool { return m.Type() == "app_disconnected" })
			if gone.String("reason") != "closed" {
				t.Errorf("%s", gone.Raw)
			}
			for _, one := range append(waiting, queued) {
				done := p.Result(one)
				if code := done.Code(); code != "PAGE_NOT_FOUND" && code != "INDETERMINATE" && code != "NOT_CONNECTED" {
					t.Errorf("%s", done.Raw)
				}
				if reason := details(done)["reason"]; reason != "closed" {
					t.Errorf("reason %v: %s", reason, done.Raw)
				}
			}
			if took := time.Since(began); took > time.Second {
				t.Errorf("took %v", took)
			}
			if done := p.try("click", params{"target": params{"id": "by-id"}, "pageId": int(gone.Number("pageId"))}); done.Code() != "PAGE_NOT_FOUND" {
				t.Errorf("afterwards: %s", done.Raw)
			}
		})
	}
}

// P-03: a crashed page says so, and a reload brings the same page back.
func TestP03Crash(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := fresh(t, level, "/targets")
			if level == "control" {
				p.Do("evaluate", params{"code": "1"}) // the debugger is there when it happens
			}
			p.Do("request_ui_tree", nil)
			waiting := p.Start("click", on("never"))
			from := p.Len()
			began := time.Now()
			p.Tab.Crash()
			gone := p.AwaitFrom(from, "app_disconnected", func(m browserMessage) bool { return m.Type() == "app_disconnected" })
			if gone.String("reason") != "crashed" {
				t.Errorf("%s", gone.Raw)
			}
			if done := p.Result(waiting); done.Success() || details(done)["reason"] != "crashed" {
				t.Errorf("%s", done.Raw)
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("told after %v", took)
			}
			if done := p.try("click", on("by-id")); done.Code() != "NOT_CONNECTED" || details(done)["reason"] != "crashed" {
				t.Errorf("while crashed: %s", done.Raw)
			}
			p.Tab.Detach()
			p.Do("navigate", params{"reload": true})
			back := p.AwaitFrom(from, "app_connected", func(m browserMessage) bool { return m.Type() == "app_connected" })
			if back.Number("pageId") != gone.Number("pageId") {
				t.Errorf("came back as page %v, was %v", back.Number("pageId"), gone.Number("pageId"))
			}
			p.Do("click", on("by-id"))
			if !p.is("clicks.join() === 'by-id'") {
				t.Error("not clicked after the reload")
			}
		})
	}
}

// P-04: a discarded tab sleeps, and is the same page when it wakes under another number.
func TestP04Discarded(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := fresh(t, level, "/targets")
			if level == "control" {
				p.Do("evaluate", params{"code": "1"})
			}
			id := env.TabID(p.Tab)
			other := env.OpenTab(env.Pages.URL("/page/other")) // the front tab is never discarded
			defer other.Close()
			from := p.Len()
			p.Tab.Detach()
			var after int
			env.WorkerEval(`chrome.tabs.discard(`+number(float64(id))+`).then((tab) => tab.id)`, &after)
			gone := p.AwaitFrom(from, "app_disconnected", func(m browserMessage) bool { return m.Type() == "app_disconnected" })
			done := p.try("click", on("by-id", "timeoutMs", 3000))
			if done.Success() || details(done)["reason"] != gone.String("reason") {
				t.Errorf("asleep (%s): %s", gone.String("reason"), done.Raw)
			}
			// A person looks at it: that wakes it.
			env.WorkerEval(`chrome.tabs.update(`+number(float64(after))+`, { active: true }).then(() => true)`, nil)
			back := p.AwaitFrom(from, "app_connected", func(m browserMessage) bool { return m.Type() == "app_connected" })
			if back.Number("pageId") != gone.Number("pageId") {
				t.Errorf("came back as page %v, was %v", back.Number("pageId"), gone.Number("pageId"))
			}
			p.Do("click", on("by-id"))
			if level == "control" {
				if done := p.Do("evaluate", params{"code": "clicks.join()"}); done.Fields["result"] != "by-id" {
					t.Errorf("%s", done.Raw)
				}
			}
			env.WorkerEval(`chrome.tabs.remove(`+number(float64(after))+`).then(() => true)`, nil)
		})
	}
}

// P-05: what takes the debugger away is told apart; the next command has it again.
func TestP05DebuggerTakenAway(t *testing.T) {
	p := fresh(t, "control", "/targets")
	id := number(float64(env.TabID(p.Tab)))

	// Detached behind our back (another detach): the next command attaches again.
	p.Do("evaluate", params{"code": "1"})
	env.WorkerEval(`chrome.debugger.detach({ tabId: `+id+` }).then(() => true)`, nil)
	if done := p.try("evaluate", params{"code": "2"}); !done.Success() {
		if done.Code() != "CDP_DISCONNECTED" {
			t.Errorf("%s", done.Raw)
		}
		p.Do("evaluate", params{"code": "2"})
	}

	// A long command whose debugger goes is not silently lost.
	waiting := p.Start("evaluate", params{"code": "new Promise((done) => setTimeout(done, 20000))"})
	browserAttached(t, id)
	env.WorkerEval(`chrome.debugger.detach({ tabId: `+id+` }).then(() => true)`, nil)
	if done := p.Result(waiting, 10*time.Second); done.Code() != "INDETERMINATE" && done.Code() != "CDP_DISCONNECTED" {
		t.Errorf("%s", done.Raw)
	}
	p.Do("evaluate", params{"code": "3"})

	// A restricted page pauses the tab; coming back resumes it, at the level granted.
	from := p.Len()
	p.Tab.Navigate("chrome://version/")
	gone := p.AwaitFrom(from, "app_disconnected", func(m browserMessage) bool { return m.Type() == "app_disconnected" })
	if gone.String("reason") != "navigated_to_restricted" {
		t.Errorf("%s", gone.Raw)
	}
	if done := p.try("evaluate", params{"code": "location.href"}); done.Code() != "NOT_CONNECTED" {
		t.Errorf("on chrome://: %s", done.Raw)
	}
	p.Tab.Navigate(env.Pages.URL("/targets"))
	p.AwaitFrom(from, "app_connected", func(m browserMessage) bool { return m.Type() == "app_connected" })
	p.Do("click", on("by-id"))
	if done := p.Do("evaluate", params{"code": "clicks.join()"}); done.Fields["result"] != "by-id" {
		t.Errorf("%s", done.Raw)
	}
}

func browserAttached(t *testing.T, tab string) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for attached := false; !attached; {
		env.WorkerEval(`chrome.debugger.sendCommand({ tabId: `+tab+` }, 'Inspector.enable').then(() => true, () => false)`, &attached)
		if time.Now().After(deadline) {
			t.Fatal("the debugger was not attached")
		}
	}
}

// P-08: twenty times back and forth over the back/forward cache: the page's
// lines come once each, and commands reach the page that is shown.
func TestP08BackForwardCache(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/bfcache/a")
			p.Do("navigate", params{"url": "/bfcache/b"})
			cached := 0
			for round := range 20 {
				way := params{"back": true}
				if round%2 == 1 {
					way = params{"forward": true}
				}
				p.Do("navigate", way)
				p.Tab.Await("document.readyState === 'complete' && window.fromCache !== undefined")
				if p.is("window.fromCache") {
					cached++
				}
				before := p.Text("document.getElementById('count').textContent")
				line := "round " + number(float64(round))
				from := p.Len()
				p.Do("click", on("count"))
				p.Eval(`void console.log(`+quote(line)+`)`, nil)
				p.AwaitFrom(from, line, func(m browserMessage) bool { return isLine(m, line) })
				if after := p.Text("document.getElementById('count').textContent"); after == before {
					t.Errorf("round %d: count stays %s", round, after)
				}
			}
			p.settled(t)
			for round := range 20 {
				line := "round " + number(float64(round))
				n := 0
				for _, m := range p.since(0, "console") {
					if isLine(m, line) {
						n++
					}
				}
				if n != 1 {
					t.Errorf("%q came %d times", line, n)
				}
			}
			t.Logf("%d of 20 from the cache", cached)
			if level == "act" && cached == 0 {
				t.Error("the cache was never used: the bridge keeps pages out of it")
			}
		})
	}
}

// isLine reports a console line whose first argument is text (after what the hostile page puts before it).
func isLine(m browserMessage, text string) bool {
	args, _ := m.Fields["args"].([]any)
	return m.Type() == "console" && len(args) > 0 && (args[0] == text || args[0] == "page says" && len(args) > 1 && args[1] == text)
}

// settled waits until all that the page said so far has come: a line of our own
// comes last.
func (p *page) settled(t *testing.T) {
	t.Helper()
	renewed++
	line := "settled " + number(float64(renewed))
	p.Eval(`void console.log(`+quote(line)+`)`, nil)
	p.Agent.Await(line, func(m browserMessage) bool { return isLine(m, line) })
}
