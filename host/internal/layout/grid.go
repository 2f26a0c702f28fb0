package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

func (s *Snapshot) isGrid(i int) bool {
	display := s.Style(i, "display")
	return display == "grid" || display == "inline-grid"
}

// maxStyle is the length at which the bridge cuts a value.
const maxStyle = 200

// tracks are the used sizes of a list such as "[a] 100px 96px"; nil when it is none, or was cut.
func tracks(value string) []float64 {
	if len(value) >= maxStyle {
		return nil
	}
	var sizes []float64
	names := false
	for word := range strings.FieldsSeq(value) {
		names = names || strings.HasPrefix(word, "[")
		if !names {
			size := px(word)
			if math.IsNaN(size) {
				return nil
			}
			sizes = append(sizes, size)
		}
		names = names && !strings.HasSuffix(word, "]")
	}
	return sizes
}

// gridOverflow is why the columns of a grid are wider than it is; nil when they are not.
func (s *Snapshot) gridOverflow(i int) *reason {
	if !s.isGrid(i) || scrolls(s.Style(i, "overflow-x")) || strings.HasPrefix(s.Style(i, "writing-mode"), "vertical") {
		return nil
	}
	sizes := tracks(s.Style(i, "grid-template-columns"))
	if len(sizes) == 0 {
		return nil
	}
	sum := s.length(i, "column-gap") * float64(len(sizes)-1)
	for _, size := range sizes {
		sum += size
	}
	width, _ := s.innerSize(i)
	if width == 0 || sum-width <= 1 {
		return nil
	}
	why := fmt.Sprintf("its columns take %s of %s", pxText(sum), pxText(width))
	declared := s.Typed(i, "grid-template-columns")
	if declared == "" {
		if strings.Contains(s.Style(i, "grid-auto-flow"), "column") {
			return &reason{s.declared(i, "grid-auto-flow"), styleFix(i, "grid-auto-flow", "row"), why + ", one for each item (grid-auto-flow: column)"}
		}
		return &reason{Cause{Element: i, Property: "grid-template-columns", Value: "none"}, styleFix(i, "grid-template-columns", "minmax(0, 1fr)"), why + ", which is what is in them at the least"}
	}
	return &reason{s.declared(i, "grid-template-columns"), styleFix(i, "grid-template-columns", flexible(declared)), why + " (grid-template-columns: " + declared + ")"}
}

// maxTyped is the length at which the bridge cuts a value before layout.
const maxTyped = 100

// flexible rewrites a list of tracks so that none needs more than there is.
func flexible(list string) string {
	if len(list) >= maxTyped {
		return "repeat(auto-fit, minmax(min(200px, 100%), 1fr))"
	}
	return eachTrack(list, func(track string) string {
		if inner, ok := strings.CutPrefix(track, "repeat("); ok {
			times, rest, _ := strings.Cut(strings.TrimSuffix(inner, ")"), ",")
			rest = strings.TrimSpace(rest)
			if strings.HasPrefix(times, "auto-") {
				rest = eachTrack(rest, fitted)
			} else {
				rest = flexible(rest)
			}
			return "repeat(" + times + ", " + rest + ")"
		}
		if inner, ok := strings.CutPrefix(track, "minmax("); ok {
			least := before(inner, ",")
			return "minmax(0, " + strings.TrimLeft(strings.TrimSuffix(inner, ")")[len(least):], ", ") + ")"
		}
		if inner, ok := strings.CutPrefix(track, "fit-content("); ok {
			track = strings.TrimSuffix(inner, ")")
		}
		return "minmax(0, " + track + ")"
	})
}

// fitted is a repeated track that is never wider than the grid.
func fitted(track string) string {
	if inner, ok := strings.CutPrefix(track, "minmax("); ok {
		least := before(inner, ",")
		return "minmax(min(" + least + ", 100%)" + inner[len(least):]
	}
	return "min(" + track + ", 100%)"
}

// before is the beginning of a list up to one of the stops outside of parentheses.
func before(list, stops string) string {
	depth := 0
	for i := range len(list) {
		switch {
		case list[i] == '(':
			depth++
		case list[i] == ')':
			depth--
		case depth == 0 && strings.IndexByte(stops, list[i]) >= 0:
			return list[:i]
		}
	}
	return list
}

// eachTrack replaces the tracks of a list and leaves the names of its lines.
func eachTrack(list string, change func(string) string) string {
	var words []string
	for list = strings.TrimSpace(list); list != ""; list = strings.TrimSpace(list) {
		if end := strings.IndexByte(list, ']'); list[0] == '[' && end > 0 {
			words = append(words, list[:end+1])
			list = list[end+1:]
			continue
		}
		track := before(list, " [")
		words = append(words, change(track))
		list = list[len(track):]
	}
	return strings.Join(words, " ")
}

// gridTooWide speaks of a grid, and asked, of an item that stands out of it.
func gridTooWide(c *Case) []Finding {
	container := c.At
	if !c.isGrid(container) || c.gridOverflow(container) == nil {
		container = c.boxParent(c.At)
		if !c.asked() || c.ItemOf(c.At) != "grid" || !c.outOf(c.At, container, true) {
			return nil
		}
	}
	why := c.gridOverflow(container)
	if why == nil || c.toldWide(why.Cause) {
		return nil
	}
	return []Finding{{
		Type: "grid-overflow", Severity: Medium, Element: c.At,
		Message:  fmt.Sprintf("The grid %s is too narrow for its tracks: %s.", c.Label(container), why.Why),
		Evidence: map[string]any{"grid": Node(container), "tracks": c.Style(container, "grid-template-columns"), "width": round(c.innerBox(container).Width)},
		Cause:    why.Cause, Fix: why.Fix,
	}}
}

// template is what a grid declares of one axis.
type template struct {
	count int             // tracks; -1 when the room decides (auto-fill)
	names map[string]bool // lines
}

func (s *Snapshot) templateOf(grid int, axis string) template {
	t := template{names: map[string]bool{}}
	declared := s.Typed(grid, "grid-template-"+axis)
	rows := areaRows(s.Style(grid, "grid-template-areas"))
	for _, row := range rows {
		for _, name := range row {
			t.names[name], t.names[name+"-start"], t.names[name+"-end"] = true, true, true
		}
	}
	if strings.Contains(declared, "auto-f") {
		t.count = -1
	} else {
		t.count = countTracks(declared, t.names)
	}
	if strings.Contains(declared, "subgrid") || len(declared) >= 100 {
		t.count = -1
	}
	if t.count >= 0 && len(rows) > 0 {
		if axis == "rows" {
			t.count = max(t.count, len(rows))
		} else {
			t.count = max(t.count, len(rows[0]))
		}
	}
	return t
}

// areaRows splits `"head head" "side main"`.
func areaRows(value string) [][]string {
	var rows [][]string
	for i, part := range strings.Split(value, `"`) {
		if i%2 == 1 {
			rows = append(rows, strings.Fields(part))
		}
	}
	return rows
}

// countTracks counts the tracks of a declared list and notes the names of its lines.
func countTracks(list string, names map[string]bool) int {
	count := 0
	eachTrack(list, func(track string) string {
		if inner, ok := strings.CutPrefix(track, "repeat("); ok {
			times, rest, _ := strings.Cut(strings.TrimSuffix(inner, ")"), ",")
			n, _ := strconv.Atoi(strings.TrimSpace(times))
			count += n * countTracks(rest, names)
		} else if track != "none" {
			count++
		}
		return ""
	})
	for i, part := range strings.Split(list, "[") {
		if inside, _, ok := strings.Cut(part, "]"); ok && i > 0 {
			for name := range strings.FieldsSeq(inside) {
				names[name] = true
			}
		}
	}
	return count
}

// gridMisplaced speaks of items whose placement names a line or area that the grid does
// not have: the browser makes a track for them (CSS Grid Layout 2, sections 7.5 and 8.5).
func gridMisplaced(c *Case) []Finding {
	if c.ItemOf(c.At) != "grid" {
		return nil
	}
	grid := c.boxParent(c.At)
	for _, axis := range []string{"column", "row"} {
		if c.Style(c.At, "grid-"+axis+"-start") == "auto" && c.Style(c.At, "grid-"+axis+"-end") == "auto" {
			continue
		}
		t := c.templateOf(grid, axis+"s")
		if t.count <= 0 {
			continue
		}
		for _, end := range []string{"start", "end"} {
			property := "grid-" + axis + "-" + end
			value := c.Style(c.At, property)
			problem, fix := t.misplaced(value, axis, end)
			if problem == "" {
				continue
			}
			finding := Finding{
				Type: "grid-auto-placement", Severity: Low, Element: c.At,
				Evidence: map[string]any{"grid": Node(grid), "declared": t.count, "box": boxText(c.Element().Rect())},
				Cause:    c.declared(c.At, property), Fix: styleFix(c.At, "grid-"+axis, fix),
			}
			if _, number := strconv.Atoi(strings.TrimPrefix(value, "span ")); number != nil {
				finding.Severity = Medium
				if value == c.Style(c.At, "grid-row-start") && value == c.Style(c.At, "grid-column-start") {
					finding.Cause.Property, finding.Fix = "grid-area", styleFix(c.At, "grid-area", "auto")
				}
			} else if r := c.Element().Rect(); axis == "column" && (c.outOf(c.At, grid, true) || r.Width < 20) {
				finding.Severity = Medium
			}
			finding.Message = fmt.Sprintf("%s is placed by %s: %s, and %s; it stands in a track that the browser added.", c.Label(c.At), finding.Cause.Property, value, fmt.Sprintf(problem, c.Label(grid)))
			return []Finding{finding}
		}
	}
	return nil
}

// misplaced tells what is wrong with a line that an item names, and the placement that is right.
func (t template) misplaced(value, axis, end string) (problem, fix string) {
	tracks := fmt.Sprintf("%%s has %d %ss", t.count, axis)
	if value == "auto" {
		return "", ""
	}
	if span, ok := strings.CutPrefix(value, "span "); ok {
		if n, err := strconv.Atoi(span); err == nil && n > t.count && axis == "column" {
			return tracks, "1 / -1"
		}
		return "", ""
	}
	if n, err := strconv.Atoi(value); err == nil {
		last := t.count + 1
		if end == "start" {
			last-- // the last line has nothing after it
		}
		switch {
		case n > last || -n > t.count+1:
			if end == "end" {
				return tracks, "auto / -1"
			}
			return tracks, "auto"
		}
		return "", ""
	}
	name := value
	if words := strings.Fields(value); len(words) > 1 { // "name 2"
		name = words[len(words)-1]
		if _, err := strconv.Atoi(name); err == nil {
			name = words[0]
		}
	}
	if t.names[name] || t.names[name+"-"+end] {
		return "", ""
	}
	return "%s has no line or area of that name", "auto"
}

// gridOverlap speaks of two items whose texts lie on each other because both were placed
// in the same cells. Pictures under texts, and covers, are placed so on purpose.
func gridOverlap(c *Case) []Finding {
	if c.ItemOf(c.At) != "grid" || !c.placed(c.At) || c.moved(c.At) || !c.inFlow(c.At) {
		return nil
	}
	mine := c.textArea(c.At)
	if mine.Empty() {
		return nil
	}
	for _, other := range c.boxChildren(c.boxParent(c.At)) {
		if other == c.At || !c.placed(other) || c.moved(other) || !c.inFlow(other) || c.when(other) != Shown || !c.asked() && other > c.At {
			continue
		}
		theirs := c.textArea(other)
		common := mine.Intersect(theirs)
		if common.Area() < 0.1*min(mine.Area(), theirs.Area()) || common.Empty() || common.Height < 4 {
			continue
		}
		over := c.At
		if other > c.At {
			over = other
		}
		if !transparent(c.Style(over, "background-color")) {
			continue // that one covers the other
		}
		property := "grid-row-start"
		if same := c.Style(c.At, property) == c.Style(other, property); !same || c.Style(c.At, property) == "auto" {
			property = "grid-column-start"
		}
		return []Finding{{
			Type: "grid-items-overlap", Severity: Medium, Element: c.At,
			Message: fmt.Sprintf("%s and %s were placed in the same cells, and their texts lie on each other over %s.",
				c.Label(c.At), c.Label(other), boxText(common)),
			Evidence: map[string]any{"other": Node(other), "overlap": boxText(common)},
			Cause:    c.declared(c.At, property), Fix: styleFix(c.At, "grid-area", "auto"),
		}}
	}
	return nil
}

// placed reports an item with a line of its own in both axes.
func (s *Snapshot) placed(i int) bool {
	return s.Style(i, "grid-row-start") != "auto" && s.Style(i, "grid-column-start") != "auto"
}

// textArea is the box around the text in an element, its descendants' too where they were measured.
func (s *Snapshot) textArea(i int) Rect {
	var area Rect
	if e := s.Of(i); e.Text != nil && s.when(i) == Shown {
		area = textRect(e)
	}
	for _, child := range s.Children(i) {
		area = area.Union(s.textArea(child))
	}
	return area
}
