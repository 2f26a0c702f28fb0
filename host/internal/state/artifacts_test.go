//go:build unix

package state

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestArtifacts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "artifacts")
	a := OpenArtifacts(dir)
	now := time.Date(2026, 3, 9, 15, 30, 12, 5e6, time.Local)
	a.now = func() time.Time { return now }
	a.maxFiles = 3
	first, err := a.Write("screenshot", "png", []byte("x"))
	if err != nil || first != filepath.Join(dir, "2026-03-09", "screenshot-153012-005.png") {
		t.Fatal(first, err)
	}
	second, err := a.Write("screenshot", "png", []byte("y"))
	if err != nil || filepath.Base(second) != "screenshot-153012-005-2.png" {
		t.Fatal(second, err)
	}
	if mode(t, first).Perm() != 0o600 || mode(t, filepath.Dir(first)).Perm() != 0o700 {
		t.Fatal("others may read them")
	}
	// Not ours: neither counted nor removed.
	other := filepath.Join(dir, "notes.txt")
	must(t, os.WriteFile(other, nil, 0o600))
	stamp := func(path string, age time.Duration) { must(t, os.Chtimes(path, now.Add(-age), now.Add(-age))) }
	stamp(first, 2*time.Hour)
	stamp(second, time.Hour)
	for range 2 {
		path, err := a.Write("page", "pdf", []byte("z"))
		if err != nil {
			t.Fatal(err)
		}
		stamp(path, 0)
	}
	if _, err := os.Lstat(first); err == nil {
		t.Fatal("the oldest of four is still there")
	}
	now = now.Add(a.maxAge + time.Minute)
	if err := a.Tidy(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != "notes.txt" {
		t.Fatal(left)
	}
}
