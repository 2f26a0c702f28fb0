//go:build unix

package state

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func wantRefused(t *testing.T, err error, path string) *fault.Error {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.FileAccessFailed {
		t.Fatalf("got %v, want FILE_ACCESS_FAILED", err)
	}
	if path != "" && f.Details["path"] != path {
		t.Fatalf("details.path is %v, want %s (%s)", f.Details["path"], path, f.Message)
	}
	if len(f.Suggestions) == 0 {
		t.Fatal("no suggestion")
	}
	return f
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestOpenMakesPrivateDirectories(t *testing.T) {
	home := open(t)
	for _, dir := range []string{home.Root, home.Run, home.State} {
		if m := mode(t, dir); m != 0o700 {
			t.Errorf("%s has mode %o", dir, m)
		}
	}
	if home.Socket() != filepath.Join(home.Root, "run", "daemon.sock") || home.Extension != filepath.Join(home.Root, "extension") {
		t.Fatalf("paths: %+v %s", home, home.Socket())
	}
	if _, err := Open(); err != nil {
		t.Fatalf("a second time: %v", err)
	}
}

func TestOpenXDG(t *testing.T) {
	root := t.TempDir()
	t.Setenv(EnvHome, "")
	t.Setenv("XDG_STATE_HOME", root+"/state")
	t.Setenv("XDG_DATA_HOME", root+"/data")
	t.Setenv("XDG_RUNTIME_DIR", root+"/runtime")
	home, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if home.Run != root+"/state/debug-bridge" {
		t.Errorf("without a runtime directory: %s", home.Run)
	}
	if err := os.Mkdir(root+"/runtime", 0o700); err != nil {
		t.Fatal(err)
	}
	if home, err = Open(); err != nil {
		t.Fatal(err)
	}
	if home.Run != root+"/runtime/debug-bridge" || home.State != root+"/state/debug-bridge" || home.Extension != root+"/data/debug-bridge/extension" || home.Root != "" {
		t.Fatalf("paths: %+v", home)
	}
	if err := os.Chmod(root+"/runtime", 0o777); err != nil {
		t.Fatal(err)
	}
	_, err = Open()
	wantRefused(t, err, root+"/runtime")
}

// H-18, N-14: what others could have planted or can change is refused, with the path and the fix.
func TestH18UnsafeHomes(t *testing.T) {
	cases := []struct {
		name  string
		setup func(t *testing.T, root string) (home, path, suggestion string)
	}{
		{"world-writable", func(t *testing.T, root string) (string, string, string) {
			must(t, os.Mkdir(root+"/h", 0o700), os.Chmod(root+"/h", 0o777))
			return root + "/h", root + "/h", "chmod go-w"
		}},
		{"group-writable", func(t *testing.T, root string) (string, string, string) {
			must(t, os.Mkdir(root+"/h", 0o700), os.Chmod(root+"/h", 0o770))
			return root + "/h", root + "/h", "chmod go-w"
		}},
		{"sticky does not make it ours", func(t *testing.T, root string) (string, string, string) {
			must(t, os.Mkdir(root+"/h", 0o700), os.Chmod(root+"/h", 0o777|os.ModeSticky))
			return root + "/h", root + "/h", "chmod go-w"
		}},
		{"world-writable parent", func(t *testing.T, root string) (string, string, string) {
			must(t, os.MkdirAll(root+"/p/h", 0o700), os.Chmod(root+"/p", 0o777))
			return root + "/p/h", root + "/p", "chmod go-w"
		}},
		{"writable folder inside", func(t *testing.T, root string) (string, string, string) {
			must(t, os.MkdirAll(root+"/h/run", 0o700), os.Chmod(root+"/h/run", 0o777))
			return root + "/h", root + "/h/run", "chmod go-w"
		}},
		{"a file", func(t *testing.T, root string) (string, string, string) {
			must(t, os.WriteFile(root+"/h", nil, 0o600))
			return root + "/h", root + "/h", ""
		}},
		{"link to a writable directory", func(t *testing.T, root string) (string, string, string) {
			must(t, os.Mkdir(root+"/t", 0o700), os.Chmod(root+"/t", 0o777), os.Symlink("t", root+"/h"))
			return root + "/h", root + "/t", "chmod go-w"
		}},
		{"dangling link", func(t *testing.T, root string) (string, string, string) {
			must(t, os.Symlink("nowhere", root+"/h"))
			return root + "/h", "", ""
		}},
		{"link to itself", func(t *testing.T, root string) (string, string, string) {
			must(t, os.Symlink("h", root+"/h"))
			return root + "/h", "", ""
		}},
		{"below a file", func(t *testing.T, root string) (string, string, string) {
			must(t, os.WriteFile(root+"/f", nil, 0o600))
			return root + "/f/h", root + "/f/h", ""
		}},
		{"nowhere to write", func(*testing.T, string) (string, string, string) {
			return "/proc/debug-bridge-test", "/proc/debug-bridge-test", ""
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			home, path, suggestion := c.setup(t, root)
			t.Setenv(EnvHome, home)
			_, err := Open()
			f := wantRefused(t, err, path)
			if !strings.Contains(strings.Join(f.Suggestions, "\n"), suggestion) {
				t.Fatalf("suggestions %q", f.Suggestions)
			}
		})
	}
}

func TestH18ForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	root := t.TempDir()
	must(t, os.MkdirAll(root+"/p/h", 0o700), os.Symlink("p", root+"/link"))
	must(t, os.Lchown(root+"/link", 1234, 1234))
	t.Setenv(EnvHome, root+"/link/h")
	_, err := Open()
	wantRefused(t, err, root+"/link")

	must(t, os.Chown(root+"/p", 1234, 1234))
	t.Setenv(EnvHome, root+"/p/h")
	_, err = Open()
	wantRefused(t, err, root+"/p")

	must(t, os.Chown(root+"/p", 0, 0), os.Chown(root+"/p/h", 1234, 1234))
	_, err = Open()
	f := wantRefused(t, err, root+"/p/h")
	if f.Details["owner"] != uint32(1234) {
		t.Fatalf("details %v", f.Details)
	}
}

func TestSafeHomes(t *testing.T) {
	cases := map[string]func(t *testing.T, root string) string{
		"own link": func(t *testing.T, root string) string {
			must(t, os.Mkdir(root+"/t", 0o700), os.Symlink(root+"/t", root+"/h"))
			return root + "/h"
		},
		"readable by others": func(t *testing.T, root string) string { must(t, os.Mkdir(root+"/h", 0o755)); return root + "/h" },
		"group-writable ancestor": func(t *testing.T, root string) string {
			must(t, os.Mkdir(root+"/p", 0o700), os.Chmod(root+"/p", 0o775))
			return root + "/p/h"
		},
		"odd characters": func(_ *testing.T, root string) string { return root + "/a b\nç'東" },
	}
	for name, setup := range cases {
		t.Run(name, func(t *testing.T) {
			t.Setenv(EnvHome, setup(t, t.TempDir()))
			home, err := Open()
			if err != nil {
				t.Fatal(err)
			}
			if mode(t, home.Run) != 0o700 || mode(t, home.State) != 0o700 {
				t.Fatal("the folders inside are not private")
			}
			listener, err := home.Listen()
			if err != nil {
				t.Fatal(err)
			}
			listener.Close()
		})
	}
}

func TestRelativeHome(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(EnvHome, "here")
	home, err := Open()
	if err != nil || !filepath.IsAbs(home.Root) {
		t.Fatalf("%+v %v", home, err)
	}
}

// H-18: a path that is too long for a socket falls back to a short private directory.
func TestH18LongPath(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	long := filepath.Join(t.TempDir(), strings.Repeat("long-", 30))
	t.Setenv(EnvHome, long)
	home, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if len(home.Socket()) > maxSocketPath || strings.HasPrefix(home.Socket(), long) {
		t.Fatalf("socket %s", home.Socket())
	}
	dir := filepath.Dir(home.Socket())
	if mode(t, dir) != 0o700 {
		t.Fatalf("mode %o", mode(t, dir))
	}
	listener, err := home.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if m := mode(t, home.Socket()); m != 0o600 {
		t.Fatalf("socket mode %o", m)
	}
	t.Setenv(EnvHome, long+"x")
	other, err := Open()
	if err != nil || other.Socket() == home.Socket() {
		t.Fatalf("two homes share %s (%v)", home.Socket(), err)
	}
	must(t, os.Chmod(dir, 0o777))
	t.Setenv(EnvHome, long)
	_, err = Open()
	wantRefused(t, err, dir)
}

func TestSocketPathWithALongTemp(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), strings.Repeat("t", 120)))
	must(t, os.MkdirAll(os.Getenv("TMPDIR"), 0o700))
	socket, err := socketPath(strings.Repeat("/r", 100))
	if err != nil || len(socket) > maxSocketPath {
		t.Fatalf("%s %v", socket, err)
	}
	must(t, os.Remove(filepath.Dir(socket)))
}

func TestListenReplacesOnlyADeadSocket(t *testing.T) {
	home := open(t)
	first, err := home.Listen()
	if err != nil {
		t.Fatal(err)
	}
	// Closed without unlinking: what a killed daemon leaves.
	first.(*ownListener).SetUnlinkOnClose(false)
	first.Close()
	second, err := home.Listen()
	if err != nil {
		t.Fatalf("a stale socket is in the way: %v", err)
	}
	second.Close()
	must(t, os.WriteFile(home.Socket(), []byte("x"), 0o600))
	_, err = home.Listen()
	wantRefused(t, err, home.Socket())
	must(t, os.Remove(home.Socket()), os.Symlink("/tmp/elsewhere", home.Socket()))
	_, err = home.Listen()
	wantRefused(t, err, home.Socket())
	if err := CheckSocket(home.Socket()); err == nil {
		t.Fatal("a link was taken for a socket")
	}
}

// N-14, N-17: another user gets no connection, even when the modes were opened by mistake.
func TestN17OtherUserIsDropped(t *testing.T) {
	if socket := os.Getenv("STATE_TEST_CONNECT"); socket != "" {
		conn, err := net.Dial("unix", socket)
		must(t, err, conn.SetReadDeadline(time.Now().Add(5*time.Second)))
		if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
			t.Fatalf("got %v", err)
		}
		return
	}
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("needs root and setpriv")
	}
	home := open(t)
	// The other user must be able to run it.
	binary, err := os.ReadFile(os.Args[0])
	must(t, err, os.WriteFile(filepath.Join(home.Run, "probe"), binary, 0o755))
	listener, err := home.Listen()
	if err != nil {
		t.Fatal(err)
	}
	for dir := home.Run; dir != "/"; dir = filepath.Dir(dir) {
		if strings.HasPrefix(dir, os.TempDir()+"/") {
			must(t, os.Chmod(dir, 0o755))
		}
	}
	must(t, os.Chmod(home.Socket(), 0o666))
	accepted := make(chan error, 1)
	go func() {
		conn, err := listener.Accept()
		if err == nil {
			conn.Close()
		}
		accepted <- err
	}()
	command := exec.Command(setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", filepath.Join(home.Run, "probe"), "-test.run=^TestN17OtherUserIsDropped$")
	command.Env, command.Dir = append(os.Environ(), "STATE_TEST_CONNECT="+home.Socket()), "/"
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("the other user was not simply closed: %v\n%s", err, out)
	}
	listener.Close()
	if err := <-accepted; err == nil {
		t.Fatal("another user's connection was accepted")
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
