//go:build linux

package life

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// The service worker dies with the debugger attached: the attachment is taken
// over, and the agent notices nothing (H-04).
func TestH04WorkerKilled(t *testing.T) {
	p := connect(t, "control", "/page/One")
	p.works()
	for range 2 {
		from := p.agent.Len()
		killWorker()
		began := time.Now()
		p.works()
		within(t, env, "coming back", began, 5*time.Second)
		for _, m := range p.agent.Messages()[from:] {
			if code := m.Code(); code != "" {
				t.Errorf("%s", m.Raw)
			}
		}
	}
	var level string
	if env.WorkerEval("chrome.storage.session.get('grants').then((all) => all.grants[0].level)", &level); level != "control" {
		t.Errorf("level %q after it", level)
	}
}

// It dies in the middle of a command, also while the agent is away: the command
// ends as lost, has run once, and the next one works (H-04, H-05, A-04).
func TestH04H05WorkerKilledMidCommand(t *testing.T) {
	p := connect(t, "control", "/page/One")
	p.works()
	for _, away := range []bool{false, true} {
		t.Run(fmt.Sprintf("agent away %t", away), func(t *testing.T) {
			env.T = t
			p.tab.Eval("void (window.runs = 0, window.go = null)", nil)
			command := p.pending()
			seen := p.agent.LastSeq()
			if away {
				p.agent.Drop()
			}
			killWorker()
			browsertest.Until(t, browsertest.Patience, "a new worker on the line", func() bool { return env.WorkerRuns() && len(status().Browsers) == 1 })
			if away {
				p.agent = p.resume(p.agent, seen)
			}
			if result := p.agent.Result(command); result.Code() != "INDETERMINATE" {
				t.Errorf("the command that was under way: %s", result.Raw)
			}
			p.works()
			var runs int
			if p.tab.Eval("runs", &runs); runs != 1 {
				t.Errorf("it ran %d times", runs)
			}
		})
		env.T = t
	}
	t.Cleanup(p.agent.Close)
}

// Twenty lives of the worker leave one daemon and one relay, and no memory behind (H-08).
func TestH08ManyRestarts(t *testing.T) {
	start(t)
	killDaemon(t, false) // a young one holds nothing of the tests before
	p := connect(t, "control", "/page/One")
	p.works()
	daemon := env.Daemon().PID
	again := func() {
		killWorker()
		p.agent.Do("evaluate", params{"code": "1"})
	}
	for range 3 { // what only the first times cost is not a leak
		again()
	}
	before := resident(t, daemon)
	for range 17 {
		again()
	}
	relay()
	browsertest.Until(t, browsertest.Patience, "one daemon", func() bool { return len(daemons(env)) == 1 })
	if now := env.Daemon().PID; now != daemon {
		t.Errorf("another daemon: %d, was %d", now, daemon)
	}
	// Garbage not yet collected is not growth either.
	after := resident(t, daemon)
	if limit := before + before/10 + 4<<20; after > limit {
		t.Errorf("the daemon grew from %d to %d KiB", before>>10, after>>10)
	}
	t.Logf("daemon: %d KiB before, %d KiB after", before>>10, after>>10)
	p.works()
}

// resident is the memory of a process, in bytes.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// The native host is killed in the middle of a command: another one takes its
// place, and the command's answer still comes, or its loss is told. It runs once
// (H-07, H-09).
func TestH07HostKilledMidCommand(t *testing.T) {
	p := connect(t, "control", "/page/One")
	command := p.pending()
	from := p.agent.Len()
	host := relay()
	kill(host, syscall.SIGKILL)
	browsertest.Until(t, browsertest.Patience, "the end of the relay", func() bool { return !alive(host) })
	awaitLink()
	p.tab.Eval("go()", nil)
	result := p.agent.Result(command)
	told := 0
	for _, m := range p.agent.Messages()[from:] {
		if m.Type() == "app_disconnected" {
			told++
		}
	}
	switch {
	case result.Success() && told == 0:
	case result.Code() == "INDETERMINATE" && told == 1:
		t.Logf("slow machine: the loss was told: %s", result.Raw)
	default:
		t.Errorf("told of a loss %d times: %s", told, result.Raw)
	}
	var runs int
	if p.tab.Eval("runs", &runs); runs != 1 {
		t.Errorf("it ran %d times", runs)
	}
	p.works()
}

// It is killed between two pieces of a large result (H-09).
func TestH09HostKilledMidChunk(t *testing.T) {
	p := connect(t, "control", "/page/One")
	p.works()
	const size = 20 << 20
	host := relay()
	start := copied(t, host)
	command := p.agent.Start("evaluate", params{"code": fmt.Sprintf("'x'.repeat(%d)", size), "timeoutMs": 60000})
	// A piece is 8 MiB: after 9 the first has gone through and the last has not.
	browsertest.Until(t, browsertest.Patience, "the middle of the result", func() bool { return copied(t, host) > start+9<<20 })
	kill(host, syscall.SIGKILL)
	result := p.agent.Result(command, 2*browsertest.Patience)
	text, _ := value(result.Fields["result"]).(string)
	switch {
	case result.Success() && len(text) == size:
	case result.Code() == "INDETERMINATE":
		t.Logf("its loss was told: %s", result.Raw)
	default:
		t.Errorf("%d bytes: %.300s", len(text), result.Raw)
	}
	awaitLink()
	p.works()
}

// copied is how many bytes a process has read.
func copied(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "io"))
	if err != nil {
		t.Fatal(err)
	}
	rest, found := strings.CutPrefix(strings.SplitN(string(text), "\n", 2)[0], "rchar: ")
	n, err := strconv.Atoi(rest)
	if !found || err != nil {
		t.Fatalf("/proc/%d/io: %s", pid, text)
	}
	return n
}

// Ctrl-C in the terminal that Chrome was started from reaches its whole process
// group: the daemon has one of its own (H-23).
func TestH23DaemonIsNotOfTheBrowsersGroup(t *testing.T) {
	start(t)
	daemon := env.Daemon().PID
	group := func(pid int) int {
		id, err := syscall.Getpgid(pid)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	if got := group(daemon); got == group(env.Browser.PID()) || got == group(os.Getpid()) {
		t.Errorf("the daemon is of the process group %d", got)
	}
	if host := relay(); group(host) != group(env.Browser.PID()) {
		t.Errorf("the relay is of the process group %d: this test shows nothing", group(host))
	}
	if err := syscall.Kill(-group(env.Browser.PID()), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	browsertest.Until(t, browsertest.Patience, "the end of the browser", func() bool { return !env.Browser.Alive() })
	browsertest.Until(t, browsertest.Patience, "the end of the relay", func() bool { return len(relays()) == 0 })
	if !alive(daemon) || env.Daemon().PID != daemon {
		t.Error("the daemon ended with the browser's group")
	}
}
