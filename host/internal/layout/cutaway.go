package layout

import (
	"strconv"
	"strings"
)

// clippedAway is the property by which an element shows nothing of itself: clip: rect()
// without an area, or a clip-path that encloses none.
func (s *Snapshot) clippedAway(i int) string {
	if position := s.Style(i, "position"); position == "absolute" || position == "fixed" {
		if inner, ok := strings.CutPrefix(s.Style(i, "clip"), "rect("); ok {
			v := clipSides(inner)
			if len(v) == 4 && (v[1]-v[3] <= 1 || v[2]-v[0] <= 1) {
				return "clip"
			}
		}
	}
	if path := s.Style(i, "clip-path"); path != "none" && enclosesNothing(path) {
		return "clip-path"
	}
	return ""
}

func clipSides(inner string) []float64 {
	var list []float64
	for _, part := range strings.FieldsFunc(strings.TrimRight(inner, ")"), func(r rune) bool { return r == ',' || r == ' ' }) {
		v, err := strconv.ParseFloat(strings.TrimRight(part, "px%"), 64)
		if err != nil {
			return nil // auto
		}
		list = append(list, v)
	}
	return list
}

// enclosesNothing reports a basic shape without an area (CSS Shapes 1).
func enclosesNothing(path string) bool {
	name, inner, ok := strings.Cut(path, "(")
	if !ok {
		return false
	}
	inner, _, _ = strings.Cut(inner, ")")
	inner, _, _ = strings.Cut(inner, " round ")
	switch name {
	case "inset":
		sides := strings.Fields(inner)
		if len(sides) == 0 {
			return false
		}
		share := func(n int) float64 {
			for n >= len(sides) {
				n -= 2
				if n < 0 {
					n = 0
				}
			}
			text, ok := strings.CutSuffix(sides[n], "%")
			v, err := strconv.ParseFloat(text, 64)
			if !ok || err != nil {
				return 0
			}
			return v
		}
		return share(0)+share(2) >= 100 || share(1)+share(3) >= 100
	case "circle", "ellipse":
		radii, _, _ := strings.Cut(inner, " at ")
		for _, radius := range strings.Fields(radii) {
			if v, err := strconv.ParseFloat(strings.TrimRight(radius, "px%"), 64); err == nil && v == 0 {
				return true
			}
		}
	case "polygon":
		points := strings.Split(inner, ",")
		for _, point := range points[1:] {
			if strings.Join(strings.Fields(point), " ") != strings.Join(strings.Fields(points[0]), " ") {
				return false
			}
		}
		return true
	}
	return false
}

func clippedToNothing(c *Case) *Finding {
	for at := c.At; at > 0; at = c.Of(at).Parent {
		property := c.clippedAway(at)
		if property == "" || c.Of(at).Box == nil {
			continue
		}
		initial := "none"
		if property == "clip" {
			initial = "auto"
		}
		cause := c.declared(at, property)
		purpose := c.Purpose(at)
		if purpose == "" && c.tiny(at) {
			purpose = purposeReader
		}
		h := &hider{"clip-hidden", High, cause, &Fix{Element: at, Property: property, Value: initial}, purpose, property + ": " + cause.Value}
		f := c.seenAs(h, at, "")
		return &f
	}
	return nil
}
