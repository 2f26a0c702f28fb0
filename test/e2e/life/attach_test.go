//go:build linux

package life

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// attached is a running `dbridge attach --json`.
type attached struct {
	t     *testing.T
	stdin io.WriteCloser
	wait  func() error

	mu    sync.Mutex
	lines []map[string]any
}

func attach(t *testing.T, session string) *attached {
	t.Helper()
	command := env.Exec("attach", "--json", "--session", session)
	a := &attached{t: t}
	var err error
	if a.stdin, err = command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	a.wait = sync.OnceValue(func() error {
		<-read
		return command.Wait()
	})
	go func() {
		defer close(read)
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 32<<20)
		for lines.Scan() {
			fields := make(map[string]any)
			if err := json.Unmarshal(lines.Bytes(), &fields); err != nil {
				fields = map[string]any{"type": "not JSON", "line": lines.Text()}
			}
			a.mu.Lock()
			a.lines = append(a.lines, fields)
			a.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill() // it may have ended
		_ = a.wait()
	})
	return a
}

func (a *attached) send(format string, args ...any) {
	a.t.Helper()
	if _, err := fmt.Fprintf(a.stdin, format+"\n", args...); err != nil {
		a.t.Fatal(err)
	}
}

func (a *attached) all() []map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lines[:len(a.lines):len(a.lines)]
}

// until waits for the first line after from that fits.
func (a *attached) until(from int, what string, fits func(map[string]any) bool) map[string]any {
	a.t.Helper()
	var found map[string]any
	browsertest.Until(a.t, browsertest.Patience, what, func() bool {
		for _, line := range a.all()[from:] {
			if fits(line) {
				found = line
				return true
			}
		}
		return false
	})
	return found
}

func (a *attached) untilType(from int, kind string) map[string]any {
	a.t.Helper()
	return a.until(from, kind, func(m map[string]any) bool { return m["type"] == kind })
}

func (a *attached) result(id string) map[string]any {
	a.t.Helper()
	return a.until(0, "result of "+id, func(m map[string]any) bool {
		return m["requestId"] == id && (m["type"] == "command_result" || m["type"] == "host_error")
	})
}

// An agent on `dbridge attach --json` lives through a restart of the browser and
// the death of the daemon, is told of both, and its commands work again (H-02, H-10).
func TestH10AttachLivesThroughRestarts(t *testing.T) {
	p := connect(t, "control", "/page/One")
	a := attach(t, p.session)
	epoch := a.untilType(0, "welcome")["epoch"]
	a.send(`{"type":"evaluate","code":"6 * 7","requestId":"one"}`)
	if got := a.result("one"); got["result"] != 42.0 {
		t.Fatalf("%v", got)
	}

	from := len(a.all())
	env.KillChrome()
	a.untilType(from, "app_disconnected")
	env.RestartChrome()
	awaitLink()
	from = len(a.all())
	p.reconnect("control", "/page/Two")
	a.untilType(from, "app_connected")
	a.send(`{"type":"evaluate","code":"document.title","requestId":"two"}`)
	if got := a.result("two"); got["result"] != "Two" {
		t.Errorf("after the browser's restart: %v", got)
	}
	for i, last := 0, 0.0; i < len(a.all()); i++ {
		if seq, numbered := a.all()[i]["seq"].(float64); numbered {
			if last > 0 && seq != last+1 {
				t.Errorf("seq %v follows on %v", seq, last)
			}
			last = seq
		}
	}

	// The daemon dies with a command under way: that is told, and the next runs.
	a.send(`{"type":"evaluate","code":"window.runs = (window.runs ?? 0) + 1; new Promise(() => {})","requestId":"three"}`)
	p.tab.Await("window.runs === 1")
	from = len(a.all())
	env.KillDaemon()
	if again := a.untilType(from, "welcome"); again["epoch"] == epoch {
		t.Error("the same epoch")
	}
	gap := a.untilType(from, "gap")
	if to, there := gap["toSeq"]; gap["reason"] != "epoch_changed" || !there || to != nil {
		t.Errorf("%v", gap)
	}
	// The consent is the browser's: it holds, and the page is there again without a click.
	a.untilType(from, "hello")
	a.send(`{"type":"evaluate","code":"runs","requestId":"four"}`)
	if got := a.result("four"); got["result"] != 1.0 {
		t.Errorf("after the daemon's death: %v", got)
	}
	if err := a.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.wait(); err == nil || !strings.Contains(err.Error(), "exit status 4") {
		t.Errorf("ended with %v, want exit status 4 for the command that was lost", err)
	}
	lines := a.all()
	if last := fmt.Sprint(lines[len(lines)-1]); !strings.Contains(last, "INDETERMINATE") {
		t.Errorf("the last line is %s", last)
	}
}

// The daemon is killed, alone and together with the host: another one runs within
// two seconds, and agents that resume are told of the new epoch (H-10).
func TestH10DaemonKilled(t *testing.T) {
	p := connect(t, "control", "/page/One")
	p.works()
	for _, both := range []bool{false, true} {
		t.Run(fmt.Sprintf("host too %t", both), func(t *testing.T) {
			env.T = t
			command := p.pending()
			seen, before := p.agent.LastSeq(), env.Daemon()
			epoch := p.agent.AwaitType("welcome").String("epoch")
			killDaemon(t, both)
			if code := p.agent.CloseCode(); code != -1 {
				t.Errorf("the agent's connection ended with %d", code)
			}
			agent := env.AgentWith(p.agent.Token, "sessionId="+p.session, fmt.Sprintf("since=%d", seen), "epoch="+epoch)
			if now := agent.AwaitType("welcome").String("epoch"); now == epoch || env.Daemon().PID == before.PID {
				t.Error("the same daemon")
			}
			if gap := agent.AwaitType("gap"); gap.String("reason") != "epoch_changed" || gap.Seq() != 0 || gap.Number("fromSeq") != float64(seen+1) {
				t.Errorf("%s", gap.Raw)
			}
			agent.Await("the page", func(m browsertest.Message) bool { return m.Type() == "capabilities" })
			agent.Await("a tree of the log", func(m browsertest.Message) bool { return m.Type() == "ui_tree" && m.Seq() > 0 })
			// Under the old epoch nothing runs again.
			again := agent.Command("evaluate", params{"code": "window.runs = (window.runs ?? 0) + 1", "requestId": command, "epoch": epoch})
			if again.Code() != "INDETERMINATE" {
				t.Errorf("repeated under the old epoch: %s", again.Raw)
			}
			var runs int
			if p.tab.Eval("runs", &runs); runs != 1 {
				t.Errorf("it ran %d times", runs)
			}
			p.agent = agent
			p.works()
			p.tab.Eval("void (window.runs = 0, window.go = null)", nil)
		})
		env.T = t
	}
	t.Cleanup(p.agent.Close)
}
