package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

var stackRules = []Rule{
	{
		Types: []Type{{"z-index-trapped", High, "its z-index counts only within an ancestor's stacking context, which lies below"}},
		When:  Shown, Find: trapped,
	},
	{
		Types: []Type{{"z-index-on-static", Low, "z-index on an element that is not positioned has no effect"}},
		When:  Rendered, Find: staticLevel,
	},
	{
		Types: []Type{{"stacking-context", Low, "makes a stacking context that keeps a descendant's z-index in"}},
		When:  Rendered, Asked: true, Find: stackingContext,
	},
	{
		Types: []Type{{"fixed-inside-transformed", Medium, "position: fixed that is fixed to an ancestor, not to the viewport"}},
		When:  Rendered, Find: fixedInside,
	},
	{
		Types: []Type{{"sticky-not-sticking", Medium, "position: sticky that cannot stick"}},
		When:  Rendered, Find: notSticking,
	},
}

// trap is a stacking context that keeps a z-index from having its effect.
type trap struct {
	at       int // the context that lies below the cover
	property string
	inner    int // the element whose z-index would have been enough
	level    int
	against  int // the level of the cover's side
	its      int
}

// trapOf tells whether an element is covered although a z-index on its side is higher
// than the cover's.
func (s *Snapshot) trapOf(i int, k *cover) *trap {
	own, its := s.contestants(i, k.hit)
	if own == None || s.StacksBy(own) == "" {
		return nil
	}
	against := 0
	if its != None {
		against = s.Level(its)
	}
	if s.Level(own) > against {
		return nil
	}
	for at := i; at != own; at = s.Of(at).Parent {
		if level := s.Level(at); level > against {
			return &trap{own, s.StacksBy(own), at, level, against, its}
		}
	}
	return nil
}

func trapped(c *Case) []Finding {
	k := c.covering(c.At)
	if k == nil || k.purpose != "" {
		return nil
	}
	t := c.trapOf(c.At, k)
	if t == nil {
		return nil
	}
	severity := Medium
	if k.centre || c.Element().Is(Interactive) && float64(k.points) > mostShare*float64(k.of) {
		severity = High
	}
	evidence := k.evidence()
	evidence["z-index"], evidence["context"], evidence["contextLevel"], evidence["coverLevel"] = t.level, Node(t.at), c.Level(t.at), t.against
	message := fmt.Sprintf("z-index %d of %s counts only within %s, which makes a stacking context by %s and lies at level %d; %s at level %d covers it at %d of %d points%s.",
		t.level, c.Label(t.inner), c.Label(t.at), t.property, c.Level(t.at), c.Label(k.at), t.against, k.points, k.of, c.takenBy(k))
	return []Finding{{
		Type: "z-index-trapped", Severity: severity, Element: c.At, Message: message, Evidence: evidence,
		Cause: c.declared(t.at, t.property), Fix: c.liftFix(c.At, k, t),
	}}
}

// liftFix raises the context, or takes away what makes it.
func (s *Snapshot) liftFix(i int, k *cover, t *trap) *Fix {
	above := func() bool { return s.paintedAbove(i, k.hit) }
	raised := strconv.Itoa(t.against + 1)
	if s.takesLevel(t.at) && s.trying(t.at, "z-index", raised, above) {
		return &Fix{Element: t.at, Property: "z-index", Value: raised}
	}
	if value := s.without(t.at, t.property); value != "" && s.trying(t.at, t.property, value, above) {
		return &Fix{Element: t.at, Property: t.property, Value: value}
	}
	if s.Style(t.at, "position") == "static" && s.trying(t.at, "position", "relative", above) {
		return &Fix{Element: t.at, Property: "position", Value: "relative"}
	}
	if t.its != None && s.takesLevel(t.its) {
		lower := strconv.Itoa(s.Level(t.at) - 1)
		if s.trying(t.its, "z-index", lower, above) {
			return &Fix{Element: t.its, Property: "z-index", Value: lower}
		}
	}
	return nil
}

// without is the value of a property that makes no stacking context and no containing
// block; empty where there is none.
func (s *Snapshot) without(i int, property string) string {
	switch property {
	case "transform", "translate", "rotate", "scale", "perspective", "filter", "backdrop-filter", "clip-path", "mask-image":
		return "none"
	case "opacity":
		return "1"
	case "mix-blend-mode", "container-type":
		return "normal"
	case "isolation", "z-index", "will-change":
		return "auto"
	case "content-visibility":
		return "visible"
	case "contain":
		var rest []string
		for _, word := range strings.Fields(s.Style(i, "contain")) {
			switch word {
			case "strict":
				rest = append(rest, "size", "style")
			case "content":
				rest = append(rest, "style")
			case "paint", "layout":
			default:
				rest = append(rest, word)
			}
		}
		if len(rest) == 0 {
			return "none"
		}
		return strings.Join(rest, " ")
	}
	return ""
}

// staticLevel reports a z-index of the element that would bring it above the cover if it
// were positioned.
func (s *Snapshot) staticLevel(i int, k *cover) bool {
	return s.idleLevel(i) && !s.paintedAbove(i, k.hit) &&
		s.trying(i, "position", "relative", func() bool { return s.paintedAbove(i, k.hit) })
}

func (s *Snapshot) idleLevel(i int) bool {
	z := s.Style(i, "z-index")
	return z != "auto" && z != "0" && s.Style(i, "position") == "static" && s.ItemOf(i) == ""
}

func staticLevel(c *Case) []Finding {
	if !c.idleLevel(c.At) {
		return nil
	}
	z := c.Style(c.At, "z-index")
	f := Finding{
		Type: "z-index-on-static", Severity: Low, Element: c.At,
		Message:  fmt.Sprintf("z-index: %s of %s has no effect: position is static and it is no flex or grid item.", z, c.Label(c.At)),
		Evidence: map[string]any{"z-index": z, "position": "static"},
		Cause:    c.declared(c.At, "z-index"),
		Fix:      &Fix{Element: c.At, Property: "position", Value: "relative"},
	}
	if k := c.covering(c.At); k != nil && k.purpose == "" && c.staticLevel(c.At, k) {
		f.Severity = Medium
		f.Message = fmt.Sprintf("%s is covered by %s at %d of %d points: its z-index: %s has no effect, because position is static.", c.Label(c.At), c.Label(k.at), k.points, k.of, z)
		for name, value := range k.evidence() {
			f.Evidence[name] = value
		}
		return []Finding{f}
	}
	if other := c.overlapping(c.At); other != None {
		f.Severity = Medium
		f.Message = fmt.Sprintf("z-index: %s of %s has no effect, because position is static; %s overlaps it.", z, c.Label(c.At), c.Label(other))
		f.Evidence["overlaps"] = Node(other)
		return []Finding{f}
	}
	if c.Target != c.At {
		return nil // of a whole page, only where it makes a difference
	}
	return []Finding{f}
}

// overlapping is a sibling that lies over a part of the element, whose level decides
// which of the two is seen; None when there is none.
func (s *Snapshot) overlapping(i int) int {
	r := s.Of(i).Rect()
	if r.Empty() {
		return None
	}
	for _, at := range s.Children(s.Of(i).Parent) {
		if at == i || s.when(at) != Shown {
			continue
		}
		if part := s.Of(at).Rect().Intersect(r); part.Width > 1 && part.Height > 1 && s.Style(at, "position") != "static" &&
			s.paintedAbove(at, i) && s.trying(i, "position", "relative", func() bool { return s.paintedAbove(i, at) }) {
			return at
		}
	}
	return None
}

// stackingContext speaks of contexts that matter: within, a z-index that would have been
// above something outside that it overlaps.
func stackingContext(c *Case) []Finding {
	by := c.StacksBy(c.At)
	if by == "" || by == "root" || by == "top layer" {
		return nil
	}
	f := Finding{
		Type: "stacking-context", Severity: Low, Element: c.At,
		Message:  fmt.Sprintf("%s makes a stacking context by %s: %s.", c.Label(c.At), by, c.declared(c.At, by).Value),
		Evidence: map[string]any{"by": by, "level": c.Level(c.At)},
		Cause:    c.declared(c.At, by),
	}
	if value := c.without(c.At, by); value != "" && c.trying(c.At, by, value, func() bool { return c.StacksBy(c.At) == "" }) {
		f.Fix = &Fix{Element: c.At, Property: by, Value: value}
	}
	inner, outer := c.keptIn(c.At)
	if inner == None {
		if c.Options.All {
			return []Finding{f}
		}
		return nil
	}
	f.Message = fmt.Sprintf("%s makes a stacking context by %s, which keeps z-index %d of %s below %s (level %d).",
		c.Label(c.At), by, c.Level(inner), c.Label(inner), c.Label(outer), c.Level(outer))
	f.Evidence["descendant"], f.Evidence["z-index"], f.Evidence["over"] = Node(inner), c.Level(inner), Node(outer)
	return []Finding{f}
}

// keptIn finds a descendant whose z-index loses, through the context i, against something
// outside that it overlaps.
func (s *Snapshot) keptIn(i int) (inner, outer int) {
	var outside []int
	around := s.StackingContextOf(i)
	for at := range s.Elements {
		if at != i && s.StacksBy(at) != "" && !s.Within(at, i) && !s.Within(i, at) && s.StackingContextOf(at) == around && s.when(at) == Shown && s.paintedAbove(at, i) {
			outside = append(outside, at)
		}
	}
	for at := i + 1; at < len(s.Elements) && len(outside) > 0; at++ {
		if !s.Within(at, i) || s.StackingContextOf(at) != i || s.Level(at) <= 0 || s.when(at) != Shown {
			continue
		}
		for _, other := range outside {
			if part := s.Of(at).Rect().Intersect(s.Of(other).Rect()); s.Level(at) > s.Level(other) && part.Width > 1 && part.Height > 1 {
				return at, other
			}
		}
	}
	return None, None
}

// fixedInside compares where a fixed element is with where the viewport would put it.
func fixedInside(c *Case) []Finding {
	if c.Style(c.At, "position") != "fixed" || c.Element().Is(TopLayer) {
		return nil
	}
	block, property := c.ContainingBlockOf(c.At)
	if block == None {
		return nil
	}
	for _, a := range c.Ancestors(c.At) {
		if c.Of(a).Is(TopLayer) { // a dialog's own things, in front of everything
			return nil
		}
		if a == block {
			break
		}
	}
	off, side := c.offViewport(c.At, block)
	wraps := c.PaddingBox(block).Contains(c.ViewportRect(), 1) && c.ViewportRect().Contains(c.PaddingBox(block), 1)
	moves := c.Viewport.ContentHeight > c.Viewport.Height+1 || c.Viewport.ContentWidth > c.Viewport.Width+1
	if side == "" || off <= 1 && (wraps || !moves) {
		return nil // as it would be otherwise
	}
	f := Finding{
		Type: "fixed-inside-transformed", Severity: Medium, Element: c.At,
		Evidence: map[string]any{"ancestor": Node(block), "property": property, "px": round(off), "side": side, "box": boxText(c.Element().Rect())},
		Cause:    c.declared(block, property),
	}
	if off > 1 {
		f.Severity = High
		f.Message = fmt.Sprintf("%s is fixed to %s, not to the viewport, because of its %s: %s from where %s: %s would be.",
			c.Label(c.At), c.Label(block), property, pxText(off), side, c.insetText(c.At, side))
	} else {
		f.Message = fmt.Sprintf("%s is fixed to %s, not to the viewport, because of its %s: it scrolls away with it.", c.Label(c.At), c.Label(block), property)
	}
	value := c.without(block, property)
	if value != "" && c.trying(block, property, value, func() bool { at, _ := c.ContainingBlockOf(c.At); return at == None }) {
		f.Fix = &Fix{Element: block, Property: property, Value: value}
	}
	return []Finding{f}
}

func (s *Snapshot) insetText(i int, side string) string {
	if typed := s.Typed(i, side); typed != "" {
		return typed
	}
	return s.Style(i, side)
}

// offViewport is how far the element is from where its insets would put it in the
// viewport, and the inset that is the farthest off; no side when it has no insets.
func (s *Snapshot) offViewport(i, block int) (off float64, side string) {
	area, v := s.PaddingBox(block), s.ViewportRect()
	for _, at := range []struct {
		property          string
		ofBlock, ofWindow float64
		whole, wholeBlock float64
		sign              float64
	}{
		{"top", area.Y, v.Y, v.Height, area.Height, 1},
		{"left", area.X, v.X, v.Width, area.Width, 1},
		{"bottom", area.Bottom(), v.Bottom(), v.Height, area.Height, -1},
		{"right", area.Right(), v.Right(), v.Width, area.Width, -1},
	} {
		declared := s.Typed(i, at.property)
		if declared == "" { // the resolved value of auto is a length too
			continue
		}
		inset, inBlock := 0.0, 0.0
		if share, ok := strings.CutSuffix(declared, "%"); ok {
			n, err := strconv.ParseFloat(share, 64)
			if err != nil {
				continue
			}
			inset, inBlock = n/100*at.whole, n/100*at.wholeBlock
		} else {
			resolved := s.Px(i, at.property)
			if math.IsNaN(resolved) {
				continue
			}
			inset, inBlock = resolved, resolved
		}
		far := math.Abs(at.ofBlock + at.sign*inBlock - at.ofWindow - at.sign*inset)
		if side == "" || far > off {
			off, side = far, at.property
		}
	}
	return off, side
}
