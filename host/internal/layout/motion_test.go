package layout

import (
	"slices"
	"strings"
	"testing"
)

func TestAtEnd(t *testing.T) {
	t.Parallel()
	now := []Finding{
		{Type: "hidden-opacity", Severity: High, Fix: &Fix{}},
		{Type: "low-contrast", Severity: Medium, Fix: &Fix{}},
		{Type: "mid-animation", Severity: Info, Purpose: untilEnd, Evidence: map[string]any{}},
	}
	end := []Finding{
		{Type: "low-contrast", Severity: Medium},
		{Type: "offscreen-left", Severity: High, Message: "It is out."},
		{Type: "hidden-opacity", Severity: Info, Purpose: "a closed menu"},
	}
	got := AtEnd(now, end)
	if len(got) != 3 || got[0].Type != "low-contrast" || got[0].Severity != Medium || got[0].Fix == nil {
		t.Fatalf("what is true at the end stays, first: %+v", got)
	}
	hidden := got[slices.IndexFunc(got, func(f Finding) bool { return f.Type == "hidden-opacity" })]
	if hidden.Severity != Info || hidden.Purpose != untilEnd || hidden.Fix != nil {
		t.Errorf("what ends with the animation is no fault: %+v", hidden)
	}
	moving := got[slices.IndexFunc(got, func(f Finding) bool { return f.Type == "mid-animation" })]
	later, _ := moving.Evidence["atEnd"].([]string)
	if !slices.Equal(later, []string{"offscreen-left: It is out."}) {
		t.Errorf("what comes with the end: %v", later)
	}
	if now[0].Severity != High || len(now[2].Evidence) != 0 {
		t.Error("what was given was changed")
	}
}

func TestMidAnimation(t *testing.T) {
	t.Parallel()
	fade := Animation{Name: "fade", Kind: "animation", Now: map[string]string{"opacity": "0.4"}, Properties: map[string]string{"opacity": "1"}, RemainMs: 300}
	s := page(3,
		Element{Parent: 1, Tag: "div", Label: "div#panel", Box: boxOf(0, 0, 100, 100), Moves: []Animation{fade}},
		Element{Parent: 2, Tag: "b", Box: boxOf(0, 0, 50, 20)},
	)
	got := find(t, midAnimation(&Case{Snapshot: s, At: 3}), "mid-animation")
	if got == nil || got.Severity != Info || got.Purpose != untilEnd || got.Cause.Element != 2 {
		t.Fatalf("got %+v", got)
	}
	if want := "opacity 0.4 → 1, 300 ms more"; !strings.Contains(got.Message, want) {
		t.Errorf("%q does not say %q", got.Message, want)
	}
	s.Elements[2].Moves[0].RemainMs = -1
	if got := find(t, midAnimation(&Case{Snapshot: s, At: 3}), "mid-animation"); got == nil || got.Purpose == untilEnd {
		t.Errorf("one without end: %+v", got)
	}
	s.Elements[2].Moves[0].Paused = true
	s.Elements[2].Moves[0].RemainMs = 300
	if got := find(t, midAnimation(&Case{Snapshot: s, At: 3}), "mid-animation"); got == nil || got.Severity != Low || got.Fix == nil {
		t.Errorf("a paused one: %+v", got)
	}
}
