// Package groups tests the tab groups of agents in the person's Chrome: the real
// browser, the real popup, the real daemon. A second extension moves tabs as the
// person's hand would; the product's own worker is not the person.
package groups

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// patience is for a busy machine; what is waited for comes much sooner.
const patience = 3 * browsertest.Patience

// world is a person's browser with a connected page, and a hand.
type world struct {
	*browsertest.Env
	t    *testing.T
	page *browsertest.Tab // the person's tab that is connected
	hand *browsertest.Tab
}

// begin opens the sample page and connects it at a level.
func begin(t *testing.T, level string) *world {
	t.Helper()
	ours := t.TempDir()
	if err := browsertest.WriteExtension(ours); err != nil {
		t.Fatal(err)
	}
	other, err := filepath.Abs(filepath.Join("testdata", "hand"))
	if err != nil {
		t.Fatal(err)
	}
	// The last of several flags counts.
	e := browsertest.Start(t, browsertest.Options{Extension: true, Args: []string{"--load-extension=" + ours + "," + other}})
	w := &world{Env: e, t: t}
	var id string
	browsertest.Until(t, patience, "the other extension", func() bool {
		err := e.TryWorkerEval(`chrome.debugger.getTargets().then((all) => all.map((one) => /^chrome-extension:\/\/([a-p]{32})\/sw.js$/.exec(one.url)?.[1]).find(Boolean) ?? '')`, &id)
		return err == nil && id != ""
	})
	w.hand = e.OpenTab("chrome-extension://" + id + "/hand.html")
	w.page = e.OpenTab(e.Pages.URL("/page/Mine"))
	e.Connect(w.page, level)
	w.sees("/page/Mine", true)
	return w
}

// tab is a tab as Chrome shows it.
type tab struct {
	ID       int    `json:"id"`
	Status   string `json:"status"`
	GroupID  int    `json:"groupId"`
	WindowID int    `json:"windowId"`
	Index    int    `json:"index"`
	URL      string `json:"url"`
}

// group is a tab group as Chrome shows it.
type group struct {
	ID       int    `json:"id"`
	Title    string `json:"title"`
	Color    string `json:"color"`
	WindowID int    `json:"windowId"`
}

// does lets the hand do something with Chrome's tabs.
func (w *world) does(format string, args ...any) {
	w.t.Helper()
	w.hand.Eval("("+fmt.Sprintf(format, args...)+").then(() => true)", nil)
}

// tabAt is the tab whose address ends so; nil where there is none.
func (w *world) tabAt(end string) *tab {
	w.t.Helper()
	var all []tab
	w.hand.Eval("chrome.tabs.query({})", &all)
	for i := range all {
		if strings.HasSuffix(all[i].URL, end) {
			return &all[i]
		}
	}
	return nil
}

func (w *world) groups() []group {
	w.t.Helper()
	var all []group
	w.hand.Eval("chrome.tabGroups.query({})", &all)
	return all
}

// show opens a page as the person does, and waits until Chrome says that it is loaded.
func (w *world) show(url, end string) *tab {
	w.t.Helper()
	w.OpenTab(url)
	var found *tab
	browsertest.Until(w.t, patience, "loading of "+end, func() bool {
		found = w.tabAt(end)
		return found != nil && found.Status == "complete"
	})
	return found
}

// grouped waits until a tab stands in a titled group, or in none.
func (w *world) grouped(end string, in bool) *tab {
	w.t.Helper()
	var found *tab
	browsertest.Until(w.t, patience, fmt.Sprintf("%s in a group: %v", end, in), func() bool {
		found = w.tabAt(end)
		if found == nil || (found.GroupID != -1) != in {
			return false
		}
		for _, g := range w.groups() {
			if g.ID == found.GroupID && g.Title == "" {
				return false
			}
		}
		return true
	})
	return found
}

// open lets an agent open a page beside the person's.
func (w *world) open(agent, path string) int {
	w.t.Helper()
	var opened struct {
		PageID int `json:"pageId"`
	}
	w.sends(&opened, "page", "open", w.Pages.URL(path), "--background", "--context-id", agent)
	return opened.PageID
}

// sends runs a command, and again while its answer says that it did not leave and may be sent again.
func (w *world) sends(result any, args ...string) {
	w.t.Helper()
	browsertest.Until(w.t, browsertest.Patience, strings.Join(args, " "), func() bool {
		out := w.Run(args...)
		return !strings.Contains(out.Stdout, `"retryable":true`) && !strings.Contains(out.Stdout, `"reason":"discarded"`) && w.read(out, result, args)
	})
}

// read takes a command's data out of its answer.
func (w *world) read(out browsertest.Output, result any, args []string) bool {
	w.t.Helper()
	var envelope struct {
		OK   bool            `json:"ok"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal([]byte(out.Stdout), &envelope); err != nil || !envelope.OK {
		w.t.Fatalf("dbridge %v: exit %d, stdout %s, stderr %s", args, out.Exit, out.Stdout, out.Stderr)
	}
	if result != nil {
		if err := json.Unmarshal(envelope.Data, result); err != nil {
			w.t.Fatalf("dbridge %v: data: %v", args, err)
		}
	}
	return true
}

// pages are the addresses that an agent sees, by page number.
func (w *world) pages() map[int]pageRow {
	w.t.Helper()
	var list struct {
		Pages []pageRow `json:"pages"`
	}
	out := w.Run("page", "list", "--context-id", "onlooker") // fails where there is none
	answer := struct{ Data any }{&list}
	if err := json.Unmarshal([]byte(out.Stdout), &answer); err != nil {
		w.t.Fatalf("%v: %s", err, out.Stdout)
	}
	all := make(map[int]pageRow)
	for _, row := range list.Pages {
		all[row.ID] = row
	}
	return all
}

type pageRow struct {
	ID    int    `json:"pageId"`
	URL   string `json:"url"`
	Level string `json:"level"`
}

// sees waits until agents see a page, or do not, and gives it.
func (w *world) sees(end string, want bool) pageRow {
	w.t.Helper()
	var found pageRow
	defer func() {
		if w.t.Failed() {
			w.t.Logf("agents see %+v", w.pages())
		}
	}()
	browsertest.Until(w.t, patience, fmt.Sprintf("agents see %s: %v", end, want), func() bool {
		for _, row := range w.pages() {
			if strings.HasSuffix(row.URL, end) {
				found = row
				return want
			}
		}
		return !want
	})
	return found
}

// code is the error that a command ends with.
func (w *world) code(args ...string) string {
	w.t.Helper()
	var answer struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	out := w.Run(args...)
	if err := json.Unmarshal([]byte(out.Stdout), &answer); err != nil {
		w.t.Fatalf("%v: %v: %s", args, err, out.Stdout)
	}
	return answer.Error.Code
}

// choose sets what happens to an agent's tabs on the options page, with the keyboard.
func (w *world) choose(value string) {
	w.t.Helper()
	page := w.OpenTab("chrome-extension://" + browsertest.ExtensionID + "/options.html")
	page.Await("document.querySelector('#agentTabs').value === 'keep'") // unless somebody chose
	if value != "keep" {
		page.Eval("document.querySelector('#agentTabs').focus()", nil)
		page.Press("ArrowDown")
		page.Await("document.querySelector('#saved').textContent === 'Saved'")
	}
	page.Await(fmt.Sprintf("chrome.storage.local.get('agentTabs').then(({agentTabs}) => (agentTabs ?? 'keep') === %q)", value))
	page.Close()
}
