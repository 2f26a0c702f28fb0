package bench

import (
	"net/http/httptest"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/apps"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// BenchmarkStateFollowing is what following costs a page that makes 1,000 updates a
// second: its main thread's time in tasks during a burst of 3 s, with state switched on
// and off in the extension's settings by turns, in the same connected page. Budget: 5 %
// of the thread.
func BenchmarkStateFollowing(b *testing.B) {
	server := httptest.NewServer(apps.Handler())
	b.Cleanup(server.Close)
	for _, app := range []string{"react-redux", "vue-pinia"} {
		b.Run(app, func(b *testing.B) {
			env := browsertest.Start(b, browsertest.Options{Extension: true})
			e := commandtest.User(b, env)
			tab := env.OpenTab(server.URL + "/" + app + "/prod")
			env.Connect(tab, "observe")
			e.AwaitPages(1)
			// Time of the thread itself: others on the machine do not count.
			if err := tab.Call("Performance.setTimeDomain", map[string]any{"timeDomain": "threadTicks"}, nil); err != nil {
				b.Fatal(err)
			}
			if err := tab.Call("Performance.enable", map[string]any{}, nil); err != nil {
				b.Fatal(err)
			}
			tab.Eval("burst(1000, 1000)", nil) // warm
			for b.Loop() {
				var with, without []float64
				for range 3 {
					with = append(with, busyFollowing(b, env, e, tab, true))
					without = append(without, busyFollowing(b, env, e, tab, false))
				}
				on, off := middle(with), middle(without)
				b.ReportMetric(off, "busy-without-%")
				b.ReportMetric(on, "busy-with-%")
				b.ReportMetric(on-off, "following-%")
			}
		})
	}
}

// busyFollowing is the share of the time of a burst that the page's main thread had work, in percent.
func busyFollowing(b *testing.B, env *browsertest.Env, e *commandtest.Env, tab *browsertest.Tab, follow bool) float64 {
	b.Helper()
	set := "chrome.storage.local.set({ telemetry: { state: false } })"
	if follow {
		set = "chrome.storage.local.remove('telemetry')"
	}
	env.WorkerEval(set+".then(() => true)", nil)
	browsertest.Until(b, browsertest.Patience, "following", func() bool {
		list, _ := e.Run("state", "list").Data["scopes"].([]any)
		return len(list) > 0 == follow
	})
	before := taskDuration(b, tab)
	var ms float64
	tab.Eval("(async () => { const began = performance.now(); await burst(3000, 1000); return performance.now() - began })()", &ms)
	return 100 * 1000 * (taskDuration(b, tab) - before) / ms
}

func middle(values []float64) float64 {
	low, high, sum := values[0], values[0], 0.0
	for _, v := range values {
		low, high, sum = min(low, v), max(high, v), sum+v
	}
	return sum - low - high // of three
}
