package cdptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	wire "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// real is a connection to a real browser.
type real struct {
	*testing.T
	conn *cdp.Conn
	ctx  context.Context
}

// RunBrowser is the contract with a real browser, which the test ends at last.
func RunBrowser(t *testing.T, name string, transport cdp.Transport) {
	conn := cdp.NewConn(transport, cdp.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	defer cancel()
	defer conn.Close()
	for _, test := range []struct {
		name string
		run  func(*real)
	}{
		{"typed calls and errors", typed},
		{"console events come before the answer", consoleOrder},
		{"concurrent calls", evaluateMany},
		{"a cancelled call", neverSettles},
		{"large messages", largeBoth},
		{"page text with broken UTF-16", brokenText},
		{"a dialog holds up its call alone", dialog},
		{"detach while a call is pending", detachReal},
		{"the browser's end", quit},
	} {
		t.Run(name+"/"+test.name, func(t *testing.T) { test.run(&real{t, conn, ctx}) })
	}
}

// open makes a page of its own.
func (r *real) open() (*cdp.Session, target.ID) {
	r.Helper()
	top := r.conn.Session("")
	created, err := wire.Call(r.ctx, top, target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		r.Fatal(err)
	}
	yes := true
	attached, err := wire.Call(r.ctx, top, target.AttachToTarget, target.AttachToTargetParams{TargetID: created.TargetID, Flatten: &yes})
	if err != nil {
		r.Fatal(err)
	}
	return r.conn.Session(string(attached.SessionID)), created.TargetID
}

func (r *real) evaluate(s *cdp.Session, expression string) (string, error) {
	yes := true
	var got struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	err := s.Call(r.ctx, runtime.CommandEvaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: &yes, AwaitPromise: &yes}, &got)
	return fmt.Sprint(got.Result.Value), err
}

func typed(r *real) {
	s, id := r.open()
	if got, err := r.evaluate(s, "6*7"); err != nil || got != "42" {
		r.Errorf("got %s, %v", got, err)
	}
	var failure cdp.Error
	if _, err := s.CallRaw(r.ctx, "No.such", nil); !errors.As(err, &failure) || failure.Code != -32601 {
		r.Errorf("an unknown method gives %v", err)
	}
	if _, err := s.CallRaw(r.ctx, "Page.navigate", map[string]int{"url": 1}); !errors.As(err, &failure) || failure.Code != -32602 {
		r.Errorf("wrong parameters give %v", err)
	}
	if _, err := r.conn.Session("F00").CallRaw(r.ctx, "Page.enable", nil); !errors.Is(err, cdp.ErrDetached) {
		r.Errorf("an unknown session gives %v", err)
	}
	if _, err := wire.Call(r.ctx, r.conn.Session(""), target.CloseTarget, target.CloseTargetParams{TargetID: id}); err != nil {
		r.Errorf("close: %v", err)
	}
}

func consoleOrder(r *real) {
	s, _ := r.open()
	if _, err := wire.Call(r.ctx, s, runtime.Enable, wire.Empty{}); err != nil {
		r.Fatal(err)
	}
	lines, cancel := s.Subscribe(runtime.ConsoleAPICalled.Method)
	defer cancel()
	if _, err := r.evaluate(s, "for (let i = 0; i < 3000; i++) console.log(i)"); err != nil {
		r.Fatal(err)
	}
	for i := range 3000 {
		if line := string(await(r.T, lines, "a console line")); !strings.Contains(line, fmt.Sprintf(`"value":%d,`, i)) {
			r.Fatalf("line %d is %.200s", i, line)
		}
	}
}

func evaluateMany(r *real) {
	var all sync.WaitGroup
	for n := range 4 {
		s, _ := r.open()
		for m := range 5 {
			all.Go(func() {
				for i := range 20 {
					want := fmt.Sprintf("%d-%d-%d", n, m, i)
					if got, err := r.evaluate(s, "'"+want+"'"); err != nil || got != want {
						r.Errorf("got %s, %v, want %s", got, err, want)
						return
					}
				}
			})
		}
	}
	all.Wait()
}

func neverSettles(r *real) {
	s, _ := r.open()
	ctx, cancel := context.WithTimeout(r.ctx, 100*time.Millisecond)
	defer cancel()
	_, err := s.CallRaw(ctx, "Runtime.evaluate", map[string]any{"expression": "new Promise(done => window.done = done)", "awaitPromise": true})
	wantFault(r.T, err, fault.Timeout, true)
	before := r.conn.Stats().LateAnswers
	if got, err := r.evaluate(s, "done(), 'on'"); err != nil || got != "on" {
		r.Errorf("got %s, %v", got, err)
	}
	for r.conn.Stats().LateAnswers == before {
		if got, err := r.evaluate(s, "1"); err != nil {
			r.Fatalf("the late answer did not come: %s, %v", got, err)
		}
	}
}

func largeBoth(r *real) {
	s, _ := r.open()
	const size = 65 << 20
	if got, err := r.evaluate(s, fmt.Sprintf("'x'.repeat(%d)", size)); err != nil || len(got) != size {
		r.Errorf("%d bytes came, %v", len(got), err)
	}
	if got, err := r.evaluate(s, "'"+filler(8<<20)+"'.length"); err != nil || got != fmt.Sprintf("%g", float64(8<<20)) {
		r.Errorf("the page got %s, %v", got, err)
	}
}

func brokenText(r *real) {
	s, _ := r.open()
	if got, err := r.evaluate(s, `'a\ud83db'`); err != nil || got != "a\uFFFDb" {
		r.Errorf("got %q, %v", got, err)
	}
}

func dialog(r *real) {
	s, _ := r.open()
	other, _ := r.open()
	if _, err := s.CallRaw(r.ctx, page.CommandEnable, nil); err != nil {
		r.Fatal(err)
	}
	opened, cancel := s.Subscribe(page.JavascriptDialogOpening.Method)
	defer cancel()
	call := s.Start("Runtime.evaluate", map[string]string{"expression": "confirm('really?')"})
	if raised := string(await(r.T, opened, "the dialog")); !strings.Contains(raised, "really?") {
		r.Errorf("the dialog is %s", raised)
	}
	if got, err := r.evaluate(other, "'free'"); err != nil || got != "free" {
		r.Errorf("another page: %s, %v", got, err)
	}
	if _, err := wire.Call(r.ctx, s, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}); err != nil {
		r.Fatal(err)
	}
	if answer, err := call.Wait(r.ctx); err != nil || !strings.Contains(string(answer), "true") {
		r.Errorf("got %s, %v", answer, err)
	}
}

func detachReal(r *real) {
	s, _ := r.open()
	gone, cancel := r.conn.Session("").Subscribe(target.DetachedFromTarget.Method)
	defer cancel()
	call := s.Start("Runtime.evaluate", map[string]any{"expression": "new Promise(() => 0)", "awaitPromise": true})
	if _, err := r.conn.Session("").CallRaw(r.ctx, "Target.detachFromTarget", map[string]string{"sessionId": s.ID()}); err != nil {
		r.Fatal(err)
	}
	if event := string(await(r.T, gone, "the detach event")); !strings.Contains(event, s.ID()) {
		r.Errorf("the event is %s", event)
	}
	r.conn.Detached(s.ID(), nil)
	if _, err := call.Wait(r.ctx); !errors.Is(err, cdp.ErrDetached) {
		r.Errorf("the call in flight ended with %v", err)
	}
	if _, err := s.CallRaw(r.ctx, "Runtime.evaluate", map[string]string{"expression": "1"}); !errors.Is(err, cdp.ErrDetached) {
		r.Errorf("a call after it ended with %v", err)
	}
}

func quit(r *real) {
	s, _ := r.open()
	call := s.Start("Runtime.evaluate", map[string]any{"expression": "new Promise(() => 0)", "awaitPromise": true})
	// The answer may or may not come before the end.
	if _, err := r.conn.Session("").CallRaw(r.ctx, "Browser.close", nil); err != nil && !errors.Is(err, cdp.ErrClosed) {
		r.Fatal(err)
	}
	await(r.T, r.conn.Done(), "the connection's end")
	if _, err := call.Wait(r.ctx); err == nil {
		r.Error("the call in flight got an answer")
	} else if !errors.Is(err, cdp.ErrClosed) && !errors.As(err, new(cdp.Error)) {
		r.Errorf("the call in flight ended with %v", err)
	}
	_, err := s.CallRaw(r.ctx, "Runtime.evaluate", nil)
	wantFault(r.T, err, fault.CDPDisconnected, false)
}
