//go:build linux

package contexts

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// A line of the console reads as the console shows it, whether the page's hook or the
// debugger told it.
func TestConsoleFormatting(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/page/console"))
	var last int
	for _, level := range []string{"observe", "control"} {
		env.Connect(tab, level)
		if level == "observe" { // the page's hook comes a moment after the grant
			heard := time.Now().Add(browsertest.Patience)
			for tab.Eval("void console.log('probe')", nil); env.Run("console", "wait", "probe", "--since", "0", "--timeout", "500").Exit != 0; tab.Eval("void console.log('probe')", nil) {
				if time.Now().After(heard) {
					t.Fatal("no line is heard")
				}
			}
		}
		if level == "control" {
			env.Data(nil, "runtime", "eval", "1") // attaches the debugger
		}
		tab.Eval(`void console.log('%c`+level+`%c %s: %d of %i, %f%% %o', 'color: red', '', 'cart', 3.7, '12 items', '1.50', {a: 1}, 'rest')`, nil)
		var line struct {
			ID   int    `json:"id"`
			Text string `json:"text"`
		}
		env.Data(&line, "console", "wait", level, "--since", "0", "--timeout", "20000")
		if !strings.HasPrefix(line.Text, level+" cart: 3 of 12, 1.5% {") || !strings.HasSuffix(line.Text, "} rest") {
			t.Errorf("%s: %q", level, line.Text)
		}
		last = line.ID
	}
	out := env.Run("console", "get", strconv.Itoa(last), "--output", "text")
	if !strings.Contains(out.Stdout, "control cart: 3 of 12") {
		t.Errorf("console get: %s", out.Stdout)
	}
}
