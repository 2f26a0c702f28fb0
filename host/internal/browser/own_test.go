package browser_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/browser"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Only tabs that are opened through us, and what they open, become pages.
func TestOwnTabsAlone(t *testing.T) {
	w := own(t, func(o *browser.Options) { o.Adopt, o.Source = browser.AdoptOwn, protocol.SourceRemote })
	if tabs := w.manager.Tabs("default"); len(tabs) != 0 {
		t.Fatalf("%d tabs that are not ours", len(tabs))
	}
	v := w.open(t, site.URL("/page/mine"))
	v.until("the tree", func() bool { return slices.Equal(v.names("button"), []string{"Button of mine"}) })
	v.eval("document.getElementById('b').onclick = () => { window.open('/page/child') }; 1")
	v.must("click", &protocol.ClickParams{Target: protocol.Target{Role: "button", Name: "Button of mine"}})
	v.until("its popup", func() bool { return len(w.manager.Tabs("default")) == 2 })
}

// The browser ends by itself: its pages are crashed, and nothing hangs.
func TestBrowserThatDies(t *testing.T) {
	w := own(t, nil)
	v := w.open(t, site.URL("/form"))
	failed := make(chan error, 1)
	go func() {
		_, err := v.run("evaluate", &protocol.EvaluateParams{Expression: "new Promise(() => {})"})
		failed <- err
	}()
	_ = w.process.Stop(t.Context())
	select {
	case <-w.direct.Done():
	case <-time.After(patience):
		t.Fatal("the end of the connection is not told")
	}
	v.await("the end", func(m map[string]any) bool { return m["type"] == "app_disconnected" })
	if err := <-failed; err == nil {
		t.Fatal("a script of a browser that died succeeded")
	}
}

func BenchmarkPage(b *testing.B) {
	w, err := start(nil)
	if err != nil {
		b.Skip(err)
	}
	defer w.stop(true)
	for _, bench := range []struct{ name, path string }{{"form", "/form"}, {"list10000", "/list?n=10000"}} {
		var opened struct{ TabID int }
		v := &view{w: w}
		if err := v.try("tabs.open", map[string]any{"url": site.URL(bench.path)}, &opened); err != nil {
			b.Fatal(err)
		}
		payload := func(kind string) map[string]any {
			return map[string]any{"tabId": opened.TabID, "frameId": 0, "command": map[string]any{"type": kind}, "timeoutMs": 20000}
		}
		for _, kind := range []string{"frame_info", "request_ui_tree"} {
			b.Run(bench.name+"/"+kind, func(b *testing.B) {
				for b.Loop() {
					if err := v.try("bridge.call", payload(kind), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(bench.name+"/evaluate", func(b *testing.B) {
			for b.Loop() {
				if err := v.try("cdp.send", map[string]any{"tabId": opened.TabID, "method": "Runtime.evaluate", "params": map[string]any{"expression": "1"}}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestRawCommandsOfADirectBrowser(t *testing.T) {
	v := use(t).open(t, site.URL("/form"))
	if _, err := v.tab.CDP(t.Context(), "Network.getCookies", nil, ""); err != nil {
		t.Errorf("its own profile's cookies: %v", err)
	}
	for _, method := range []string{"Target.attachToTarget", "Browser.close"} {
		if _, err := v.tab.CDP(t.Context(), method, nil, ""); !errors.Is(err, fault.New(fault.PolicyDenied, "")) {
			t.Errorf("%s: %v", method, err)
		}
	}
	if _, err := v.tab.CDP(t.Context(), "No.such", nil, ""); !errors.Is(err, fault.New(fault.CapabilityMissing, "")) {
		t.Errorf("an unknown method: %v", err)
	}
}
