package layout

import (
	"fmt"
	"math"
	"strconv"
)

var pageRules = []Rule{
	{
		Types: []Type{{"horizontal-scroll", Medium, "makes the page scroll sideways"}},
		Find:  horizontalScroll,
	},
	{
		Types: []Type{{"scroll-locked", Medium, "keeps the page from scrolling to what is below"}},
		When:  Rendered, Find: scrollLocked,
	},
}

// wideElement reaches beyond the edge of the page, and is why the page scrolls sideways.
type wideElement struct {
	at   int
	over float64
	reason
}

// beyond is how far something reaches over the edge that scrolling extends: the right one,
// in a right-to-left page the left one (CSS Overflow 3, section 2.2).
func (s *Snapshot) beyond(r Rect) float64 {
	if s.Viewport.RTL {
		return -(r.X + s.Viewport.ScrollX)
	}
	return r.Right() + s.Viewport.ScrollX - s.Viewport.Width
}

// scrollsSideways reports a page that a person can scroll sideways.
func (s *Snapshot) scrollsSideways() bool {
	v := s.Viewport
	if v.ContentWidth <= v.Width+1 {
		return false
	}
	scroller := 0
	if body := s.body(); body != None && s.viewportOverflow(body) {
		scroller = body
	}
	overflow := s.Style(scroller, "overflow-x")
	return overflow != "hidden" && overflow != "clip"
}

func (s *Snapshot) body() int {
	for _, child := range s.Children(0) {
		if s.Of(child).Tag == "body" {
			return child
		}
	}
	return None
}

// wideElements are the elements that make the page scroll sideways: of each that reaches
// beyond the edge the one that carries the width, not what is around or within it.
func (s *Snapshot) wideElements() []wideElement {
	if s.wide != nil {
		return *s.wide
	}
	list := []wideElement{}
	if s.scrollsSideways() {
		list = s.findWide()
	}
	s.wide = &list
	return list
}

func (s *Snapshot) findWide() []wideElement {
	reach := make(map[int]float64) // px over the edge
	for i := 1; i < len(s.Elements); i++ {
		if over := s.pageReach(i); over > 1 {
			reach[i] = over
		}
	}
	var list []wideElement
	told := make(map[int]bool)
	for i := 1; i < len(s.Elements); i++ {
		over, ok := reach[i]
		if !ok {
			continue
		}
		if p := s.boxParent(i); p > 0 {
			if _, also := reach[p]; also && s.beyond(s.Of(p).Rect()) >= s.beyond(s.Of(i).Rect())-0.5 && !s.textOver(i) {
				continue // as wide as what is around it
			}
		}
		at, why := s.whyWide(i, reach)
		if told[at] {
			continue
		}
		told[at] = true
		list = append(list, wideElement{at, over, why})
	}
	return list
}

// pageReach is how far an element takes part in the page's width, over its edge.
func (s *Snapshot) pageReach(i int) float64 {
	e := s.Of(i)
	if e.Box == nil {
		return 0
	}
	r := e.Rect()
	if e.Text != nil && s.Style(i, "overflow-x") == "visible" {
		r = r.Union(textRect(e))
	}
	over := s.beyond(r)
	if over <= 1 || r.Empty() {
		return 0
	}
	for at := i; at >= 0; {
		if s.Of(at).Is(TopLayer) {
			return 0
		}
		block, _ := s.ContainingBlockOf(at)
		if block == None && s.Style(at, "position") == "fixed" {
			return 0
		}
		at = block
	}
	for _, clip := range s.Clips(i) {
		if clip.Property == "overflow-x" || clip.Property == "contain" {
			over = min(over, s.beyond(clip.Box))
		}
	}
	return over
}

func textRect(e *Element) Rect {
	return Rect{e.Text.Box[0], e.Text.Box[1], e.Text.Box[2], e.Text.Box[3]}
}

// textOver reports own text that runs out of its element over the edge of the page.
func (s *Snapshot) textOver(i int) bool {
	e := s.Of(i)
	return e.Text != nil && s.Style(i, "overflow-x") == "visible" && s.beyond(textRect(e)) > s.beyond(e.Rect())+1
}

// whyWide finds the one that is responsible, in or at an element that reaches beyond the
// edge more than what is around it.
func (s *Snapshot) whyWide(i int, reach map[int]float64) (int, reason) {
	if s.textOver(i) {
		return i, s.widthOfText(i)
	}
	parent := s.boxParent(i)
	room := s.Viewport.Width
	if parent > 0 {
		room = min(room, s.innerBox(parent).Width)
	}
	if why := s.displaced(i); why != nil {
		return i, *why
	}
	if why := s.declaredWidth(i, room); why != nil {
		return i, *why
	}
	if why := s.marginOnTop(i); why != nil {
		return i, *why
	}
	if why := s.bled(i); why != nil {
		return i, *why
	}
	if parent > 0 {
		if fault := s.flexOverflow(parent); fault != nil {
			return fault.at(parent), fault.reason
		}
		if why := s.gridOverflow(parent); why != nil {
			return parent, *why
		}
	}
	// Its width comes from what is in it: the widest of that.
	widest, most := None, 0.0
	if e := s.Of(i); e.Text != nil {
		most = s.beyond(textRect(e))
	}
	for _, child := range s.boxChildren(i) {
		if over := reach[child]; over > most && s.inFlow(child) {
			widest, most = child, over
		}
	}
	switch {
	case widest != None:
		return s.whyWide(widest, reach)
	case s.Of(i).Text != nil:
		return i, s.widthOfText(i)
	}
	return i, reason{s.declared(i, "width"), styleFix(i, "max-width", "100%"), "its width"}
}

// displaced is the declaration that moves an element over the edge.
func (s *Snapshot) displaced(i int) *reason {
	e := s.Of(i)
	over := s.beyond(e.Rect())
	for _, property := range []string{"transform", "translate", "scale", "rotate"} {
		value := s.Style(i, property)
		if value == "none" || !s.movesOut(i, property, over) {
			continue
		}
		return &reason{s.declared(i, property), styleFix(i, property, "none"), "its " + property + " moves it there"}
	}
	position := s.Style(i, "position")
	if position == "static" || position == "sticky" || e.Rect().Width > s.Viewport.Width {
		return nil
	}
	start, end := "left", "right"
	if s.Viewport.RTL {
		start, end = end, start
	}
	if v := s.Px(i, end); v < -0.5 && s.Typed(i, end) != "" {
		return &reason{s.declared(i, end), styleFix(i, end, "0px"), end + ": " + s.declared(i, end).Value + " puts it there"}
	}
	if v := s.Px(i, start); v > 0 && s.Typed(i, start) != "" {
		fit := strconv.FormatFloat(math.Floor(v-over), 'f', -1, 64) + "px"
		return &reason{s.declared(i, start), styleFix(i, start, fit), start + ": " + s.declared(i, start).Value + " puts it there"}
	}
	return nil
}

// movesOut reports a transform without which the element would stay within the edge.
func (s *Snapshot) movesOut(i int, property string, over float64) bool {
	if property == "rotate" {
		return true
	}
	value := s.Style(i, property)
	if property == "translate" {
		shift, ok := translation(value)
		return !ok || s.towardsEdge(shift) >= over-1
	}
	if property == "scale" {
		width, _ := s.layoutSize(i)
		return s.Of(i).Rect().Width-width > 1
	}
	shift, ok := matrixShift(value)
	width, _ := s.layoutSize(i)
	grown := s.Of(i).Rect().Width - width
	return !ok || s.towardsEdge(shift)+grown/2 >= over-1
}

func (s *Snapshot) towardsEdge(shift float64) float64 {
	if s.Viewport.RTL {
		return -shift
	}
	return shift
}

// matrixShift is the sideways part of a computed transform.
func matrixShift(value string) (float64, bool) {
	numbers := numbersOf(value)
	switch len(numbers) {
	case 6:
		return numbers[4], true
	case 16:
		return numbers[12], true
	}
	return 0, false
}

func translation(value string) (float64, bool) {
	numbers := numbersOf(value)
	if len(numbers) == 0 || math.IsNaN(numbers[0]) {
		return 0, false
	}
	return numbers[0], true
}

// bled is a negative margin that widens an element beyond its container.
func (s *Snapshot) bled(i int) *reason {
	properties := []string{"margin-right", "margin-left"}
	if s.Viewport.RTL {
		properties = []string{"margin-left", "margin-right"}
	}
	for _, property := range properties {
		if s.length(i, property) < 0 {
			return &reason{s.declared(i, property), styleFix(i, property, "0px"), property + ": " + s.declared(i, property).Value + " widens it"}
		}
	}
	return nil
}

// horizontalScroll speaks of each element that makes the page scroll sideways; asked about
// one, of that one only.
func horizontalScroll(c *Case) []Finding {
	whole := c.At == 0 || c.asked() && c.Element().Tag == "body"
	var out []Finding
	for _, wide := range c.wideElements() {
		if wide.at != c.At && !whole || c.asked() && c.At != c.Target || !c.asked() && c.At != 0 {
			continue
		}
		edge := "right"
		if c.Viewport.RTL {
			edge = "left"
		}
		out = append(out, Finding{
			Type: "horizontal-scroll", Severity: Medium, Element: wide.at,
			Message:  fmt.Sprintf("%s reaches %s beyond the %s edge and makes the page scroll sideways: %s.", c.Label(wide.at), pxText(wide.over), edge, wide.Why),
			Evidence: map[string]any{"px": round(wide.over), "box": boxText(c.Of(wide.at).Rect()), "viewport": c.Viewport.Width},
			Cause:    wide.Cause, Fix: wide.Fix,
		})
	}
	return out
}

// toldWide reports a cause that horizontal-scroll tells on the sweep of a page.
func (s *Snapshot) toldWide(cause Cause) bool {
	if s.asked() {
		return false
	}
	for _, wide := range s.wideElements() {
		if wide.Cause.Element == cause.Element {
			return true
		}
	}
	return false
}
