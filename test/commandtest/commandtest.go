// Package commandtest runs commands of the catalogue as a person or an agent does:
// the real program, a daemon of the test's own, a real browser that it manages.
package commandtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// patience is how long one command may take; only a failing test waits for it.
const patience = 90 * time.Second

// Env is a daemon's home, and a context of its own in it.
type Env struct {
	T       testing.TB
	Home    string
	Context string
	Site    *pages.Site
	program string
	extra   []string
}

// New makes a home with a running sample site. Nothing is started yet.
func New(t testing.TB) *Env {
	t.Helper()
	program, err := browsertest.DBridge()
	if err != nil {
		t.Fatal(err)
	}
	site, err := pages.Serve()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp("", "dbc") // short: sockets have short names
	if err != nil {
		t.Fatal(err)
	}
	e := &Env{T: t, Home: home, Context: "test", Site: site, program: program}
	t.Cleanup(func() {
		e.Run("daemon", "stop")
		_ = site.Close()
		if err := os.RemoveAll(home); err != nil {
			t.Errorf("the home cannot be removed: %v", err)
		}
	})
	return e
}

// Managed is New with a headless browser started in the context.
func Managed(t testing.TB) *Env {
	t.Helper()
	e := New(t)
	browser, err := chromium.Find()
	if err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	e.OK("session", "start", "--headless", "--executable", browser)
	return e
}

// User is a context in the home of a browser with the extension, whose connected tabs it has.
// The pages are those of the browser's own site.
func User(t testing.TB, browser *browsertest.Env) *Env {
	t.Helper()
	program, err := browsertest.DBridge()
	if err != nil {
		t.Fatal(err)
	}
	return &Env{T: t, Home: browser.Home, Context: "test", Site: browser.Pages, program: program, extra: browser.Exec().Env}
}

// AwaitPages waits until the context has as many pages. A click on Connect is told to
// the daemon while the popup says that it is done.
func (e *Env) AwaitPages(n int) {
	e.T.Helper()
	browsertest.Until(e.T, patience, fmt.Sprintf("%d pages", n), func() bool {
		answer := e.Run("page", "list")
		pages, _ := answer.Data["pages"].([]any)
		return answer.OK && len(pages) == n
	})
}

// In is the same home seen from another context.
func (e *Env) In(context string, environment ...string) *Env {
	other := *e
	other.Context, other.extra = context, environment
	return &other
}

// Program is the program under test.
func (e *Env) Program() string { return e.program }

// Through is the same context through another program.
func (e *Env) Through(program string) *Env {
	other := *e
	other.program = program
	return &other
}

// Answer is what a command printed.
type Answer struct {
	Exit   int
	Stdout []byte
	Stderr []byte
	OK     bool
	Data   map[string]any
	Code   string
	Error  struct {
		Code        string         `json:"code"`
		Message     string         `json:"message"`
		Details     map[string]any `json:"details"`
		Suggestions []string       `json:"suggestions"`
	}
}

// Command prepares the program with the context's environment.
func (e *Env) Command(args ...string) *exec.Cmd {
	command := exec.Command(e.program, args...)
	command.Env = append(os.Environ(), "DBRIDGE_HOME="+e.Home, "DBRIDGE_PORT=0", "DBRIDGE_CONTEXT_ID="+e.Context, "DBRIDGE_IDLE_TIMEOUT=5m")
	command.Env = append(command.Env, e.extra...)
	command.Dir = e.Home
	return command
}

// Run runs a command to its end.
func (e *Env) Run(args ...string) Answer { return e.RunInput(nil, args...) }

// RunInput is Run with something on stdin.
func (e *Env) RunInput(stdin []byte, args ...string) Answer {
	e.T.Helper()
	command := e.Command(args...)
	var stdout, stderr bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	timer := time.AfterFunc(patience, func() {
		if command.Process != nil {
			_ = command.Process.Kill()
		}
	})
	defer timer.Stop()
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		e.T.Fatalf("dbridge %s: %v", strings.Join(args, " "), err)
	}
	a := Answer{Exit: command.ProcessState.ExitCode(), Stdout: stdout.Bytes(), Stderr: stderr.Bytes()}
	var envelope struct {
		OK    bool            `json:"ok"`
		Data  json.RawMessage `json:"data"`
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(a.Stdout, &envelope) == nil {
		a.OK = envelope.OK
		_ = json.Unmarshal(envelope.Data, &a.Data) // data that is no object is in Stdout
		if envelope.Error != nil {
			_ = json.Unmarshal(envelope.Error, &a.Error)
			a.Code = a.Error.Code
		}
	}
	return a
}

// OK runs a command that must succeed and gives its data.
func (e *Env) OK(args ...string) map[string]any {
	e.T.Helper()
	a := e.Run(args...)
	if a.Exit != 0 || !a.OK {
		e.T.Fatalf("dbridge %s: exit %d\n%s%s", strings.Join(args, " "), a.Exit, a.Stdout, a.Stderr)
	}
	return a.Data
}

// Text runs a command that must succeed and gives its text, without its fence.
func (e *Env) Text(args ...string) string {
	e.T.Helper()
	a := e.Run(append(args, "--output", "text")...)
	if a.Exit != 0 {
		e.T.Fatalf("dbridge %s: exit %d\n%s%s", strings.Join(args, " "), a.Exit, a.Stdout, a.Stderr)
	}
	return Unfence(e.T, string(a.Stdout))
}

// Fails runs a command that must end with a code, its documented exit status and a suggestion.
func (e *Env) Fails(code string, exit int, args ...string) Answer {
	e.T.Helper()
	a := e.Run(args...)
	if a.Code != code || a.Exit != exit || len(a.Error.Suggestions) == 0 {
		e.T.Fatalf("dbridge %s: want %s, exit %d and a suggestion; exit %d\n%s%s", strings.Join(args, " "), code, exit, a.Exit, a.Stdout, a.Stderr)
	}
	return a
}

// Goto loads a page of the sample site.
func (e *Env) Goto(path string) {
	e.T.Helper()
	e.OK("page", "navigate", e.Site.URL(path))
}

// Eval gives the value of an expression in the page.
func (e *Env) Eval(expression string) any {
	e.T.Helper()
	return e.OK("runtime", "eval", expression)["value"]
}

// HTML loads a page that is made of the given HTML.
func (e *Env) HTML(body string) {
	e.T.Helper()
	e.Goto("/page/test")
	e.Eval(fmt.Sprintf("document.body.innerHTML = %s", quote(body)))
}

// File is the path of a file in the home.
func (e *Env) File(name string) string { return filepath.Join(e.Home, name) }

func quote(text string) string {
	data, _ := json.Marshal(text) // a string always can be
	return string(data)
}
