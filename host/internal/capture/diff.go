package capture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// Diff is what became of a page since its last snapshot.
type Diff struct {
	NewDocument bool // another document: Text is the whole of it
	Whole       bool // so much changed that the whole says it shorter
	Added       int
	Removed     int
	Changed     int
	Moved       int
	Text        Text
}

// Same reports whether nothing changed.
func (d *Diff) Same() bool { return !d.NewDocument && d.Added+d.Removed+d.Changed+d.Moved == 0 }

// smallDiff is a length at which what changed is told as such, though the whole is shorter.
const smallDiff = 300

// Compare tells what changed from one outline to the next.
func Compare(before, now *Outline, options Options) Diff {
	if before.Document != now.Document {
		return Diff{NewDocument: true, Text: Render(now, options)}
	}
	old, fresh := linesOf(before, options), linesOf(now, options)
	d := differ{old: old, fresh: fresh}
	d.pair()
	out := Diff{Added: d.added, Removed: d.removed, Changed: d.changed, Moved: d.moved}
	if out.Same() {
		return out
	}
	lines := d.write()
	size := 0
	for _, line := range lines {
		size += len(line) + 1
	}
	if whole := Render(now, options); size > len(whole.Body)+smallDiff {
		out.Whole, out.Text = true, whole
		return out
	}
	budget := options.Budget
	if budget == 0 {
		budget = DefaultBudget
	}
	for i, line := range lines {
		if budget -= len(line) + 1; budget < 0 && !options.Full {
			out.Text.Folded = len(lines) - i
			lines = append(lines[:i], fmt.Sprintf("… %s (all: --full)", plural(len(lines)-i, "more line")))
			break
		}
	}
	out.Text.Body = strings.Join(lines, "\n")
	return out
}

// line is one line of a snapshot in which nothing is folded.
type line struct {
	text   string
	indent int
	parent int // the line it is in; -1 at the top
}

func linesOf(o *Outline, options Options) []line {
	kids := selected(build(o.Nodes()), Options{InteractiveOnly: options.InteractiveOnly})
	r := newRenderer(o, Options{})
	r.full = true // nothing folded; what is long is cut below
	r.left = 1 << 40
	r.list(kids, 0)
	lines := make([]line, len(r.lines))
	open := []int{}
	for i, text := range r.lines {
		bare := strings.TrimLeft(text, " ")
		indent := (len(text) - len(bare)) / 2
		for len(open) > 0 && lines[open[len(open)-1]].indent >= indent {
			open = open[:len(open)-1]
		}
		lines[i] = line{bare, indent, -1}
		if len(open) > 0 {
			lines[i].parent = open[len(open)-1]
		}
		open = append(open, i)
	}
	return lines
}

var refInLine = lazy.MustCompile(`\b(?:f\d+)?e\d+\b`)

// refOf is the line's first ref: who it is, whatever it says now.
func refOf(text string) string { return refInLine.FindString(text) }

type differ struct {
	old, fresh []line
	// Of each new line the old one that it is, of each old one the new one; -1 for none.
	from, to []int
	altered  []bool // the new line is an old one that says something else now
	shifted  []bool // it stands elsewhere among those that stayed

	added, removed, changed, moved int
}

// pair finds for each new line the old one that it is.
func (d *differ) pair() {
	d.from, d.to = filled(len(d.fresh)), filled(len(d.old))
	d.altered, d.shifted = make([]bool, len(d.fresh)), make([]bool, len(d.fresh))
	head := 0
	for head < len(d.old) && head < len(d.fresh) && d.old[head].text == d.fresh[head].text {
		d.join(head, head)
		head++
	}
	tail := 0
	for tail < len(d.old)-head && tail < len(d.fresh)-head && d.old[len(d.old)-1-tail].text == d.fresh[len(d.fresh)-1-tail].text {
		d.join(len(d.old)-1-tail, len(d.fresh)-1-tail)
		tail++
	}
	d.same(head, tail)
	d.byRef()
	d.inPlace()
	d.order()
	for i, at := range d.from {
		switch {
		case at < 0:
			d.added++
		case d.altered[i]:
			d.changed++
		case d.shifted[i]:
			d.moved++
		}
	}
	for _, at := range d.to {
		if at < 0 {
			d.removed++
		}
	}
}

func filled(n int) []int { return slices.Repeat([]int{-1}, n) }

func (d *differ) join(old, fresh int) { d.to[old], d.from[fresh] = fresh, old }

// same pairs lines that say the same, in the order they come.
func (d *differ) same(head, tail int) {
	where := make(map[string][]int)
	for i := head; i < len(d.old)-tail; i++ {
		where[d.old[i].text] = append(where[d.old[i].text], i)
	}
	for i := head; i < len(d.fresh)-tail; i++ {
		if list := where[d.fresh[i].text]; len(list) > 0 {
			d.join(list[0], i)
			where[d.fresh[i].text] = list[1:]
		}
	}
}

// byRef pairs what is left by the element it is about.
func (d *differ) byRef() {
	where := make(map[string]int)
	for i, at := range d.to {
		if ref := refOf(d.old[i].text); at < 0 && ref != "" {
			where[ref] = i
		}
	}
	for i, at := range d.from {
		if at >= 0 {
			continue
		}
		if old, ok := where[refOf(d.fresh[i].text)]; ok && d.to[old] < 0 {
			d.join(old, i)
			d.altered[i] = true
		}
	}
}

// inPlace pairs words that stand where other words stood: between the same neighbours,
// those without a ref, the first with the first.
func (d *differ) inPlace() {
	wordless := func(lines []line, pairs []int, from, to int) []int {
		var list []int
		for i := from; i < to; i++ {
			if pairs[i] < 0 && refOf(lines[i].text) == "" {
				list = append(list, i)
			}
		}
		return list
	}
	oldFrom, freshFrom := 0, 0
	for i := 0; i <= len(d.fresh); i++ {
		if i < len(d.fresh) && d.from[i] < oldFrom {
			continue // new, or from elsewhere
		}
		oldTo := len(d.old)
		if i < len(d.fresh) {
			oldTo = d.from[i]
		}
		if gone := wordless(d.old, d.to, oldFrom, oldTo); len(gone) > 0 {
			come := wordless(d.fresh, d.from, freshFrom, i)
			for k := range min(len(gone), len(come)) {
				if d.old[gone[k]].indent == d.fresh[come[k]].indent {
					d.join(gone[k], come[k])
					d.altered[come[k]] = true
				}
			}
		}
		oldFrom, freshFrom = oldTo+1, i+1
	}
}

// order finds which of the lines that stayed changed places: those outside of the
// longest run that kept its order.
func (d *differ) order() {
	var stayed []int
	for i, at := range d.from {
		if at >= 0 {
			stayed = append(stayed, i)
		}
	}
	// Patience: tails[k] ends the best increasing run of length k+1.
	var tails []int
	before := make([]int, len(stayed))
	for n, i := range stayed {
		k, _ := slices.BinarySearchFunc(tails, d.from[i], func(m, want int) int { return d.from[stayed[m]] - want })
		before[n] = -1
		if k > 0 {
			before[n] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, n)
		} else {
			tails[k] = n
		}
	}
	kept := make(map[int]bool, len(tails))
	if len(tails) > 0 {
		for n := tails[len(tails)-1]; n >= 0; n = before[n] {
			kept[n] = true
		}
	}
	for n, i := range stayed {
		d.shifted[i] = !kept[n] && !d.altered[i]
	}
}

// write tells the changes in the order of the page, each group under what it is in.
func (d *differ) write() []string {
	var out []string
	context := -2
	under := func(parent int, lines []line) {
		if parent < 0 || parent == context {
			return
		}
		context = parent
		out = append(out, "in "+lines[parent].text)
	}
	gone := func(from, to int) {
		for i := from; i < to; i++ {
			if d.to[i] < 0 {
				out = append(out, "- "+indented(d.old, i, d.to))
			}
		}
	}
	told := 0
	for i, at := range d.from {
		if at >= told && !d.shifted[i] {
			gone(told, at)
			told = at + 1
		}
		mark := "+ "
		switch {
		case at < 0:
		case d.altered[i]:
			mark = "~ "
		case d.shifted[i]:
			mark = "> "
		default:
			continue
		}
		// What is in something new is told with it.
		if parent := d.fresh[i].parent; parent >= 0 && (d.from[parent] >= 0 && !d.altered[parent]) {
			under(parent, d.fresh)
		}
		text := indented(d.fresh, i, d.from)
		if mark == "~ " && refOf(d.fresh[i].text) == "" {
			text += "  (was: " + d.old[at].text + ")"
		}
		out = append(out, mark+text)
	}
	gone(told, len(d.old))
	return out
}

// indented is the line, indented under those lines around it that are told too.
func indented(lines []line, i int, pairs []int) string {
	depth := 0
	for parent := lines[i].parent; parent >= 0 && pairs[parent] < 0; parent = lines[parent].parent {
		depth++
	}
	return strings.Repeat("  ", depth) + lines[i].text
}
