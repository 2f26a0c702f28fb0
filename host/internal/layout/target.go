package layout

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// smallTarget: https://www.w3.org/TR/WCAG22/#target-size-minimum with its exceptions:
// spacing, inline, and what the browser itself draws.
func smallTarget(c *Case) []Finding {
	need := float64(targetAA)
	if c.Options.AAA {
		need = targetAAA
	}
	if !c.isTarget(c.At) {
		return nil
	}
	r := c.Element().Rect()
	if !smallerThan(r, need) || c.browserSized(c.At) {
		return nil
	}
	key := fmt.Sprint("target ", c.Element().Tag, c.Label(c.Element().Parent), math.Round(r.Height))
	near, far := c.nearestTarget(c.At)
	if !smallerThan(r, targetAA) {
		near = None // AAA knows no spacing
	} else if near == None && !c.Options.AAA {
		return nil
	}
	if c.counted(key) {
		return nil
	}
	f := Finding{
		Type: "touch-target-small", Severity: Low, Element: c.At,
		Message:  fmt.Sprintf("%s is %s × %s, less than %g × %g px.", c.Label(c.At), plain(r.Width), pxText(r.Height), need, need),
		Evidence: map[string]any{"width": round(r.Width), "height": round(r.Height), "needed": need},
		Cause:    c.declared(c.At, "width"),
	}
	if r.Height < r.Width {
		f.Cause = c.declared(c.At, "height")
	}
	if near != None {
		f.Message = fmt.Sprintf("%s is %s × %s, less than %g × %g px, and %s is so near that a finger meets both.", c.Label(c.At), plain(r.Width), pxText(r.Height), need, need, c.Label(near))
		f.Evidence["near"], f.Evidence["distance"] = Node(near), round(far)
	}
	c.toldFirst(key, f.Evidence)
	f.Fix = c.enlarge(r, need)
	return []Finding{f}
}

func plain(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', -1, 64) }

func smallerThan(r Rect, need float64) bool { return r.Width < need-0.5 || r.Height < need-0.5 }

// isTarget reports what the size is asked of.
func (s *Snapshot) isTarget(i int) bool {
	e := s.Of(i)
	switch {
	case !e.Is(Interactive), e.Is(InText), s.when(i) != Shown, s.disabledAround(i), s.isInert(i), s.operableAround(i) != None:
		return false
	case svgPart(e.Tag), e.Tag == "area", e.Rect().Width <= 2, e.Rect().Height <= 2:
		return false
	case s.Style(i, "pointer-events") == "none":
		return false
	case e.Tag == "input" && slices.Contains([]string{"checkbox", "radio", "range", "color", "file"}, e.Attr("type")):
		return false // the browser's own size, and mostly a label belongs to it
	}
	visible, _ := s.Visible(i, true)
	return visible.Area() >= e.Rect().Area()/2 && !s.aloneInLine(i)
}

// browserSized reports a control that is as large as the browser makes it where the page
// says nothing: an exception of 2.5.8.
func (s *Snapshot) browserSized(i int) bool {
	e := s.Of(i)
	switch e.Tag {
	case "button", "input", "select", "textarea":
	default:
		return false
	}
	font := s.Style(i, "font-size")
	return s.Typed(i, "height") == "" && s.Typed(i, "width") == "" && s.Typed(i, "min-height") == "" &&
		(e.Text == nil || font == "13.3333px") && math.Abs(e.Rect().Height-20.5) <= 2 && e.Rect().Width >= 16
}

// aloneInLine reports an inline link within a line of text of an element around it.
func (s *Snapshot) aloneInLine(i int) bool {
	if s.Style(i, "display") != "inline" {
		return false
	}
	p := s.Of(i).Parent
	return p >= 0 && s.Of(p).Text != nil
}

// nearestTarget is another target that the circle of 24 px around this one's middle
// meets, or the circle of one that is too small as well; None when there is room.
func (s *Snapshot) nearestTarget(i int) (at int, distance float64) {
	r := s.Of(i).Rect()
	x, y := r.X+r.Width/2, r.Y+r.Height/2
	at, distance = None, math.Inf(1)
	for _, other := range s.interactiveIn(y-targetAA, y+targetAA) {
		if other == i {
			continue
		}
		o, _ := s.Visible(other, false)
		if o.Empty() || s.passes(other, i) || s.passes(i, other) {
			continue
		}
		dx, dy := max(o.X-x, 0, x-o.Right()), max(o.Y-y, 0, y-o.Bottom())
		near := math.Hypot(dx, dy) < targetAA/2-0.01
		if smallerThan(s.Of(other).Rect(), targetAA) {
			near = near || math.Hypot(o.X+o.Width/2-x, o.Y+o.Height/2-y) < targetAA-0.01
		}
		d := math.Hypot(o.X+o.Width/2-x, o.Y+o.Height/2-y)
		if near && d < distance && !s.Within(other, i) && !s.Within(i, other) && s.isTarget(other) && s.popupAround(other) == s.popupAround(i) {
			at, distance = other, d
		}
	}
	return at, distance
}

// passes reports a target in a bar that stays, under which another one scrolls: they are
// near for a moment.
func (s *Snapshot) passes(bar, other int) bool {
	return s.stays(bar, other) && !s.stays(other, bar)
}

// enlarge gives the target its size, by padding where both sides lack it.
func (c *Case) enlarge(r Rect, need float64) *Fix {
	lackX, lackY := max(0, need-r.Width), max(0, need-r.Height)
	inline := c.Style(c.At, "display") == "inline"
	length := func(v float64) string { return strconv.Itoa(int(math.Ceil(v))) + "px" }
	switch {
	case lackX > 0 && lackY == 0 && !inline:
		return &Fix{Element: c.At, Property: "min-width", Value: length(c.innerLength(need, "left", "right"))}
	case lackY > 0 && lackX == 0 && !inline:
		return &Fix{Element: c.At, Property: "min-height", Value: length(c.innerLength(need, "top", "bottom"))}
	}
	pad := func(side string, lack float64) float64 {
		had := c.Px(c.At, "padding-"+side)
		if math.IsNaN(had) {
			had = 0
		}
		return had + math.Ceil(lack/2)
	}
	if c.Style(c.At, "box-sizing") == "border-box" {
		// Padding takes from the content of what has a size: it has to be as large as the whole.
		if c.Typed(c.At, "width") != "" && lackX > 0 {
			lackX = need
		}
		if c.Typed(c.At, "height") != "" && lackY > 0 {
			lackY = need
		}
	}
	return &Fix{Element: c.At, Property: "padding", Value: fmt.Sprintf("%s %s %s %s",
		length(pad("top", lackY)), length(pad("right", lackX)), length(pad("bottom", lackY)), length(pad("left", lackX)))}
}

// innerLength is the min-width or min-height that gives the border box a size.
func (c *Case) innerLength(need float64, sides ...string) float64 {
	if c.Style(c.At, "box-sizing") == "border-box" {
		return need
	}
	for _, side := range sides {
		for _, property := range []string{"padding-" + side, "border-" + side + "-width"} {
			if v := c.Px(c.At, property); !math.IsNaN(v) {
				need -= v
			}
		}
	}
	return max(need, 0)
}
