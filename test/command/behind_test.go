package command

import (
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// A page behind another tab is seen and operated as one in front.
func TestP31PageBehindAnother(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.HTML(`<button onclick="document.title='pressed'">Press</button><div style="height:3000px"></div>`)
	e.OK("page", "open", e.Site.URL("/page/front"))
	first := []string{"--page", "1", "--timeout", "8000"}
	run := func(args ...string) map[string]any { return e.OK(append(args, first...)...) }
	run("element", "click", `button "Press"`)
	if got := run("runtime", "eval", "document.title")["value"]; got != "pressed" {
		t.Errorf("the click did not land: %v", got)
	}
	run("capture", "screenshot", "--file", e.File("behind.png"))
	run("input", "scroll", "--dy", "400")
	if got := run("page", "wait-function", "scrollY > 100")["matched"]; got != "true" {
		t.Errorf("%v", got)
	}
}
