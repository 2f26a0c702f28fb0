package page

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Every kind of target reaches its element and no other, at both levels.
func TestTargets(t *testing.T) {
	kinds := []struct {
		name   string
		target params
		clicks string // what the page's own list of clicks then holds
	}{
		{"stableId of a test id", params{"stableId": "by-testid"}, "by-testid"},
		{"id of a test id", params{"id": "by-testid"}, "by-testid"},
		{"stableId of an id", params{"stableId": "by-id"}, "by-id"},
		{"id with signs", params{"id": "dotted.id:with-signs"}, "dotted.id:with-signs"},
		{"id that starts with a digit", params{"id": "7seven"}, "7seven"},
		{"selector", params{"selector": "button.by-class"}, "By class"},
		{"selector of a twin", params{"selector": ".twin + .twin"}, "Twin"},
		{"selector into an open root", params{"selector": "#open-host >>> #in-open"}, "in-open"},
		{"selector into a nested root", params{"selector": "#open-host >>> #inner >>> button"}, "in-nested"},
		{"selector without >>>", params{"selector": "#in-open"}, "in-open"},
		{"role and name", params{"role": "button", "name": "By label"}, "x"},
		{"role and name in a nested root", params{"role": "button", "name": "In a nested root"}, "in-nested"},
		{"text", params{"text": "By its text"}, "By its text"},
		{"text with folded space", params{"text": "Folded white space"}, "Folded white space"},
		{"text by case", params{"text": "Case Counts"}, "Case Counts"},
		{"text in a slot", params{"text": "Slotted"}, "Slotted"},
		{"text of a closed root", params{"text": "In a closed root"}, "closed-host"}, // the page cannot see deeper itself
		{"id wins over text", params{"id": "by-id", "text": "By class"}, "by-id"},
		{"selector wins over role", params{"selector": "#by-id", "role": "button", "name": "By label"}, "by-id"},
	}
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/targets")
			p.Eval(`void document.addEventListener('click', (e) => { if (e.target.id === 'closed-host') clicks[clicks.length - 1] = 'closed-host'; })`, nil)
			click := func(t *testing.T, target params, want string) {
				t.Helper()
				p.Eval("void (clicks.length = 0)", nil)
				began := time.Now()
				done := p.Do("click", params{"target": target})
				if took := time.Since(began); took > 2*time.Second {
					t.Errorf("took %v", took)
				}
				var got []string
				p.Eval("clicks.map((s) => s.replace(/\\s+/g, ' '))", &got)
				if !slices.Equal(got, []string{want}) {
					t.Errorf("clicked %q, want %q: %s", got, want, done.Raw)
				}
			}
			for _, kind := range kinds {
				t.Run(kind.name, func(t *testing.T) { use(t); click(t, kind.target, kind.clicks) })
			}
			t.Run("ref", func(t *testing.T) {
				use(t)
				items := p.tree()
				click(t, params{"ref": find(items, "button", "By class").Ref}, "By class")
				click(t, params{"ref": find(items, "button", "In a nested root").Ref}, "in-nested")
				click(t, params{"ref": find(items, "button", "In a closed root").Ref}, "closed-host")
			})
			t.Run("selector of the tree", func(t *testing.T) {
				use(t)
				for _, one := range p.tree() {
					if one.Role == "button" && one.Name == "In a nested root" {
						click(t, params{"selector": one.Selector}, "in-nested")
					}
				}
			})
		})
	}
}

// What matches twice is refused with the candidates, what matches nowhere with
// what is near; nothing is done either way.
func TestTargetsRefused(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/targets")
			p.Eval("void (clicks.length = 0)", nil)

			for _, target := range []params{{"text": "Twin"}, {"selector": ".twin"}, {"role": "button", "name": "Twin"}} {
				done := p.try("click", params{"target": target})
				found := candidates(done)
				if done.Code() != "TARGET_AMBIGUOUS" || len(found) != 2 {
					t.Fatalf("%v: %s", target, done.Raw)
				}
				for i, one := range found {
					if one["ref"] == "" || one["role"] != "button" || one["name"] != "Twin" {
						t.Errorf("candidate %d: %v", i, one)
					}
				}
				if !p.is("clicks.length === 0") {
					t.Fatalf("%v clicked something", target)
				}
			}
			// A candidate's ref is the way on.
			done := p.try("click", params{"target": params{"text": "Twin"}})
			p.Do("click", params{"target": params{"ref": candidates(done)[1]["ref"]}})
			if !p.is("clicks.join() === 'Twin'") {
				t.Error("the candidate's ref did not click")
			}

			p.Eval("void (clicks.length = 0)", nil)
			done = p.try("click", params{"target": params{"text": "By its txt"}, "timeoutMs": 700})
			if done.Code() != "ELEMENT_NOT_FOUND" {
				t.Fatalf("%s", done.Raw)
			}
			if near := candidates(done); len(near) == 0 || near[0]["name"] != "By its text" || near[0]["ref"] == "" {
				t.Errorf("nearest: %v", near)
			}
			for _, c := range []struct {
				target params
				code   string
			}{
				{params{"selector": "##"}, "VALIDATION_ERROR"},
				{params{"ref": "twin"}, "VALIDATION_ERROR"},
				{params{"ref": "e99999"}, "TARGET_STALE"},
				{params{"ref": "f7e1"}, "TARGET_STALE"},
				{params{}, "VALIDATION_ERROR"},
				{params{"text": "Not shown"}, "TARGET_NOT_INTERACTABLE"},
				{params{"text": "Invisible"}, "TARGET_NOT_INTERACTABLE"},
				{params{"text": "Clear as glass"}, "TARGET_NOT_INTERACTABLE"},
				{params{"text": "Clipped"}, "TARGET_NOT_INTERACTABLE"},
				{params{"text": "No size"}, "TARGET_NOT_INTERACTABLE"},
				{params{"text": "Far away"}, "TARGET_OUT_OF_VIEW"},
				{params{"id": "covered"}, "TARGET_OBSCURED"},
			} {
				done := p.try("click", params{"target": c.target, "timeoutMs": 500})
				if done.Code() != c.code || done.Success() {
					t.Errorf("%v: want %s: %s", c.target, c.code, done.Raw)
				}
			}
			if !p.is("clicks.length === 0") {
				t.Errorf("clicked %s", p.Text("clicks.join()"))
			}
		})
	}
}

// An element that comes later or moves is waited for.
func TestTargetsWaitedFor(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/targets")
			p.Do("click", params{"target": params{"id": "show-later"}})
			p.Do("click", params{"target": params{"id": "later"}})
			p.Eval("void (clicks.length = 0, move())", nil)
			p.Do("click", params{"target": params{"id": "moving"}})
			if got := p.Text("clicks.join()"); got != "moving" {
				t.Errorf("clicked %s", got)
			}
		})
	}
}

// P-26: a ref never reaches another element: not after a re-render that changed
// the look, not over documents, not from another tab.
func TestP26StaleRefs(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/targets")
			items := p.tree()
			ada, grace := find(items, "button", "Pick Ada").Ref, find(items, "button", "Pick Grace").Ref
			stale := func(what, ref string) {
				t.Helper()
				p.Eval("void (clicks.length = 0)", nil)
				done := p.try("click", params{"target": params{"ref": ref}, "timeoutMs": 2000})
				failure, _ := done.Fields["error"].(map[string]any)
				suggestions, _ := failure["suggestions"].([]any)
				if done.Code() != "TARGET_STALE" || len(suggestions) == 0 {
					t.Errorf("%s: %s", what, done.Raw)
				}
				if !p.is("(window.clicks ?? []).length === 0") {
					t.Errorf("%s: clicked %s", what, p.Text("clicks.join()"))
				}
			}

			p.Do("click", params{"target": params{"id": "rerender"}})
			p.Eval("void (clicks.length = 0)", nil)
			p.Do("click", params{"target": params{"ref": ada}})
			if got := p.Text("clicks.join()"); got != "Pick Ada" {
				t.Errorf("after a re-render of the same looks: clicked %q", got)
			}
			// Renamed: stale, unless agents were told the new look under this ref before.
			from := p.Len()
			p.Eval("void (document.getElementById('rename').click(), clicks.length = 0)", nil)
			done := p.try("click", params{"target": params{"ref": ada}, "timeoutMs": 2000})
			told := func(m browserMessage) bool {
				return m.Type() == "ui_tree_diff" && m.Seq() < done.Seq() && strings.Contains(string(m.Raw), `"`+ada+`"`) && strings.Contains(string(m.Raw), "Delete Ada")
			}
			if done.Success() && !slices.ContainsFunc(p.Messages()[from:], told) {
				t.Errorf("renamed: clicked %s", p.Text("clicks.join()"))
			} else if !done.Success() && (done.Code() != "TARGET_STALE" || !p.is("clicks.length === 0")) {
				t.Errorf("renamed: %s", done.Raw)
			}
			p.Eval("void document.getElementById('list').lastElementChild.previousElementSibling.remove()", nil)
			stale("removed", grace)

			// The same id twice.
			p.Eval(`void document.getElementById('by-id').after(Object.assign(document.createElement('button'), { id: 'by-id', textContent: 'Second' }))`, nil)
			p.Eval("void (clicks.length = 0)", nil)
			if done := p.try("click", params{"target": params{"id": "by-id"}}); done.Code() != "TARGET_AMBIGUOUS" || len(candidates(done)) != 2 {
				t.Errorf("the same id twice: %s", done.Raw)
			}

			// Another document: the number is not given again.
			before := find(p.tree(), "button", "By class").Ref
			p.renew("/targets")
			stale("of the document before", before)
			for _, one := range p.tree() {
				if one.Ref == before {
					t.Errorf("%s was given again to %s %q", before, one.Role, one.Name)
				}
			}
		})
	}
}
