package layout

import (
	"fmt"
	"math"
	"strings"
	"unicode"
)

var accessRules = []Rule{
	{
		Types: []Type{{"low-contrast", Medium, "text too near in colour to what is behind it (WCAG 2.2, 1.4.3)"}},
		When:  Shown, Find: lowContrast,
	},
	{
		Types: []Type{{"touch-target-small", Low, "too small to be hit with a finger (WCAG 2.2, 2.5.8)"}},
		When:  Shown, Find: smallTarget,
	},
	{
		Types: []Type{{"focus-indicator-missing", Medium, "nothing shows that it has the focus (WCAG 2.2, 2.4.7)"}},
		When:  Shown, Find: noFocusMark,
	},
	{
		Types: []Type{{"tab-order", Low, "the Tab key goes another way than the eye (WCAG 2.2, 2.4.3)"}},
		When:  Shown, Find: tabOrder,
	},
	{
		Types: []Type{{"pointer-events-none", Medium, "looks operable, but lets clicks through"}},
		When:  Shown, Find: pointerEventsNone,
	},
}

// The sizes that WCAG 2.2 asks for, px: 2.5.8 (AA) and 2.5.5 (AAA).
const (
	targetAA  = 24
	targetAAA = 44
)

// Contrast that WCAG 2.2 asks for: 1.4.3 (AA) and 1.4.6 (AAA), of normal and of large text.
const (
	contrastAA, contrastLargeAA   = 4.5, 3.0
	contrastAAA, contrastLargeAAA = 7.0, 4.5
	// Below this a text can hardly be seen at all.
	contrastLost = 1.5
	largeText    = 24.0
	largeBold    = 18.66
)

func lowContrast(c *Case) []Finding {
	e := c.Element()
	if e.Text == nil || !hasLetters(e.Text.Text) || c.disabledAround(c.At) || c.isInert(c.At) ||
		containsAny(e.Label+" "+e.Attr("class"), "logo", "brand") {
		return nil
	}
	fill := c.Style(c.At, "-webkit-text-fill-color")
	if fill == "" {
		fill = c.Style(c.At, "color")
	}
	text, ok := parseColour(fill)
	if !ok || text.a == 0 || c.Style(c.At, "text-shadow") != "none" {
		return nil // drawn another way
	}
	if visible := c.clipped(c.At, rectOf(e.Text.Box)); visible.Width <= 2 || visible.Height <= 2 {
		return nil
	}
	chain, known := c.backdrop(c.At)
	if !known {
		return nil
	}
	want, large := float64(contrastAA), c.isLarge(c.At)
	if large {
		want = contrastLargeAA
	}
	level := "AA"
	seen, behind := c.colours(chain, text)
	ratio := contrast(seen, behind)
	severity := Medium
	if ratio >= want {
		if !c.Options.AAA {
			return nil
		}
		want, level, severity = contrastAAA, "AAA", Low
		if large {
			want = contrastLargeAAA
		}
		if ratio >= want {
			return nil
		}
	}
	key := fmt.Sprint("contrast ", seen, behind, want)
	if c.counted(key) || c.paintedBehind(c.At, chain) {
		return nil
	}
	if ratio < contrastLost {
		severity = High
	}
	ratio = math.Floor(ratio*100) / 100
	f := Finding{
		Type: "low-contrast", Severity: severity, Element: c.At,
		Message:  fmt.Sprintf("The text of %s has a contrast of %.2f:1 (%s on %s); WCAG %s asks for %.3g:1.", c.Label(c.At), ratio, seen, behind, level, want),
		Evidence: map[string]any{"ratio": ratio, "needed": want, "text": seen.String(), "background": behind.String(), "large": large, "back": Node(chain[0])},
		Cause:    c.declared(c.At, "color"),
	}
	c.toldFirst(key, f.Evidence)
	passes := func(x colour) bool {
		fore, back := c.colours(chain, x)
		return contrast(fore, back) >= want
	}
	if opacity, by := c.Opacity(c.At); opacity < 1 && c.trying(by, "opacity", "1", func() bool { return passes(text) }) {
		f.Cause, f.Fix = c.declared(by, "opacity"), &Fix{Element: by, Property: "opacity", Value: "1"}
	} else if better, ok := seen.nearest(passes); ok {
		f.Fix = &Fix{Element: c.At, Property: "color", Value: better.String()}
		if c.Style(c.At, "-webkit-text-fill-color") != "" && c.Style(c.At, "-webkit-text-fill-color") != c.Style(c.At, "color") {
			f.Cause, f.Fix.Property = c.declared(c.At, "-webkit-text-fill-color"), "-webkit-text-fill-color"
		}
	}
	return []Finding{f}
}

// isLarge: https://www.w3.org/TR/WCAG22/#dfn-large-scale
func (s *Snapshot) isLarge(i int) bool {
	size := s.Px(i, "font-size")
	return size >= largeText || size >= largeBold && s.Num(i, "font-weight", 400) >= 700
}

func hasLetters(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// disabledAround reports a control that is out of use, or text in one.
func (s *Snapshot) disabledAround(i int) bool {
	for at := i; at >= 0; at = s.Of(at).Parent {
		if e := s.Of(at); e.Is(Disabled) || e.Attr("aria-disabled") == "true" || hasWord(e.Attr("class"), "disabled", "is-disabled") {
			return true
		}
	}
	return false
}

// backdrop is the chain from the nearest ancestor with an opaque background down to the
// element; unknown where anything in it is not a plain colour.
func (s *Snapshot) backdrop(i int) (chain []int, known bool) {
	box := rectOf(s.Of(i).Text.Box)
	for at := i; at >= 0; at = s.Of(at).Parent {
		chain = append([]int{at}, chain...)
		e := s.Of(at)
		if e.Is(Decorated) || s.Style(at, "background-image") != "none" || s.Style(at, "mix-blend-mode") != "normal" ||
			s.Style(at, "filter") != "none" || s.Style(at, "backdrop-filter") != "none" || s.Style(at, "mask-image") != "none" {
			return nil, false
		}
		if at > 0 && e.Is(TopLayer) && s.Style(at, "background-color") == "rgba(0, 0, 0, 0)" {
			return nil, false
		}
		back, ok := parseColour(s.Style(at, "background-color"))
		if !ok {
			return nil, false
		}
		canvas := at == 0 || e.Tag == "body" && e.Parent == 0 // covers the whole page
		if back.a > 0 && !canvas && e.Box != nil && !e.Rect().Contains(box, 3) {
			return nil, false // partly beside it
		}
		if back.a == 1 && s.Num(at, "opacity", 1) == 1 {
			return chain, s.opaqueFrom(at)
		}
	}
	return chain, !s.Viewport.Dark
}

// opaqueFrom reports that groups further up do not mix what is behind into it.
func (s *Snapshot) opaqueFrom(i int) bool {
	for _, a := range s.Ancestors(i) {
		if s.Num(a, "opacity", 1) < 1 || s.Style(a, "filter") != "none" || s.Style(a, "mix-blend-mode") != "normal" {
			return false
		}
	}
	return true
}

// colours are what is seen of the text, and beside it: the chain painted from the outside
// in, each opacity below 1 as a group of its own (CSS Color 4, section 3.2).
func (s *Snapshot) colours(chain []int, text colour) (fore, back colour) {
	var paint func(k int, below colour, ink bool) colour
	paint = func(k int, below colour, ink bool) colour {
		if k == len(chain) {
			if ink {
				return text.over(below)
			}
			return below
		}
		own, _ := parseColour(s.Style(chain[k], "background-color"))
		opacity := s.Num(chain[k], "opacity", 1)
		if opacity >= 1 {
			return paint(k+1, own.over(below), ink)
		}
		return paint(k+1, own.over(colour{}), ink).faded(opacity).over(below)
	}
	return paint(0, white, true), paint(0, white, false)
}

// paintedBehind reports something outside of the chain that may lie behind the text: then
// its colour is not known.
func (s *Snapshot) paintedBehind(i int, chain []int) bool {
	box := rectOf(s.Of(i).Text.Box)
	placed := false
	for _, at := range chain[1:] {
		placed = placed || s.Style(at, "position") != "static" || s.displacedBy(at) != ""
	}
	for _, at := range s.paintedNear(box) {
		e := s.Of(at)
		if part := e.Rect().Intersect(box); part.Width < 1 || part.Height < 1 || s.Within(at, i) || s.Within(i, at) || s.when(at) != Shown {
			continue
		}
		// What is before the backdrop's own background is behind it too.
		if placed || s.Style(at, "position") != "static" || !s.Within(at, chain[0]) || s.displacedBy(at) != "" || s.paintedAbove(i, at) {
			if s.paintedAbove(chain[0], at) && !s.Within(at, chain[0]) && !s.Within(chain[0], at) {
				continue
			}
			return true
		}
	}
	return false
}

func pointerEventsNone(c *Case) []Finding {
	e := c.Element()
	if !e.Is(Interactive) || c.Style(c.At, "pointer-events") != "none" || c.disabledAround(c.At) || c.isInert(c.At) || c.operableAround(c.At) != None {
		return nil
	}
	from := c.At // it is inherited
	for p := e.Parent; p >= 0 && c.Style(p, "pointer-events") == "none"; p = c.Of(p).Parent {
		from = p
	}
	f := Finding{
		Type: "pointer-events-none", Severity: Medium, Element: c.At,
		Message:  fmt.Sprintf("%s lets clicks through: pointer-events: none on %s.", c.Label(c.At), c.whose(from)),
		Evidence: map[string]any{},
		Cause:    c.declared(from, "pointer-events"),
		Fix:      &Fix{Element: c.At, Property: "pointer-events", Value: "auto"},
	}
	if from != c.At {
		f.Evidence["ancestor"] = Node(from)
	}
	if len(e.Hits) > 0 && e.Hits[0].At != None {
		f.Evidence["clicked"] = Node(e.Hits[0].At)
	}
	return []Finding{f}
}

// whose names the element that declares something, seen from the one that has it.
func (c *Case) whose(from int) string {
	if from == c.At {
		return "itself"
	}
	return c.Label(from) + " (" + c.ordinal(c.At, from) + ")"
}

// operableAround is the interactive element that this one is a part of, or None.
func (s *Snapshot) operableAround(i int) int {
	for _, a := range s.Ancestors(i) {
		if s.Of(a).Is(Interactive) {
			return a
		}
	}
	return None
}

func noFocusMark(c *Case) []Finding {
	e := c.Element()
	if e.Focus == nil || e.Focus.Suppressed == "" || e.Focus.Replaced != "" || !e.Is(Interactive) || !e.Is(Focusable) || c.disabledAround(c.At) {
		return nil
	}
	evidence := map[string]any{"rule": e.Focus.Suppressed}
	key := "focus " + e.Focus.Suppressed
	if c.counted(key) {
		return nil
	}
	c.toldFirst(key, evidence)
	return []Finding{{
		Type: "focus-indicator-missing", Severity: Medium, Element: c.At,
		Message:  fmt.Sprintf("Nothing shows when %s has the focus: %s takes the outline away and puts nothing in its place.", c.Label(c.At), e.Focus.Suppressed),
		Evidence: evidence,
		Cause:    Cause{Element: c.At, Property: "outline", Value: "none"},
		Fix:      &Fix{Element: c.At, Property: "outline", Value: "revert"},
	}}
}
