//go:build linux

package contexts

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A09: ten agents at once, each with a browser and a secret of its own.
func TestA09TenContextsKeepTheirSecrets(t *testing.T) {
	b := newBench(t, "DBRIDGE_MAX_SLOTS=10")
	address := site(t)
	var work sync.WaitGroup
	for i := range 10 {
		work.Go(func() {
			name := fmt.Sprintf("agent%d", i)
			secret := fmt.Sprintf("secret-%d-%d", i, os.Getpid())
			b.as(name, "session", "start", "--headless", "--url", address+"/"+secret)
			for range 5 {
				if got := b.eval(name, "document.title + ' ' + localStorage.secret"); got != secret+" "+secret {
					t.Errorf("%s sees %q, not %q", name, got, secret)
				}
			}
			var list struct {
				Pages []struct {
					URL string `json:"url"`
				} `json:"pages"`
			}
			b.as(name, "page", "list").into(t, &list)
			if len(list.Pages) != 1 || !strings.HasSuffix(list.Pages[0].URL, secret) {
				t.Errorf("%s lists %+v", name, list.Pages)
			}
		})
	}
	work.Wait()
	if a := b.run([]string{"DBRIDGE_CONTEXT_ID=eleventh"}, "session", "start", "--headless"); a.OK && len(b.contexts()) > 10 {
		t.Errorf("eleven browsers for ten slots: %s", a.raw)
	}
}

// A19: thirty commands at once on one browser, and three agents that share it.
func TestA19ThirtyCommandsOfAGroup(t *testing.T) {
	b := newBench(t)
	var work sync.WaitGroup
	started := make(chan bool, 3)
	for range 3 {
		work.Go(func() {
			a := b.run(nil, "session", "start", "--headless", "--url", "data:text/html,<script>n=0</script>", "--share-group", "team")
			started <- a.OK
			if !a.OK && a.Error.Code != "SESSION_ALREADY_RUNNING" {
				t.Error(a.raw)
			}
		})
	}
	work.Wait()
	won := 0
	for range 3 {
		if <-started {
			won++
		}
	}
	if won != 1 || len(b.contexts()) != 1 {
		t.Fatalf("%d browsers started, %d contexts", won, len(b.contexts()))
	}
	// What changes something runs one after another: no increment is lost across its await.
	for range 30 {
		work.Go(func() {
			a := b.run(nil, "runtime", "eval", "(async () => { const v = n; await new Promise(r => setTimeout(r, 5)); n = v + 1 })()", "--share-group", "team")
			if !a.OK {
				t.Error(a.raw)
			}
		})
	}
	work.Wait()
	a := b.run(nil, "runtime", "eval", "n", "--share-group", "team")
	if !strings.Contains(string(a.Data), `"value":30`) {
		t.Errorf("after thirty increments: %s", a.raw)
	}
}

// An agent is killed: its browser, files, locks and sockets go, those of others stay.
func TestOwnerKilled(t *testing.T) {
	b := newBench(t)
	b.as("other", "session", "start", "--headless")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	harness := exec.Command(self)
	harness.Env = append(append([]string{}, b.env...), asHarness+"=sh -c '"+b.binary+" session start --headless && "+b.binary+" page list'; true")
	out, err := harness.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = harness.Process.Kill(); _ = harness.Wait() }()
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "harness ready"; {
		said.WriteString(lines.Text() + "\n")
	}
	if len(b.contexts()) != 2 {
		t.Fatalf("contexts %v; the harness said %s", b.contexts(), said.String())
	}
	if err := harness.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	b.await("the end of its context", func() bool { return len(b.contexts()) == 1 })
	other := filepath.Base(b.contexts()[0])
	b.await("the end of its browser", func() bool {
		for _, pid := range b.browsers() {
			if line, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); len(line) > 0 && !strings.Contains(string(line), other) {
				return false
			}
		}
		return true
	})
	if got := b.eval("other", "1+1"); got != "2" {
		t.Errorf("the other context: %s", got)
	}
}

// The daemon is killed: its browsers end, and the next daemon clears up.
func TestDaemonKilled(t *testing.T) {
	b := newBench(t)
	b.as("a", "session", "start", "--headless")
	var status struct {
		Pid int `json:"pid"`
	}
	b.run(nil, "daemon", "status").into(t, &status)
	if err := syscall.Kill(status.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	b.await("the end of its browsers", func() bool { return len(b.browsers()) == 0 })
	a := b.run([]string{"DBRIDGE_CONTEXT_ID=a"}, "page", "list")
	if a.Error.Code != "SESSION_NOT_FOUND" || a.exit != 3 || len(a.Error.Suggestions) == 0 {
		t.Errorf("%s", a.raw)
	}
	b.await("an empty folder", func() bool { return len(b.contexts()) == 0 })
	b.as("a", "session", "start", "--headless")
}

// The browser is killed: the next command says so, and restart brings it back.
func TestBrowserKilled(t *testing.T) {
	b := newBench(t)
	var started struct {
		Pid int `json:"pid"`
	}
	b.as("a", "session", "start", "--headless").into(t, &started)
	if err := syscall.Kill(started.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var a answer
	b.await("that it is noticed", func() bool {
		a = b.run([]string{"DBRIDGE_CONTEXT_ID=a"}, "page", "list")
		return !a.OK
	})
	if a.Error.Code != "SESSION_NOT_FOUND" || a.Error.Details["reason"] != "browser_gone" {
		t.Errorf("%s", a.raw)
	}
	b.await("its folder's end", func() bool { return len(b.contexts()) == 0 })
	b.as("a", "session", "restart")
	if got := b.eval("a", "1+1"); got != "2" {
		t.Error(got)
	}
}

// Ctrl-C during a start leaves nothing.
func TestInterruptedStart(t *testing.T) {
	b := newBench(t)
	b.run(nil, "daemon", "start")
	for _, after := range []time.Duration{30, 150, 300} {
		command := exec.Command(b.binary, "session", "start", "--headless")
		command.Env = append(append([]string{}, b.env...), "DBRIDGE_CONTEXT_ID=a")
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after * time.Millisecond) // the moment is what is tried
		_ = command.Process.Signal(syscall.SIGINT)
		err := command.Wait()
		if err == nil {
			b.as("a", "session", "stop") // it was quicker
		}
		b.await("that nothing is left", func() bool { return len(b.browsers()) == 0 && len(b.contexts()) == 0 })
	}
}

// A remote browser is used and left as it was.
func TestRemoteBrowserIsLeftAsItWas(t *testing.T) {
	b := newBench(t)
	profile := t.TempDir()
	args := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + profile, "data:text/html,<title>theirs</title>"}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...)
	}
	theirs := exec.Command(chromiumPath(t), args...)
	theirs.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := theirs.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-theirs.Process.Pid, syscall.SIGKILL); _ = theirs.Wait() })
	var port string
	b.await("the other browser", func() bool {
		data, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		port, _, _ = strings.Cut(string(data), "\n")
		return port != ""
	})
	endpoint := "http://127.0.0.1:" + port
	for range 2 {
		b.as("a", "session", "start", "--profile", "remote", "--endpoint", endpoint)
		b.await("their page", func() bool { return b.eval("a", "document.title") == "theirs" })
		b.as("a", "page", "resize", "444", "333")
		if got := b.eval("a", "innerWidth"); got != "444" {
			t.Errorf("width %s", got)
		}
		b.as("a", "session", "stop")
	}
	b.as("a", "session", "start", "--endpoint", profile)
	if got := b.eval("a", "document.title"); got != "theirs" {
		t.Errorf("after our end its page is %q", got)
	}
	status := b.as("a", "session", "status", "--details")
	if strings.Contains(status.raw, "/devtools/browser/") {
		t.Errorf("status tells the way into the browser: %s", status.raw)
	}
	b.as("a", "session", "stop")
	if theirs.ProcessState != nil || syscall.Kill(theirs.Process.Pid, 0) != nil {
		t.Error("their browser ended")
	}
}

func TestStartThatFails(t *testing.T) {
	b := newBench(t)
	script := filepath.Join(t.TempDir(), "no-browser")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho 'cannot open display' >&2\nexit 7\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code string
		exit int
	}{
		{[]string{"--executable", "/nowhere/chrome"}, "BROWSER_LAUNCH_FAILED", 6},
		{[]string{"--executable", script}, "BROWSER_LAUNCH_FAILED", 6},
		{[]string{"--endpoint", "127.0.0.1:1"}, "", 0},
		{[]string{"--headless", "--url", "file:///etc/passwd"}, "POLICY_DENIED", 9},
		{[]string{"--headless", "--headed"}, "VALIDATION_ERROR", 2},
		{[]string{"--viewport", "big"}, "VALIDATION_ERROR", 2},
		{[]string{"--profile", "../up"}, "VALIDATION_ERROR", 2},
		{[]string{"--profile", "user"}, "SESSION_NOT_FOUND", 3},
	} {
		a := b.run([]string{"DBRIDGE_CONTEXT_ID=a"}, append([]string{"session", "start"}, c.args...)...)
		if a.OK || c.code != "" && (a.Error.Code != c.code || a.exit != c.exit) || len(a.Error.Suggestions) == 0 {
			t.Errorf("%v: exit %d %s", c.args, a.exit, a.raw)
		}
		if left := b.contexts(); len(left) != 0 {
			t.Errorf("%v left %v", c.args, left)
		}
	}
}

// H17: a disk that is full.
func TestH17DiskFull(t *testing.T) {
	b := newBench(t)
	small := filepath.Join(b.home, "state", "contexts")
	b.run(nil, "daemon", "start")
	if err := os.MkdirAll(small, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=64k,mode=0700"); err != nil {
		t.Skip("cannot mount a small disk: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(small, syscall.MNT_DETACH) })
	if err := os.WriteFile(filepath.Join(small, "full"), make([]byte, 1<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	a := b.run([]string{"DBRIDGE_CONTEXT_ID=a"}, "session", "start", "--headless", "--timeout", "20000")
	if !a.OK && a.Error.Code != "BROWSER_LAUNCH_FAILED" && a.Error.Code != "FILE_ACCESS_FAILED" && a.Error.Code != "TIMEOUT" {
		t.Errorf("%s", a.raw)
	}
	if a := b.run(nil, "daemon", "status"); !a.OK {
		t.Errorf("the daemon does not serve: %s", a.raw)
	}
	if a.OK {
		b.as("a", "session", "stop")
	}
	b.await("that nothing is left", func() bool { return len(b.browsers()) == 0 })
}
