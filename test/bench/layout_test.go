package bench

import (
	"testing"
	"time"
)

// BenchmarkDiagnose is the diagnosis of one element and of the whole page, on a page of
// 10,000 elements, as whole processes. Budgets: 50 ms and 1.5 s.
func BenchmarkDiagnose(b *testing.B) {
	_, _, e := beside(b, "/list?n=4500")
	one := process(b, e, "layout", "diagnose", "#it-2000")
	all := process(b, e, "layout", "diagnose")
	one()
	all()
	for b.Loop() {
		var ones, alls []time.Duration
		for range 10 {
			ones, alls = append(ones, took(one)), append(alls, took(all))
		}
		b.ReportMetric(ms(at(ones, 50)), "one-ms")
		b.ReportMetric(ms(at(alls, 50)), "page-ms")
	}
}
