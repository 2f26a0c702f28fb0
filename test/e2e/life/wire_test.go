//go:build linux

package life

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// newerExtension writes the extension as one whose link has another version.
func newerExtension(t *testing.T) string {
	t.Helper()
	root, err := bundle.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := bundle.Extension(root)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	dir := t.TempDir()
	for name, content := range files {
		if name == "background.js" {
			text := string(content)
			changed = strings.Count(text, "LINK_VERSION = 1")
			content = []byte(strings.ReplaceAll(text, "LINK_VERSION = 1", "LINK_VERSION = 2"))
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if changed == 0 {
		t.Fatal("background.js has no LINK_VERSION")
	}
	return dir
}

// Text whose characters take two, three and four bytes goes both ways unchanged,
// whatever place the cuts between the pieces fall on (F-03).
func TestF03TextOfManyBytes(t *testing.T) {
	p := connect(t, "control", "/page/One")
	unit := "aé漢😀" // 1 + 2 + 3 + 4 bytes
	// Near the most that an agent may send at once, and two pieces on the native port.
	sent := strings.Repeat(unit, 980_000/len(unit))
	result := p.agent.Do("evaluate", params{"code": "window.got = '" + sent + "'; got.length"})
	if got, want := value(result.Fields["result"]), float64(len(sent)/len(unit)*5); got != want {
		t.Errorf("the page got %v characters, want %v", got, want)
	}
	var same bool
	if p.tab.Eval("got === 'aé漢😀'.repeat(got.length / 5)", &same); !same {
		t.Error("the page got another text")
	}
	for shift := range 4 {
		// Above 8 MiB an answer is cut; each shift lets the cut fall on another byte.
		times := 9 << 20 / len(unit)
		result := p.agent.Do("evaluate", params{"code": fmt.Sprintf("'x'.repeat(%d) + 'aé漢😀'.repeat(%d)", shift, times), "timeoutMs": 60000})
		if got, _ := value(result.Fields["result"]).(string); got != strings.Repeat("x", shift)+strings.Repeat(unit, times) {
			t.Errorf("shift %d: another text of %d bytes came, want %d", shift, len(got), shift+times*len(unit))
		}
	}
	// Half a pair is no text: it is replaced, and nothing is lost for it.
	result = p.agent.Do("evaluate", params{"code": "'<' + String.fromCharCode(0xd83d) + '>'"})
	if got := value(result.Fields["result"]); got != "<\ufffd>" {
		t.Errorf("a lone surrogate came as %q", got)
	}
	p.works()
}

// Results up to the limit arrive, larger ones are refused with their size, and the port lives on (F-05).
func TestF05LargeResults(t *testing.T) {
	p := connect(t, "control", "/page/One")
	host := relay()
	for _, c := range []struct {
		bytes   int
		arrives bool
	}{{20 << 20, true}, {64<<20 - 200, false}, {64 << 20, false}, {64<<20 + 1, false}, {100 << 20, false}} {
		result := p.agent.Result(p.agent.Start("evaluate", params{"code": fmt.Sprintf("'y'.repeat(%d)", c.bytes), "timeoutMs": 60000}), 3*browsertest.Patience)
		text, _ := value(result.Fields["result"]).(string)
		switch {
		case c.arrives && len(text) != c.bytes:
			t.Errorf("%d bytes: %.300s", c.bytes, result.Raw)
		case !c.arrives && result.Code() != "RESULT_TOO_LARGE":
			t.Errorf("%d bytes: %.300s", c.bytes, result.Raw)
		case !c.arrives:
			t.Logf("%d bytes: %.400s", c.bytes, result.Raw)
		}
	}
	p.works()
	if now := relay(); now != host {
		t.Errorf("the port was lost: relay %d, was %d", now, host)
	}
}
