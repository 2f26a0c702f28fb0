package browsertest

import (
	"testing"
)

// Every page of test/pages loads without an exception of its own, and holds what its name says.
func TestFixturesLoadClean(t *testing.T) {
	t.Parallel()
	e := Start(t, Options{})
	cases := []struct{ path, holds string }{
		{"/app/", "document.querySelectorAll('#list li').length === 200 && shop.cart.lines.length === 0"},
		{"/app/support.html", "document.querySelector('#send')"},
		{"/controls", "document.querySelectorAll('input').length > 25 && document.querySelector('#mixed').indeterminate"},
		{"/targets", "document.querySelector('#open-host').shadowRoot.querySelector('#in-open') && document.querySelector('#closed-host').shadowRoot === null"},
		{"/hostile", "JSON.stringify(1).includes('forged') && spied.includes('JSON.stringify')"},
		{"/storm", "typeof mutate === 'function'"},
		{"/dialogs", "document.querySelector('#prompt')"},
		{"/csp/none", "document.querySelector('#go')"},
		{"/csp/sandbox", "document.querySelector('#go')"},
		{"/bfcache/a", "document.querySelector('#shown').textContent === 'loaded'"},
		{"/frames3", "frames.length === 2"},
		{"/frames", "frames.length === 2 && document.querySelector('#host').shadowRoot"},
		{"/form", "document.querySelectorAll('input').length === 13"},
		{"/console", "true"},
		{"/fetch", "document.title === 'Bench Fetch done'"},
		{"/list?n=1000", "document.querySelectorAll('li').length === 1000"},
		{"/unframed", "crossOriginIsolated"},
		{"/slow?ms=10", "document.querySelector('button')"},
	}
	tab := e.OpenTab("about:blank#start")
	if err := tab.Call("Runtime.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	thrown := tab.Listen("Runtime.exceptionThrown")
	for _, c := range cases {
		before := len(thrown.All())
		tab.Navigate(e.Pages.URL(c.path))
		tab.Await(c.holds)
		for _, event := range thrown.All()[before:] {
			t.Errorf("%s: %s", c.path, cut(string(event), 600))
		}
	}
	if got := len(e.Pages.Reports()); got != 0 {
		t.Errorf("%d policy violations before anything was done: %v", got, e.Pages.Reports())
	}

	t.Run("storms run at the speed they are told", func(t *testing.T) {
		tab.Navigate(e.Pages.URL("/storm"))
		var made int
		tab.Eval("mutate(1000, 300)", &made)
		if made != 300 {
			t.Errorf("%d mutations, want 300", made)
		}
	})
	t.Run("back and forward", func(t *testing.T) {
		tab.Detach()
		tab.Navigate(e.Pages.URL("/bfcache/a"))
		tab.Click("#count")
		tab.Click("#other")
		tab.Await("document.title.endsWith('b')")
		tab.Eval("void history.back()", nil)
		tab.Await("document.title.endsWith('a') && window.fromCache === true && window.count === 1")
	})
	t.Run("three levels of frames", func(t *testing.T) {
		tab.Navigate(e.Pages.URL("/frames3"))
		frame := tab.Frame("localhost:")
		if got := frame.Text("document.title"); got != "Frames, level 2" {
			t.Errorf("the other site's frame is %q", got)
		}
		frame.Await("frames.length === 1")
	})
}
