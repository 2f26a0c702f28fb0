package command

import (
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// Whatever a command's own time limit cuts short ends with exit 4, and is never told as
// somebody's cancel.
func TestTimeLimitIsNoCancel(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.HTML(`<button>x</button><input>`)
	for _, line := range []string{
		"observe find x", "observe targets", "capture snapshot", "capture screenshot", "element click css=button",
		"element fill css=input v", "input key a", "runtime eval 1", "emulation set --offline", "emulation reset", "session restart --headless",
	} {
		for range 4 {
			a := e.Run(append(strings.Fields(line), "--timeout", "1")...)
			if a.Code != "TIMEOUT" && a.Code != "INDETERMINATE" && !a.OK || !a.OK && a.Exit != 4 {
				t.Errorf("%s: exit %d %s", line, a.Exit, a.Stdout)
			}
		}
	}
}
