package capture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

func TestStitch(t *testing.T) {
	var out bytes.Buffer
	s, err := NewStitcher(&out, 40, 25)
	if err != nil {
		t.Fatal(err)
	}
	shade := func(x, y int) color.RGBA { return color.RGBA{byte(6 * x), byte(10 * y), byte(x * y), 0xff} }
	for from := 0; from < 25; from += 10 {
		strip := image.NewRGBA(image.Rect(0, 0, 40, 10))
		for y := range 10 {
			for x := range 40 {
				strip.SetRGBA(x, y, shade(x, from+y))
			}
		}
		if err := s.Add(strip); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(&out)
	if err != nil || got.Bounds() != image.Rect(0, 0, 40, 25) {
		t.Fatal(got, err)
	}
	for y := range 25 {
		for x := range 40 {
			if r, g, b, _ := got.At(x, y).RGBA(); (color.RGBA{byte(r >> 8), byte(g >> 8), byte(b >> 8), 0xff}) != shade(x, y) {
				t.Fatalf("pixel %d,%d is %v", x, y, got.At(x, y))
			}
		}
	}
	s, _ = NewStitcher(&out, 2, 2)
	if s.Close() == nil {
		t.Fatal("an image without its rows was closed")
	}
}

func TestAnnotate(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	Annotate(img, []Label{{"e12", image.Rect(50, 40, 120, 70)}, {"f2e7", image.Rect(52, 42, 60, 50)}, {"e3", image.Rect(-20, -20, 10, 10)}})
	if img.RGBAAt(50, 55) != colours[0] || img.RGBAAt(90, 69) != colours[0] {
		t.Error("no box around the first")
	}
	if img.RGBAAt(90, 60) != (color.RGBA{}) {
		t.Error("the inside of the box is painted")
	}
	white := 0
	for y := 22; y < 40; y++ {
		for x := 50; x < 90; x++ {
			if img.RGBAAt(x, y) == (color.RGBA{255, 255, 255, 255}) {
				white++
			}
		}
	}
	if white < 60 {
		t.Errorf("%d white pixels above the box: no ref", white)
	}
}
