package layout

import (
	"fmt"
	"math"
	"strings"
)

// textTruncated compares the lines of a text with what its own box and those of the
// blocks around it let be seen.
func textTruncated(c *Case) []Finding {
	e := c.Element()
	if e.Text == nil || !hasLetters(e.Text.Text) {
		return nil
	}
	text := rectOf(e.Text.Box)
	box := c.truncator()
	if box == None {
		return nil
	}
	var side string
	var px float64
	var property string
	for _, clip := range c.overflowClips(box) {
		if clip.Scrolls || clip.Property == "contain" {
			continue
		}
		// Line boxes are a little higher than what is seen of them.
		tolerance := float64(clipTolerance)
		if clip.Property == "overflow-y" {
			tolerance = max(tolerance, text.Height/float64(max(e.Text.Lines, 1))/3)
		}
		if at, over := beyond(text, clip.Box); over > tolerance && over > px {
			side, px, property = at, over, clip.Property
		}
	}
	if px == 0 {
		return nil
	}
	if box != c.At && !c.inlineIn(c.At, box) && c.cutOff(c.Clips(c.At), e.Rect(), true) != nil {
		return nil // the box itself is clipped, and told so
	}
	seen := text.Intersect(c.PaddingBox(box))
	if seen.Empty() && text.Height <= 2 || c.tiny(box) {
		return nil
	}
	lost := 1 - seen.Area()/max(text.Area(), 1)
	clamp, dots := c.clamps(box), c.Style(box, "text-overflow") == "ellipsis" && property == "overflow-x"
	f := Finding{
		Type: "text-truncated", Severity: Medium, Element: c.At,
		Evidence: map[string]any{"text": e.Text.Text, "px": round(px), "side": side, "lost": math.Round(lost*100) / 100},
		Cause:    c.declared(box, property),
	}
	if box != c.At {
		f.Evidence["ancestor"] = Node(box)
	}
	how := "without a sign of it"
	switch {
	case dots:
		f.Severity, how, f.Cause = Low, "with an ellipsis", c.declared(box, "text-overflow")
	case clamp && side == "bottom":
		f.Severity, how, f.Cause = Low, "after "+c.Style(box, "-webkit-line-clamp")+" lines", c.declared(box, "-webkit-line-clamp")
	}
	if c.Style(c.At, "text-indent") != "0px" && lost > 0.99 && (c.Style(box, "background-image") != "none" || len(c.Children(box)) > 0 || c.painted(box)) {
		f.Severity, f.Purpose = Info, "its text is moved out of it, and a picture is seen in its place"
		f.Message = fmt.Sprintf("The text of %s stands outside of it by text-indent: %s.", c.Label(c.At), c.Style(c.At, "text-indent"))
		f.Cause = c.declared(c.At, "text-indent")
		return []Finding{f}
	}
	if f.Severity == Low && c.Target != c.At {
		return nil // declared; of a whole page nobody would call it a fault
	}
	f.Message = fmt.Sprintf("The text of %s is cut off %s: %s at the %s, %d %% of it.", c.Label(c.At), how, pxText(px), side, int(math.Round(lost*100)))
	f.Fix = c.untruncate(box, side, clamp && !dots)
	return []Finding{f}
}

// truncator is the nearest box, from the element on, that cuts its lines: itself, or the
// block that its inline content is in.
func (c *Case) truncator() int {
	for at := c.At; at > 0; at = c.Of(at).Parent {
		if hard := c.Style(at, "overflow-x"); hard == "hidden" || hard == "clip" {
			return at
		}
		if hard := c.Style(at, "overflow-y"); hard == "hidden" || hard == "clip" {
			return at
		}
		position := c.Style(at, "position")
		if position == "absolute" || position == "fixed" || c.scrollContainer(at) {
			return None
		}
	}
	return None
}

// clamps reports a box that shows some lines and an ellipsis.
func (s *Snapshot) clamps(i int) bool { return s.Style(i, "-webkit-line-clamp") != "none" }

// endsInDots reports a clip that puts an ellipsis where it cuts.
func (s *Snapshot) endsInDots(clip *Clip) bool {
	return clip.Property == "overflow-x" && s.Style(clip.At, "text-overflow") == "ellipsis" ||
		clip.Property == "overflow-y" && s.clamps(clip.At)
}

// inlineIn reports an element that is a part of the lines of a block.
func (s *Snapshot) inlineIn(i, block int) bool {
	for at := i; at != block && at > 0; at = s.Of(at).Parent {
		if s.Style(at, "display") != "inline" && s.Style(at, "display") != "contents" {
			return false
		}
	}
	return true
}

// untruncate lets the text have the room that it needs.
func (c *Case) untruncate(box int, side string, clamped bool) *Fix {
	sideways := side == "left" || side == "right"
	switch {
	case clamped:
		return &Fix{Element: box, Property: "-webkit-line-clamp", Value: "none"}
	case sideways && c.Style(c.At, "text-wrap-mode") == "nowrap" && c.Typed(box, "height") == "" && c.Style(box, "max-height") == "none" &&
		strings.ContainsAny(strings.TrimSpace(c.Element().Text.Text), " \u200b-") && c.wraps(box):
		return &Fix{Element: box, Property: "white-space", Value: "normal"}
	case sideways && c.Style(c.At, "text-wrap-mode") != "nowrap" && c.Typed(box, "height") == "":
		return &Fix{Element: box, Property: "overflow-wrap", Value: "anywhere"}
	case !sideways && c.Typed(box, "height") != "":
		return &Fix{Element: box, Property: "height", Value: "auto"}
	case !sideways && c.Style(box, "max-height") != "none":
		return &Fix{Element: box, Property: "max-height", Value: "none"}
	}
	return &Fix{Element: box, Property: "overflow", Value: "visible"}
}

// wraps reports that white-space on the box reaches the text: nothing between declares its own.
func (c *Case) wraps(box int) bool {
	if box == c.At {
		return true
	}
	return c.inlineIn(c.At, box)
}
