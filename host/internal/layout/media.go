package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

var mediaRules = []Rule{
	{
		Types: []Type{
			{"image-not-loaded", High, "its picture could not be loaded"},
			{"image-loading", Info, "its picture is still on the way"},
		},
		When: Rendered, Find: imageNotThere,
	},
	{
		Types: []Type{{"image-zero-size", Medium, "its picture is there, and has no width or no height"}},
		When:  Rendered, Find: imageZero,
	},
	{
		Types: []Type{{"image-distorted", Medium, "its picture is stretched or squeezed"}},
		When:  Shown, Find: imageDistorted,
	},
	{
		Types: []Type{{"image-upscaled", Low, "its picture is shown at more than twice its size"}},
		When:  Shown, Find: imageUpscaled,
	},
	{
		Types: []Type{{"font-not-loaded", Low, "its font could not be loaded"}},
		Find:  fontNotLoaded,
	},
}

// tiny is the largest picture that is a spacer or a counter, not something to be seen.
const tiny = 2

func vector(source string) bool { return containsAny(source, ".svg", "image/svg") }

func (c *Case) sourceCause() Cause {
	return Cause{Element: c.At, Property: "src", Value: c.Element().Image.Source, Attribute: true}
}

func shortURL(url string) string {
	if len(url) > 80 {
		return url[:60] + "…"
	}
	return url
}

func imageNotThere(c *Case) []Finding {
	e := c.Element()
	image := e.Image
	if image == nil || image.Source == "" {
		return nil
	}
	r := e.Rect()
	switch {
	case image.Failed:
		counter := e.Has("width") && e.Has("height") && lengthOf(e.Attr("width")) <= tiny && lengthOf(e.Attr("height")) <= tiny
		if counter || c.Style(c.At, "visibility") != "visible" {
			return nil
		}
		return []Finding{{
			Type: "image-not-loaded", Severity: High, Element: c.At,
			Message:  fmt.Sprintf("The picture of %s could not be loaded: %s.", c.Label(c.At), shortURL(image.Source)),
			Evidence: map[string]any{"src": image.Source, "box": boxText(r)}, Cause: c.sourceCause(),
		}}
	case !image.Complete && (!image.Lazy || r.Bottom() > 0 && r.Y < c.Viewport.Height):
		return []Finding{{
			Type: "image-loading", Severity: Info, Element: c.At, Purpose: "it is still loading",
			Message:  fmt.Sprintf("The picture of %s has not arrived yet: %s.", c.Label(c.At), shortURL(image.Source)),
			Evidence: map[string]any{"src": image.Source}, Cause: c.sourceCause(),
		}}
	}
	return nil
}

func lengthOf(text string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "px"), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// pictureBox is the size of the content box before transforms.
func (s *Snapshot) pictureBox(i int) (width, height float64) {
	width, height = s.layoutSize(i)
	x, y := s.frame(i)
	return max(0, width-x), max(0, height-y)
}

func imageZero(c *Case) []Finding {
	image := c.Element().Image
	if image == nil || image.Failed || !image.Complete || image.Source == "" || image.NaturalWidth <= tiny && image.NaturalHeight <= tiny {
		return nil
	}
	width, height := c.pictureBox(c.At)
	if width > 0.5 && height > 0.5 || c.Purpose(c.At) != "" {
		return nil
	}
	property := "height"
	if width <= 0.5 {
		property = "width"
	}
	finding := Finding{
		Type: "image-zero-size", Severity: Medium, Element: c.At,
		Message: fmt.Sprintf("The picture of %s (%s × %s) is loaded, and its %s is 0.", c.Label(c.At),
			strconv.FormatFloat(image.NaturalWidth, 'f', -1, 64), pxText(image.NaturalHeight), property),
		Evidence: map[string]any{"width": round(width), "height": round(height), "natural": []float64{image.NaturalWidth, image.NaturalHeight}},
	}
	switch typed := c.Typed(c.At, property); {
	case lengthOf(c.Element().Attr(property)) == 0 && px(typed) == 0:
		finding.Cause = c.attributed(c.At, property)
		finding.Fix = &Fix{Element: c.At, Property: property, Value: Remove, Attribute: true}
	case strings.HasSuffix(typed, "%"):
		block, _ := c.ContainingBlockOf(c.At)
		if block == None {
			return nil
		}
		finding.Message += fmt.Sprintf(" It is %s of %s, which has none.", typed, c.Label(block))
		finding.Cause, finding.Fix = c.declared(block, property), styleFix(c.At, property, "auto")
	case px(c.Typed(c.At, "max-"+property)) == 0:
		finding.Cause, finding.Fix = c.declared(c.At, "max-"+property), styleFix(c.At, "max-"+property, "none")
	case strings.HasSuffix(c.Typed(c.At, "max-"+property), "%"):
		finding.Cause, finding.Fix = c.declared(c.At, "max-"+property), styleFix(c.At, "max-"+property, "none")
	default:
		finding.Cause, finding.Fix = c.declared(c.At, property), styleFix(c.At, property, "auto")
	}
	return []Finding{finding}
}

// ratioSlack is how far a shown ratio may be off, which nobody sees.
const ratioSlack = 0.03 + 1e-9

func imageDistorted(c *Case) []Finding {
	image := c.Element().Image
	if image == nil || image.NaturalWidth <= tiny || image.NaturalHeight <= tiny || vector(image.Source) || c.Style(c.At, "object-fit") != "fill" {
		return nil
	}
	width, height := c.pictureBox(c.At)
	if width < 4 || height < 4 {
		return nil
	}
	natural := image.NaturalWidth / image.NaturalHeight
	off := width / height / natural
	// A pixel more or less of a small picture is rounding.
	if math.Max(off, 1/off)-1 <= ratioSlack || math.Abs(width-height*natural) <= 1 || math.Abs(height-width/natural) <= 1 {
		return nil
	}
	word := "wide"
	if off < 1 {
		word = "narrow"
	}
	finding := Finding{
		Type: "image-distorted", Severity: Medium, Element: c.At,
		Message: fmt.Sprintf("The picture of %s is shown %s × %s, %.0f %% too %s for its %s × %s.", c.Label(c.At),
			pxNumber(width), pxText(height), 100*(math.Max(off, 1/off)-1), word, pxNumber(image.NaturalWidth), pxText(image.NaturalHeight)),
		Evidence: map[string]any{"width": round(width), "height": round(height), "natural": []float64{image.NaturalWidth, image.NaturalHeight}},
	}
	wide, high := c.Typed(c.At, "width"), c.Typed(c.At, "height")
	switch {
	case high == "" && c.stretchedBy(c.At) != None:
		parent := c.stretchedBy(c.At)
		finding.Cause = Cause{Element: parent, Property: "align-items", Value: c.Style(parent, "align-items")}
		finding.Fix = styleFix(c.At, "align-self", "flex-start")
		finding.Message += fmt.Sprintf(" %s stretches it.", c.Label(parent))
	case high != "" && (px(high) == lengthOf(c.Element().Attr("height")) || wide == ""):
		// The height of the attribute, while something else decides the width.
		finding.Cause, finding.Fix = c.declared(c.At, "height"), styleFix(c.At, "height", "auto")
		if wide == "" || px(wide) == lengthOf(c.Element().Attr("width")) && math.Abs(px(wide)-width) < 1 {
			finding.Fix = styleFix(c.At, "object-fit", "contain")
		}
	case high == "" && c.Style(c.At, "aspect-ratio") != "auto" && !strings.HasPrefix(c.Style(c.At, "aspect-ratio"), "auto "):
		finding.Cause, finding.Fix = c.declared(c.At, "aspect-ratio"), styleFix(c.At, "object-fit", "cover")
	case high == "" && !math.IsNaN(px(c.Typed(c.At, "max-height"))):
		finding.Cause, finding.Fix = c.declared(c.At, "max-height"), styleFix(c.At, "object-fit", "contain")
	case high == "" && !math.IsNaN(px(c.Typed(c.At, "min-height"))):
		finding.Cause, finding.Fix = c.declared(c.At, "min-height"), styleFix(c.At, "object-fit", "cover")
	case high == "":
		finding.Cause, finding.Fix = c.declared(c.At, "width"), styleFix(c.At, "object-fit", "cover")
	default:
		finding.Cause, finding.Fix = c.declared(c.At, "height"), styleFix(c.At, "object-fit", "cover")
	}
	return []Finding{finding}
}

func pxNumber(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', -1, 64) }

// stretchedBy is the flex or grid container that makes an item as high as its line; None when none does.
func (s *Snapshot) stretchedBy(i int) int {
	kind := s.ItemOf(i)
	parent := s.boxParent(i)
	if kind == "" || kind == "flex" && !s.axisOf(parent).row {
		return None
	}
	align := s.Style(i, "align-self")
	if align == "auto" || align == "normal" {
		align = s.Style(parent, "align-items")
	}
	// Pictures in a grid keep their size by default (CSS Grid Layout 2, section 6.2).
	if align == "stretch" || align == "normal" && kind == "flex" {
		return parent
	}
	return None
}

// fitScale is how much larger than its own size a picture is painted.
func (s *Snapshot) fitScale(i int, image *Image) float64 {
	width, height := s.pictureBox(i)
	x, y := width/image.NaturalWidth, height/image.NaturalHeight
	switch s.Style(i, "object-fit") {
	case "contain":
		return min(x, y)
	case "none":
		return 1
	case "scale-down":
		return min(x, y, 1)
	}
	return max(x, y)
}

func imageUpscaled(c *Case) []Finding {
	image := c.Element().Image
	if image == nil || image.NaturalWidth <= tiny || image.NaturalHeight <= tiny || vector(image.Source) {
		return nil
	}
	if rendering := c.Style(c.At, "image-rendering"); rendering == "pixelated" || rendering == "crisp-edges" {
		return nil
	}
	ratio := c.Viewport.PixelRatio
	if ratio == 0 {
		ratio = 1
	}
	fit := c.fitScale(c.At, image)
	scale := fit * ratio
	if scale <= 2.001 || fit <= 1.001 { // in its own size it is as the author gave it, however dense the screen
		return nil
	}
	width, height := c.pictureBox(c.At)
	finding := Finding{
		Type: "image-upscaled", Severity: Low, Element: c.At,
		Message: fmt.Sprintf("The picture of %s has %s × %s and is painted %.1f times as large.", c.Label(c.At),
			pxNumber(image.NaturalWidth), pxText(image.NaturalHeight), scale),
		Evidence: map[string]any{"scale": round(scale), "natural": []float64{image.NaturalWidth, image.NaturalHeight}, "width": round(width), "height": round(height), "pixelRatio": ratio},
		Cause:    c.declared(c.At, "width"), Fix: styleFix(c.At, "object-fit", "scale-down"), // a larger picture is the better cure
	}
	switch wide, high := c.Typed(c.At, "width"), c.Typed(c.At, "height"); {
	case wide == "" && high != "":
		finding.Cause, finding.Fix = c.declared(c.At, "height"), styleFix(c.At, "height", "auto")
	case wide != "" && high == "" && c.ItemOf(c.At) == "":
		finding.Fix = styleFix(c.At, "width", "auto")
	}
	return []Finding{finding}
}

// iconFont reports a family whose letters are pictures.
func iconFont(family string) bool {
	return containsAny(family, "icon", "symbol", "awesome", "glyph", "dashicons", "feather")
}

// privateUse reports a character that a font gives a picture of its own.
func privateUse(r rune) bool { return r >= 0xe000 && r <= 0xf8ff }

// fontNotLoaded compares the first family of texts with those that failed; on a sweep each
// family is told once, of the first text that uses it.
func fontNotLoaded(c *Case) []Finding {
	if len(c.MissingFonts) == 0 {
		return nil
	}
	if c.asked() {
		if finding := c.missingFont(c.At); finding != nil {
			return []Finding{*finding}
		}
		return nil
	}
	if c.At != 0 {
		return nil
	}
	var out []Finding
	first := make(map[string]int)
	for i := range c.Elements {
		finding := c.missingFont(i)
		if finding == nil {
			continue
		}
		family, _ := finding.Evidence["family"].(string)
		at, ok := first[family]
		if !ok {
			first[family] = len(out)
			finding.Evidence["texts"] = 1
			out = append(out, *finding)
			continue
		}
		n, _ := out[at].Evidence["texts"].(int)
		out[at].Evidence["texts"] = n + 1
		if Worse(finding.Severity, out[at].Severity) {
			out[at].Severity = finding.Severity
		}
	}
	return out
}

func (s *Snapshot) missingFont(i int) *Finding {
	e := s.Of(i)
	families, icon := s.Style(i, "font-family"), false
	if e.Text == nil {
		families, icon = e.Glyph, true
	}
	if families == "" || s.when(i) != Shown && !icon {
		return nil
	}
	first, _, _ := strings.Cut(families, ",")
	first = strings.Trim(strings.TrimSpace(first), `"'`)
	for _, missing := range s.MissingFonts {
		if !strings.EqualFold(missing, first) {
			continue
		}
		icon = icon || iconFont(first) || e.Text != nil && strings.ContainsFunc(e.Text.Text, privateUse)
		finding := &Finding{
			Type: "font-not-loaded", Severity: Low, Element: i,
			Message:  fmt.Sprintf("The font %q of %s could not be loaded; the text is shown in another.", first, s.Label(i)),
			Evidence: map[string]any{"family": first}, Cause: Cause{Element: i, Property: "font-family", Value: families},
		}
		if icon {
			finding.Severity = Medium
			finding.Message = fmt.Sprintf("The icon font %q of %s could not be loaded; a box or a word stands in place of the icon.", first, s.Label(i))
		}
		return finding
	}
	return nil
}
