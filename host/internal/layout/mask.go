package layout

import (
	"math"
	"strings"
)

// maskClips is what a mask of a single image that is not repeated lets through. Of others
// nothing is said: most fade something out on purpose.
func (s *Snapshot) maskClips(i int) []Clip {
	if s.Style(i, "mask-image") == "none" || s.Style(i, "mask-repeat") != "no-repeat" {
		return nil
	}
	box := s.Of(i).Rect()
	size, place := strings.Fields(s.Style(i, "mask-size")), strings.Fields(s.Style(i, "mask-position"))
	if len(size) == 1 {
		size = append(size, "auto")
	}
	if len(size) != 2 || len(place) != 2 {
		return nil
	}
	width, height := part(size[0], box.Width), part(size[1], box.Height)
	// Shares of a position are of the room that is left (CSS Backgrounds 3, section 3.6).
	x, y := part(place[0], box.Width-width), part(place[1], box.Height-height)
	if math.IsNaN(width + height + x + y) {
		return nil
	}
	return []Clip{{i, "mask-image", Rect{box.X + x, box.Y + y, width, height}, false}}
}

// part is a length in px, or a share of a whole; NaN where the value is neither.
func part(value string, whole float64) float64 {
	if number, ok := strings.CutSuffix(value, "%"); ok {
		return px(number+"px") / 100 * whole
	}
	return px(value)
}
