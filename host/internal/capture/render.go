package capture

import (
	"fmt"
	"strings"
)

// Options choose what of a page is written down.
type Options struct {
	Full            bool // nothing folded, nothing cut
	InteractiveOnly bool
	Depth           int // levels shown; all when 0
	Find            *Query
	Budget          int // characters; DefaultBudget when 0
}

// DefaultBudget is about 10,000 to 12,000 tokens: what an agent can bear to read at
// once, and enough for a page with a thousand controls.
const DefaultBudget = 30_000

// Folding. Rows that a person would search rather than read (text, or several things
// each) are shown up to foldOver; of more the first and the last tell what they are
// like. Rows that are one control each (a menu, a list of links) are choices to be
// seen, so that only the budget ends them.
const (
	foldOver  = 25
	foldFirst = 15
	foldLast  = 1
)

// Lengths on a line; the whole is there with Full.
const (
	maxText  = 160
	maxName  = 100
	maxHref  = 60
	maxValue = 80
	// Kids written on the line of what they are in.
	maxInline = 120
)

// Text is a page written down.
type Text struct {
	Body   string
	Nodes  int // of the page
	Refs   int // controls of the page
	Folded int // rows and nodes not shown
	Size   int // characters of the whole, where it is known to be more than what is shown
}

// Render writes the outline down.
func Render(o *Outline, options Options) Text {
	kids := build(o.Nodes())
	out := Text{Nodes: count(kids), Refs: refs(kids)}
	kids = selected(kids, options)
	r := newRenderer(o, options)
	r.list(kids, 0)
	out.Body, out.Folded = strings.Join(r.lines, "\n"), r.folded
	return out
}

// selected is what of the tree the options leave.
func selected(kids []*item, options Options) []*item {
	if options.InteractiveOnly {
		kids = interactive(kids)
	}
	if options.Find != nil {
		kids = matching(kids, options.Find)
	}
	return kids
}

// interactive leaves what can be operated, and what it is in.
func interactive(kids []*item) []*item {
	var kept []*item
	for _, it := range kids {
		inner := interactive(it.kids)
		if it.Ref == "" && len(inner) == 0 {
			continue
		}
		same := *it
		same.kids = inner
		kept = append(kept, &same)
	}
	return kept
}

type renderer struct {
	lines  []string
	left   int // of the budget
	folded int
	full   bool
	depth  int
	origin string
	unsaid bool // a fold was told of already
}

func newRenderer(o *Outline, options Options) *renderer {
	r := &renderer{full: options.Full, depth: options.Depth, left: options.Budget, origin: originOf(o.URL)}
	if r.left == 0 {
		r.left = DefaultBudget
	}
	if r.full {
		r.left = 1 << 40
	}
	return r
}

func (r *renderer) add(indent int, text string) {
	line := strings.Repeat("  ", indent) + text
	r.left -= len(line) + 1
	r.lines = append(r.lines, line)
}

// list writes siblings: runs of alike ones folded, words of one line on one line.
func (r *renderer) list(kids []*item, indent int) {
	for i := 0; i < len(kids); {
		if n := joined(kids[i:]); n > 1 {
			r.add(indent, r.sentence(kids[i:i+n]))
			i += n
			continue
		}
		if n := alike(kids[i:]); n > foldOver {
			r.rows(kids[i:i+n], indent)
			i += n
			continue
		}
		if r.left < 0 {
			r.rest(kids[i:], indent)
			return
		}
		r.item(kids[i], indent, "")
		i++
	}
}

// rest tells of what the budget left out.
func (r *renderer) rest(kids []*item, indent int) {
	n := count(kids)
	r.folded += n
	r.add(indent, fmt.Sprintf("… %s more%s", plural(n, "node"), r.how()))
}

// how says once how to see what was left out.
func (r *renderer) how() string {
	if r.unsaid {
		return ""
	}
	r.unsaid = true
	return " (all: --full; search: --find TEXT)"
}

// rows writes siblings of one kind.
func (r *renderer) rows(kids []*item, indent int) {
	if r.full || len(kids) <= foldOver && r.left >= 0 {
		for _, it := range kids {
			r.item(it, indent, "")
		}
		return
	}
	if choices(kids) {
		for i, it := range kids {
			// The last one says where the list ends.
			if r.left < 0 && i < len(kids)-2 {
				r.fold(kids[i:len(kids)-1], indent)
				r.item(kids[len(kids)-1], indent, "")
				return
			}
			r.item(it, indent, "")
		}
		return
	}
	for _, it := range kids[:foldFirst] {
		r.item(it, indent, "")
	}
	r.fold(kids[foldFirst:len(kids)-foldLast], indent)
	for _, it := range kids[len(kids)-foldLast:] {
		r.item(it, indent, "")
	}
}

func (r *renderer) fold(kids []*item, indent int) {
	r.folded += len(kids)
	what := "row"
	if kids[0].IsText() {
		what = "paragraph"
	}
	r.add(indent, fmt.Sprintf("… %s like these%s", plural(len(kids), "more "+what), r.how()))
}

// joined is how many of the items are one line of text: more than one, text among
// them, and nothing that has content of its own.
func joined(kids []*item) int {
	if !kids[0].isLeaf() || kids[0].Role == "iframe" {
		return 0
	}
	n, words := 1, kids[0].IsText()
	for n < len(kids) && kids[n].Join && kids[n].isLeaf() && kids[n].Role != "iframe" && n < maxFlat {
		words = words || kids[n].IsText()
		n++
	}
	if !words {
		return 0
	}
	return n
}

// alike is how many of the items are of one kind: all of a group's members, or a run of one role.
func alike(kids []*item) int {
	n := 1
	for n < len(kids) && kids[n].Role == kids[0].Role && kids[n].isLeaf() == kids[0].isLeaf() {
		n++
	}
	return n
}

// choices reports whether each row is one control and no more.
func choices(kids []*item) bool {
	for _, it := range kids {
		for it.Ref == "" && len(it.kids) == 1 {
			it = it.kids[0]
		}
		if it.Ref == "" || len(it.kids) > 0 {
			return false
		}
	}
	return true
}

// item writes one item; lead is what stands before it on its line.
func (r *renderer) item(it *item, indent int, lead string) {
	switch {
	case it.isLeaf() && cells[it.Role] && it.Ref == "" && it.Name == "": // outside of a row it says nothing
	case it.isLeaf() || it.IsText():
		r.add(indent, lead+r.leaf(it))
		r.list(it.kids, indent+1)
	case it.Role == "heading":
		r.heading(it, indent, lead)
	case it.Role == "row":
		r.row(it, indent, lead)
	case it.Role == "listitem" && it.Ref == "" && it.Name == "":
		r.listItem(it, indent, lead)
	case it.Ref == "" && it.Name == "" && (plain[it.Role] || nameless[it.Role]):
		r.through(it, indent, lead)
	default:
		r.container(it, indent, lead)
	}
}

// through writes what is in an item that has no line of its own.
func (r *renderer) through(it *item, indent int, lead string) {
	if lead != "" {
		r.add(indent, strings.TrimRight(lead, " >"))
		indent++
	}
	if groups[it.Role] {
		r.group(it.kids, indent)
		return
	}
	r.list(it.kids, indent)
}

// group writes the members of a list or table.
func (r *renderer) group(kids []*item, indent int) {
	if len(kids) > foldOver {
		r.rows(kids, indent)
		return
	}
	r.list(kids, indent)
}

func (r *renderer) heading(it *item, indent int, lead string) {
	level := min(max(len(it.States), 0), 1)
	marks := "#"
	if level == 1 && it.States[0] >= '1' && it.States[0] <= '6' {
		marks = strings.Repeat("#", int(it.States[0]-'0'))
	}
	leaves, ok := flat(it.kids, nil)
	if !ok {
		r.add(indent, lead+marks+" "+it.Name)
		r.list(it.kids, indent+1)
		return
	}
	words := r.sentence(leaves)
	if it.Ref != "" {
		words += " " + it.Ref
	}
	r.add(indent, lead+marks+" "+words)
}

// row writes a table's row on one line: what stands side by side is read so.
func (r *renderer) row(it *item, indent int, lead string) {
	if line, ok := r.cells(it); ok {
		if it.Ref != "" {
			line = "row " + it.Ref + ": " + line
		}
		r.add(indent, lead+line)
		return
	}
	// A table that lays out a page: what is in its cells, one after the other.
	if it.Ref != "" {
		r.add(indent, lead+"row "+it.Ref)
		indent++
	}
	r.list(it.kids, indent)
}

func (r *renderer) cells(it *item) (string, bool) {
	parts := make([]string, 0, len(it.kids))
	for _, cell := range it.kids {
		leaves, ok := flat([]*item{cell}, nil)
		if !ok {
			return "", false
		}
		parts = append(parts, r.sentence(leaves))
	}
	return strings.TrimRight(strings.Join(parts, " | "), " |"), true
}

func (r *renderer) listItem(it *item, indent int, lead string) {
	leaves, ok := flat(it.kids, nil)
	if ok && len(leaves) == 1 && leaves[0].Ref != "" {
		r.add(indent, lead+r.leaf(leaves[0]))
		return
	}
	if ok {
		r.add(indent, lead+"- "+r.sentence(leaves))
		return
	}
	// The first line tells what the row is; the rest stands below it.
	n := 0
	for n < len(it.kids) && it.kids[n].isLeaf() && it.kids[n].Role != "iframe" && n < maxFlat {
		n++
	}
	if n > 0 {
		r.add(indent, lead+"- "+r.sentence(it.kids[:n]))
		r.list(it.kids[n:], indent+1)
		return
	}
	if len(it.kids) == 1 {
		r.item(it.kids[0], indent, lead)
		return
	}
	r.add(indent, strings.TrimRight(lead+"-", " "))
	r.list(it.kids, indent+1)
}

// container writes a landmark, dialog, group, … and what is in it.
func (r *renderer) container(it *item, indent int, lead string) {
	head := lead + r.leaf(it)
	if r.depth > 0 && indent+1 >= r.depth {
		n := count(it.kids)
		r.folded += n
		r.add(indent, fmt.Sprintf("%s … %s inside", head, plural(n, "node")))
		return
	}
	if len(it.kids) == 1 && it.Ref == "" {
		only := it.kids[0]
		if !only.isLeaf() && structure[only.Role] && !plain[only.Role] && only.Role != "row" && only.Role != "heading" && only.Role != "table" {
			r.item(only, indent, head+" > ")
			return
		}
	}
	if !groups[it.Role] {
		if leaves, ok := flat(it.kids, nil); ok && len(leaves) <= 4 {
			if line := r.sentence(leaves); len(line) <= maxInline && (len(leaves) == 1 || joined(leaves) == len(leaves)) {
				r.add(indent, head+": "+line)
				return
			}
		}
	}
	r.add(indent, head)
	if groups[it.Role] {
		r.group(it.kids, indent+1)
		return
	}
	r.list(it.kids, indent+1)
}

// sentence writes leaves on one line: those of one line of text as it reads, with
// links as [name](ref), others with commas between.
func (r *renderer) sentence(leaves []*item) string {
	var b strings.Builder
	for i := 0; i < len(leaves); {
		n := max(joined(leaves[i:]), 1)
		if i > 0 {
			b.WriteString(", ")
		}
		for j, it := range leaves[i : i+n] {
			text := r.leaf(it)
			if n > 1 && it.Role == "link" && it.Ref != "" {
				text = "[" + r.cut(it.Name, maxName) + "](" + it.Ref + ")"
			}
			if j > 0 && !tight(text) {
				b.WriteByte(' ')
			}
			b.WriteString(text)
		}
		i += n
	}
	return b.String()
}

// tight reports whether the text stands right after the word before it.
func tight(text string) bool {
	return text != "" && strings.ContainsRune(".,;:!?)]}", rune(text[0]))
}
