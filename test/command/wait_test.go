package command

import (
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestWaits(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.HTML(`<p id=p>first</p><div id=hid style="display:none">hidden words</div><iframe srcdoc="<p>framed words</p>"></iframe>`)
	later := func(script string) { e.Eval("setTimeout(() => {" + script + "}, 300); 0") }
	late := func(got map[string]any) {
		t.Helper()
		if ms, _ := got["waitedMs"].(float64); ms < 100 {
			t.Errorf("it did not wait: %v", got)
		}
	}

	e.OK("page", "wait-text", "first")
	if got := e.OK("page", "wait-text", "framed words"); got["frame"] != "f1" {
		t.Errorf("%v", got)
	}
	later("p.textContent = 'second   thing'")
	got := e.OK("page", "wait-text", "nothing", "second thing")
	if late(got); got["matched"] != "second thing" {
		t.Errorf("%v", got)
	}
	later("p.remove()")
	late(e.OK("page", "wait-text", "second thing", "--gone"))
	if a := e.Fails("TIMEOUT", 4, "page", "wait-text", "hidden words", "--timeout", "700"); !strings.Contains(a.Error.Message, "hidden words") {
		t.Errorf("%+v", a.Error)
	}

	e.OK("page", "wait-selector", "#hid", "attached")
	e.OK("page", "wait-selector", "#hid", "hidden")
	e.OK("page", "wait-selector", "#p", "detached")
	later("hid.style.display = 'block'")
	late(e.OK("page", "wait-selector", "#hid"))
	if a := e.Fails("TIMEOUT", 4, "page", "wait-selector", "#hid", "detached", "--timeout", "600"); a.Error.Details["count"] != 1.0 {
		t.Errorf("%+v", a.Error)
	}
	e.Fails("VALIDATION_ERROR", 2, "page", "wait-selector", "#hid", "purple")

	later("history.pushState({}, '', '/orders/17')")
	if got := e.OK("page", "wait-url", "/orders/*"); !strings.HasSuffix(got["url"].(string), "/orders/17") {
		t.Errorf("%v", got)
	}
	e.OK("page", "wait-url", `/\/orders\/\d+$/`)
	e.OK("page", "wait-url", "**/orders/**")
	if a := e.Fails("TIMEOUT", 4, "page", "wait-url", "/elsewhere/*", "--timeout", "500"); !strings.Contains(a.Error.Message, "/orders/17") {
		t.Errorf("%+v", a.Error)
	}

	later("window.ready = {n: 5}")
	if got := e.OK("page", "wait-function", "window.ready"); got["value"].(map[string]any)["n"] != 5.0 {
		t.Errorf("%v", got)
	}
	if a := e.Fails("TIMEOUT", 4, "page", "wait-function", "missing.thing", "--timeout", "4000"); !strings.Contains(a.Error.Message, "ReferenceError") {
		t.Errorf("%+v", a.Error)
	}
}

func TestWaitIdle(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/idle")
	e.Eval("fetch('/slow?ms=900').then(() => document.title = 'fetched'); 0")
	e.OK("page", "wait-idle", "--quiet", "200")
	if got := e.Eval("document.title"); got != "fetched" {
		t.Errorf("it was idle before the request was over: %v", got)
	}
	e.Eval("setInterval(() => document.body.append('.'), 50); 0")
	start := time.Now()
	if a := e.Fails("TIMEOUT", 4, "page", "wait-idle", "--timeout", "1500"); !strings.Contains(a.Error.Message, "changed") {
		t.Errorf("%+v", a.Error)
	}
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
}

// A navigation in the middle of a wait ends nothing: the next page is looked at.
func TestP01WaitOverNavigation(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/one")
	e.Eval("setTimeout(() => location.href = '/page/two', 400); 0")
	e.OK("page", "wait-text", "two")
	e.Eval("setTimeout(() => location.href = '/page/three', 400); 0")
	e.OK("page", "wait-function", "document.title === 'three'")
}
