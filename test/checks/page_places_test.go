package checks

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// P-07: each kind of page works, or is refused with the reason; none hangs.
func TestP07EveryKindOfPage(t *testing.T) {
	t.Parallel()
	pdf := "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
	s := servePages(t, map[string]string{"/": `<!doctype html><title>Home</title><button>Home button</button><script>
function blob() { return URL.createObjectURL(new Blob(['<title>Blob</title><button>Blob button</button>'], { type: 'text/html' })) }</script>`,
		"/srcdoc": `<!doctype html><title>Holder</title><iframe srcdoc="<button>Srcdoc button</button>"></iframe>`,
	}, map[string]http.HandlerFunc{
		"/file.pdf": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write([]byte(pdf))
		},
		"/text": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("plain text")) },
		"/json": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"a":"value of json"}`))
		},
		"/svg": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><a href="#x"><text y="20">Drawn text</text></a></svg>`))
		},
		"/png": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write([]byte("\x89PNG\r\n\x1a\n"))
		},
	})
	e := s.managed(t, "/")
	file := e.File("page.html")
	if err := os.WriteFile(file, []byte("<button>File button</button>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ url, sees string }{
		{"about:blank", ""}, {"data:text/html,<title>D</title><button>Data button</button>", "Data button"}, {s.url("/srcdoc"), "Srcdoc button"},
		{s.url("/text"), "plain text"}, {s.url("/json"), "value of json"}, {s.url("/svg"), "Drawn text"}, {s.url("/png"), ""}, {s.url("/file.pdf"), ""},
	} {
		within(t, 10*time.Second, c.url, func() {
			e.OK("page", "navigate", s.url("/"))
			a := e.Run("page", "navigate", c.url)
			if a.Exit != 0 {
				t.Errorf("%s: %s", c.url, a.Stdout)
			}
			if c.sees == "Srcdoc button" {
				e.OK("page", "wait-text", c.sees)
			}
			snapshot := e.Text("capture", "snapshot")
			contains(t, snapshot, c.sees)
			if got := e.OK("runtime", "eval", "1+1")["value"]; got != 2.0 {
				t.Errorf("%s: a script gives %v", c.url, got)
			}
			e.OK("capture", "screenshot")
		})
	}
	e.OK("page", "navigate", s.url("/"))
	e.OK("page", "navigate", e.Eval("blob()").(string))
	contains(t, e.Text("capture", "snapshot"), "Blob button")
	for _, url := range []string{"chrome://version", "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/popup.html", "devtools://devtools/bundled/inspector.html", "view-source:" + s.url("/"), "file://" + file, "javascript:alert(1)", "chrome-untrusted://print", "about:srcdoc", "filesystem:x"} {
		within(t, 3*time.Second, url, func() {
			a := e.Run("page", "navigate", url)
			if a.Exit == 0 && url != "about:srcdoc" || a.Exit != 0 && (a.Error.Message == "" || len(a.Error.Suggestions) == 0) {
				t.Errorf("%s: %s", url, a.Stdout)
			}
		})
	}
	// An error page says what is wrong, and goes on from there.
	a := e.Run("page", "navigate", "http://127.0.0.1:9/")
	if a.Exit == 0 || !strings.Contains(string(a.Stdout), "ERR_") {
		t.Errorf("%s", a.Stdout)
	}
	e.OK("page", "wait-text", "ERR_")
	e.OK("page", "navigate", s.url("/"))
	contains(t, e.Text("capture", "snapshot"), "Home button")
}

// P-09: what the browser prepares in advance is not told of as the page.
func TestP09Prerender(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{
		"/":     `<!doctype html><title>Live</title><link rel=icon href=data:,><script type=speculationrules>{"prerender":[{"source":"list","urls":["/next"],"eagerness":"immediate"}],"prefetch":[{"source":"list","urls":["/prefetched"],"eagerness":"immediate"}]}</script><a href=/next>Next</a><script>console.log('live')</script>`,
		"/next": `<!doctype html><title>Next</title><link rel=icon href=data:,><button>Next button</button><script>console.log('of next, prerendering ' + document.prerendering)</script>`, "/prefetched": `<title>Prefetched</title>`,
	}, nil)
	e := s.managed(t, "/")
	e.Run("page", "wait-idle")
	if pages := rowsOf(e.OK("page", "list"), "pages"); len(pages) != 1 || pages[0]["title"] != "Live" {
		t.Errorf("%v", pages)
	}
	if text := e.Text("console", "list"); strings.Contains(text, "of next") {
		t.Errorf("a line of a page that is not shown:\n%s", text)
	}
	if snapshot := e.Text("capture", "snapshot"); strings.Contains(snapshot, "Next button") {
		t.Errorf("%s", snapshot)
	}
	e.OK("element", "click", `link "Next"`)
	e.OK("page", "wait-text", "Next button")
	told := func() int { return strings.Count(e.Text("console", "list"), "of next, prerendering") }
	browsertest.Until(t, browsertest.Patience, "the line of the page", func() bool { return told() > 0 })
	if n := told(); n != 1 {
		t.Errorf("the line of the page is told %d times", n)
	}
	if got := e.Eval("document.prerendering"); got != false {
		t.Errorf("prerendering is %v", got)
	}
	e.OK("page", "navigate", "--back")
	contains(t, e.Text("capture", "snapshot"), "Next")
}
