package skill

import (
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

func TestLook(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want State
	}{
		"ours":              {Text(), State{Version: version.Version}},
		"another version":   {OfVersion("12.0.3"), State{Version: "12.0.3"}},
		"as git has it":     {strings.ReplaceAll(Text(), "\n", "\r\n"), State{Version: version.Version}},
		"a word more":       {Text() + "more", State{Version: version.Version, Changed: true}},
		"the version moved": {strings.Replace(Text(), `version: "`+version.Version, `version: "9.9.9`, 1), State{Version: "9.9.9", Changed: true}},
		"no digest":         {strings.Replace(Text(), "  digest:", "  other:", 1), State{Changed: true}},
		"another skill":     {"---\nname: debug-bridge\n---\n", State{Changed: true}},
		"empty":             {"", State{Changed: true}},
	} {
		if got := Look(c.text); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if strings.Contains(Text(), "{{") {
		t.Error("a mark was left in the text")
	}
}

func TestNewer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"0.1.0", "0.1.0", 0}, {"0.1.10", "0.1.9", 1}, {"0.2", "0.1.9", 1}, {"1.0.0", "0.9.9", 1}, {"0.1.0", "0.1", 0}, {"", "0.1.0", -1}, {"x.y", "0.0", 0},
	} {
		if got := Newer(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %d", c.a, c.b, got)
		}
		if got := Newer(c.b, c.a); got != -c.want {
			t.Errorf("%s, %s: %d", c.b, c.a, got)
		}
	}
}
