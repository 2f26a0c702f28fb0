package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// clipTolerance is what rounding and line boxes that stand out a little may cost, px.
const clipTolerance = 1

// The share of the area that is cut off: over half of it is a thing that cannot be used,
// under a twentieth nobody misses.
const (
	mostLost   = 0.5
	littleLost = 0.05
	mostTurned = 0.75 // of the box around a turned one, whose corners are empty
)

var clipRules = []Rule{
	{
		Types: []Type{{"clipped-by-ancestor", High, "an ancestor cuts it off"}},
		When:  Shown, Find: clippedByAncestor,
	},
	{
		Types: []Type{{"overflow-hidden", Low, "overflow: hidden that cuts its content off"}},
		When:  Rendered, Asked: true, Find: overflowHidden,
	},
	{
		Types: []Type{{"text-truncated", Medium, "its text is cut off"}},
		When:  Shown, Find: textTruncated,
	},
}

// cut is what clips leave of a box.
type cut struct {
	left  Rect
	worst *Clip
	lost  float64 // share of the area
	side  string
	px    float64
	// others is true when without the worst there would still be something lost.
	others bool
}

// cutOff measures what hard clips take from a box of an element; nil when nothing is lost.
// Beyond a box that scrolls, it is the box as scrolling brings it into view that counts.
func (s *Snapshot) cutOff(clips []Clip, whole Rect, hard bool) *cut {
	at, left, kept, most := whole, whole, 1.0, 0.0
	var out cut
	var cutters []int
	for k := range clips {
		clip := &clips[k]
		if hard && clip.Scrolls {
			at, left = at.scrolledInto(clip), left.scrolledInto(clip)
			continue
		}
		side, over := beyond(at, clip.Box)
		if over <= clipTolerance {
			continue
		}
		cutters = append(cutters, clip.At)
		if over > most {
			most, out.worst, out.side, out.px = over, clip, side, over
		}
		had := left.Area()
		left = left.Intersect(clip.Box)
		kept *= left.Area() / max(had, 1)
	}
	if out.worst == nil {
		return nil
	}
	out.left, out.lost = left, 1-kept
	out.others = slices.ContainsFunc(cutters, func(i int) bool { return i != out.worst.At })
	return &out
}

// scrolledInto is a box where the scrolling of a clip shows it, as much of it as there is room for.
func (r Rect) scrolledInto(clip *Clip) Rect {
	switch clip.Property {
	case "overflow-x":
		r.Width = min(r.Width, clip.Box.Width)
		r.X = max(clip.Box.X, min(r.X, clip.Box.Right()-r.Width))
	case "overflow-y":
		r.Height = min(r.Height, clip.Box.Height)
		r.Y = max(clip.Box.Y, min(r.Y, clip.Box.Bottom()-r.Height))
	}
	return r
}

// beyond is the side at which a box stands out of a bound the farthest, and by how much.
func beyond(r, bound Rect) (side string, px float64) {
	for _, at := range []struct {
		side string
		px   float64
	}{
		{"left", min(bound.X-r.X, r.Width)}, {"right", min(r.Right()-bound.Right(), r.Width)},
		{"top", min(bound.Y-r.Y, r.Height)}, {"bottom", min(r.Bottom()-bound.Bottom(), r.Height)},
	} {
		if at.px > px {
			side, px = at.side, at.px
		}
	}
	return side, px
}

func clippedByAncestor(c *Case) []Finding {
	r := c.Element().Rect()
	if r.Width <= clipTolerance && r.Height <= clipTolerance {
		return nil
	}
	clips := c.Clips(c.At)
	asked := c.Target == c.At
	what := r
	if !asked {
		var ok bool
		if what, ok = c.sweptPart(); !ok {
			return nil
		}
	}
	found := c.cutOff(clips, what, true)
	if found == nil {
		if asked {
			return c.scrolledOut(clips, r)
		}
		return nil
	}
	if slices.ContainsFunc(c.Ancestors(c.At), func(a int) bool { return c.clippedAway(a) != "" }) {
		return nil // told as hidden by that
	}
	if c.endsInDots(found.worst) && c.inlineIn(c.At, found.worst.At) {
		return nil // its text is told as truncated
	}
	if !asked && !found.left.Empty() && (found.side == "left" || found.side == "right") && c.flexOverflow(found.worst.At) != nil {
		return nil // the line that is too long is told
	}
	clip := found.worst
	f := Finding{
		Type: "clipped-by-ancestor", Severity: Medium, Element: c.At,
		Message: fmt.Sprintf("%s is clipped %s at the %s by %s on %s (%s): %d %% of it is lost.",
			c.Label(c.At), pxText(found.px), found.side, c.clipText(clip), c.Label(clip.At), c.ordinal(c.At, clip.At), int(math.Round(found.lost*100))),
		Evidence: map[string]any{
			"ancestor": Node(clip.At), "ordinal": c.ordinalOf(c.At, clip.At), "px": round(found.px), "side": found.side,
			"lost": math.Round(found.lost*100) / 100, "box": boxText(r), "clip": boxText(c.Of(clip.At).Rect()),
		},
		Cause: c.declared(clip.At, clip.Property),
	}
	switch {
	case found.left.Empty() || found.lost >= mostLost:
		f.Severity = High
	case found.lost < littleLost && c.Element().Text == nil && !c.Element().Is(Interactive):
		f.Severity = Low
	}
	if found.left.Empty() {
		f.Message = fmt.Sprintf("%s is cut off altogether by %s on %s (%s): it lies beyond its %s edge.",
			c.Label(c.At), c.clipText(clip), c.Label(clip.At), c.ordinal(c.At, clip.At), found.side)
	}
	if f.Purpose = c.clipPurpose(found, r); f.Purpose != "" {
		if !asked {
			return nil
		}
		f.Severity = Info
		return []Finding{f}
	}
	f.Fix = c.unclip(found)
	return []Finding{f}
}

// sweptPart is what of an element has to be seen on a page as a whole: of text its lines,
// of what is operated its box. Pictures are cropped and shapes cut on purpose.
func (c *Case) sweptPart() (Rect, bool) {
	e := c.Element()
	switch {
	case e.Is(Interactive):
		return e.Rect(), true
	case e.Text != nil:
		// Text that leaves its own box is told as truncated.
		return rectOf(e.Text.Box).Intersect(e.Rect()), true
	}
	return Rect{}, false
}

// clipPurpose is why the cut is meant; empty when nothing says so.
func (c *Case) clipPurpose(found *cut, r Rect) string {
	box := c.Of(found.worst.At).Rect()
	switch {
	case box.Width <= 2 && box.Height <= 2:
		return purposeReader
	case found.left.Empty() && (box.Width < 1 || box.Height < 1):
		return c.Label(found.worst.At) + " is collapsed"
	case pictures[c.Element().Tag] && found.left.Width >= box.Width-2 && found.left.Height >= box.Height-2:
		return "the picture fills its frame, which crops it"
	}
	moved := c.movedWithin(found.worst.At)
	switch {
	case c.running(found.worst.At):
		return "an animation moves it through " + c.Label(found.worst.At)
	case found.lost < mostTurned && c.rotated(c.At):
		return "it is turned, and the edge of " + c.Label(found.worst.At) + " crops its corners"
	case c.ornament(found.worst.At):
		return "an ornament that " + c.Label(found.worst.At) + " crops"
	case !c.asked() && found.left.Empty() && c.silentAround(found.worst.At):
		return purposeAria
	case moved != None && c.Element().Text == nil && !c.Element().Is(Interactive):
		return fmt.Sprintf("%s moves it within %s, which shows a part", c.Label(moved), c.Label(found.worst.At))
	case moved != None && moved != c.At && c.scrolledByScript(moved, found):
		return fmt.Sprintf("%s is moved within %s, as scrolling by script does", c.Label(moved), c.Label(found.worst.At))
	case found.lost < mostLost:
		return ""
	case c.isSlide(found.worst, moved != None):
		return purposeSlide
	case !found.left.Empty():
		return ""
	case moved != None:
		return purposePanel
	}
	return c.Purpose(c.At)
}

// running reports an animation that goes on below a clip and takes the element through it.
func (c *Case) running(clip int) bool {
	for at := c.At; at != clip && at > 0; at = c.Of(at).Parent {
		for i := range c.Of(at).Moves {
			for _, property := range moving {
				if _, ok := c.Of(at).Moves[i].Properties[property]; ok {
					return true
				}
			}
		}
	}
	return false
}

var moving = []string{"transform", "translate", "left", "right", "top", "bottom", "inset", "margin-left", "margin-top", "offset-distance"}

// ornament reports what has nothing in it to be read or operated and is put over the edge:
// a blob, a shine; a drawing that is wider than its frame.
func (c *Case) ornament(clip int) bool {
	e := c.Element()
	if c.Style(c.At, "position") != "absolute" || e.Is(Interactive) {
		return false
	}
	if e.Tag == "svg" && e.Name == "" {
		return e.Rect().X <= c.Of(clip).Rect().X && e.Rect().Right() >= c.Of(clip).Rect().Right()
	}
	return !c.hasContent(c.At)
}

// silentAround reports a part within a clip that is for the eye alone, and so no loss to be told of.
func (c *Case) silentAround(clip int) bool {
	for at := c.At; at > 0; at = c.Of(at).Parent {
		if c.Of(at).Attr("aria-hidden") == "true" {
			return true
		}
		if at == clip {
			break
		}
	}
	return false
}

// scrolledByScript reports a layer that is larger than the frame it is moved in, on the axis of a cut.
func (c *Case) scrolledByScript(layer int, found *cut) bool {
	own, frame := c.Of(layer).Rect(), c.Of(found.worst.At).Rect()
	if found.side == "left" || found.side == "right" {
		return own.Width > 1.5*frame.Width
	}
	return own.Height > 1.5*frame.Height
}

// movedWithin is the nearest of the element and its ancestors below a clip that a
// transform moves; None when none does.
func (c *Case) movedWithin(clip int) int {
	for at := c.At; at != clip && at > 0; at = c.Of(at).Parent {
		if c.Style(at, "translate") != "none" || strings.HasPrefix(c.Style(at, "transform"), "matrix") && !c.rotated(at) {
			return at
		}
	}
	return None
}

// isSlide reports one of several of a size in a row, of which another is seen: each fills
// a good part of the frame, or the row is moved.
func (c *Case) isSlide(clip *Clip, moved bool) bool {
	box := c.Of(clip.At).Rect()
	for at := c.At; at != clip.At && at > 0; at = c.Of(at).Parent {
		own := c.Of(at).Rect()
		if own.Empty() || !moved && own.Width < box.Width/2 {
			continue
		}
		for _, other := range c.Children(c.Of(at).Parent) {
			o := c.Of(other).Rect()
			if other != at && math.Abs(o.Width-own.Width) <= 2 && o.Intersect(clip.Box).Area() >= o.Area()/2 && !o.Empty() &&
				(math.Abs(o.X-own.X) >= own.Width-2 || moved && math.Abs(o.Y-own.Y) >= own.Height-2) {
				return true
			}
		}
	}
	return false
}

func (s *Snapshot) clipText(clip *Clip) string {
	return clip.Property + ": " + s.declared(clip.At, clip.Property).Value
}

// unclip is the declaration that lets everything be seen; nil when another clip would
// still cut.
func (s *Snapshot) unclip(found *cut) *Fix {
	if found.others {
		return nil
	}
	clip := found.worst
	property, value := clip.Property, s.without(clip.At, clip.Property)
	switch property {
	case "overflow-x", "overflow-y":
		property, value = "overflow", "visible" // one of them alone would make the other scroll
	case "clip":
		value = "auto"
	}
	if value == "" {
		return nil
	}
	return &Fix{Element: clip.At, Property: property, Value: value}
}

// scrolledOut says that an element is out of view in a box that scrolls.
func (c *Case) scrolledOut(clips []Clip, r Rect) []Finding {
	found := c.cutOff(clips, r, false)
	if found == nil || !found.left.Empty() {
		return nil
	}
	clip := found.worst
	return []Finding{{
		Type: "clipped-by-ancestor", Severity: Info, Element: c.At,
		Message:  fmt.Sprintf("%s is scrolled out of %s (%s), beyond its %s edge.", c.Label(c.At), c.Label(clip.At), c.ordinal(c.At, clip.At), found.side),
		Evidence: map[string]any{"ancestor": Node(clip.At), "side": found.side, "scrolls": true},
		Cause:    c.declared(clip.At, clip.Property),
		Purpose:  "scrolling " + c.Label(clip.At) + " shows it",
	}}
}

// overflowHidden is the note about the box that cuts, where something is cut.
func overflowHidden(c *Case) []Finding {
	property := ""
	var bounds []Clip
	if !c.viewportOverflow(c.At) {
		for _, clip := range c.overflowClips(c.At) {
			if !clip.Scrolls && clip.Property != "contain" {
				bounds = append(bounds, clip)
				property = clip.Property
			}
		}
	}
	if len(bounds) == 0 {
		return nil
	}
	worst, most, side := None, 0.0, ""
	meant := true
	for at := c.At + 1; at < len(c.Elements); at++ {
		e := c.Of(at)
		if !c.Within(at, c.At) || c.when(at) != Shown || !(e.Text != nil || e.Is(Interactive) || pictures[e.Tag]) {
			continue
		}
		// What scrolls within it is reached; of the rest, what this one cuts.
		clips := slices.DeleteFunc(c.Clips(at), func(clip Clip) bool { return clip.At != c.At && (!clip.Scrolls || !c.Within(clip.At, c.At)) })
		inner := &Case{c.Snapshot, at, c.Options}
		if found := inner.cutOff(clips, e.Rect(), true); found != nil && inner.clipPurpose(found, e.Rect()) == "" {
			meant = false
			if found.px > most {
				worst, most, side, property = at, found.px, found.side, found.worst.Property
			}
		}
	}
	if meant && !c.Options.All {
		return nil
	}
	f := Finding{
		Type: "overflow-hidden", Severity: Low, Element: c.At,
		Cause: c.declared(c.At, property), Fix: &Fix{Element: c.At, Property: "overflow", Value: "visible"},
	}
	value := f.Cause.Value
	if worst == None {
		f.Message = fmt.Sprintf("%s has %s: %s; it cuts nothing off now.", c.Label(c.At), property, value)
		return []Finding{f}
	}
	f.Message = fmt.Sprintf("%s: %s on %s cuts %s off %s at the %s.", property, value, c.Label(c.At), pxText(most), c.Label(worst), side)
	f.Evidence = map[string]any{"child": Node(worst), "px": round(most), "side": side}
	return []Finding{f}
}
