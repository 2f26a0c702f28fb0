package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	ownOrigin     = "chrome-extension://adekpkjellmapdlcbnonkejdenognpik/"
	foreignOrigin = "chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/"
)

// a reader that goes away is no error, and no signal kills the program.
func TestA19ClosedStdout(t *testing.T) {
	p := newPlace(t)
	p.start()
	for _, args := range [][]string{{"errors"}, {"version"}, {"help"}, {"completion", "bash"}, {"attach", "--json"}, {"token", "list"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			reader.Close()
			command := p.command(args...)
			var errs bytes.Buffer
			command.Stdout, command.Stderr = writer, &errs
			err = command.Run()
			writer.Close()
			if err != nil || errs.Len() > 0 {
				t.Fatalf("%v, stderr %q", err, errs.String())
			}
		})
	}
	out, err := exec.Command("sh", "-c", `DBRIDGE_HOME="$1" "$0" attach --json --since 0 </dev/null | head -1`, binary, p.home).Output()
	if err != nil || !strings.Contains(string(out), `"welcome"`) {
		t.Fatalf("head -1: %v %s", err, out)
	}
}

// H-17: a full stdout is an error with its own status, said on stderr.
func TestH17FullStdout(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	command := newPlace(t).command("errors")
	var errs bytes.Buffer
	command.Stdout, command.Stderr = full, &errs
	command.Run()
	if command.ProcessState.ExitCode() != 6 || !strings.Contains(errs.String(), "no space left") {
		t.Fatalf("exit %d stderr %q", command.ProcessState.ExitCode(), errs.String())
	}
}

// Ctrl-C ends attach cleanly and leaves the daemon as it is.
func TestA19Interrupt(t *testing.T) {
	p := newPlace(t)
	daemon := p.start()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		a := p.attach()
		a.until("welcome")
		begin := time.Now()
		if err := a.command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if status := a.wait(); status != 0 || a.errs.Len() > 0 || time.Since(begin) > 2*time.Second {
			t.Errorf("%v: exit %d after %s, stderr %q", signal, status, time.Since(begin), a.errs.String())
		}
	}
	if status, a := p.ask("daemon", "status"); status != 0 || a.Data.Pid != daemon.Data.Pid {
		t.Fatalf("exit %d %+v", status, a)
	}
}

// 50 at once give 50 whole answers, in the C locale and without a terminal.
func TestA19FiftyAnswers(t *testing.T) {
	p := newPlace(t, "LANG=C", "LC_ALL=C", "TERM=")
	p.start()
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			status, out, stderr := p.run("", "token", "new", fmt.Sprintf("n%d", i))
			if status != 0 || !json.Valid([]byte(out)) || strings.Count(out, "\n") != 1 || stderr != "" {
				t.Errorf("exit %d %q %q", status, out, stderr)
			}
		})
	}
	group.Wait()
	_, out, _ := p.run("", "token", "list")
	if n := strings.Count(out, `"name"`); n != 50 {
		t.Fatalf("%d of 50 tokens", n)
	}
}

// N-18: a token is shown once and is in no file, no argument and no environment after that.
func TestN18TokenIsNowhere(t *testing.T) {
	p := newPlace(t)
	daemon := p.start()
	status, a := p.ask("token", "new", "my-agent", "--debug", "--verbose")
	if status != 0 || a.Data.Token == "" {
		t.Fatalf("exit %d %+v", status, a)
	}
	secret := []byte(strings.TrimPrefix(a.Data.Token, "dbt_"))
	look := func(path string) {
		data, err := os.ReadFile(path)
		if err == nil && bytes.Contains(data, secret) {
			t.Errorf("%s holds the token", path)
		}
	}
	err := filepath.WalkDir(p.home, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			look(path)
			if info, infoErr := entry.Info(); infoErr == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %o", path, info.Mode().Perm())
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cmdline", "environ"} {
		look(fmt.Sprintf("/proc/%d/%s", daemon.Data.Pid, name))
	}
}

// N-13: it listens on loopback addresses and its own socket, nowhere else.
func TestN13Listeners(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	p := newPlace(t)
	a := p.start()
	inodes := map[string]bool{}
	entries, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", a.Data.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if target, err := os.Readlink(entry); err == nil && strings.HasPrefix(target, "socket:[") {
			inodes[strings.Trim(target, "socket:[]")] = true
		}
	}
	found := 0
	loopback := regexp.MustCompile(`^(0100007F|00000000000000000000000001000000):[0-9A-F]{4}$`)
	for _, table := range []string{"tcp", "tcp6", "udp", "udp6", "raw", "raw6"} {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", a.Data.Pid, table))
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(data), "\n") {
			fields := strings.Fields(line)
			if len(fields) < 10 || !inodes[fields[9]] {
				continue
			}
			found++
			if !loopback.MatchString(fields[1]) || !strings.HasPrefix(table, "tcp") {
				t.Errorf("%s %s", table, fields[1])
			}
		}
	}
	if found == 0 {
		t.Fatal("no listener was found")
	}
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", a.Data.Port))
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

// N-14: another user reads nothing, connects to nothing, and is told why.
func TestN14OtherUser(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("needs root and setpriv")
	}
	p := newPlace(t)
	a := p.start()
	if status, _ := p.ask("token", "new", "x"); status != 0 {
		t.Fatal(status)
	}
	other := func(args ...string) (string, error) {
		command := exec.Command(setpriv, append([]string{"--reuid=65534", "--regid=65534", "--clear-groups"}, args...)...)
		command.Env, command.Dir = p.env, "/"
		out, err := command.CombinedOutput()
		return string(out), err
	}
	for _, file := range []string{"state/tokens.json", "run/daemon.json", "state/dbridge.log"} {
		if out, err := other("cat", filepath.Join(p.home, file)); err == nil {
			t.Errorf("%s was read: %s", file, out)
		}
	}
	for _, args := range [][]string{{"daemon", "status"}, {"token", "list"}, {"attach", "--json"}, {"daemon", "stop"}} {
		out, err := other(append([]string{binary}, args...)...)
		if err == nil || !strings.Contains(out, "FILE_ACCESS_FAILED") || strings.Contains(out, a.Data.Epoch) {
			t.Errorf("%v: %v %s", args, err, out)
		}
	}
	if status, b := p.ask("daemon", "status"); status != 0 || b.Data.Pid != a.Data.Pid {
		t.Fatalf("the daemon is not as it was: %d %+v", status, b)
	}
}

// The native host: nothing but frames on stdout, a foreign extension refused, and it ends with its browser.
func TestNativeHost(t *testing.T) {
	p := newPlace(t)
	status, out, stderr := p.run("", foreignOrigin)
	if status != 1 || out != "" {
		t.Fatalf("foreign extension: exit %d stdout %q stderr %q", status, out, stderr)
	}
	if exists(filepath.Join(p.home, "run", "daemon.sock")) {
		t.Fatal("a foreign extension made the daemon start")
	}
	log, err := os.ReadFile(filepath.Join(p.home, "state", "dbridge.log"))
	if err != nil || !strings.Contains(string(log), "refused: not our extension") {
		t.Errorf("the log does not tell: %v %s", err, log)
	}

	command := p.command(ownOrigin)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var frames bytes.Buffer
	command.Stdout = &frames
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the host has started the daemon", patience, func() bool {
		status, _ := p.ask("daemon", "status")
		return status == 0
	})
	in.Close()
	begin := time.Now()
	command.Wait()
	if took := time.Since(begin); took > 1500*time.Millisecond || frames.Len() != 0 {
		t.Fatalf("ended after %s with %q on stdout", took, frames.String())
	}
	if status, _ := p.ask("daemon", "status"); status != 0 {
		t.Fatal("the daemon ended with the host")
	}
}

// H-18: a home that others can write is refused by every command that uses it, with the fix.
func TestH18UnsafeHome(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "h")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, env: append(os.Environ(), "DBRIDGE_HOME="+dir)}
	for _, args := range [][]string{{"daemon", "start"}, {"daemon", "status"}, {"token", "new", "x"}, {"attach", "--json"}, {"app", "list"}} {
		status, a := p.ask(args...)
		if status != 6 || a.Error.Code != "FILE_ACCESS_FAILED" || a.Error.Details["path"] != dir {
			t.Errorf("%v: exit %d %+v", args, status, a.Error)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Fatalf("something was written there: %v %v", left, err)
	}
}

// H-18: a path that is too long for a socket works, from start to stop, and leaves no socket.
func TestH18LongHome(t *testing.T) {
	p := newPlace(t)
	p.home = filepath.Join(p.home, strings.Repeat("very-long-", 12), "ho me\n東")
	p.env = append(p.env, "DBRIDGE_HOME="+p.home)
	a := p.start()
	if strings.HasPrefix(a.Data.Socket, p.home) || len(a.Data.Socket) > 104 {
		t.Fatalf("socket %s", a.Data.Socket)
	}
	t.Cleanup(func() { os.Remove(filepath.Dir(a.Data.Socket)) })
	if status, out, _ := p.run("", "attach", "--json"); status != 0 || !strings.Contains(out, `"welcome"`) {
		t.Fatalf("exit %d %s", status, out)
	}
	if status, _ := p.ask("daemon", "stop"); status != 0 || exists(a.Data.Socket) {
		t.Fatalf("exit %d, the socket is there: %v", status, exists(a.Data.Socket))
	}
}
