package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// push is what takes an element over an edge of the viewport.
type push struct {
	at    int // who is moved: the element or one that it lies in
	cause Cause
	fix   *Fix
	moved bool    // by a transform
	px    float64 // how far
}

// pushed looks for the element, i or one that it lies in, that steps furthest over the
// edge as seen from what it is laid out in, and for the declaration that does it. Where
// that element has none, its margin is that of a child collapsed with it.
func (s *Snapshot) pushed(i int, d side) push {
	var chain []int
	at, best := 0, -infinite
	for x := i; x > 0; {
		next := s.laidOutIn(x)
		if s.Of(x).Box == nil || s.Of(x).Tag == "body" && s.Style(x, "position") == "static" && s.Style(x, "transform") == "none" {
			x = next
			continue
		}
		beyond := 0.0 // of the viewport itself
		if next > 0 && s.Of(next).Tag != "body" {
			beyond = d.over(s, s.Of(next).Rect())
		}
		if step := d.over(s, s.Of(x).Rect()) - beyond; step >= best {
			at, best = len(chain), step
		}
		chain = append(chain, x)
		if next <= 0 {
			break
		}
		x = next
	}
	if len(chain) == 0 {
		return push{at: i}
	}
	first := s.blame(chain[at], s.laidOutIn(chain[at]), d)
	for k := at - 1; k >= 0 && first.cause.Property == ""; k-- {
		if inner := s.blame(chain[k], s.laidOutIn(chain[k]), d); inner.cause.Property != "" {
			return inner
		}
	}
	return first
}

// laidOutIn is the containing block of a positioned element, else the nearest box around it; None for the viewport.
func (s *Snapshot) laidOutIn(i int) int {
	if position := s.Style(i, "position"); position == "absolute" || position == "fixed" {
		block, _ := s.ContainingBlockOf(i)
		return block
	}
	p := s.Of(i).Parent
	for p > 0 && s.Of(p).Box == nil {
		p = s.Of(p).Parent
	}
	return p
}

// contribution is how many px one declaration adds to what is beyond the edge.
type contribution struct {
	property string
	px       float64
	value    string // that takes it away
	on       int
}

// blame finds the declaration of an element that takes it over the edge.
func (s *Snapshot) blame(at, around int, d side) push {
	r := s.Of(at).Rect()
	over := d.over(s, r)
	out := push{at: at, px: over}
	if property := s.transformed(at, d); property != "" {
		out.moved = true
		out.cause = s.declared(at, property)
		out.fix = &Fix{Element: at, Property: property, Value: "none"}
		return out
	}
	room := s.ViewportRect()
	if around > 0 {
		room = s.PaddingBox(around)
	}
	var best contribution
	for _, c := range s.contributions(at, room, d, over) {
		if c.px > best.px+0.5 {
			best = c
		}
	}
	if best.px <= edgeTolerance {
		best = s.row(at, around, d, over)
	}
	if best.property == "" {
		return out
	}
	out.cause = s.declared(best.on, best.property)
	if best.value != "" {
		out.fix = &Fix{Element: best.on, Property: best.property, Value: best.value}
	}
	return out
}

func (s *Snapshot) contributions(at int, room Rect, d side, over float64) []contribution {
	var list []contribution
	length := func(property string) float64 {
		if v := s.Px(at, property); !math.IsNaN(v) {
			return v
		}
		return px(s.Typed(at, property))
	}
	add := func(property string, px float64, value string) {
		if !math.IsNaN(px) && px > 0 {
			list = append(list, contribution{property, px, value, at})
		}
	}
	less := func(v float64) string { return pxValue(math.Floor(v - over)) }
	stated := func(property string) bool { return s.Typed(at, property) != "" }
	excess := d.size(s.Of(at).Rect()) - d.size(room)
	if !stated("width") && d.across || !stated("height") && !d.across {
		for _, margin := range []string{"margin-" + d.name, "margin-" + d.opposite} {
			excess += min(0, orZero(length(margin))) // a negative margin widens what has no width of its own
		}
	}
	if half := s.Typed(at, d.opposite) == "50%"; half && excess > 0 {
		list = append(list, s.tooLarge(at, room, d, excess)) // centred, and larger than its room
		return list
	}
	switch s.Style(at, "position") {
	case "absolute", "fixed":
		// The inset of the edge itself, or the one of the other edge that pushes it over.
		if stated(d.name) {
			add(d.name, -length(d.name), "0px")
		}
		if stated(d.opposite) || !stated(d.name) {
			if stated(d.opposite) {
				add(d.opposite, length(d.opposite), less(length(d.opposite)))
			}
		}
	case "relative", "sticky":
		if stated(d.name) {
			add(d.name, -length(d.name), "0px")
		}
		if stated(d.opposite) && (!stated(d.name) || d.name == "right" || d.name == "bottom") {
			add(d.opposite, length(d.opposite), "0px")
		}
	}
	add("margin-"+d.name, -length("margin-"+d.name), "0px")
	// Boxes are laid out from the start, so that only a margin at the start pushes.
	if margin := length("margin-" + d.opposite); stated("margin-"+d.opposite) && (d.name == "right" || d.name == "bottom" || stated(d.opposite)) {
		add("margin-"+d.opposite, margin, less(margin))
	}
	if excess > edgeTolerance {
		list = append(list, s.tooLarge(at, room, d, excess))
	}
	return list
}

// tooLarge is the size of an element as what takes it over the edge.
func (s *Snapshot) tooLarge(at int, room Rect, d side, excess float64) contribution {
	property, extra := "height", []string{"padding-top", "padding-bottom", "border-top-width", "border-bottom-width"}
	whole := s.Viewport.Height
	if d.across {
		property, extra = "width", []string{"padding-left", "padding-right", "border-left-width", "border-right-width"}
		whole = s.Viewport.Width
	}
	if v := px(s.Typed(at, "min-"+property)); !math.IsNaN(v) && v > d.size(room) {
		return contribution{"min-" + property, excess, "0px", at}
	}
	if d.across && s.Typed(at, property) == "" && s.Style(at, "text-wrap-mode") == "nowrap" {
		return contribution{"text-wrap-mode", excess, "wrap", at}
	}
	fits := min(d.size(room), whole)
	if s.Style(at, "box-sizing") != "border-box" {
		for _, p := range extra {
			if v := s.Px(at, p); !math.IsNaN(v) {
				fits -= v
			}
		}
	}
	return contribution{property, excess, pxValue(max(0, math.Floor(fits))), at}
}

// row is the container that sets its children in a row which does not break.
func (s *Snapshot) row(at, around int, d side, over float64) contribution {
	if around > 0 && d.across {
		switch display := s.Style(around, "display"); {
		case strings.HasSuffix(display, "flex") && s.Style(around, "flex-wrap") == "nowrap" && !strings.HasPrefix(s.Style(around, "flex-direction"), "column"):
			return contribution{"flex-wrap", over, "wrap", around}
		case s.Style(around, "text-wrap-mode") == "nowrap":
			return contribution{"text-wrap-mode", over, "wrap", around}
		}
	}
	return contribution{}
}

// transformed is the property by which a transform takes an element over the edge. One
// that only centres it (a half of its own size back from 50%) does not.
func (s *Snapshot) transformed(at int, d side) string {
	r := s.Of(at).Rect()
	over := d.over(s, r)
	size := s.unmovedSize(at)
	shifts := [...]struct {
		property string
		x, y     float64
	}{
		{property: "translate"}, {property: "transform"},
	}
	shifts[0].x, shifts[0].y = translated(s.Style(at, "translate"), size)
	shifts[1].x, shifts[1].y = shiftOf(s.Style(at, "transform"))
	for _, shift := range shifts {
		by, own := shift.y, size.Height
		if d.across {
			by, own = shift.x, size.Width
		}
		if by == 0 || math.Abs(math.Abs(by)-own/2) <= 1.5 && (s.Typed(at, d.name) == "50%" || s.Typed(at, d.opposite) == "50%") {
			continue
		}
		back := Rect{r.X - shift.x, r.Y - shift.y, r.Width, r.Height}
		if left := d.over(s, back); left <= max(edgeTolerance, over/2) {
			return shift.property
		}
	}
	// Grown by a scale, about its middle.
	flat := Rect{r.X + (r.Width-size.Width)/2, r.Y + (r.Height-size.Height)/2, size.Width, size.Height}
	if left := d.over(s, flat); left <= max(edgeTolerance, over/2) && left < over-edgeTolerance {
		for _, property := range []string{"scale", "rotate", "transform"} {
			if s.Style(at, property) != "none" {
				return property
			}
		}
	}
	return ""
}

// unmovedSize is the size before transforms.
func (s *Snapshot) unmovedSize(i int) Rect {
	e := s.Of(i)
	if e.Size != nil {
		return Rect{0, 0, e.Size[0], e.Size[1]}
	}
	return Rect{0, 0, e.Rect().Width, e.Rect().Height}
}

// shiftOf is how far a computed transform moves: the last column of its matrix.
func shiftOf(value string) (x, y float64) {
	name, inner, ok := strings.Cut(strings.TrimSuffix(value, ")"), "(")
	if !ok {
		return 0, 0
	}
	numbers := strings.Split(inner, ",")
	at := 4
	if name == "matrix3d" {
		at = 12
	}
	if len(numbers) < at+2 {
		return 0, 0
	}
	x, _ = strconv.ParseFloat(strings.TrimSpace(numbers[at]), 64)
	y, _ = strconv.ParseFloat(strings.TrimSpace(numbers[at+1]), 64)
	return x, y
}

// translated reads the property translate: its percentages are of the element's own size.
func translated(value string, own Rect) (x, y float64) {
	parts := strings.Fields(value)
	read := func(n int, whole float64) float64 {
		if n >= len(parts) {
			return 0
		}
		return shareOf(parts[n], whole)
	}
	return read(0, own.Width), read(1, own.Height)
}

func pxValue(v float64) string { return fmt.Sprintf("%gpx", round(v)) }

func orZero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
