package capture

import (
	"image"
	"image/color"
	"image/draw"
)

// Label is a ref drawn at the box of its element, in pixels of the image.
type Label struct {
	Ref string
	Box image.Rectangle
}

// crowded is the number of labels beyond which they are drawn small.
const crowded = 120

// Colours that are told apart on light and on dark pages; white words on each.
var colours = [...]color.RGBA{
	{0xc6, 0x1e, 0x4d, 0xff}, {0x1f, 0x5f, 0xc9, 0xff}, {0x1b, 0x7a, 0x3d, 0xff}, {0x9a, 0x4a, 0x00, 0xff}, {0x7a, 0x2f, 0xb5, 0xff},
}

// Annotate draws a box and the ref at each label. Labels keep clear of each other
// where there is room.
func Annotate(img draw.Image, labels []Label) {
	dot := 2
	if len(labels) > crowded {
		dot = 1
	}
	var taken []image.Rectangle
	for i, l := range labels {
		ink := colours[i%len(colours)]
		frame(img, l.Box, ink)
		at := spot(img.Bounds(), l, dot, taken)
		taken = append(taken, at)
		draw.Draw(img, at, image.NewUniform(ink), image.Point{}, draw.Src)
		write(img, l.Ref, at.Min.Add(image.Pt(dot, dot)), dot)
	}
}

// spot is where a label is put: above its box, else in its corner, else where nothing is yet.
func spot(bounds image.Rectangle, l Label, dot int, taken []image.Rectangle) image.Rectangle {
	size := image.Pt(len(l.Ref)*(glyphWidth+1)*dot+dot, (glyphHeight+2)*dot)
	tries := []image.Point{
		{l.Box.Min.X, l.Box.Min.Y - size.Y},
		l.Box.Min,
		{l.Box.Max.X - size.X, l.Box.Min.Y},
		{l.Box.Max.X, l.Box.Min.Y},
		{l.Box.Min.X, l.Box.Max.Y},
	}
	for _, at := range tries {
		r := image.Rectangle{at, at.Add(size)}
		if r.In(bounds) && !overlaps(r, taken) {
			return r
		}
	}
	at := l.Box.Min
	at.X = min(max(at.X, bounds.Min.X), max(bounds.Max.X-size.X, bounds.Min.X))
	at.Y = min(max(at.Y, bounds.Min.Y), max(bounds.Max.Y-size.Y, bounds.Min.Y))
	return image.Rectangle{at, at.Add(size)}
}

func overlaps(r image.Rectangle, taken []image.Rectangle) bool {
	for _, other := range taken {
		if r.Overlaps(other) {
			return true
		}
	}
	return false
}

func frame(img draw.Image, box image.Rectangle, ink color.Color) {
	const width = 2
	fill := image.NewUniform(ink)
	for _, side := range [...]image.Rectangle{
		{box.Min, image.Pt(box.Max.X, box.Min.Y+width)},
		{image.Pt(box.Min.X, box.Max.Y-width), box.Max},
		{box.Min, image.Pt(box.Min.X+width, box.Max.Y)},
		{image.Pt(box.Max.X-width, box.Min.Y), box.Max},
	} {
		draw.Draw(img, side, fill, image.Point{}, draw.Src)
	}
}

const (
	glyphWidth  = 5
	glyphHeight = 7
)

// glyphs are the letters of refs, a row of five dots a byte.
var glyphs = map[rune][glyphHeight]byte{
	'0': {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110},
	'1': {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
	'2': {0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111},
	'3': {0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110},
	'4': {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
	'5': {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
	'6': {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
	'7': {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000},
	'8': {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
	'9': {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100},
	'e': {0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110},
	'f': {0b00110, 0b01001, 0b01000, 0b11100, 0b01000, 0b01000, 0b01000},
}

func write(img draw.Image, text string, at image.Point, dot int) {
	white := image.NewUniform(color.White)
	for _, letter := range text {
		for y, row := range glyphs[letter] {
			for x := range glyphWidth {
				if row&(1<<(glyphWidth-1-x)) != 0 {
					p := at.Add(image.Pt(x*dot, y*dot))
					draw.Draw(img, image.Rectangle{p, p.Add(image.Pt(dot, dot))}, white, image.Point{}, draw.Src)
				}
			}
		}
		at.X += (glyphWidth + 1) * dot
	}
}
