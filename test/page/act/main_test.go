// Package act tests the page bridge's commands and collectors in a real Chromium: the
// bridge in an isolated world, as in a content script.
package act

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/page/chromium"
)

var (
	browser   *chromium.Browser
	driver    string // the bridge with what the tests call
	mainworld string // the registered hook
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	root, err := bundle.Root()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, part := range []struct {
		source string
		to     *string
	}{
		{filepath.Join(root, "test", "page", "act", "entry.ts"), &driver},
		{"src/page/mainworld/main.ts", &mainworld},
	} {
		code, err := bundle.Script(root, bundle.Entry{Source: part.source})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		*part.to = string(code)
	}
	browser, err = chromium.Start()
	if errors.Is(err, chromium.ErrNoChromium) {
		fmt.Fprintln(os.Stderr, "skipped:", err)
		return 0
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer browser.Close()
	return m.Run()
}

const world = "bridge"

// site serves pages by path; what a page's policy reports is collected.
type site struct {
	*httptest.Server
	mu      sync.Mutex
	reports []string
}

type pageSpec struct {
	html    string
	headers map[string]string
}

func serve(t *testing.T, pages map[string]pageSpec) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/report" {
			var body json.RawMessage
			_ = json.NewDecoder(r.Body).Decode(&body)
			s.mu.Lock()
			s.reports = append(s.reports, string(body))
			s.mu.Unlock()
			return
		}
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for name, value := range page.headers {
			w.Header().Set(name, value)
		}
		fmt.Fprint(w, page.html)
	}))
	t.Cleanup(s.Close)
	return s
}

// open loads html and puts the driver into an isolated world of it.
func open(t *testing.T, html string) *chromium.Page {
	t.Helper()
	s := serve(t, map[string]pageSpec{"/": {html: html}})
	page := browser.Open(t)
	page.Load(s.URL + "/")
	page.World(world, driver)
	return page
}

// withBridge is open with a bridge made; options is a JavaScript object.
func withBridge(t *testing.T, html, options string) *chromium.Page {
	t.Helper()
	page := open(t, html)
	page.EvalIn(world, "act.make("+options+")", nil)
	return page
}

// outcome is what act.run gives.
type outcome struct {
	OK      bool           `json:"ok"`
	Effect  string         `json:"effect"`
	Result  map[string]any `json:"result"`
	Acted   int            `json:"acted"`
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// do runs one command; fields is the inside of a JavaScript object.
func do(t *testing.T, page *chromium.Page, kind, fields string) outcome {
	t.Helper()
	command := fmt.Sprintf("{type:%q", kind)
	if fields != "" {
		command += "," + fields
	}
	var out outcome
	page.EvalIn(world, "act.run("+command+"})", &out)
	return out
}

// must is do for commands that have to succeed.
func must(t *testing.T, page *chromium.Page, kind, fields string) outcome {
	t.Helper()
	out := do(t, page, kind, fields)
	if !out.OK {
		t.Fatalf("%s %s: %s %s %v", kind, fields, out.Code, out.Message, out.Details)
	}
	return out
}

// log reads the page's own event log.
func eventLog(page *chromium.Page) string {
	var log []string
	page.Eval("window.log ?? []", &log)
	return strings.Join(log, " ")
}
