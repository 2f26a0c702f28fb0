package locator

import (
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// isRef says by hand what a ref is: e12, f2e7.
func isRef(text string) bool {
	digits := func(text string) (rest string, ok bool) {
		rest = strings.TrimLeft(text, "0123456789")
		return rest, len(rest) < len(text)
	}
	if after, frame := strings.CutPrefix(text, "f"); frame {
		var ok bool
		if text, ok = digits(after); !ok {
			return false
		}
	}
	after, ok := strings.CutPrefix(text, "e")
	if !ok {
		return false
	}
	rest, ok := digits(after)
	return ok && rest == ""
}

// FuzzParse: a locator names an element in exactly one way, nothing is made up that is
// not in the text, and a name in quotes, whatever is in it, comes back as it was.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"e12", "f2e7", "e", "f2", `button "Sign in"`, `link 'It'`, "#id", ".class", "a[href]", "css=.x", "ref=e1", "id=save", "testid=", "text=Sign in",
		"main", "form", "example.com", `role=button[name="Save"]`, "role=button", `"quoted"`, `""`, "id=''", "x >>> y", `button "a\"b"`, "", " \t", "\"", "id='", "\x00", "\xff", "\"a\nb\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		target, err := Parse(text)
		if err != nil {
			value := strings.TrimSpace(text)
			for _, key := range []string{"ref=", "id=", "testid=", "css=", "text="} {
				value = strings.TrimPrefix(value, key)
			}
			if value != "" && value != `""` && value != "''" {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		ways := 0
		for _, value := range []string{target.Ref, target.StableID, target.ID, target.Selector, target.Text, target.Role} {
			if value != "" {
				ways++
			}
			if len(value) > len(text) {
				t.Fatalf("%q became %q", text, value)
			}
		}
		if ways != 1 || target.Name != "" && target.Role == "" {
			t.Fatalf("%q is %+v", text, target)
		}
		if trimmed := strings.TrimSpace(text); isRef(trimmed) != (target == protocol.Target{Ref: trimmed}) {
			t.Fatalf("%q is %+v", text, target)
		}
		escaped := `button "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
		if named, err := Parse(escaped); err != nil || (named != protocol.Target{Role: "button", Name: text}) {
			t.Fatalf("%q is %+v, %v", escaped, named, err)
		}
	})
}
