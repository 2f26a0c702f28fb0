package pick

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// said is what the person answered.
type said struct {
	Answer string `json:"answer"`
	Choice string `json:"choice"`
	Words  string `json:"words"`
	URL    string `json:"url"`
}

// first is the place of the first button of a panel in its corner.
func (w *world) first() (at browsertest.Point) {
	w.T.Helper()
	w.tab.Eval("(({ x, bottom }) => ({ x: x + 50, y: bottom - 56 }))(document.querySelector('debug-bridge-panel').getBoundingClientRect())", &at)
	return at
}

// press presses the first button until it counts.
func (w *world) press(t *testing.T, run *waiting) {
	t.Helper()
	at := w.first()
	until(t, "the person's answer", func() bool {
		_ = w.tab.ClickAt(at)
		return run.done()
	})
}

func TestAsk(t *testing.T) {
	w := begin(t, "/page/Ask", "observe")

	w.run(t, "answered", func(t *testing.T) {
		w.tab.Navigate(w.Pages.URL("/page/Ask"))
		w.tab.Eval("void (document.body.innerHTML = '<input id=mine autofocus>', mine.focus())", nil)
		run := w.start(t, "page", "ask-human", "What is the code?", "--timeout", "90000")
		w.tab.Await(panel)
		if got := w.tab.Text("document.activeElement.id"); got != "mine" {
			t.Errorf("the focus went to %q", got)
		}
		// Others go on meanwhile, and do not see the panel.
		if snapshot := w.agent.Text("capture", "snapshot"); strings.Contains(snapshot, "What is the code?") {
			t.Errorf("the panel is part of the page:\n%s", snapshot)
		}
		// The page can neither read nor press it.
		if w.tab.Text("document.documentElement.innerText + document.querySelector('debug-bridge-panel').innerHTML") != "" &&
			strings.Contains(w.tab.Text("document.documentElement.innerText + document.querySelector('debug-bridge-panel').innerHTML"), "code") {
			t.Error("the page reads the question")
		}
		w.tab.Eval(`void (() => { const at = document.querySelector('debug-bridge-panel'), { x, bottom } = at.getBoundingClientRect();
			const init = { bubbles: true, composed: true, clientX: x + 50, clientY: bottom - 56 };
			for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) at.dispatchEvent(new PointerEvent(type, init));
			at.click(); at.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true })); })()`, nil)
		// By keyboard alone, as one who has no mouse.
		w.tab.Press("Tab")
		w.tab.Await("document.activeElement.localName === 'debug-bridge-panel'")
		w.tab.Press("Tab")
		w.tab.Type("1234")
		if run.done() {
			t.Fatalf("answered without the person: %s", run.out.Bytes())
		}
		until(t, "the answer", func() bool {
			if !run.done() {
				w.tab.Press("Enter")
			}
			return run.done()
		})
		var got said
		run.end(t).into(t, &got)
		if got.Answer != "done" || got.Words != "1234" || !strings.HasSuffix(got.URL, "/page/Ask") {
			t.Errorf("said %+v", got)
		}
		w.tab.Await("!(" + panel + ")")
	})

	w.run(t, "over navigations", func(t *testing.T) {
		run := w.start(t, "page", "ask-human", "Sign in, please", "--choices", "work,private", "--timeout", "90000")
		w.tab.Await(panel)
		badge := fmt.Sprintf("chrome.action.getBadgeText({ tabId: %d })", w.TabID(w.tab))
		var text string
		until(t, "the badge", func() bool { return w.TryWorkerEval(badge, &text) == nil && text == "?" })
		w.tab.Navigate(w.Pages.URL("/page/Challenge"))
		w.tab.Await(panel)
		w.tab.Navigate(w.Pages.URL("/page/Inside"))
		w.tab.Await(panel)
		w.press(t, run)
		var got said
		run.end(t).into(t, &got)
		until(t, "the badge of before", func() bool { return w.TryWorkerEval(badge, &text) == nil && text == "O" })
		if got.Answer != "choice" || got.Choice != "work" || !strings.HasSuffix(got.URL, "/page/Inside") {
			t.Errorf("said %+v", got)
		}
	})

	w.run(t, "taken away by the page", func(t *testing.T) {
		run := w.start(t, "page", "ask-human", "Still there?", "--timeout", "90000")
		w.tab.Await(panel)
		w.tab.Eval("document.querySelector('debug-bridge-panel').remove()", nil)
		w.tab.Await(panel)
		// A dialog makes all around it inert.
		w.tab.Eval("void (document.body.insertAdjacentHTML('beforeend', '<dialog id=modal><p>Modal'), modal.showModal())", nil)
		w.tab.Await("document.querySelector('#modal > debug-bridge-panel') !== null")
		w.press(t, run)
		var got said
		run.end(t).into(t, &got)
		if got.Answer != "done" {
			t.Errorf("said %+v", got)
		}
	})

	w.run(t, "covered", func(t *testing.T) {
		w.tab.Navigate(w.Pages.URL("/page/Covered"))
		run := w.start(t, "page", "ask-human", "Is it yours?", "--timeout", "90000")
		w.tab.Await(panel)
		// A picture over it that lets the pointer through: who presses there means the picture.
		w.tab.Eval(`void (() => { document.body.insertAdjacentHTML('beforeend', '<div id=bait popover=manual style="position:fixed;inset:0;width:100vw;height:100vh;background:#fff;pointer-events:none">You won!</div>');
			window.baiting = setInterval(() => { bait.hidePopover(); bait.showPopover(); }, 20); })()`, nil)
		w.tab.Await("bait.matches(':popover-open')")
		at := w.first()
		for range 20 {
			_ = w.tab.ClickAt(at)
		}
		if run.done() {
			t.Fatalf("a press on the picture counted: %s", run.out.Bytes())
		}
		w.tab.Eval("void (clearInterval(baiting), bait.remove())", nil)
		w.press(t, run)
		var got said
		run.end(t).into(t, &got)
		if got.Answer != "done" {
			t.Errorf("said %+v", got)
		}
	})

	w.run(t, "no answer", func(t *testing.T) {
		ended := w.agent.Fails("TIMEOUT", 4, "page", "ask-human", "Anybody?", "--timeout", "1500")
		if ended.Error.Details["reason"] != "no_answer" {
			t.Errorf("details %v", ended.Error.Details)
		}
		w.tab.Await("!(" + panel + ")")
	})

	w.run(t, "interrupted", func(t *testing.T) {
		run := w.start(t, "page", "ask-human", "Never mind", "--timeout", "90000")
		w.tab.Await(panel)
		if err := run.command.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if got := run.end(t); got.Error.Code != "CANCELLED" {
			t.Errorf("ended with %s", run.out.Bytes())
		}
		w.tab.Await("!(" + panel + ")")
	})

	w.run(t, "closed", func(t *testing.T) {
		other := w.OpenTab(w.Pages.URL("/page/Other"))
		w.Connect(other, "observe")
		w.agent.AwaitPages(2)
		number := ""
		for _, row := range w.agent.OK("page", "list")["pages"].([]any) {
			if one := row.(map[string]any); strings.HasSuffix(one["url"].(string), "/page/Other") {
				number = fmt.Sprint(one["pageId"])
			}
		}
		run := w.start(t, "page", "ask-human", "Bye", "--page", number, "--timeout", "90000")
		until(t, "the panel or an end", func() bool { return run.done() || says(other, panel) })
		other.Close()
		if got := run.end(t); got.Error.Code != "PAGE_NOT_FOUND" && got.Error.Code != "NOT_CONNECTED" {
			t.Errorf("ended with %s", run.out.Bytes())
		}
		w.tab.Front()
	})

	// The question about an element holds up no other action on the page.
	w.run(t, "about an element", func(t *testing.T) {
		w.Connect(w.tab, "act", browsertest.AnySite())
		until(t, "the level's news", func() bool { return strings.Contains(string(w.agent.Run("page", "list").Stdout), `"level":"act"`) })
		w.tab.Navigate(w.Pages.URL("/page/About"))
		w.tab.Eval("void (document.body.innerHTML = '<button id=one>One</button> <button id=two onclick=\"title=1\">Two</button>')", nil)
		w.agent.OK("page", "wait-selector", "#one") // the daemon has heard of the document
		run := w.start(t, "element", "highlight", "#one", "--ask", "This one?", "--choices", "yes,no", "--timeout", "90000")
		until(t, "panel and box", func() bool {
			if run.done() {
				t.Fatalf("ended: %s", run.out.Bytes())
			}
			return says(w.tab, panel+" && document.querySelector('debug-bridge-highlight') !== null")
		})
		w.agent.OK("element", "click", "#two")
		if run.done() {
			t.Fatalf("answered without the person: %s", run.out.Bytes())
		}
		w.press(t, run)
		var got struct{ Person said }
		run.end(t).into(t, &got)
		if got.Person.Answer != "choice" || got.Person.Choice != "yes" {
			t.Errorf("said %+v", got)
		}
		w.tab.Await("!(" + panel + ") && document.querySelector('debug-bridge-highlight') === null")
		if w.tab.Text("document.querySelector('#two').title") != "1" {
			t.Error("the other button was not pressed")
		}
	})
}
