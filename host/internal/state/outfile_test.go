//go:build unix

package state

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	path, err := WriteOutput(dir, "a.txt", false, []byte("one"))
	if err != nil || path != filepath.Join(dir, "a.txt") {
		t.Fatal(path, err)
	}
	if data, _ := os.ReadFile(path); string(data) != "one" || mode(t, path).Perm() != 0o600 {
		t.Fatalf("%q, mode %v", data, mode(t, path))
	}
	if _, err := WriteOutput(dir, "a.txt", false, []byte("two")); reason(err) != "exists" {
		t.Fatal("an existing file was replaced unasked:", err)
	}
	if _, err := WriteOutput("", path, true, []byte("three")); err != nil {
		t.Fatal(err)
	}
	out, err := OpenOutput(dir, "b.txt", false)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = out.Write([]byte("half"))
	if _, err := os.Lstat(filepath.Join(dir, "b.txt")); err == nil {
		t.Fatal("half a file can be seen")
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	// Made by somebody else while we wrote.
	out, err = OpenOutput(dir, "c.txt", false)
	if err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "c.txt"), []byte("theirs"), 0o600))
	if err := out.Commit(); reason(err) != "exists" {
		t.Fatal(err)
	}
	must(t, out.Close())
	left, _ := os.ReadDir(dir)
	if len(left) != 2 {
		t.Fatalf("left over: %v", left)
	}
}

// N-30: a file that a caller names is made, for this user alone, or the name is refused with
// the reason: no link is followed, no device written, nothing that is there lost unasked.
func TestN30OutputRefuses(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "file"), link); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ name, cwd, reason string }{
		{"", dir, ""},
		{"-", dir, ""},
		{"a\x00b", dir, ""},
		{"x/", dir, ""},
		{"relative", "", ""},
		{"folder", dir, "folder"},
		{"link", dir, "link"},
		{"missing/x", dir, "no_folder"},
		{"file/x", dir, "no_folder"},
		{"/dev/null", dir, "device"},
		{"../" + filepath.Base(dir) + "/link", dir, "link"}, // the same by another way
		{dir + "/../" + filepath.Base(dir) + "/folder", dir, "folder"},
	} {
		_, err := OpenOutput(c.cwd, c.name, true)
		if err == nil || reason(err) != c.reason {
			t.Errorf("%q: %v, want reason %q", c.name, err, c.reason)
		}
	}
	if runtime.GOOS == "linux" {
		for _, name := range []string{"/proc/self/mem", "/proc/self/fd/1", "/proc/self/environ", "/proc/self/cwd", "/proc/self/x", "/sys/x"} {
			if out, err := OpenOutput(dir, name, true); err == nil {
				t.Errorf("%q was opened as %s", name, out.Path())
				_ = out.Close()
			}
		}
	}
	if _, err := OpenOutput(dir, "file", false); reason(err) != "exists" {
		t.Errorf("a file that is there: %v", err)
	}
	path, err := WriteOutput(dir, "new", false, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	for _, name := range []string{"con", "NUL.txt", "com1", "LPT9.log", "a:b", "x.", "y "} {
		if !reserved(name) {
			t.Errorf("%q is reserved by Windows", name)
		}
	}
	for _, name := range []string{"console.txt", "a.png", "com10", "nullable"} {
		if reserved(name) {
			t.Errorf("%q is not reserved", name)
		}
	}
}

func TestOutputOnAFullDisk(t *testing.T) {
	mount, err := exec.LookPath("mount")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("needs root and mount")
	}
	dir := t.TempDir()
	if out, err := exec.Command(mount, "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no tmpfs here: %v %s", err, out)
	}
	defer exec.Command("umount", dir).Run()
	if _, err := WriteOutput(dir, "big", false, make([]byte, 200<<10)); reason(err) != "disk_full" {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Fatalf("left over: %v", left)
	}
}

func reason(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		return ""
	}
	text, _ := f.Details["reason"].(string)
	return text
}
