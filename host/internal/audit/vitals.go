package audit

import (
	"fmt"
	"strconv"
)

// Ratings of a vital.
const (
	Good = "good"
	Fair = "needs improvement"
	Poor = "poor"
)

// Vital is one measure of this load, in this browser: of the lab, not of the site's visitors.
type Vital struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit,omitempty"`
	Rating string  `json:"rating"`
	Where  []Place `json:"where,omitempty" doc:"The largest paint, what shifted, what was acted on."`
}

// vitalKind has the thresholds below which a vital is good and fair:
// https://web.dev/articles/vitals (LCP, CLS, INP), https://web.dev/articles/fcp,
// https://web.dev/articles/ttfb.
type vitalKind struct {
	key, name, unit string
	good, fair      float64
	problem, fix    string
}

var vitalKinds = []vitalKind{
	{"lcp", "LCP", "ms", 2500, 4000, "The largest text or image is painted late", "See what it waits for: dbridge trace start --reload --auto-stop, then dbridge trace insight LCPBreakdown."},
	{"cls", "CLS", "", 0.1, 0.25, "Content jumps while the page loads", "Keep the place of images, embeds and late content: width and height, aspect-ratio or min-height."},
	{"inp", "INP", "ms", 200, 500, "The page answers input late", "Break up long tasks: dbridge trace start, act, dbridge trace stop."},
	{"fcp", "FCP", "ms", 1800, 3000, "The first content is painted late", "Shorten what the first paint waits for: the server's answer, blocking styles and scripts."},
	{"ttfb", "TTFB", "ms", 800, 1800, "The server answers late", "Look at the server, redirects and caching of the document."},
}

func (k *vitalKind) rate(value float64) string {
	switch {
	case value <= k.good:
		return Good
	case value <= k.fair:
		return Fair
	}
	return Poor
}

func (v Vital) text() string {
	return fmt.Sprintf("%s %s %s", v.Name, v.amount(), v.Rating)
}

func (v Vital) amount() string {
	if v.Unit == "" {
		return strconv.FormatFloat(float64(int(v.Value*1000+0.5))/1000, 'f', -1, 64)
	}
	return strconv.FormatFloat(v.Value, 'f', 0, 64) + " " + v.Unit
}
