package layout

// rectOf is a box that was sent as four numbers.
func rectOf(b [4]number) Rect { return Rect{b[0], b[1], b[2], b[3]} }

// clipped is the part of any box that the element's own overflow and the clips around it leave.
func (s *Snapshot) clipped(i int, r Rect) Rect {
	for _, clip := range s.overflowClips(i) {
		r = r.Intersect(clip.Box)
	}
	for _, clip := range s.Clips(i) {
		r = r.Intersect(clip.Box)
	}
	return r
}

// isInert reports an element that is in an inert part of the page.
func (s *Snapshot) isInert(i int) bool {
	for at := i; at >= 0; at = s.Of(at).Parent {
		if s.Of(at).Has("inert") {
			return true
		}
	}
	return false
}

// ordinalOf is how many steps up an ancestor is.
func (s *Snapshot) ordinalOf(i, ancestor int) int {
	n := 0
	for at := i; at >= 0 && at != ancestor; at = s.Of(at).Parent {
		n++
	}
	return n
}

var svgParts = map[string]bool{
	"path": true, "circle": true, "ellipse": true, "line": true, "polyline": true, "polygon": true,
	"rect": true, "g": true, "use": true, "text": true, "tspan": true, "defs": true, "symbol": true,
}

// svgPart reports a shape whose box says little about where it is.
func svgPart(tag string) bool { return svgParts[tag] }

// scrolledIn reports an ancestor that scrolls in the direction of the property.
func (s *Snapshot) scrolledIn(i int, property string) bool {
	for _, clip := range s.Clips(i) {
		if clip.Property == property && clip.Scrolls {
			return true
		}
	}
	return false
}
