package e2e

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// Looking at the person's own tab: frames and shut roots seen, an image and a PDF made.
func TestSeeAConnectedTab(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/frames"))
	env.Connect(tab, "control")
	env.Agent().AwaitType("ui_tree")
	run := func(args ...string) string {
		t.Helper()
		command := env.Exec(append(args, "--output", "text")...)
		command.Env = append(command.Environ(), "DBRIDGE_CONTEXT_ID=see")
		output, err := command.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v: %s", args, err, output)
		}
		return string(output)
	}
	var text string
	browsertest.Until(t, browsertest.Patience, "the innermost frame", func() bool {
		text = run("capture", "snapshot")
		return strings.Contains(text, "deep-frame2")
	})
	for _, name := range []string{"deep-top", "deep-frame1", "deep-frame2", "deep-xorigin", "deep-shadow", "deep-shadow-nested", "deep-closed"} {
		if !strings.Contains(text, `button "`+name+`"`) {
			t.Errorf("no %s in\n%s", name, text)
		}
	}
	tab.Eval(`document.body.append(document.createElement("hr"), "More words"); 1`, nil)
	if text := run("capture", "snapshot", "--diff"); !strings.Contains(text, "1 added") || !strings.Contains(text, "+ More words") {
		t.Error(text)
	}
	if text := run("observe", "find", "xorigin"); !strings.Contains(text, `button "deep-xorigin" f`) {
		t.Error(text)
	}
	if text := run("observe", "state"); !strings.Contains(text, "level control") {
		t.Error(text)
	}
	for _, c := range []struct{ verb, begins string }{{"screenshot", "\x89PNG"}, {"pdf", "%PDF-"}} {
		path, _, _ := strings.Cut(run("capture", c.verb), " ")
		if data, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(data, []byte(c.begins)) {
			t.Errorf("%s: %v, %.10q", c.verb, err, data)
		}
	}
}

// At observe the page is read, and no image of it is made.
func TestSeeAtObserve(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/form"))
	env.Connect(tab, "observe")
	env.Agent().AwaitType("ui_tree")
	if out := env.Run("capture", "snapshot"); out.Exit != 0 || !strings.Contains(out.Stdout, "Save order") {
		t.Errorf("%+v", out)
	}
	if out := env.Run("capture", "screenshot"); out.Exit != 9 || !strings.Contains(out.Stdout, "CAPABILITY_MISSING") || !strings.Contains(out.Stdout, "control") {
		t.Errorf("%+v", out)
	}
}
