package confirm

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestConfirm(t *testing.T) {
	w := begin(t)

	// First: later the page is held by the context of the command line.
	w.run(t, "messages of the protocol", func(t *testing.T) {
		agent := w.Agent()
		defer agent.Close()
		agent.AwaitType("welcome")
		id := agent.Start("click", browsertest.Params{"target": browsertest.Params{"selector": "#send"}, "timeoutMs": 90000})
		w.says("#ask-deny", func() bool { return true })
		if got := agent.Result(id, patience); got.Code() != "POLICY_DENIED" {
			t.Errorf("result %s", got.Raw)
		}
		for kind, params := range map[string]browsertest.Params{
			"evaluate": {"code": "1"}, "type": {"target": browsertest.Params{"selector": "#word"}, "text": "x\n", "timeoutMs": 4000},
		} {
			if got := agent.Command(kind, params); got.Code() != "POLICY_DENIED" {
				t.Errorf("%s: %s", kind, got.Raw)
			}
		}
		if w.sent() != 0 {
			t.Error("the form was sent")
		}
	})

	w.run(t, "refused", func(t *testing.T) {
		run := w.start(t, "element", "click", "#send")
		badge := fmt.Sprintf("chrome.action.getBadgeText({ tabId: %d })", w.TabID(w.tab))
		var text string
		until(t, "the badge", func() bool { return w.TryWorkerEval(badge, &text) == nil && text == "?" })
		until(t, "the notification", func() bool { return run.asks(t)() && len(w.open()) == 1 })
		popup := w.asked(run.asks(t))
		if got := popup.Text("document.querySelector('#ask').innerText"); !strings.Contains(got, "wants to submit a form on 127.0.0.1") || !strings.Contains(got, `button "Go"`) {
			t.Errorf("the popup asks %q", got)
		}
		popup.Click("#ask-deny")
		popup.Close()
		w.tab.Front()
		run.denied(t, "refused")
		until(t, "the badge of before", func() bool { return w.TryWorkerEval(badge, &text) == nil && text == "C" })
		until(t, "the notification's end", func() bool { return len(w.open()) == 0 })
		if w.sent() != 0 {
			t.Error("the form was sent")
		}
	})

	w.run(t, "allowed once", func(t *testing.T) {
		run := w.start(t, "element", "click", "#send")
		w.says("#ask-allow", run.asks(t))
		run.allowed(t)
		if w.sent() != 1 {
			t.Errorf("the form was sent %d times", w.sent())
		}
		w.isAsked(t, "element", "click", "#send")
		if w.sent() != 1 {
			t.Error("a yes counted twice")
		}
	})

	w.run(t, "allowed later", func(t *testing.T) {
		ended := w.agent.Fails("POLICY_DENIED", 9, "element", "click", "#outside", "--timeout", "4000")
		if ended.Error.Details["reason"] != "timeout" {
			t.Errorf("details %v", ended.Error.Details)
		}
		w.says("#ask-allow", func() bool { return true })
		w.agent.OK("element", "click", "#outside")
		if w.sent() != 1 {
			t.Errorf("the form was sent %d times", w.sent())
		}
	})

	w.run(t, "by a notification", func(t *testing.T) {
		for i, want := range []bool{true, false} {
			run := w.start(t, "element", "click", "#send")
			var ids []string
			until(t, "the notification", func() bool { ids = w.open(); return len(ids) == 1 })
			press := fmt.Sprintf("(chrome.notifications.onButtonClicked.dispatch(%q, %d), true)", ids[0], i)
			until(t, "the answer", func() bool { // what has only just come up takes no press
				return w.TryWorkerEval(press, nil) == nil && len(w.open()) == 0
			})
			if want {
				run.allowed(t)
			} else {
				run.denied(t, "refused")
			}
		}
		if w.sent() != 1 {
			t.Errorf("the form was sent %d times", w.sent())
		}
	})

	// INV-A: a content script, and so a page that broke out into one, cannot answer.
	w.run(t, "not by a page", func(t *testing.T) {
		run := w.start(t, "element", "click", "#send")
		var ids []string
		until(t, "the question", func() bool { ids = w.open(); return len(ids) == 1 })
		said := fmt.Sprintf("{ kind: 'confirm', id: %q, allow: true }", strings.TrimPrefix(ids[0], "confirm:"))
		var closed bool
		w.WorkerEval(fmt.Sprintf(`chrome.scripting.executeScript({ target: { tabId: %d }, func: () => new Promise((done) => {
			const port = chrome.runtime.connect({ name: 'popup' });
			port.onDisconnect.addListener(() => done(true));
			const said = %s;
			try { port.postMessage(said); } catch {}
			chrome.runtime.sendMessage(said).catch(() => null);
		}) }).then(([{ result }]) => result)`, w.TabID(w.tab), said), &closed)
		if !closed || run.done() || len(w.open()) != 1 {
			t.Errorf("a content script answered: %s", run.out.Bytes())
		}
		w.says("#ask-deny", run.asks(t))
		run.denied(t, "refused")
	})

	w.run(t, "the page goes", func(t *testing.T) {
		run := w.start(t, "element", "click", "#send")
		until(t, "the question", func() bool { return run.asks(t)() && len(w.open()) == 1 })
		w.fresh()
		run.denied(t, "gone")
		until(t, "the notification's end", func() bool { return len(w.open()) == 0 })
	})

	w.run(t, "the worker dies", func(t *testing.T) {
		run := w.start(t, "element", "click", "#send")
		until(t, "the question", func() bool { return run.asks(t)() && len(w.open()) == 1 })
		w.KillWorker()
		w.WakeWorker()
		w.says("#ask-allow", run.asks(t))
		run.allowed(t)
		if w.sent() != 1 {
			t.Errorf("the form was sent %d times", w.sent())
		}
	})

	w.run(t, "interrupted", func(t *testing.T) {
		w.isAsked(t, "element", "click", "#send")
		if w.sent() != 0 {
			t.Error("the form was sent")
		}
	})

	w.run(t, "files", func(t *testing.T) {
		file := w.agent.File("cv.txt")
		if err := os.WriteFile(file, []byte("me"), 0o600); err != nil {
			t.Fatal(err)
		}
		held := func() (n int) { w.tab.Eval("document.querySelector('#upload').files.length", &n); return n }
		run := w.start(t, "element", "upload", "#upload", file)
		popup := w.asked(run.asks(t))
		if got := popup.Text("document.querySelector('#ask').innerText"); !strings.Contains(got, "give files to") || !strings.Contains(got, "cv.txt") || strings.Contains(got, w.Home) {
			t.Errorf("the popup asks %q", got)
		}
		popup.Click("#ask-deny")
		popup.Close()
		w.tab.Front()
		run.denied(t, "refused")
		if held() != 0 {
			t.Error("the page has the file")
		}
		run = w.start(t, "element", "upload", "#upload", file)
		w.says("#ask-allow", run.asks(t))
		run.allowed(t)
		if held() != 1 {
			t.Error("the page has no file")
		}
	})

	w.run(t, "what is asked about", func(t *testing.T) {
		point := func(selector string) []string {
			at := w.tab.Center(selector)
			return []string{fmt.Sprint(at.X), fmt.Sprint(at.Y)}
		}
		w.tab.Eval("void word.focus()", nil)
		for _, args := range [][]string{
			{"element", "click", "#inner"},
			{"element", "click", "#label"},
			{"element", "click", "#file"},
			{"element", "drag", "#send", "--dx", "1"},
			append([]string{"input", "click"}, point("#send")...),
			append([]string{"input", "mouse-up"}, point("#send")...),
			append([]string{"input", "drag", "1", "1"}, point("#send")...),
			{"input", "key", "Enter"},
			{"input", "type", "x", "--submit-key", "Enter"},
			{"input", "type", "x\n"},
			{"input", "type", "\t "},
			{"input", "key", "Alt+s"},
		} {
			w.isAsked(t, args...)
		}
		w.tab.Eval("void send.focus()", nil)
		w.isAsked(t, "input", "key", "Space")
		// Whatever could do anything.
		for _, args := range [][]string{
			{"runtime", "eval", "document.forms[0].requestSubmit()"},
			{"cdp", "send", "Performance.getMetrics"},
			{"page", "wait-function", "true"},
			{"page", "navigate", "--reload", "--init-script", "1"},
		} {
			ended := w.agent.Fails("POLICY_DENIED", 9, args...)
			if ended.Error.Details["reason"] != "unforeseen" {
				t.Errorf("%q: details %v", args, ended.Error.Details)
			}
		}
		if w.sent() != 0 {
			t.Errorf("the form was sent %d times", w.sent())
		}
	})

	w.run(t, "what is not", func(t *testing.T) {
		for _, args := range [][]string{
			{"element", "click", "#plain"},
			{"element", "click", "#alone"},
			{"element", "click", "#link"},
			{"element", "click", "#tick"},
			{"element", "fill", "#word", "some words"},
			{"element", "focus", "#long"},
			{"input", "type", "two\nlines "},
			{"input", "key", "Tab"},
		} {
			w.agent.OK(args...)
		}
		if got := w.open(); len(got) != 0 || w.sent() != 0 {
			t.Errorf("asked %q, sent %d times", got, w.sent())
		}
	})

	w.run(t, "closed", func(t *testing.T) {
		other := w.OpenTab(w.Pages.URL("/page/Other"))
		w.Connect(other, "control")
		w.agent.AwaitPages(2)
		number := ""
		for _, row := range w.agent.OK("page", "list")["pages"].([]any) {
			if one := row.(map[string]any); strings.HasSuffix(one["url"].(string), "/page/Other") {
				number = fmt.Sprint(one["pageId"])
			}
		}
		other.Eval("void (document.body.innerHTML = '<form><button id=send>Send</button></form>')", nil)
		run := w.start(t, "element", "click", "#send", "--page", number)
		until(t, "the question", func() bool { return run.asks(t)() && len(w.open()) == 1 })
		other.Close()
		if got := run.end(t); got.OK {
			t.Errorf("ended with %s", run.out.Bytes())
		}
		until(t, "the end of the question", func() bool { return len(w.open()) == 0 })
		w.tab.Front()
	})
}

// Where there is no person, there is no yes.
func TestNobodyToAsk(t *testing.T) {
	e := commandtest.Managed(t)
	e.Goto("/page/Form")
	e.HTML("<form onsubmit='return false'><button id=send>Send</button></form><button id=plain>Plain</button>")
	write(t, e.Home, "confirm = [\"submit\"]\n")
	var ended commandtest.Answer
	browsertest.Until(t, patience, "the policy", func() bool {
		ended = e.Run("element", "click", "#send")
		return !ended.OK
	})
	if ended.Code != "POLICY_DENIED" || ended.Error.Details["reason"] != "unavailable" {
		t.Errorf("ended with %s", ended.Stdout)
	}
	e.OK("element", "click", "#plain")
}
