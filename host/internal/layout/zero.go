package layout

import (
	"fmt"
	"math"
)

// noSize is what counts as no width or height, px.
const noSize = 0.5

var zeroRules = []Rule{
	{
		Types: []Type{
			{"zero-dimensions", Medium, "has content but neither width nor height"},
			{"collapsed", Medium, "has content but no height (or no width)"},
		},
		When: Rendered, Find: zeroSize,
	},
}

// sizeless are elements that have no size, or whose size other rules judge.
var sizeless = map[string]bool{
	"br": true, "wbr": true, "area": true, "map": true, "source": true, "track": true, "param": true, "col": true, "colgroup": true,
	"option": true, "optgroup": true, "img": true, "slot": true, "html": true, "body": true, "audio": true, "picture": true,
}

// zeroSize speaks of what has something to show and no room for it.
func zeroSize(c *Case) []Finding {
	e := c.Element()
	noWidth, noHeight := e.Box[2] < noSize, e.Box[3] < noSize
	if !c.asked() && !c.hasContent(c.At) && c.Style(c.At, "pointer-events") == "none" {
		return nil // a ripple, a mark that grows when it is wanted
	}
	if !noWidth && !noHeight || sizeless[e.Tag] || c.drawn() || !c.hasContent(c.At) && !scaledAway(e) || c.hiddenOtherwise() {
		return nil
	}
	kind, across := "zero-dimensions", noWidth
	if !noWidth || !noHeight {
		kind = "collapsed"
	}
	why := c.whyNoSize(across)
	if why == nil && kind == "zero-dimensions" {
		why = c.whyNoSize(false)
	}
	if why == nil {
		if kind == "collapsed" || !c.asked() {
			return nil
		}
		why = &sizeReason{Cause: c.declared(c.At, "width"), how: "nothing gives it a size"}
	}
	at := why.Element
	if why.child {
		at = c.At
	}
	if !c.asked() && (at != c.At || why.quiet && !c.painted(c.At)) {
		return nil
	}
	size := "neither width nor height"
	switch {
	case kind == "collapsed" && noWidth:
		size = "no width"
	case kind == "collapsed":
		size = "no height"
	}
	f := Finding{
		Type: kind, Severity: Medium, Element: c.At, Cause: why.Cause, Fix: why.fix,
		Message:  fmt.Sprintf("%s has %s though it has content: %s.", c.Label(c.At), size, why.how),
		Evidence: map[string]any{"box": boxText(e.Rect())},
	}
	if why.quiet && why.Property == "position" && !c.painted(c.At) {
		f.Severity = Low // all of it is seen
	}
	purpose := c.Purpose(at)
	if purpose == "" {
		purpose = c.Purpose(c.At)
	}
	return []Finding{withPurpose(f, purpose)}
}

// scaledAway reports a size that a transform takes away, from the text in it too.
func scaledAway(e *Element) bool {
	return e.Size != nil && e.Size[0] > 0 && e.Size[1] > 0
}

// drawn reports the inside of an SVG drawing, where sizes are other ones.
func (c *Case) drawn() bool {
	for _, a := range c.Ancestors(c.At) {
		if c.Of(a).Tag == "svg" {
			return true
		}
	}
	return false
}

// hiddenOtherwise reports what cannot be seen for another reason, which is told.
func (c *Case) hiddenOtherwise() bool {
	opacity, _ := c.Opacity(c.At)
	return opacity == 0 || c.Style(c.At, "visibility") != "visible" || c.skipped(c.At) != None
}

// hasContent reports something in an element, or it itself, that is there to be seen.
func (s *Snapshot) hasContent(i int) bool {
	if s.content == nil {
		s.content = make([]bool, len(s.Elements))
		for at := len(s.Elements) - 1; at >= 0; at-- {
			e := &s.Elements[at]
			own := e.Box != nil && (e.Text != nil || replaced[e.Tag] || e.Is(Interactive)) && s.Style(at, "visibility") == "visible"
			if own {
				s.content[at] = true
			}
			if s.content[at] && e.Parent >= 0 {
				s.content[e.Parent] = true
			}
		}
	}
	return s.content[i]
}

type sizeReason struct {
	Cause
	fix   *Fix
	how   string
	child bool // the cause is in a child
	quiet bool // its content is seen all the same
}

// whyNoSize looks for the declaration that leaves no width (across) or height: of the
// element, or where its size is a share of its parent's, of that.
func (c *Case) whyNoSize(across bool) *sizeReason {
	property, offset := "height", 3
	if across {
		property, offset = "width", 2
	}
	for at := c.At; at > 0; at = c.Of(at).Parent {
		e := c.Of(at)
		if e.Box == nil {
			continue
		}
		if e.Box[offset] >= noSize {
			break
		}
		if e.Size != nil && e.Size[offset-2] >= noSize {
			for _, t := range []string{"scale", "transform", "rotate"} {
				if c.Style(at, t) != "none" {
					return c.noSizeBy(at, t, "none")
				}
			}
		}
		for _, candidate := range []string{"max-" + property, property} {
			if value := c.Typed(at, candidate); value != "" && zeroLength(value) {
				fix := "auto"
				if candidate != property {
					fix = "none"
				}
				return c.noSizeBy(at, candidate, fix)
			}
		}
		if basis := c.Typed(at, "flex-basis"); basis != "" && zeroLength(basis) && c.ItemOf(at) == "flex" {
			return c.noSizeBy(at, "flex-basis", "auto")
		}
		if !across {
			if found := c.outOfFlowChildren(at); found != nil {
				return found
			}
		}
		if at != c.At && c.Style(at, "position") == "absolute" {
			break
		}
	}
	if across && !c.Element().Is(InText) {
		if found := c.outOfFlowChildren(c.At); found != nil {
			return found
		}
	}
	return nil
}

func zeroLength(value string) bool {
	v := px(value)
	return !math.IsNaN(v) && v == 0 || value == "0%" || value == "0"
}

func (c *Case) noSizeBy(at int, property, fix string) *sizeReason {
	found := &sizeReason{Cause: c.declared(at, property), fix: &Fix{Element: at, Property: property, Value: fix}}
	found.how = property + ": " + found.Value
	if at != c.At {
		found.how += fmt.Sprintf(" on %s, %s", c.Label(at), c.ordinal(c.At, at))
	}
	// What runs over is seen unless it is cut.
	found.quiet = c.Style(at, "overflow-y") == "visible" && c.Style(at, "overflow-x") == "visible" && property != "transform" && property != "scale"
	return found
}

// outOfFlowChildren is that all children float or are placed absolutely: they give their
// parent no height. A positioned parent of placed children is their anchor, no fault.
func (c *Case) outOfFlowChildren(at int) *sizeReason {
	var floats, placed []int
	if c.Of(at).Text != nil {
		return nil
	}
	for _, child := range c.Children(at) {
		position := c.Style(child, "position")
		switch {
		case c.Of(child).Box == nil:
		case position == "absolute" || position == "fixed":
			placed = append(placed, child)
		case c.Style(child, "float") != "none":
			floats = append(floats, child)
		case c.Of(child).Box[3] >= noSize:
			return nil
		}
	}
	who := ""
	if at != c.At {
		who = fmt.Sprintf(" in %s, %s,", c.Label(at), c.ordinal(c.At, at))
	}
	switch {
	case len(floats) > 0:
		return &sizeReason{
			Cause: c.declared(floats[0], "float"), child: true, quiet: c.Style(at, "overflow-y") == "visible",
			fix: &Fix{Element: at, Property: "display", Value: "flow-root"},
			how: fmt.Sprintf("its content%s floats (float: %s on %s)", who, c.Style(floats[0], "float"), c.Label(floats[0])),
		}
	case len(placed) > 0 && (c.Style(at, "position") == "static" || c.painted(at)) && !c.painted(placed[0]):
		return &sizeReason{
			Cause: c.declared(placed[0], "position"), child: true, quiet: c.Style(at, "overflow-y") == "visible",
			fix: &Fix{Element: placed[0], Property: "position", Value: "static"},
			how: fmt.Sprintf("its content%s is out of the flow (position: %s on %s)", who, c.Style(placed[0], "position"), c.Label(placed[0])),
		}
	}
	return nil
}
