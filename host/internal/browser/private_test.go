package browser_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/debug-bridge/debug-bridge/host/internal/trace"
)

// A trace of a tab, analysed in a page that is nobody's tab and hides nothing.
func TestPrivatePageForATrace(t *testing.T) {
	v := use(t).open(t, site.URL("/form"))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tabs, targets := len(v.w.manager.Tabs("default")), v.targets()
	recording, err := trace.Start(ctx, v.tab.Session(""), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v.navigate(site.URL("/form"))
	v.eval("new Promise((painted) => new PerformanceObserver(() => painted(1)).observe({ type: 'paint', buffered: true }))")
	var file bytes.Buffer
	if _, err := recording.Stop(ctx, &file, true); err != nil {
		t.Fatal(err)
	}
	blank, closePage, err := v.w.direct.Private(ctx)
	if err != nil {
		t.Fatal(err)
	}
	report, err := trace.Analyze(ctx, blank, &file)
	if got := v.eval("document.visibilityState"); got != "visible" {
		t.Errorf("the tab is %v while the private page is open", got)
	}
	if now := len(v.w.manager.Tabs("default")); now != tabs {
		t.Errorf("%d tabs, were %d", now, tabs)
	}
	closePage()
	if err != nil {
		t.Fatal(err)
	}
	set, err := report.Set("")
	if err != nil || set.URL != site.URL("/form") || set.Metrics.FCP == nil || len(set.Insights) < 19 {
		t.Errorf("%+v, %v", set.Metrics, err)
	}
	v.until("the private page is gone", func() bool { return v.targets() == targets })
}

// targets counts the browser's.
func (v *view) targets() int {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), patience)
	defer cancel()
	all, err := cdp.Call(ctx, v.w.direct.Conn().Session(""), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		v.t.Fatal(err)
	}
	return len(all.TargetInfos)
}
