//go:build linux

// Package life breaks the whole chain while agents use it: browser, service
// worker, native host and daemon are killed, restarted and stopped, and the tests
// hold that agents stay connected, miss nothing, and that no command runs twice.
//
// The tests with a browser share one, which each leaves running and connected to
// a daemon. Those of the daemon alone have a home of their own.
package life

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

type params = browsertest.Params

// house is the TB of what outlives single tests.
type house struct {
	failed   bool
	cleanups []func()
}

func (h *house) Helper()                           {}
func (h *house) Name() string                      { return "e2e/life" }
func (h *house) Logf(format string, args ...any)   { fmt.Printf(format+"\n", args...) }
func (h *house) Errorf(format string, args ...any) { h.failed = true; h.Logf(format, args...) }
func (h *house) Skipf(format string, args ...any)  { panic(fmt.Sprintf("skipped: "+format, args...)) }
func (h *house) Failed() bool                      { return h.failed }
func (h *house) Cleanup(f func())                  { h.cleanups = append(h.cleanups, f) }
func (h *house) Fatalf(format string, args ...any) {
	h.Errorf(format, args...)
	panic(fmt.Sprintf(format, args...))
}

var (
	shared = &house{}
	env    *browsertest.Env
)

func TestMain(m *testing.M) {
	code := m.Run()
	if code != 0 {
		shared.failed = true
	}
	if env != nil {
		env.T = shared
	}
	for _, cleanup := range slices.Backward(shared.cleanups) {
		cleanup()
	}
	if shared.failed && code == 0 {
		code = 1
	}
	os.Exit(code)
}

// start gives the shared browser to a test, in good health.
func start(t *testing.T) {
	t.Helper()
	if env == nil {
		if testing.Short() {
			t.Skip("starts a browser")
		}
		env = browsertest.Start(shared, browsertest.Options{Extension: true})
	}
	env.T = t
	t.Cleanup(func() { env.T = shared })
	if !env.Browser.Alive() {
		env.RestartChrome()
	}
	awaitLink()
}

// awaitLink waits until the daemon has the browser's extension on the line.
func awaitLink() {
	env.T.Helper()
	env.WakeWorker()
	browsertest.Until(env.T, browsertest.Patience, "the extension is connected to the daemon", func() bool {
		return len(status().Browsers) == 1
	})
}

// daemonStatus is what `dbridge daemon status` tells.
type daemonStatus struct {
	PID      int    `json:"pid"`
	Epoch    string `json:"epoch"`
	Browsers []struct {
		ID string `json:"id"`
	} `json:"browsers"`
}

// status asks the daemon; empty when none runs.
func status() daemonStatus {
	env.T.Helper()
	var s daemonStatus
	if env.Run("daemon", "status").Exit == 0 {
		env.Data(&s, "daemon", "status")
	}
	return s
}

// page is a connected tab with an agent of its session.
type page struct {
	tab     *browsertest.Tab
	agent   *browsertest.Agent
	session string
}

var sessions int

// connect opens a tab in a session of its own, connects it in the popup and
// attaches an agent. The tab is closed at the end of the test.
func connect(t *testing.T, level, path string) *page {
	t.Helper()
	start(t)
	sessions++
	p := &page{session: fmt.Sprintf("life-%d", sessions)}
	p.agent = env.Agent("sessionId=" + p.session)
	p.reconnect(level, path)
	t.Cleanup(p.agent.Close)
	return p
}

// reconnect opens another tab of the session, as after a restart of the browser.
func (p *page) reconnect(level, path string) {
	env.T.Helper()
	from := p.agent.Len()
	p.tab = env.OpenTab(env.Pages.URL(path))
	env.Connect(p.tab, level, browsertest.Session(p.session))
	p.agent.AwaitFrom(from, "the page's bridge", func(m browsertest.Message) bool { return m.Type() == "ui_tree" && m.Seq() > 0 })
	tab, browser := p.tab, env.Browser
	env.T.(*testing.T).Cleanup(func() {
		if browser == env.Browser && browser.Alive() {
			_ = tab.Call("Page.close", nil, nil) // it may have crashed
			tab.Detach()
		}
	})
}

// query continues an agent's log.
func (p *page) resume(agent *browsertest.Agent, since uint64) *browsertest.Agent {
	env.T.Helper()
	welcome := agent.AwaitType("welcome")
	return env.AgentWith(agent.Token, "sessionId="+p.session, fmt.Sprintf("since=%d", since), "epoch="+welcome.String("epoch"))
}

// pending starts an evaluate that ends when the page calls go(), and waits until
// it runs. runs counts how often it did.
func (p *page) pending() string {
	env.T.Helper()
	id := p.agent.Start("evaluate", params{"code": "window.runs = (window.runs ?? 0) + 1; new Promise((done) => { window.go = () => done(runs); })", "timeoutMs": 60000})
	p.tab.Await("window.go")
	return id
}

// works shows that commands of both lanes do.
func (p *page) works() {
	env.T.Helper()
	p.acts()
	if got := p.agent.Do("evaluate", params{"code": "40 + 2"}).Fields["result"]; value(got) != 42.0 {
		env.T.Errorf("evaluate gives %v", got)
	}
}

// acts clicks the button of /page/… .
func (p *page) acts() {
	env.T.Helper()
	p.tab.Eval("void (document.querySelector('#b').onclick = () => { window.clicked = (window.clicked ?? 0) + 1 })", nil)
	var before, after int
	p.tab.Eval("window.clicked ?? 0", &before)
	p.agent.Do("click", params{"target": params{"selector": "#b"}})
	if p.tab.Eval("window.clicked ?? 0", &after); after != before+1 {
		env.T.Errorf("%d clicks arrived, want 1", after-before)
	}
}

// value takes the value out of an evaluate's result.
func value(result any) any {
	if fields, ok := result.(map[string]any); ok {
		return fields["value"]
	}
	return result
}

func ofType(kind string) func(browsertest.Message) bool {
	return func(m browsertest.Message) bool { return m.Type() == kind }
}

// gapless checks that the numbered messages of an agent follow on each other, and gives the first and last.
func gapless(t *testing.T, messages []browsertest.Message) (first, last uint64) {
	t.Helper()
	for _, m := range messages {
		seq := m.Seq()
		switch {
		case seq == 0:
		case last == 0:
			first, last = seq, seq
		case seq != last+1:
			t.Errorf("seq %d follows on %d: %.200s", seq, last, m.Raw)
			return first, last
		default:
			last = seq
		}
	}
	return first, last
}

// relays gives the processes that Chrome started.
func relays() []int {
	return processes(env, "chrome-extension://"+browsertest.ExtensionID, env.Program)
}

// daemons gives the daemons of a home.
func daemons(e *browsertest.Env) []int { return processes(e, "daemon run", e.Program) }

// processes finds those whose command line begins with the program and holds part.
func processes(e *browsertest.Env, part, program string) []int {
	var found []int
	for _, process := range e.Processes() {
		if line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(process.PID), "cmdline")); err == nil {
			text := string(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))
			if strings.HasPrefix(text, program) && strings.Contains(text, part) {
				found = append(found, process.PID)
			}
		}
	}
	return found
}

// relay gives the one relay of the browser.
func relay() int {
	env.T.Helper()
	var all []int
	browsertest.Until(env.T, browsertest.Patience, "one relay", func() bool { all = relays(); return len(all) == 1 })
	return all[0]
}

// killWorker ends the service worker and waits until the daemon cannot but know:
// its relay is gone, and the daemon has answered something since.
func killWorker() {
	env.T.Helper()
	host := relay()
	env.KillWorker()
	browsertest.Until(env.T, browsertest.Patience, "the end of the relay", func() bool { return !alive(host) })
	env.Run("daemon", "status")
}

func kill(pid int, with syscall.Signal) {
	env.T.Helper()
	send(env.T, pid, with)
}

func send(t browsertest.TB, pid int, with syscall.Signal) {
	t.Helper()
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Signal(with)
	}
	if err != nil {
		t.Fatalf("%v to %d: %v", with, pid, err)
	}
}

func alive(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	// A zombie has ended; its parent is only slow to look.
	return err == nil && !strings.Contains(string(stat[bytes.LastIndexByte(stat, ')'):]), ") Z ")
}

// within fails the test when something took longer than promised. What a busy
// machine adds is measured there and then: a start of the program that does nothing.
func within(t *testing.T, e *browsertest.Env, what string, began time.Time, limit time.Duration) {
	t.Helper()
	took := time.Since(began)
	if took <= limit {
		return
	}
	began = time.Now()
	e.Run("version")
	if slack := 10 * time.Since(began); took > limit+slack {
		t.Errorf("%s took %v, want at most %v (%v more for this machine)", what, took, limit, slack)
	}
}
