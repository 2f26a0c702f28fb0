//go:build unix

package chrome

import (
	"os"
	"path/filepath"
	"testing"
)

func TestClearSocket(t *testing.T) {
	profile, tmp := t.TempDir(), t.TempDir()
	folder := filepath.Join(tmp, "org.chromium.Chromium.aB3xYz")
	other := filepath.Join(tmp, "precious")
	for _, dir := range []string{folder, other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "SingletonSocket"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(profile, "SingletonSocket")
	for _, dir := range []string{other, folder} {
		_ = os.Remove(link)
		if err := os.Symlink(filepath.Join(dir, "SingletonSocket"), link); err != nil {
			t.Fatal(err)
		}
		ClearSocket(profile)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder of the socket is left: %v", err)
	}
	if _, err := os.Stat(filepath.Join(other, "SingletonSocket")); err != nil {
		t.Errorf("a folder that is not Chrome's was touched: %v", err)
	}
	ClearSocket(t.TempDir()) // without a socket
}
