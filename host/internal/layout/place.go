package layout

import (
	"fmt"
	"math"
	"strings"
)

// edgeTolerance is how far a box may stand out of the viewport, px.
const edgeTolerance = 2

var placeRules = []Rule{
	{
		Types: []Type{
			{"offscreen-left", High, "reaches beyond the left edge of the viewport"},
			{"offscreen-right", High, "reaches beyond the right edge"},
			{"offscreen-top", High, "reaches beyond the top edge"},
			{"offscreen-bottom", Medium, "reaches beyond the bottom edge"},
			{"completely-offscreen", High, "lies outside of the viewport altogether"},
			{"transform-offscreen", High, "is taken off the screen by a transform, its own or an ancestor's"},
		},
		When: Rendered, Find: offscreen,
	},
}

// side is one edge of the viewport.
type side struct {
	kind     string
	severity Severity
	name     string // also the inset's property
	opposite string
	across   bool // horizontal
}

var sides = [4]side{
	{"offscreen-left", High, "left", "right", true},
	{"offscreen-right", High, "right", "left", true},
	{"offscreen-top", High, "top", "bottom", false},
	{"offscreen-bottom", Medium, "bottom", "top", false},
}

// over is how far a box reaches beyond the edge, negative within.
func (d side) over(s *Snapshot, r Rect) float64 {
	switch d.name {
	case "left":
		return -r.X
	case "right":
		return r.Right() - s.Viewport.Width
	case "top":
		return -r.Y
	}
	return r.Bottom() - s.Viewport.Height
}

// outside is how far the whole box is beyond the edge; 0 when it just touches it.
func (d side) outside(s *Snapshot, r Rect) float64 {
	if d.across {
		return d.over(s, r) - r.Width
	}
	return d.over(s, r) - r.Height
}

// size of a box along the axis of the edge.
func (d side) size(r Rect) float64 {
	if d.across {
		return r.Width
	}
	return r.Height
}

// blockAxis reports whether the page grows in the direction of this edge, so that
// scrolling there is what a person expects: down, or sideways in vertical writing.
func (s *Snapshot) blockAxis(d side) bool {
	switch s.Viewport.WritingMode {
	case "vertical-rl", "sideways-rl":
		return d.name == "left"
	case "vertical-lr", "sideways-lr":
		return d.name == "right"
	}
	return d.name == "bottom"
}

// scrollsFromRight reports a page whose scrolling begins at its right edge.
func (s *Snapshot) scrollsFromRight() bool {
	mode := s.Viewport.WritingMode
	return s.Viewport.RTL && mode == "" || mode == "vertical-rl" || mode == "sideways-rl"
}

// scrollsTo reports whether scrolling the page brings that edge of a box into view. What
// lies before the origin of the scroll area never is (CSS Overflow 3, section 2.2).
func (s *Snapshot) scrollsTo(d side, r Rect) bool {
	v := s.Viewport
	fromRight := s.scrollsFromRight()
	fromBottom := v.RTL && v.WritingMode != ""
	left, top := r.X+v.ScrollX, r.Y+v.ScrollY
	minX, maxX, minY, maxY := 0.0, v.ContentWidth, 0.0, v.ContentHeight
	if fromRight {
		minX, maxX = v.Width-v.ContentWidth, v.Width
	}
	if fromBottom {
		minY, maxY = v.Height-v.ContentHeight, v.Height
	}
	switch d.name {
	case "left":
		return left >= minX-edgeTolerance
	case "right":
		return left+r.Width <= maxX+edgeTolerance
	case "top":
		return top >= minY-edgeTolerance
	}
	return top+r.Height <= maxY+edgeTolerance
}

// locked is the element that keeps the viewport from scrolling along an axis, or None.
func (s *Snapshot) locked(across bool) (at int, property string) {
	property = "overflow-y"
	if across {
		property = "overflow-x"
	}
	for i := 0; i < len(s.Elements) && i < 3; i++ {
		if i != 0 && !s.viewportOverflow(i) {
			continue
		}
		if value := s.Style(i, property); value == "hidden" || value == "clip" {
			return i, property
		}
	}
	return None, property
}

// placedBy is the element, i or around it, that stands against the viewport or the initial
// containing block; None where i lies in the flow of the page.
func (s *Snapshot) placedBy(i int) int {
	for at := i; at != None; {
		switch s.Style(at, "position") {
		case "fixed", "absolute":
			block, _ := s.ContainingBlockOf(at)
			if block == None {
				return at
			}
			at = block
		default:
			at = s.Of(at).Parent
		}
	}
	return None
}

// carries reports an absolutely placed box that the page itself lies in: it begins in the
// first screen and goes on below it.
func (s *Snapshot) carries(at int) bool {
	if s.Style(at, "position") != "absolute" {
		return false
	}
	r, v := s.Of(at).Rect(), s.Viewport
	if v.WritingMode != "" {
		return r.Width > v.Width
	}
	top := r.Y + v.ScrollY
	return top >= -edgeTolerance && top < v.Height && r.Height > v.Height
}

// inFlowOfPage reports whether a box placed against the initial containing block lies
// where the content of the page is anyway, so that it is not what makes the page scroll.
func (s *Snapshot) inFlowOfPage(placed int, r Rect, d side) bool {
	if s.Style(placed, "position") == "fixed" {
		return false
	}
	if s.carries(placed) {
		return true
	}
	flow := s.Of(0).Rect()
	for i := 1; i < len(s.Elements) && i < 3; i++ {
		if s.Of(i).Tag == "body" {
			flow = flow.Union(s.Of(i).Rect())
		}
	}
	switch d.name {
	case "left":
		return r.X >= flow.X-edgeTolerance
	case "right":
		return r.Right() <= flow.Right()+edgeTolerance
	case "top":
		return r.Y >= flow.Y-edgeTolerance
	}
	return r.Bottom() <= flow.Bottom()+edgeTolerance
}

// offscreen speaks of elements that stand where no scrolling brings them into view, or
// that were placed against the viewport rather than with the content. What an ancestor
// cuts off does not count: that is a matter of clips.
func offscreen(c *Case) []Finding {
	whole := c.Element().Rect()
	if whole.Empty() || c.ViewportRect().Contains(whole, edgeTolerance) || c.At == 0 || c.Element().Tag == "body" {
		return nil
	}
	r, _ := c.Visible(c.At, false)
	if r.Empty() {
		return nil
	}
	asked := c.asked()
	placed := c.placedBy(c.At)
	var out, notes []Finding
	var gone *Finding
	furthest := -1.0
	for _, d := range sides {
		over := d.over(c.Snapshot, r)
		if over <= edgeTolerance || math.IsNaN(over) {
			continue
		}
		f, fault := c.beyond(d, r, placed, asked)
		if f == nil {
			continue
		}
		outside := d.outside(c.Snapshot, r)
		if !fault {
			if outside >= 0 {
				notes = append(notes, *f)
			}
			continue
		}
		if outside >= 0 && outside > furthest {
			furthest, gone = outside, f
		}
		out = append(out, *f)
	}
	if gone != nil {
		if gone.Type != "transform-offscreen" {
			gone.Type = "completely-offscreen"
		}
		if gone.Severity != Info {
			gone.Severity = High
		}
		return []Finding{*gone}
	}
	if len(out) == 0 && len(notes) > 0 {
		return notes[:1]
	}
	return out
}

// beyond is the finding about one edge, and whether it is one that counts: the other kind
// is that scrolling shows the element.
func (c *Case) beyond(d side, r Rect, placed int, asked bool) (f *Finding, fault bool) {
	over := d.over(c.Snapshot, r)
	reached := c.scrollsTo(d, r) && (placed == None || c.inFlowOfPage(placed, r, d))
	scrolled := reached && (d.name == "left" && c.Viewport.ScrollX > 0 || d.name == "right" && c.Viewport.ScrollX < 0 || d.name == "top")
	lock, lockedBy := c.locked(d.across)
	evidence := map[string]any{"px": round(over), "edge": d.name, "box": boxText(c.Element().Rect()), "viewport": boxText(c.ViewportRect())}
	base := &Finding{Type: d.kind, Severity: d.severity, Element: c.At, Evidence: evidence}
	switch {
	case reached && lock == None && (scrolled || c.blockAxis(d) || c.wideByDesign(d)):
		if !asked || !c.Options.All {
			return nil, false // where it is says enough
		}
		base.Severity, base.Purpose = Info, "scrolling the page shows it"
		base.Message = fmt.Sprintf("%s lies %s beyond the %s edge of the viewport.", c.Label(c.At), pxText(over), d.name)
		base.Evidence["scroll"] = d.name
		return base, false
	case reached && lock != None && (scrolled || c.blockAxis(d)):
		if !asked {
			return nil, false // of the page as a whole
		}
		base.Message = fmt.Sprintf("%s lies %s beyond the %s edge of the viewport, and %s: %s on %s keeps the page from scrolling there.",
			c.Label(c.At), pxText(over), d.name, lockedBy, c.Style(lock, lockedBy), c.Label(lock))
		base.Cause, base.Fix = c.declared(lock, lockedBy), &Fix{Element: lock, Property: lockedBy, Value: "auto"}
		if why := c.outgrown(c.At); why != nil {
			base.Message += " " + strings.ToUpper(why.Why[:1]) + why.Why[1:] + "."
			base.Cause, base.Fix = why.Cause, why.Fix
		}
		if c.modalOpen() {
			base.Severity, base.Purpose = Info, "the page is kept still while a dialog is open"
		}
		return base, true
	}
	push := c.pushed(c.At, d)
	if lock != None && d.across && push.cause.Property == "flex-wrap" {
		// A row that is longer than the page, which is not scrolled: it could be.
		at := push.cause.Element
		push.cause, push.fix = c.declared(at, "overflow-x"), &Fix{Element: at, Property: "overflow-x", Value: "auto"}
		if !asked && reached && d.outside(c.Snapshot, r) >= 0 && c.At == push.at && c.hasContent(c.At) && !c.carousel(c.At) && !push.moved {
			reached = false
		}
	}
	if reached && !asked && placed == None && !push.moved {
		return nil, false // horizontal-scroll names who does it
	}
	if !asked && push.at != c.At && c.reported(push.at) {
		return nil, false
	}
	if c.fullBleed(push, d, over) {
		base.Severity, base.Purpose = Info, "as wide as the window with its scroll bar; the page cuts the rest"
	} else if purpose := c.placePurpose(push, d); purpose != "" {
		base.Severity, base.Purpose = Info, purpose
	} else if asked && d.outside(c.Snapshot, r) < 0 && c.Style(c.At, "position") == "absolute" && !c.hasContent(c.At) && c.Element().Role == "" {
		base.Severity, base.Purpose = Info, "an ornament that reaches over the edge; nothing is in it"
	} else if !c.loses(d, asked || placed == c.At && c.hasContent(c.At)) {
		if !asked {
			return nil, false
		}
		if placed == None {
			base.Severity, base.Purpose = Info, "nothing of its content is there, only an empty margin"
		}
	}
	if push.moved {
		base.Type = "transform-offscreen"
		if base.Severity != Info {
			base.Severity = High
		}
	}
	base.Cause, base.Fix = push.cause, push.fix
	base.Message = c.beyondText(d, r, push)
	if push.at != c.At {
		base.Evidence["by"] = Node(push.at)
	}
	return base, true
}

// fullBleed reports width: 100vw on a page that cuts what the width of the scroll bar is too much.
func (c *Case) fullBleed(p push, d side, over float64) bool {
	lock, _ := c.locked(true)
	if !d.across || lock == None || p.cause.Element != p.at || c.Viewport.ScrollBar == 0 || over > c.Viewport.ScrollBar+1 {
		return false
	}
	width, _ := c.layoutSize(p.at)
	return math.Abs(width-c.Viewport.Width-c.Viewport.ScrollBar) <= 1
}

// outgrown is why a column that an element stands in is higher than the room for it: an
// item that does not shrink although it could scroll. Nil where none does.
func (s *Snapshot) outgrown(i int) *reason {
	for at := i; at > 0; at = s.boxParent(at) {
		if f := s.flexOverflow(s.boxParent(at)); f != nil && !f.row && f.item != None {
			return &f.reason
		}
	}
	return nil
}

func (c *Case) beyondText(d side, r Rect, push push) string {
	text := fmt.Sprintf("%s reaches %s beyond the %s edge of the viewport", c.Label(c.At), pxText(d.over(c.Snapshot, r)), d.name)
	if outside := d.outside(c.Snapshot, r); outside >= 0 {
		text = fmt.Sprintf("%s lies outside of the viewport, %s beyond its %s edge", c.Label(c.At), pxText(outside), d.name)
		if outside < 0.5 {
			text = fmt.Sprintf("%s lies outside of the viewport, just beyond its %s edge", c.Label(c.At), d.name)
		}
	}
	if push.cause.Property == "" {
		return text + "."
	}
	text += fmt.Sprintf(" by %s: %s", push.cause.Property, push.cause.Value)
	if at := push.cause.Element; at != c.At {
		text += fmt.Sprintf(" on %s, %s", c.Label(at), c.ordinal(c.At, at))
	}
	return text + "."
}

// asked reports whether the element is the one that was asked about.
func (c *Case) asked() bool { return c.Target == c.At }

// reported tells whether a sweep speaks of that element itself.
func (s *Snapshot) reported(i int) bool {
	return s.Rendered(i) && !s.Of(i).Rect().Empty() && !s.ViewportRect().Contains(s.Of(i).Rect(), edgeTolerance)
}

// wideByDesign reports a page whose root or body was made wider than the viewport: it is
// meant to be scrolled sideways.
func (s *Snapshot) wideByDesign(d side) bool {
	if !d.across {
		return true
	}
	for i := 0; i < len(s.Elements) && i < 3; i++ {
		if tag := s.Of(i).Tag; (tag == "html" || tag == "body") && s.Of(i).Rect().Width > s.Viewport.Width+edgeTolerance {
			return true
		}
	}
	return false
}

// loses reports whether something that is meant to be seen lies beyond the edge: text,
// pictures, what can be operated, and with own the element's border and background.
func (c *Case) loses(d side, own bool) bool {
	lost := func(r Rect) bool { return d.over(c.Snapshot, r) > edgeTolerance }
	budget := 500
	var look func(i int) bool
	look = func(i int) bool {
		if budget--; budget < 0 {
			return true
		}
		e := c.Of(i)
		if t := e.Text; t != nil && lost(Rect{t.Box[0], t.Box[1], t.Box[2], t.Box[3]}) {
			return true
		}
		if (e.Is(Interactive) || replaced[e.Tag]) && lost(e.Rect()) {
			return true
		}
		if own && i == c.At && c.painted(i) {
			return true
		}
		for _, child := range c.Children(i) {
			if look(child) {
				return true
			}
		}
		return false
	}
	return look(c.At)
}

// painted reports a background or a border of an element's own.
func (s *Snapshot) painted(i int) bool {
	if s.Style(i, "background-color") != "rgba(0, 0, 0, 0)" || s.Style(i, "background-image") != "none" || s.Style(i, "box-shadow") != "none" {
		return true
	}
	return s.Px(i, "border-top-width") > 0 || s.Px(i, "border-left-width") > 0
}

// replaced are elements that show something without having text in them.
var replaced = map[string]bool{"img": true, "video": true, "canvas": true, "iframe": true, "object": true, "embed": true, "svg": true, "picture": true}
