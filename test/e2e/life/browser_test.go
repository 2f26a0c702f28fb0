//go:build linux

package life

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// The browser goes away in three ways and comes back: agents stay connected, are
// told, and go on in the same log (H-01, H-02, H-03).
func TestH01H02H03BrowserGoesAndComesBack(t *testing.T) {
	p := connect(t, "control", "/page/One")
	agents := []*browsertest.Agent{p.agent, env.Agent("sessionId=" + p.session), env.Agent("sessionId=" + p.session)}
	daemon := env.Daemon()
	for _, end := range []struct {
		name string
		how  func()
	}{
		{"SIGKILL", env.KillChrome},
		{"SIGTERM", func() { kill(env.Browser.PID(), syscall.SIGTERM) }},
		{"closed", func() { env.QuitChrome() }},
	} {
		t.Run(end.name, func(t *testing.T) {
			env.T = t
			host := relay()
			command := p.pending()
			from := make([]int, len(agents))
			for i, agent := range agents {
				agent.Await("its start", func(m browsertest.Message) bool { return m.Type() == "welcome" })
				from[i] = agent.Len()
			}
			began := time.Now()
			end.how()
			if end.name == "SIGTERM" {
				// Chrome takes its time to close; the promise is about what follows.
				browsertest.Until(t, browsertest.Patience, "the end of the browser", func() bool { return !env.Browser.Alive() })
				began = time.Now()
			}
			browsertest.Until(t, browsertest.Patience, "the end of the relay", func() bool { return !alive(host) })
			within(t, env, "the relay's end", began, time.Second)
			for i, agent := range agents {
				told := agent.AwaitFrom(from[i], "app_disconnected", ofType("app_disconnected"))
				if reason := told.String("reason"); reason != "extension_gone" && reason != "closed" {
					t.Errorf("agent %d is told %q", i, reason)
				}
			}
			within(t, env, "telling three agents", began, 2*time.Second)
			if result := p.agent.Result(command); result.String("effect") != "unknown" || result.Code() != "INDETERMINATE" && result.Code() != "PAGE_NOT_FOUND" {
				t.Errorf("the command under way ended so: %s", result.Raw)
			}
			if code := p.agent.Command("request_ui_tree", nil).Code(); code != "EXTENSION_NOT_CONNECTED" && code != "PAGE_NOT_FOUND" {
				t.Errorf("a command without a browser: %q", code)
			}

			env.RestartChrome()
			awaitLink()
			if now := env.Daemon(); now.PID != daemon.PID || now.Epoch != daemon.Epoch {
				t.Errorf("another daemon: %+v, was %+v", now, daemon)
			}
			// The consent was for that life of the browser.
			from[0] = p.agent.Len()
			late := env.OpenTab(env.Pages.URL("/page/One"))
			if code := p.agent.Command("request_ui_tree", nil).Code(); code != "PAGE_NOT_FOUND" && code != "NOT_CONNECTED" {
				t.Errorf("a command before a new click: %q", code)
			}
			for _, m := range p.agent.Messages()[from[0]:] {
				if m.Type() == "app_connected" || m.Type() == "hello" {
					t.Errorf("connected again without a click: %s", m.Raw)
				}
			}
			late.Close()
			p.tab = env.OpenTab(env.Pages.URL("/page/One"))
			env.Connect(p.tab, "control", browsertest.Session(p.session))
			for i, agent := range agents {
				agent.AwaitFrom(from[i], "app_connected", ofType("app_connected"))
			}
			p.works()
		})
		env.T = t
	}
	for i, agent := range agents {
		agent.Await("the last result", func(m browsertest.Message) bool { return m.Seq() == p.agent.LastSeq() })
		if first, last := gapless(t, agent.Messages()); last == 0 || last != p.agent.LastSeq() {
			t.Errorf("agent %d has %d to %d", i, first, last)
		}
		agent.Close()
	}
}

// The extension is reloaded: the host ends, agents are told, and what was in the
// page lets go of it without a word in the page's console (H-06).
func TestH06ExtensionReloaded(t *testing.T) {
	p := connect(t, "act", "/page/One")
	if err := p.tab.Call("Runtime.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	thrown, logged := p.tab.Listen("Runtime.exceptionThrown"), p.tab.Listen("Runtime.consoleAPICalled")
	p.tab.Eval("console.log('heard')", nil)
	p.agent.Await("the line", func(m browsertest.Message) bool { return m.Type() == "console" })
	host := relay()
	lines := len(logged.All())
	began := time.Now()
	env.WorkerEval("void setTimeout(() => chrome.runtime.reload(), 0)", nil)
	browsertest.Until(t, browsertest.Patience, "the end of the relay", func() bool { return !alive(host) })
	within(t, env, "the relay's end", began, 2*time.Second)
	p.agent.AwaitType("app_disconnected")
	p.tab.Await("/native code/.test(Function.prototype.toString.call(console.log))")
	p.tab.Eval("{ document.body.append(document.createElement('button')); document.querySelector('#b').click(); console.log('unheard') }", nil)
	p.tab.Await("document.querySelectorAll('button').length === 2")
	if got := thrown.All(); len(got) > 0 {
		t.Errorf("exceptions in the page: %s", got)
	}
	for _, raw := range logged.All()[lines:] {
		if !strings.Contains(string(raw), "unheard") {
			t.Errorf("in the page's console: %s", raw)
		}
	}
	// A browser without developer mode leaves a reloaded unpacked extension off.
	env.RestartChrome()
	awaitLink()
	p.reconnect("act", "/page/Two")
	p.acts()
	for _, m := range p.agent.Messages() {
		if m.Type() == "console" && strings.Contains(string(m.Raw), "unheard") {
			t.Error("an inert content script sent a line")
		}
	}
}

// Extension and daemon of different link versions say so in the popup, and nothing half works (F-20).
func TestF20VersionSkewInThePopup(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	newer := newerExtension(t)
	e := browsertest.Start(t, browsertest.Options{Extension: true, Args: []string{"--load-extension=" + newer}})
	e.StartDaemon()
	tab := e.OpenTab(e.Pages.URL("/page/One"))
	popup := e.OpenPopup(tab)
	popup.Await("document.querySelector('[data-hop=host]').dataset.state === 'fail'")
	words := popup.Text("document.querySelector('#fix-text').textContent + ' ' + document.querySelector('#fix-command').textContent")
	for _, part := range []string{"link version 2", "version 1", "dbridge daemon stop"} {
		if !strings.Contains(words, part) {
			t.Errorf("the popup says %q, which has no %q", words, part)
		}
	}
	t.Logf("the popup says: %s", words)
	agent := e.Agent()
	if pages, _ := agent.AwaitType("welcome").Fields["pages"].([]any); len(pages) != 0 {
		t.Errorf("pages of a link that is not: %v", pages)
	}
	out := e.Run("doctor")
	if out.Exit == 0 || !strings.Contains(out.Stdout, "browser") {
		t.Errorf("doctor: exit %d, %s", out.Exit, out.Stdout)
	}
}
