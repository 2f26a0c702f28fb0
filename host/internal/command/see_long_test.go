package command_test

import (
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Longer than a browser draws at once: the strips meet without a seam. On a starved machine
// Chrome may draw a tile that is not of this place, so that a picture is taken again.
func seeLongPage(t *testing.T, s *seer) {
	s.show(`<style>body{margin:0}div{height:100px}</style><body><script>for(let i=0;i<200;i++){const d=document.createElement('div');d.style.background='rgb('+i+','+(i%2?255:0)+',80)';document.body.append(d)}</script>`)
	seam := func() (int, any) {
		out, _ := s.must("capture.screenshot", map[string]any{"fullPage": true})
		img := picture(t, out)
		if img.Bounds().Dy() != 20_000 {
			t.Fatalf("%v", img.Bounds())
		}
		for i := range 200 {
			green := uint32(0)
			if i%2 == 1 {
				green = 255
			}
			for _, y := range []int{100 * i, 100*i + 50, 100*i + 99} {
				if !near(img.At(300, y), uint32(i), green, 80) {
					return y, img.At(300, y)
				}
			}
		}
		return -1, nil
	}
	row, colour := seam()
	for tries := 1; tries < 4 && row >= 0; tries++ {
		t.Logf("row %d is %v", row, colour)
		row, colour = seam()
	}
	if row >= 0 {
		t.Fatalf("row %d is %v", row, colour)
	}
	s.refused("capture.screenshot", map[string]any{"fullPage": true, "format": "webp"}, fault.ResultTooLarge)
}
