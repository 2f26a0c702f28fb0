package layout

import (
	"fmt"
	"math"
	"strings"
)

var sizeRules = []Rule{
	{
		Types: []Type{{"percent-height-of-auto", Medium, "its height is a share of a height that is not set, so it counts as auto"}},
		When:  Rendered, Find: percentOfAuto,
	},
	{
		Types: []Type{{"width-exceeds-container", Medium, "is wider than what it stands in"}},
		When:  Shown, Find: exceedsContainer,
	},
	{
		Types: []Type{{"overflowing-content", Medium, "its content runs out of it, over its edge or over others"}},
		When:  Shown, Find: overflowingContent,
	},
}

// percentOfAuto: a share of a height that depends on the content behaves as auto
// (CSS 2.2, section 10.5).
func percentOfAuto(c *Case) []Finding {
	share := percent(c.Typed(c.At, "height"))
	if math.IsNaN(share) || !c.inFlow(c.At) || c.At == 0 || strings.HasPrefix(c.Style(c.At, "display"), "table") || c.Style(c.At, "display") == "inline" && !naturalSize[c.Element().Tag] {
		return nil
	}
	block, _ := c.ContainingBlockOf(c.At)
	if block == None || c.definiteHeight(block) {
		return nil
	}
	// The height that is missing, where a share of a share goes up to one that is not set.
	for c.hasShare(block) {
		up, _ := c.ContainingBlockOf(block)
		if up == None || c.definiteHeight(up) {
			break
		}
		block = up
	}
	_, height := c.layoutSize(c.At)
	_, room := c.innerSize(block)
	missing := share/100*room - height
	severity, slack := Medium, 0.1
	if naturalSize[c.Element().Tag] {
		slack = 0.5 // as high as its picture: what a line adds below is nobody's fault
	}
	switch {
	case height <= 0.5 && (c.standsOut(c.At) || len(c.Children(c.At)) == 0):
		// Nothing to be seen of it at all.
	case math.Abs(share/100*c.Viewport.Height-height) < 1:
		return nil // quirks mode: the viewport counts
	case math.Abs(missing) <= max(1, slack*room):
		// It is as high as it would be: nobody sees it, but who asks wants to know.
		if !c.asked() || c.Target != c.At || c.Element().Image != nil || !c.below(block) {
			return nil
		}
		severity = Low
	case !c.asked() && !c.standsOut(c.At):
		return nil
	}
	return []Finding{{
		Type: "percent-height-of-auto", Severity: severity, Element: c.At,
		Message: fmt.Sprintf("height: %s of %s has no effect: %s has no height of its own, so it is %s high by its content.",
			c.Typed(c.At, "height"), c.Label(c.At), c.Label(block), pxText(height)),
		Evidence: map[string]any{"height": round(height), "container": Node(block), "containerHeight": round(c.Of(block).Rect().Height)},
		Cause:    Cause{Element: block, Property: "height", Value: c.autoOr(block)},
		Fix:      c.heightFix(block, severity == Low),
	}}
}

func (s *Snapshot) hasShare(i int) bool { return !math.IsNaN(percent(s.Typed(i, "height"))) }

func (s *Snapshot) autoOr(i int) string {
	if typed := s.Typed(i, "height"); typed != "" {
		return typed
	}
	return "auto"
}

// below reports an element that ends above the viewport's lower edge: its content could be higher.
func (s *Snapshot) below(i int) bool {
	return s.Of(i).Rect().Bottom()+s.Viewport.ScrollY < s.Viewport.Height-1
}

// heightFix gives the container the height that it lacks: all of what it stands in, where
// that has one; else the one that it happens to have, or where that shows nothing the viewport's.
func (s *Snapshot) heightFix(block int, same bool) *Fix {
	up, _ := s.ContainingBlockOf(block)
	_, height := s.innerSize(block)
	if s.Style(block, "box-sizing") == "border-box" {
		_, height = s.layoutSize(block)
	}
	switch {
	case up != None && up != 0 && height < 1 && s.Of(up).Tag != "body" && len(s.flowChildren(up)) > 1:
		return styleFix(block, "height", "100px") // the rest of it is taken by others
	case block == 0 || up != None && s.definiteHeight(up):
		return styleFix(block, "height", "100%")
	case same || height < 1:
		return styleFix(block, "height", "100vh")
	}
	return styleFix(block, "height", pxNumber(height)+"px")
}

// flowChildren are the children that take room in an element.
func (s *Snapshot) flowChildren(i int) []int {
	var list []int
	for _, child := range s.boxChildren(i) {
		if s.inFlow(child) {
			list = append(list, child)
		}
	}
	return list
}

// definiteHeight reports a box whose height does not depend on what is in it, so that
// shares of it can be computed.
func (s *Snapshot) definiteHeight(i int) bool {
	typed := s.Typed(i, "height")
	switch {
	case strings.HasSuffix(typed, "%"):
		block, _ := s.ContainingBlockOf(i)
		return block == None || !s.inFlow(i) || s.definiteHeight(block)
	case typed != "" && typed != "min-content" && typed != "max-content" && typed != "fit-content":
		return true
	case !s.inFlow(i):
		return true // resolved against the box that it has, CSS 2.2, section 10.5
	case strings.HasPrefix(s.Style(i, "display"), "table"):
		return true // by rules of their own
	case strings.HasPrefix(s.Style(i, "writing-mode"), "vertical"):
		return true // the block size is the width there
	}
	switch s.ItemOf(i) {
	case "grid":
		return true // its area
	case "flex":
		container := s.boxParent(i)
		if s.axisOf(container).row {
			align := s.Style(i, "align-self")
			if align == "auto" || align == "normal" {
				align = s.Style(container, "align-items")
			}
			return align == "normal" || align == "stretch"
		}
		return s.definiteHeight(container) // flexed along the main axis
	}
	return false
}

// spill is what runs out of an element.
type spill struct {
	at   int // the descendant that stands out, or the element for its own text
	over float64
	box  Rect   // the part outside
	word string // the side: right, bottom
	reason
}

// exceedsContainer speaks of a block that its own width, padding or margins make wider
// than what it stands in.
func exceedsContainer(c *Case) []Finding {
	at := c.At
	parent, _ := c.ContainingBlockOf(at)
	if at == 0 || parent == None || parent == 0 || !c.inFlow(at) || c.moved(at) || c.Style(at, "display") == "inline" && !naturalSize[c.Element().Tag] {
		return nil
	}
	if parent != c.boxParent(at) || c.Style(parent, "overflow-x") != "visible" || c.ItemOf(at) == "flex" && c.axisOf(parent).row {
		return nil
	}
	if strings.HasPrefix(c.Style(at, "display"), "table-") || c.length(at, "margin-left") < 0 || c.length(at, "margin-right") < 0 {
		return nil
	}
	inner, r := c.innerBox(parent), c.Element().Rect()
	over := max(r.Right()-inner.Right(), inner.X-r.X)
	if over <= 1 || c.gridOverflow(parent) != nil {
		return nil
	}
	why := c.declaredWidth(at, inner.Width)
	if why == nil {
		if why = c.marginOnTop(at); why == nil {
			return nil
		}
	}
	outer := c.Of(parent).Rect()
	beyond := max(r.Right()-outer.Right(), outer.X-r.X)
	into := None
	if beyond > 1 {
		into = c.runsInto(at, beside(r, outer))
	}
	severity := Medium
	if beyond <= 1 || into == None && !c.edgeAround(at, r) {
		// It only takes the padding, or nothing is beside it.
		if !c.asked() {
			return nil
		}
		severity = Low
	}
	if c.toldWide(Cause{Element: at}) {
		return nil
	}
	evidence := map[string]any{"px": round(over), "width": round(r.Width), "container": Node(parent), "room": round(inner.Width)}
	message := fmt.Sprintf("%s is %s wide in %s, which has room for %s: %s.", c.Label(at), pxText(r.Width), c.Label(parent), pxText(inner.Width), why.Why)
	if into != None {
		evidence["over"] = Node(into)
		message = strings.TrimSuffix(message, ".") + fmt.Sprintf("; it runs over %s.", c.Label(into))
	}
	return []Finding{{Type: "width-exceeds-container", Severity: severity, Element: at, Message: message, Evidence: evidence, Cause: why.Cause, Fix: why.Fix}}
}

// beside is the larger part of a box that is left or right of another.
func beside(r, of Rect) Rect {
	right := Rect{of.Right(), r.Y, max(0, r.Right()-of.Right()), r.Height}
	left := Rect{r.X, r.Y, max(0, of.X-r.X), r.Height}
	if left.Width > right.Width {
		return left
	}
	return right
}

// edgeAround reports an ancestor whose visible edge a box runs over.
func (s *Snapshot) edgeAround(i int, r Rect) bool {
	for _, a := range s.Ancestors(i) {
		if a == 0 || s.Of(a).Tag == "body" {
			return false
		}
		if s.Of(a).Box == nil || s.Style(a, "overflow-x") != "visible" {
			continue
		}
		if s.standsOut(a) {
			box := s.Of(a).Rect()
			return r.Right() > box.Right()+1 || r.X < box.X-1 || r.Bottom() > box.Bottom()+1
		}
	}
	return false
}

// overflowingContent speaks of a box that its content runs out of, where that is seen: the
// box has an edge, or something else stands there.
func overflowingContent(c *Case) []Finding {
	at := c.At
	if at == 0 || c.Element().Tag == "body" || c.Style(at, "display") == "inline" {
		return nil
	}
	if out := c.spillFinding(c.sideways(at)); out != nil {
		return out
	}
	return c.spillFinding(c.downwards(at))
}

func (c *Case) spillFinding(s *spill) []Finding {
	if s == nil {
		return nil
	}
	into := None
	if !c.scrolledAlong(c.At, s.word) { // where all of it is scrolled, nothing is in its way
		into = c.runsInto(c.At, s.box)
	}
	if into == None && !c.standsOut(c.At) && !c.edgeAround(c.At, s.box) || c.toldWide(s.Cause) {
		return nil
	}
	evidence := map[string]any{"px": round(s.over), "box": boxText(c.Element().Rect()), "content": Node(s.at)}
	message := fmt.Sprintf("The content of %s runs %s out of it: %s", c.Label(c.At), pxText(s.over), s.Why)
	if into != None {
		evidence["over"] = Node(into)
		message += fmt.Sprintf("; it lies over %s", c.Label(into))
	}
	return []Finding{{Type: "overflowing-content", Severity: Medium, Element: c.At, Message: message + ".", Evidence: evidence, Cause: s.Cause, Fix: s.Fix}}
}

// sideways finds what stands out of a box to the left or right; nil when nothing does, or
// when another rule speaks of it.
func (s *Snapshot) sideways(i int) *spill {
	if s.Style(i, "overflow-x") != "visible" || hasWord(s.Style(i, "contain"), "paint", "strict", "content") {
		return nil
	}
	box := s.PaddingBox(i)
	if e := s.Of(i); e.Text != nil {
		text := textRect(e)
		if over := max(text.Right()-box.Right(), box.X-text.X); over > 1 && s.Px(i, "text-indent") > -1 {
			return &spill{i, over, beside(text, box), "right", s.widthOfText(i)}
		}
	}
	if s.flexOverflow(i) != nil || s.gridOverflow(i) != nil {
		return nil
	}
	for _, child := range s.boxChildren(i) {
		if !s.inFlow(child) || s.moved(child) || s.length(child, "margin-left") < 0 || s.length(child, "margin-right") < 0 || s.when(child) != Shown {
			continue
		}
		r := s.Of(child).Rect()
		if over := max(r.Right()-box.Right(), box.X-r.X); over > 1 {
			if !s.asked() {
				return nil // the child itself is spoken of
			}
			why := s.declaredWidth(child, s.innerBox(i).Width)
			if why == nil {
				why = s.marginOnTop(child)
			}
			if why == nil {
				continue
			}
			return &spill{child, over, beside(r, box), "right", reason{why.Cause, why.Fix, s.Label(child) + " has " + why.Why}}
		}
		if s.asked() && s.Style(child, "overflow-x") == "visible" {
			if inner := s.sideways(child); inner != nil {
				if part := beside(inner.box, box); part.Width > 1 {
					inner.over, inner.box = part.Width, part
					return inner
				}
			}
		}
	}
	return nil
}

// downSlack is how far a line may reach below its box: descenders of tight lines, a margin.
const downSlack = 8

// downwards finds what runs out of a box of fixed height.
func (s *Snapshot) downwards(i int) *spill {
	e := s.Of(i)
	if e.Scroll == nil || e.Scroll[1]-e.Scroll[3] <= downSlack || s.Style(i, "overflow-y") != "visible" || e.Rect().Height < 4 {
		return nil
	}
	property, value := "height", s.Typed(i, "height")
	if limit := px(s.Typed(i, "max-height")); !math.IsNaN(limit) && limit <= e.Rect().Height+1 {
		property, value = "max-height", s.Typed(i, "max-height")
	}
	if math.IsNaN(px(value)) {
		return nil
	}
	box := s.PaddingBox(i)
	at, lowest := None, box.Bottom()+downSlack
	s.lowest(i, &at, &lowest)
	if at == None {
		return nil
	}
	over := lowest - box.Bottom()
	fix := styleFix(i, property, "auto")
	if property == "max-height" {
		fix.Value = "none"
	}
	return &spill{at, over, Rect{box.X, box.Bottom(), box.Width, over}, "bottom", reason{
		Cause{Element: i, Property: property, Value: value}, fix,
		fmt.Sprintf("%s: %s is too little for %s", property, value, s.Label(at)),
	}}
}

// lowest looks for the content in the flow of an element that ends last.
func (s *Snapshot) lowest(i int, at *int, bottom *float64) {
	if e := s.Of(i); s.when(i) == Shown {
		r := Rect{}
		switch {
		case e.Text != nil:
			r = textRect(e)
		case e.Image != nil || naturalSize[e.Tag] || e.Is(Interactive):
			r = e.Rect()
		}
		if r.Bottom() > *bottom {
			*at, *bottom = i, r.Bottom()
		}
	}
	for _, child := range s.boxChildren(i) {
		if s.inFlow(child) && !s.moved(child) && s.Style(child, "overflow-y") == "visible" {
			s.lowest(child, at, bottom)
		}
	}
}
