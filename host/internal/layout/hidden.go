package layout

import (
	"fmt"
	"math"
	"strings"
)

// unseenBelow is the opacity below which nobody sees an element.
const unseenBelow = 0.1

var hiddenRules = []Rule{
	{
		Types: []Type{
			{"hidden-display", High, "has display: none"},
			{"hidden-attribute", High, "has the attribute hidden"},
			{"hidden-visibility", High, "has visibility: hidden"},
			{"hidden-opacity", High, "has opacity: 0"},
			{"hidden-by-ancestor", High, "is hidden by an element that it lies in"},
			{"media-hidden", Medium, "is hidden by a media query that matches now"},
			{"content-visibility", High, "is not rendered because of content-visibility"},
			{"details-closed", Info, "lies in a closed details element"},
			{"dialog-closed", Info, "is a dialog that is not open, or lies in one"},
			{"popover-closed", Info, "is a popover that is not shown, or lies in one"},
			{"not-slotted", High, "is the child of a shadow host that no slot shows"},
			{"clip-hidden", High, "is cut to nothing by clip or clip-path"},
			{"inert", High, "cannot be operated because of the attribute inert"},
		},
		When: Any, Asked: true, Find: hidden,
	},
	{
		Types: []Type{{"low-opacity", Medium, "has an opacity below 0.1"}},
		When:  Rendered, Find: lowOpacity,
	},
}

// hidden tells by whom the element that was asked about is not shown. What is not
// rendered at all has no other faults.
func hidden(c *Case) []Finding {
	if out := unrendered(c); len(out) > 0 {
		return out
	}
	out := append(notVisible(c), opacityZero(c)...)
	if f := clippedToNothing(c); f != nil {
		out = append(out, *f)
	}
	if f := inert(c); f != nil {
		out = append(out, *f)
	}
	return out
}

// hider is one way in which an element hides itself and what is in it.
type hider struct {
	kind     string
	severity Severity
	cause    Cause
	fix      *Fix
	purpose  string
	how      string // for the message: "display: none"
}

// unrendered are the reasons why there is no box: its own, and the nearest around it.
func unrendered(c *Case) []Finding {
	if c.Element().Box != nil {
		return contentSkipped(c)
	}
	if top := c.slotless(); top != None {
		return []Finding{notSlotted(c, top)}
	}
	var out []Finding
	if h := c.hiderOf(c.At); h != nil {
		f := Finding{
			Type: h.kind, Severity: h.severity, Element: c.At, Cause: h.cause, Fix: h.fix,
			Message: fmt.Sprintf("%s is not shown: %s.", c.Label(c.At), h.how),
		}
		out = append(out, withPurpose(f, h.purpose))
	}
	if around := c.hiddenAround(); around != nil && (len(out) == 0 || out[0].Severity != Info) {
		out = append(out, *around)
	}
	return out
}

// hiddenAround is the finding about the nearest of the ancestors that keep an element from being rendered.
func (c *Case) hiddenAround() *Finding {
	var first *hider
	var also []int
	at, child := None, c.At
	for _, a := range c.Ancestors(c.At) {
		h := c.hiderOf(a)
		if h == nil {
			h = c.keptOut(a, child)
		}
		child = a
		switch {
		case h == nil:
		case first == nil:
			first, at = h, a
		default:
			also = append(also, a)
		}
	}
	if first == nil {
		return nil
	}
	kind := first.kind
	if kind == "hidden-display" || kind == "hidden-attribute" {
		kind = "hidden-by-ancestor"
	}
	f := Finding{
		Type: kind, Severity: first.severity, Element: c.At, Cause: first.cause, Fix: first.fix,
		Message:  fmt.Sprintf("%s is not shown: %s on %s, %s.", c.Label(c.At), first.how, c.Label(at), c.ordinal(c.At, at)),
		Evidence: map[string]any{"ancestor": Node(at), "distance": c.ordinal(c.At, at)},
	}
	if len(also) > 0 {
		f.Evidence["also"] = Node(also[0])
		f.Message = strings.TrimSuffix(f.Message, ".") + fmt.Sprintf("; %s is hidden too.", c.Label(also[0]))
	}
	f = withPurpose(f, first.purpose)
	return &f
}

// withPurpose makes a finding a note where there is a purpose.
func withPurpose(f Finding, purpose string) Finding {
	if purpose != "" {
		f.Severity, f.Purpose = Info, purpose
	}
	return f
}

// hiderOf is how an element with display: none came to it; nil when it has another display.
func (s *Snapshot) hiderOf(i int) *hider {
	if s.Style(i, "display") != "none" {
		return nil
	}
	e := s.Of(i)
	purpose := s.Purpose(i)
	display := s.declared(i, "display")
	show := &Fix{Element: i, Property: "display", Value: shownAs(e.Tag)}
	switch {
	case neverShown[e.Tag] || e.Tag == "input" && e.Attr("type") == "hidden":
		return &hider{"hidden-display", Info, display, nil, purpose, "display: none"}
	case e.Tag == "dialog" && !e.Has("open"):
		open := s.attributed(i, "open")
		return &hider{"dialog-closed", Info, open, &Fix{Element: i, Property: "open", Attribute: true}, "a closed dialog", "the dialog is not open"}
	case e.Has("popover") && !e.Is(TopLayer):
		return &hider{"popover-closed", Info, s.attributed(i, "popover"), nil, "a closed popover", "the popover is not open"}
	case e.Has("hidden"):
		attribute := s.attributed(i, "hidden")
		return &hider{"hidden-attribute", High, attribute, &Fix{Element: i, Property: "hidden", Value: Remove, Attribute: true}, purpose, "the attribute hidden"}
	case e.Media != "":
		return s.mediaHider(i, "display", show)
	}
	return &hider{"hidden-display", High, display, show, purpose, "display: none"}
}

// mediaHider is a rule of a media query that matches now. Queries about what a person
// prefers and about paper hide on purpose; one about a width may be missed.
func (s *Snapshot) mediaHider(i int, property string, show *Fix) *hider {
	media := s.Of(i).Media
	purpose := s.Purpose(i)
	if purpose == "" && (s.Viewport.Print || containsAny(media, "print", "prefers-", "forced-colors")) {
		purpose = "meant for another medium or preference (" + media + ")"
	}
	cause := s.declared(i, property)
	return &hider{"media-hidden", Medium, cause, show, purpose, fmt.Sprintf("%s: %s in @media %s", property, cause.Value, media)}
}

// keptOut is how an ancestor that has a box of its own keeps a child from having one.
func (s *Snapshot) keptOut(a, child int) *hider {
	e := s.Of(a)
	if e.Tag == "details" && !e.Has("open") && !s.isSummary(a, child) {
		return &hider{"details-closed", Info, s.attributed(a, "open"), &Fix{Element: a, Property: "open", Attribute: true}, "in a closed details element, which its summary opens", "the details element is not open"}
	}
	if s.Style(a, "content-visibility") == "hidden" && e.Box != nil {
		purpose := s.closedState(a)
		cause := s.declared(a, "content-visibility")
		fix := &Fix{Element: a, Property: "content-visibility", Value: "visible"}
		if e.Has("hidden") {
			cause, fix = s.attributed(a, "hidden"), &Fix{Element: a, Property: "hidden", Value: Remove, Attribute: true}
		}
		return &hider{"content-visibility", High, cause, fix, purpose, "content-visibility: hidden"}
	}
	return nil
}

// isSummary reports the first summary of a details element, which is always shown.
func (s *Snapshot) isSummary(details, child int) bool {
	for _, at := range s.Children(details) {
		if s.Of(at).Tag == "summary" {
			return at == child
		}
	}
	return false
}

// contentSkipped speaks of an element that has a box but whose own content is not rendered.
func contentSkipped(c *Case) []Finding {
	if c.Style(c.At, "content-visibility") != "hidden" || len(c.Children(c.At)) == 0 {
		return nil
	}
	h := c.keptOut(c.At, None)
	if h == nil {
		return nil
	}
	f := Finding{
		Type: h.kind, Severity: h.severity, Element: c.At, Cause: h.cause, Fix: h.fix,
		Message: fmt.Sprintf("What is in %s is not shown: %s.", c.Label(c.At), h.how),
	}
	return []Finding{withPurpose(f, h.purpose)}
}

// slotless is the child of a host that no slot takes: the element or one around it; None when there is none.
func (s *Snapshot) slotless() int {
	top := None
	for at := s.Target; at > 0; at = s.Of(at).Parent {
		if s.Of(at).Is(Slotless) {
			top = at
		}
	}
	return top
}

func notSlotted(c *Case, top int) Finding {
	host := c.Of(top).Parent
	name := c.Of(top).Attr("slot")
	cause := c.attributed(top, "slot")
	why := "has no slot without a name"
	if name != "" {
		why = fmt.Sprintf("has no slot named %q", name)
	}
	f := Finding{
		Type: "not-slotted", Severity: High, Element: c.At, Cause: cause,
		Message:  fmt.Sprintf("%s is not shown: the shadow root of %s %s.", c.Label(c.At), c.Label(host), why),
		Evidence: map[string]any{"host": Node(host)},
	}
	if top != c.At {
		f.Message = fmt.Sprintf("%s is not shown: it lies in %s, and the shadow root of %s %s.", c.Label(c.At), c.Label(top), c.Label(host), why)
		f.Evidence["child"] = Node(top)
	}
	if slots := c.Of(host).Slots; len(slots) > 0 {
		f.Evidence["slots"] = strings.Join(slots, ", ")
		f.Fix = &Fix{Element: top, Property: "slot", Value: slots[0], Attribute: true}
		if slots[0] == "" {
			f.Fix.Value = Remove
		}
	} else {
		// A host without any slot takes its children as data.
		return withPurpose(f, "its host shows none of its children")
	}
	return f
}

// notVisible is visibility: hidden, which is inherited: the outermost in a row carries it.
func notVisible(c *Case) []Finding {
	value := c.Style(c.At, "visibility")
	if value == "visible" || c.Element().Box == nil {
		return nil
	}
	top := c.At
	for _, a := range c.Ancestors(c.At) {
		if c.Style(a, "visibility") != value {
			break
		}
		top = a
	}
	purpose := c.Purpose(top)
	if purpose == "" && c.showsItself() {
		purpose = "only its frame is hidden, its content is visible"
	}
	fix := &Fix{Element: top, Property: "visibility", Value: "visible"}
	if c.Of(top).Media != "" {
		h := c.mediaHider(top, "visibility", fix)
		return []Finding{c.seenAs(h, top, "")}
	}
	h := &hider{"hidden-visibility", High, c.declared(top, "visibility"), fix, purpose, "visibility: " + value}
	return []Finding{c.seenAs(h, top, "hidden-by-ancestor")}
}

// seenAs makes the finding of a hider that is the element itself or an ancestor.
func (c *Case) seenAs(h *hider, at int, ofAncestor string) Finding {
	f := Finding{
		Type: h.kind, Severity: h.severity, Element: c.At, Cause: h.cause, Fix: h.fix,
		Message: fmt.Sprintf("%s cannot be seen: %s.", c.Label(c.At), h.how),
	}
	if at != c.At {
		if ofAncestor != "" {
			f.Type = ofAncestor
		}
		f.Message = fmt.Sprintf("%s cannot be seen: %s on %s, %s.", c.Label(c.At), h.how, c.Label(at), c.ordinal(c.At, at))
		f.Evidence = map[string]any{"ancestor": Node(at), "distance": c.ordinal(c.At, at)}
	}
	return withPurpose(f, h.purpose)
}

// showsItself reports a hidden element whose content is visible nevertheless.
func (c *Case) showsItself() bool {
	if c.Element().Text != nil {
		return false
	}
	children := c.Children(c.At)
	for _, child := range children {
		if c.Style(child, "visibility") != "visible" {
			return false
		}
	}
	return len(children) > 0
}

// opacityZero is opacity: 0, its own or an ancestor's.
func opacityZero(c *Case) []Finding {
	if c.Element().Box == nil {
		return nil
	}
	for at := c.At; at >= 0; at = c.Of(at).Parent {
		if c.Num(at, "opacity", 1) > 0 {
			continue
		}
		fix := &Fix{Element: at, Property: "opacity", Value: "1"}
		if c.Of(at).Media != "" {
			return []Finding{c.seenAs(c.mediaHider(at, "opacity", fix), at, "")}
		}
		purpose := c.Purpose(at)
		if purpose == "" && at != c.At && c.Purpose(c.At) == purposeControl {
			purpose = purposeControl
		}
		h := &hider{"hidden-opacity", High, c.declared(at, "opacity"), fix, purpose, "opacity: 0"}
		return []Finding{c.seenAs(h, at, "hidden-by-ancestor")}
	}
	return nil
}

// lowOpacity is an opacity that nobody sees through, also of several that are multiplied.
func lowOpacity(c *Case) []Finding {
	product, by := c.Opacity(c.At)
	if by == None || product == 0 || product >= unseenBelow {
		return nil
	}
	if !c.asked() && (by != c.At || !c.hasContent(c.At) || c.Element().Is(Animated)) {
		return nil
	}
	purpose := c.Purpose(by)
	if purpose == "" && !c.hasContent(by) {
		purpose = "a decoration without content"
	}
	own := c.declared(by, "opacity")
	h := &hider{"low-opacity", Medium, own, &Fix{Element: by, Property: "opacity", Value: "1"}, purpose, "opacity: " + own.Value}
	f := c.seenAs(h, by, "hidden-by-ancestor")
	f.Message = strings.Replace(f.Message, "cannot be seen", "can hardly be seen", 1)
	if f.Evidence == nil {
		f.Evidence = map[string]any{}
	}
	f.Evidence["opacity"] = math.Round(product*1000) / 1000
	return []Finding{f}
}

// inert speaks of what can be operated but for an inert element around it. With a modal
// dialog open that is how the rest of the page is meant to be.
func inert(c *Case) *Finding {
	if c.Element().Box == nil || !c.Element().Is(Interactive) && !c.Element().Has("inert") {
		return nil
	}
	for at := c.At; at >= 0; at = c.Of(at).Parent {
		if !c.Of(at).Has("inert") {
			continue
		}
		purpose := c.closedState(at)
		for i := range c.Elements {
			if c.Of(i).Is(TopLayer) || c.isModal(i) && !c.Within(i, at) {
				purpose = "a modal dialog is open"
			}
		}
		if purpose == "" && c.Of(at).Attr("aria-hidden") == "true" {
			purpose = purposeAria
		}
		h := &hider{"inert", High, c.attributed(at, "inert"), &Fix{Element: at, Property: "inert", Value: Remove, Attribute: true}, purpose, "the attribute inert"}
		if purpose == "" && !c.Element().Is(Interactive) && !c.holdsInteractive(c.At) {
			purpose = "nothing in it is to be operated"
			h.purpose = purpose
		}
		f := c.seenAs(h, at, "")
		f.Message = strings.Replace(f.Message, "cannot be seen", "can be neither clicked nor focused", 1)
		return &f
	}
	return nil
}

func (s *Snapshot) holdsInteractive(i int) bool {
	for _, child := range s.Children(i) {
		if s.Of(child).Is(Interactive) || s.holdsInteractive(child) {
			return true
		}
	}
	return false
}

// shownAs is the display that an element of that name usually has.
func shownAs(tag string) string {
	switch tag {
	case "div", "section", "article", "main", "header", "footer", "nav", "aside", "form", "p", "ul", "ol", "figure", "h1", "h2", "h3", "dialog":
		return "block"
	}
	return "revert"
}
