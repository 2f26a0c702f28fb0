package browsertest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
)

// What the extension and the installer agree on; test/repo holds them together.
const (
	HostName    = "com.debugbridge.host"
	ExtensionID = "adekpkjellmapdlcbnonkejdenognpik"
)

// EnvBinary names a dbridge program to test instead of one built from the sources.
const EnvBinary = "DBRIDGE_BIN"

// oldBinary is when a binary of an earlier run is thrown away.
const oldBinary = 2 * time.Hour

// DBridge gives the program under test, built once per test process.
var DBridge = sync.OnceValues(func() (string, error) {
	if named := os.Getenv(EnvBinary); named != "" {
		return filepath.Abs(named)
	}
	root, err := bundle.Root()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, ".build", "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	removeOld(dir)
	built, err := os.CreateTemp(dir, "building-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(built.Name())
	if err := built.Close(); err != nil {
		return "", err
	}
	command := exec.Command("go", "build", "-o", built.Name(), "./host/cmd/dbridge")
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0") // as `make build`: static, and half a millisecond less at each start
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./host/cmd/dbridge: %w\n%s", err, output)
	}
	// Test packages run beside each other: a program is named after its bytes and
	// never changed, so that no one pulls it from under another's browser.
	sum, err := checksum(built.Name())
	if err != nil {
		return "", err
	}
	final := filepath.Join(dir, "dbridge-"+sum)
	if runtime.GOOS == "windows" {
		final += ".exe"
	}
	if _, err := os.Stat(final); err == nil {
		now := time.Now()
		return final, os.Chtimes(final, now, now)
	}
	if err := os.Chmod(built.Name(), 0o755); err != nil {
		return "", err
	}
	return final, os.Rename(built.Name(), final)
})

func removeOld(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > oldBinary {
			_ = os.Remove(filepath.Join(dir, entry.Name())) // another run may have been first
		}
	}
}

func checksum(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)[:6]), nil
}

// extensionFiles gives the extension as the sources are now, or as committed
// where the npm packages are not installed. A test of its own compares the two.
var extensionFiles = sync.OnceValues(func() (map[string][]byte, error) {
	root, err := bundle.Root()
	if err != nil {
		return nil, err
	}
	if bundle.Modules(root) {
		return bundle.Extension(root)
	}
	files := make(map[string][]byte)
	dist := os.DirFS(filepath.Join(root, "extension", "dist"))
	return files, walkFiles(dist, func(name string, content []byte) { files[name] = content })
})

// writeExtension unpacks the extension into a folder.
func writeExtension(dir string) error {
	files, err := extensionFiles()
	if err != nil {
		return err
	}
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// lastLines gives the end of a text file, for a failure's output.
func lastLines(name string, n int) string {
	content, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimRight(string(content), "\n"), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "\n")
}

func marshalIndent(value any) ([]byte, error) { return json.MarshalIndent(value, "", "  ") }
