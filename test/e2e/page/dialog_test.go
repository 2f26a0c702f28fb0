package page

import (
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// P-13: a dialog ends the command that opened it, holds up the others with its
// text, and is answered with dialog.handle.
func TestP13Dialogs(t *testing.T) {
	p := at(t, "control", "/dialogs")
	for _, c := range []struct {
		button  string
		kind    string
		message string
		answer  params
		said    string
	}{
		{"alert", "alert", "look", params{"accept": true}, "'alert'"},
		{"confirm", "confirm", "sure?", params{"accept": true}, "true"},
		{"confirm", "confirm", "sure?", params{"dismiss": true}, "false"},
		{"prompt", "prompt", "name?", params{"accept": true, "text": "Aurora"}, "'Aurora'"},
		{"prompt", "prompt", "name?", params{"dismiss": true}, "null"},
		{"later", "alert", "later", params{"accept": true}, ""},
	} {
		t.Run(c.button, func(t *testing.T) {
			use(t)
			from := p.Len()
			began := time.Now()
			done := p.Do("click", on(c.button))
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("the click took %v", took)
			}
			told := p.AwaitFrom(from, "the dialog", func(m browserMessage) bool { return m.Type() == "dialog" })
			if told.String("kind") != c.kind || told.String("message") != c.message {
				t.Errorf("%s", told.Raw)
			}
			if c.button != "later" && !strings.Contains(string(done.Raw), `"dialog":{`) {
				t.Errorf("the click's result is silent of it: %s", done.Raw)
			}
			for _, blocked := range []string{"click", "evaluate", "request_ui_tree"} {
				fields := map[string]params{"click": on("alert"), "evaluate": {"code": "1"}}[blocked]
				began := time.Now()
				done := p.try(blocked, fields)
				if done.Code() != "DIALOG_BLOCKING" || details(done)["message"] != c.message || time.Since(began) > time.Second {
					t.Errorf("%s after %v: %s", blocked, time.Since(began), done.Raw)
				}
			}
			answered := p.Do("dialog.handle", c.answer)
			if text(answered, "message") != c.message {
				t.Errorf("%s", answered.Raw)
			}
			if c.said != "" {
				p.Tab.Await("window.said === " + c.said)
			}
			p.Do("request_ui_tree", nil)
		})
	}
	t.Run("no dialog", func(t *testing.T) {
		use(t)
		if done := p.try("dialog.handle", params{"accept": true}); done.Code() != "DIALOG_NOT_OPEN" {
			t.Errorf("%s", done.Raw)
		}
		if done := p.try("dialog.handle", params{}); done.Code() != "VALIDATION_ERROR" {
			t.Errorf("%s", done.Raw)
		}
	})
	t.Run("opened by a script", func(t *testing.T) {
		use(t)
		done := p.Do("evaluate", params{"code": "alert('from a script')"})
		if !strings.Contains(string(done.Raw), "from a script") {
			t.Errorf("%s", done.Raw)
		}
		p.Do("dialog.handle", params{"accept": true})
	})
	t.Run("leaving", func(t *testing.T) {
		use(t)
		p.Do("click", on("guard"))
		from := p.Len()
		for _, answer := range []params{{"dismiss": true}, {"accept": true}} {
			leaving := p.Start("navigate", params{"url": "/page/left", "timeoutMs": 8000})
			asks := p.AwaitFrom(from, "the question", func(m browserMessage) bool { return m.Type() == "dialog" })
			if asks.String("kind") != "beforeunload" {
				t.Errorf("%s", asks.Raw)
			}
			from = p.Len()
			p.Do("dialog.handle", answer)
			began := time.Now()
			done := p.Result(leaving)
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("%v: answered after %v", answer, took)
			}
			if left := answer["accept"] == true; done.Success() != left {
				t.Errorf("%v: %s", answer, done.Raw)
			}
		}
		p.Do("request_ui_tree", nil)
	})
}

// A dialog where nobody can answer it for the agent: at act, and one that opened
// before the debugger came. Commands end with a hint, and go on once a person closed it.
func TestP13DialogsByHand(t *testing.T) {
	t.Run("act", func(t *testing.T) {
		p := at(t, "act", "/dialogs")
		if err := p.Tab.Call("Page.enable", nil, nil); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = p.Tab.Call("Page.disable", nil, nil) }()
		began := time.Now()
		done := p.try("click", on("alert", "timeoutMs", 1500))
		if done.Success() || time.Since(began) > 3*time.Second {
			t.Errorf("after %v: %s", time.Since(began), done.Raw)
		}
		if err := p.Tab.Call("Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil); err != nil {
			t.Fatal(err)
		}
		p.Tab.Await("window.said === 'alert'")
		p.Do("click", on("guard"))
	})
	t.Run("before the debugger", func(t *testing.T) {
		p := fresh(t, "control", "/dialogs")
		if err := p.Tab.Call("Page.enable", nil, nil); err != nil {
			t.Fatal(err)
		}
		opened := p.Tab.Listen("Page.javascriptDialogOpening")
		p.Eval(`void setTimeout(() => alert('early'), 0)`, nil)
		browsertest.Until(t, browsertest.Patience, "the dialog", func() bool { return len(opened.All()) > 0 })
		began := time.Now()
		done := p.try("evaluate", params{"code": "1", "timeoutMs": 8000})
		if done.Code() != "DIALOG_BLOCKING" || time.Since(began) > 4*time.Second {
			t.Errorf("after %v: %s", time.Since(began), done.Raw)
		}
		if err := p.Tab.Call("Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil); err != nil {
			t.Fatal(err)
		}
		if done := p.Do("evaluate", params{"code": "2"}); done.Fields["result"] != 2.0 {
			t.Errorf("%s", done.Raw)
		}
	})
}
