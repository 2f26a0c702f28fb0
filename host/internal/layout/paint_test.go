package layout

import "testing"

// tree is a snapshot of boxes that all lie over each other: parent and styles of each.
func tree(elements ...Element) *Snapshot {
	s := &Snapshot{
		Target: None, Viewport: Viewport{Width: 1000, Height: 700, ContentWidth: 1000, ContentHeight: 700},
		Initial: map[string]string{
			"position": "static", "z-index": "auto", "display": "block", "opacity": "1", "float": "none", "transform": "none", "translate": "none",
			"rotate": "none", "scale": "none", "perspective": "none", "filter": "none", "backdrop-filter": "none", "will-change": "auto",
			"contain": "none", "container-type": "normal", "content-visibility": "visible", "mix-blend-mode": "normal", "isolation": "auto",
			"clip-path": "none", "mask-image": "none", "visibility": "visible", "overflow-x": "visible", "overflow-y": "visible",
			"pointer-events": "auto", "background-image": "none", "background-color": "rgba(0, 0, 0, 0)",
		},
		Elements: append([]Element{{Parent: None, Tag: "html", Box: &[4]number{0, 0, 1000, 700}}}, elements...),
	}
	for i := range s.Elements {
		if s.Elements[i].Box == nil {
			s.Elements[i].Box = &[4]number{0, 0, 100, 100}
		}
	}
	return s
}

func box(parent int, styles ...string) Element {
	e := Element{Parent: parent, Tag: "div", Styles: map[string]string{}}
	for k := 0; k < len(styles); k += 2 {
		e.Styles[styles[k]] = styles[k+1]
	}
	return e
}

func TestPaintedAbove(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b  int // indices; the root is 0
		tree  []Element
		above bool
	}{
		"later block":                   {1, 2, []Element{box(0), box(0)}, false},
		"positioned over later block":   {1, 2, []Element{box(0, "position", "relative"), box(0)}, true},
		"float over later block":        {1, 2, []Element{box(0, "float", "left"), box(0)}, true},
		"inline over later block":       {1, 2, []Element{box(0, "display", "inline"), box(0)}, true},
		"opacity counts as positioned":  {1, 2, []Element{box(0, "opacity", "0.9"), box(0)}, true},
		"later of two positioned":       {1, 2, []Element{box(0, "position", "relative"), box(0, "position", "absolute")}, false},
		"z-index decides":               {1, 2, []Element{box(0, "position", "relative", "z-index", "1"), box(0, "position", "absolute")}, true},
		"z-index on static does not":    {1, 2, []Element{box(0, "z-index", "9"), box(0, "position", "absolute")}, false},
		"z-index of a flex item":        {2, 3, []Element{box(0, "display", "flex"), box(1, "z-index", "1"), box(1)}, true},
		"negative below blocks":         {1, 2, []Element{box(0, "position", "relative", "z-index", "-1"), box(0)}, false},
		"trapped":                       {2, 3, []Element{box(0, "position", "relative", "z-index", "1"), box(1, "position", "relative", "z-index", "9"), box(0, "position", "relative", "z-index", "2")}, false},
		"not trapped by z-index auto":   {2, 3, []Element{box(0, "position", "relative"), box(1, "position", "relative", "z-index", "9"), box(0, "position", "relative", "z-index", "2")}, true},
		"inside a positioned parent":    {2, 3, []Element{box(0, "position", "relative"), box(1), box(0)}, true},
		"blocks in one positioned":      {2, 3, []Element{box(0, "position", "relative"), box(1, "float", "left"), box(1)}, true},
		"top layer over everything":     {1, 2, []Element{{Parent: 0, Tag: "dialog", Flags: "t"}, box(0, "position", "fixed", "z-index", "99999")}, true},
		"within the top layer":          {2, 3, []Element{{Parent: 0, Tag: "dialog", Flags: "t"}, box(1), box(0, "position", "fixed", "z-index", "9")}, true},
		"fixed makes a context of auto": {2, 3, []Element{box(0, "position", "fixed"), box(1, "position", "relative", "z-index", "9"), box(0, "position", "relative", "z-index", "1")}, false},
	} {
		s := tree(c.tree...)
		if got := s.paintedAbove(c.a, c.b); got != c.above {
			t.Errorf("%s: above is %v: %v and %v", name, got, s.layers(c.a), s.layers(c.b))
		}
		if s.paintedAbove(c.b, c.a) == c.above {
			t.Errorf("%s: both ways the same", name)
		}
	}
}

func TestTryingLeavesNothing(t *testing.T) {
	t.Parallel()
	s := tree(box(0), box(0, "position", "relative"))
	if !s.trying(1, "z-index", "5", func() bool { return s.Style(1, "z-index") == "5" }) {
		t.Error("the value was not there while it was tried")
	}
	if s.Style(1, "z-index") != "auto" {
		t.Error("the value is still there")
	}
}

// What lies over an element: who is named for it, and when it matters.
func TestCover(t *testing.T) {
	t.Parallel()
	white := "rgb(255, 255, 255)"
	points := func(covered int, at int) []Hit {
		var list []Hit
		for k := range 9 {
			hit := Hit{float64(10 + k*10), 50, 1}
			if k >= 9-covered {
				hit.At = at
			}
			list = append(list, hit)
		}
		return list
	}
	make := func(covered, at int, flags string, others ...Element) *Snapshot {
		target := box(0)
		target.Flags, target.Hits = flags, points(covered, at)
		target.Styles["background-color"] = white
		s := tree(append([]Element{target}, others...)...)
		s.Target = 1
		return s
	}
	sheet := box(0, "position", "absolute", "background-color", white)
	wrapped := []Element{box(0, "position", "fixed"), box(2, "background-color", white)}
	for name, c := range map[string]struct {
		s    *Snapshot
		want int // the cover; None for nothing
	}{
		"all of it":                    {make(9, 2, "i", sheet), 2},
		"named by what is placed":      {make(9, 3, "i", wrapped...), 2},
		"a quarter":                    {make(3, 2, "i", sheet), 2},
		"a corner":                     {make(2, 2, "i", sheet), None},
		"its own descendant":           {make(9, 2, "i", box(1, "background-color", white)), None},
		"its parent takes the pointer": {make(9, 0, "i"), None},
		"glass over text":              {make(9, 2, "", box(0, "position", "absolute")), None},
		"glass over a button":          {make(9, 2, "i", box(0, "position", "absolute")), 2},
		"outside of everything":        {make(9, None, "i"), None},
	} {
		k := c.s.covering(1)
		switch {
		case k == nil && c.want != None:
			t.Errorf("%s: nothing was found", name)
		case k != nil && k.at != c.want:
			t.Errorf("%s: covered by %d, want %d", name, k.at, c.want)
		}
	}
}
