//go:build linux

package life

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// newerExtension writes the extension as one whose link has another version.
func newerExtension(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, browsertest.WriteExtension(dir))
	worker := filepath.Join(dir, "background.js")
	text, err := os.ReadFile(worker)
	must(t, err)
	newer := bytes.ReplaceAll(text, []byte("LINK_VERSION = 1"), []byte("LINK_VERSION = 2"))
	if bytes.Equal(newer, text) {
		t.Fatal("background.js has no LINK_VERSION")
	}
	must(t, os.WriteFile(worker, newer, 0o600))
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
	for shift := range 2 {
		// Above 8 MiB an answer is cut; a shift lets the cut fall on another byte of the same text.
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
	}{{20 << 20, true}, {64<<20 - 200, false}, {64<<20 + 1, false}, {100 << 20, false}} {
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
