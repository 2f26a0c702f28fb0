package layout

import (
	"slices"
	"strings"
	"testing"
)

// page builds a snapshot: the root and body of a viewport of 1000 x 700, and what is given.
func page(target int, elements ...Element) *Snapshot {
	all := append([]Element{
		{Parent: None, Tag: "html", Box: &[4]number{0, 0, 1000, 700}},
		{Parent: 0, Tag: "body", Box: &[4]number{0, 0, 1000, 700}},
	}, elements...)
	return &Snapshot{
		Viewport: Viewport{Width: 1000, Height: 700, ContentWidth: 1000, ContentHeight: 700, PixelRatio: 1},
		Elements: all, Target: target,
		Initial: map[string]string{
			"display": "block", "position": "static", "visibility": "visible", "opacity": "1", "overflow-x": "visible", "overflow-y": "visible",
			"z-index": "auto", "transform": "none", "translate": "none", "rotate": "none", "scale": "none", "filter": "none", "backdrop-filter": "none",
			"perspective": "none", "contain": "none", "will-change": "auto", "container-type": "normal", "content-visibility": "visible", "clip-path": "none",
			"mask-image": "none", "isolation": "auto", "mix-blend-mode": "normal", "background-color": "rgba(0, 0, 0, 0)", "background-image": "none",
			"box-shadow": "none", "float": "none", "flex-direction": "row", "flex-wrap": "nowrap", "flex-shrink": "1", "flex-basis": "auto",
			"min-width": "auto", "min-height": "auto", "align-self": "auto", "align-items": "normal", "object-fit": "fill", "aspect-ratio": "auto",
			"text-wrap-mode": "wrap", "white-space-collapse": "collapse", "box-sizing": "content-box", "pointer-events": "auto", "image-rendering": "auto",
		},
	}
}

func boxOf(x, y, width, height float64) *[4]number { return &[4]number{x, y, width, height} }

func find(t *testing.T, list []Finding, kind string) *Finding {
	t.Helper()
	at := slices.IndexFunc(list, func(f Finding) bool { return f.Type == kind })
	if at < 0 {
		return nil
	}
	return &list[at]
}

func TestViewportWidthWithScrollBar(t *testing.T) {
	t.Parallel()
	wide := Element{Parent: 1, Tag: "div", Box: boxOf(0, 0, 1000, 50), Typed: map[string]string{"width": "1000px"}}
	s := page(2, wide)
	s.Viewport.Width, s.Viewport.ContentWidth, s.Viewport.ScrollBar = 985, 1000, 15
	s.Elements[0].Box, s.Elements[1].Box = boxOf(0, 0, 985, 2000), boxOf(0, 0, 985, 2000)
	got := find(t, Diagnose(s, Options{}), "horizontal-scroll")
	if got == nil {
		t.Fatal("100vw beside a scroll bar is not told")
	}
	if got.Cause.Value != "100vw" || got.Fix == nil || got.Fix.Value != "100%" || !strings.Contains(got.Message, "15 px") {
		t.Errorf("cause %+v, fix %+v, %q", got.Cause, got.Fix, got.Message)
	}
	// Without the bar the same width is right.
	s = page(2, wide)
	if got := find(t, Diagnose(s, Options{}), "horizontal-scroll"); got != nil {
		t.Errorf("a clean page scrolls: %+v", got)
	}
}

func TestWideElementIsTheOneThatCarriesTheWidth(t *testing.T) {
	t.Parallel()
	s := page(None,
		Element{Parent: 1, Tag: "main", Box: boxOf(0, 0, 1000, 300)},
		Element{Parent: 2, Tag: "section", Label: "section#wide", Box: boxOf(0, 0, 1300, 100), Typed: map[string]string{"width": "1300px"}},
		Element{Parent: 3, Tag: "p", Box: boxOf(0, 0, 1300, 50)},
		Element{Parent: 4, Tag: "b", Box: boxOf(0, 0, 1250, 20), Styles: map[string]string{"display": "inline"}},
	)
	s.Viewport.ContentWidth = 1300
	wide := s.wideElements()
	if len(wide) != 1 || wide[0].at != 3 {
		t.Fatalf("got %+v, want the section alone", wide)
	}
	if wide[0].over != 300 || wide[0].Cause.Property != "width" {
		t.Errorf("over %v by %+v", wide[0].over, wide[0].Cause)
	}
}

func TestDefiniteHeight(t *testing.T) {
	t.Parallel()
	typed := func(height string) map[string]string { return map[string]string{"height": height} }
	s := page(None,
		Element{Parent: 1, Tag: "div", Box: boxOf(0, 0, 100, 100)},                                                          // 2 auto
		Element{Parent: 1, Tag: "div", Box: boxOf(0, 0, 100, 100), Typed: typed("80px")},                                    // 3
		Element{Parent: 3, Tag: "div", Box: boxOf(0, 0, 100, 40), Typed: typed("50%")},                                      // 4 of 3
		Element{Parent: 2, Tag: "div", Box: boxOf(0, 0, 100, 40), Typed: typed("50%")},                                      // 5 of 2
		Element{Parent: 2, Tag: "div", Box: boxOf(0, 0, 100, 40), Styles: map[string]string{"position": "absolute"}},        // 6
		Element{Parent: 1, Tag: "div", Box: boxOf(0, 0, 100, 40), Styles: map[string]string{"display": "flex"}},             // 7
		Element{Parent: 7, Tag: "div", Box: boxOf(0, 0, 100, 40)},                                                           // 8 stretched
		Element{Parent: 7, Tag: "div", Box: boxOf(0, 0, 100, 40), Styles: map[string]string{"align-self": "center"}},        // 9
		Element{Parent: 1, Tag: "td", Box: boxOf(0, 0, 100, 40), Styles: map[string]string{"display": "table-cell"}},        // 10
		Element{Parent: 1, Tag: "div", Box: boxOf(0, 0, 100, 40), Styles: map[string]string{"writing-mode": "vertical-rl"}}, // 11
		Element{Parent: 1, Tag: "div", Box: boxOf(0, 0, 100, 40), Typed: typed("fit-content")},                              // 12
		Element{Parent: 0, Tag: "div", Box: boxOf(0, 0, 100, 40), Typed: typed("100%")},                                     // 13 of the root
	)
	want := map[int]bool{2: false, 3: true, 4: true, 5: false, 6: true, 8: true, 9: false, 10: true, 11: true, 12: false, 13: false}
	for i, definite := range want {
		if got := s.definiteHeight(i); got != definite {
			t.Errorf("element %d: %v", i, got)
		}
	}
}

func TestPlaceholdersAreNotPictures(t *testing.T) {
	t.Parallel()
	picture := func(image Image, width, height float64) *Snapshot {
		return page(2, Element{Parent: 1, Tag: "img", Box: boxOf(0, 0, width, height), Image: &image, Typed: map[string]string{"width": pxNumber(width) + "px", "height": pxNumber(height) + "px"}})
	}
	cases := []struct {
		name          string
		image         Image
		width, height float64
		kind          string
		ratio         float64
	}{
		{"distorted", Image{Source: "a.png", NaturalWidth: 400, NaturalHeight: 200, Complete: true}, 200, 200, "image-distorted", 1},
		{"two hundredths off", Image{Source: "a.png", NaturalWidth: 400, NaturalHeight: 200, Complete: true}, 204, 100, "", 1},
		{"a vector", Image{Source: "a.svg?x", NaturalWidth: 400, NaturalHeight: 200, Complete: true}, 200, 200, "", 1},
		{"a spacer", Image{Source: "a.gif", NaturalWidth: 1, NaturalHeight: 1, Complete: true}, 200, 10, "", 1},
		{"twice as large", Image{Source: "a.png", NaturalWidth: 100, NaturalHeight: 100, Complete: true}, 200, 200, "", 1},
		{"its own size on a dense screen", Image{Source: "a.png", NaturalWidth: 100, NaturalHeight: 100, Complete: true}, 100, 100, "", 3},
		{"larger on a dense screen", Image{Source: "a.png", NaturalWidth: 100, NaturalHeight: 100, Complete: true}, 200, 200, "image-upscaled", 2},
		{"failed", Image{Source: "a.png", Failed: true, Complete: true}, 16, 16, "image-not-loaded", 1},
		{"far below and lazy", Image{Source: "a.png", Lazy: true}, 16, 16, "", 1},
	}
	for _, c := range cases {
		s := picture(c.image, c.width, c.height)
		s.Viewport.PixelRatio = c.ratio
		if c.image.Lazy {
			s.Elements[2].Box[1] = 5000
		}
		var got []string
		for _, rule := range mediaRules {
			for _, f := range rule.Find(&Case{Snapshot: s, At: 2}) {
				got = append(got, f.Type)
			}
		}
		if want := strings.Fields(c.kind); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}
