package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/browser"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// serve gives pages of a test's own.
func serve(t *testing.T, pages map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		kind := "text/html; charset=utf-8"
		if strings.HasSuffix(r.URL.Path, ".js") {
			kind = "text/javascript"
		}
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func reason(err error) any { return fault.From(err).Details["reason"] }

// lines are the page's console lines, as told.
func (v *view) lines() []string {
	var lines []string
	for _, message := range v.messages("console") {
		lines = append(lines, fmt.Sprint(message["args"].([]any)...))
	}
	return lines
}

func TestThreeLevelsOfProcesses(t *testing.T) {
	v := use(t).open(t, site.URL("/frames3"))
	// One level 2 of the own site and one of the other, each with a level 3 of the site it is not.
	want := []string{"Button 1", "Button 2", "Button 3", "Button 2", "Button 3"}
	v.until("the buttons of all levels", func() bool { return slices.Equal(v.names("button"), want) })
	for _, item := range v.items() {
		switch item.Role {
		case "button":
			if out := v.must("click", &protocol.ClickParams{Target: protocol.Target{Ref: item.Ref}}); out.Effect != protocol.EffectChanged {
				t.Errorf("%s %s: %+v", item.Ref, item.Name, out)
			}
		case "textbox":
			v.must("type", &protocol.TypeParams{Target: protocol.Target{Ref: item.Ref}, Text: "deep"})
		}
	}
	v.until("the values in all processes", func() bool {
		filled := 0
		for _, item := range v.items() {
			if item.Role == "textbox" && item.Value != nil && *item.Value == "deep" {
				filled++
			}
		}
		return filled == len(want)
	})
	v.until("each frame's line once", func() bool {
		return slices.Equal(slices.Sorted(slices.Values(v.lines())), []string{"frame ready1", "frame ready2", "frame ready2", "frame ready3", "frame ready3"})
	})
	v.eval("for (const f of document.querySelectorAll('iframe')) f.remove()")
	v.until("the frames are gone from the tree", func() bool { return slices.Equal(v.names("button"), []string{"Button 1"}) })
}

func TestConsoleAndErrorsOnceFromTheStart(t *testing.T) {
	url := serve(t, map[string]string{"/": `<title>c</title><script>console.log('first'); console.warn('second', {a: 1})</script>
		<script>setTimeout(() => { throw new Error('late') }); Promise.reject(new Error('refused')); debugger; console.log('last')</script>`})
	v := use(t).open(t, url)
	v.until("all lines", func() bool { return slices.Contains(v.lines(), "last") })
	// A line that was there before Runtime was on is told again without its preview (V8RuntimeAgentImpl::enable).
	if got := v.lines(); !slices.Equal(got, []string{"first", "second{a: 1}", "last"}) && !slices.Equal(got, []string{"first", "secondObject", "last"}) {
		t.Fatalf("%q", got)
	}
	v.await("the error", func(m map[string]any) bool { return m["type"] == "error" && m["message"] == "Uncaught Error: late" })
	v.await("the rejection", func(m map[string]any) bool { return m["type"] == "unhandledrejection" })
	if n := len(v.messages("error")); n != 1 {
		t.Fatalf("%d errors", n)
	}
}

func TestNavigationKinds(t *testing.T) {
	v := use(t).open(t, site.URL("/page/one"))
	v.navigate(site.CrossURL("/page/two")) // another process
	v.until("the page of the other process", func() bool { return v.eval("document.title") == "two" })
	v.must("navigate", &protocol.NavigateParams{Back: true})
	v.until("the page before", func() bool { return v.eval("document.title") == "one" })
	v.must("navigate", &protocol.NavigateParams{Forward: true})
	v.until("the page after", func() bool { return slices.Equal(v.names("button"), []string{"Button of two"}) })
	_, err := v.run("navigate", &protocol.NavigateParams{Forward: true})
	if !errors.Is(err, fault.New(fault.NavigationInterrupted, "")) || reason(err) != "refused" {
		t.Fatalf("past the end: %v", err)
	}
	v.eval("window.old = 1")
	v.must("navigate", &protocol.NavigateParams{Reload: true})
	if got := v.eval("typeof window.old"); got != "undefined" {
		t.Fatalf("after reload %v", got)
	}
	v.navigate(site.CrossURL("/page/two#part")) // within the document
	if got := v.tab.Info().URL; !strings.HasSuffix(got, "#part") {
		t.Fatalf("url %s", got)
	}
	_, err = v.run("navigate", &protocol.NavigateParams{URL: "http://127.0.0.1:1/"})
	if !errors.Is(err, fault.New(fault.NavigationInterrupted, "")) || !strings.HasPrefix(fmt.Sprint(reason(err)), "net::ERR_") {
		t.Fatalf("refused: %v %v", err, reason(err))
	}
	v.navigate(site.URL("/page/again"))
	v.until("a page after an error page", func() bool { return slices.Equal(v.names("button"), []string{"Button of again"}) })
	for _, url := range []string{"file:///etc/passwd", "chrome://version", "http://169.254.169.254/", "view-source:http://127.0.0.1/"} {
		if _, err := v.run("navigate", &protocol.NavigateParams{URL: url}); !errors.Is(err, fault.New(fault.PolicyDenied, "")) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestInitScriptAndBeforeUnload(t *testing.T) {
	v := use(t).open(t, site.URL("/dialogs"))
	v.call("tab.navigate", map[string]any{"tabId": v.id, "url": site.URL("/dialogs"), "initScript": "window.early = 7"}, nil)
	if got := v.eval("window.early"); got != 7.0 {
		t.Fatalf("init script: %v", got)
	}
	v.must("click", &protocol.ClickParams{Target: protocol.Target{Role: "button", Name: "Guard leaving"}})
	err := v.try("tab.navigate", map[string]any{"tabId": v.id, "url": site.URL("/page/x"), "beforeunload": "dismiss"}, nil)
	if reason(err) != "dialog_dismissed" {
		t.Fatalf("dismissed: %v", err)
	}
	if got := v.eval("document.title"); got != "Dialogs" {
		t.Fatalf("left: %v", got)
	}
	v.call("tab.navigate", map[string]any{"tabId": v.id, "url": site.URL("/page/x"), "beforeunload": "accept"}, nil)
	v.until("the next page, without the script", func() bool { return v.eval("document.title + typeof window.early") == "xundefined" })
}

func TestTwentyQuickNavigations(t *testing.T) {
	v := use(t).open(t, site.URL("/page/start"))
	for i := range 20 {
		at := site.URL
		if i%2 == 1 {
			at = site.CrossURL
		}
		v.navigate(at(fmt.Sprintf("/page/p%d", i)))
	}
	v.until("the last page's button alone", func() bool { return slices.Equal(v.names("button"), []string{"Button of p19"}) })
	v.must("click", &protocol.ClickParams{Target: protocol.Target{Role: "button", Name: "Button of p19"}})
}

func TestDialog(t *testing.T) {
	v := use(t).open(t, site.URL("/dialogs"))
	v.must("click", &protocol.ClickParams{Target: protocol.Target{Role: "button", Name: "Confirm"}})
	v.await("the dialog", func(m map[string]any) bool { return m["type"] == "dialog" && m["kind"] == "confirm" })
	_, err := v.run("evaluate", &protocol.EvaluateParams{Expression: "1"})
	if !errors.Is(err, fault.New(fault.DialogBlocking, "")) {
		t.Fatalf("while it is open: %v", err)
	}
	v.must("dialog.handle", &protocol.DialogHandleParams{Accept: true})
	v.until("the answer", func() bool { return v.eval("window.said") == true })
}

func TestCrashAndReload(t *testing.T) {
	v := use(t).open(t, site.URL("/page/doomed"))
	v.eval("1")
	failed := make(chan error, 1)
	go func() {
		_, err := v.run("evaluate", &protocol.EvaluateParams{Expression: "new Promise(() => {})"})
		failed <- err
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_ = v.tab.Session("").Call(ctx, "Page.crash", nil, nil) // its renderer cannot answer
	v.await("the crash", func(m map[string]any) bool { return m["type"] == "app_disconnected" && m["reason"] == "crashed" })
	select {
	case err := <-failed:
		if err == nil {
			t.Fatal("a script of a crashed page succeeded")
		}
	case <-time.After(2 * time.Second):
		t.Fatal("a script of a crashed page hangs")
	}
	if _, err := v.run("evaluate", &protocol.EvaluateParams{Expression: "1"}); reason(err) != "crashed" {
		t.Fatalf("after the crash: %v", err)
	}
	v.must("navigate", &protocol.NavigateParams{Reload: true})
	v.until("the page again", func() bool { return slices.Equal(v.names("button"), []string{"Button of doomed"}) })
}

func TestPopupsAreReportedWithTheirOpener(t *testing.T) {
	url := serve(t, map[string]string{
		"/":  `<title>o</title><button onclick="window.open('/p')">Open</button><a href="/p" target=_blank>Link</a>`,
		"/p": `<title>popup</title><script>console.log('popup line')</script><button>Inside</button>`,
	})
	v := use(t).open(t, url)
	for _, target := range []protocol.Target{{Role: "button", Name: "Open"}, {Role: "link", Name: "Link"}} {
		before := len(v.w.manager.Tabs("default"))
		v.must("click", &protocol.ClickParams{Target: target})
		v.until("the popup", func() bool { return len(v.w.manager.Tabs("default")) == before+1 })
		tabs := v.w.manager.Tabs("default")
		popup := tabs[len(tabs)-1]
		if popup.Opener() != v.id {
			t.Errorf("%s: opener %d, not %d", target.Name, popup.Opener(), v.id)
		}
		inside := &view{t: t, w: v.w, id: popup.TabID(), tab: popup, agent: v.agent}
		inside.until("the popup's button", func() bool { return slices.Equal(inside.names("button"), []string{"Inside"}) })
		v.call("tabs.close", map[string]any{"tabId": popup.TabID()}, nil)
	}
}

func TestWorkers(t *testing.T) {
	url := serve(t, map[string]string{
		"/":     `<title>w</title><script>new Worker('/w.js'); new SharedWorker('/s.js')</script>`,
		"/w.js": `console.log('from the worker'); setTimeout(() => { throw new Error('worker broke') })`,
		"/s.js": `console.log('from the shared worker')`,
	})
	v := own(t, nil).open(t, url)
	v.until("the worker's line", func() bool { return slices.Contains(v.lines(), "from the worker") })
	v.await("the worker's error", func(m map[string]any) bool {
		return m["type"] == "error" && strings.Contains(fmt.Sprint(m["message"]), "worker broke")
	})
	if n := len(slices.DeleteFunc(v.lines(), func(s string) bool { return s != "from the worker" })); n != 1 {
		t.Fatalf("%d times", n)
	}
}

func TestResizeListAndActivate(t *testing.T) {
	v := use(t).open(t, site.URL("/form"))
	v.call("window.resize", map[string]any{"tabId": v.id, "width": 640, "height": 480}, nil)
	v.until("the viewport", func() bool { return v.eval("innerWidth + 'x' + innerHeight") == "640x480" })
	v.call("tabs.activate", map[string]any{"tabId": v.id}, nil)
	var list struct {
		Tabs []struct {
			TabID int
			URL   string
		}
	}
	v.call("tabs.list", nil, &list)
	if !slices.ContainsFunc(list.Tabs, func(i struct {
		TabID int
		URL   string
	}) bool {
		return i.TabID == v.id && i.URL == site.URL("/form")
	}) {
		t.Fatalf("%+v", list)
	}
}

func TestDownloadsLieWhereTheyAreTold(t *testing.T) {
	folder := t.TempDir()
	w := own(t, func(o *browser.Options) { o.Downloads = folder })
	v := w.open(t, site.URL("/form"))
	v.eval("location.href = '/download'; 1")
	v.until("the end of the download", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return slices.ContainsFunc(w.side, func(s string) bool {
			return strings.HasPrefix(s, "download.done ") && strings.Contains(s, `"state":"completed"`) && strings.Contains(s, fmt.Sprintf(`"tabId":%d`, v.id))
		})
	})
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 || strings.ContainsAny(files[0].Name(), `/\`) {
		t.Fatalf("%v %v in %s", files, err, filepath.Base(folder))
	}
}

// A page cannot see the bridge, and the bridge does not see the page's tampering.
func TestPageCannotReachTheBridge(t *testing.T) {
	url := serve(t, map[string]string{"/": `<title>h</title><script>
		JSON.stringify = () => 'forged'; Array.prototype.map = () => []; Object.prototype.toJSON = () => 'forged';
		window.seen = Object.getOwnPropertyNames(window).filter((n) => /bridge/i.test(n)).join();</script><button>True</button>`})
	v := use(t).open(t, url)
	v.until("the true tree", func() bool { return slices.Equal(v.names("button"), []string{"True"}) })
	if seen := v.eval("window.seen + Object.getOwnPropertyNames(window).filter((n) => /bridge/i.test(n)).join()"); seen != "" {
		t.Fatalf("the page sees %v", seen)
	}
}
