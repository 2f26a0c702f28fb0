package groups

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// What agents open stands in a group of each one's own; popups of those pages come too.
func TestAgentsTabsStandInTheirGroup(t *testing.T) {
	w := begin(t, "control")
	w.open("a", "/page/One")
	one := w.grouped("/page/One", true)
	w.open("a", "/page/Two")
	if two := w.grouped("/page/Two", true); two.GroupID != one.GroupID {
		t.Errorf("two groups of one agent: %d and %d", one.GroupID, two.GroupID)
	}
	w.open("b", "/page/Three")
	three := w.grouped("/page/Three", true)
	if three.GroupID == one.GroupID {
		t.Error("two agents in one group")
	}
	groups := w.groups()
	if len(groups) != 2 || groups[0].Title == "" || groups[0].Title == groups[1].Title || groups[0].Color == groups[1].Color {
		t.Errorf("groups %+v", groups)
	}
	if mine := w.tabAt("/page/Mine"); mine.GroupID != -1 {
		t.Error("the person's own tab was taken into a group")
	}

	// A popup of the agent's page is in the group and connected, one to elsewhere neither.
	elsewhere := w.Pages.CrossURL("/page/Elsewhere")
	page := w.sees("/page/One", true)
	w.Data(nil, "runtime", "eval", fmt.Sprintf("for (const to of ['/page/Popup', %q]) { const b = document.createElement('button'); b.id = to.includes('Popup') ? 'same' : 'other'; b.textContent = b.id; b.onclick = () => { window.open(to) }; document.body.prepend(b); }", elsewhere),
		"--page", strconv.Itoa(page.ID), "--context-id", "a")
	w.Data(nil, "page", "activate", "--page", strconv.Itoa(page.ID), "--context-id", "a")
	for _, button := range []string{"css=#same", "css=#other"} {
		w.Data(nil, "element", "click", button, "--page", strconv.Itoa(page.ID), "--context-id", "a")
	}
	if popup := w.grouped("/page/Popup", true); popup.GroupID != one.GroupID {
		t.Error("the popup stands in another group than its opener")
	}
	w.sees("/page/Popup", true)
	w.grouped("/page/Elsewhere", false)
	w.sees("/page/Elsewhere", false)
}

// A tab that the person drags into the group is connected as by a click, at no more than
// the group has; out of it, it is not any more.
func TestDraggingInAndOut(t *testing.T) {
	w := begin(t, "act")
	agent := w.Agent()
	w.open("a", "/page/One")
	one := w.grouped("/page/One", true)
	w.show(w.Pages.URL("/page/Dragged"), "/page/Dragged")
	// What the person chose last is more than the group has.
	w.WorkerEval(`chrome.storage.local.set({levelDefault: 'control'}).then(() => true)`, nil)

	w.does("chrome.tabs.group({groupId: %d, tabIds: %d})", one.GroupID, w.tabAt("/page/Dragged").ID)
	dragged := w.sees("/page/Dragged", true)
	if dragged.Level != "act" {
		t.Errorf("connected at %s, want act", dragged.Level)
	}
	w.Data(nil, "capture", "snapshot", "--page", strconv.Itoa(dragged.ID), "--context-id", "a")

	w.does("chrome.tabs.ungroup(%d)", w.tabAt("/page/Dragged").ID)
	w.sees("/page/Dragged", false)
	if code := w.code("capture", "snapshot", "--page", strconv.Itoa(dragged.ID), "--context-id", "a"); code != "PAGE_NOT_FOUND" {
		t.Errorf("after it was dragged out: %q", code)
	}
	gone := agent.Await("the end of the dragged tab", func(m browsertest.Message) bool {
		return m.Type() == "app_disconnected" && int(m.Number("pageId")) == dragged.ID
	})
	if gone.String("reason") != "detached_by_user" {
		t.Errorf("%s", gone.Raw)
	}

	// The agent's own tab, dragged out, is out of its reach, too; the person's stays.
	w.does("chrome.tabs.ungroup(%d)", one.ID)
	w.sees("/page/One", false)
	w.sees("/page/Mine", true)
}

// What may not be connected is taken out of the group again, and the person is told why.
func TestDraggedTabThatMayNotBeConnected(t *testing.T) {
	w := begin(t, "control")
	w.open("a", "/page/One")
	one := w.grouped("/page/One", true)
	w.show("chrome://version/", "chrome://version/")
	denied := w.show(w.Pages.CrossURL("/page/Denied"), "/page/Denied")
	w.WorkerEval(fmt.Sprintf(`chrome.storage.local.set({deny: [new URL(%q).host]}).then(() => true)`, denied.URL), nil)
	for _, end := range []string{"chrome://version/", "/page/Denied"} {
		id := w.tabAt(end).ID
		w.does("chrome.tabs.group({groupId: %d, tabIds: %d})", one.GroupID, id)
		w.grouped(end, false)
		browsertest.Until(t, patience, "a badge on "+end, func() bool {
			var badge, title string
			w.WorkerEval(fmt.Sprintf("chrome.action.getBadgeText({tabId: %d})", id), &badge)
			w.WorkerEval(fmt.Sprintf("chrome.action.getTitle({tabId: %d})", id), &title)
			return badge == "!" && len(title) > len("Debug Bridge: not connected. ")
		})
	}
	popup := w.OpenTab(fmt.Sprintf("chrome-extension://%s/popup.html?tab=%d", browsertest.ExtensionID, denied.ID))
	popup.Await("document.querySelector('#tab-error').textContent.startsWith('Taken out of the group') && document.querySelector('#tab-error').textContent.includes('deny list')")
	w.sees("/page/Denied", false)
	if found := w.tabAt("/page/One"); found.GroupID != one.GroupID {
		t.Error("the agent's own tab left the group")
	}
}

// Nothing that comes into the group without the person's hand grants, and no group but ours does.
func TestOnlyTheHandGrants(t *testing.T) {
	w := begin(t, "control")
	w.open("a", "/page/One")
	one := w.grouped("/page/One", true)

	// Born between tabs of the group, as with "new tab in group", and a duplicate.
	w.open("a", "/page/Two")
	w.grouped("/page/Two", true)
	w.does("chrome.tabs.create({windowId: %d, index: %d, url: %q, active: false})", one.WindowID, w.tabAt("/page/One").Index+1, w.Pages.URL("/page/Born"))
	w.grouped("/page/Born", false)
	w.sees("/page/Born", false)

	// A group of somebody else's, though it looks like ours.
	w.show(w.Pages.URL("/page/Foreign"), "/page/Foreign")
	title := w.groups()[0].Title
	w.does("chrome.tabs.group({tabIds: %d}).then((id) => chrome.tabGroups.update(id, {title: %q}))", w.tabAt("/page/Foreign").ID, title)
	w.show(w.Pages.URL("/page/Hand"), "/page/Hand")
	w.does("chrome.tabs.group({groupId: %d, tabIds: %d})", one.GroupID, w.tabAt("/page/Hand").ID)
	w.sees("/page/Hand", true) // by then the other would be seen as well
	w.sees("/page/Foreign", false)

	// The whole group goes to another window: nothing changes hands.
	before := w.sees("/page/One", true)
	w.does("chrome.windows.create({}).then((made) => chrome.tabGroups.move(%d, {windowId: made.id, index: -1}))", one.GroupID)
	browsertest.Until(t, patience, "the group in another window", func() bool { return w.tabAt("/page/One").WindowID != one.WindowID })
	w.open("b", "/page/Later") // by then what came of the move is done
	w.grouped("/page/Later", true)
	if after := w.sees("/page/One", true); after.ID != before.ID {
		t.Errorf("page %d became %d", before.ID, after.ID)
	}
	// What the agent opens beside the person's page stands in a second group, in that window.
	w.Data(nil, "page", "use", "--page", strconv.Itoa(w.sees("/page/Mine", true).ID), "--context-id", "a")
	w.open("a", "/page/Fourth")
	fourth := w.grouped("/page/Fourth", true)
	if fourth.WindowID != one.WindowID || fourth.GroupID == one.GroupID || w.tabAt("/page/One").GroupID != one.GroupID {
		t.Errorf("%+v, the first group is %d", fourth, one.GroupID)
	}
}

// Ungrouping ends the agent's access to all tabs; closing the group closes them.
func TestUngroupAndClose(t *testing.T) {
	w := begin(t, "control")
	inGroup := func() []int {
		var ids []int
		for _, end := range []string{"/page/One", "/page/Two"} {
			w.open("a", end)
			ids = append(ids, w.grouped(end, true).ID)
		}
		return ids
	}
	ids := inGroup()
	w.does("chrome.tabs.ungroup([%d, %d])", ids[0], ids[1])
	w.sees("/page/One", false)
	w.sees("/page/Two", false)
	if len(w.groups()) != 0 {
		t.Errorf("groups %+v", w.groups())
	}
	w.does("chrome.tabs.remove([%d, %d])", ids[0], ids[1])
	ids = inGroup() // a new group for the same agent
	w.does("chrome.tabs.remove([%d, %d])", ids[0], ids[1])
	w.sees("/page/One", false)
	w.sees("/page/Two", false)
	w.sees("/page/Mine", true)
}

// An agent that is done leaves its tabs to the person, out of the group, or closes them.
func TestAgentLeaves(t *testing.T) {
	for _, how := range []string{"keep", "close"} {
		t.Run(how, func(t *testing.T) {
			w := begin(t, "control")
			w.choose(how)
			w.open("a", "/page/One")
			one := w.grouped("/page/One", true)
			w.open("b", "/page/Other")
			w.show(w.Pages.URL("/page/Dragged"), "/page/Dragged")
			w.does("chrome.tabs.group({groupId: %d, tabIds: [%d, %d]})", one.GroupID, w.tabAt("/page/Dragged").ID, w.tabAt("/page/Mine").ID)
			w.sees("/page/Dragged", true)
			w.grouped("/page/Mine", true)

			w.Data(nil, "session", "stop", "--context-id", "a")
			w.sees("/page/One", false)
			w.sees("/page/Dragged", false)
			w.grouped("/page/Dragged", false)
			w.grouped("/page/Mine", false)
			w.sees("/page/Mine", true) // connected by the person's click, and so it stays
			w.sees("/page/Other", true)
			if how == "keep" {
				w.grouped("/page/One", false)
			} else {
				browsertest.Until(t, patience, "the end of the agent's tab", func() bool { return w.tabAt("/page/One") == nil })
			}
			if groups := w.groups(); len(groups) != 1 {
				t.Errorf("groups %+v, want the other agent's alone", groups)
			}
		})
	}
}

// The worker dies: who leaves the group meanwhile is let go, who was in it stays in.
func TestWorkerKilled(t *testing.T) {
	w := begin(t, "control")
	w.open("a", "/page/One")
	one := w.grouped("/page/One", true)
	w.open("a", "/page/Two")
	two := w.grouped("/page/Two", true)
	w.show(w.Pages.URL("/page/Dragged"), "/page/Dragged")
	dragged := w.tabAt("/page/Dragged")

	w.KillWorker()
	w.does("chrome.tabs.ungroup(%d)", two.ID)
	w.sees("/page/Two", false)
	w.sees("/page/One", true)

	w.KillWorker()
	w.does("chrome.tabs.group({groupId: %d, tabIds: %d})", one.GroupID, dragged.ID)
	w.sees("/page/Dragged", true) // Chrome's word of it woke the worker
	w.KillWorker()
	w.WakeWorker()
	w.open("a", "/page/Three")
	if three := w.grouped("/page/Three", true); three.GroupID != one.GroupID {
		t.Error("after the worker's death the agent has a second group")
	}

	// Without that word nobody knows whose hand it was.
	w.WorkerEval(fmt.Sprintf(`chrome.storage.session.get('groups').then(({groups}) => {
		groups.members = groups.members.filter((member) => member.tabId !== %d);
		return chrome.storage.session.set({groups}).then(() => true);
	})`, dragged.ID), nil)
	w.KillWorker()
	w.WakeWorker()
	w.grouped("/page/Dragged", false)

	// A closed worker and a daemon that was told meanwhile: it hears of it later.
	w.KillWorker()
	w.Data(nil, "session", "stop", "--context-id", "a")
	w.WakeWorker()
	w.grouped("/page/One", false)
	w.sees("/page/One", false)
}

// A tab that sleeps keeps its place and its grant; a pinned one has left the group.
func TestSleepAndPin(t *testing.T) {
	w := begin(t, "control")
	w.open("a", "/page/One")
	one := w.grouped("/page/One", true)
	w.open("a", "/page/Two")
	w.grouped("/page/Two", true)
	w.does("chrome.tabs.discard(%d)", one.ID)
	asleep := w.grouped("/page/One", true)
	if asleep.GroupID != one.GroupID {
		t.Error("asleep in another group")
	}
	w.does("chrome.tabs.update(%d, {pinned: true})", w.tabAt("/page/Two").ID)
	w.sees("/page/Two", false)
	w.does("chrome.tabs.reload(%d)", asleep.ID)
	one2 := w.sees("/page/One", true)
	w.sends(nil, "capture", "snapshot", "--page", strconv.Itoa(one2.ID), "--context-id", "a") // once it is loaded again
	if !slices.ContainsFunc(w.groups(), func(g group) bool { return g.ID == one.GroupID }) {
		t.Error("the group is gone")
	}
}
