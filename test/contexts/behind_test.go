//go:build linux

package contexts

import (
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// A click or a move of the pointer in a tab of the person's that is behind another one
// reaches it, soon, and leaves in front what is in front.
func TestBehindAnotherTab(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/page/behind"))
	tab.Eval(`void (document.body.innerHTML = '<button onclick="this.textContent = ++n" onpointermove="moves++">0</button><p>here</p>', window.n = window.moves = 0)`, nil)
	env.Connect(tab, "control")
	hidden := func(tab *browsertest.Tab) (is bool) {
		tab.Eval("document.hidden", &is)
		return is
	}
	// The quicker of several: how long one takes depends on what else the machine does.
	quickest := func() time.Duration {
		best := time.Hour
		for range 3 {
			start := time.Now()
			env.Data(nil, "element", "click", "css=button")
			env.Data(nil, "element", "hover", "css=p")
			best = min(best, time.Since(start))
		}
		return best
	}
	tab.Front()
	quickest() // the debugger is attached
	inFront := quickest()

	other := env.OpenTab(env.Pages.URL("/page/front"))
	other.Await("!document.hidden")
	tab.Await("document.hidden")
	behind := quickest()
	t.Logf("in front %v, behind %v", inFront, behind)
	if behind > 10*inFront {
		t.Errorf("in front it takes %v, behind another tab %v", inFront, behind)
	}
	if hidden(other) || !hidden(tab) {
		t.Errorf("hidden: the tab in front %v, the one behind it %v", hidden(other), hidden(tab))
	}
	// Again and again: Chrome stops drawing what is behind after each.
	for range 4 {
		env.Data(nil, "capture", "screenshot")
	}
	var clicks int
	if tab.Eval("n", &clicks); clicks != 9 {
		t.Errorf("%d clicks arrived, of 9", clicks)
	}
}
