// Package confirm tests what the person is asked before it is done: uploads, downloads
// and forms, at sites where the policy says so. The real browser, its real popup with
// real clicks, the real daemon.
package confirm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

// patience is for a busy machine; what is waited for comes much sooner.
const patience = 3 * browsertest.Patience

// form is a page with all that can send it, and counts what was sent.
const form = `<form id=form>
	<input id=word name=word><button id=send><span id=inner>Send it</span></button>
	<label id=label for=send>Go</label><input id=tick type=checkbox>
	<button id=plain type=button>Plain</button>
	</form>
	<button id=outside form=form>Outside</button> <button id=alone>Alone</button>
	<textarea id=long></textarea>
	<a id=file download=note.txt href='data:text/plain,x'>File</a> <a id=link href='#there'>Link</a>
	<input id=upload type=file>`

// world is a person's browser with a connected tab, and an agent beside it.
type world struct {
	*browsertest.Env
	agent *commandtest.Env
	tab   *browsertest.Tab
}

// write makes the policy of a home.
func write(t *testing.T, home, text string) {
	t.Helper()
	dir := filepath.Join(home, "config")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "policy.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func begin(t *testing.T) *world {
	t.Helper()
	e := browsertest.Start(t, browsertest.Options{Extension: true})
	write(t, e.Home, "confirm = [\"upload\", \"download\", \"submit\"]\n")
	tab := e.OpenTab(e.Pages.URL("/page/Form"))
	e.Connect(tab, "control", browsertest.AnySite())
	w := &world{Env: e, agent: commandtest.User(t, e), tab: tab}
	w.agent.AwaitPages(1)
	return w
}

// fresh shows the form anew; what was asked about the page before it is asked no more.
func (w *world) fresh() {
	w.T.Helper()
	w.tab.Navigate(w.Pages.URL("/page/Form"))
	w.tab.Eval(fmt.Sprintf(`void (document.body.innerHTML = %q, window.sent = 0,
		document.addEventListener('submit', (event) => { event.preventDefault(); window.sent += 1; }))`, form), nil)
}

// sent is how often the form was sent since it is fresh.
func (w *world) sent() (n int) {
	w.T.Helper()
	w.tab.Eval("window.sent", &n)
	return n
}

// run runs one case of the shared browser.
func (w *world) run(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		whole, agents := w.T, w.agent.T
		w.T, w.agent.T = t, t
		defer func() { w.T, w.agent.T = whole, agents }()
		w.fresh()
		test(t)
	})
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	browsertest.Until(t, patience, what, done)
}

// asked opens the popup when the question stands in it and its buttons take presses.
func (w *world) asked(while func() bool) *browsertest.Tab {
	w.T.Helper()
	popup := w.OpenPopup(w.tab)
	browsertest.Until(w.T, patience, "the question in the popup", func() bool {
		var up bool
		err := popup.TryEval("!document.querySelector('#ask').hidden && !document.querySelector('#ask-allow').disabled", &up)
		return while() && err == nil && up
	})
	return popup
}

// says answers what is asked with a real click.
func (w *world) says(button string, while func() bool) {
	w.T.Helper()
	popup := w.asked(while)
	popup.Click(button)
	popup.Close()
	w.tab.Front()
}

// open are the questions that stand as notifications.
func (w *world) open() (ids []string) {
	w.T.Helper()
	w.WorkerEval("new Promise((done) => chrome.notifications.getAll((all) => done(Object.keys(all).filter((id) => id.startsWith('confirm:')))))", &ids)
	return ids
}

// waiting is a command that waits for the person.
type waiting struct {
	command *exec.Cmd
	out     bytes.Buffer
	over    chan struct{}
}

// start begins a command and lets it wait.
func (w *world) start(t *testing.T, args ...string) *waiting {
	t.Helper()
	run := &waiting{command: w.agent.Command(append(args, "--timeout", "90000")...), over: make(chan struct{})}
	run.command.Stdout = &run.out
	if err := run.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = run.command.Wait()
		close(run.over)
	}()
	t.Cleanup(func() {
		_ = run.command.Process.Kill()
		<-run.over
	})
	return run
}

func (r *waiting) done() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// asks is true while the command goes on; its end before the question is a fault.
func (r *waiting) asks(t *testing.T) func() bool {
	return func() bool {
		t.Helper()
		if r.done() {
			t.Fatalf("ended without a question: %s", r.out.Bytes())
		}
		return true
	}
}

// isAsked runs a command until the person is asked, and gives it up: then nobody asks any more.
func (w *world) isAsked(t *testing.T, args ...string) {
	t.Helper()
	run := w.start(t, args...)
	until(t, fmt.Sprintf("the question of %q", args), func() bool { return run.asks(t)() && len(w.open()) == 1 })
	if err := run.command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	run.end(t)
	until(t, "the end of the question", func() bool { return len(w.open()) == 0 })
}

// answer is what the command printed.
type answer struct {
	OK    bool `json:"ok"`
	Error struct {
		Code    string         `json:"code"`
		Details map[string]any `json:"details"`
	} `json:"error"`
}

// end waits for the command's end.
func (r *waiting) end(t *testing.T) (a answer) {
	t.Helper()
	until(t, "the command's end", r.done)
	if err := json.Unmarshal(r.out.Bytes(), &a); err != nil {
		t.Fatalf("%v\n%s", err, r.out.Bytes())
	}
	return a
}

// denied is the end of a command that was not permitted.
func (r *waiting) denied(t *testing.T, reason string) {
	t.Helper()
	if got := r.end(t); got.Error.Code != "POLICY_DENIED" || got.Error.Details["reason"] != reason {
		t.Errorf("ended with %s, want POLICY_DENIED for %s", r.out.Bytes(), reason)
	}
}

// allowed is the end of a command that was permitted.
func (r *waiting) allowed(t *testing.T) {
	t.Helper()
	if got := r.end(t); !got.OK {
		t.Errorf("ended with %s", r.out.Bytes())
	}
}
