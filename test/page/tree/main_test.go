// Package tree tests the page bridge's roles, names, UI tree, target resolution
// and actionability in a real Chromium, in an isolated world as the extension
// runs them.
package tree

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/debug-bridge/debug-bridge/test/page/chromium"
)

const world = "bridge"

var (
	browser *chromium.Browser
	skip    string
	bundle  = sync.OnceValues(build)
)

func TestMain(m *testing.M) {
	code := func() int {
		var err error
		browser, err = chromium.Start()
		if errors.Is(err, chromium.ErrNoChromium) {
			skip = err.Error()
		} else if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		} else {
			defer browser.Close()
		}
		return m.Run()
	}()
	os.Exit(code)
}

func build() (string, error) {
	root, err := chromium.Root()
	if err != nil {
		return "", err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(root, "test", "page", "tree", "entry.ts")},
		Bundle:      true,
		Format:      api.FormatIIFE,
		Target:      api.ES2024,
		Write:       false,
	})
	if len(result.Errors) > 0 {
		return "", fmt.Errorf("bundle: %s", result.Errors[0].Text)
	}
	return string(result.OutputFiles[0].Contents), nil
}

// open loads the HTML and the bridge's parts into an isolated world of it.
func open(t testing.TB, html string) *chromium.Page {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/child" {
			_, _ = w.Write([]byte("<!doctype html><button>inside</button>"))
			return
		}
		_, _ = w.Write([]byte(html))
	}))
	t.Cleanup(server.Close)
	return openURL(t, server.URL)
}

func openURL(t testing.TB, url string) *chromium.Page {
	t.Helper()
	if skip != "" {
		t.Skip(skip)
	}
	page := browser.Open(t)
	page.Load(url)
	source, err := bundle()
	if err != nil {
		t.Fatal(err)
	}
	page.World(world, source)
	return page
}

// ask evaluates in the bridge's world.
func ask[V any](t testing.TB, page *chromium.Page, expression string) V {
	t.Helper()
	var value V
	page.EvalIn(world, expression, &value)
	return value
}

// do evaluates in the page's own world.
func do(t *testing.T, page *chromium.Page, script string) {
	t.Helper()
	page.Eval("(()=>{"+script+"\n;return 0})()", new(int))
}

func doc(body string) string {
	return "<!doctype html><html lang=en><title>t</title>" + strings.TrimSpace(body)
}
