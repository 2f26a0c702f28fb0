package bench

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/apps"
)

// BenchmarkComponentTree is the tree of a React app with 5,000 components, and one of
// them by name, as whole processes. Budget: 100 ms.
func BenchmarkComponentTree(b *testing.B) {
	site := httptest.NewServer(apps.Handler())
	defer site.Close()
	_, _, e := beside(b, "/page/empty")
	e.OK("page", "navigate", site.URL+"/react-hooks/?todos=5000")
	e.OK("page", "wait-selector", "#root li:nth-child(5000)")
	tree := process(b, e, "component", "tree")
	named := process(b, e, "component", "inspect", "TodoItem#4000")
	tree()
	named()
	for b.Loop() {
		var trees, names []time.Duration
		for range 10 {
			trees, names = append(trees, took(tree)), append(names, took(named))
		}
		b.ReportMetric(ms(at(trees, 50)), "tree-ms")
		b.ReportMetric(ms(at(names, 50)), "inspect-ms")
	}
}
