// Package cli tests the real program as processes: many at once, killed,
// signalled, on taken ports, beside other users. What one command answers is
// tested in process, in host/internal/face/cli.
package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// patience is how long anything may take; only a failing test waits for it.
const patience = 30 * time.Second

var binary string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "dbridge-cli-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // other users run it too
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "dbridge")
	build := exec.Command("go", "build", "-o", binary, "../../host/cmd/dbridge")
	if named := os.Getenv("DBRIDGE_BIN"); named != "" {
		build = exec.Command("cp", named, binary) // a copy: the processes of these tests are told by it
	}
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building dbridge: %v\n%s", err, out)
		return 1
	}
	os.Setenv(browsertest.EnvBinary, binary) // also for browsers with the extension
	status := m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// A daemon that was stopped lets go of its lock a moment before its process is gone.
	left := processes(binary)
	for deadline := time.Now().Add(2 * time.Second); len(left) > 0 && time.Now().Before(deadline); left = processes(binary) {
		time.Sleep(10 * time.Millisecond)
	}
	if len(left) > 0 {
		fmt.Fprintf(os.Stderr, "processes left behind: %v\n", left)
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		return 1
	}
	return status
}

// processes lists who runs the program. Empty where there is no /proc.
func processes(program string) []int {
	var pids []int
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, entry := range entries {
		target, err := os.Readlink(entry + "/exe")
		pid, _ := strconv.Atoi(filepath.Base(entry))
		if err == nil && strings.TrimSuffix(target, " (deleted)") == program {
			pids = append(pids, pid)
		}
	}
	return pids
}

// place is one home and the environment of its processes.
type place struct {
	t       *testing.T
	home    string
	env     []string
	program string // another one than the one under test
	limits  string // prlimit's options
}

func newPlace(t *testing.T, env ...string) *place {
	t.Helper()
	p := &place{t: t, home: t.TempDir()}
	// Port 0: tests must not meet a daemon of the machine, nor each other.
	p.env = append(os.Environ(), "DBRIDGE_HOME="+p.home, "DBRIDGE_PORT=0", "DBRIDGE_IDLE_TIMEOUT=5m")
	p.env = append(p.env, env...)
	t.Cleanup(func() {
		if status, out, _ := p.run("", "daemon", "stop"); status != 0 {
			t.Errorf("daemon stop: exit %d %s", status, out)
		}
	})
	return p
}

func (p *place) command(args ...string) *exec.Cmd {
	program := binary
	if p.program != "" {
		program = p.program
	}
	command := exec.Command(program, args...)
	if p.limits != "" {
		command = exec.Command("prlimit", append([]string{p.limits, program}, args...)...)
	}
	command.Env = p.env
	command.Dir = "/"
	return command
}

// run runs one command line to its end.
func (p *place) run(stdin string, args ...string) (status int, stdout, stderr string) {
	p.t.Helper()
	command := p.command(args...)
	var out, errs bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(stdin), &out, &errs
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Errorf("%v: %v", args, err)
	}
	return command.ProcessState.ExitCode(), out.String(), errs.String()
}

type answer struct {
	OK   bool `json:"ok"`
	Data struct {
		Pid     int    `json:"pid"`
		Epoch   string `json:"epoch"`
		Started bool   `json:"started"`
		Port    int    `json:"port"`
		Socket  string `json:"socket"`
		Token   string `json:"token"`
		Version string `json:"version"`
		URL     string `json:"url"`
	} `json:"data"`
	Error struct {
		Code    string         `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details"`

		Suggestions []string `json:"suggestions"`
	} `json:"error"`
}

// ask runs a command whose answer is one JSON object.
func (p *place) ask(args ...string) (int, answer) {
	p.t.Helper()
	status, out, stderr := p.run("", args...)
	return status, p.parse(out, stderr)
}

func (p *place) parse(out, stderr string) answer {
	p.t.Helper()
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || strings.Count(out, "\n") != 1 {
		p.t.Fatalf("not one JSON object: %v\n%s%s", err, out, stderr)
	}
	return a
}

// start makes the daemon run.
func (p *place) start() answer {
	p.t.Helper()
	status, a := p.ask("daemon", "start")
	if status != 0 || a.Data.Pid == 0 {
		p.t.Fatalf("daemon start: exit %d %+v", status, a)
	}
	return a
}

// until waits for a condition that only looking can tell.
func until(t *testing.T, what string, limit time.Duration, holds func() bool) time.Duration {
	t.Helper()
	start := time.Now()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for !holds() {
		if time.Since(start) > limit {
			t.Fatalf("not within %s: %s", limit, what)
		}
		<-ticker.C
	}
	return time.Since(start)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(rest, "Z")
}
