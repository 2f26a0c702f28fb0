package layout

import (
	"fmt"
	"math"
)

// stickyRoom is how much larger than a sticky element its parent must be for it to have a way to go.
const stickyRoom = 1

// notSticking finds why a sticky element scrolls away with the rest: CSS Positioned
// Layout 3, section 3.4. Only where something is scrolled at all.
func notSticking(c *Case) []Finding {
	if c.Style(c.At, "position") != "sticky" {
		return nil
	}
	// The nearest scroll container is the one it sticks to; `clip` makes none.
	catcher := None
	for _, a := range c.Ancestors(c.At) {
		if c.scrollContainer(a) {
			catcher = a
			break
		}
	}
	vertical := c.insetGiven(c.At, "top") || c.insetGiven(c.At, "bottom")
	horizontal := c.insetGiven(c.At, "left") || c.insetGiven(c.At, "right")
	tell := func(cause Cause, fix *Fix, why string, evidence map[string]any) []Finding {
		return []Finding{{
			Type: "sticky-not-sticking", Severity: Medium, Element: c.At,
			Message:  fmt.Sprintf("%s does not stick: %s.", c.Label(c.At), why),
			Evidence: evidence, Cause: cause, Fix: fix,
		}}
	}
	if !vertical && !horizontal {
		if !c.scrollsFrom(c.At, "overflow-y") {
			return nil
		}
		return tell(c.declared(c.At, "position"), &Fix{Element: c.At, Property: "top", Value: "0px"},
			"none of top, right, bottom, left is given", map[string]any{"top": "auto", "bottom": "auto"})
	}
	axis := "overflow-y"
	if !vertical {
		axis = "overflow-x"
	}
	if catcher != None && !c.hasWay(catcher, axis) {
		if !c.scrollsFrom(catcher, axis) {
			return nil // nothing scrolls here
		}
		return tell(c.catching(catcher))
	}
	if catcher == None && !c.pageScrolls(axis) {
		return nil
	}
	if axis == "overflow-y" {
		return c.noRoom(tell)
	}
	return nil
}

// catching is the cause in an ancestor that is a scroll container, but is not scrolled.
func (c *Case) catching(catcher int) (Cause, *Fix, string, map[string]any) {
	property := "overflow-y"
	if x := c.Style(catcher, "overflow-x"); x == "hidden" || c.Style(catcher, "overflow-y") == "auto" && x != "visible" && x != "auto" {
		property = "overflow-x"
	}
	value := c.Style(catcher, property)
	fix := &Fix{Element: catcher, Property: "overflow", Value: "visible"}
	if value == "hidden" {
		fix.Value = "clip" // cuts as before, and is no scroll container
	}
	return c.declared(catcher, property), fix,
		fmt.Sprintf("%s: %s on %s (%s) makes that the box it sticks to, and nothing scrolls there", property, value, c.Label(catcher), c.ordinal(c.At, catcher)),
		map[string]any{"ancestor": Node(catcher), property: value}
}

// noRoom finds a parent that ends where the sticky element does.
func (c *Case) noRoom(tell func(Cause, *Fix, string, map[string]any) []Finding) []Finding {
	parent, _ := c.ContainingBlockOf(c.At)
	if parent == None || parent == 0 || c.scrollContainer(parent) && c.Of(parent).Scroll != nil {
		return nil
	}
	r, around := c.Element().Rect(), c.PaddingBox(parent)
	if s := c.Of(parent).Scroll; s != nil && s[1] > s[3]+1 && c.Typed(parent, "height") != "" && c.Of(parent).Tag == "body" {
		return tell(c.declared(parent, "height"), &Fix{Element: parent, Property: "height", Value: "auto"},
			fmt.Sprintf("%s is %s high and its content %s, so it leaves with its end", c.Label(parent), pxText(around.Height), pxText(s[1])),
			map[string]any{"parent": Node(parent), "height": round(around.Height), "content": s[1]})
	}
	room := around.Height - r.Height
	for _, side := range []string{"padding-top", "padding-bottom"} {
		if v := c.Px(parent, side); !math.IsNaN(v) {
			room -= v
		}
	}
	for _, side := range []string{"margin-top", "margin-bottom"} {
		if v := c.Px(c.At, side); !math.IsNaN(v) {
			room -= v
		}
	}
	if room > stickyRoom {
		return nil
	}
	evidence := map[string]any{"parent": Node(parent), "parentHeight": round(around.Height), "height": round(r.Height)}
	if item := c.ItemOf(c.At); item != "" && c.stretched(c.At, parent, item) {
		return tell(c.declared(c.At, "align-self"), &Fix{Element: c.At, Property: "align-self", Value: "start"},
			fmt.Sprintf("as an item of %s it is stretched to the whole height of %s, which leaves it no way to go", c.Label(parent), pxText(around.Height)), evidence)
	}
	// Beside others in a row it may be the tallest; then it need not stick.
	outer, _ := c.ContainingBlockOf(parent)
	if outer == None || c.Of(outer).Rect().Height <= around.Height+stickyRoom {
		return nil
	}
	var fix *Fix
	if display := c.Style(parent, "display"); display == "block" || display == "flow-root" {
		fix = &Fix{Element: parent, Property: "display", Value: "contents"}
	}
	cause := c.declared(parent, "height")
	return tell(cause, fix, fmt.Sprintf("its parent %s is only as high as itself (%s), which leaves it no way to go", c.Label(parent), pxText(around.Height)), evidence)
}

// stretched reports an item whose height comes from its container's.
func (s *Snapshot) stretched(i, parent int, item string) bool {
	if item == "flex" && hasWord(s.Style(parent, "flex-direction"), "column", "column-reverse") {
		return false
	}
	align := s.Style(i, "align-self")
	if align == "auto" || align == "normal" {
		align = s.Style(parent, "align-items")
	}
	return (align == "normal" || align == "stretch") && s.Typed(i, "height") == ""
}

func (s *Snapshot) insetGiven(i int, side string) bool {
	return s.Typed(i, side) != "" || s.Style(i, side) != "auto"
}

// scrollContainer: CSS Overflow 3, section 2; not what goes to the viewport.
func (s *Snapshot) scrollContainer(i int) bool {
	if i == 0 || s.viewportOverflow(i) {
		return false
	}
	return hasWord(s.Style(i, "overflow-x"), "hidden", "auto", "scroll") || hasWord(s.Style(i, "overflow-y"), "hidden", "auto", "scroll")
}

// hasWay reports a container that a person can scroll in a direction.
func (s *Snapshot) hasWay(i int, axis string) bool {
	scroll := s.Of(i).Scroll
	if scroll == nil || !hasWord(s.Style(i, axis), "auto", "scroll") {
		return false
	}
	if axis == "overflow-x" {
		return scroll[0] > scroll[2]
	}
	return scroll[1] > scroll[3]
}

func (s *Snapshot) pageScrolls(axis string) bool {
	if axis == "overflow-x" {
		return s.Viewport.ContentWidth > s.Viewport.Width+1
	}
	return s.Viewport.ContentHeight > s.Viewport.Height+1
}

// scrollsFrom reports whether anything around the element scrolls, the page included.
func (s *Snapshot) scrollsFrom(i int, axis string) bool {
	for _, a := range s.Ancestors(i) {
		if s.scrollContainer(a) && s.hasWay(a, axis) {
			return true
		}
	}
	return s.pageScrolls(axis)
}
