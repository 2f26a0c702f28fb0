package layout

import (
	"fmt"
	"math"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// lowLevel is the z-index below which something else is likely to come over a modal.
const lowLevel = 100

// usualLevel is what a fix gives a modal.
const usualLevel = "1000"

// offCentre is how far a modal may stand from the middle: a scroll bar moves it by half of its width.
const offCentre = 10

// cornerGap is how far from an edge a panel or a message in a corner stands at most.
const cornerGap = 32

var modalRules = []Rule{
	{
		Types: []Type{
			{"modal-no-zindex", Medium, "a modal that is positioned without a z-index"},
			{"modal-low-zindex", Low, "a modal with a z-index below 100"},
			{"modal-not-centered", Low, "a modal that does not stand in the middle of the viewport"},
		},
		When: Shown, Find: modal,
	},
}

// modalName are the words by which authors call what stands over the page; parts of it
// (modal-body, dialog-title) are not.
var modalName = lazy.MustCompile(`(?i)(?:^|[-_ ])(?:modal|dialog|popup|lightbox|overlay)(?:[-_]*(?:box|container|window|wrapper|root|content|panel)?[-_]*\d*)?$|(?-i:[a-z](?:Modal|Dialog|Popup|Lightbox|Overlay)\d*$)`)

// isModal reports what looks like a modal that is open outside of the top layer, where
// neither levels nor the place in the tree count.
func (s *Snapshot) isModal(i int) bool {
	e := s.Of(i)
	if e.Box == nil || e.Tag == "html" || e.Tag == "body" || e.Is(TopLayer) || e.Has("popover") {
		return false
	}
	if role := e.Attr("role"); role == "dialog" || role == "alertdialog" || e.Attr("aria-modal") == "true" || e.Tag == "dialog" && e.Has("open") {
		if block, _ := s.ContainingBlockOf(i); block != None && s.Style(i, "position") == "absolute" && e.Attr("aria-modal") != "true" && !s.fillsView(block) {
			return false // a bubble over a map, beside a field
		}
		return true
	}
	position := s.Style(i, "position")
	if position != "fixed" && position != "absolute" {
		return false
	}
	_, id, _ := strings.Cut(e.Label, "#")
	named := modalName.MatchString(id)
	loose := containsAny(id, "overlay", "popup")
	for class := range strings.FieldsSeq(e.Attr("class")) {
		if modalName.MatchString(class) {
			named = true
			loose = loose || containsAny(class, "overlay", "popup")
		}
	}
	if !named {
		return false
	}
	if block, _ := s.ContainingBlockOf(i); block != None && loose {
		return false // over a card, beside a field
	}
	return true
}

// modalCarrier is the element whose level and place a modal has: it or the wrapper around it that is
// taken out of the flow; None when it stands in the flow.
func (s *Snapshot) modalCarrier(i int) int {
	for at := i; at > 0; at = s.Of(at).Parent {
		if s.Of(at).Is(TopLayer) {
			return None
		}
		if position := s.Style(at, "position"); position == "fixed" || position == "absolute" {
			if at == i || s.fillsView(at) {
				return at
			}
			return None
		}
	}
	return None
}

// fillsView reports a box as large as the viewport: a backdrop or a wrapper.
func (s *Snapshot) fillsView(i int) bool {
	r := s.Of(i).Rect()
	return r.Width >= s.Viewport.Width*0.95 && r.Height >= s.Viewport.Height*0.95
}

func modal(c *Case) []Finding {
	if !c.isModal(c.At) {
		return nil
	}
	at := c.modalCarrier(c.At)
	if at == None {
		return nil
	}
	for a := at; a > 0; a = c.Of(a).Parent {
		if c.Of(a).Is(TopLayer) {
			return nil
		}
		if !c.asked() && a != c.At && c.isModal(a) {
			return nil // told of the wrapper
		}
	}
	var out []Finding
	if f := c.modalLevel(at); f != nil {
		out = append(out, *f)
	}
	if f := c.modalPlace(at); f != nil {
		out = append(out, *f)
	}
	return out
}

// modalLevel judges the highest level that the modal has in its own or a stacking context around it.
func (c *Case) modalLevel(at int) *Finding {
	highest, by := math.MinInt, None
	for a := c.At; a > 0; a = c.Of(a).Parent {
		if c.Style(a, "z-index") == "auto" || c.Style(a, "position") == "static" && c.ItemOf(a) == "" {
			continue
		}
		if level := c.Level(a); level > highest {
			highest, by = level, a
		}
	}
	if by == None && c.StacksBy(at) == "" {
		// A wrapper without a level of its own leaves its content free to have one.
		for _, child := range c.Children(at) {
			if c.Style(child, "position") != "static" && c.Level(child) >= lowLevel {
				return nil
			}
		}
	}
	f := Finding{Element: c.At, Fix: &Fix{Element: at, Property: "z-index", Value: usualLevel}}
	switch {
	case by == None:
		f.Type, f.Severity = "modal-no-zindex", Medium
		f.Cause = Cause{Element: at, Property: "z-index", Value: "auto"}
		f.Message = fmt.Sprintf("%s is a modal without a z-index: anything positioned after it is painted over it.", c.Label(c.At))
		if at != c.At {
			f.Message = fmt.Sprintf("%s is a modal in %s, which is positioned without a z-index: anything positioned after it is painted over it.", c.Label(c.At), c.Label(at))
		}
	case highest < lowLevel:
		if !c.asked() && !c.rivals(by, highest) {
			return nil
		}
		f.Type, f.Severity = "modal-low-zindex", Low
		f.Cause = c.declared(by, "z-index")
		f.Fix.Element = by
		f.Message = fmt.Sprintf("%s is a modal with z-index: %d, which other layers of a page easily exceed.", c.Label(c.At), highest)
		f.Evidence = map[string]any{"zIndex": highest, "wanted": lowLevel}
	default:
		return nil
	}
	return &f
}

// rivals reports something outside of an element with at least its level.
func (s *Snapshot) rivals(by, level int) bool {
	for i := range s.Elements {
		if s.Style(i, "z-index") != "auto" && s.Level(i) >= level && !s.Within(i, by) && !s.Within(by, i) && s.when(i) == Shown {
			return true
		}
	}
	return false
}

// modalPlace judges where the modal stands: in the middle, at an edge, or neither.
func (c *Case) modalPlace(at int) *Finding {
	if block, _ := c.ContainingBlockOf(at); block != None || c.fillsView(c.At) || c.Element().Is(Animated) {
		return nil
	}
	r, v := c.Element().Rect(), c.Viewport
	if c.ViewportRect().Intersect(r).Empty() {
		return nil // told as such
	}
	dx, dy := r.X+r.Width/2-v.Width/2, r.Y+r.Height/2-v.Height/2
	// The scroll bar is not in v.Width; fixed boxes are centred without it too.
	level, upright := math.Abs(dx) <= offCentre, math.Abs(dy) <= offCentre
	if level && (upright || !c.startsInMiddle(r)) || c.atEdge(r) {
		return nil
	}
	f := Finding{
		Type: "modal-not-centered", Severity: Low, Element: c.At,
		Evidence: map[string]any{"dx": round(dx), "dy": round(dy), "box": boxText(r)},
	}
	f.Cause, f.Fix = c.whyNotCentred(at, dx, dy)
	where := []string{}
	if !level {
		where = append(where, pxText(math.Abs(dx))+map[bool]string{true: " left", false: " right"}[dx < 0])
	}
	if !upright {
		where = append(where, pxText(math.Abs(dy))+map[bool]string{true: " above", false: " below"}[dy < 0])
	}
	f.Message = fmt.Sprintf("%s is a modal %s of the middle of the viewport: %s: %s on %s.", c.Label(c.At), strings.Join(where, " and "), f.Cause.Property, f.Cause.Value, c.Label(f.Cause.Element))
	return &f
}

// startsInMiddle reports a box whose edge, not its middle, was put at 50%: horizontally
// centred and high up is a design, this is not.
func (c *Case) startsInMiddle(r Rect) bool {
	return math.Abs(r.Y-c.Viewport.Height/2) <= edgeTolerance || math.Abs(r.Bottom()-c.Viewport.Height/2) <= edgeTolerance
}

// atEdge reports a drawer, a sheet, a banner or a message in a corner.
func (c *Case) atEdge(r Rect) bool {
	v := c.Viewport
	left, right := r.X <= cornerGap, v.Width-r.Right() <= cornerGap
	top, bottom := r.Y <= cornerGap, v.Height-r.Bottom() <= cornerGap
	tall, wide := r.Height >= v.Height*0.8, r.Width >= v.Width*0.8
	return (left || right) && tall || (top || bottom) && wide || bottom || right && top
}

// whyNotCentred finds the declaration that would put a modal in the middle.
func (c *Case) whyNotCentred(at int, dx, dy float64) (Cause, *Fix) {
	if at != c.At { // placed by its wrapper
		display := c.Style(at, "display")
		if strings.HasSuffix(display, "flex") || strings.HasSuffix(display, "grid") {
			column := strings.HasPrefix(c.Style(at, "flex-direction"), "column")
			property := "justify-content"
			if (math.Abs(dx) > offCentre) == column {
				property = "align-items"
			}
			return c.declared(at, property), &Fix{Element: at, Property: property, Value: "center"}
		}
		if math.Abs(dx) > offCentre {
			return c.declared(c.At, "margin-left"), &Fix{Element: c.At, Property: "margin-inline", Value: "auto"}
		}
		return c.declared(c.At, "margin-top"), &Fix{Element: c.At, Property: "margin-block", Value: "auto"}
	}
	r := c.Of(at).Rect()
	half := func(inset string) bool { return c.Typed(at, inset) == "50%" }
	moved := c.Style(at, "transform") != "none" || c.Style(at, "translate") != "none"
	if (half("left") || half("top")) && !moved {
		x, y := "0px", "0px"
		if half("left") {
			x = "-50%"
		}
		if half("top") {
			y = "-50%"
		}
		return Cause{Element: at, Property: "transform", Value: "none"}, &Fix{Element: at, Property: "transform", Value: "translate(" + x + ", " + y + ")"}
	}
	if c.filled(at) {
		return c.declared(at, "margin-left"), &Fix{Element: at, Property: "margin", Value: "auto"}
	}
	property, size := "top", r.Height
	if math.Abs(dx) > offCentre {
		property, size = "left", r.Width
		if c.Typed(at, "left") == "" && c.Typed(at, "right") != "" {
			property = "right"
		}
	} else if c.Typed(at, "top") == "" && c.Typed(at, "bottom") != "" {
		property = "bottom"
	}
	cause := c.declared(at, property)
	if c.Typed(at, property) == "" {
		cause.Value = "auto"
	}
	return cause, &Fix{Element: at, Property: property, Value: fmt.Sprintf("calc(50%% - %s)", pxValue(size/2))}
}

// filled reports insets on all sides of 0: margins decide then.
func (c *Case) filled(at int) bool {
	for _, inset := range []string{"left", "right", "top", "bottom"} {
		if v := c.Typed(at, inset); v != "0px" && v != "0%" {
			return false
		}
	}
	return true
}
