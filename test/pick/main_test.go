// Package pick tests what passes between the person and the agent by hand: elements that
// the person points at, and questions that they answer. The real browser and its
// extension, the real popup, the real daemon; the person is real input.
package pick

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
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

// sheet and panel are what of ours a page can see while the person points or is asked.
const (
	sheet = "document.querySelector('debug-bridge-pick') !== null"
	panel = "document.querySelector('debug-bridge-panel') !== null"
)

// world is a person's browser with a connected tab, and an agent beside it.
type world struct {
	*browsertest.Env
	agent *commandtest.Env
	tab   *browsertest.Tab
}

// begin opens a page and connects it at a level.
func begin(t *testing.T, path, level string) *world {
	t.Helper()
	e := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := e.OpenTab(e.Pages.URL(path))
	e.Connect(tab, level, browsertest.AnySite())
	w := &world{Env: e, agent: commandtest.User(t, e), tab: tab}
	w.agent.AwaitPages(1)
	return w
}

// run runs one case of a shared browser.
func (w *world) run(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		whole, agents := w.T, w.agent.T
		w.T, w.agent.T = t, t
		defer func() { w.T, w.agent.T = whole, agents }()
		test(t)
	})
}

// until waits for a condition.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	browsertest.Until(t, patience, what, done)
}

// says is whether an expression is true in the page.
func says(tab *browsertest.Tab, expression string) bool {
	var is bool
	return tab.TryEval(expression, &is) == nil && is
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
	run := &waiting{command: w.agent.Command(args...), over: make(chan struct{})}
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

// answer is what the command printed.
type answer struct {
	OK    bool            `json:"ok"`
	Data  json.RawMessage `json:"data"`
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

// into decodes a successful answer's data.
func (a answer) into(t *testing.T, result any) {
	t.Helper()
	if !a.OK {
		t.Fatalf("failed: %+v", a.Error)
	}
	if err := json.Unmarshal(a.Data, result); err != nil {
		t.Fatal(err)
	}
}
