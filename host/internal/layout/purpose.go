package layout

import (
	"math"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// neverShown are elements that no page shows.
var neverShown = map[string]bool{
	"template": true, "script": true, "style": true, "head": true, "title": true, "meta": true, "link": true, "noscript": true,
	"datalist": true, "base": true, "source": true, "track": true, "param": true, "area": true,
}

// closedRoles are those of parts that open when they are wanted (ARIA Authoring Practices).
var closedRoles = map[string]string{
	"menu": "a closed menu", "listbox": "a closed list", "tooltip": "a tooltip that is not shown now", "tabpanel": "the panel of another tab",
	"dialog": "a closed dialog", "alertdialog": "a closed dialog", "alert": "a message that is not shown now", "status": "a message that is not shown now",
}

// closedNames are words in a class or id that say the same where no role does. Modals are
// not among them: asked about, they are usually missed.
var closedNames = []struct {
	words   []string
	purpose string
}{
	{[]string{"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screenreader", "screen-reader-only", "a11y-hidden", "assistive-text", "hidden-visually", "element-invisible", "u-hiddenvisually"}, purposeReader},
	{[]string{"print-only", "d-print-", "visible-print", "only-print", "printonly"}, "for print only"},
	{[]string{"tooltip", "tippy"}, "a tooltip that is not shown now"},
	{[]string{"dropdown-menu", "dropdown-content", "dropdown__menu", "submenu", "sub-menu", "menu-items"}, "a closed menu"},
	{[]string{"tab-pane", "tab-panel", "tabpanel", "tab-content"}, "the panel of another tab"},
	{[]string{"carousel", "swiper", "slick-", "glide__", "splide", "slide"}, purposeSlide},
	{[]string{"accordion", "collapse"}, "a closed part of an accordion"},
	{[]string{"offcanvas", "off-canvas", "drawer", "sidenav", "side-nav"}, purposePanel},
	{[]string{"snackbar", "toast"}, "a message that is not shown now"},
}

const (
	purposeReader  = "for screen readers only"
	purposeSlide   = "another slide of a carousel"
	purposePanel   = "a closed panel at the edge of the screen"
	purposeSkip    = "a skip link that shows itself when it has the focus"
	purposeControl = "a drawn control stands in its place"
	purposeClosed  = "the control that opens it says that it is closed (aria-expanded)"
	purposeAria    = "hidden from assistive technology too (aria-hidden)"
)

// Purpose is why an element that cannot be seen is so on purpose, in a few words; empty
// where nothing says so. It does not ask whether it can be seen.
func (s *Snapshot) Purpose(i int) string {
	if purpose := s.ownPurpose(i); purpose != "" {
		return purpose
	}
	for _, a := range s.Ancestors(i) {
		if purpose := s.closedState(a); purpose != "" {
			return purpose
		}
		if s.hides(a) {
			if purpose := s.ownPurpose(a); purpose != "" {
				return purpose
			}
		}
	}
	return ""
}

// hides reports an element that hides what is in it by a declaration of its own.
func (s *Snapshot) hides(i int) bool {
	e := s.Of(i)
	return s.Style(i, "display") == "none" || s.Style(i, "visibility") != "visible" || s.Num(i, "opacity", 1) == 0 ||
		e.Box != nil && (e.Box[2] <= 1 || e.Box[3] <= 1) || s.clippedAway(i) != "" || s.Style(i, "transform") != "none" || s.Style(i, "translate") != "none"
}

// closedState is what an element's own state says: it is closed, with all that is in it.
func (s *Snapshot) closedState(i int) string {
	e := s.Of(i)
	switch {
	case e.Is(Controlled):
		return purposeClosed
	case e.Tag == "dialog" && !e.Has("open") && s.Style(i, "display") == "none":
		return "a closed dialog"
	case e.Has("popover") && !e.Is(TopLayer) && s.Style(i, "display") == "none":
		return "a closed popover"
	case e.Tag == "details" && !e.Has("open"):
		return "" // its summary is shown
	case strings.EqualFold(e.Attr("hidden"), "until-found"):
		return "hidden until it is found (hidden=until-found)"
	}
	return ""
}

func (s *Snapshot) ownPurpose(i int) string {
	e := s.Of(i)
	if purpose := s.closedState(i); purpose != "" {
		return purpose
	}
	if neverShown[e.Tag] {
		return "a " + e.Tag + " element is never shown"
	}
	if kind := e.Attr("type"); e.Tag == "input" {
		switch kind {
		case "hidden":
			return "a hidden field"
		case "checkbox", "radio", "file", "range", "color":
			if s.Num(i, "opacity", 1) == 0 || s.tiny(i) || s.clippedAway(i) != "" {
				return purposeControl
			}
		}
	}
	if e.ShownBy != "" && (s.hides(i) || e.Box != nil && s.ViewportRect().Intersect(e.Rect()).Empty()) {
		return "shown by " + e.ShownBy
	}
	role := e.Role
	if given := e.Attr("role"); given != "" {
		role = given
	}
	if purpose := closedRoles[role]; purpose != "" && !e.Has("open") {
		return purpose
	}
	names := s.names(i)
	for _, row := range closedNames {
		if containsAny(names, row.words...) {
			return row.purpose
		}
	}
	switch {
	case s.readerOnly(i):
		return purposeReader
	case s.skipLink(i):
		return purposeSkip
	case s.Style(i, "position") == "fixed" && s.Style(i, "visibility") != "visible" && !e.Rect().Empty() && s.ViewportRect().Intersect(e.Rect()).Empty():
		return purposePanel
	case e.Attr("aria-roledescription") == "slide":
		return purposeSlide
	case e.Attr("aria-hidden") == "true":
		return purposeAria
	}
	return ""
}

// names are the words by which authors call an element: its class and id.
func (s *Snapshot) names(i int) string {
	e := s.Of(i)
	_, id, _ := strings.Cut(e.Label, "#")
	return strings.ToLower(e.Attr("class") + " " + id)
}

// tiny reports a box of at most one px.
func (s *Snapshot) tiny(i int) bool {
	e := s.Of(i)
	return e.Box != nil && e.Box[2] <= 1 && e.Box[3] <= 1
}

// readerOnly reports the pattern by which a text is kept for screen readers: one px, cut
// off, out of the flow.
func (s *Snapshot) readerOnly(i int) bool {
	if position := s.Style(i, "position"); position != "absolute" && position != "fixed" {
		return false
	}
	return s.tiny(i) && s.Style(i, "overflow-x") != "visible"
}

var skipText = lazy.MustCompile(`(?i)^(skip|jump|go|zum|zur|aller|saltar|ir) (to|over|past|inhalt|au|al|navigation|links|main)`)

// skipLink reports a link that is off the screen until the Tab key comes to it.
func (s *Snapshot) skipLink(i int) bool {
	e := s.Of(i)
	if e.Tag != "a" {
		return false
	}
	text := e.Name
	if e.Text != nil {
		text = e.Text.Text
	}
	return containsAny(s.names(i), "skip") || skipText.MatchString(text)
}

// edgeNames are what panels are called that wait beyond an edge.
var edgeNames = []string{"drawer", "offcanvas", "off-canvas", "sidebar", "sidenav", "side-nav", "side-menu", "panel", "sheet", "menu", "nav", "flyout", "toast", "snackbar", "tray", "cart"}

var edgeTags = []string{"nav", "aside", "dialog"}

var edgeRoles = []string{"navigation", "complementary", "dialog", "menu"}

// placePurpose tells why what was pushed over an edge waits there.
func (c *Case) placePurpose(p push, d side) string {
	for _, i := range []int{c.At, p.at} {
		if purpose := c.Purpose(i); purpose != "" && !(purpose == purposeAria && c.asked() && !c.away(p.at, d)) && !roleOnly(purpose) {
			return purpose
		}
	}
	if carousel := c.carousel(c.At); carousel {
		return purposeSlide
	}
	if c.farOff(p) {
		return "put away far off the screen: a drawn control or nothing stands in its place"
	}
	e := c.Of(p.at)
	waits := c.away(p.at, d)
	if !waits {
		return ""
	}
	if e.Has("inert") || c.Style(p.at, "visibility") != "visible" || e.Attr("aria-hidden") == "true" {
		return purposePanel
	}
	// Exactly its own size beyond the edge, or a little more for its shadow.
	gap := d.outside(c.Snapshot, e.Rect())
	if gap > max(cornerGap, d.size(e.Rect())/4) {
		return ""
	}
	if slices.Contains(edgeTags, e.Tag) || slices.Contains(edgeRoles, e.Role) || slices.Contains(edgeRoles, e.Attr("role")) || containsAny(c.names(p.at), edgeNames...) {
		return purposePanel
	}
	return ""
}

// farOff reports the lengths by which what is not to be seen is put away: left: -9999px.
// Who asks about such an element may be looking for it all the same.
func (c *Case) farOff(p push) bool {
	control := c.Element().Tag == "input" && slices.Contains([]string{"checkbox", "radio", "file"}, c.Element().Attr("type"))
	if c.asked() && !control {
		return false
	}
	for _, value := range []string{p.cause.Value, c.Style(p.cause.Element, p.cause.Property)} {
		for _, v := range numbersOf(value) {
			if v == -999 || v <= -5000 {
				return true
			}
		}
	}
	return false
}

// roleOnly are purposes that say what an element is, not that it is closed: a dialog that
// was placed beyond the edge may have been opened there.
func roleOnly(purpose string) bool {
	for _, p := range closedRoles {
		if p == purpose {
			return true
		}
	}
	return purpose == purposePanel || purpose == purposeSlide
}

// away reports a box that is beyond the edge with all of it.
func (c *Case) away(i int, d side) bool {
	r := c.Of(i).Rect()
	return !r.Empty() && !math.IsNaN(r.X) && d.outside(c.Snapshot, r) >= -0.5
}

// carousel reports an element in a row of slides.
func (s *Snapshot) carousel(i int) bool {
	for at := i; at > 0; at = s.Of(at).Parent {
		e := s.Of(at)
		if description := e.Attr("aria-roledescription"); description == "carousel" || description == "slide" || containsAny(s.names(at), "carousel", "swiper", "slick-track", "slick-list", "glide__", "splide", "slider", "slides") {
			return true
		}
	}
	return false
}
