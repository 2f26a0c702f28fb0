package layout

import (
	"strings"
	"testing"
)

// What lies beyond a box that scrolls is reached by scrolling; only what that box itself loses counts.
func TestCutOff(t *testing.T) {
	t.Parallel()
	scroll := func(x, y, w, h float64) []Clip {
		return []Clip{
			{1, "overflow-x", Rect{x, -infinite, w, 2 * infinite}, true},
			{1, "overflow-y", Rect{-infinite, y, 2 * infinite, h}, true},
		}
	}
	hard := func(at int, y, h float64) Clip {
		return Clip{at, "overflow-y", Rect{-infinite, y, 2 * infinite, h}, false}
	}
	for _, c := range []struct {
		name  string
		clips []Clip
		box   Rect
		lost  float64 // 0: nothing
		px    float64
	}{
		{"a row below the list, in a page that does not scroll", append(scroll(0, 0, 200, 300), hard(2, 0, 300)), Rect{0, 900, 200, 40}, 0, 0},
		{"a list that is itself half below the page", append(scroll(0, 200, 200, 200), hard(2, 0, 300)), Rect{0, 900, 200, 40}, 1, 40},
		{"a content higher than the list", append(scroll(0, 0, 200, 300), hard(2, 0, 150)), Rect{0, 0, 200, 3000}, 0.5, 150},
		{"a cut within the list", append([]Clip{hard(3, 0, 20)}, scroll(0, 0, 200, 300)...), Rect{0, 0, 200, 40}, 0.5, 20},
	} {
		found := (&Snapshot{}).cutOff(c.clips, c.box, true)
		switch {
		case c.lost == 0 && found != nil:
			t.Errorf("%s: %+v", c.name, found)
		case c.lost > 0 && (found == nil || found.lost != c.lost || found.px != c.px):
			t.Errorf("%s: %+v, want %v lost, %v px", c.name, found, c.lost, c.px)
		}
	}
}

// Five buttons of a row are one finding; those with a name of their own, or another size, are not.
func TestGrouped(t *testing.T) {
	t.Parallel()
	s := &Snapshot{Elements: []Element{
		{Parent: None, Tag: "html"}, {Parent: 0, Tag: "body"}, {Parent: 1, Label: "div.stars"},
		{Parent: 2, Label: "button"}, {Parent: 2, Label: "button"}, {Parent: 2, Label: "button"}, {Parent: 2, Label: "button#last"}, {Parent: 2, Label: "button"},
	}}
	var found []Finding
	for at := 3; at < len(s.Elements); at++ {
		f := Finding{Type: "touch-target-small", Severity: Low, Element: at, Cause: Cause{at, "height", "16px", false}, Message: "button is 16 × 16 px"}
		if at == 7 {
			f.Cause.Value, f.Message = "18px", "button is 18 × 18 px"
		}
		found = append(found, f)
	}
	out := grouped(s, found)
	if len(out) != 3 || out[0].Evidence["others"] != 2 || out[1].Element != 6 || out[2].Element != 7 {
		t.Errorf("%d: %+v", len(out), out)
	}
}

func TestComesAndGoes(t *testing.T) {
	t.Parallel()
	for remain, want := range map[float64]bool{-1: true, 300: false} {
		s := &Snapshot{Elements: []Element{{Parent: None}, {Parent: 0, Moves: []Animation{{Properties: map[string]string{"opacity": "0"}, RemainMs: remain}}}}}
		for _, property := range strings.Fields("opacity left") {
			if got := s.comesAndGoes(&Finding{Element: 1, Cause: Cause{Element: 1, Property: property}}); got != (want && property == "opacity") {
				t.Errorf("%s, %v ms: %v", property, remain, got)
			}
		}
	}
}
