package command

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/apps"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// caused is the long form of an action.
type caused struct {
	t    *testing.T
	data map[string]any
}

func (c caused) rows(list string) []map[string]any {
	var rows []map[string]any
	all, _ := c.data[list].([]any)
	for _, row := range all {
		fields, _ := row.(map[string]any)
		rows = append(rows, fields)
	}
	return rows
}

// row gives the first row of a list whose field fits, or fails.
func (c caused) row(list, field, pattern string) map[string]any {
	c.t.Helper()
	for _, row := range c.rows(list) {
		if regexp.MustCompile(pattern).MatchString(fmt.Sprint(row[field])) {
			return row
		}
	}
	c.t.Errorf("no %s with %s %q in %v", list, field, pattern, c.data)
	return map[string]any{}
}

// inOrder: the row was added, then removed.
func (c caused) inOrder(late bool) {
	c.t.Helper()
	added, removed := c.row("changes", "text", `"Butter".* added`), c.row("changes", "text", `"Butter".* removed from list "Orders"`)
	first, _ := added["at"].(float64)
	then, _ := removed["at"].(float64)
	if added["late"] == true || (removed["late"] == true) != late || first >= then {
		c.t.Errorf("added %v, removed %v", added, removed)
	}
}

// acted runs an action and gives what its answer tells, and what observe cause does.
func acted(t *testing.T, e *commandtest.Env, args ...string) (after map[string]any, all caused) {
	t.Helper()
	e = told(t, e)
	data := e.OK(args...)
	after, _ = data["after"].(map[string]any)
	words := []string{"observe", "cause"}
	if id, ok := after["cause"].(string); ok {
		words = append(words, id)
	}
	return after, caused{t, e.OK(words...)}
}

// told is e as a subtest has it.
func told(t *testing.T, e *commandtest.Env) *commandtest.Env {
	own := *e
	own.T = t
	return &own
}

func tells(t *testing.T, after map[string]any, patterns ...string) {
	t.Helper()
	changes, _ := after["changes"].([]any)
	for _, pattern := range patterns {
		if !slices.ContainsFunc(changes, func(line any) bool { return regexp.MustCompile(pattern).MatchString(fmt.Sprint(line)) }) {
			t.Errorf("nothing like %q in %v", pattern, after)
		}
	}
}

// What an action sets off is told by its answer in short and by observe cause at length,
// with the ids of the stores.
func TestCause(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/cause")
	flows(t, e)
	managedFlows(t, e)
}

// flows are those that work over every browser at level control.
func flows(t *testing.T, e *commandtest.Env) {
	t.Run("a form sent by fetch", func(t *testing.T) {
		_, all := acted(t, e, "element", "click", `button "Add"`)
		request := all.row("requests", "url", `^/cause/save\?status=200$`)
		if request["status"] != 200.0 || request["method"] != "POST" || request["late"] == true {
			t.Errorf("%v", request)
		}
		if got := e.OK("network", "get", fmt.Sprint(request["id"])); !strings.Contains(fmt.Sprint(got), "/cause/save") {
			t.Errorf("the id is of another request: %v", got)
		}
		all.row("changes", "text", `^listitem "7 Milk" e\d+ added under list "Orders" e\d+$`)
		all.row("changes", "text", `^status "3 orders" e\d+ appeared$`)
	})
	t.Run("a request that fails", func(t *testing.T) {
		after, all := acted(t, e, "element", "click", "#fail")
		if after["requests"] != 1.0 {
			t.Errorf("%v", after)
		}
		if request := all.row("requests", "url", "status=500"); request["status"] != 500.0 {
			t.Errorf("%v", request)
		}
		all.row("changes", "text", `^alert "Could not save" e\d+ appeared$`)
		line := all.row("console", "text", "saving failed 500")
		if got := e.OK("console", "get", fmt.Sprint(line["id"])); !strings.Contains(fmt.Sprint(got), "saving failed") {
			t.Errorf("the id is of another line: %v", got)
		}
		if text := e.Text("observe", "cause"); !regexp.MustCompile(`(?s)\n +\+\d+ request \d+ POST /cause/save\?status=500 → 500 in \d+ ms\n.*console \d+ error: saving failed.*alert "Could not save"`).MatchString(text) {
			t.Errorf("%s", text)
		}
	})
	t.Run("a row that is taken back", func(t *testing.T) {
		// While the answer waits for the request.
		after, all := acted(t, e, "element", "click", "#undo")
		for tries := 1; tries < 5 && !strings.Contains(fmt.Sprint(after["changes"]), "removed"); tries++ { // it came too late for the answer
			after, all = acted(t, e, "element", "click", "#undo")
		}
		tells(t, after, `^listitem "Butter" added under list "Orders"`, `^listitem "Butter" removed from list "Orders"`)
		all.inOrder(false)
		if request := all.row("requests", "url", "status=409"); request["status"] != 409.0 || request["pending"] == true {
			t.Errorf("%v", request)
		}
	})
	t.Run("a row that is taken back later", func(t *testing.T) {
		after, all := acted(t, e, "element", "click", "#undo-late")
		for tries := 1; tries < 5 && !strings.Contains(fmt.Sprint(all), "removed"); tries++ { // it came too late for the window
			after, all = acted(t, e, "element", "click", "#undo-late")
		}
		if changes, _ := after["changes"].([]any); len(changes) != 1 || after["pending"] != 1.0 {
			t.Errorf("%v", after)
		}
		tells(t, after, `^listitem "Butter" e\d+ added under list "Orders"`)
		all.inOrder(true)
		if request := all.row("requests", "url", "status=409"); request["status"] != 409.0 || request["late"] == true {
			t.Errorf("%v", request)
		}
	})
	t.Run("another route", func(t *testing.T) {
		after, all := acted(t, e, "element", "click", "#route")
		if after["url"] != "/cause/paid" {
			t.Errorf("%v", after)
		}
		tells(t, after, `^heading e\d+ now "Paid orders"$`, `^title now "Paid"$`)
		all.row("navigation", "text", "^/cause/paid$")
	})
}

func managedFlows(t *testing.T, e *commandtest.Env) {
	for _, one := range []struct {
		name, target string
		changes      []string
	}{
		{"several rows", "#many", []string{`^12 rows added under table "Rows" e\d+$`}},
		{"rendered again", "#rerender", []string{`^listitem "7 Milk"( e\d+)? removed from list "Orders" e\d+$`}},
		{"a dialog", "#open", []string{`^dialog "Confirm" e\d+ opened$`}},
		{"a dialog closed", "#close", []string{`^dialog "Confirm" e\d+ closed$`}},
		{"disabled", "#disable", []string{`^button "Paid" e\d+ disabled$`}},
		{"expanded", "#expand", []string{`^button "Details" e\d+ expanded$`}},
		{"checked", "#all", []string{`^checkbox "All" e\d+ checked$`, `^checkbox "One" e\d+ checked$`}},
	} {
		t.Run(one.name, func(t *testing.T) {
			after, _ := acted(t, e, "element", "click", one.target)
			tells(t, after, one.changes...)
			if list, _ := after["changes"].([]any); len(list) > len(one.changes)+1 {
				t.Errorf("told more than happened: %v", list)
			}
		})
	}
	t.Run("nothing", func(t *testing.T) {
		e := told(t, e)
		data := e.OK("element", "click", "#nothing")
		if _, told := data["after"]; told {
			t.Errorf("%v", data)
		}
		if text := e.Text("observe", "cause"); !strings.Contains(text, "nothing came of it") {
			t.Errorf("%s", text)
		}
	})
	t.Run("hostile text", func(t *testing.T) {
		after, _ := acted(t, e, "element", "click", "#hostile")
		changes, _ := after["changes"].([]any)
		text := fmt.Sprint(changes...)
		if len(changes) != 1 || len(text) > 250 || strings.ContainsAny(text, "\n\x00\x1b\u202e") {
			t.Errorf("%q", changes)
		}
	})
	t.Run("focus and a field", func(t *testing.T) {
		after, all := acted(t, e, "element", "fill", "#item", "Cheese")
		if list, _ := after["changes"].([]any); len(list) != 0 {
			t.Errorf("the field itself is told by the answer: %v", list)
		}
		if all.data["command"] != "element.fill" {
			t.Errorf("%v", all.data)
		}
	})
	t.Run("a download", func(t *testing.T) {
		_, all := acted(t, e, "element", "click", "#file")
		all.row("downloads", "text", "orders.csv")
	})
	t.Run("a navigation and a script", func(t *testing.T) {
		e := told(t, e)
		e.Goto("/cause")
		e.OK("runtime", "eval", "document.querySelector('#disable').disabled = true; fetch('/cause/save?status=200', { method: 'POST' }); 0")
		all := caused{t, e.OK("observe", "cause")}
		all.row("changes", "text", `^button "Pay" e\d+ disabled$`)
		all.row("requests", "url", "status=200")
	})
	t.Run("by request id", func(t *testing.T) {
		e := told(t, e)
		a := e.Run("element", "click", "#expand")
		meta := regexp.MustCompile(`"requestId":"([^"]+)"`).FindSubmatch(a.Stdout)
		if meta == nil {
			t.Fatalf("%s", a.Stdout)
		}
		e.OK("element", "click", "#nothing")
		all := caused{t, e.OK("observe", "cause", string(meta[1]))}
		if all.data["requestId"] != string(meta[1]) {
			t.Errorf("%v", all.data)
		}
		all.row("changes", "text", "expanded")
		e.Fails("VALIDATION_ERROR", 2, "observe", "cause", "a999999")
	})
	t.Run("the stream", func(t *testing.T) {
		e := told(t, e)
		before := e.OK("observe", "events", "--types", "ui_change")
		e.OK("element", "click", "#open")
		e.Eval("setTimeout(() => document.querySelector('#modal').classList.remove('show'), 50); 0")
		since := fmt.Sprint(int(before["last"].(float64)))
		var text string
		for deadline := time.Now().Add(30 * time.Second); !strings.Contains(text, `"closed"`); {
			if text = string(e.Run("observe", "events", "--types", "ui_change", "--since", since).Stdout); time.Now().After(deadline) {
				t.Fatalf("%s", text)
			}
		}
		if strings.Count(text, `"opened"`) != 1 || strings.Index(text, `"opened"`) > strings.Index(text, `"closed"`) {
			t.Errorf("%s", text)
		}
	})
	t.Run("a page that opens", func(t *testing.T) {
		after, all := acted(t, e, "element", "click", "#tab")
		if opened, _ := after["newPage"].(map[string]any); !strings.Contains(fmt.Sprint(opened["url"]), "/page/help") {
			t.Errorf("%v", after)
		}
		all.row("tabs", "text", "/page/help")
	})
}

// An app's store is among what an action changes, with the values of before.
func TestCauseInState(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(apps.Handler())
	t.Cleanup(site.Close)
	e := commandtest.Managed(t)
	e.Goto("/page/empty") // no page is behind the app's
	e.OK("page", "navigate", site.URL+"/react-redux/")
	e.OK("page", "wait-selector", "#items")
	browsertest.Until(t, time.Minute, "the store", func() bool { return strings.Contains(e.Text("state", "list"), "counter") })
	after, all := acted(t, e, "element", "click", `button "Add"`)
	tells(t, after, `^status "1"( e\d+)? appeared$`)
	row := all.row("state", "summary", `: counter/value 0 → 1$`)
	if !strings.Contains(fmt.Sprint(row["patch"]), "/counter/value") {
		t.Errorf("%v", row)
	}
	e.OK("element", "fill", `textbox "New todo"`, "Sail")
	_, all = acted(t, e, "element", "click", `button "Save"`)
	all.row("state", "summary", `: todos/1 added$`)
	all.row("changes", "text", `^listitem "Sail" e\d+ added under list`)
}

// The same over the extension, in the person's own Chrome.
func TestCauseOverTheExtension(t *testing.T) {
	t.Parallel()
	browser := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := browser.OpenTab(browser.Pages.URL("/cause"))
	browser.Connect(tab, "control")
	e := commandtest.User(t, browser)
	e.AwaitPages(1)
	t.Run("a click by the protocol", func(t *testing.T) {
		e := told(t, e)
		agent := browser.Agent()
		defer agent.Close()
		click := agent.Do("click", browsertest.Params{"target": map[string]any{"role": "button", "name": "Add"}})
		id := click.String("requestId")
		all := caused{t, e.OK("observe", "cause", id)}
		if all.data["command"] != "element.click" || all.data["requestId"] != id {
			t.Errorf("%v", all.data)
		}
		all.row("requests", "url", `^/cause/save`)
		all.row("changes", "text", `"7 Milk".* added under list`)
	})
	e.OK("page", "navigate", "--reload", "--timeout", "30000")
	flows(t, e)
}
