package layout

import (
	"fmt"
	"math"
	"strings"
)

var flexRules = []Rule{
	{
		Types: []Type{{"flex-item-shrunk", Medium, "was shrunk below the size that it asks for, so that what is in it does not fit"}},
		When:  Rendered, Find: flexItemShrunk,
	},
	{
		Types: []Type{
			{"flex-no-wrap", Medium, "its items do not fit in one line, and may not wrap"},
			{"flex-min-content", Medium, "does not shrink below its content, and pushes out of the flex container"},
		},
		When: Shown, Find: flexTooWide,
	},
	{
		Types: []Type{{"grid-overflow", Medium, "its tracks are wider than it is"}},
		When:  Shown, Find: gridTooWide,
	},
	{
		Types: []Type{{"grid-auto-placement", Medium, "stands in a track that the grid does not declare"}},
		When:  Rendered, Find: gridMisplaced,
	},
	{
		Types: []Type{{"grid-items-overlap", Medium, "lies on another item of its grid"}},
		When:  Shown, Find: gridOverlap,
	},
}

// axis names what is measured along the main axis of a flex container.
type axis struct {
	row            bool
	size, min, dir string
}

func (s *Snapshot) axisOf(container int) axis {
	row := !strings.HasPrefix(s.Style(container, "flex-direction"), "column")
	if mode := s.Style(container, "writing-mode"); strings.HasPrefix(mode, "vertical") || strings.HasPrefix(mode, "sideways") {
		row = !row
	}
	if row {
		return axis{true, "width", "min-width", "overflow-x"}
	}
	return axis{false, "height", "min-height", "overflow-y"}
}

func (a axis) of(r Rect) (start, size float64) {
	if a.row {
		return r.X, r.Width
	}
	return r.Y, r.Height
}

func (s *Snapshot) isFlex(i int) bool {
	display := s.Style(i, "display")
	return display == "flex" || display == "inline-flex"
}

// flexItems are the items that take part in the line, as far as they were measured.
func (s *Snapshot) flexItems(container int) []int {
	return s.flowChildren(container)
}

// flexFault is why the items of a container are more than it holds.
type flexFault struct {
	kind   string
	item   int // that carries it; None when it is the container
	over   float64
	size   float64 // of the container
	row    bool
	reason reason
}

func (f *flexFault) at(container int) int {
	if f.item != None {
		return f.item
	}
	return container
}

// flexOverflow examines the one line of a container that does not wrap; nil when it fits,
// or when what does not fit is there to be scrolled or slid.
// CSS Flexible Box Layout 1, sections 4.5 (automatic minimum size) and 9.7.
func (s *Snapshot) flexOverflow(container int) *flexFault {
	if !s.isFlex(container) || s.Style(container, "flex-wrap") != "nowrap" {
		return nil
	}
	if fault, ok := s.flexes[container]; ok {
		return fault
	}
	if s.flexes == nil {
		s.flexes = make(map[int]*flexFault)
	}
	fault := s.examineLine(container)
	s.flexes[container] = fault
	return fault
}

func (s *Snapshot) examineLine(container int) *flexFault {
	ax := s.axisOf(container)
	if overflow := s.Style(container, ax.dir); overflow == "auto" || overflow == "scroll" {
		return nil
	}
	items := s.flexItems(container)
	boxStart, boxSize := ax.of(s.PaddingBox(container))
	over, sum, largest, out := 0.0, 0.0, None, None
	for _, item := range items {
		start, size := ax.of(s.Of(item).Rect())
		sum += size
		if largest == None || size > s.mainSize(largest, ax) {
			largest = item
		}
		if s.moved(item) {
			return nil // a track that is slid, items that are placed
		}
		if o := max(start+size-boxStart-boxSize, boxStart-start); o > over {
			over, out = o, item
		}
	}
	if over <= 1 || boxSize <= 0 || out == None || s.slides(container, items, ax) {
		return nil
	}
	fault := &flexFault{kind: "flex-no-wrap", item: None, over: over, size: boxSize, row: ax.row}
	if item := s.flexHolder(items, ax, sum, over, boxSize); item != None {
		_, size := ax.of(s.Of(item).Rect())
		fault.kind, fault.item = "flex-min-content", item
		fault.reason = reason{
			Cause{Element: item, Property: ax.min, Value: "auto"}, styleFix(item, ax.min, "0"),
			fmt.Sprintf("%s: auto keeps %s at the %s of its content, %s", ax.min, s.Label(item), ax.size, pxText(size)),
		}
		return fault
	}
	if !ax.row {
		return nil // content that is taller than its box: overflowing-content
	}
	if size := s.mainSize(largest, ax); size > boxSize {
		// A line of its own would not hold it either.
		if s.Num(largest, "flex-shrink", 1) == 0 {
			fault.item = largest
			fault.reason = reason{s.declared(largest, "flex-shrink"), styleFix(largest, "flex-shrink", "1"),
				fmt.Sprintf("flex-shrink: 0 keeps %s at %s", s.Label(largest), pxText(size))}
			return fault
		}
		if least := s.Px(largest, ax.min); least > 0 {
			fault.item = largest
			fault.reason = reason{s.declared(largest, ax.min), styleFix(largest, ax.min, "0"),
				fmt.Sprintf("%s: %s keeps %s at %s", ax.min, s.Style(largest, ax.min), s.Label(largest), pxText(size))}
			return fault
		}
	}
	fault.reason = reason{
		Cause{Element: container, Property: "flex-wrap", Value: "nowrap"}, styleFix(container, "flex-wrap", "wrap"),
		fmt.Sprintf("flex-wrap: nowrap keeps its %d items in one line, which cannot shrink further", len(items)),
	}
	return fault
}

func (s *Snapshot) mainSize(i int, ax axis) float64 {
	_, size := ax.of(s.Of(i).Rect())
	return size
}

// slides reports the track of a carousel: what does not fit is cut by something on purpose,
// and the items are of one size and do not shrink.
func (s *Snapshot) slides(container int, items []int, ax axis) bool {
	cut := false
	for at := container; at > 0 && !cut; at = s.boxParent(at) {
		overflow := s.Style(at, ax.dir)
		cut = overflow == "hidden" || overflow == "clip" || overflow == "auto" || overflow == "scroll"
	}
	if !cut || len(items) < 2 {
		return false
	}
	first := s.mainSize(items[0], ax)
	for _, item := range items {
		if s.Num(item, "flex-shrink", 1) != 0 && s.Px(item, ax.min) != first || math.Abs(s.mainSize(item, ax)-first) > 1 {
			return false
		}
	}
	return true
}

// flexHolder is the item whose automatic minimum size alone is why the line is too long;
// None when it is not one item's.
func (s *Snapshot) flexHolder(items []int, ax axis, sum, over, room float64) int {
	holder := None
	for _, item := range items {
		size := s.mainSize(item, ax)
		if s.Num(item, "flex-shrink", 1) == 0 || s.Style(item, ax.min) != "auto" || s.Style(item, ax.dir) != "visible" || size <= over {
			continue
		}
		if holder == None || size > s.mainSize(holder, ax) {
			holder = item
		}
	}
	if holder == None {
		return None
	}
	size := s.mainSize(holder, ax)
	if !ax.row {
		// Only what scrolls within can take less.
		if !s.scrollsWithin(holder) {
			return None
		}
		return holder
	}
	if size < 0.4*sum && size < 0.5*room {
		return None
	}
	return holder
}

// scrollsWithin reports a descendant that would scroll if it had less room.
func (s *Snapshot) scrollsWithin(i int) bool {
	for _, child := range s.boxChildren(i) {
		overflow := s.Style(child, "overflow-y")
		if overflow == "auto" || overflow == "scroll" || s.scrollsWithin(child) {
			return true
		}
	}
	return false
}

// littleOut is how far items may reach out of a container that nobody asked about, px.
const littleOut = 4

// flexTooWide speaks of the container or of the item that carries the fault; asked, of
// each that stands out too.
func flexTooWide(c *Case) []Finding {
	var out []Finding
	tell := func(container int) {
		fault := c.flexOverflow(container)
		if fault == nil || c.toldWide(fault.reason.Cause) || fault.over < littleOut && !c.asked() {
			return
		}
		if c.asked() {
			if c.At != container && c.At != fault.item && !c.outOf(c.At, container, fault.row) {
				return
			}
		} else if c.At != fault.at(container) || c.squeezes(container) {
			return
		}
		word := "wide"
		if !fault.row {
			word = "high"
		}
		out = append(out, Finding{
			Type: fault.kind, Severity: Medium, Element: c.At,
			Message: fmt.Sprintf("The items of %s reach %s out of it, which is %s %s: %s.",
				c.Label(container), pxText(fault.over), pxText(fault.size), word, fault.reason.Why),
			Evidence: map[string]any{"px": round(fault.over), "container": Node(container), "size": round(fault.size)},
			Cause:    fault.reason.Cause, Fix: fault.reason.Fix,
		})
	}
	if c.ItemOf(c.At) == "flex" {
		tell(c.boxParent(c.At))
	}
	if len(out) == 0 && c.isFlex(c.At) {
		tell(c.At)
	}
	return out
}

// outOf reports an item that stands out of its container along one axis.
func (s *Snapshot) outOf(i, container int, row bool) bool {
	r, box := s.Of(i).Rect(), s.PaddingBox(container)
	if row {
		return r.Right() > box.Right()+1 || r.X < box.X-1
	}
	return r.Bottom() > box.Bottom()+1 || r.Y < box.Y-1
}

// flexBase is the size that an item asks for along the main axis, with padding and border;
// NaN when its content decides.
func (s *Snapshot) flexBase(item int, ax axis) float64 {
	basis := s.Style(item, "flex-basis")
	if basis == "auto" {
		basis = s.Typed(item, ax.size)
	}
	base := px(basis)
	if share := percent(basis); !math.IsNaN(share) {
		width, height := s.innerSize(s.boxParent(item))
		room := width
		if !ax.row {
			room = height
		}
		base = share / 100 * room
	}
	if s.Style(item, "box-sizing") != "border-box" {
		x, y := s.frame(item)
		if ax.row {
			base += x
		} else {
			base += y
		}
	}
	return base
}

// flexItemShrunk speaks of items that became smaller than they ask for, to the cost of
// what is in them. That an item shrinks is what flex boxes are for.
func flexItemShrunk(c *Case) []Finding {
	if c.ItemOf(c.At) != "flex" || c.Num(c.At, "flex-shrink", 1) == 0 {
		return nil
	}
	container := c.boxParent(c.At)
	ax := c.axisOf(container)
	width, height := c.layoutSize(c.At)
	size, other := width, "height"
	if !ax.row {
		size, other = height, "width"
	}
	base := c.flexBase(c.At, ax)
	if math.IsNaN(base) || base-size <= max(1, 0.05*base) || px(c.Typed(c.At, "max-"+ax.size)) <= size+0.5 {
		return nil
	}
	e := c.Element()
	lost := ""
	switch sc := e.Scroll; {
	case sc != nil && ax.row && sc[0]-sc[2] > 1 && !scrolls(c.Style(c.At, "overflow-x")) && (e.Text == nil || c.Style(c.At, "text-overflow") == "clip"):
		lost = fmt.Sprintf("its content needs %s more", pxText(sc[0]-sc[2]))
	case sc != nil && !ax.row && sc[1]-sc[3] > 4 && !scrolls(c.Style(c.At, "overflow-y")):
		lost = fmt.Sprintf("its content needs %s more", pxText(sc[1]-sc[3]))
	case c.picture(c.At) && px(c.Typed(c.At, other)) > 0 && (px(c.Style(c.At, "flex-basis")) > 0 || px(c.Typed(c.At, ax.size)) > 0):
		lost = "it is meant to be of one shape"
	default:
		return nil
	}
	cause := c.declared(c.At, "flex-shrink")
	finding := Finding{
		Type: "flex-item-shrunk", Severity: Medium, Element: c.At,
		Message:  fmt.Sprintf("%s was shrunk from %s to %s along its flex container, and %s.", c.Label(c.At), pxText(base), pxText(size), lost),
		Evidence: map[string]any{"wanted": round(base), "size": round(size), "container": Node(container)},
		Cause:    Cause{Element: c.At, Property: "flex-shrink", Value: cause.Value}, Fix: styleFix(c.At, "flex-shrink", "0"),
	}
	if greedy := c.greedy(container, ax); greedy != None {
		finding.Evidence["room"] = Node(greedy)
		finding.Message = strings.TrimSuffix(finding.Message, ".") + fmt.Sprintf("; %s does not shrink and takes %s.", c.Label(greedy), pxText(c.mainSize(greedy, ax)))
		finding.Cause = c.declared(greedy, "flex-shrink")
		if rest := c.mainSize(greedy, ax) - (base - size) - c.lineOver(container, ax); rest > 0 {
			finding.Fix = styleFix(greedy, "flex-basis", pxNumber(math.Floor(rest))+"px")
		}
	}
	return []Finding{finding}
}

// greedy is the other item that does not shrink and leaves the rest too little.
func (s *Snapshot) greedy(container int, ax axis) int {
	_, room := ax.of(s.PaddingBox(container))
	for _, item := range s.flexItems(container) {
		if s.Num(item, "flex-shrink", 1) == 0 && s.mainSize(item, ax) > 0.6*room {
			return item
		}
	}
	return None
}

// squeezes reports a line in which one item leaves another too little: that is told of.
func (s *Snapshot) squeezes(container int) bool {
	ax := s.axisOf(container)
	if s.greedy(container, ax) == None {
		return false
	}
	for _, item := range s.flexItems(container) {
		if len(flexItemShrunk(&Case{Snapshot: s, At: item})) > 0 {
			return true
		}
	}
	return false
}

// lineOver is how far the items of a container reach out of the room for them.
func (s *Snapshot) lineOver(container int, ax axis) float64 {
	start, size := ax.of(s.innerBox(container))
	over := 0.0
	for _, item := range s.flexItems(container) {
		at, own := ax.of(s.Of(item).Rect())
		over = max(over, at+own-start-size, start-at)
	}
	return math.Ceil(over)
}

func scrolls(overflow string) bool { return overflow == "auto" || overflow == "scroll" }

// picture reports an element whose shape is what it is for: an icon, an avatar, a dot.
func (s *Snapshot) picture(i int) bool {
	e := s.Of(i)
	if naturalSize[e.Tag] {
		return true
	}
	return e.Text == nil && len(s.Children(i)) == 0 && s.standsOut(i) && !e.Is(Interactive)
}
