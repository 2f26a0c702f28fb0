package page_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/browser"
	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// Actions over a managed browser: trusted input and what is told of it.

const patience = 20 * time.Second

// managed is a browser that the tests of this file share.
type managed struct {
	process *chrome.Process
	direct  *browser.Direct
	manager *page.Manager
	hub     *session.Hub
	profile string
}

var (
	managedOnce sync.Once
	shared      *managed
	sharedErr   error
)

func launch() (*managed, error) {
	found, err := chrome.Find("")
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "dbridge-act-test-")
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
	log := zerolog.New(io.Discard)
	w := &managed{process: process, profile: profile, hub: session.NewHub(session.Config{Epoch: "e", HostVersion: "test", Log: log})}
	w.manager = page.NewManager(w.hub, alone{}, log)
	w.direct, err = browser.Open(ctx, process.Transport(), browser.Options{
		ID: "managed-act", Source: protocol.SourceManaged, Session: "default", Log: log, Report: w.manager,
	})
	if err != nil {
		_ = process.Stop(ctx)
		_ = os.RemoveAll(profile)
		return nil, err
	}
	return w, nil
}

func (w *managed) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = w.direct.Close(ctx, true)
	_ = w.process.Stop(ctx)
	w.manager.Close()
	w.hub.Close()
	_ = os.RemoveAll(w.profile)
}

type alone struct{}

func (alone) Merge(string, *session.Page)                        {}
func (alone) Unmerge(string, *session.Page)                      {}
func (alone) App(string, *session.Page) (session.Executor, bool) { return nil, false }

// stage is a tab on a page of a test.
type stage struct {
	t   testing.TB
	w   *managed
	tab *page.Tab
	url string
}

// open serves the pages by path and opens "/".
func open(t testing.TB, pages map[string]string) *stage {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	managedOnce.Do(func() {
		if shared, sharedErr = launch(); sharedErr == nil {
			page.AtEnd = append(page.AtEnd, shared.stop)
		}
	})
	if sharedErr != nil {
		if fault.From(sharedErr).Details["reason"] == "not_found" {
			t.Skip(sharedErr)
		}
		t.Fatal(sharedErr)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			time.Sleep(150 * time.Millisecond)
			fmt.Fprint(w, `{"late":true}`)
			return
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
			return
		case "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="report.txt"`)
			fmt.Fprint(w, "x")
			return
		}
		html, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, html)
	}))
	t.Cleanup(server.Close)
	s := &stage{t: t, w: shared, url: server.URL}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := shared.direct.Call(ctx, "tabs.open", map[string]any{"url": "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	var opened struct {
		TabID int `json:"tabId"`
	}
	if err := page.Decode(raw, &opened); err != nil {
		t.Fatal(err)
	}
	s.tab = shared.manager.Find("managed-act", opened.TabID)
	if s.tab == nil {
		t.Fatalf("the manager has no tab %d", opened.TabID)
	}
	if _, err := s.tab.Perform(ctx, "navigate", &protocol.NavigateParams{URL: server.URL + "/"}, func() {}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, _ = shared.direct.Call(ctx, "tabs.close", map[string]any{"tabId": opened.TabID})
	})
	return s
}

// eval evaluates in the page.
func (s *stage) eval(code string) any {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := s.tab.Perform(ctx, "evaluate", &protocol.EvaluateParams{Expression: code}, func() {})
	if err != nil {
		s.t.Fatalf("%s: %v", code, err)
	}
	return out.Result
}

// click clicks by selector.
func (s *stage) click(selector string) (page.Did, error) {
	return s.clickFor(selector, 2*time.Second)
}

func (s *stage) clickFor(selector string, wait time.Duration) (page.Did, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	press, err := page.Press("", 0, nil)
	if err != nil {
		return page.Did{}, err
	}
	return s.tab.Act(ctx, page.Deed{
		Action: "click", Target: &protocol.Target{Selector: selector}, Guarded: true, Trusted: press, Wait: wait,
		Bridge: map[string]any{"type": "click"},
	}, func() {})
}

func (s *stage) mustClick(selector string) page.Did {
	s.t.Helper()
	did, err := s.click(selector)
	if err != nil {
		s.t.Fatalf("click %s: %v %v", selector, err, fault.From(err).Details)
	}
	return did
}

const saveForm = `<!doctype html><title>f</title><form onsubmit="return false"><input id=f1><input id=f2>
<button id=save type=button onclick="window.clicks=(window.clicks||0)+1;n.textContent=clicks">Save order</button></form><p>Saved <span id=n>0</span> times.</p>`

func TestAClickTellsWhatCameOfIt(t *testing.T) {
	s := open(t, map[string]string{"/": saveForm + `
		<button id=throws onclick="console.error('first line\nsecond');null.x">throws</button>
		<button id=loads onclick="fetch('/slow').then(r=>r.json()).then(v=>{out.textContent='late '+v.late})">loads</button>
		<button id=fails onclick="fetch('/nothing')">fails</button>
		<button id=idle>idle</button>
		<button id=frame onclick="requestAnimationFrame(()=>{out.textContent='drawn'})">frame</button>
		<button id=focuses onclick="f2.focus()">focuses</button>
		<a id=go href=/next>go</a><a id=hash href=#there>hash</a><a id=none href=/empty>none</a><a id=down href=/file>file</a><a id=pop href=/next target=_blank>pop</a>
		<form action=/next><button id=submit>submit</button></form><p id=out></p>`, "/next": "<title>next</title>next"})
	did := s.mustClick("#save")
	if did.Effect != protocol.EffectChanged || did.After.Mutations == 0 || did.Via != "cdp" || did.Role != "button" || did.Name != "Save order" || s.eval("clicks") != 1.0 {
		t.Errorf("save: %+v", did)
	}
	if did := s.mustClick("#throws"); len(did.After.Errors) != 2 || did.After.Errors[0] != "first line" {
		t.Errorf("throws: %+v", did)
	}
	if did := s.mustClick("#loads"); did.After.Requests != 1 || did.After.Failed != 0 || did.After.Pending != 0 || did.After.Mutations == 0 || s.eval("out.textContent") != "late true" {
		t.Errorf("loads: %+v", did)
	}
	if did := s.mustClick("#fails"); did.After.Requests != 1 || did.After.Failed != 1 || did.Effect != protocol.EffectChanged {
		t.Errorf("fails: %+v", did)
	}
	s.mustClick("#idle")
	if did := s.mustClick("#idle"); did.Effect != protocol.EffectNoop || did.After.Requests != 0 {
		t.Errorf("idle: %+v", did)
	}
	if did := s.mustClick("#frame"); did.After.Mutations == 0 || did.Effect != protocol.EffectChanged {
		t.Errorf("frame: %+v", did)
	}
	if did := s.mustClick("#focuses"); did.After.Focused == nil || did.After.Focused.Role != "textbox" {
		t.Errorf("focuses: %+v", did)
	}
	if did := s.mustClick("#none"); did.After.URL != "" || did.After.Requests == 0 {
		t.Errorf("204: %+v", did)
	}
	if did := s.mustClick("#down"); did.After.Download != "report.txt" || did.After.URL != "" {
		t.Errorf("download: %+v", did)
	}
	if did := s.mustClick("#pop"); did.After.Popup != s.url+"/next" {
		t.Errorf("popup: %+v", did)
	}
	if did := s.mustClick("#hash"); did.After.URL != s.url+"/#there" || did.Effect != protocol.EffectNavigated {
		t.Errorf("hash: %+v", did)
	}
	if did := s.mustClick("#submit"); did.After.URL != s.url+"/next?" || did.Effect != protocol.EffectNavigated {
		t.Errorf("submit: %+v", did)
	}
	s = open(t, map[string]string{"/": "<a id=go href=/next>go</a>", "/next": "<title>next</title>next"})
	if did := s.mustClick("#go"); did.After.URL != s.url+"/next" || did.Effect != protocol.EffectNavigated {
		t.Errorf("go: %+v", did)
	}
}

// calm lets the page draw between two measurements, as it does between an agent's commands.
func calm(b *testing.B, run func()) {
	times := make([]time.Duration, 0, 1000)
	for b.Loop() {
		time.Sleep(40 * time.Millisecond)
		start := time.Now()
		run()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms/median")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "ms/p95")
}

func BenchmarkClick(b *testing.B) {
	s := open(b, map[string]string{"/": saveForm})
	did := s.mustClick("#save")
	for name, target := range map[string]protocol.Target{"selector": {Selector: "#save"}, "ref": {Ref: did.Ref}, "role": {Role: "button", Name: "Save order"}} {
		press, _ := page.Press("", 0, nil)
		b.Run(name, func(b *testing.B) {
			calm(b, func() {
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				if _, err := s.tab.Act(ctx, page.Deed{Action: "click", Target: &target, Guarded: true, Trusted: press}, func() {}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// BenchmarkRawClick is the floor: the same through bare DevTools commands, each awaited.
func BenchmarkRawClick(b *testing.B) {
	s := open(b, map[string]string{"/": saveForm})
	session := s.tab.Session("")
	ctx := context.Background()
	script := `(()=>{const e=document.querySelector('#save');e.scrollIntoView({block:'center'});const r=e.getBoundingClientRect();return [r.x+r.width/2,r.y+r.height/2]})()`
	calm(b, func() {
		var found struct {
			Result struct {
				Value []float64 `json:"value"`
			} `json:"result"`
		}
		if err := session.Call(ctx, "Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true}, &found); err != nil {
			b.Fatal(err)
		}
		at := found.Result.Value
		for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
			params := map[string]any{"type": kind, "x": at[0], "y": at[1]}
			if kind != "mouseMoved" {
				params["button"], params["clickCount"] = "left", 1
			}
			if err := session.Call(ctx, "Input.dispatchMouseEvent", params, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
