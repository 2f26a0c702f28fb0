package dashboard

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// sample is a daemon with much to tell.
const sample = `{"ok":true,"data":{"sessions":[{"id":"default","own":false,"pages":3,"agents":2,"lastSeq":9},{"id":"staging","own":false,"pages":0,"agents":0,"lastSeq":0}],
"pages":[{"page":1,"session":"default","url":"http://localhost:3000/","title":"Harbour shop","source":"extension","level":"control","connected":true,"current":true,"heldBy":"reviewer"},
{"page":2,"session":"default","url":"https://example.org/LONG","title":"LONG","source":"managed","level":"act","connected":true},
{"page":3,"session":"default","url":"https://he.example/","title":"שלום עולם","source":"remote","level":"observe","connected":false}],
"agents":[{"session":"default","name":"reviewer"},{"session":"default","name":"LONG"}],
"recent":[{"at":1767225600000,"session":"default","agent":"reviewer","command":"element.click","page":1,"ok":true,"ms":12},
{"at":1767225590000,"session":"default","agent":"LONG","command":"page.navigate","page":2,"ok":false,"code":"NAVIGATION_INTERRUPTED","ms":3020}]},"meta":{}}`

// lines are what the sample's pages logged.
const lines = `event: welcome
data: {"type":"welcome"}

event: console
data: {"type":"console","level":"log","args":["ready"],"pageId":1,"timestamp":1767225600000}

event: console
data: {"type":"console","level":"warn","args":["LONG"],"pageId":2,"timestamp":1767225600000}

event: error
data: {"type":"error","message":"total is not defined","pageId":3,"timestamp":1767225600000}

`

// TestAudit: our own audits find nothing serious in the page, full and empty, light
// and dark, wide and narrow. It is served with a sample of what a daemon tells, because
// no managed browser may go to the daemon itself.
func TestAudit(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	source := browsertest.Start(t, browsertest.Options{NoBrowser: true})
	daemon, token := source.StartDaemon(), source.Token("looker", "--role", "agent")
	long := func(text string) string {
		return strings.ReplaceAll(text, "LONG", strings.Repeat("a long word and ", 60))
	}
	var empty atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/overview" && empty.Load():
			_, _ = io.WriteString(w, `{"ok":true,"data":{"sessions":[],"pages":[],"agents":[],"recent":[]},"meta":{}}`)
		case r.URL.Path == "/v1/overview":
			_, _ = io.WriteString(w, long(sample))
		case r.URL.Path == "/v1/events":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, long(lines))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, daemon.HTTPURL+r.URL.Path, nil)
			if err != nil {
				t.Error(err)
				return
			}
			request.SetBasicAuth("anyone", token)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			for _, name := range []string{"Content-Type", "Content-Security-Policy"} {
				w.Header().Set(name, response.Header.Get(name))
			}
			w.WriteHeader(response.StatusCode)
			_, _ = io.Copy(w, response.Body)
		}
	}))
	defer server.Close()
	e := commandtest.Managed(t)
	for _, look := range []struct {
		name, viewport, scheme, ready string
		empty                         bool
	}{
		{"full", "1280x900", "light", "document.querySelectorAll('#console .line').length === 3", false},
		{"full, dark and narrow", "380x800", "dark", "document.querySelectorAll('#console .line').length === 3", false},
		{"empty, dark", "1280x900", "dark", "!document.getElementById('pages-empty').hidden", true},
		{"empty and narrow", "380x800", "light", "!document.getElementById('pages-empty').hidden", true},
	} {
		empty.Store(look.empty)
		e.OK("emulation", "set", "--viewport", look.viewport, "--color-scheme", look.scheme)
		e.OK("page", "navigate", server.URL+"/")
		browsertest.Until(t, patience, look.name, func() bool { return e.Eval(look.ready) == true })
		if text := e.Text("audit", "a11y"); !strings.HasPrefix(text, "no violations") {
			t.Errorf("%s: %s", look.name, text)
		}
		text := e.Text("layout", "diagnose")
		if !strings.Contains(text, "elements examined") {
			t.Errorf("%s: %s", look.name, text)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "critical ") || strings.HasPrefix(line, "high ") {
				t.Errorf("%s: %s", look.name, line)
			}
		}
		if wide := e.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth"); fmt.Sprint(wide) != "0" {
			t.Errorf("%s: %v px wider than the window", look.name, wide)
		}
	}
}
