package layout

import (
	"math"
	"testing"
)

func TestParseColour(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rgb(118, 118, 118)":               "#767676",
		"rgba(255, 0, 0, 0.5)":             "#ff000080",
		"rgb(255 0 0 / 50%)":               "#ff000080",
		"rgba(0, 0, 0, 0)":                 "#00000000",
		"#abc":                             "#aabbcc",
		"#abcd":                            "#aabbccdd",
		"hsl(120deg 100% 25%)":             "#008000",
		"hsl(-120, 100%, 50%)":             "#0000ff",
		"color(srgb 0.5 0 0.5)":            "#800080",
		"color(srgb-linear 1 1 1)":         "#ffffff",
		"color(display-p3 1 1 1)":          "#ffffff",
		"color(display-p3 1 0 0)":          "#ff0000",
		"color(xyz 0.9505 1 1.089)":        "#ffffff",
		"oklch(0.627955 0.257683 29.2339)": "#ff0000",
		"oklab(1 0 0)":                     "#ffffff",
		"oklch(0.519752 0.176858 142.495)": "#008000",
		"lab(54.2905 80.8049 69.891)":      "#ff0000",
		"lch(46.2775 67.9892 134.384)":     "#008000",
		"color(srgb none 1 0 / 0.5)":       "#00ff0080",
	} {
		got, ok := parseColour(text)
		if !ok || got.String() != want {
			t.Errorf("%s is %s (%v), want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "currentcolor", "rgb(1, 2)", "rgb(a b c)", "color()", "color(rec2020 1 1 1)", "#12", "#12345x", "rgb(NaN 0 0)"} {
		if got, ok := parseColour(text); ok {
			t.Errorf("%q was read as %s", text, got)
		}
	}
}

// Pairs with known ratios, from WebAIM's checker.
func TestContrast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"#000", "#fff", 21}, {"#767676", "#fff", 4.54}, {"#777", "#fff", 4.48}, {"#949494", "#fff", 3.03}, {"#959595", "#fff", 2.99},
		{"#595959", "#fff", 7.00}, {"#f00", "#fff", 4.00}, {"#00f", "#fff", 8.59}, {"#333", "#333", 1},
	} {
		a, _ := parseColour(c.a)
		b, _ := parseColour(c.b)
		if got := contrast(a, b); math.Abs(got-c.want) > 0.006 || contrast(b, a) != got {
			t.Errorf("%s on %s is %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, back, want string }{
		{"#777777", "#ffffff", "#767676"},
		{"#888888", "#000000", "#888888"},
		{"#555555", "#000000", "#757575"},
	} {
		text, _ := parseColour(c.text)
		back, _ := parseColour(c.back)
		got, ok := text.nearest(func(x colour) bool { return contrast(x, back) >= 4.5 })
		if !ok || got.String() != c.want {
			t.Errorf("%s on %s becomes %s (%v), want %s", c.text, c.back, got, ok, c.want)
		}
	}
	if _, ok := black.nearest(func(colour) bool { return false }); ok {
		t.Error("nothing passes, but something was found")
	}
}
