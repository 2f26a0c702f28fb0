package layout

import (
	"fmt"
	"math"
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
		},
		When: Rendered, Find: offscreen,
	},
}

// side is one edge of the viewport: how far a box is beyond it, and whether scrolling brings it back.
type side struct {
	kind     string
	severity Severity
	word     string
	over     float64
	scrolls  bool
	property string
	opposite string
}

// sidesOf measures a box against the viewport. What scrolling can reach is not lost: the
// page's scroll area begins at its origin and never before (CSS Overflow 3, section 2.2).
func (s *Snapshot) sidesOf(r Rect) []side {
	v := s.Viewport
	maxX, maxY := v.ContentWidth-v.Width, v.ContentHeight-v.Height
	left, right := r.X+v.ScrollX >= -edgeTolerance, r.Right()+v.ScrollX <= v.ContentWidth+edgeTolerance
	if v.RTL {
		left, right = r.X+v.ScrollX >= -maxX-edgeTolerance, r.Right()+v.ScrollX <= v.Width+edgeTolerance
	}
	return []side{
		{"offscreen-left", High, "left", -r.X, left, "left", "right"},
		{"offscreen-right", High, "right", r.Right() - v.Width, right, "right", "left"},
		{"offscreen-top", High, "top", -r.Y, r.Y+v.ScrollY >= -edgeTolerance, "top", "bottom"},
		{"offscreen-bottom", Medium, "bottom", r.Bottom() - v.Height, r.Bottom()+v.ScrollY <= v.ContentHeight+edgeTolerance && maxY > 0, "bottom", "top"},
	}
}

// offscreen speaks of elements that stand where no scrolling brings them into view, or
// that were placed against the viewport rather than with the content.
func offscreen(c *Case) []Finding {
	r := c.Element().Rect()
	if r.Empty() {
		return nil
	}
	placed := c.OutOfFlow(c.At)
	var out []Finding
	for _, side := range c.sidesOf(r) {
		if side.over <= edgeTolerance || math.IsNaN(side.over) {
			continue
		}
		if placed == None && side.scrolls || c.inScroller(c.At, side.word) {
			continue // a person scrolls there
		}
		out = append(out, Finding{
			Type: side.kind, Severity: side.severity, Element: c.At,
			Message:  fmt.Sprintf("%s stands %s beyond the %s edge of the viewport.", c.Label(c.At), pxText(side.over), side.word),
			Evidence: map[string]any{"px": round(side.over), "box": boxText(r), "viewport": boxText(c.ViewportRect())},
		})
	}
	return out
}

// inScroller reports an ancestor that scrolls in that direction.
func (s *Snapshot) inScroller(i int, word string) bool {
	property := "overflow-y"
	if word == "left" || word == "right" {
		property = "overflow-x"
	}
	for _, clip := range s.Clips(i) {
		if clip.Property == property && clip.Scrolls {
			return true
		}
	}
	return false
}
