package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// None is no element.
const None = -1

// Snapshot is one document at one moment. All lengths are CSS px in the document's
// own viewport, after transforms, unless it says otherwise.
type Snapshot struct {
	URL      string            `json:"url"`
	Viewport Viewport          `json:"viewport"`
	Initial  map[string]string `json:"initial"` // values of properties that an element does not state
	// Elements are the flat tree in its order, parents before their children: the root
	// element first. Of a single target only its surroundings are there: ancestors, their
	// children up to a limit, descendants, and what covers it.
	Elements []Element `json:"elements"`
	Target   int       `json:"target"`  // None for the whole page
	Partial  bool      `json:"partial"` // elements were left out at the limit
	// Fonts that were asked for and are not there: family names as the page writes them.
	MissingFonts []string `json:"missingFonts,omitempty"`

	children [][]int
	bands    *bands
	covers   map[int]*cover
	reasons  map[string]map[string]any // of near.go
	inked    *rows                     // of near.go
	open     []int                     // popups; nil when not looked for
	content  []bool                    // of zero.go
	wide     *[]wideElement            // of page.go
	flexes   map[int]*flexFault        // of flex.go, by container
}

// Viewport is the part of the page that is seen.
type Viewport struct {
	Width         float64 `json:"width"` // without scroll bars
	Height        float64 `json:"height"`
	ScrollX       float64 `json:"scrollX"` // negative in a right-to-left page that is scrolled
	ScrollY       float64 `json:"scrollY"`
	ContentWidth  float64 `json:"contentWidth"` // what scrolling can reach
	ContentHeight float64 `json:"contentHeight"`
	Scale         float64 `json:"scale"` // pinch zoom
	PixelRatio    float64 `json:"pixelRatio"`
	ScrollBar     float64 `json:"scrollBar,omitempty"` // width of a vertical one that takes room
	RTL           bool    `json:"rtl,omitempty"`
	WritingMode   string  `json:"writingMode,omitempty"` // of the root, where not horizontal-tb
	Print         bool    `json:"print,omitempty"`
	Dark          bool    `json:"dark,omitempty"` // the canvas is dark where nothing is painted (color-scheme)
}

// Rect is a box.
type Rect struct{ X, Y, Width, Height float64 }

// Element is one element as it was measured.
type Element struct {
	Parent int        `json:"p"`
	Tag    string     `json:"t"`
	Label  string     `json:"n,omitempty"` // tag#id.class, for people
	Box    *[4]number `json:"b,omitempty"` // border box x, y, width, height; nil when it has none
	// Size is the layout size (offsetWidth, offsetHeight) where transforms make the box another.
	Size *[2]number `json:"o,omitempty"`
	// Styles are the computed values that are not initial. What is read of which element
	// depends on what it is (a flex item's flex-shrink, a positioned element's top).
	Styles map[string]string `json:"s,omitempty"`
	// Typed are computed values before layout resolved them (Typed OM): "50%", "auto".
	Typed map[string]string `json:"c,omitempty"`
	Attrs map[string]string `json:"a,omitempty"`
	// Scroll is scrollWidth, scrollHeight, clientWidth, clientHeight, scrollLeft, scrollTop
	// where the content is larger than the box.
	Scroll *[6]number  `json:"sc,omitempty"`
	Role   string      `json:"r,omitempty"`  // of interactive elements, dialogs, landmarks
	Name   string      `json:"an,omitempty"` // accessible name, of the same
	Text   *OwnText    `json:"x,omitempty"`  // text directly in it
	Image  *Image      `json:"i,omitempty"`
	Glyph  string      `json:"g,omitempty"`  // font of an icon before its content; read where fonts are missing
	Moves  []Animation `json:"mv,omitempty"` // that run on it now
	Hits   []Hit       `json:"h,omitempty"`  // what takes the pointer at points of its visible part
	Focus  *FocusMark  `json:"fm,omitempty"`
	Flags  string      `json:"f,omitempty"` // of the letters below
	Media  string      `json:"m,omitempty"` // the active media query whose rule hides it
	// ShownBy is the selector of a rule that shows it while the pointer or the focus is somewhere.
	ShownBy string   `json:"sb,omitempty"`
	Slots   []string `json:"sl,omitempty"` // names of the slots of a host with a child that no slot shows
	// TabIndex of what the Tab key reaches, in the order of the flat tree.
	TabIndex *int `json:"ti,omitempty"`
}

type number = float64

// The flags.
const (
	Interactive = 'i' // can be operated: a link, a button, a field, …
	Focusable   = 'f' // takes the focus
	TopLayer    = 't' // a modal dialog, an open popover, a fullscreen element
	Slotless    = 'n' // a host's child that no slot shows: not rendered
	Shadow      = 's' // directly in a shadow root
	Controlled  = 'c' // a control with aria-expanded="false" names it: it is closed now
	Opened      = 'o' // a control with aria-expanded="true" names it
	Disabled    = 'd'
	Animated    = 'a' // an ancestor or itself is in an animation or transition
	InText      = 'l' // an inline element within a sentence
	Decorated   = 'b' // a rule gives its ::before or ::after a background
)

// OwnText is the text that is directly in an element.
type OwnText struct {
	Text  string    `json:"t"` // its beginning
	Box   [4]number `json:"b"` // around its lines
	Lines int       `json:"l"`
}

// Image is what is known of an img, video, canvas or background picture.
type Image struct {
	Source        string  `json:"src"`
	NaturalWidth  float64 `json:"w"`
	NaturalHeight float64 `json:"h"`
	Complete      bool    `json:"done"`
	Failed        bool    `json:"bad"`
	Lazy          bool    `json:"lazy,omitempty"`
}

// Animation is a CSS animation, a transition or one made by script.
type Animation struct {
	Name       string            `json:"n"` // of the animation, or the property of the transition
	Kind       string            `json:"k"` // animation, transition, script
	Now        map[string]string `json:"s"` // value of each property it changes
	Properties map[string]string `json:"e"` // and at the end
	RemainMs   float64           `json:"r"` // until its end; -1 when it never ends
	Paused     bool              `json:"p,omitempty"`
}

// Hit is what the pointer meets at a point.
type Hit struct {
	X, Y float64
	At   int // index of the topmost element, None outside of everything
}

// UnmarshalJSON reads [x, y, at].
func (h *Hit) UnmarshalJSON(data []byte) error {
	parts := strings.Split(strings.Trim(string(data), "[]"), ",")
	if len(parts) != 3 {
		return strconv.ErrSyntax
	}
	var values [3]float64
	for i, part := range parts {
		value, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return err
		}
		values[i] = value
	}
	h.X, h.Y, h.At = values[0], values[1], int(values[2])
	return nil
}

// FocusMark is what the page's style sheets say about the focus of an element.
type FocusMark struct {
	Suppressed string `json:"off,omitempty"` // selector of the rule that takes the outline away
	Replaced   string `json:"by,omitempty"`  // selector of a rule that marks the focus otherwise
}

// Check reports what is wrong with a snapshot: it comes from a page.
func (s *Snapshot) Check() error {
	if len(s.Elements) == 0 || s.Target < None || s.Target >= len(s.Elements) {
		return fmt.Errorf("target %d of %d elements", s.Target, len(s.Elements))
	}
	for i := range s.Elements {
		e := &s.Elements[i]
		if e.Parent >= i || e.Parent < None || e.Parent == None && i != 0 {
			return fmt.Errorf("element %d has the parent %d", i, e.Parent)
		}
		for _, hit := range e.Hits {
			if hit.At < None || hit.At >= len(s.Elements) {
				return fmt.Errorf("element %d is hit at %d of %d", i, hit.At, len(s.Elements))
			}
		}
	}
	return nil
}

// Is reports a flag.
func (e *Element) Is(flag rune) bool { return strings.ContainsRune(e.Flags, flag) }

// Attr is the value of an attribute that was read, empty when it is not there; see Has.
func (e *Element) Attr(name string) string { return e.Attrs[name] }

// Has reports whether an attribute that is read is there.
func (e *Element) Has(name string) bool { _, ok := e.Attrs[name]; return ok }

// Rect is the border box; all zero when there is none.
func (e *Element) Rect() Rect {
	if e.Box == nil {
		return Rect{}
	}
	return Rect{e.Box[0], e.Box[1], e.Box[2], e.Box[3]}
}

// Right is the right edge.
func (r Rect) Right() float64 { return r.X + r.Width }

// Bottom is the lower edge.
func (r Rect) Bottom() float64 { return r.Y + r.Height }

// Area in square px.
func (r Rect) Area() float64 { return r.Width * r.Height }

// Empty reports a box with nothing in it.
func (r Rect) Empty() bool { return r.Width <= 0 || r.Height <= 0 }

// Intersect is the common part, empty where there is none.
func (r Rect) Intersect(o Rect) Rect {
	x, y := max(r.X, o.X), max(r.Y, o.Y)
	return Rect{x, y, max(0, min(r.Right(), o.Right())-x), max(0, min(r.Bottom(), o.Bottom())-y)}
}

// Union is the smallest box around both.
func (r Rect) Union(o Rect) Rect {
	if r.Empty() {
		return o
	}
	if o.Empty() {
		return r
	}
	x, y := min(r.X, o.X), min(r.Y, o.Y)
	return Rect{x, y, max(r.Right(), o.Right()) - x, max(r.Bottom(), o.Bottom()) - y}
}

// Contains reports whether o lies within, with a tolerance in px.
func (r Rect) Contains(o Rect, tolerance float64) bool {
	return o.X >= r.X-tolerance && o.Y >= r.Y-tolerance && o.Right() <= r.Right()+tolerance && o.Bottom() <= r.Bottom()+tolerance
}

// Of gives an element; i must not be None.
func (s *Snapshot) Of(i int) *Element { return &s.Elements[i] }

// Style is a computed value: what was read, or the initial value.
func (s *Snapshot) Style(i int, property string) string {
	if value, ok := s.Elements[i].Styles[property]; ok {
		return value
	}
	return s.Initial[property]
}

// Px is a computed length in px; NaN where the value is none ("auto", "50%").
func (s *Snapshot) Px(i int, property string) float64 { return px(s.Style(i, property)) }

// Num is a computed number; def where it is none.
func (s *Snapshot) Num(i int, property string, def float64) float64 {
	value, err := strconv.ParseFloat(s.Style(i, property), 64)
	if err != nil {
		return def
	}
	return value
}

// Typed is a value before layout ("50%", "auto"); empty when it was not read.
func (s *Snapshot) Typed(i int, property string) string { return s.Elements[i].Typed[property] }

func px(value string) float64 {
	number, ok := strings.CutSuffix(value, "px")
	if !ok {
		return math.NaN()
	}
	length, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return math.NaN()
	}
	return length
}

// shareOf is a length, or a percentage of whole; 0 where the value is neither.
func shareOf(value string, whole float64) float64 {
	if share, ok := strings.CutSuffix(value, "%"); ok {
		v, _ := strconv.ParseFloat(share, 64) // 0 where it is none
		return v / 100 * whole
	}
	if v := px(value); !math.IsNaN(v) {
		return v
	}
	return 0
}

// Children are the children in the flat tree that were measured.
func (s *Snapshot) Children(i int) []int {
	if s.children == nil {
		s.children = make([][]int, len(s.Elements))
		for at := range s.Elements {
			if p := s.Elements[at].Parent; p >= 0 {
				s.children[p] = append(s.children[p], at)
			}
		}
	}
	return s.children[i]
}

// Ancestors are the parent, its parent and so on up to the root.
func (s *Snapshot) Ancestors(i int) []int {
	var list []int
	for at := s.Elements[i].Parent; at >= 0; at = s.Elements[at].Parent {
		list = append(list, at)
	}
	return list
}

// Within reports whether i is a or in it.
func (s *Snapshot) Within(i, a int) bool {
	for at := i; at >= 0; at = s.Elements[at].Parent {
		if at == a {
			return true
		}
	}
	return false
}

// Label names an element for people: button#save.primary, with its text or name where that is short.
func (s *Snapshot) Label(i int) string {
	if i == None {
		return "nothing"
	}
	if e := &s.Elements[i]; e.Label != "" {
		return e.Label
	}
	return s.Elements[i].Tag
}

// Rendered reports whether the element has a box of its own (display: contents has none).
func (s *Snapshot) Rendered(i int) bool { return s.Elements[i].Box != nil }

// ViewportRect is the viewport as a box.
func (s *Snapshot) ViewportRect() Rect { return Rect{0, 0, s.Viewport.Width, s.Viewport.Height} }
