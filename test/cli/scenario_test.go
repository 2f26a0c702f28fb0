package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// scenario is what testdata/scenario.sh prints, line by line.
const scenario = `browser managed
Harbour Supplies
Harbour Supplies
filled 2
Signed in as Ada
snapshot has products
POST 200 /api/session
out of order
console has errors: true
chosen: true
exit 3 PAGE_NOT_FOUND
went on with: dbridge page list
batch true 2
stopped true
exit 3 SESSION_NOT_FOUND
`

// A job from start to stop as a shell script, with jq and pipes; nothing of it is left.
func TestScenario(t *testing.T) {
	t.Parallel()
	need := func(err error, hint string) {
		t.Helper()
		switch {
		case err == nil:
		case os.Getenv("CI") != "":
			t.Fatalf("%v: %s", err, hint)
		default:
			t.Skipf("%v: %s", err, hint)
		}
	}
	_, err := exec.LookPath("jq")
	need(err, "`make setup` installs jq")
	browser, err := chromium.Find()
	need(err, "`make setup` installs Chromium")
	script, err := filepath.Abs("testdata/scenario.sh")
	if err != nil {
		t.Fatal(err)
	}
	site, err := pages.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	p := newPlace(t, "DBRIDGE_CONTEXT_ID=scenario", "URL="+site.URL(""), "CHROMIUM="+browser,
		"PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	command := exec.Command("sh", script)
	command.Env, command.Dir = p.env, t.TempDir()
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil || stdout.String() != scenario || stderr.Len() > 0 {
		t.Errorf("%v\n%s\nwant\n%s\nstderr\n%s", err, stdout.String(), scenario, stderr.String())
	}
	// The browser's profile lies in the home: no process may name it any more.
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range commands {
		if line, err := os.ReadFile(name); err == nil && strings.Contains(string(line), "--user-data-dir="+p.home) {
			t.Errorf("left behind: %s", bytes.ReplaceAll(line, []byte{0}, []byte(" ")))
		}
	}
}
