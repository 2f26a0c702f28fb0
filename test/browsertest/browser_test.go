package browsertest

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/pages"
)

// The harness itself, on the sample app and without the extension.
func TestTab(t *testing.T) {
	t.Parallel()
	e := Start(t, Options{})
	tab := e.OpenTab(e.Pages.URL("/app/"))
	tab.Await("document.querySelectorAll('#list li').length === 200")

	t.Run("controlled inputs take real typing only", func(t *testing.T) {
		tab.Eval(`{
			const email = document.querySelector('#email');
			email.value = 'naive';
			email.dispatchEvent(new Event('input', { bubbles: true }));
		}`, nil)
		if got := tab.Text("document.querySelector('#submit').disabled + ' ' + shop.user"); got != "true null" {
			t.Errorf("after a naive setter: %s", got)
		}
		tab.Eval("void (document.querySelector('#email').value = '')", nil)
		tab.Click("#email")
		tab.Type(pages.Email)
		tab.Press("Tab")
		tab.Type(pages.Password)
		tab.Press("Enter")
		tab.Await("shop.user && document.querySelector('#who').textContent === 'Signed in as Ada'")
	})
	t.Run("mouse", func(t *testing.T) {
		tab.Click("#product-2 button")
		tab.Await("shop.cart.total === 987 && shop.cart.lines.length === 1")
		tab.Click("#checkout")
		tab.Await("document.querySelector('#order').open")
		var cut bool
		tab.Eval(`(() => {
			const dialog = document.querySelector('#order').getBoundingClientRect();
			return document.querySelector('#order-place').getBoundingClientRect().right > dialog.right;
		})()`, &cut)
		if !cut {
			t.Error("the dialog's layout fault is not there")
		}
		tab.Click("#order-back")
	})
	t.Run("frame of another site", func(t *testing.T) {
		frame := tab.Frame("/app/support.html")
		if got := frame.Text("location.hostname"); got != "localhost" {
			t.Errorf("the frame is on %s", got)
		}
	})
	t.Run("screenshot", func(t *testing.T) {
		picture, err := png.Decode(bytes.NewReader(tab.Screenshot()))
		if err != nil || picture.Bounds().Dx() < 800 {
			t.Errorf("screenshot: %v", err)
		}
	})
	t.Run("evaluation errors are told", func(t *testing.T) {
		if err := tab.TryEval("nothing.at.all", nil); err == nil || !strings.Contains(err.Error(), "ReferenceError") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("navigation", func(t *testing.T) {
		tab.Navigate(e.Pages.CrossURL("/controls"))
		tab.Click("#button")
		tab.Await("log.includes('click button')")
		tab.Navigate(e.Pages.URL("/frames3"))
		tab.Await("frames.length === 2")
	})
	t.Run("crash and close", func(t *testing.T) {
		tab.Crash()
		tab.Close()
	})
}

func TestRestart(t *testing.T) {
	t.Parallel()
	e := Start(t, Options{})
	first := e.Browser.PID()
	e.OpenTab(e.Pages.URL("/page/one"))
	e.KillChrome()
	if e.Browser.Alive() {
		t.Error("the browser outlived its crash")
	}
	e.RestartChrome()
	if e.Browser.PID() == first {
		t.Error("the same process after the restart")
	}
	if got := e.OpenTab(e.Pages.URL("/page/two")).Text("document.title"); got != "two" {
		t.Errorf("title %q", got)
	}
	if len(e.Processes()) == 0 && processesOf("/") != nil {
		t.Error("no process of a running browser found")
	}
	e.QuitChrome()
	if e.Browser.Alive() {
		t.Error("the browser did not quit")
	}
}
