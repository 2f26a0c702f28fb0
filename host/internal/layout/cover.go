package layout

import (
	"fmt"
	"math"
	"strconv"
)

// What counts as covered: the middle, or so much of the points (and of the area, which
// keeps badges and icons laid over a corner out of it).
const (
	partShare  = 1.0 / 4
	mostShare  = 1.0 / 2
	partArea   = 0.1
	wholeCover = 0.9 // of the viewport: an overlay rather than a part of the page
	faint      = 0.05
)

var coverRules = []Rule{
	{
		Types: []Type{{"covered-by-element", High, "another element lies over it and takes its clicks"}},
		When:  Shown, Find: covered,
	},
}

// cover is what lies over an element.
type cover struct {
	at      int // the outermost element that can be named for it
	hit     int // what the pointer met
	points  int
	of      int
	centre  bool
	paints  bool // something of it is seen there
	purpose string
}

// covering finds what lies over an element at the points where the pointer was tried;
// nil when it can be reached well enough.
func (s *Snapshot) covering(i int) *cover {
	if known, ok := s.covers[i]; ok {
		return known
	}
	if s.covers == nil {
		s.covers = make(map[int]*cover)
	}
	k := s.findCover(i)
	s.covers[i] = k
	return k
}

func (s *Snapshot) findCover(i int) *cover {
	e := s.Of(i)
	if len(e.Hits) == 0 || s.Style(i, "pointer-events") == "none" || s.isInert(i) || svgPart(e.Tag) || s.Style(i, "clip-path") != "none" {
		return nil
	}
	visible, _ := s.Visible(i, false)
	if e.Text != nil {
		visible = visible.Union(s.clipped(i, rectOf(e.Text.Box)))
	}
	hits := e.Hits
	if len(hits) > 1 && s.rotated(i) {
		hits = hits[:1] // the others may lie beside it
	}
	var list []*cover
	of := 0
	for k, hit := range hits {
		if !visible.Contains(Rect{hit.X, hit.Y, 0, 0}, -min(0.5, visible.Height/4, visible.Width/4)) {
			continue // at the edge, or beyond, of what clips leave of it
		}
		if !e.Is(Interactive) && !s.inkAt(i, hit) {
			continue // nothing of it is there to be covered
		}
		of++
		if hit.At == None || s.Within(hit.At, i) || s.Within(i, hit.At) {
			continue
		}
		at := s.coverAt(i, hit)
		var found *cover
		for _, known := range list {
			if known.at == at {
				found = known
			}
		}
		if found == nil {
			found = &cover{at: at, hit: hit.At}
			list = append(list, found)
		}
		found.points++
		found.centre = found.centre || k == 0
		found.paints = found.paints || s.paintsAt(hit, at)
	}
	var worst *cover
	for _, k := range list {
		k.of = of
		if worst == nil || k.centre && !worst.centre || k.centre == worst.centre && k.points > worst.points {
			worst = k
		}
	}
	if worst == nil || !s.matters(i, worst, visible) {
		return nil
	}
	worst.purpose = s.coverPurpose(i, worst)
	return worst
}

// matters tells a cover from an ornament.
func (s *Snapshot) matters(i int, k *cover, visible Rect) bool {
	e, by := s.Of(i), s.Of(k.hit)
	interactive := e.Is(Interactive)
	if !interactive && !k.paints {
		return false // nothing is taken from what cannot be clicked
	}
	if s.Target != i && e.Image != nil && !interactive && s.ordinalOf(i, s.common(i, k.hit)) <= 2 {
		return false // a caption or a button on a picture
	}
	share := float64(k.points) / float64(max(k.of, 1))
	if s.Target != i { // one point is all that is known
		return k.centre
	}
	area := visible.Intersect(s.Of(k.at).Rect()).Area() / max(visible.Area(), 1)
	if s.Of(k.at).Rect().Area() == 0 {
		area = share
	}
	if by.Is(Interactive) && area < mostShare && share < mostShare {
		return false // a control of its own upon it
	}
	return k.centre || share >= partShare && area >= partArea
}

// coverAt climbs from what was hit to the outermost element that is there for itself: it
// paints the point or is placed over it.
func (s *Snapshot) coverAt(i int, hit Hit) int {
	found := hit.At
	for at := s.Of(hit.At).Parent; at >= 0 && !s.Within(i, at); at = s.Of(at).Parent {
		if s.Of(at).Box == nil || !s.Of(at).Rect().Contains(Rect{hit.X, hit.Y, 0, 0}, 0.5) {
			continue
		}
		if s.hasPaint(at) || s.Style(at, "position") != "static" {
			found = at
		}
	}
	return found
}

// paintsAt reports whether anything of a cover is seen at the point.
func (s *Snapshot) paintsAt(hit Hit, outermost int) bool {
	if opacity, _ := s.Opacity(hit.At); opacity <= faint {
		return false
	}
	point := Rect{hit.X, hit.Y, 0, 0}
	for at := hit.At; at >= 0; at = s.Of(at).Parent {
		e := s.Of(at)
		if s.Style(at, "visibility") == "visible" && (s.hasPaint(at) && e.Rect().Contains(point, 0.5) || s.textAt(at, point)) {
			return true
		}
		if at == outermost {
			break
		}
	}
	return false
}

// inkAt reports whether an element, or what is in it, has something to be seen at the point.
func (s *Snapshot) inkAt(i int, hit Hit) bool {
	point := Rect{hit.X, hit.Y, 0, 0}
	for at := i; at < len(s.Elements) && (at == i || s.Of(at).Parent >= i); at++ {
		e := s.Of(at)
		if e.Box != nil && s.hasPaint(at) && e.Rect().Contains(point, 0.5) || s.textAt(at, point) {
			return true
		}
	}
	return false
}

// textAt reports own text of an element at a point, that nothing cuts off there.
func (s *Snapshot) textAt(i int, point Rect) bool {
	e := s.Of(i)
	if e.Text == nil || !rectOf(e.Text.Box).Contains(point, 0.5) {
		return false
	}
	return s.clipped(i, rectOf(e.Text.Box)).Contains(point, 0.5)
}

var pictures = map[string]bool{"img": true, "video": true, "canvas": true, "svg": true, "iframe": true, "embed": true, "object": true}

// hasPaint reports a box that something is drawn in.
func (s *Snapshot) hasPaint(i int) bool {
	e := s.Of(i)
	if pictures[e.Tag] || s.Style(i, "background-image") != "none" {
		return true
	}
	text, ok := e.Styles["background-color"]
	if !ok {
		return false
	}
	back, ok := parseColour(text)
	return ok && back.a > faint
}

// coverPurpose is why a cover is meant to be there; empty when nothing says so.
func (s *Snapshot) coverPurpose(i int, k *cover) string {
	by := s.Of(k.hit)
	if opacity, _ := s.Opacity(k.hit); opacity <= faint {
		if by.Tag == "input" || by.Tag == "select" {
			return "the control that it is the drawing of lies invisibly over it and takes its clicks"
		}
		return "" // nobody sees it, and it takes the clicks
	}
	if !k.paints {
		return s.behindDialog(i, k)
	}
	if pictures[s.Of(i).Tag] && s.drawnOn(i, k) {
		return "drawn over the picture as a part of it"
	}
	for at := k.hit; at >= 0 && !s.Within(i, at); at = s.Of(at).Parent {
		if purpose := s.popup(at); purpose != "" {
			return purpose
		}
	}
	if s.fillsViewport(k.at) {
		for _, at := range s.popups() {
			if !s.Within(i, at) {
				return "the backdrop of an open dialog is in front of it"
			}
		}
		return ""
	}
	if s.loading(i, k) {
		return "it is covered while something is loaded"
	}
	if s.scrollFrees(i, k) {
		return "scrolling brings it out from under " + s.Label(k.at)
	}
	return ""
}

// drawnOn reports a cover that stands with a picture in one box, and lets some of it be seen.
func (s *Snapshot) drawnOn(i int, k *cover) bool {
	if s.ordinalOf(i, s.common(i, k.hit)) > 2 {
		return false
	}
	back, _ := parseColour(s.Style(k.at, "background-color"))
	opacity, _ := s.Opacity(k.at)
	whole := s.Of(k.at).Rect().Contains(s.Of(i).Rect(), 1)
	return !whole || !pictures[s.Of(k.at).Tag] && back.a*opacity < 1
}

// scrollFrees reports an element that is under a bar which stays, and comes out when the page is scrolled.
func (s *Snapshot) scrollFrees(i int, k *cover) bool {
	bar := s.placedOnSide(k.hit, i, "fixed", "sticky")
	if bar == None || s.stays(i, k.hit) {
		return false
	}
	if s.scrolledIn(i, "overflow-y") {
		return true
	}
	v, r, b := s.Viewport, s.Of(i).Rect(), s.Of(bar).Rect()
	if s.Style(bar, "position") == "sticky" {
		return v.ScrollY > 0
	}
	if b.Height >= v.Height*0.8 && b.Width < v.Width/2 { // at a side: the page scrolls past it
		left, right := v.ContentWidth-v.Width-v.ScrollX, v.ScrollX
		if s.scrollsFromRight() {
			left, right = -v.ScrollX, v.ContentWidth-v.Width+v.ScrollX
		}
		return right >= b.Right()-r.X && b.Right()+1 <= v.Width || left >= r.Right()-b.X && b.X > 0
	}
	up := b.Bottom() - r.Y // the way that the content has to go
	down := r.Bottom() - b.Y
	return v.ScrollY >= up && b.Bottom()+min(r.Height, 1) <= v.Height || v.ContentHeight-v.Height-v.ScrollY >= down && b.Y > 0
}

// stays reports an element that is held in its place, on its side of what it shares with
// another, while the page is scrolled down: a column that sticks to the left is not.
func (s *Snapshot) stays(i, other int) bool {
	for at := i; at >= 0 && !s.Within(other, at); at = s.Of(at).Parent {
		switch s.Style(at, "position") {
		case "fixed":
			return true
		case "sticky":
			if s.insetGiven(at, "top") || s.insetGiven(at, "bottom") || s.Viewport.WritingMode != "" {
				return true
			}
		}
	}
	return false
}

// placedOnSide is the outermost element from i up to what it shares with other that has one of the positions.
func (s *Snapshot) placedOnSide(i, other int, positions ...string) int {
	found := None
	for at := i; at >= 0 && !s.Within(other, at); at = s.Of(at).Parent {
		if hasWord(s.Style(at, "position"), positions...) {
			found = at
		}
	}
	return found
}

func covered(c *Case) []Finding {
	k := c.covering(c.At)
	if k == nil {
		return nil
	}
	if k.purpose == "" && (c.trapOf(c.At, k) != nil || c.staticLevel(c.At, k)) {
		return nil // told as that
	}
	e := c.Element()
	share := float64(k.points) / float64(k.of)
	severity := Medium
	if k.centre || e.Is(Interactive) && share > mostShare {
		severity = High
	}
	f := Finding{
		Type: "covered-by-element", Severity: severity, Element: c.At,
		Message:  fmt.Sprintf("%s is covered by %s at %d of %d points%s.", c.Label(c.At), c.Label(k.at), k.points, k.of, c.takenBy(k)),
		Evidence: k.evidence(),
		Cause:    c.coverCause(c.At, k),
	}
	if k.purpose != "" {
		f.Severity, f.Purpose = Info, k.purpose
		return []Finding{f}
	}
	f.Fix = c.coverFix(c.At, k, f.Cause)
	return []Finding{f}
}

func (c *Case) takenBy(k *cover) string {
	switch {
	case !c.Element().Is(Interactive):
		return ""
	case !k.paints:
		return ", which cannot be seen and takes its clicks"
	}
	return ", which takes its clicks"
}

func (k *cover) evidence() map[string]any {
	return map[string]any{"cover": Node(k.at), "points": k.points, "of": k.of, "centre": k.centre, "seen": k.paints}
}

// coverCause is what puts the cover there.
func (s *Snapshot) coverCause(i int, k *cover) Cause {
	own, its := s.contestants(i, k.hit)
	if its != None && s.Level(its) > 0 && (own == None || s.Level(its) > s.Level(own)) {
		return s.declared(its, "z-index")
	}
	if own != None && s.Level(own) < 0 {
		return s.declared(own, "z-index")
	}
	if at := s.placedOnSide(k.hit, i, "absolute", "fixed", "sticky"); at != None {
		return s.declared(at, "position")
	}
	for _, side := range [][2]int{{k.hit, i}, {i, k.hit}} {
		for at := side[0]; at >= 0 && !s.Within(side[1], at); at = s.Of(at).Parent {
			if property := s.displacedBy(at); property != "" {
				return s.declared(at, property)
			}
		}
	}
	if at := s.placedOnSide(k.hit, i, "relative"); at != None {
		return s.declared(at, "position")
	}
	if at := s.placedOnSide(i, k.hit, "absolute", "fixed", "sticky", "relative"); at != None {
		return s.declared(at, "position")
	}
	if s.ItemOf(k.at) == "grid" && s.Style(k.at, "grid-row-start") != "auto" {
		return s.declared(k.at, "grid-row-start")
	}
	return s.declared(k.at, "position")
}

// displacedBy is the property that takes a box away from where the flow puts it.
func (s *Snapshot) displacedBy(i int) string {
	for _, property := range []string{"margin-top", "margin-bottom", "margin-left", "margin-right"} {
		if v := s.Px(i, property); v < 0 {
			return property
		}
	}
	if s.Style(i, "position") == "relative" {
		for _, property := range []string{"top", "left", "bottom", "right"} {
			if v := s.Px(i, property); !math.IsNaN(v) && v != 0 {
				return property
			}
		}
	}
	for _, property := range []string{"transform", "translate"} {
		if s.Style(i, property) != "none" {
			return property
		}
	}
	return ""
}

// coverFix finds the one declaration after which the element is above its cover. What
// levels do is tried on the snapshot first.
func (s *Snapshot) coverFix(i int, k *cover, cause Cause) *Fix {
	own, its := s.contestants(i, k.hit)
	if !k.paints && !s.Of(k.hit).Is(Interactive) {
		return &Fix{Element: k.at, Property: "pointer-events", Value: "none"}
	}
	if s.fillsViewport(k.at) {
		return &Fix{Element: k.at, Property: "display", Value: "none"}
	}
	if fix := s.roomForBar(i, k); fix != nil {
		return fix
	}
	if hasWord(cause.Property, "margin-top", "margin-bottom", "margin-left", "margin-right") {
		return &Fix{Element: cause.Element, Property: cause.Property, Value: "0px"}
	}
	above := func() bool { return s.paintedAbove(i, k.hit) }
	if above() {
		return nil // the model does not tell why
	}
	level := 0
	if its != None {
		level = max(0, s.Level(its))
	}
	if own != None && s.Level(own) < 0 {
		for _, value := range []string{"auto", "0"} {
			if s.trying(own, "z-index", value, above) {
				return &Fix{Element: own, Property: "z-index", Value: value}
			}
		}
	}
	raised := strconv.Itoa(level + 1)
	for at := i; at >= 0 && !s.Within(k.hit, at); at = s.Of(at).Parent {
		if s.takesLevel(at) && s.trying(at, "z-index", raised, above) {
			return &Fix{Element: at, Property: "z-index", Value: raised}
		}
	}
	for at := i; at >= 0 && !s.Within(k.hit, at); at = s.Of(at).Parent {
		if s.Style(at, "position") == "static" && s.trying(at, "position", "relative", above) {
			return &Fix{Element: at, Property: "position", Value: "relative"}
		}
	}
	if its != None && s.takesLevel(its) {
		for _, value := range []string{"auto", "0", "-1"} {
			if s.trying(its, "z-index", value, above) {
				return &Fix{Element: its, Property: "z-index", Value: value}
			}
		}
	}
	return nil
}

// takesLevel reports whether z-index has an effect on the element.
func (s *Snapshot) takesLevel(i int) bool {
	return s.Style(i, "position") != "static" || s.ItemOf(i) != ""
}

// roomForBar is the padding that a page lacks under a fixed bar at its top or bottom.
func (s *Snapshot) roomForBar(i int, k *cover) *Fix {
	bar := s.placedOnSide(k.hit, i, "fixed")
	if bar == None || s.placedOnSide(i, k.hit, "fixed", "absolute", "sticky") != None {
		return nil
	}
	body := None
	for _, at := range s.Children(0) {
		if s.Of(at).Tag == "body" {
			body = at
		}
	}
	r, b, v := s.Of(i).Rect(), s.Of(bar).Rect(), s.Viewport
	property, lacks := "", 0.0
	switch {
	case b.Y <= 1 && b.Height < v.Height/2:
		property, lacks = "padding-top", b.Bottom()-r.Y
	case b.Bottom() >= v.Height-1 && b.Height < v.Height/2:
		property, lacks = "padding-bottom", b.Height
	}
	if body == None || property == "" || lacks <= 0 {
		return nil
	}
	if had := s.Px(body, property); had > 0 {
		lacks += had
	}
	return &Fix{Element: body, Property: property, Value: strconv.Itoa(int(math.Ceil(lacks))) + "px"}
}
