package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/browser"
	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

const patience = 10 * time.Second

var (
	site   *pages.Site
	shared = sync.OnceValues(func() (*world, error) { return start(nil) })
	used   bool
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	served, err := pages.Serve()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	site = served
	code := m.Run()
	if used {
		if w, err := shared(); err == nil {
			w.stop(true)
		}
	}
	_ = site.Close()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// world is a managed browser, with the manager and the hub that it feeds.
type world struct {
	process *chrome.Process
	direct  *browser.Direct
	manager *page.Manager
	hub     *session.Hub
	profile string

	mu   sync.Mutex
	side []string // "op payload" of events that change no page
}

func start(change func(*browser.Options)) (*world, error) {
	found, err := chrome.Find("")
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "dbridge-browser-test-")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	process, err := chrome.Launch(ctx, chrome.LaunchOptions{
		Executable: found.Path, UserDataDir: profile, Headless: true, Width: 1000, Height: 800, Args: []string{"--site-per-process"},
	})
	if err != nil {
		_ = os.RemoveAll(profile)
		return nil, err
	}
	w := &world{process: process, profile: profile}
	log := zerolog.New(io.Discard)
	if os.Getenv("BROWSER_TEST_LOG") != "" {
		log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr})
	}
	w.hub = session.NewHub(session.Config{Epoch: "e", HostVersion: "test", Log: log})
	w.manager = page.NewManager(w.hub, noSDK{}, log)
	w.manager.OnSide(func(_ page.Browser, _ *page.Tab, op string, payload jsontext.Value) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.side = append(w.side, op+" "+string(payload))
	})
	options := browser.Options{ID: "managed-test", Source: protocol.SourceManaged, Session: "default", Log: log, Report: w.manager}
	if change != nil {
		change(&options)
	}
	w.direct, err = browser.Open(ctx, process.Transport(), options)
	if err != nil {
		_ = process.Stop(ctx)
		_ = os.RemoveAll(profile)
		return nil, err
	}
	return w, nil
}

func (w *world) stop(quit bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = w.direct.Close(ctx, quit)
	_ = w.process.Stop(ctx)
	w.manager.Close()
	w.hub.Close()
	_ = os.RemoveAll(w.profile)
}

// noSDK is a daemon without apps.
type noSDK struct{}

func (noSDK) Merge(string, *session.Page)                        {}
func (noSDK) Unmerge(string, *session.Page)                      {}
func (noSDK) App(string, *session.Page) (session.Executor, bool) { return nil, false }

// use gives the browser that the tests share.
func use(t *testing.T) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	w, err := shared()
	if err != nil {
		if fault.From(err).Details["reason"] == "not_found" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	used = true
	return w
}

// own starts a browser for one test alone.
func own(t *testing.T, change func(*browser.Options)) *world {
	t.Helper()
	w, err := start(change)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { w.stop(true) })
	return w
}

// view is one tab of a test, with an agent that listens.
type view struct {
	t     *testing.T
	w     *world
	id    int // the browser's number
	tab   *page.Tab
	agent *session.Agent

	mu   sync.Mutex
	seen []map[string]any
	more chan struct{}
}

// open opens a tab on an address of the site.
func (w *world) open(t *testing.T, url string) *view {
	t.Helper()
	agent := w.hub.Open("default").Attach(session.AttachOptions{Name: "tester"})
	v := &view{t: t, w: w, agent: agent, more: make(chan struct{})}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(done)
		for {
			batch, err := agent.Next(ctx)
			if err != nil {
				return
			}
			v.mu.Lock()
			for _, data := range batch {
				message := map[string]any{}
				if json.Unmarshal(data, &message) == nil {
					v.seen = append(v.seen, message)
				}
			}
			close(v.more)
			v.more = make(chan struct{})
			v.mu.Unlock()
		}
	}()
	var opened struct{ TabID int }
	v.call("tabs.open", map[string]any{"url": url}, &opened)
	v.id = opened.TabID
	v.tab = w.tabOf(t, v.id)
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), patience)
		defer stop()
		_, _ = w.direct.Call(ctx, "tabs.close", map[string]any{"tabId": v.id})
		cancel()
		<-done
		agent.Detach()
	})
	return v
}

func (w *world) tabOf(t *testing.T, id int) *page.Tab {
	t.Helper()
	for _, tab := range w.manager.Tabs("default") {
		if tab.TabID() == id {
			return tab
		}
	}
	t.Fatalf("the manager has no tab %d", id)
	return nil
}

func (v *view) try(op string, payload map[string]any, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := v.w.direct.Call(ctx, op, payload)
	if err != nil {
		return err
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(raw, into)
}

func (v *view) call(op string, payload map[string]any, into any) {
	v.t.Helper()
	if err := v.try(op, payload, into); err != nil {
		v.t.Fatalf("%s: %v", op, err)
	}
}

// run performs a protocol command on the tab.
func (v *view) run(name string, params any) (session.Outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return v.tab.Perform(ctx, name, params, func() {})
}

func (v *view) must(name string, params any) session.Outcome {
	v.t.Helper()
	out, err := v.run(name, params)
	if err != nil {
		v.t.Fatalf("%s: %v %v", name, err, fault.From(err).Details)
	}
	return out
}

func (v *view) navigate(url string) {
	v.t.Helper()
	v.must("navigate", &protocol.NavigateParams{URL: url})
}

// eval evaluates in the page's own world.
func (v *view) eval(code string) any {
	v.t.Helper()
	return v.must("evaluate", &protocol.EvaluateParams{Expression: code}).Result
}

// await waits for a message of this tab's page, from the first one on.
func (v *view) await(what string, fits func(map[string]any) bool) map[string]any {
	v.t.Helper()
	deadline := time.After(patience)
	for {
		v.mu.Lock()
		more := v.more
		for _, message := range v.seen {
			if message["pageId"] == float64(v.tab.PageID()) && fits(message) {
				v.mu.Unlock()
				return message
			}
		}
		v.mu.Unlock()
		select {
		case <-more:
		case <-deadline:
			v.t.Fatalf("never came: %s", what)
		}
	}
}

// messages gives what came of this tab's page.
func (v *view) messages(kind string) []map[string]any {
	v.mu.Lock()
	defer v.mu.Unlock()
	var list []map[string]any
	for _, message := range v.seen {
		if message["pageId"] == float64(v.tab.PageID()) && message["type"] == kind {
			list = append(list, message)
		}
	}
	return list
}

// until waits for a condition that is asked again and again.
func (v *view) until(what string, condition func() bool) {
	v.t.Helper()
	deadline := time.Now().Add(patience)
	for !condition() {
		if time.Now().After(deadline) {
			v.t.Fatalf("never true: %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// items is the page's tree.
func (v *view) items() []protocol.UITreeItem {
	v.t.Helper()
	var items []protocol.UITreeItem
	v.until("a tree", func() bool {
		tree, ok := v.tab.CurrentTree()
		if ok {
			items = tree.Items
		}
		return ok
	})
	return items
}

func (v *view) names(role string) []string {
	v.t.Helper()
	var names []string
	for _, item := range v.items() {
		if item.Role == role {
			names = append(names, item.Name)
		}
	}
	return names
}
