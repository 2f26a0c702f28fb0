package tree

import (
	"testing"

	"github.com/debug-bridge/debug-bridge/test/page/chromium"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// The minimal walker that the tree is measured against: tag, text and box.
const walker = `JSON.stringify([...document.querySelectorAll('a,button,input,select,textarea')]
	.map(e=>{const r=e.getBoundingClientRect();return [e.tagName,e.id,(e.getAttribute('aria-label')||e.innerText||e.value||'').trim(),r.x|0,r.y|0,r.width|0,r.height|0]}))`

// Median and best of the runs of one measurement, in ms.
type figure struct{ Median, Best float64 }

type figures struct {
	Walker, Full, Text, Add, Attribute figure
	Items                              int
}

func measure(t *testing.T, page *chromium.Page) figures {
	return ask[figures](t, page, `(() => {
		const run = 11, list = () => document.querySelectorAll('li');
		const sum = (taken) => (taken.sort((a, b) => a - b), {Median: taken[taken.length >> 1], Best: taken[0]});
		const time = (work) => { const from = performance.now(); work(); return performance.now() - from };
		// In turns, so that both meet the same load of the machine.
		const walkers = [], trees = [];
		let items = 0;
		for (let i = 0; i < run; i++) {
			walkers.push(time(() => `+walker+`));
			trees.push(time(() => { items = T.full().items.length }));
		}
		const walker = sum(walkers), full = sum(trees);
		T.diff();
		let n = 0;
		// Making the change (and the layout it costs) is the page's business, so only diff() is timed.
		const change = (make) => {
			const taken = [];
			for (let i = 0; i < run; i++) {
				make(i);
				document.body.getBoundingClientRect();
				const from = performance.now();
				const got = T.diff();
				taken.push(performance.now() - from);
				if (got === null) throw new Error('the diff is empty');
			}
			return sum(taken);
		};
		const text = change((i) => { document.querySelectorAll('button')[20 + i].firstChild.data = 'changed ' + (n++) });
		const add = change((i) => { const b = document.createElement('button'); b.textContent = 'new ' + i; document.body.append(b) });
		const attribute = change((i) => { list()[40 + i].className = 'c' + (n++); document.querySelectorAll('button')[50 + i].disabled = true });
		return {Walker: walker, Full: full, Text: text, Add: add, Attribute: attribute, Items: items};
	})()`)
}

// A tree costs at most four times what a minimal walker does, a diff after one
// change on the large page at most a tenth of a tree. Medians are printed; the
// best runs are judged, since other load of the machine is in the others.
func TestSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	for _, n := range []int{1000, 10000} {
		page := open(t, pages.List(n))
		got := measure(t, page)
		t.Logf("%d elements, medians: walker %.1f ms, tree %.1f ms (%.1fx), diff after one text %.2f ms, one new element %.2f ms, one attribute %.2f ms",
			n, got.Walker.Median, got.Full.Median, got.Full.Median/got.Walker.Median, got.Text.Median, got.Add.Median, got.Attribute.Median)
		t.Logf("%d elements, best: walker %.1f ms, tree %.1f ms (%.1fx), diff %.2f, %.2f, %.2f ms (a tree is %.0f diffs)",
			n, got.Walker.Best, got.Full.Best, got.Full.Best/got.Walker.Best, got.Text.Best, got.Add.Best, got.Attribute.Best, got.Full.Best/got.Text.Best)
		if got.Items != n {
			t.Errorf("%d items of %d", got.Items, n)
		}
		if got.Full.Best > 4*got.Walker.Best {
			t.Errorf("tree of %d: %.1f ms is more than four walkers (%.1f ms each)", n, got.Full.Best, got.Walker.Best)
		}
		if worst := max(got.Text.Best, got.Add.Best, got.Attribute.Best); n == 10000 && worst > got.Full.Best/10 {
			t.Errorf("diff on %d: %.2f ms is more than a tenth of a tree (%.1f ms)", n, worst, got.Full.Best)
		}
	}
}
