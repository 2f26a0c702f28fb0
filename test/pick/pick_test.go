package pick

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/apps"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// shown is an element as observe picked gives it.
type shown struct {
	PageID    int               `json:"pageId"`
	FrameID   string            `json:"frameId"`
	Timestamp float64           `json:"timestamp"`
	Ref       string            `json:"ref"`
	Role      string            `json:"role"`
	Name      string            `json:"name"`
	Tag       string            `json:"tag"`
	Selector  string            `json:"selector"`
	Note      string            `json:"note"`
	Styles    map[string]string `json:"styles"`
	Diagnosis []string          `json:"diagnosis"`
	Bounds    struct{ X, Y, Width, Height float64 }
	Component struct {
		Framework  string
		Components []struct{ Name string }
	} `json:"component"`
}

// scene is a page with a button, one that cannot be pressed, one in a closed shadow root
// and one in a child frame. It counts what is pressed.
const scene = `
	document.body.innerHTML = '<h1>Pick</h1><p><button id=buy style="background: rgb(200, 0, 0); color: rgb(255, 255, 255)">Buy</button>'
		+ ' <button id=off disabled>Sold out</button></p><p id=host></p><p><button id=pale style="color: #eee; background: #fff">Pale</button></p>'
		+ '<iframe id=frame width=300 height=120 srcdoc="<body style=margin:20px><button id=inner onclick=\'parent.pressed.push(id)\'>Inside</button>"></iframe>';
	window.pressed = [];
	document.querySelector('#host').attachShadow({ mode: 'closed' }).innerHTML = '<button id=deep style="width: 90px; height: 30px">Deep</button>';
	for (const type of ['pointerdown', 'mousedown', 'click', 'contextmenu']) {
		addEventListener(type, (event) => { if (!event.target.localName.startsWith('debug-bridge')) pressed.push(type + ' ' + event.target.id); }, true);
	}
`

// fresh loads the scene and waits until its frame has a bridge.
func (w *world) fresh(t *testing.T) {
	t.Helper()
	w.tab.Navigate(w.Pages.URL("/page/Pick"))
	w.tab.Eval("void (() => {"+scene+"})()", nil)
	until(t, "the frame's bridge", func() bool {
		found := w.agent.Run("observe", "find", "Inside")
		return found.OK && strings.Contains(string(found.Stdout), `"Inside"`)
	})
}

// point begins pointing from the popup.
func (w *world) point() {
	w.T.Helper()
	popup := w.OpenPopup(w.tab)
	popup.Await("!document.querySelector('#pick').hidden")
	// The popup closes under the press, whose end is then never told.
	at := popup.Center("#pick")
	go func() { _ = popup.ClickAt(at) }()
	w.tab.Await(sheet)
}

// note waits for the note's field, writes and sends it. A press counts only once the panel
// has been seen for a moment.
func (w *world) note(t *testing.T, text string) {
	t.Helper()
	w.tab.Await(panel)
	if text != "" {
		w.tab.Type(text)
	}
	until(t, "the panel's end", func() bool {
		w.tab.Press("Enter")
		return says(w.tab, "!("+panel+")")
	})
	w.tab.Await("!(" + sheet + ")")
}

// last waits for the nth pick and gives it.
func (w *world) last(t *testing.T, n int) (one shown) {
	t.Helper()
	var all struct{ Picked []shown }
	until(t, fmt.Sprintf("pick %d", n), func() bool {
		found := w.agent.Run("observe", "picked")
		all.Picked = nil
		envelope := struct{ Data any }{&all}
		return json.Unmarshal(found.Stdout, &envelope) == nil && len(all.Picked) >= n
	})
	if len(all.Picked) != n {
		t.Fatalf("%d picked, not %d", len(all.Picked), n)
	}
	return all.Picked[0]
}

// untouched checks that the page heard of no press.
func (w *world) untouched(t *testing.T) {
	t.Helper()
	if got := w.tab.Text("pressed.join()"); got != "" {
		t.Errorf("the page heard of %s", got)
	}
}

func TestPick(t *testing.T) {
	w := begin(t, "/page/Pick", "act")
	picked := 0

	w.run(t, "popup", func(t *testing.T) {
		w.fresh(t)
		wait := w.start(t, "observe", "wait-event", "picked", "--timeout", "90000")
		w.point()
		if err := w.tab.ClickAt(w.tab.Center("#buy")); err != nil {
			t.Fatal(err)
		}
		w.note(t, "This is the one.")
		picked++
		got := w.last(t, picked)
		if got.Role != "button" || got.Name != "Buy" || got.Tag != "button" || got.Selector == "" || got.Note != "This is the one." || got.FrameID != "main" {
			t.Errorf("picked %+v", got)
		}
		if got.Styles["background-color"] != "rgb(200, 0, 0)" || got.Styles["display"] == "" || got.Styles["opacity"] != "" {
			t.Errorf("styles %v", got.Styles)
		}
		if box := w.tab.Center("#buy"); got.Bounds.X >= box.X || got.Bounds.X+got.Bounds.Width <= box.X || got.Bounds.Y >= box.Y {
			t.Errorf("bounds %+v, and its middle is %+v", got.Bounds, box)
		}
		w.untouched(t)
		var event struct{ Event shown }
		wait.end(t).into(t, &event)
		if event.Event.Ref != got.Ref || event.Event.Note != got.Note {
			t.Errorf("the event says %+v", event.Event)
		}
		// The ref is one for commands.
		w.agent.OK("element", "click", got.Ref)
		if got := w.tab.Text("pressed.join()"); !strings.Contains(got, "click buy") {
			t.Errorf("a click on the ref pressed %q", got)
		}
	})

	w.run(t, "disabled", func(t *testing.T) {
		w.fresh(t)
		w.point()
		_ = w.tab.ClickAt(w.tab.Center("#off"))
		w.note(t, "")
		picked++
		if got := w.last(t, picked); got.Name != "Sold out" || got.Note != "" {
			t.Errorf("picked %+v", got)
		}
		w.untouched(t)
	})

	w.run(t, "diagnosis", func(t *testing.T) {
		w.fresh(t)
		w.point()
		_ = w.tab.ClickAt(w.tab.Center("#pale"))
		w.note(t, "I cannot read this")
		picked++
		if got := w.last(t, picked); !strings.Contains(strings.Join(got.Diagnosis, "\n"), "contrast") {
			t.Errorf("diagnosis %q", got.Diagnosis)
		}
		if text := w.agent.Text("observe", "picked"); !strings.Contains(text, `the person: "I cannot read this"`) {
			t.Errorf("in words:\n%s", text)
		}
	})

	w.run(t, "shadow", func(t *testing.T) {
		w.fresh(t)
		w.point()
		at := w.tab.Center("#host") // the button stands at its left
		var left float64
		w.tab.Eval("document.querySelector('#host').getBoundingClientRect().x", &left)
		_ = w.tab.ClickAt(browsertest.Point{X: left + 20, Y: at.Y})
		w.note(t, "")
		picked++
		if got := w.last(t, picked); got.Name != "Deep" || !strings.Contains(got.Selector, ">>>") {
			t.Errorf("picked %+v", got)
		}
		w.untouched(t)
	})

	w.run(t, "frame", func(t *testing.T) {
		w.fresh(t)
		w.point()
		var at browsertest.Point
		w.tab.Eval(`(() => { const f = frame.getBoundingClientRect(), b = frame.contentDocument.querySelector('#inner').getBoundingClientRect();
			return { x: f.x + b.x + b.width / 2, y: f.y + b.y + b.height / 2 }; })()`, &at)
		_ = w.tab.ClickAt(at)
		w.note(t, "in the frame")
		picked++
		got := w.last(t, picked)
		if got.Name != "Inside" || got.FrameID == "main" || !strings.HasPrefix(got.Ref, got.FrameID+"e") || got.Note != "in the frame" {
			t.Errorf("picked %+v", got)
		}
		w.untouched(t)
		if says(w.tab, "frame.contentDocument.querySelector('debug-bridge-pick') !== null") {
			t.Error("the sheet of the frame is still there")
		}
	})

	w.run(t, "component", func(t *testing.T) {
		app := httptest.NewServer(apps.Handler())
		t.Cleanup(app.Close)
		w.tab.Navigate(app.URL + "/react-hooks/")
		w.tab.Await("document.querySelector('form button') !== null")
		until(t, "the app's components", func() bool { return w.agent.Run("component", "tree").OK })
		w.point()
		_ = w.tab.ClickAt(w.tab.Center("form button"))
		w.note(t, "")
		picked++
		if got := w.last(t, picked); len(got.Component.Components) == 0 || got.Component.Framework != "react" || got.Component.Components[0].Name == "" {
			t.Errorf("component %+v", got.Component)
		}
	})

	w.run(t, "escape", func(t *testing.T) {
		w.fresh(t)
		w.point()
		w.tab.Press("Escape")
		w.tab.Await("!(" + sheet + ")")
		w.tab.Await("frame.contentDocument.querySelector('debug-bridge-pick') === null")
		w.tab.Click("#buy") // the page has its pointer again
		if got := w.tab.Text("pressed.join()"); !strings.Contains(got, "click buy") {
			t.Errorf("pressed %q", got)
		}
		w.last(t, picked)
	})

	w.run(t, "note cancelled", func(t *testing.T) {
		w.fresh(t)
		w.point()
		_ = w.tab.ClickAt(w.tab.Center("#buy"))
		w.tab.Await(panel)
		w.tab.Press("Escape")
		w.tab.Await("!(" + panel + ") && !(" + sheet + ")")
		w.last(t, picked)
	})

	// Chrome has no way to press an entry of a native menu: the menu is opened by a real
	// press, and the worker hears of the choice as it would from Chrome.
	w.run(t, "context menu", func(t *testing.T) {
		w.fresh(t)
		at := w.tab.Center("#buy")
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			if err := w.tab.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "right", "clickCount": 1}, nil); err != nil {
				t.Fatal(err)
			}
		}
		w.tab.Await("pressed.includes('contextmenu buy')")
		w.WorkerEval(fmt.Sprintf(`chrome.tabs.get(%d).then((tab) => { chrome.contextMenus.onClicked.dispatch({ menuItemId: 'show-agent', frameId: 0, pageUrl: tab.url }, tab); return true; })`, w.TabID(w.tab)), nil)
		w.note(t, "by the menu")
		picked++
		if got := w.last(t, picked); got.Name != "Buy" || got.Note != "by the menu" {
			t.Errorf("picked %+v", got)
		}
	})

	w.run(t, "synthetic", func(t *testing.T) {
		w.fresh(t)
		w.point()
		// What a page makes up is no choice of the person's.
		w.tab.Eval(`void (() => { for (const type of ['pointermove', 'pointerdown', 'pointerup', 'click']) {
			document.querySelector('debug-bridge-pick').dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true, clientX: 30, clientY: 90 })); } })()`, nil)
		w.tab.Eval("dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))", nil)
		if !says(w.tab, sheet) || says(w.tab, panel) {
			t.Error("the page answered in place of the person")
		}
		w.tab.Press("Escape")
		w.tab.Await("!(" + sheet + ")")
		w.last(t, picked)
	})
}
