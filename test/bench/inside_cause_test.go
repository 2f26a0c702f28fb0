package bench

import (
	"path/filepath"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	alone "github.com/debug-bridge/debug-bridge/test/page/chromium"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// wordsCost clicks the same element by turns with the words and without them. What the
// page does on the click is the same in both; the order of the two changes each time.
const wordsCost = `(async (selector, rounds) => {
  const took = { with: [], without: [] };
  const run = async (words) => {
    const begun = performance.now();
    const done = await act.run({ type: 'click', target: { selector }, words });
    if (!done.ok) throw new Error(JSON.stringify(done));
    took[words ? 'with' : 'without'].push(performance.now() - begun);
    return done.after.changes?.length ?? 0;
  };
  let told = 0;
  const more = [];
  for (let i = 0; i < rounds; i++) {
    if (i % 2 === 0) told += await run(true);
    await run(false);
    if (i % 2 === 1) told += await run(true);
    more.push(took.with.at(-1) - took.without.at(-1)); // of neighbours: the page grows
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  return { more: median(more), without: median(took.without), told };
})`

// BenchmarkCause is what the words of an action's window add to a click, in the page: a
// state, a row and a dialog on a small page, and a text on one of 10,000 elements.
// Budget: 5 ms beyond a click without words.
func BenchmarkCause(b *testing.B) {
	root, err := bundle.Root()
	if err != nil {
		b.Fatal(err)
	}
	driver, err := bundle.Script(root, bundle.Entry{Source: filepath.Join(root, "test", "page", "act", "entry.ts")})
	if err != nil {
		b.Fatal(err)
	}
	site, err := pages.Serve()
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = site.Close() }()
	chrome, err := alone.Start()
	if err != nil {
		b.Skip(err)
	}
	defer chrome.Close()
	for _, c := range []struct{ name, path, setup, selector string }{
		{"state", "/cause", "0", "#expand"},
		{"rows", "/cause", "0", "#many"},
		{"dialog", "/cause", "document.querySelector('#nothing').onclick = () => document.querySelector('#modal').classList.toggle('show'); 0", "#nothing"},
		{"large", "/list?n=4500", `{ const b = document.createElement('button'); b.id = 'b'; b.textContent = 'Press'; b.onclick = () => { b.nextSibling.textContent = Math.random() };
			document.body.prepend(b, document.createElement('p')); } 0`, "#b"},
	} {
		b.Run(c.name, func(b *testing.B) {
			page := chrome.Open(b)
			page.Load(site.URL(c.path))
			page.Eval(c.setup, nil)
			page.World("bridge", string(driver))
			page.EvalIn("bridge", "act.make({telemetry:['ui_tree','dom_mutations']})", nil)
			var got struct {
				More, Without float64
				Told          int
			}
			for b.Loop() {
				page.EvalIn("bridge", wordsCost+"("+`"`+c.selector+`"`+", 40)", &got)
				if got.Told == 0 {
					b.Fatal("nothing was told")
				}
				b.ReportMetric(got.More, "added-ms")
				b.ReportMetric(got.Without, "click-ms")
			}
		})
	}
}
