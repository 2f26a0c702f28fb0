package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// colour is sRGB from 0 to 1, not multiplied by its alpha.
type colour struct{ r, g, b, a float64 }

var (
	black = colour{0, 0, 0, 1}
	white = colour{1, 1, 1, 1}
)

// parseColour reads what getComputedStyle gives (CSS Color 4, section 16: serialisation),
// and the short forms that declarations have. Colours outside of sRGB are clipped.
func parseColour(text string) (colour, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if hex, ok := strings.CutPrefix(text, "#"); ok {
		return parseHex(hex)
	}
	switch text {
	case "transparent":
		return colour{}, true
	case "black":
		return black, true
	case "white":
		return white, true
	}
	name, rest, ok := strings.Cut(text, "(")
	if !ok || !strings.HasSuffix(rest, ")") {
		return colour{}, false
	}
	fields := strings.FieldsFunc(strings.TrimSuffix(rest, ")"), func(r rune) bool { return r == ' ' || r == ',' || r == '/' })
	space := ""
	if name == "color" {
		if len(fields) == 0 {
			return colour{}, false
		}
		space, fields = fields[0], fields[1:]
	}
	form, ok := colourForms[name+space]
	if !ok || len(fields) < 3 || len(fields) > 4 {
		return colour{}, false
	}
	var v [3]float64
	for i := range v {
		if v[i], ok = component(fields[i], form.whole[i]); !ok {
			return colour{}, false
		}
	}
	alpha := 1.0
	if len(fields) == 4 {
		if alpha, ok = component(fields[3], 1); !ok {
			return colour{}, false
		}
	}
	r, g, b := form.convert(v[0], v[1], v[2])
	return colour{unit(r), unit(g), unit(b), unit(alpha)}, true
}

// component is a number, a share of whole, an angle, or none (which is 0).
func component(text string, whole float64) (float64, bool) {
	if text == "none" {
		return 0, true
	}
	factor := 1.0
	for _, u := range []struct {
		suffix string
		factor float64
	}{{"%", whole / 100}, {"deg", 1}, {"grad", 0.9}, {"rad", 180 / math.Pi}, {"turn", 360}} {
		if number, ok := strings.CutSuffix(text, u.suffix); ok {
			text, factor = number, u.factor
			break
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v * factor, true
}

func parseHex(hex string) (colour, bool) {
	if len(hex) == 3 || len(hex) == 4 {
		var long strings.Builder
		for _, digit := range hex {
			long.WriteRune(digit)
			long.WriteRune(digit)
		}
		hex = long.String()
	}
	if len(hex) == 6 {
		hex += "ff"
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 8 {
		return colour{}, false
	}
	channel := func(shift uint) float64 { return float64(n>>shift&0xff) / 255 }
	return colour{channel(24), channel(16), channel(8), channel(0)}, true
}

// colourForms: what 100 % of each component is, and the way to sRGB. The matrices are
// those of CSS Color 4, section 19 (sample code for conversions).
var colourForms = map[string]struct {
	whole   [3]float64
	convert func(a, b, c float64) (r, g, bl float64)
}{
	"rgb":              {[3]float64{255, 255, 255}, func(a, b, c float64) (float64, float64, float64) { return a / 255, b / 255, c / 255 }},
	"rgba":             {[3]float64{255, 255, 255}, func(a, b, c float64) (float64, float64, float64) { return a / 255, b / 255, c / 255 }},
	"hsl":              {[3]float64{360, 1, 1}, fromHSL},
	"hsla":             {[3]float64{360, 1, 1}, fromHSL},
	"lab":              {[3]float64{100, 125, 125}, fromLab},
	"lch":              {[3]float64{100, 150, 360}, polar(fromLab)},
	"oklab":            {[3]float64{1, 0.4, 0.4}, fromOklab},
	"oklch":            {[3]float64{1, 0.4, 360}, polar(fromOklab)},
	"colorsrgb":        {[3]float64{1, 1, 1}, func(a, b, c float64) (float64, float64, float64) { return a, b, c }},
	"colorsrgb-linear": {[3]float64{1, 1, 1}, encoded},
	"colordisplay-p3":  {[3]float64{1, 1, 1}, fromP3},
	"colorxyz":         {[3]float64{1, 1, 1}, fromXYZ},
	"colorxyz-d65":     {[3]float64{1, 1, 1}, fromXYZ},
	"colorxyz-d50":     {[3]float64{1, 1, 1}, fromXYZ50},
}

func polar(to func(l, a, b float64) (float64, float64, float64)) func(l, c, h float64) (float64, float64, float64) {
	return func(l, c, h float64) (float64, float64, float64) {
		sin, cos := math.Sincos(h * math.Pi / 180)
		return to(l, c*cos, c*sin)
	}
}

func fromHSL(h, s, l float64) (float64, float64, float64) {
	// A plain number stands for a percentage.
	if s > 1 || l > 1 {
		s, l = s/100, l/100
	}
	channel := func(n float64) float64 {
		k := math.Mod(n+h/30+12*math.Ceil(math.Abs(h)/360), 12)
		return l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1))
	}
	return channel(0), channel(8), channel(4)
}

func fromOklab(l, a, b float64) (float64, float64, float64) {
	cube := func(v float64) float64 { return v * v * v }
	x, y, z := cube(l+0.3963377774*a+0.2158037573*b), cube(l-0.1055613458*a-0.0638541728*b), cube(l-0.0894841775*a-1.2914855480*b)
	return encoded(
		4.0767416621*x-3.3077115913*y+0.2309699292*z,
		-1.2684380046*x+2.6097574011*y-0.3413193965*z,
		-0.0041960863*x-0.7034186147*y+1.7076147010*z,
	)
}

func fromLab(l, a, b float64) (float64, float64, float64) {
	const kappa, epsilon = 24389.0 / 27, 216.0 / 24389
	fy := (l + 16) / 116
	inverse := func(f float64) float64 {
		if cube := f * f * f; cube > epsilon {
			return cube
		}
		return (116*f - 16) / kappa
	}
	y := l / kappa
	if l > kappa*epsilon {
		y = fy * fy * fy
	}
	// The white of D50.
	return fromXYZ50(inverse(fy+a/500)*0.3457/0.3585, y, inverse(fy-b/200)*(1-0.3457-0.3585)/0.3585)
}

func fromXYZ50(x, y, z float64) (float64, float64, float64) {
	return fromXYZ(
		0.9554734527*x-0.0230985369*y+0.0632593087*z,
		-0.0283697070*x+1.0099954580*y+0.0210413990*z,
		0.0123140017*x-0.0205076964*y+1.3303659366*z,
	)
}

func fromXYZ(x, y, z float64) (float64, float64, float64) {
	return encoded(
		3.2409699419*x-1.5373831776*y-0.4986107603*z,
		-0.9692436363*x+1.8759675015*y+0.0415550574*z,
		0.0556300797*x-0.2039769589*y+1.0569715142*z,
	)
}

func fromP3(r, g, b float64) (float64, float64, float64) {
	r, g, b = linear(r), linear(g), linear(b)
	return encoded(1.2249401763*r-0.2249401763*g, -0.0420569547*r+1.0420569547*g, -0.0196375546*r-0.0786360456*g+1.0982736002*b)
}

// encoded gives linear light its sRGB curve.
func encoded(r, g, b float64) (float64, float64, float64) {
	curve := func(v float64) float64 {
		if v <= 0.0031308 {
			return 12.92 * v
		}
		return 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	return curve(r), curve(g), curve(b)
}

func linear(v float64) float64 {
	// WCAG 2.2 writes 0.03928 in older texts; 0.04045 is its corrected value. No 8-bit colour lies between.
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func unit(v float64) float64 { return min(1, max(0, v)) }

// over is c painted on what is below.
func (c colour) over(below colour) colour {
	a := c.a + below.a*(1-c.a)
	if a == 0 {
		return colour{}
	}
	mix := func(top, under float64) float64 { return (top*c.a + under*below.a*(1-c.a)) / a }
	return colour{mix(c.r, below.r), mix(c.g, below.g), mix(c.b, below.b), a}
}

// faded is c with its alpha multiplied.
func (c colour) faded(opacity float64) colour {
	c.a *= opacity
	return c
}

// luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
func (c colour) luminance() float64 {
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// contrast: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
func contrast(a, b colour) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func (c colour) String() string {
	byteOf := func(v float64) int { return int(math.Round(unit(v) * 255)) }
	text := fmt.Sprintf("#%02x%02x%02x", byteOf(c.r), byteOf(c.g), byteOf(c.b))
	if c.a < 1 {
		text += fmt.Sprintf("%02x", byteOf(c.a))
	}
	return text
}

// nearest is the colour nearest to c, towards black or white, for which passes holds, in
// whole steps of 8 bits; false when neither end passes.
func (c colour) nearest(passes func(colour) bool) (colour, bool) {
	towards := func(end colour) (colour, float64, bool) {
		if !passes(end) {
			return colour{}, 0, false
		}
		at := func(t float64) colour {
			step := func(from, to float64) float64 { return math.Round((from+(to-from)*t)*255) / 255 }
			return colour{step(c.r, end.r), step(c.g, end.g), step(c.b, end.b), 1}
		}
		low, high := 0.0, 1.0
		for range 12 {
			if middle := (low + high) / 2; passes(at(middle)) {
				high = middle
			} else {
				low = middle
			}
		}
		return at(high), high, true
	}
	dark, far, ok := towards(black)
	light, near, okLight := towards(white)
	if okLight && (!ok || near < far) {
		return light, true
	}
	return dark, ok
}
