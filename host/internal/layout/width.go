package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// reason is why an element takes the room it takes.
type reason struct {
	Cause Cause
	Fix   *Fix
	Why   string // ends a sentence: "by width: 1400px"
}

func styleFix(i int, property, value string) *Fix {
	return &Fix{Element: i, Property: property, Value: value}
}

// asked reports that one element was asked about, not the whole page.
func (s *Snapshot) asked() bool { return s.Target != None }

// length is a computed length; 0 where it is none or was not read.
func (s *Snapshot) length(i int, property string) float64 {
	if v := s.Px(i, property); !math.IsNaN(v) {
		return v
	}
	return 0
}

// frame is what borders and padding take sideways, and from top to bottom.
func (s *Snapshot) frame(i int) (x, y float64) {
	for _, name := range []string{"padding-%s", "border-%s-width"} {
		at := func(side string) float64 { return s.length(i, strings.Replace(name, "%s", side, 1)) }
		x += at("left") + at("right")
		y += at("top") + at("bottom")
	}
	return x, y
}

// innerBox is the padding box without the padding, as far as that was read.
func (s *Snapshot) innerBox(i int) Rect {
	r := s.PaddingBox(i)
	kx, ky := s.scaleOf(i)
	left, top := s.length(i, "padding-left")*kx, s.length(i, "padding-top")*ky
	return Rect{
		r.X + left, r.Y + top,
		max(0, r.Width-left-s.length(i, "padding-right")*kx), max(0, r.Height-top-s.length(i, "padding-bottom")*ky),
	}
}

// layoutSize is the border box before transforms.
func (s *Snapshot) layoutSize(i int) (width, height float64) {
	e := s.Of(i)
	if e.Size != nil {
		return e.Size[0], e.Size[1]
	}
	r := e.Rect()
	return r.Width, r.Height
}

// innerSize is the content box before transforms.
func (s *Snapshot) innerSize(i int) (width, height float64) {
	r := s.innerBox(i)
	kx, ky := s.scaleOf(i)
	if kx == 0 || ky == 0 {
		return 0, 0
	}
	return r.Width / kx, r.Height / ky
}

// boxParent is the parent that has a box: display: contents has none.
func (s *Snapshot) boxParent(i int) int {
	p := s.Of(i).Parent
	for p >= 0 && s.Style(p, "display") == "contents" {
		p = s.Of(p).Parent
	}
	return p
}

// boxChildren are the children that have a box, through display: contents.
func (s *Snapshot) boxChildren(i int) []int {
	var list []int
	for _, child := range s.Children(i) {
		switch {
		case s.Style(child, "display") == "contents":
			list = append(list, s.boxChildren(child)...)
		case s.Of(child).Box != nil:
			list = append(list, child)
		}
	}
	return list
}

// inFlow reports an element that takes room beside its siblings.
func (s *Snapshot) inFlow(i int) bool {
	position := s.Style(i, "position")
	return position != "absolute" && position != "fixed"
}

// moved reports an element that was moved from its place, which leaves the others where they are.
func (s *Snapshot) moved(i int) bool {
	for _, property := range []string{"transform", "translate", "rotate", "scale"} {
		if s.Style(i, property) != "none" {
			return true
		}
	}
	return s.Style(i, "position") == "relative" && (s.length(i, "left") != 0 || s.length(i, "right") != 0)
}

// percent is a share such as 100%; NaN where it is none.
func percent(value string) float64 {
	share, ok := strings.CutSuffix(value, "%")
	if !ok {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(share, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// whiteSpace is the shorthand of which the browser computes the parts.
func (s *Snapshot) whiteSpace(i int) string {
	wrap, keep := s.Style(i, "text-wrap-mode") != "nowrap", s.Style(i, "white-space-collapse")
	switch {
	case wrap && keep == "collapse":
		return "normal"
	case wrap && keep == "preserve":
		return "pre-wrap"
	case wrap:
		return "pre-line"
	case keep == "preserve":
		return "pre"
	}
	return "nowrap"
}

// widthOfText is why an element's own text is as wide as it is.
func (s *Snapshot) widthOfText(i int) reason {
	space := s.whiteSpace(i)
	switch space {
	case "nowrap", "pre":
		fix := map[string]string{"nowrap": "normal", "pre": "pre-wrap"}[space]
		return reason{Cause{Element: i, Property: "white-space", Value: space}, styleFix(i, "white-space", fix), "its text may not wrap (white-space: " + space + ")"}
	}
	return reason{Cause{Element: i, Property: "overflow-wrap", Value: "normal"}, styleFix(i, "overflow-wrap", "anywhere"), "a word of it is longer than the line"}
}

// naturalSize are the elements that bring a width of their own.
var naturalSize = map[string]bool{"img": true, "video": true, "canvas": true, "iframe": true, "object": true, "embed": true, "svg": true}

// notStretched are the elements that width: auto does not make as wide as their container.
var notStretched = map[string]bool{"input": true, "textarea": true, "select": true, "button": true, "table": true, "progress": true, "meter": true}

// declaredWidth is the declaration by which an element is wider than room; nil when its
// width comes from what is in it or around it.
func (s *Snapshot) declaredWidth(i int, room float64) *reason {
	width, _ := s.layoutSize(i)
	if kx, _ := s.scaleOf(i); kx > 0 {
		room /= kx // what is declared is before zoom and transforms
	}
	if width <= room+0.5 {
		return nil
	}
	typed := s.Typed(i, "width")
	extra, _ := s.frame(i)
	share := percent(typed)
	set := px(typed)
	least := px(s.Typed(i, "min-width"))
	if math.IsNaN(least) {
		least = s.Px(i, "min-width")
	}
	content := s.Style(i, "box-sizing") != "border-box"
	outer := func(v float64) float64 {
		if content {
			return v + extra
		}
		return v
	}
	switch {
	case least > 0 && outer(least) >= width-1 && (math.IsNaN(set) || set < least):
		value := s.declared(i, "min-width")
		return &reason{value, styleFix(i, "min-width", "0"), "min-width: " + value.Value}
	case !math.IsNaN(share) && share <= 100 && content && extra > 0:
		return &reason{
			s.declared(i, "width"), styleFix(i, "box-sizing", "border-box"),
			fmt.Sprintf("width: %s, and %s of padding and border come on top of it", typed, pxText(extra)),
		}
	case !math.IsNaN(share) && share > 100:
		return &reason{s.declared(i, "width"), styleFix(i, "width", "100%"), "width: " + typed}
	case s.Viewport.ScrollBar > 0 && math.Abs(set-s.Viewport.Width-s.Viewport.ScrollBar) < 0.6:
		return &reason{
			Cause{Element: i, Property: "width", Value: "100vw"}, styleFix(i, "width", "100%"),
			fmt.Sprintf("width: 100vw, which counts the %s wide scroll bar", pxText(s.Viewport.ScrollBar)),
		}
	case !math.IsNaN(set) && outer(set) >= width-1:
		if content && extra > 0 && set <= room {
			return &reason{
				s.declared(i, "width"), styleFix(i, "box-sizing", "border-box"),
				fmt.Sprintf("width: %s, and %s of padding and border come on top of it", typed, pxText(extra)),
			}
		}
		return &reason{s.declared(i, "width"), styleFix(i, "max-width", "100%"), "width: " + typed}
	case typed != "" && math.IsNaN(share) && math.IsNaN(set):
		return &reason{s.declared(i, "width"), styleFix(i, "max-width", "100%"), "width: " + typed}
	case typed == "" && naturalSize[s.Of(i).Tag]:
		return &reason{
			Cause{Element: i, Property: "max-width", Value: s.Style(i, "max-width")}, styleFix(i, "max-width", "100%"),
			"it has the width of its source, and no max-width",
		}
	}
	return nil
}

// marginOnTop is the reason of an element as wide as its container that margins push out of it.
func (s *Snapshot) marginOnTop(i int) *reason {
	left, right := s.length(i, "margin-left"), s.length(i, "margin-right")
	if percent(s.Typed(i, "width")) != 100 || max(left, right) <= 0 {
		return nil
	}
	property := "margin-left"
	if right > left {
		property = "margin-right"
	}
	fix := styleFix(i, "width", "auto")
	if notStretched[s.Of(i).Tag] || naturalSize[s.Of(i).Tag] || !strings.HasPrefix(s.Style(i, "display"), "block") && s.Style(i, "display") != "flex" && s.Style(i, "display") != "grid" {
		fix = styleFix(i, "width", "calc(100% - "+strconv.FormatFloat(max(0, left)+max(0, right), 'f', -1, 64)+"px)")
	}
	return &reason{s.declared(i, property), fix, fmt.Sprintf("width: 100%%, and %s: %s comes on top of it", property, s.Style(i, property))}
}

// standsOut reports an element whose edge is seen: a border, a shadow, a background that
// differs from what is behind.
func (s *Snapshot) standsOut(i int) bool {
	for _, side := range []string{"top", "right", "bottom", "left"} {
		if s.length(i, "border-"+side+"-width") > 0 {
			return true
		}
	}
	if s.Style(i, "box-shadow") != "none" || s.Style(i, "background-image") != "none" {
		return true
	}
	own := s.Style(i, "background-color")
	return !transparent(own) && own != s.behind(i)
}

// behind is the background colour of the nearest ancestor that has one.
func (s *Snapshot) behind(i int) string {
	for _, a := range s.Ancestors(i) {
		if colour := s.Style(a, "background-color"); !transparent(colour) {
			return colour
		}
	}
	return "rgb(255, 255, 255)"
}

func transparent(colour string) bool {
	return colour == "transparent" || strings.HasPrefix(colour, "rgba(") && strings.HasSuffix(colour, ", 0)") || strings.HasSuffix(colour, "/ 0)")
}

// runsInto is the first element after i, or after one of its nearest ancestors, that a
// strip beyond i lies on; None when it is empty there.
func (s *Snapshot) runsInto(i int, strip Rect) int {
	at := i
	for range 4 {
		p := s.boxParent(at)
		if p < 0 {
			return None
		}
		for _, other := range s.boxChildren(p) {
			if other == at || !s.shows(other) {
				continue
			}
			if common := s.Of(other).Rect().Intersect(strip); common.Width > 1 && common.Height > 1 {
				return other
			}
		}
		at = p
	}
	return None
}

// shows reports an element that has something of its own to be seen, as far as is known.
func (s *Snapshot) shows(i int) bool {
	e := s.Of(i)
	if s.when(i) != Shown {
		return false
	}
	return e.Text != nil || e.Image != nil || e.Is(Interactive) || naturalSize[e.Tag] || s.standsOut(i) || len(s.Children(i)) > 0 ||
		s.asked() && e.Rect().Height > 4 && !s.Within(s.Target, i)
}

// scrolledAlong reports an ancestor that scrolls in the direction of a side.
func (s *Snapshot) scrolledAlong(i int, side string) bool {
	property := "overflow-x"
	if side == "bottom" {
		property = "overflow-y"
	}
	for _, clip := range s.Clips(i) {
		if clip.Property == property && clip.Scrolls {
			return true
		}
	}
	return false
}
