package record

import (
	"bytes"
	"encoding/json"
	"image/jpeg"
	"os"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// A person records a bug with the popup, at level act, without a debugger; then an agent
// at level control; then what happened at an always-connect site is saved after the fact.
func TestRecordABug(t *testing.T) {
	server := site(t)
	e := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := e.OpenTab(server.URL + "/")
	e.Connect(tab, "act")
	user := commandtest.User(t, e)
	user.AwaitPages(1)

	popup := e.OpenPopup(tab)
	popup.Await("!document.querySelector('#record').hidden && document.querySelector('#record-on').hidden")
	shot(t, popup, "popup-idle")
	popup.Click("#record-start")
	popup.Await("!document.querySelector('#record-on').hidden")
	badge(e, tab, "●")
	popup.Click("#record-note")
	popup.Type("The order is lost")
	shot(t, popup, "popup-recording")
	if got := user.OK("record", "status"); got["recording"] != true || got["by"] != "person" {
		t.Errorf("status %v", got)
	}

	tab.Front()
	tab.Click("#customer")
	tab.Type("Ada Lovelace")
	tab.Click("#pw")
	tab.Type(typedPassword)
	tab.Click("#save")
	tab.Await("document.querySelector('#out').textContent === 'Saved for Ada Lovelace'")
	tab.Click("#break")
	// The same deed by the agent, at this level without trusted input.
	user.OK("element", "click", `button "Break"`)
	user.OK("record", "mark", "by the agent")
	tab.Click("#next")
	tab.Await("document.querySelector('#more') !== null")
	awaitGathering(t, user)
	tab.Click("#more")

	popup = e.OpenPopup(tab)
	popup.Await("!document.querySelector('#record-on').hidden")
	browsertest.Until(t, browsertest.Patience, "the note has the focus", func() bool {
		popup.Click("#record-note") // what the popup learns may still move its rows
		return popup.Text("document.activeElement.id") == "record-note"
	})
	popup.Type("The order is lost")
	popup.Await(`document.querySelector('#record-note').value === 'The order is lost'`)
	popup.Click("#record-mark")
	popup.Await("!document.querySelector('#record-mark').disabled")
	popup.Click("#record-stop")
	popup.Await("!document.querySelector('#record-file').hidden")
	shot(t, popup, "popup-saved")
	path := popup.Text("document.querySelector('#record-path').title")
	badge(e, tab, "A")

	f := open(t, path)
	if f.manifest.Note != "The order is lost" || f.manifest.Title != "Orders" {
		t.Errorf("manifest %+v", f.manifest)
	}
	f.action("person", "element.fill", `textbox "Customer"`)
	f.action("person", "element.click", `button "Save order"`)
	f.action("person", "element.click", `link "Second page"`)
	f.action("person", "element.click", `button "More"`)
	f.action("agent", "element.click", `button "Break"`)
	if n := f.count(func(e entry) bool { return e.By == "person" && e.Params["target"] == `button "Break"` }); n != 1 {
		t.Errorf("the person clicked Break %d times", n)
	}
	f.find("error", func(e entry) bool { return e.Kind == "error" && strings.Contains(e.Text, "thrown by Break") })
	f.find("mark", func(e entry) bool { return e.Kind == "mark" && e.Text == "The order is lost" })
	if mark := f.find("mark", func(e entry) bool { return e.Kind == "mark" && e.Text == "by the agent" }); mark.Picture != "" {
		if _, err := jpeg.Decode(bytes.NewReader(f.parts[mark.Picture])); err != nil {
			t.Error(err)
		}
	} else {
		t.Error("a mark of the tab in front has no picture")
	}
	if kinds := f.pageKinds(); kinds[2] < 2 {
		t.Errorf("page events by type %v", kinds)
	}
	if f.count(func(e entry) bool { return e.Kind == "network" }) != 0 || len(f.manifest.LeftOut) == 0 {
		t.Errorf("requests without a debugger, or nothing said of it: %v", f.manifest.LeftOut)
	}
	f.clean()

	t.Run("Control", func(t *testing.T) {
		e.Connect(tab, "control")
		user.OK("page", "navigate", server.URL+"/")
		user.OK("record", "start")
		user.OK("element", "fill", `textbox "Customer"`, "Grace Hopper")
		user.OK("element", "fill", "#pw", agentPassword)
		user.OK("element", "click", `button "Save order"`)
		tab.Await("document.querySelector('#out').textContent === 'Saved for Ada Lovelace'")
		f := open(t, text(user.OK("record", "stop"), "path"))
		f.action("agent", "element.click", `button "Save order"`)
		if n := f.count(func(e entry) bool { return e.By == "person" }); n != 0 {
			t.Errorf("%d of the agent's actions are the person's:\n%s", n, f.parts["timeline.jsonl"])
		}
		request := f.find("request", func(e entry) bool { return e.Kind == "network" && strings.Contains(e.URL, "/api/order") })
		if request.Status != 200 || !strings.Contains(string(f.parts[request.ResponseBody]), "Ada Lovelace") {
			t.Errorf("request %+v", request)
		}
		f.clean()
	})

	t.Run("Ring", func(t *testing.T) {
		user.Fails("TRACE_NOT_FOUND", 3, "record", "save")
		e.Disconnect(tab)
		host := strings.TrimPrefix(server.URL, "http://")
		entry, _ := json.Marshal([]map[string]any{{"site": host, "level": "act"}})
		e.WorkerEval("chrome.storage.local.set({alwaysSites: "+string(entry)+"}).then(() => true)", nil)
		again := e.OpenTab(server.URL + "/second")
		browsertest.Until(t, patience, "the ring", func() bool {
			a := user.Run("record", "status")
			return a.OK && a.Data["ring"] == true
		})
		again.Click("#more")
		popup := e.OpenPopup(again)
		popup.Await("!document.querySelector('#record-save').hidden")
		popup.Click("#record-save")
		popup.Await("!document.querySelector('#record-file').hidden")
		f := open(t, popup.Text("document.querySelector('#record-path').title"))
		if !f.manifest.FromRing {
			t.Errorf("manifest %+v", f.manifest)
		}
		f.action("person", "element.click", `button "More"`)
		// The switch in the options.
		e.WorkerEval("chrome.storage.local.set({ring: false}).then(() => true)", nil)
		browsertest.Until(t, patience, "no ring", func() bool {
			a := user.Run("record", "status")
			return a.OK && a.Data["ring"] == false
		})
	})
}

// badge waits for the toolbar button's text.
func badge(e *browsertest.Env, tab *browsertest.Tab, want string) {
	e.T.Helper()
	id, _ := json.Marshal(map[string]int{"tabId": e.TabID(tab)})
	browsertest.Until(e.T, patience, "the badge "+want, func() bool {
		var got string
		return e.TryWorkerEval("chrome.action.getBadgeText("+string(id)+")", &got) == nil && got == want
	})
}

// shot checks that the popup can be seen whole, and keeps a picture for whoever wants to look at it.
func shot(t testing.TB, popup *browsertest.Tab, name string) {
	t.Helper()
	var height int
	popup.Eval("document.documentElement.scrollHeight", &height)
	if height > 600 {
		t.Errorf("%s is %d px high; Chrome shows 600", name, height)
	}
	if dir := os.Getenv("DBRIDGE_TEST_SHOTS"); dir != "" {
		if err := os.WriteFile(dir+"/"+name+".png", popup.Screenshot(), 0o600); err != nil {
			t.Error(err)
		}
	}
}
