package layout

import (
	"math"
	"slices"
)

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

// counted reports, on a whole page, a fault that was told of another element for the same
// reason, and counts it there. A page has such a fault once, or everywhere.
func (c *Case) counted(key string) bool {
	first, ok := c.reasons[key]
	if ok {
		others, _ := first["others"].(int)
		first["others"] = others + 1
	}
	return ok
}

// toldFirst notes what is told of the first element.
func (c *Case) toldFirst(key string, evidence map[string]any) {
	if c.Target != None {
		return
	}
	if c.reasons == nil {
		c.reasons = make(map[string]map[string]any)
	}
	c.reasons[key] = evidence
}

// rows are the elements in which something is drawn, by the horizontal strips of the page
// that they reach into; those of many strips are listed once.
type rows struct {
	strips map[int][]int
	tall   []int
}

const (
	stripHeight = 256.0
	maxStrips   = 16
)

// paintedNear lists the elements that draw something at the height of a box.
func (s *Snapshot) paintedNear(box Rect) []int {
	if s.inked == nil {
		s.inked = &rows{strips: make(map[int][]int)}
		for at := range s.Elements {
			e := s.Of(at)
			if r := e.Rect(); !r.Empty() && (s.hasPaint(at) || e.Is(Decorated)) {
				s.inked.add(at, r)
			}
		}
	}
	list := slices.Clone(s.inked.tall)
	first, last := stripsOf(box)
	for strip := first; strip <= min(last, first+maxStrips); strip++ {
		list = append(list, s.inked.strips[strip]...)
	}
	return list
}

func stripsOf(r Rect) (first, last int) {
	return int(math.Floor(r.Y / stripHeight)), int(math.Floor(r.Bottom() / stripHeight))
}

func (p *rows) add(at int, r Rect) {
	first, last := stripsOf(r)
	if last-first >= maxStrips {
		p.tall = append(p.tall, at)
		return
	}
	for strip := first; strip <= last; strip++ {
		p.strips[strip] = append(p.strips[strip], at)
	}
}
