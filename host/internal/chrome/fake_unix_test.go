//go:build unix

package chrome

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// fake writes a program that stands in for a browser.
func fake(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake-chrome")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// gone waits until no process is in the group.
func gone(t *testing.T, group int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for syscall.Kill(-group, 0) == nil {
		if time.Now().After(deadline) {
			t.Fatalf("process group %d still runs", group)
		}
		time.Sleep(time.Millisecond) // nobody tells of the end of other people's children
	}
}

func TestLaunchFailures(t *testing.T) {
	t.Parallel()
	garbage := `printf 'hello\000' >&4; exec cat <&3`
	for _, c := range []struct{ name, script, reason, stderr string }{
		{"exits at once", `echo first >&2; echo the last word >&2; exit 3`, "exited", "first\nthe last word"},
		{"ends well at once", `exit 0`, "exited", ""},
		{"dies of a signal", `echo hit >&2; kill -9 $$`, "exited", "hit"},
		{"prints garbage", garbage, "garbage", ""},
		{"answers something else", `printf '{"id":5,"result":{}}\000' >&4; exec cat <&3`, "garbage", ""},
		{"answers without an end", `yes aaaaaaaaaaaaaaa | tr -d '\n' >&4; exec sleep 60`, "no_answer", ""},
		{"closes the pipe and lives on", `exec 3<&- 4>&-; echo deaf >&2; exec sleep 60`, "no_answer", "deaf"},
		{"never answers", `echo busy >&2; exec sleep 60`, "no_answer", "busy"},
		{"ignores SIGTERM, with a child", `trap '' TERM; sleep 60 & while :; do wait; done`, "no_answer", ""},
		{"writes without end", `yes 'a long line of noise' >&2`, "no_answer", "a long line of noise"},
		{"has no screen", `echo '[1:1/1] Missing X server or $DISPLAY' >&2; exit 1`, "no_display", "Missing X server"},
		{"has no sandbox", `echo 'FATAL: No usable sandbox!' >&2; exit 1`, "sandbox", "No usable sandbox"},
		{"lacks a library", `echo 'chrome: error while loading shared libraries: libnss3.so' >&2; exit 127`, "missing_library", "libnss3"},
		{"finds its profile in use", `echo 'Opening in existing browser session.' >&2; exit 0`, "profile_in_use", "existing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pids := filepath.Join(t.TempDir(), "pid")
			program := fake(t, `echo $$ >`+pids+"\n"+c.script)
			begin := time.Now()
			p, err := Launch(t.Context(), LaunchOptions{Executable: program, UserDataDir: t.TempDir(), Timeout: 700 * time.Millisecond})
			if err == nil {
				_ = p.Stop(t.Context())
				t.Fatal("it was launched")
			}
			failure := fault.From(err)
			if failure.Code != fault.BrowserLaunchFailed || failure.Details["reason"] != c.reason || len(failure.Suggestions) == 0 {
				t.Errorf("%v: %v, suggestions %v", err, failure.Details, failure.Suggestions)
			}
			words, _ := failure.Details["stderr"].(string)
			if !strings.Contains(words, c.stderr) || len(words) > tailLines*(tailWidth+1) {
				t.Errorf("its words are %q", words)
			}
			if took := time.Since(begin); took > 6*time.Second {
				t.Errorf("it took %s", took)
			}
			if pid, err := os.ReadFile(pids); err == nil {
				group, _ := strconv.Atoi(strings.TrimSpace(string(pid)))
				gone(t, group)
			}
		})
	}
}

func TestLaunchRefusals(t *testing.T) {
	t.Parallel()
	program := fake(t, "exit 0")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		options LaunchOptions
		code    fault.Code
		reason  any
	}{
		{"no such program", LaunchOptions{Executable: "/no/such/chrome", UserDataDir: t.TempDir()}, fault.BrowserLaunchFailed, "not_started"},
		{"not a program", LaunchOptions{Executable: file, UserDataDir: t.TempDir()}, fault.BrowserLaunchFailed, "not_started"},
		{"profile is a file", LaunchOptions{Executable: program, UserDataDir: file}, fault.BrowserLaunchFailed, "profile_not_writable"},
		{"profile below a file", LaunchOptions{Executable: program, UserDataDir: file + "/x"}, fault.BrowserLaunchFailed, "profile_not_writable"},
		{"profile in a file system that takes nothing", LaunchOptions{Executable: program, UserDataDir: "/proc/self"}, fault.BrowserLaunchFailed, "profile_not_writable"},
		{"profile that ends with a space", LaunchOptions{Executable: program, UserDataDir: t.TempDir() + "/a "}, fault.ValidationError, nil},
		{"no profile", LaunchOptions{Executable: program}, fault.ValidationError, nil},
		{"log file in no folder", LaunchOptions{Executable: program, UserDataDir: t.TempDir(), Stderr: "/no/such/log"}, fault.FileAccessFailed, nil},
		{"own port", LaunchOptions{Executable: program, UserDataDir: t.TempDir(), Args: []string{"--remote-debugging-port=9222"}}, fault.ValidationError, nil},
		{"own profile", LaunchOptions{Executable: program, UserDataDir: t.TempDir(), Args: []string{"--user-data-dir"}}, fault.ValidationError, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Launch(t.Context(), c.options)
			failure := fault.From(err)
			if failure == nil || failure.Code != c.code || failure.Details["reason"] != c.reason || len(failure.Suggestions) == 0 {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestLaunchCancelled(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pid")
	if err := syscall.Mkfifo(pids, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	started := make(chan int, 1)
	go func() {
		pid, _ := os.ReadFile(pids)
		group, _ := strconv.Atoi(strings.TrimSpace(string(pid)))
		started <- group
		cancel()
	}()
	_, err := Launch(ctx, LaunchOptions{Executable: fake(t, `echo $$ >`+pids+`; exec sleep 60`), UserDataDir: t.TempDir()})
	if failure := fault.From(err); failure == nil || failure.Code != fault.Cancelled {
		t.Errorf("got %v", err)
	}
	gone(t, <-started)
}

// H-12: a lock that a killed browser left is no reason to refuse, and whoever has
// its process id now is left alone.
func TestProfileLock(t *testing.T) {
	t.Parallel()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bystander := exec.Command("sleep", "60")
	// A program that only calls itself like the lock's owner.
	holder := exec.Command(fake(t, "sleep 60 & wait"), "--user-data-dir="+dir)
	for _, cmd := range []*exec.Cmd{bystander, holder} {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			_ = cmd.Wait()
		}()
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, lock string
		held       bool
	}{
		{"held", fmt.Sprintf("%s-%d", host, holder.Process.Pid), true},
		{"its owner ended", fmt.Sprintf("%s-%d", host, ended.Process.Pid), false},
		{"its owner's id is another program's", fmt.Sprintf("%s-%d", host, bystander.Process.Pid), false},
		{"of another machine", fmt.Sprintf("x%s-%d", host, holder.Process.Pid), false},
		{"nonsense", "nonsense", false},
		{"no number", host + "-x", false},
		{"everybody", host + "--1", false},
	} {
		path := filepath.Join(dir, "SingletonLock")
		_ = os.Remove(path)
		if err := os.Symlink(c.lock, path); err != nil {
			t.Fatal(err)
		}
		_, err := profile(dir)
		if held := reason(err) == "profile_in_use"; held != c.held || !held && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if bystander.Process.Signal(syscall.Signal(0)) != nil {
		t.Error("the bystander was ended")
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	id := identify(cmd.Process.Pid)
	other := Identity{Pid: id.Pid, Born: "earlier"}
	if !id.Running() || other.Running() || (Identity{Pid: id.Pid}).Running() || (Identity{}).Running() {
		t.Errorf("%+v is told wrongly", id)
	}
	other.Kill()
	if !id.Running() {
		t.Fatal("a process was killed by another's identity")
	}
	id.Kill()
	if err := cmd.Wait(); err == nil {
		t.Error("it was not killed")
	}
	if id.Running() {
		t.Error("it still runs")
	}
}

// The log file has all of stderr up to its limit, and says what is missing.
func TestStderrFile(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	_, err := Launch(t.Context(), LaunchOptions{
		Executable: fake(t, `echo begin >&2; head -c 6000000 /dev/zero | tr '\0' x >&2; echo >&2; echo end >&2; exit 1`), UserDataDir: t.TempDir(), Stderr: log,
	})
	words, _ := fault.From(err).Details["stderr"].(string)
	if !strings.HasPrefix(words, "begin\nxxx") || !strings.HasSuffix(words, "\nend") {
		t.Errorf("its words are %.100q", words)
	}
	content, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if len(content) > stderrFile+100 || !strings.HasPrefix(string(content), "begin\n") || !strings.Contains(string(content[len(content)-100:]), "more bytes were not kept") {
		t.Errorf("the log has %d bytes, ends with %q", len(content), content[len(content)-50:])
	}
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// A full disk does not end a browser.
func TestStderrOnFullDisk(t *testing.T) {
	t.Parallel()
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip(err)
	}
	_, err := Launch(t.Context(), LaunchOptions{Executable: fake(t, `for i in 1 2 3; do echo $i >&2; done; exit 4`), UserDataDir: t.TempDir(), Stderr: full})
	if reason(err) != "exited" || fault.From(err).Details["stderr"] != "1\n2\n3" {
		t.Errorf("got %v", err)
	}
}

func TestNoScreen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a screen is always there")
	}
	_, err := Launch(t.Context(), LaunchOptions{Executable: real(t), UserDataDir: t.TempDir(), Env: []string{"DISPLAY=", "WAYLAND_DISPLAY="}})
	if reason(err) != "no_display" {
		t.Errorf("got %v %v", err, fault.From(err).Details)
	}
}

func TestProfileInUse(t *testing.T) {
	p := launch(t, LaunchOptions{})
	_, err := Launch(t.Context(), LaunchOptions{Executable: real(t), UserDataDir: p.UserDataDir(), Headless: true})
	if reason(err) != "profile_in_use" || fault.From(err).Details["pid"] != p.Pid() {
		t.Errorf("got %v", err)
	}
	if !p.Identity().Running() {
		t.Error("the first browser was ended")
	}
}

// A browser that is killed is noticed; its profile can be used again at once.
func TestKilledBrowser(t *testing.T) {
	log := filepath.Join(t.TempDir(), "stderr")
	p := launch(t, LaunchOptions{Stderr: log})
	conn := cdp.NewConn(p.Transport(), cdp.Options{})
	defer conn.Close()
	if err := syscall.Kill(p.Pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("its end was not noticed")
	}
	<-conn.Done()
	if !strings.Contains(p.Exit(), "signal: killed") {
		t.Errorf("it says: %s", p.Exit())
	}
	gone(t, p.Pid())
	launch(t, LaunchOptions{UserDataDir: p.UserDataDir()})
}

// A stopped browser does not see that its pipe was closed, nor SIGTERM.
func TestStopHangingBrowser(t *testing.T) {
	p := launch(t, LaunchOptions{})
	if err := syscall.Kill(p.Pid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := p.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.Exit(), "after SIGKILL") {
		t.Errorf("it says: %s", p.Exit())
	}
	gone(t, p.Pid())
}

// TestMother is no test: it is the process that dies in TestDiesWithItsMother.
func TestMother(t *testing.T) {
	said := os.Getenv("CHROME_TEST_MOTHER")
	if said == "" {
		t.Skip("part of another test")
	}
	p, err := Launch(context.Background(), LaunchOptions{Executable: real(t), UserDataDir: said + "/profile", Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(said+"/pid", []byte(strconv.Itoa(p.Pid())), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

func TestDiesWithItsMother(t *testing.T) {
	real(t)
	dir := t.TempDir()
	mother := exec.Command(os.Args[0], "-test.run=^TestMother$")
	mother.Env = append(os.Environ(), "CHROME_TEST_MOTHER="+dir)
	output, err := mother.CombinedOutput()
	if err == nil {
		t.Fatalf("the mother lives: %s", output)
	}
	content, err := os.ReadFile(dir + "/pid")
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	pid, err := strconv.Atoi(string(content))
	if err != nil {
		t.Fatal(err)
	}
	gone(t, pid)
}
