package devtools

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
)

// host is a browser that is never asked.
type host struct{ folder string }

func (host) Conn() *cdp.Conn                       { return nil }
func (host) Allow(string) error                    { return nil }
func (h host) Downloads() string                   { return h.folder }
func (host) EachPage(func(string, string, string)) {}
func (host) TargetURL(string) string               { return "" }

// N-25: where downloads go, and which files a page gets, by who asks.
func TestFilesOfThisComputer(t *testing.T) {
	t.Parallel()
	const download, give, drop = "Browser.setDownloadBehavior", "DOM.setFileInputFiles", "Input.dispatchDragEvent"
	for _, c := range []struct {
		name, folder string
		local        bool
		method       string
		params, want string // empty: refused
	}{
		{"default context", "/d", true, download, `{"behavior":"allow","downloadPath":"/etc"}`, `{"behavior":"allowAndName","downloadPath":"/d"}`},
		{"default context, denied", "/d", false, download, `{"behavior":"deny","eventsEnabled":true}`, `{"behavior":"allowAndName","downloadPath":"/d","eventsEnabled":true}`},
		{"token, own context", "/d", false, download, `{"behavior":"allow","browserContextId":"C","downloadPath":"/etc","eventsEnabled":true}`, `{"behavior":"allow","browserContextId":"C","downloadPath":"/d","eventsEnabled":true}`},
		{"token, own context, denied", "/d", false, download, `{"behavior":"deny","browserContextId":"C"}`, `{"behavior":"deny","browserContextId":"C"}`},
		{"own script, own context", "/d", true, download, `{"behavior":"allow","browserContextId":"C","downloadPath":"/tmp"}`, `{"behavior":"allow","browserContextId":"C","downloadPath":"/tmp"}`},
		{"remote browser", "", false, download, `{"behavior":"allow","downloadPath":"/there"}`, `{"behavior":"allow","downloadPath":"/there"}`},
		{"two paths", "/d", false, download, `{"behavior":"allow","downloadPath":"/d","downloadPath":"/etc"}`, ""},
		{"token, file", "/d", false, give, `{"files":["/etc/passwd"]}`, ""},
		{"token, way out", "/d", false, give, `{"files":["/d/../etc/passwd"]}`, ""},
		{"token, way in", "/d", false, give, `{"files":["/d/sub/x"]}`, ""},
		{"token, one of two", "/d", false, give, `{"files":["/d/x","/x"]}`, ""},
		{"token, downloaded", "/d", false, give, `{"files":["/d/x"]}`, `{"files":["/d/x"]}`},
		{"token, none", "/d", false, give, `{"files":[]}`, `{"files":[]}`},
		{"token, remote browser", "", false, give, `{"files":["/x"]}`, ""},
		{"own script, file", "/d", true, give, `{"files":["/x"]}`, `{"files":["/x"]}`},
		{"token, dropped", "/d", false, drop, `{"type":"drop","data":{"files":["/x"]}}`, ""},
		{"token, dropped text", "/d", false, drop, `{"type":"drop","data":{"items":[]}}`, `{"type":"drop","data":{"items":[]}}`},
	} {
		p := &directPort{d: NewDirect(host{c.folder}, c.local)}
		params, refused := p.judge(Message{ID: 1, Method: c.method, Params: jsontext.Value(c.params)})
		if c.want == "" && refused == nil || c.want != "" && (refused != nil || string(params) != c.want) {
			t.Errorf("%s: %s %+v, want %s", c.name, params, refused, c.want)
		}
	}
}
