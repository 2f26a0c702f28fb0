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
func cpu(t *testing.T, page *chromium.Page, expression string) float64 {
	t.Helper()
	before := threadTime(t, page)
	ask[int](t, page, expression)
	return (threadTime(t, page) - before) * 1000
}

func threadTime(t *testing.T, page *chromium.Page) float64 {
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
func change(t *testing.T, page *chromium.Page, script string) float64 {
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

// A tree costs at most four times what a minimal walker does, a diff after one
// change on the large page at most a tenth of a tree.
func TestSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	for _, n := range []int{1000, 10000} {
		page := open(t, pages.List(n))
		page.Call("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
		var walkers, trees []float64
		for range benchRuns {
			walkers = append(walkers, cpu(t, page, walker))
			trees = append(trees, cpu(t, page, "T.full().items.length"))
		}
		if items := ask[int](t, page, "T.full().items.length"); items != n {
			t.Errorf("%d items of %d", items, n)
		}
		walk, tree := median(walkers), median(trees)
		text := change(t, page, "document.querySelectorAll('button')[20 + i].firstChild.data = 'changed ' + i")
		add := change(t, page, "const b = document.createElement('button'); b.textContent = 'new ' + i; document.body.append(b)")
		attribute := change(t, page, "document.querySelectorAll('button')[50 + i].disabled = true")
		class := change(t, page, "document.querySelectorAll('li')[40 + 4 * i].className = 'c' + i; document.querySelectorAll('li button')[60 + i].title = 'tip'")
		t.Logf("%d elements, medians of processor time: walker %.1f ms, tree %.1f ms (%.1fx); diff after one text %.2f ms, one new element %.2f ms, one attribute %.2f ms, one class %.2f ms (a tree is %.0f diffs)",
			n, walk, tree, tree/walk, text, add, attribute, class, tree/text)
		if tree > 4*walk {
			t.Errorf("tree of %d: %.1f ms is more than four walkers (%.1f ms each)", n, tree, walk)
		}
		if worst := max(text, add, attribute, class); n == 10000 && worst > tree/10 {
			t.Errorf("diff on %d: %.2f ms is more than a tenth of a tree (%.1f ms)", n, worst, tree)
		}
	}
}
