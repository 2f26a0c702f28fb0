package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// H-11: of 50 that start at once, one starts one daemon and all use it.
func TestH11FiftyAtOnce(t *testing.T) {
	p := newPlace(t)
	const many = 50
	var group sync.WaitGroup
	var mu sync.Mutex
	pids, started := map[int]int{}, 0
	begin := time.Now()
	for i := range many {
		group.Go(func() {
			if i%5 == 4 {
				// Agents race too.
				if status, out, stderr := p.run("", "attach", "--json"); status != 0 || !strings.Contains(out, `"welcome"`) {
					t.Errorf("attach: exit %d %s%s", status, out, stderr)
				}
				return
			}
			status, out, stderr := p.run("", "daemon", "start")
			if status != 0 {
				t.Errorf("exit %d %s%s", status, out, stderr)
				return
			}
			a := p.parse(out, stderr)
			mu.Lock()
			defer mu.Unlock()
			pids[a.Data.Pid]++
			if a.Data.Started {
				started++
			}
		})
	}
	group.Wait()
	took := time.Since(begin)
	t.Logf("%d processes in %s", many, took)
	if t.Failed() {
		log, _ := os.ReadFile(filepath.Join(p.home, "state", "dbridge.log"))
		t.Logf("the daemon's log:\n%s", log)
	}
	if len(pids) != 1 || started > 1 {
		t.Fatalf("daemons %v, started by %d", pids, started)
	}
	if running := processes(binary); len(running) != 1 {
		t.Errorf("%d processes are left", len(running))
	}
	// 3 s on an idle machine; tests share theirs.
	if took > 15*time.Second {
		t.Errorf("it took %s", took)
	}
}

// H-10: after SIGKILL the next call starts a new daemon with another epoch.
func TestH10KilledDaemon(t *testing.T) {
	p := newPlace(t)
	first := p.start()
	if err := syscall.Kill(first.Data.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	until(t, "the daemon is dead", patience, func() bool { return !alive(first.Data.Pid) })
	if !exists(first.Data.Socket) {
		t.Fatal("a killed daemon cannot have removed its socket")
	}
	if status, a := p.ask("daemon", "status"); status != 10 || a.Error.Code != "DAEMON_UNAVAILABLE" {
		t.Fatalf("status: exit %d %+v", status, a)
	}
	begin := time.Now()
	second := p.start()
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("a new daemon after %s", took)
	}
	if second.Data.Epoch == first.Data.Epoch || second.Data.Pid == first.Data.Pid || !second.Data.Started {
		t.Fatalf("%+v then %+v", first.Data, second.Data)
	}
}

// H-10: an attached agent is there again by itself, and is told of the gap.
func TestH10AttachedThroughAKill(t *testing.T) {
	p := newPlace(t)
	a := p.attach("--since", "0")
	first := a.until("welcome")
	status, daemon := p.ask("daemon", "status")
	if status != 0 {
		t.Fatal(status)
	}
	if err := syscall.Kill(daemon.Data.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	second := a.until("welcome")
	if first["epoch"] == second["epoch"] {
		t.Fatal("the same epoch")
	}
	if gap := a.until("gap"); gap["reason"] != "epoch_changed" {
		t.Fatalf("%v", gap)
	}
	if status := a.end(); status != 0 {
		t.Fatalf("exit %d", status)
	}
}

// H-12: what a dead daemon left is no obstacle, and the process that has its pid now is left alone.
func TestH12Leftovers(t *testing.T) {
	p := newPlace(t)
	p.start()
	if status, _ := p.ask("daemon", "stop"); status != 0 {
		t.Fatal(status)
	}
	stranger := exec.Command("sleep", "600")
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { stranger.Process.Kill(); stranger.Wait() }()
	socket := filepath.Join(p.home, "run", "daemon.sock")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	listener.Close()
	discovery := fmt.Sprintf(`{"pid":%d,"version":"0.1.0","epoch":"old","socket":%q,"port":1}`, stranger.Process.Pid, socket)
	if err := os.WriteFile(filepath.Join(p.home, "run", "daemon.json"), []byte(discovery), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, a := p.ask("daemon", "status"); status != 10 {
		t.Fatalf("status: %d %+v", status, a)
	}
	if status, a := p.ask("daemon", "stop"); status != 0 || a.Data.Pid != 0 {
		t.Fatalf("stop: %d %+v", status, a)
	}
	a := p.start()
	if a.Data.Epoch == "old" || a.Data.Pid == stranger.Process.Pid {
		t.Fatalf("%+v", a.Data)
	}
	if !alive(stranger.Process.Pid) {
		t.Fatal("the stranger was ended")
	}
}

// H-12: a foreign holder of the lock is named within 10 s.
func TestH12ForeignLock(t *testing.T) {
	p := newPlace(t)
	if err := os.MkdirAll(filepath.Join(p.home, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(p.home, "run", "daemon.lock"))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	begin := time.Now()
	status, a := p.ask("daemon", "start")
	if took := time.Since(begin); status != 10 || a.Error.Code != "DAEMON_UNAVAILABLE" || took > 12*time.Second {
		t.Fatalf("after %s: exit %d %+v", took, status, a)
	}
	if a.Error.Details["path"] != lock.Path() {
		t.Errorf("details %v", a.Error.Details)
	}
	// Freed, it is as if nothing had been.
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	p.start()
}

// A start right after a signal waits for the daemon that is ending.
func TestStartRightAfterATermination(t *testing.T) {
	p := newPlace(t)
	for range 5 {
		a := p.start()
		if err := syscall.Kill(a.Data.Pid, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		until(t, "the socket is gone", patience, func() bool { return !exists(a.Data.Socket) })
		if b := p.start(); b.Data.Epoch == a.Data.Epoch {
			t.Fatal("the ended daemon answered")
		}
	}
}

// H-23: each signal ends it within 5 s, agents are told, and nothing of it stays.
func TestH23Signals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			p := newPlace(t)
			daemon := p.start()
			a := p.attach("--verbose")
			a.until("welcome")
			if err := syscall.Kill(daemon.Data.Pid, signal); err != nil {
				t.Fatal(err)
			}
			took := until(t, "the daemon has ended", 5*time.Second, func() bool { return !alive(daemon.Data.Pid) })
			t.Logf("ended after %s", took)
			for _, file := range []string{daemon.Data.Socket, filepath.Join(p.home, "run", "daemon.json")} {
				if exists(file) {
					t.Errorf("%s is left", file)
				}
			}
			a.in.Close()
			if err := a.command.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if status := a.wait(); status != 0 {
				t.Errorf("attach: exit %d", status)
			}
			if !strings.Contains(a.errs.String(), "1012") && !strings.Contains(a.errs.String(), "StatusServiceRestart") {
				t.Errorf("the agent was not told 1012: %s", a.errs.String())
			}
		})
	}
}

// H-23: the end of its starter's process group, as Ctrl-C or Chrome's end does it, does not take the daemon along.
func TestH23GroupSignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			p := newPlace(t)
			starter := exec.Command("sh", "-c", `"$0" daemon start >/dev/null; echo ready; exec sleep 600`, binary)
			starter.Env = p.env
			starter.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			out, err := starter.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := starter.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(-starter.Process.Pid, signal); err != nil {
				t.Fatal(err)
			}
			starter.Process.Kill() // it may have been started with the signal ignored, as shells do in the background
			starter.Wait()
			if status, a := p.ask("daemon", "status"); status != 0 || !alive(a.Data.Pid) {
				t.Fatalf("the daemon is gone: exit %d %+v", status, a)
			}
		})
	}
}

// H-13, N-15: a stranger on our port is left alone and gets not one byte; the next free port is published.
func TestH13TakenPort(t *testing.T) {
	stranger, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var got sync.Map
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := stranger.Accept()
			if err != nil {
				return
			}
			conn.SetDeadline(time.Now().Add(100 * time.Millisecond))
			data, _ := io.ReadAll(conn)
			got.Store(conn.RemoteAddr().String(), string(data))
			conn.Close()
		}
	}()
	port := stranger.Addr().(*net.TCPAddr).Port
	p := newPlace(t, fmt.Sprintf("DBRIDGE_PORT=%d", port))
	a := p.start()
	if a.Data.Port == port || a.Data.Port == 0 {
		t.Fatalf("port %d", a.Data.Port)
	}
	p.ask("token", "new", "secret")
	p.ask("daemon", "status")
	p.run("", "attach", "--json")
	stranger.Close()
	<-done
	got.Range(func(from, data any) bool {
		t.Errorf("%v sent %q to the stranger", from, data)
		return true
	})
}

// attached is a running `attach --json` process.
type attached struct {
	t       *testing.T
	command *exec.Cmd
	in      io.WriteCloser
	lines   *bufio.Scanner
	errs    strings.Builder
}

func (p *place) attach(args ...string) *attached {
	p.t.Helper()
	a := &attached{t: p.t, command: p.command(append([]string{"attach", "--json"}, args...)...)}
	a.command.Stderr = &a.errs
	in, err := a.command.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := a.command.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	a.in, a.lines = in, bufio.NewScanner(out)
	a.lines.Buffer(nil, 64<<20)
	if err := a.command.Start(); err != nil {
		p.t.Fatal(err)
	}
	// What never comes ends the test instead of hanging it.
	guard := time.AfterFunc(patience, func() { a.command.Process.Kill() })
	p.t.Cleanup(func() {
		guard.Stop()
		if a.command.ProcessState == nil {
			a.command.Process.Kill()
			a.command.Wait()
		}
	})
	return a
}

// until gives the next message of a type.
func (a *attached) until(kind string) map[string]any {
	a.t.Helper()
	for a.lines.Scan() {
		var message map[string]any
		if err := json.Unmarshal(a.lines.Bytes(), &message); err != nil {
			a.t.Fatalf("not JSON: %s", a.lines.Text())
		}
		if message["type"] == kind {
			return message
		}
	}
	a.t.Fatalf("no %s; stderr: %s", kind, a.errs.String())
	return nil
}

func (a *attached) end() int {
	a.in.Close()
	return a.wait()
}

func (a *attached) wait() int {
	for a.lines.Scan() {
	}
	a.command.Wait()
	return a.command.ProcessState.ExitCode()
}
