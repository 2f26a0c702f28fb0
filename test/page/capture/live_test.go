package capture_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/browser"
	"github.com/debug-bridge/debug-bridge/host/internal/capture"
	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

const patience = 10 * time.Second

var (
	site   *pages.Site
	shared = sync.OnceValues(start)
	used   bool
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	served, err := pages.Serve()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	site = served
	defer site.Close()
	code := m.Run()
	if used {
		if w, err := shared(); err == nil {
			w.stop()
		}
	}
	return code
}

// world is a managed browser whose pages are outlined.
type world struct {
	process *chrome.Process
	direct  *browser.Direct
	manager *page.Manager
	hub     *session.Hub
	profile string
}

type noSDK struct{}

func (noSDK) Merge(string, *session.Page)                        {}
func (noSDK) Unmerge(string, *session.Page)                      {}
func (noSDK) App(string, *session.Page) (session.Executor, bool) { return nil, false }

func start() (*world, error) {
	found, err := chrome.Find("")
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "dbridge-capture-test-")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	w := &world{profile: profile}
	w.process, err = chrome.Launch(ctx, chrome.LaunchOptions{Executable: found.Path, UserDataDir: profile, Headless: true, Width: 1000, Height: 800})
	if err != nil {
		_ = os.RemoveAll(profile)
		return nil, err
	}
	log := zerolog.New(io.Discard)
	w.hub = session.NewHub(session.Config{Epoch: "e", HostVersion: "test", Log: log})
	w.manager = page.NewManager(w.hub, noSDK{}, log)
	w.direct, err = browser.Open(ctx, w.process.Transport(), browser.Options{ID: "managed-test", Source: protocol.SourceManaged, Session: "default", Log: log, Report: w.manager})
	if err != nil {
		_ = w.process.Stop(ctx)
		_ = os.RemoveAll(profile)
		return nil, err
	}
	return w, nil
}

func (w *world) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = w.direct.Close(ctx, true)
	_ = w.process.Stop(ctx)
	w.manager.Close()
	w.hub.Close()
	_ = os.RemoveAll(w.profile)
}

// view is a tab.
type view struct {
	t   testing.TB
	tab *page.Tab
}

func open(t testing.TB, url string) *view {
	t.Helper()
	w, err := shared()
	if err != nil {
		t.Skip(err)
	}
	used = true
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := w.direct.Call(ctx, "tabs.open", map[string]any{"url": url})
	if err != nil {
		t.Fatal(err)
	}
	var opened struct{ TabID int }
	if err := json.Unmarshal(raw, &opened); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), patience)
		defer stop()
		_, _ = w.direct.Call(ctx, "tabs.close", map[string]any{"tabId": opened.TabID})
	})
	for _, tab := range w.manager.Tabs("default") {
		if tab.TabID() == opened.TabID {
			v := &view{t, tab}
			if _, err := v.tab.Ready(ctx, page.UntilLoad); err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatal("the manager has no such tab")
	return nil
}

// html opens a page of its own.
func html(t testing.TB, body string) *view {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><html lang=en><title>T</title>"+body)
	}))
	t.Cleanup(server.Close)
	return open(t, server.URL)
}

func (v *view) outline(options page.OutlineOptions) *capture.Outline {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	o, err := v.tab.Outline(ctx, options)
	if err != nil {
		v.t.Fatal(err)
	}
	return o
}

func (v *view) eval(code string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := v.tab.Perform(ctx, "evaluate", &protocol.EvaluateParams{Expression: code}, func() {}); err != nil {
		v.t.Fatal(err)
	}
}

func TestLook(t *testing.T) {
	for name, url := range map[string]string{"form": "/form", "list1k": "/list?n=1000", "list10k": "/list?n=10000", "frames": "/frames", "app": "/app/"} {
		v := open(t, site.URL(url))
		v.outline(page.OutlineOptions{})
		at := time.Now()
		o := v.outline(page.OutlineOptions{})
		read := time.Since(at)
		at = time.Now()
		text := capture.Render(o, capture.Options{})
		fmt.Println(name, "read", read, "render", time.Since(at), "outline", o.Size(), "text", len(text.Body))
		full := capture.Render(o, capture.Options{Full: true})
		_ = os.WriteFile("/tmp/see-tok/"+name+".txt", []byte(o.Title+" "+o.URL+"\n"+text.Body), 0o600)
		_ = os.WriteFile("/tmp/see-tok/"+name+"-full.txt", []byte(o.Title+" "+o.URL+"\n"+full.Body), 0o600)
	}
}

func BenchmarkOutline(b *testing.B) {
	for _, path := range []string{"/form", "/list?n=1000", "/list?n=10000"} {
		b.Run(path, func(b *testing.B) {
			v := open(b, site.URL(path))
			v.outline(page.OutlineOptions{})
			for b.Loop() {
				capture.Render(v.outline(page.OutlineOptions{}), capture.Options{})
			}
		})
	}
}
