package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/face/cli"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// patience is how long anything may take; only a failing test waits for it.
const patience = 20 * time.Second

// message is one line of stdout.
type message struct {
	Type      string          `json:"type"`
	Seq       uint64          `json:"seq"`
	Epoch     string          `json:"epoch"`
	RequestID string          `json:"requestId"`
	Reason    string          `json:"reason"`
	Code      string          `json:"code"`
	Success   bool            `json:"success"`
	Args      []string        `json:"args"`
	OK        *bool           `json:"ok"`
	Error     json.RawMessage `json:"error"`
	LastSeq   uint64          `json:"lastSeq"`
}

// attached is a running `attach --json`.
type attached struct {
	t      *testing.T
	in     *io.PipeWriter
	cancel context.CancelFunc
	status chan int

	mu      sync.Mutex
	partial string
	lines   []message
	read    int
	changed chan struct{}
	errs    strings.Builder
}

func (a *attached) Write(data []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.partial += string(data)
	for {
		line, rest, whole := strings.Cut(a.partial, "\n")
		if !whole {
			break
		}
		a.partial = rest
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			a.t.Errorf("stdout has a line that is not JSON: %q", line)
		}
		a.lines = append(a.lines, m)
	}
	close(a.changed)
	a.changed = make(chan struct{})
	return len(data), nil
}

func attach(t *testing.T, args ...string) *attached {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	a := &attached{t: t, in: writer, cancel: cancel, status: make(chan int, 1), changed: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.status <- cli.Main(ctx, append([]string{"attach", "--json"}, args...), reader, a, &a.errs, deps())
	}()
	t.Cleanup(func() {
		cancel()
		writer.Close()
		// Else it could start a daemon again after the home's last one was stopped.
		<-ended
	})
	return a
}

func (a *attached) send(lines ...string) {
	a.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(a.in, line+"\n"); err != nil {
			a.t.Fatal(err)
		}
	}
}

// until gives the next message that fits; those before it are passed over.
func (a *attached) until(what string, fits func(message) bool) message {
	a.t.Helper()
	deadline := time.After(patience)
	for {
		a.mu.Lock()
		for a.read < len(a.lines) {
			m := a.lines[a.read]
			a.read++
			if fits(m) {
				a.mu.Unlock()
				return m
			}
		}
		changed := a.changed
		a.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			a.t.Fatalf("no %s; stderr: %s", what, a.errs.String())
		}
	}
}

func (a *attached) result(id string) message {
	a.t.Helper()
	return a.until("result of "+id, func(m message) bool { return m.Type == "command_result" && m.RequestID == id })
}

func (a *attached) welcome() message {
	a.t.Helper()
	return a.until("welcome", func(m message) bool { return m.Type == "welcome" })
}

func (a *attached) end() (int, []message) {
	a.t.Helper()
	a.in.Close()
	return a.wait()
}

func (a *attached) wait() (int, []message) {
	a.t.Helper()
	select {
	case status := <-a.status:
		a.mu.Lock()
		defer a.mu.Unlock()
		return status, a.lines
	case <-time.After(patience):
		a.t.Fatal("attach does not end")
		return 0, nil
	}
}

// commands counts what the daemons of a home were sent.
func commands(t *testing.T, h *state.Home) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(h.State, "commands.log"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

func once(t *testing.T, h *state.Home, ids ...string) {
	t.Helper()
	all := strings.Join(commands(t, h), "\n")
	for _, id := range ids {
		if n := strings.Count(all, `"`+id+`"`); n != 1 {
			t.Errorf("%s was sent %d times", id, n)
		}
	}
}

// gapless checks that the events of each epoch come in order, each once, from first on.
func gapless(t *testing.T, lines []message, first uint64) {
	t.Helper()
	next := first
	for _, m := range lines {
		if m.Type == "gap" && m.Reason == "epoch_changed" {
			next = 1
		}
		if m.Seq == 0 {
			continue
		}
		if m.Seq != next {
			t.Fatalf("event %d came where %d was due", m.Seq, next)
		}
		next++
	}
}

func TestAttachSendsAndEndsWithStdin(t *testing.T) {
	h := home(t)
	status, out, stderr := run(t, `
{"type":"click","requestId":"r1"}

{"type":"click"}
  {"type":"x.say","n":3,"requestId":"r2"}
`+"\r\n", "attach", "--json")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d stderr %s", status, stderr)
	}
	if !strings.HasPrefix(out, `{"agentId"`) || strings.Count(out, "command_result") != 3 || strings.Count(out, `"console"`) != 3 {
		t.Fatalf("stdout %s", out)
	}
	if got := commands(t, h); len(got) != 3 || got[0] != `{"type":"click","requestId":"r1"}` {
		t.Fatalf("not sent as it is: %q", got)
	}
}

func TestAttachListensWithoutCommands(t *testing.T) {
	home(t)
	if status, _, _ := run(t, `{"type":"x.say","n":5,"requestId":"r"}`, "attach", "--json"); status != 0 {
		t.Fatal(status)
	}
	status, out, _ := run(t, "", "attach", "--json", "--since", "0")
	if status != 0 || strings.Count(out, "\n") != 7 {
		t.Fatalf("status %d stdout %s", status, out)
	}
	status, out, _ = run(t, "", "attach", "--json", "--since", "0", "--types", "console")
	if status != 0 || !strings.Contains(out, "welcome") {
		t.Fatalf("status %d stdout %s", status, out)
	}
}

func TestAttachBadLines(t *testing.T) {
	home(t)
	a := attach(t)
	a.welcome()
	a.send("nonsense")
	if m := a.until("host_error", func(m message) bool { return m.Type == "host_error" }); m.Code != "PROTOCOL_ERROR" {
		t.Fatalf("%+v", m)
	}
	a.send(`{"type":"click","requestId":"` + "\xff" + `"}`)
	if m := a.until("host_error", func(m message) bool { return m.Type == "host_error" }); m.Code != "PROTOCOL_ERROR" {
		t.Fatalf("%+v", m)
	}
	// Larger than the daemon takes: it closes 1009, the rest goes on.
	a.send(`{"type":"click","requestId":"big","x":"` + strings.Repeat("x", 2<<20) + `"}`)
	if m := a.until("host_error", func(m message) bool { return m.Type == "host_error" }); m.Code != "VALIDATION_ERROR" && m.Code != "INDETERMINATE" {
		t.Fatalf("%+v", m)
	}
	a.send(`{"type":"click","requestId":"after"}`)
	a.result("after")
	if status, _ := a.end(); status != 0 {
		t.Fatalf("status %d: %s", status, a.errs.String())
	}
}

func TestAttachPage(t *testing.T) {
	h := home(t)
	if status, _, stderr := run(t, `{"type":"click"}`+"\n"+`{"type":"click","pageId":9}`, "attach", "--json", "--page", "3"); status != 0 {
		t.Fatal(stderr)
	}
	if got := commands(t, h); got[0] != `{"pageId":3,"type":"click"}` || got[1] != `{"type":"click","pageId":9}` {
		t.Fatalf("got %q", got)
	}
}

// A lost connection comes back with since and epoch: no event twice, none missing, no command again.
func TestAttachSurvivesALostConnection(t *testing.T) {
	h := home(t)
	a := attach(t)
	first := a.welcome()
	a.send(`{"type":"x.say","n":3,"requestId":"r1"}`)
	a.result("r1")
	a.send(`{"type":"x.drop","requestId":"r2"}`)
	if again := a.welcome(); again.Epoch != first.Epoch {
		t.Fatal("another daemon")
	}
	a.result("r2")
	a.send(`{"type":"x.say","n":2,"requestId":"r3"}`)
	a.result("r3")
	status, lines := a.end()
	if status != 0 {
		t.Fatalf("status %d: %s", status, a.errs.String())
	}
	gapless(t, lines, first.LastSeq+1)
	once(t, h, "r1", "r2", "r3")
}

// A killed daemon is started again; what was sent to it is told as lost, nothing runs twice.
func TestH10AttachSurvivesAKilledDaemon(t *testing.T) {
	h := home(t)
	a := attach(t)
	first := a.welcome()
	a.send(`{"type":"x.say","n":4,"requestId":"r1"}`)
	a.result("r1")
	start := time.Now()
	a.send(`{"type":"x.die","requestId":"r2"}`)
	second := a.welcome()
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("a new daemon after %s", took)
	}
	if second.Epoch == first.Epoch {
		t.Fatal("the same daemon")
	}
	if m := a.until("gap", func(m message) bool { return m.Type == "gap" }); m.Reason != "epoch_changed" {
		t.Fatalf("%+v", m)
	}
	a.send(`{"type":"click","requestId":"r3"}`)
	if m := a.result("r3"); !m.Success {
		t.Fatalf("%+v", m)
	}
	status, lines := a.end()
	if status != 4 {
		t.Fatalf("status %d", status)
	}
	gapless(t, lines, first.LastSeq+1)
	once(t, h, "r1", "r2", "r3")
	if last := lines[len(lines)-1]; last.OK == nil || *last.OK || !strings.Contains(string(last.Error), "INDETERMINATE") {
		t.Fatalf("last line %+v", last)
	}
}

// Stopped on purpose, a daemon stays stopped until somebody needs it: here, the next command.
func TestAttachDoesNotRestartWhatWasStopped(t *testing.T) {
	h := home(t)
	a := attach(t)
	a.welcome()
	if status, out, _ := run(t, "", "daemon", "stop"); status != 0 || !strings.Contains(out, `"stopped":true`) {
		t.Fatalf("stop: %d %s", status, out)
	}
	// Longer than the longest pause between two tries to come back.
	for range 3 {
		time.Sleep(500 * time.Millisecond)
		if _, err := client.Dial(t.Context(), h); err == nil {
			t.Fatal("attach started the daemon that was stopped")
		}
	}
	a.send(`{"type":"click","requestId":"r1"}`)
	a.welcome()
	if m := a.result("r1"); !m.Success {
		t.Fatalf("%+v", m)
	}
	if status, _ := a.end(); status != 0 {
		t.Fatalf("status %d", status)
	}
}

func TestAttachResumesInANewProcess(t *testing.T) {
	home(t)
	a := attach(t)
	w := a.welcome()
	a.send(`{"type":"x.say","n":9,"requestId":"r1"}`)
	last := a.result("r1")
	if status, _ := a.end(); status != 0 {
		t.Fatal(status)
	}
	if status, _, _ := run(t, `{"type":"x.say","n":5,"requestId":"r2"}`, "attach", "--json"); status != 0 {
		t.Fatal(status)
	}
	b := attach(t, "--since", fmt.Sprint(last.Seq), "--epoch", w.Epoch)
	b.result("r2")
	status, lines := b.end()
	if status != 0 {
		t.Fatal(status)
	}
	gapless(t, lines, last.Seq+1)
}

func TestAttachRefusals(t *testing.T) {
	home(t)
	cases := map[string][]string{
		"since beyond the log":    {"--since", "99", "--epoch", "EPOCH"},
		"since without epoch":     {"--since", "5"},
		"epoch without since":     {"--epoch", "x"},
		"since that is no number": {"--since", "-1"},
		"since too large":         {"--since", "9007199254740993"},
		"both modes":              {"--repl"},
		"a page that is none":     {"--page", "-2"},
		"an argument":             {"what"},
	}
	w := func() message { a := attach(t); defer a.end(); return a.welcome() }()
	for name, args := range cases {
		t.Run(name, func(t *testing.T) {
			for i := range args {
				if args[i] == "EPOCH" {
					args[i] = w.Epoch
				}
			}
			a := attach(t, args...)
			status, lines := a.wait()
			last := lines[len(lines)-1]
			if status != 2 || last.OK == nil || *last.OK || !strings.Contains(string(last.Error), "VALIDATION_ERROR") {
				t.Fatalf("status %d, last line %+v", status, last)
			}
		})
	}
}

func TestAttachWaitsForResultsOnlySoLong(t *testing.T) {
	home(t)
	start := time.Now()
	status, out, _ := run(t, `{"type":"x.swallow","requestId":"r1"}`, "attach", "--json", "--timeout", "300")
	if status != 4 || !strings.Contains(out, `"code":"TIMEOUT"`) || time.Since(start) > patience/2 {
		t.Fatalf("status %d after %s: %s", status, time.Since(start), out)
	}
}

func TestAttachInterrupted(t *testing.T) {
	home(t)
	a := attach(t)
	a.welcome()
	a.send(`{"type":"x.swallow","requestId":"r1"}`)
	a.cancel()
	if status, lines := a.wait(); status != 0 || lines[len(lines)-1].OK != nil {
		t.Fatalf("status %d", status)
	}
}

// brokenPipe is a stdout whose reader has gone.
type brokenPipe struct{ after int }

func (b *brokenPipe) Write(data []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, syscall.EPIPE
	}
	return len(data), nil
}

// `| head -1` ends it, quietly.
func TestA19AttachClosedStdout(t *testing.T) {
	home(t)
	reader, writer := io.Pipe()
	defer writer.Close()
	var errs strings.Builder
	status := make(chan int, 1)
	go func() {
		status <- cli.Main(context.Background(), []string{"attach", "--json"}, reader, &brokenPipe{after: 1}, &errs, deps())
	}()
	go io.WriteString(writer, `{"type":"x.say","n":3}`+"\n")
	select {
	case got := <-status:
		if got != 0 || errs.String() != "" {
			t.Fatalf("status %d stderr %q", got, errs.String())
		}
	case <-time.After(patience):
		t.Fatal("it goes on without a reader")
	}
}
