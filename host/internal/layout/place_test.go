package layout

import (
	"strings"
	"testing"
)

// a small page: html, body and what is given, all in the body.
func small(target int, elements ...Element) *Snapshot {
	box := func(x, y, w, h float64) *[4]number { return &[4]number{x, y, w, h} }
	s := &Snapshot{
		Viewport: Viewport{Width: 1000, Height: 700, ContentWidth: 1000, ContentHeight: 700},
		Initial: map[string]string{
			"display": "block", "position": "static", "visibility": "visible", "opacity": "1", "overflow-x": "visible", "overflow-y": "visible",
			"z-index": "auto", "transform": "none", "translate": "none", "rotate": "none", "scale": "none", "perspective": "none", "filter": "none",
			"backdrop-filter": "none", "contain": "none", "will-change": "auto", "container-type": "normal", "content-visibility": "visible",
			"clip-path": "none", "clip": "auto", "mask-image": "none", "isolation": "auto", "mix-blend-mode": "normal", "float": "none",
			"background-color": "rgba(0, 0, 0, 0)", "background-image": "none", "box-shadow": "none", "box-sizing": "content-box",
			"margin-left": "0px", "margin-right": "0px", "margin-top": "0px", "margin-bottom": "0px", "pointer-events": "auto",
		},
		Elements: []Element{
			{Parent: None, Tag: "html", Label: "html", Box: box(0, 0, 1000, 700)},
			{Parent: 0, Tag: "body", Label: "body", Box: box(0, 0, 1000, 700)},
		},
		Target: target,
	}
	s.Elements = append(s.Elements, elements...)
	return s
}

func textAt(x, y, w, h float64) *OwnText {
	return &OwnText{Text: "text", Box: [4]number{x, y, w, h}, Lines: 1}
}

func TestOffscreen(t *testing.T) {
	t.Parallel()
	fixed := map[string]string{"position": "fixed"}
	for name, test := range map[string]struct {
		page     func() *Snapshot
		want     string // type/severity/cause, empty for none
		swept    bool   // by a sweep too
		causedBy int
	}{
		"two px are let pass": {page: func() *Snapshot {
			return small(2, Element{Parent: 1, Tag: "div", Box: &[4]number{-2, 0, 100, 20}, Text: textAt(-2, 0, 50, 20), Styles: fixed})
		}},
		"three are not": {page: func() *Snapshot {
			return small(2, Element{Parent: 1, Tag: "div", Box: &[4]number{-3, 0, 100, 20}, Text: textAt(-3, 0, 50, 20), Styles: map[string]string{"position": "fixed", "left": "-3px"}, Typed: map[string]string{"left": "-3px"}})
		}, want: "offscreen-left/high/left", swept: true, causedBy: 2},
		"below the fold of a page that scrolls": {page: func() *Snapshot {
			s := small(2, Element{Parent: 1, Tag: "div", Box: &[4]number{0, 1500, 100, 20}, Text: textAt(0, 1500, 50, 20)})
			s.Viewport.ContentHeight = 3000
			return s
		}},
		"above what was scrolled past": {page: func() *Snapshot {
			s := small(2, Element{Parent: 1, Tag: "div", Box: &[4]number{0, -500, 100, 20}, Text: textAt(0, -500, 50, 20)})
			s.Viewport.ContentHeight, s.Viewport.ScrollY = 3000, 600
			return s
		}},
		"before the beginning of a page that is scrolled": {page: func() *Snapshot {
			s := small(2, Element{Parent: 1, Tag: "div", Box: &[4]number{0, -700, 100, 20}, Text: textAt(0, -700, 50, 20), Styles: map[string]string{"position": "absolute", "top": "-100px"}, Typed: map[string]string{"top": "-100px"}})
			s.Viewport.ContentHeight, s.Viewport.ScrollY = 3000, 600
			return s
		}, want: "completely-offscreen/high/top", swept: true, causedBy: 2},
		"to the left in a page from right to left": {page: func() *Snapshot {
			s := small(2, Element{Parent: 1, Tag: "div", Box: &[4]number{-300, 0, 1300, 20}, Text: textAt(-300, 0, 50, 20), Typed: map[string]string{"width": "1300px"}})
			s.Viewport.RTL, s.Viewport.ContentWidth = true, 1300
			return s
		}, want: "offscreen-left/high/width", causedBy: 2},
		"a page of vertical lines goes on to the left": {page: func() *Snapshot {
			s := small(2, Element{Parent: 1, Tag: "div", Box: &[4]number{-900, 0, 300, 20}, Text: textAt(-900, 0, 50, 20)})
			s.Viewport.WritingMode, s.Viewport.ContentWidth = "vertical-rl", 2000
			return s
		}},
		"what an ancestor cuts off is no matter of the screen": {page: func() *Snapshot {
			return small(3,
				Element{Parent: 1, Tag: "div", Box: &[4]number{0, 0, 300, 50}, Styles: map[string]string{"overflow-x": "hidden", "overflow-y": "hidden"}},
				Element{Parent: 2, Tag: "div", Box: &[4]number{0, 0, 4000, 50}, Text: textAt(0, 0, 4000, 20)})
		}},
		"an ancestor's transform": {page: func() *Snapshot {
			return small(3,
				Element{Parent: 1, Tag: "div", Label: "div.track", Box: &[4]number{-2000, 0, 1000, 50}, Styles: map[string]string{"transform": "matrix(1, 0, 0, 1, -2000, 0)"}},
				Element{Parent: 2, Tag: "p", Label: "p", Box: &[4]number{-2000, 0, 1000, 20}, Text: textAt(-2000, 0, 100, 20)})
		}, want: "transform-offscreen/high/transform", causedBy: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, sweep := range []bool{false, true} {
				s := test.page()
				if sweep {
					if s.Target == 3 {
						continue // the sweep speaks of the cause itself
					}
					s.Target = None
				}
				c := &Case{Snapshot: s, At: len(s.Elements) - 1}
				got := ""
				for _, f := range offscreen(c) {
					got += f.Type + "/" + string(f.Severity) + "/" + f.Cause.Property
					if f.Cause.Element != test.causedBy {
						t.Errorf("the cause is %d, want %d: %s", f.Cause.Element, test.causedBy, f.Message)
					}
				}
				want := test.want
				if sweep && !test.swept {
					want = ""
				}
				if got != want {
					t.Errorf("sweep %v: got %q, want %q", sweep, got, want)
				}
			}
		})
	}
}

func TestScrollNotes(t *testing.T) {
	t.Parallel()
	s := small(2, Element{Parent: 1, Tag: "div", Label: "div", Box: &[4]number{0, 1500, 100, 20}, Text: textAt(0, 1500, 50, 20)})
	s.Viewport.ContentHeight = 3000
	found := offscreen(&Case{Snapshot: s, At: 2, Options: Options{All: true}})
	if len(found) != 1 || found[0].Severity != Info || found[0].Type != "offscreen-bottom" || !strings.Contains(found[0].Purpose, "scroll") {
		t.Errorf("got %+v", found)
	}
}

func TestEnclosesNothing(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"inset(50%)": true, "inset(100%)": true, "inset(0% 50%)": true, "inset(49%)": false, "inset(10px)": false, "inset(60% 0px 40% 0px)": true,
		"circle(0px at 50% 50%)": true, "circle(0)": true, "circle(10px at 0 0)": false, "circle(closest-side at 50% 50%)": false, "ellipse(0px 40px)": true,
		"polygon(0px 0px, 0px 0px, 0px 0px)": true, "polygon(0px 0px, 100% 0px, 0px 100%)": false, "polygon(0px 0px)": true,
		"url(\"#shape\")": false, "none": false, "inset()": false, "inset(50%) border-box": true, "path(\"M 0 0\")": false,
	} {
		if got := enclosesNothing(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestModalName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"modal": true, "login-modal": true, "loginModal": true, "modal-1": true, "modal1": true, "dialog_box": true, "popup": true, "Overlay": true, "modal-root": true,
		"modal-body": false, "modal-title": false, "modal__header": false, "dialogue": false, "overlays-list": false, "modal-open": false, "": false, "multimodal": false,
	} {
		if got := modalName.MatchString(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestTranslations(t *testing.T) {
	t.Parallel()
	if x, y := shiftOf("matrix(1, 0, 0, 1, -200, 3)"); x != -200 || y != 3 {
		t.Error(x, y)
	}
	if x, y := shiftOf("matrix3d(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 20, 0, 1)"); x != 10 || y != 20 {
		t.Error(x, y)
	}
	if x, y := shiftOf("none"); x != 0 || y != 0 {
		t.Error(x, y)
	}
	own := Rect{0, 0, 200, 40}
	if x, y := translated("-100% 5px", own); x != -200 || y != 5 {
		t.Error(x, y)
	}
	if x, y := translated("none", own); x != 0 || y != 0 {
		t.Error(x, y)
	}
}

func TestPurpose(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		element Element
		want    string
	}{
		"nothing says so":        {Element{Tag: "div"}, ""},
		"a closed control's":     {Element{Tag: "div", Flags: "c"}, purposeClosed},
		"a menu":                 {Element{Tag: "ul", Attrs: map[string]string{"role": "menu"}}, "a closed menu"},
		"for screen readers":     {Element{Tag: "span", Attrs: map[string]string{"class": "sr-only"}}, purposeReader},
		"the pattern of it":      {Element{Tag: "span", Box: &[4]number{0, 0, 1, 1}, Styles: map[string]string{"position": "absolute", "overflow-x": "hidden"}}, purposeReader},
		"a template":             {Element{Tag: "template"}, "a template element is never shown"},
		"a drawn checkbox":       {Element{Tag: "input", Attrs: map[string]string{"type": "checkbox"}, Styles: map[string]string{"opacity": "0"}}, purposeControl},
		"a checkbox that is not": {Element{Tag: "input", Attrs: map[string]string{"type": "checkbox"}}, ""},
		"a skip link":            {Element{Tag: "a", Text: &OwnText{Text: "Skip to content"}}, purposeSkip},
		"a link":                 {Element{Tag: "a", Text: &OwnText{Text: "Skipper"}}, ""},
		"an open dialog":         {Element{Tag: "dialog", Role: "dialog", Attrs: map[string]string{"open": ""}}, ""},
		"a modal by name":        {Element{Tag: "div", Attrs: map[string]string{"class": "modal"}}, ""},
	} {
		test.element.Parent = 1
		if got := small(2, test.element).Purpose(2); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	in := small(3,
		Element{Parent: 1, Tag: "div", Attrs: map[string]string{"role": "tabpanel"}, Styles: map[string]string{"display": "none"}},
		Element{Parent: 2, Tag: "p"})
	if got := in.Purpose(3); got != "the panel of another tab" {
		t.Errorf("in a closed panel: %q", got)
	}
	in.Elements[2].Styles = nil
	in.Elements[2].Box = &[4]number{0, 0, 100, 100}
	if got := in.Purpose(3); got != "" {
		t.Errorf("in an open panel: %q", got)
	}
}
