package layout

import (
	"math"
	"strconv"
	"strings"
)

// ContainingBlockOf is the element whose box a positioned element's offsets are of, and
// the property that makes it so; None for the initial containing block (the viewport of a
// fixed element). CSS Positioned Layout 3, section 2.1.
func (s *Snapshot) ContainingBlockOf(i int) (at int, property string) {
	switch s.Style(i, "position") {
	case "fixed":
		for _, a := range s.Ancestors(i) {
			if property := s.containsFixed(a); property != "" {
				return a, property
			}
		}
		return None, ""
	case "absolute":
		for _, a := range s.Ancestors(i) {
			if property := s.containsFixed(a); property != "" {
				return a, property
			}
			if s.Style(a, "position") != "static" {
				return a, "position"
			}
		}
		return None, ""
	}
	for _, a := range s.Ancestors(i) {
		switch display := s.Style(a, "display"); display {
		case "inline", "contents":
		default:
			return a, "display"
		}
	}
	return None, ""
}

// containsFixed is the property by which an element is the containing block of fixed
// descendants too; empty when it is not.
func (s *Snapshot) containsFixed(i int) string {
	if i == 0 { // of the root element most do not apply
		return ""
	}
	for _, property := range []string{"transform", "translate", "rotate", "scale", "perspective", "filter", "backdrop-filter"} {
		if s.Style(i, property) != "none" {
			return property
		}
	}
	if hasWord(s.Style(i, "contain"), "paint", "layout", "strict", "content") {
		return "contain"
	}
	if hasWord(s.Style(i, "will-change"), "transform", "translate", "rotate", "scale", "perspective", "filter", "backdrop-filter") {
		return "will-change"
	}
	if s.Style(i, "container-type") != "normal" { // CSS Containment 3: layout containment
		return "container-type"
	}
	if s.Style(i, "content-visibility") != "visible" {
		return "content-visibility"
	}
	return ""
}

func hasWord(value string, words ...string) bool {
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ' ' || r == ',' }) {
		for _, w := range words {
			if word == w {
				return true
			}
		}
	}
	return false
}

// StacksBy is the property by which an element makes a stacking context; empty when it
// makes none. CSS 2.2 appendix E; MDN, Stacking context.
func (s *Snapshot) StacksBy(i int) string {
	if i == 0 {
		return "root"
	}
	e := s.Of(i)
	if e.Is(TopLayer) {
		return "top layer"
	}
	position, z := s.Style(i, "position"), s.Style(i, "z-index")
	switch {
	case position == "fixed" || position == "sticky":
		return "position"
	case z != "auto" && (position != "static" || s.ItemOf(i) != ""):
		return "z-index"
	case s.Num(i, "opacity", 1) < 1:
		return "opacity"
	case s.Style(i, "mix-blend-mode") != "normal":
		return "mix-blend-mode"
	case s.Style(i, "isolation") == "isolate":
		return "isolation"
	case s.Style(i, "clip-path") != "none":
		return "clip-path"
	case s.Style(i, "mask-image") != "none":
		return "mask-image"
	}
	if hasWord(s.Style(i, "will-change"), "opacity", "z-index", "mix-blend-mode", "clip-path", "mask-image", "isolation") {
		return "will-change"
	}
	return s.containsFixed(i)
}

// ItemOf is "flex" or "grid" of a child of such a container, else empty.
func (s *Snapshot) ItemOf(i int) string {
	p := s.Of(i).Parent
	for p >= 0 && s.Style(p, "display") == "contents" {
		p = s.Of(p).Parent
	}
	if p < 0 {
		return ""
	}
	if position := s.Style(i, "position"); position == "absolute" || position == "fixed" {
		return ""
	}
	switch s.Style(p, "display") {
	case "flex", "inline-flex":
		return "flex"
	case "grid", "inline-grid":
		return "grid"
	}
	return ""
}

// StackingContextOf is the element whose stacking context i is painted in (for an element
// that makes one: the one around it).
func (s *Snapshot) StackingContextOf(i int) int {
	for _, a := range s.Ancestors(i) {
		if s.StacksBy(a) != "" {
			return a
		}
	}
	return 0
}

// StackChain is the element's stacking contexts from its own or nearest up to the root.
func (s *Snapshot) StackChain(i int) []int {
	var list []int
	for at := i; at >= 0; at = s.Of(at).Parent {
		if s.StacksBy(at) != "" {
			list = append(list, at)
		}
	}
	return list
}

// Level is the z-index with which an element takes part in its stacking context.
func (s *Snapshot) Level(i int) int {
	z, err := strconv.Atoi(s.Style(i, "z-index"))
	if err != nil || s.Style(i, "position") == "static" && s.ItemOf(i) == "" {
		return 0
	}
	return z
}

// Clip is an ancestor that cuts off what goes beyond a box.
type Clip struct {
	At       int
	Property string // overflow-x, overflow-y, clip-path, contain, mask-image, …
	Box      Rect   // what it lets through
	Scrolls  bool   // scrolling brings the rest into view
}

// infinite stands for no bound; large enough, and adding it loses nothing.
const infinite = 1e7

// Clips lists what cuts an element off, the nearest first; not the viewport. A clip
// concerns only elements whose containing block it is in: an absolutely positioned one
// passes the boxes between it and its containing block. CSS Overflow 3, section 3.
func (s *Snapshot) Clips(i int) []Clip {
	var list []Clip
	if s.Of(i).Is(TopLayer) {
		return nil
	}
	at := i
	for {
		position := s.Style(at, "position")
		block := s.Of(at).Parent
		if position == "absolute" || position == "fixed" {
			block, _ = s.ContainingBlockOf(at)
		}
		if block == None {
			return list
		}
		// Whatever lies between is passed by; clip-path and masks cut everything inside of them.
		for between := s.Of(at).Parent; between >= 0 && between != block; between = s.Of(between).Parent {
			list = append(list, s.paintClips(between)...)
		}
		list = append(list, s.overflowClips(block)...)
		list = append(list, s.paintClips(block)...)
		if s.Of(block).Is(TopLayer) {
			return list
		}
		at = block
	}
}

// PaddingBox is the part of the border box within the borders, after transforms as far as scale goes.
func (s *Snapshot) PaddingBox(i int) Rect {
	r := s.Of(i).Rect()
	side := func(name string) float64 {
		if width := s.Px(i, "border-"+name+"-width"); !math.IsNaN(width) {
			return width
		}
		return 0
	}
	kx, ky := s.scaleOf(i)
	left, top := side("left")*kx, side("top")*ky
	return Rect{r.X + left, r.Y + top, max(0, r.Width-left-side("right")*kx), max(0, r.Height-top-side("bottom")*ky)}
}

func (s *Snapshot) scaleOf(i int) (x, y float64) {
	e := s.Of(i)
	if e.Size == nil || e.Box == nil || e.Size[0] == 0 || e.Size[1] == 0 {
		return 1, 1
	}
	return e.Box[2] / e.Size[0], e.Box[3] / e.Size[1]
}

func (s *Snapshot) overflowClips(i int) []Clip {
	if i == 0 || s.viewportOverflow(i) {
		return nil // the viewport's own
	}
	ox, oy := s.Style(i, "overflow-x"), s.Style(i, "overflow-y")
	paint := hasWord(s.Style(i, "contain"), "paint", "strict", "content")
	if display := s.Style(i, "display"); display == "inline" || display == "contents" || ox == "visible" && oy == "visible" && !paint {
		return nil
	}
	var list []Clip
	box := s.PaddingBox(i)
	if ox != "visible" {
		list = append(list, Clip{i, "overflow-x", Rect{box.X, -infinite, box.Width, 2 * infinite}, ox == "auto" || ox == "scroll"})
	}
	if oy != "visible" {
		list = append(list, Clip{i, "overflow-y", Rect{-infinite, box.Y, 2 * infinite, box.Height}, oy == "auto" || oy == "scroll"})
	}
	if ox == "visible" && oy == "visible" && paint {
		list = append(list, Clip{i, "contain", box, false})
	}
	return list
}

// viewportOverflow reports the body whose overflow goes to the viewport (CSS Overflow 3, section 3.5).
func (s *Snapshot) viewportOverflow(i int) bool {
	return s.Of(i).Tag == "body" && s.Of(i).Parent == 0 &&
		s.Style(0, "overflow-x") == "visible" && s.Style(0, "overflow-y") == "visible"
}

// paintClips are clip-path (inset and rect forms; others by their whole box), and masks of one image that is not repeated.
func (s *Snapshot) paintClips(i int) []Clip {
	path := s.Style(i, "clip-path")
	if s.Of(i).Box == nil {
		return nil
	}
	if path == "none" {
		return s.maskClips(i)
	}
	box := s.Of(i).Rect()
	if inner, ok := strings.CutPrefix(path, "inset("); ok {
		inner, _, _ = strings.Cut(strings.TrimSuffix(inner, ")"), " round ")
		sides := strings.Fields(inner)
		side := func(n int, whole float64) float64 {
			for len(sides) <= n {
				if n -= 2; n < 0 {
					n = 0
				}
				if len(sides) == 0 {
					return 0
				}
			}
			return shareOf(sides[n], whole)
		}
		top, right, bottom, left := side(0, box.Height), side(1, box.Width), side(2, box.Height), side(3, box.Width)
		box = Rect{box.X + left, box.Y + top, max(0, box.Width-left-right), max(0, box.Height-top-bottom)}
	}
	return []Clip{{i, "clip-path", box, false}}
}

// Visible is the part of the element's box that clips leave, and the clip that cuts most
// of it (nil when none does). Only clips that cannot be scrolled count with hard.
func (s *Snapshot) Visible(i int, hard bool) (Rect, *Clip) {
	whole := s.Of(i).Rect()
	left := whole
	var worst *Clip
	lost := 0.0
	clips := s.Clips(i)
	for k := range clips {
		clip := &clips[k]
		if hard && clip.Scrolls {
			continue
		}
		next := left.Intersect(clip.Box)
		if cut := left.Area() - next.Area(); cut > lost+0.5 {
			lost, worst = cut, clip
		}
		left = next
	}
	return left, worst
}

// Opacity is the product over the element and its ancestors, and who has the lowest.
func (s *Snapshot) Opacity(i int) (product float64, by int) {
	product, by = 1, None
	lowest := 1.0
	for at := i; at >= 0; at = s.Of(at).Parent {
		own := s.Num(at, "opacity", 1)
		product *= own
		if own < lowest {
			lowest, by = own, at
		}
	}
	return product, by
}

// OutOfFlow is the nearest of the element and its ancestors that is placed against the
// viewport or the initial containing block rather than with the content; None when it
// lies in the flow of the page.
func (s *Snapshot) OutOfFlow(i int) int {
	for at := i; at >= 0; at = s.Of(at).Parent {
		switch s.Style(at, "position") {
		case "fixed", "absolute":
			if block, _ := s.ContainingBlockOf(at); block == None || s.Style(at, "position") == "fixed" {
				return at
			}
		}
	}
	return None
}
