package layout

import (
	"slices"
	"testing"
)

// The chain of an absolutely positioned element in a clipping card in a stacking context.
func TestExplain(t *testing.T) {
	t.Parallel()
	box := func(x, y, w, h float64) *[4]float64 { return &[4]float64{x, y, w, h} }
	s := &Snapshot{
		Initial: map[string]string{
			"display": "block", "position": "static", "overflow-x": "visible", "overflow-y": "visible", "z-index": "auto", "opacity": "1",
			"transform": "none", "translate": "none", "rotate": "none", "scale": "none", "perspective": "none", "filter": "none", "backdrop-filter": "none",
			"contain": "none", "will-change": "auto", "container-type": "normal", "content-visibility": "visible", "mix-blend-mode": "normal",
			"isolation": "auto", "clip-path": "none", "mask-image": "none",
		},
		Elements: []Element{
			{Parent: None, Tag: "html", Label: "html", Box: box(0, 0, 1000, 700)},
			{Parent: 0, Tag: "body", Label: "body", Box: box(0, 0, 1000, 700)},
			{Parent: 1, Tag: "div", Label: "div.card", Box: box(100, 100, 200, 100), Styles: map[string]string{
				"position": "relative", "z-index": "3", "overflow-x": "hidden", "overflow-y": "hidden",
			}},
			{Parent: 2, Tag: "p", Label: "p", Box: box(100, 100, 200, 20)},
			{Parent: 3, Tag: "b", Label: "b#x", Box: box(280, 110, 60, 20), Styles: map[string]string{"position": "absolute"}},
		},
	}
	want := []Link{
		{4, []string{"box 60 × 20 at 280, 110", "position: absolute"}},
		{2, []string{
			"containing block of b#x (position: relative)", "position: relative", "stacking context (z-index: 3), level 3 in that of html",
			"clips (overflow-x: hidden), cuts off 40 px at the right", "clips (overflow-y: hidden)",
		}},
		{0, []string{"root stacking context"}},
	}
	got := s.Explain(4)
	if !slices.EqualFunc(got, want, func(a, b Link) bool { return a.At == b.At && slices.Equal(a.Does, b.Does) }) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
