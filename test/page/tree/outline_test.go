package tree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/pages"
)

type outlined struct {
	Text      string
	Truncated int
	Frames    []int
}

// lines gives the outline with its fields separated by dots.
func (o outlined) lines() []string {
	return strings.Split(strings.ReplaceAll(o.Text, "\t", "·"), "\n")
}

func TestOutline(t *testing.T) {
	cases := []struct {
		name, html string
		want       []string
	}{
		{"list", `<ul><li><button>One</button></li><li><a href="#2">Two</a></li></ul>`,
			[]string{"0·list", "1·listitem", "2·button·1·One", "1·listitem", "2·link·2·Two···#2"}},
		{"a line of text", `<p>See <a href=/h>the <b>help</b></a>, then go.</p><p>Next</p>`,
			[]string{"0···See", "+0·link·1·the help···/h", "+0···, then go.", "0···Next"}},
		{"inline ends at a block", `<span>one</span><div>two</div>three`, []string{"0···one", "0···two", "0···three"}},
		{"style decides", `<style>span{display:block}div{display:inline}</style><span>one</span><span>two</span><div>three</div> <div>four</div>`,
			[]string{"0···one", "0···two", "0···three four"}},
		{"labels are said once", `<label for=a>Name</label> <input id=a value=x><label><input type=checkbox checked>I take the <a href=/t>terms</a></label>`,
			[]string{"0·textbox·1·Name··x", "+0·checkbox·2·I take the terms·checked", "+0·link·3·terms···/t"}},
		{"legend and caption", `<fieldset><legend>Way</legend><input type=radio aria-label=Post></fieldset><table><caption>T</caption><tr><td>x</table>`,
			[]string{"0·group··Way", "1·radio·1·Post", "0·table··T", "1·row", "2·cell", "3···x"}},
		{"hidden", `<div style="display:none">a<button>b</button></div><div style="visibility:hidden">c<b style="visibility:visible">d</b></div><div aria-hidden=true>e<button>f</button></div><div inert>g</div>`,
			[]string{"0···d"}},
		{"clickable boxes", `<div onclick=1>Words <button>in</button></div><div onclick=1>Click <b>that</b></div>`,
			[]string{"0·generic·1", "1···Words", "+1·button·2·in", "0·generic·3·Click that"}},
		{"select and secret", `<select aria-label=S><option>A<option selected>B</select><input type=password aria-label=P value=geheim>`,
			[]string{"0·combobox·1·S··B·A | B", "+0·textbox·2·P·password"}},
		{"heading", `<h3>Third</h3><div role=heading aria-level=5>Fifth</div>`, []string{"0·heading···3", "1···Third", "0·heading···5", "1···Fifth"}},
		{"dialog", `<dialog id=d>Sure?<button>Yes</button></dialog><script>d.showModal()</script>`,
			[]string{"0·dialog···modal", "1···Sure?", "+1·button·1·Yes·focused"}},
		{"shadow and slots", `<div id=h><i>slotted</i></div><script>h.attachShadow({mode:'open'}).innerHTML='<button>in</button><slot></slot>'</script>`,
			[]string{"0·button·1·in", "+0···slotted"}},
		{"svg", `<svg role=img aria-label=Chart><text>axis</text></svg><svg><text x=0 y=20>0</text><g><text x=0 y=40>words</text></g></svg>`, []string{"0·img··Chart", "+0···0 words"}},
		{"frame", `<p>before</p><iframe title=inner src=/child></iframe><p>after</p>`, []string{"0···before", "0·iframe··inner", "0···after"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			page := open(t, doc(c.html))
			got := ask[outlined](t, page, "T.outline()").lines()
			for i := range got { // what a select offers follows an empty address
				got[i] = strings.ReplaceAll(got[i], "··A | B", "·A | B")
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestOutlineParts(t *testing.T) {
	page := open(t, doc(`<p>top words</p><main id=m><button>In</button>`+strings.Repeat("x ", 200)+`</main><div style="height:3000px"></div><button>Below</button><iframe src=/child></iframe>`))
	if got := ask[outlined](t, page, "T.outline({root: document.getElementById('m')})").lines(); len(got) != 3 || got[0] != "0·main" {
		t.Error(got)
	}
	if got := ask[outlined](t, page, "T.outline({inView: true})"); strings.Contains(got.Text, "Below") || !strings.Contains(got.Text, "In") {
		t.Error(got.Text)
	}
	if got := ask[outlined](t, page, "T.outline({text: 10})").lines(); !strings.Contains(got[3], "x x x x x…") && !strings.Contains(got[3], "…") || !strings.HasSuffix(got[3], "399") {
		t.Error(got[3])
	}
	// What is looked for gets a ref though it is no control, and the ref can be used.
	got := ask[outlined](t, page, "T.outline({find: {text: 'TOP w'}})").lines()
	fields := strings.Split(got[0], "·")
	if len(fields) < 4 || fields[2] == "" {
		t.Fatal(got[0])
	}
	if found := ask[string](t, page, fmt.Sprintf("document.querySelector('p').id = 'found', T.locate({ref: 'e%s'})", fields[2])); found != "found" {
		t.Error(found)
	}
	if frames := ask[outlined](t, page, "T.outline()").Frames; !slices.Equal(frames, []int{5}) {
		t.Error(frames)
	}
}

// A ref of an outline is kept as those of a tree are: the element rendered anew answers to it.
func TestOutlineRefsLast(t *testing.T) {
	page := open(t, doc(`<div id=box><button>Save</button></div>`))
	line := ask[outlined](t, page, "T.outline()").lines()[0]
	if line != "0·button·1·Save" {
		t.Fatal(line)
	}
	do(t, page, "box.innerHTML = '<button id=again>Save</button>'")
	if found := ask[string](t, page, "T.locate({ref: 'e1'})"); found != "again" {
		t.Error(found)
	}
	do(t, page, "box.innerHTML = '<button id=other>Delete</button>'")
	if code := ask[struct{ Code string }](t, page, "T.locate({ref: 'e1'})").Code; code != "TARGET_STALE" {
		t.Error(code)
	}
}

// BenchmarkOutline measures the outline against the minimal walker of the same run.
// Budget: at most 3 walkers.
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
