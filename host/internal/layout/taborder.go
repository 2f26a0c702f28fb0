package layout

import (
	"fmt"
	"math"
	"strings"
)

// tabOrder speaks of a positive tabindex, which goes before everything else of the page,
// and of containers whose items are not seen in the order in which Tab reaches them.
func tabOrder(c *Case) []Finding {
	e := c.Element()
	if e.TabIndex != nil && *e.TabIndex > 0 && !c.disabledAround(c.At) {
		first := c.tabbedBefore()
		f := Finding{
			Type: "tab-order", Severity: Low, Element: c.At,
			Message:  fmt.Sprintf("tabindex %d of %s takes it out of the order of the page: Tab goes there before everything without one.", *e.TabIndex, c.Label(c.At)),
			Evidence: map[string]any{"tabindex": *e.TabIndex},
			Cause:    c.attributed(c.At, "tabindex"),
			Fix:      &Fix{Element: c.At, Property: "tabindex", Value: "0", Attribute: true},
		}
		if first != None {
			f.Evidence["before"] = Node(first)
		}
		return []Finding{f}
	}
	switch c.Style(c.At, "display") {
	case "flex", "inline-flex", "grid", "inline-grid":
		return c.itemOrder()
	}
	return nil
}

// tabbedBefore is what stands before the element on the page and is reached after it.
func (c *Case) tabbedBefore() int {
	for at := range c.At {
		if index := c.Of(at).TabIndex; index != nil && (*index == 0 || *index > *c.Element().TabIndex) && c.when(at) == Shown {
			return at
		}
	}
	return None
}

// itemOrder compares the order of a container's items in the document with where they stand.
func (c *Case) itemOrder() []Finding {
	var items []int
	var reached []int // the first that Tab reaches in each
	for _, item := range c.Children(c.At) {
		if c.ItemOf(item) == "" || c.when(item) != Shown {
			continue
		}
		if first := c.firstReached(item); first != None {
			items, reached = append(items, item), append(reached, first)
		}
	}
	for k := 1; k < len(items); k++ {
		a, b := items[k-1], items[k]
		if !c.readBefore(b, a) {
			continue
		}
		cause, fix, ok := c.reorderedBy(a, b)
		if !ok {
			continue
		}
		return []Finding{{
			Type: "tab-order", Severity: Low, Element: c.At,
			Message: fmt.Sprintf("In %s Tab goes from %s to %s, which stands before it: %s: %s changes what is seen, not the order of the document.",
				c.Label(c.At), c.Label(reached[k-1]), c.Label(reached[k]), cause.Property, cause.Value),
			Evidence: map[string]any{"first": Node(reached[k-1]), "then": Node(reached[k])},
			Cause:    cause, Fix: fix,
		}}
	}
	return nil
}

func (s *Snapshot) firstReached(i int) int {
	for at := i; at < len(s.Elements) && (at == i || s.Of(at).Parent >= i); at++ {
		if e := s.Of(at); s.Within(at, i) && e.TabIndex != nil && *e.TabIndex >= 0 && !e.Is(Disabled) && s.when(at) == Shown {
			return at
		}
	}
	return None
}

// readBefore reports that a stands where the eye is before it comes to b: in a line above,
// or before it in the same line.
func (s *Snapshot) readBefore(a, b int) bool {
	x, y := s.Of(a).Rect(), s.Of(b).Rect()
	mode := s.Viewport.WritingMode
	if strings.HasPrefix(mode, "vertical") || strings.HasPrefix(mode, "sideways") {
		// Lines from the right (or left), each read downwards.
		x, y = Rect{x.Y, x.X, x.Height, x.Width}, Rect{y.Y, y.X, y.Height, y.Width}
		if mode != "vertical-lr" && mode != "sideways-lr" {
			x.Y, y.Y = -x.Y-x.Height, -y.Y-y.Height
		}
	}
	if shared := min(x.Bottom(), y.Bottom()) - max(x.Y, y.Y); shared <= min(x.Height, y.Height)/2 {
		return x.Y < y.Y
	}
	if s.Viewport.RTL || s.Style(s.Of(a).Parent, "direction") == "rtl" {
		return x.X >= y.Right()-1
	}
	return x.Right() <= y.X+1
}

// reorderedBy is what makes items stand in another order than they come.
func (c *Case) reorderedBy(a, b int) (Cause, *Fix, bool) {
	kind := c.ItemOf(a)
	if order := c.Num(a, "order", 0) - c.Num(b, "order", 0); order > 0 {
		moved := b
		if math.Abs(c.Num(a, "order", 0)) > math.Abs(c.Num(b, "order", 0)) {
			moved = a
		}
		return c.declared(moved, "order"), &Fix{Element: moved, Property: "order", Value: "0"}, true
	}
	if kind == "flex" {
		direction := c.Style(c.At, "flex-direction")
		if plain, ok := strings.CutSuffix(direction, "-reverse"); ok {
			return c.declared(c.At, "flex-direction"), &Fix{Element: c.At, Property: "flex-direction", Value: plain}, true
		}
		if c.Style(c.At, "flex-wrap") == "wrap-reverse" {
			return c.declared(c.At, "flex-wrap"), &Fix{Element: c.At, Property: "flex-wrap", Value: "wrap"}, true
		}
		return Cause{}, nil, false
	}
	for _, item := range []int{b, a} {
		for _, property := range []string{"grid-row-start", "grid-column-start"} {
			if c.Style(item, property) != "auto" {
				if c.placedInGrid(a) && c.placedInGrid(b) {
					return c.declared(item, property), nil, true
				}
				return c.declared(item, property), &Fix{Element: item, Property: "grid-area", Value: "auto"}, true
			}
		}
	}
	if strings.Contains(c.Style(c.At, "grid-auto-flow"), "dense") {
		return c.declared(c.At, "grid-auto-flow"), &Fix{Element: c.At, Property: "grid-auto-flow", Value: "row"}, true
	}
	return Cause{}, nil, false
}

// placedInGrid reports an item of a grid that has a place of its own.
func (s *Snapshot) placedInGrid(i int) bool {
	return s.Style(i, "grid-row-start") != "auto" || s.Style(i, "grid-column-start") != "auto"
}
