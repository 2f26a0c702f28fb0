package chrome

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	wire "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
)

// real gives the Chromium of this machine.
func real(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	found, err := Find("")
	if err != nil {
		t.Skip(err)
	}
	return found.Path
}

// launch starts a headless browser that ends with the test.
func launch(t *testing.T, o LaunchOptions) *Process {
	t.Helper()
	o.Executable, o.Headless = real(t), true
	if o.UserDataDir == "" {
		o.UserDataDir = filepath.Join(t.TempDir(), "prófile with\na line, "+strings.Repeat("and long, ", 20)+"and done")
	}
	p, err := Launch(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestLaunchOverPipe(t *testing.T) {
	p := launch(t, LaunchOptions{Width: 900, Height: 700, URL: "data:text/html,<title>here</title>", Args: []string{"--disable-features=Foo"}})
	conn := cdp.NewConn(p.Transport(), cdp.Options{})
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	top := conn.Session("")
	version, err := wire.Call(ctx, top, browser.GetVersion, wire.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if version.Product != p.Version() || !strings.Contains(p.Version(), "/") {
		t.Errorf("product %q, version %q", version.Product, p.Version())
	}
	targets, err := wire.Call(ctx, top, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		t.Fatal(err)
	}
	var page target.ID
	for _, info := range targets.TargetInfos {
		if info.Type == "page" {
			page = info.TargetID
		}
	}
	yes := true
	attached, err := wire.Call(ctx, top, target.AttachToTarget, target.AttachToTargetParams{TargetID: page, Flatten: &yes})
	if err != nil {
		t.Fatal(err)
	}
	session := conn.Session(string(attached.SessionID))
	var got string
	for got != `"here 900"` { // the first document is the empty one
		answer, err := wire.Call(ctx, session, runtime.Evaluate, runtime.EvaluateParams{Expression: "document.title + ' ' + outerWidth", ReturnByValue: &yes})
		if err != nil && !errors.As(err, new(cdp.Error)) {
			t.Fatalf("the page says %s: %v", got, err)
		}
		got = string(answer.Result.Value)
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if exit := p.Exit(); !strings.HasPrefix(exit, "it ended with exit status 0") || strings.Contains(exit, "SIG") {
		t.Errorf("it did not end by itself: %s", exit)
	}
	if p.Identity().Running() {
		t.Error("it still runs")
	}
	<-conn.Done()
}

// A browser without a tab lives on, both before the first and after the last one.
func TestLaunchWithoutTab(t *testing.T) {
	for _, none := range []bool{true, false} {
		p := launch(t, LaunchOptions{NoWindow: none})
		conn := cdp.NewConn(p.Transport(), cdp.Options{})
		defer conn.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		top := conn.Session("")
		pages := func() (ids []target.ID) {
			targets, err := wire.Call(ctx, top, target.GetTargets, target.GetTargetsParams{})
			if err != nil {
				t.Fatal(err)
			}
			for _, info := range targets.TargetInfos {
				if info.Type == "page" {
					ids = append(ids, info.TargetID)
				}
			}
			return ids
		}
		if found := pages(); len(found) > 0 == none {
			t.Errorf("NoWindow %t: there are %d pages", none, len(found))
		}
		if _, err := wire.Call(ctx, top, target.CreateTarget, target.CreateTargetParams{URL: "about:blank"}); err != nil {
			t.Fatal(err)
		}
		for _, id := range pages() {
			if _, err := wire.Call(ctx, top, target.CloseTarget, target.CloseTargetParams{TargetID: id}); err != nil {
				t.Fatal(err)
			}
		}
		for len(pages()) > 0 { // a closed page is listed for a moment
		}
		if _, err := wire.Call(ctx, top, target.CreateTarget, target.CreateTargetParams{URL: "about:blank"}); err != nil {
			t.Errorf("NoWindow %t: no tab can be opened after the last was closed: %v", none, err)
		}
	}
}
