package command

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// quick builds dbr, with dbridge beside it.
func quick(t *testing.T, program string) string {
	t.Helper()
	root, err := bundle.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	dbr := filepath.Join(dir, "dbr")
	build := exec.Command("go", "build", "-o", dbr, "./host/cmd/dbr")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Symlink(program, filepath.Join(dir, "dbridge")); err != nil {
		t.Fatal(err)
	}
	return dbr
}

// The quick client answers as the whole program does, byte for byte where no time is told.
func TestQuickClient(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere it is dbridge by another name")
	}
	whole := commandtest.New(t)
	e := whole.Through(quick(t, whole.Program()))
	e.OK("session", "start", "--headless") // where no daemon runs the whole program starts one
	e.HTML(`<button id=b onclick="document.title='pressed'">Press me</button><p>words</p>`)
	for _, args := range [][]string{
		{"runtime", "eval", "({a: [1, 'ü', null]})", "--fields", "value.a"},
		{"capture", "snapshot", "-o", "text"},
		{"observe", "find", "Press", "-o", "text"},
		{"page", "navigate"},
		{"runtime", "eval", "1", "--nonsense"},
		{"runtime", "eval", "throw new Error('no')", "-o", "text"},
		{"element", "fly", "e1"},
		{"element", "click", "--help"},
		{"version"},
		{"element", "click", "#nowhere", "--timeout", "700", "-o", "text"},
	} {
		a, b := whole.Run(args...), e.Run(args...)
		strip := func(out []byte) string {
			text, _, _ := strings.Cut(string(out), `"meta":`)
			return commandtest.Unfence(t, text)
		}
		if a.Exit != b.Exit || strip(a.Stdout) != strip(b.Stdout) || !bytes.Equal(a.Stderr, b.Stderr) {
			t.Errorf("%v\ndbridge: %d %s %s\ndbr:     %d %s %s", args, a.Exit, a.Stdout, a.Stderr, b.Exit, b.Stdout, b.Stderr)
		}
	}
	e.OK("element", "click", "button \"Press me\"")
	if got := e.Eval("document.title"); got != "pressed" {
		t.Errorf("the click did not land: %v", got)
	}
	if got := e.OK("runtime", "eval", "'x'.repeat(3000000)", "--max-bytes", "4000000")["value"].(string); len(got) != 3000000 {
		t.Errorf("%d bytes of a long answer", len(got))
	}
	// Parameters on its own stdin are the whole program's affair.
	if a := e.RunInput([]byte(`{"expression":"6*7"}`), "runtime", "eval", "--input-file", "-"); a.Data["value"] != 42.0 {
		t.Errorf("%s", a.Stdout)
	}
}

// A command of a client that goes away is cancelled.
func TestQuickClientKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere it is dbridge by another name")
	}
	whole := commandtest.Managed(t)
	e := whole.Through(quick(t, whole.Program()))
	e.HTML(`<p>quiet</p>`)
	waiting := e.Command("page", "wait-function", "window.seen = (window.seen || 0) + 1, false", "--timeout", "60000")
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	e.OK("page", "wait-function", "window.seen > 3")
	if err := waiting.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = waiting.Wait() // killed
	// Its looking ends: two looks a while apart count the same.
	e.OK("page", "wait-function", "new Promise(done => { const n = window.seen; setTimeout(() => done(window.seen === n), 150) })", "--timeout", "10000")
}
