package page

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// FuzzParseChord: what is no chord is refused in words; of a chord each key that goes
// down comes up, the last one down first, and its written form is the same chord.
func FuzzParseChord(f *testing.F) {
	for _, seed := range []string{
		"Enter", "a", "Control+Shift+K", "ControlOrMeta+A", "Control++", "+", "shift+1", "Shift+plus", "cmd+opt+esc", "é", "Control+é",
		"NumpadAdd", "F13", "Control+", "++", "+++", " ", "Control+Control+a", "a+b", "Ctrl + c", "\x00", "\xff", "spacebar", "İ",
	} {
		f.Add(seed, 1)
	}
	f.Fuzz(func(t *testing.T, text string, repeat int) {
		repeat %= 20
		chord, err := ParseChord(text)
		if err != nil {
			if failure := fault.From(err); failure.Code != fault.ValidationError || len(failure.Suggestions) == 0 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		var down []string
		var ups int
		for _, send := range chord.Press(repeat) {
			event, ok := send.Params.(input.DispatchKeyEventParams)
			if !ok || event.Key == "" {
				t.Fatalf("%q sends %+v", text, send)
			}
			switch event.Type {
			case input.DispatchKeyEventTypeKeyUp:
				if last := len(down) - 1; last < 0 || down[last] != event.Key {
					t.Fatalf("%q: %s comes up while %q are down", text, event.Key, down)
				}
				down = down[:len(down)-1]
				if ups++; len(down) == 0 && event.Modifiers != 0 {
					t.Fatalf("%q: modifiers %d are left", text, event.Modifiers)
				}
			default:
				if event.AutoRepeat == nil {
					down = append(down, event.Key)
				}
			}
		}
		if len(down) > 0 || ups != len(chord.Modifiers)+1 {
			t.Fatalf("%q: %q stay down, %d came up", text, down, ups)
		}
		last := chord.Key.Key
		if chord.Key.Location == 3 || last == " " {
			last = chord.Key.Code
		}
		written := strings.Join(append(chord.Modifiers, last), "+")
		again, err := ParseChord(written)
		if err != nil || again.Key != chord.Key || strings.Join(again.Modifiers, "+") != strings.Join(chord.Modifiers, "+") {
			t.Fatalf("%q is %+v; written %q it is %+v (%v)", text, chord, written, again, err)
		}
	})
}
