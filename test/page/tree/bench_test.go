package tree

import (
	"fmt"
	"slices"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/page/chromium"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// The minimal walker that the tree is measured against: tag, text and box.
const walker = `JSON.stringify([...document.querySelectorAll('a,button,input,select,textarea')]
	.map(e=>{const r=e.getBoundingClientRect();return [e.tagName,e.id,(e.getAttribute('aria-label')||e.innerText||e.value||'').trim(),r.x|0,r.y|0,r.width|0,r.height|0]})).length`

const benchRuns = 11

// cpu gives the time in ms that the page's main thread spent on an expression:
// processor time, so that other load of the machine is not in it.
func cpu(t testing.TB, page *chromium.Page, expression string) float64 {
	t.Helper()
	before := threadTime(t, page)
	ask[int](t, page, expression)
	return (threadTime(t, page) - before) * 1000
}

func threadTime(t testing.TB, page *chromium.Page) float64 {
	t.Helper()
	var got struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	page.Call("Performance.getMetrics", nil, &got)
	for _, metric := range got.Metrics {
		if metric.Name == "ThreadTime" {
			return metric.Value
		}
	}
	t.Fatal("no ThreadTime among the metrics")
	return 0
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// change makes a change (and the layout that it costs, which is the page's
// business) and gives the median cost of the diffs that follow.
func change(t testing.TB, page *chromium.Page, script string) float64 {
	t.Helper()
	var costs []float64
	for i := range benchRuns {
		ask[int](t, page, fmt.Sprintf("(i => {%s; document.body.getBoundingClientRect(); return 1})(%d)", script, i))
		costs = append(costs, cpu(t, page, "globalThis.last = T.diff(), last === null ? 0 : 1"))
		if ask[bool](t, page, "last === null") {
			t.Fatalf("%s: the diff is empty", script)
		}
	}
	return median(costs)
}

// BenchmarkTree measures the tree against the minimal walker of the same run.
// Budgets: a tree costs at most 4 walkers; a diff after one change on the large
// page at most a tenth of a tree.
func BenchmarkTree(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			page := open(b, pages.List(n))
			page.Call("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
			for b.Loop() {
				var walkers, trees []float64
				for range benchRuns {
					walkers = append(walkers, cpu(b, page, walker))
					trees = append(trees, cpu(b, page, "T.full().items.length"))
				}
				if items := ask[int](b, page, "T.full().items.length"); items != n {
					b.Fatalf("%d items of %d", items, n)
				}
				worst := 0.0
				for _, script := range []string{
					"document.querySelectorAll('button')[20 + i].firstChild.data = 'changed ' + i",
					"const b = document.createElement('button'); b.textContent = 'new ' + i; document.body.append(b)",
					"document.querySelectorAll('button')[50 + i].disabled = true",
					"document.querySelectorAll('li')[40 + 4 * i].className = 'c' + i; document.querySelectorAll('li button')[60 + i].title = 'tip'",
				} {
					worst = max(worst, change(b, page, script))
				}
				walk, tree := median(walkers), median(trees)
				b.ReportMetric(walk, "walker-ms")
				b.ReportMetric(tree, "tree-ms")
				b.ReportMetric(tree/walk, "×walker")
				b.ReportMetric(worst, "diff-ms")
				b.ReportMetric(tree/worst, "diffs/tree")
			}
		})
	}
}
