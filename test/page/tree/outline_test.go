package tree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/pages"
)

type outlined struct {
	Text      string
	Truncated int
	Frames    []int
}

func TestOutlineDebug(t *testing.T) {
	page := open(t, pages.List(8))
	got := ask[outlined](t, page, "T.outline()")
	fmt.Println(strings.ReplaceAll(got.Text, "\t", "·"))
	page = open(t, doc(`<header><nav aria-label=Main><a href="#home">Home</a> <a href="#orders">Orders</a></nav></header>
<main><h1>Order form</h1><p>Fill in the <b>fields</b>, see <a href=/help>help</a>, and save.</p><form>
<div><label for=a>First</label> <input id=a value=x></div><div><label><input type=checkbox checked>I accept the <a href=/terms>terms</a></label></div>
<fieldset><legend>Delivery</legend><label><input type=radio name=d checked>Post</label><label><input type=radio name=d>Courier</label></fieldset>
<select id=c><option>France<option selected>Spain</select><input type=password value=s>
<button>Save</button></form><table><tr><th>A<th>B<tr><td>1<td><button>Edit</button></table><p>Saved <span>0</span> times.</p></main><iframe title=f1 src=/child></iframe>
<div onclick="1">Click me <button>inner</button></div><div onclick="1">Click <b>that</b></div><div style="display:none">gone</div><div style="visibility:hidden">gone <b style="visibility:visible">here</b></div>`))
	got = ask[outlined](t, page, "T.outline()")
	fmt.Println(strings.ReplaceAll(got.Text, "\t", "·"), got.Frames)
}

func BenchmarkOutline(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			page := open(b, pages.List(n))
			page.Call("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
			for b.Loop() {
				var walkers, outlines []float64
				for range benchRuns {
					walkers = append(walkers, cpu(b, page, walker))
					outlines = append(outlines, cpu(b, page, "T.outline().text.length"))
				}
				walk, outline := median(walkers), median(outlines)
				b.ReportMetric(walk, "walker-ms")
				b.ReportMetric(outline, "outline-ms")
				b.ReportMetric(outline/walk, "×walker")
			}
		})
	}
}
