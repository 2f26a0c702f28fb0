package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// numbersOf reads the numbers of a function's or a list's value; lengths without their unit, NaN for what is none.
func numbersOf(value string) []float64 {
	if at := strings.IndexByte(value, '('); at >= 0 {
		value = strings.TrimSuffix(value[at+1:], ")")
	}
	var list []float64
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		number, err := strconv.ParseFloat(strings.TrimSuffix(part, "px"), 64)
		if err != nil {
			number = math.NaN()
		}
		list = append(list, number)
	}
	return list
}

// lockSlack is how much content may lie below a page that does not scroll: a descender, a shadow.
const lockSlack = 8

// scrollLocked speaks of the root or body that hides what is below the viewport while no
// dialog is open that would be the reason.
func scrollLocked(c *Case) []Finding {
	at, body := c.At, c.body()
	if at != 0 && at != body || c.Viewport.Print || c.Viewport.ContentHeight <= c.Viewport.Height+lockSlack {
		return nil
	}
	locks := func(i int) bool {
		overflow := c.Style(i, "overflow-y")
		return i != None && (overflow == "hidden" || overflow == "clip")
	}
	// The one of the two whose overflow is the viewport's.
	holder := 0
	if body != None && c.viewportOverflow(body) {
		holder = body
	}
	if at != holder || !locks(holder) {
		return nil
	}
	below, hidden := None, 0.0
	for i := range c.Elements {
		e := c.Of(i)
		if i <= body || c.when(i) != Shown || e.Text == nil && e.Image == nil && !e.Is(Interactive) {
			continue
		}
		if over := e.Rect().Bottom() - c.Viewport.Height; over > lockSlack && c.flowsDown(i) {
			if below == None {
				below = i
			}
			hidden = max(hidden, over)
		}
	}
	if below == None || c.modalOpen() || c.outgrown(below) != nil {
		return nil
	}
	return []Finding{{
		Type: "scroll-locked", Severity: Medium, Element: at,
		Message: fmt.Sprintf("The page cannot be scrolled, and %s of it lie below the viewport, %s first: overflow: %s on %s, with no dialog open.",
			pxText(hidden), c.Label(below), c.Style(at, "overflow-y"), c.Label(at)),
		Evidence: map[string]any{"px": round(hidden), "first": Node(below)},
		Cause:    c.declared(at, "overflow-y"), Fix: styleFix(at, "overflow-y", "auto"),
	}}
}

// flowsDown reports content that scrolling the page would show: not placed against the
// viewport, not moved away, not in a box that cuts or scrolls it.
func (s *Snapshot) flowsDown(i int) bool {
	if s.OutOfFlow(i) != None {
		return false
	}
	for at := i; at > 0; at = s.Of(at).Parent {
		if s.Style(at, "transform") != "none" || s.Style(at, "translate") != "none" || s.Of(at).Is(Controlled) {
			return false
		}
	}
	visible, _ := s.Visible(i, false)
	return visible.Bottom() > s.Viewport.Height+lockSlack
}

func dialogLike(e *Element) bool {
	return e.Role == "dialog" || e.Role == "alertdialog" || e.Tag == "dialog" || e.Attr("aria-modal") == "true" ||
		containsAny(e.Attr("class")+" "+e.Label, "modal", "dialog", "overlay", "drawer", "lightbox", "popup", "sheet")
}

// modalOpen reports a dialog, or a layer over most of the viewport, that is shown.
func (s *Snapshot) modalOpen() bool {
	for i := range s.Elements {
		e := s.Of(i)
		if s.when(i) != Shown {
			continue
		}
		if e.Is(TopLayer) && e.Tag == "dialog" {
			return true
		}
		seen := e.Rect().Intersect(s.ViewportRect())
		if position := s.Style(i, "position"); position != "fixed" && position != "absolute" || seen.Empty() {
			continue
		}
		if dialogLike(e) || s.Style(i, "position") == "fixed" && s.Level(i) >= 0 && seen.Area() > 0.5*s.ViewportRect().Area() && s.Style(i, "pointer-events") != "none" {
			return true
		}
	}
	return false
}
