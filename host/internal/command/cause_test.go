package command

import (
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestSentence(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]protocol.ElementChange{
		`dialog "Confirm" e14 opened`:                   {Change: "opened", Ref: "e14", Role: "dialog", Name: "Confirm"},
		`12 rows added under table "Orders" e9`:         {Change: "added", Role: "row", Count: 12, Under: &protocol.ElementRef{Ref: "e9", Role: "table", Name: "Orders"}},
		`listitem "Milk" removed from e9`:               {Change: "removed", Role: "listitem", Name: "Milk", Under: &protocol.ElementRef{Ref: "e9", Role: "generic"}},
		`button "Save" e7 disabled`:                     {Change: "disabled", Ref: "e7", Role: "button", Name: "Save"},
		`text of e5 now "3 items"`:                      {Change: "text", Ref: "e5", Role: "generic", Text: "3 items"},
		`heading e5 now "Paid"`:                         {Change: "text", Ref: "e5", Role: "heading", Name: "Paid"},
		`textbox "City" e4 now holds "Oslo"`:            {Change: "value", Ref: "e4", Role: "textbox", Name: "City", Text: "Oslo"},
		`title now "Paid"`:                              {Change: "title", Text: "Paid"},
		`e3 shown`:                                      {Change: "shown", Ref: "e3", Role: "generic"},
		`alert "a\nb\x1b\u202e" e1 appeared`:            {Change: "appeared", Ref: "e1", Role: "alert", Name: "a\nb\x1b\u202e"},
		`f2e3 expanded`:                                 {Change: "expanded", Ref: "f2e3"},
		`alert "` + strings.Repeat("x", 80) + `…" gone`: {Change: "gone", Role: "alert", Name: strings.Repeat("x", 300)},
	} {
		if got := sentence(change); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// A patch is told with the values of before; a value that is told whole is compared.
func TestStateInWords(t *testing.T) {
	t.Parallel()
	item := func(id float64) any { return map[string]any{"id": id} }
	op := func(op, path string, value any) map[string]any {
		return map[string]any{"op": op, "path": path, "value": value}
	}
	first := map[string]any{"items": []any{item(1), item(2)}, "total": 30.0, "user": map[string]any{"name": "Ada"}}
	var s scopes
	for i, step := range []struct {
		update *protocol.StateUpdate
		want   string
	}{
		{&protocol.StateUpdate{Scope: "cart", State: first}, ""},
		{&protocol.StateUpdate{Scope: "cart", Patch: []map[string]any{op("add", "/items/2", item(3)), op("replace", "/total", 42.0)}}, "cart: items/2 added, total 30 → 42"},
		{&protocol.StateUpdate{Scope: "cart", Patch: []map[string]any{op("remove", "/items/0", nil), op("replace", "/user/name", "Eve"), op("add", "/a~1b", nil)}}, `cart: items/0 removed, user/name "Ada" → "Eve", a~1b added`},
		{&protocol.StateUpdate{Scope: "cart", State: map[string]any{"items": []any{item(2)}, "total": 42.0}}, "cart: a/b removed, items/1 removed, user removed"},
		{&protocol.StateUpdate{Scope: "cart", Patch: []map[string]any{op("replace", "/no/such", 1.0)}}, "cart: no/such → 1"},
		{&protocol.StateUpdate{Scope: "cart", Patch: []map[string]any{op("replace", "/total", 1.0)}}, "cart: total → 1"},
		{&protocol.StateUpdate{Scope: "count", State: 1.0}, ""},
		{&protocol.StateUpdate{Scope: "count", State: 2.0}, "count: 1 → 2"},
		{&protocol.StateUpdate{Scope: "count", Gone: true}, "count: gone"},
	} {
		row := s.update(step.update, true)
		if told := summaryOf(row); told != step.want {
			t.Errorf("step %d: %q, want %q", i, told, step.want)
		}
	}
	// A new document begins anew: nobody changed what it begins with.
	s.update(&protocol.StateUpdate{Scope: "router", Version: 7, State: "/old"}, false)
	if row := s.update(&protocol.StateUpdate{Scope: "router", Version: 1, State: "/new"}, true); row != nil {
		t.Errorf("the first state of a document is told as a change: %+v", row)
	}
	if row := s.update(&protocol.StateUpdate{Scope: "router", Version: 2, Patch: []map[string]any{op("replace", "", "/there")}}, true); summaryOf(row) != `router: "/new" → "/there"` {
		t.Errorf("%+v", row)
	}
	if len(first["items"].([]any)) != 2 || first["total"] != 30.0 {
		t.Errorf("what was told is changed: %v", first)
	}
	if row := s.update(&protocol.StateUpdate{Scope: "new", State: 1.0}, false); row != nil {
		t.Errorf("%v was not asked for", row)
	}
}

func summaryOf(row *causedState) string {
	if row == nil {
		return ""
	}
	return row.Summary
}

// What is too large or too much is not kept.
func TestStateIsBounded(t *testing.T) {
	t.Parallel()
	var s scopes
	s.update(&protocol.StateUpdate{Scope: "large", State: make([]any, maxValueParts+1)}, false)
	for i := range 2 * maxScopes {
		s.update(&protocol.StateUpdate{Scope: strings.Repeat("s", i+1), State: 1.0}, false)
	}
	if _, kept := s["large"]; kept || len(s) != maxScopes {
		t.Errorf("%d scopes are kept, the large one: %v", len(s), kept)
	}
	long := make([]map[string]any, maxPatchOps+1)
	for i := range long {
		long[i] = map[string]any{"op": "replace", "path": "", "value": float64(i)}
	}
	if row := s.update(&protocol.StateUpdate{Scope: "s", Patch: long}, true); row == nil || !strings.Contains(row.Summary, "… 61 more") {
		t.Errorf("%+v", row)
	}
	if _, kept := s["s"]; kept {
		t.Error("a long patch was applied")
	}
}
