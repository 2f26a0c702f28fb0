package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// onSmallDisk is a place whose home is a disk of 64 KiB.
func onSmallDisk(t *testing.T, env ...string) *place {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k,mode=0700"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	p := newPlace(t, append(env, "DBRIDGE_HOME="+dir)...)
	p.home = dir
	return p
}

// fill takes all room of a disk; the file is what has to go for room to be there.
func fill(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "full")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for size := 1 << 16; size > 0; size /= 2 {
		for err = nil; err == nil; _, err = file.Write(make([]byte, size)) {
		}
	}
	return name
}

// H-17: on a full disk a daemon does not start half: the refusal names the file, and
// with some room it starts as if nothing had been.
func TestH17StartOnAFullDisk(t *testing.T) {
	p := onSmallDisk(t)
	full := fill(t, p.home)
	for _, args := range [][]string{{"daemon", "start"}, {"attach", "--json"}, {"page", "list"}, {"token", "new", "x"}} {
		status, out, stderr := p.run("", args...)
		var a answer
		if json.Unmarshal([]byte(out), &a) != nil || status != 6 || a.Error.Code != "FILE_ACCESS_FAILED" || len(a.Error.Suggestions) == 0 {
			t.Errorf("%v: exit %d %s%s", args, status, out, stderr)
			continue
		}
		if path, _ := a.Error.Details["path"].(string); !strings.HasPrefix(path, p.home) || !strings.Contains(a.Error.Message, "no space left") || a.Error.Details["reason"] != "disk_full" {
			t.Errorf("%v: it does not say where and why: %s", args, out)
		}
	}
	if running := processes(binary); len(running) != 0 {
		t.Errorf("processes %v", running)
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	p.start()
	if status, out, _ := p.run("", "attach", "--json"); status != 0 || !strings.Contains(out, `"welcome"`) {
		t.Errorf("exit %d %s", status, out)
	}
}

// H-17: the disk gets full under a daemon: it goes on to serve, its stores stay whole, and
// its log says afterwards how much it lacks.
func TestH17DiskFullUnderADaemon(t *testing.T) {
	p := onSmallDisk(t)
	daemon := p.start()
	if status, _ := p.ask("token", "new", "before"); status != 0 {
		t.Fatal(status)
	}
	agent := p.attach("--since", "0")
	agent.until("welcome")
	stores := func() string {
		data, err := os.ReadFile(filepath.Join(p.home, "state", "tokens.json"))
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
	before := stores()
	full := fill(t, p.home)
	if status, a := p.ask("token", "new", "after"); status != 6 || a.Error.Code != "FILE_ACCESS_FAILED" {
		t.Errorf("token new: exit %d %+v", status, a)
	}
	if now := stores(); now != before {
		t.Errorf("the store was %s and is %s", before, now)
	}
	for range 60 { // each is a line in the log, of more than its last page
		p.knock(daemon.Data.Port)
	}
	if status, out, stderr := p.run("", "attach", "--json"); status != 0 || !strings.Contains(out, `"welcome"`) {
		t.Errorf("attach: exit %d %s%s", status, out, stderr)
	}
	if status, a := p.ask("daemon", "status"); status != 0 || a.Data.Pid != daemon.Data.Pid {
		t.Errorf("status: exit %d %+v", status, a)
	}
	if status, a := p.ask("page", "list"); status != 3 || a.Error.Code != "SESSION_NOT_FOUND" {
		t.Errorf("page list: exit %d %+v", status, a)
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	if status, _ := p.ask("token", "new", "after"); status != 0 {
		t.Errorf("with room again: exit %d", status)
	}
	p.knock(daemon.Data.Port)
	log, err := os.ReadFile(filepath.Join(p.home, "state", "dbridge.log"))
	if err != nil || !strings.Contains(string(log), `"lost":`) {
		t.Errorf("the log does not say that it lacks lines: %v\n%s", err, log)
	}
	left, err := filepath.Glob(filepath.Join(p.home, "*", ".*"))
	if err != nil || len(left) != 0 {
		t.Errorf("half-written files are left: %v %v", left, err)
	}
	if status := agent.end(); status != 0 {
		t.Errorf("the agent of before: exit %d %s", status, agent.errs.String())
	}
}

// H-17: a log that takes nothing ends no daemon.
func TestH17LogThatTakesNothing(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	p := newPlace(t, "DBRIDGE_LOG_LEVEL=debug")
	daemon := p.command("daemon", "run")
	daemon.Stderr = full
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the daemon answers", patience, func() bool { status, _ := p.ask("daemon", "status"); return status == 0 })
	if status, out, _ := p.run("", "attach", "--json"); status != 0 || !strings.Contains(out, `"welcome"`) {
		t.Errorf("exit %d %s", status, out)
	}
	if status, _ := p.ask("daemon", "stop"); status != 0 {
		t.Error(status)
	}
	if err := daemon.Wait(); err != nil {
		t.Error(err)
	}
}

// H-18: a home that cannot be written is refused by name; one that is missing is made;
// one behind a link of the user's own, with any name, is used.
func TestH18Homes(t *testing.T) {
	t.Run("read-only", func(t *testing.T) {
		p := onSmallDisk(t)
		if err := syscall.Mount("", p.home, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			t.Skip(err)
		}
		for _, args := range [][]string{{"daemon", "start"}, {"page", "list"}, {"attach", "--json"}, {"token", "new", "x"}, {"session", "start", "--headless"}} {
			status, out, stderr := p.run("", args...)
			var a answer
			if json.Unmarshal([]byte(out), &a) != nil || status != 6 || a.Error.Code != "FILE_ACCESS_FAILED" || !strings.Contains(a.Error.Message, p.home) || !strings.Contains(a.Error.Message, "read-only") {
				t.Errorf("%v: exit %d %s%s", args, status, out, stderr)
			}
		}
		if err := syscall.Mount("", p.home, "", syscall.MS_REMOUNT, "size=1m"); err != nil {
			t.Fatal(err)
		}
		p.start()
	})
	t.Run("without the right to write", func(t *testing.T) {
		setpriv, err := exec.LookPath("setpriv")
		if err != nil || os.Geteuid() != 0 {
			t.Skip("root may write everywhere, and there is no setpriv to become somebody else")
		}
		dir, err := os.MkdirTemp("", "dbh") // below a folder that others may enter
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		command := exec.Command(setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", binary, "daemon", "start")
		command.Env, command.Dir = append(os.Environ(), "DBRIDGE_HOME="+dir, "DBRIDGE_PORT=0"), "/"
		out, _ := command.Output()
		var a answer
		if json.Unmarshal(out, &a) != nil || command.ProcessState.ExitCode() != 6 || a.Error.Code != "FILE_ACCESS_FAILED" || !strings.Contains(a.Error.Message, dir) || !strings.Contains(a.Error.Message, "permission denied") {
			t.Errorf("exit %d %s", command.ProcessState.ExitCode(), out)
		}
	})
	for name, home := range map[string]func(root string) (string, error){
		"missing": func(root string) (string, error) { return filepath.Join(root, "a", "b", "c"), nil },
		"link": func(root string) (string, error) {
			if err := os.Mkdir(filepath.Join(root, "real"), 0o700); err != nil {
				return "", err
			}
			return filepath.Join(root, "link"), os.Symlink("real", filepath.Join(root, "link"))
		},
		"odd name": func(root string) (string, error) { return filepath.Join(root, "a b\n'ç\"$東\t"), nil },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			path, err := home(p.home)
			if err != nil {
				t.Fatal(err)
			}
			p.home = path
			p.env = append(p.env, "DBRIDGE_HOME="+path)
			a := p.start()
			if status, out, _ := p.run("", "attach", "--json"); status != 0 || !strings.Contains(out, `"welcome"`) {
				t.Errorf("exit %d %s", status, out)
			}
			if status, b := p.ask("daemon", "status"); status != 0 || b.Data.Pid != a.Data.Pid {
				t.Errorf("exit %d %+v", status, b)
			}
			if status, _ := p.ask("token", "new", "x"); status != 0 || !exists(filepath.Join(path, "state", "tokens.json")) {
				t.Errorf("exit %d, and no store in %q", status, path)
			}
		})
	}
}
