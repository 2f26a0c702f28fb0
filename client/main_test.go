package client_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// site is the address of the page that the examples look at.
var site string

// The examples run for real: dbridge in PATH, a home of their own, a page to look at, a
// browser that is found. Without one they are compiled only.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(inside(m))
}

func inside(m *testing.M) int {
	browser, err := chromium.Find()
	if err != nil {
		fmt.Fprintln(os.Stderr, "no Chromium, so the examples are not run:", err)
		return 0
	}
	home, err := os.MkdirTemp("", "dbx") // short: sockets have short names
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(home) //nolint:errcheck // of a temporary folder
	program, err := browsertest.DBridge()
	if err != nil {
		return failed(err)
	}
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		return failed(err)
	}
	if err := os.Symlink(program, filepath.Join(bin, "dbridge")); err != nil {
		return failed(err)
	}
	served, err := pages.Serve()
	if err != nil {
		return failed(err)
	}
	defer served.Close() //nolint:errcheck // the process ends
	site = served.URL("/page/form")
	for name, value := range map[string]string{
		"PATH": bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "DBRIDGE_HOME": home, "DBRIDGE_PORT": "0",
		"DBRIDGE_CONTEXT_ID": "examples", "DBRIDGE_CHROME": browser,
	} {
		if err := os.Setenv(name, value); err != nil {
			return failed(err)
		}
	}
	defer func() {
		if out, err := exec.Command(program, "daemon", "stop").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "daemon stop: %v\n%s", err, out)
		}
	}()
	return m.Run()
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
