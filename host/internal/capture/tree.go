package capture

import "strings"

// item is a node in its place, after what says nothing was taken out.
type item struct {
	*Node
	kids []*item
}

// Roles by what they are to a reader.
var (
	// What is seen as it is inside of it, without a line of its own.
	plain = set("list listitem rowgroup cell gridcell columnheader rowheader feed")
	rows  = set("listitem row article")
	// Of these the name is all there is; one that its first words say again is not needed.
	nameless = set("group region figure directory blockquote")
	// Groups whose members are of a kind by themselves.
	groups = set("list table grid treegrid listbox menu menubar tree feed tablist")
	cells  = set("cell gridcell columnheader rowheader")
	// Roles of structure: without content and ref they say nothing.
	structure = set("banner navigation main complementary contentinfo search form region dialog alertdialog alert status log " +
		"list listitem table grid treegrid row cell gridcell columnheader rowheader heading article tablist tabpanel menu menubar " +
		"tree treeitem listbox feed group radiogroup figure toolbar directory blockquote")
	// A name of these says something even when nothing is in them.
	tells     = set("dialog alertdialog alert status list table grid tree listbox heading")
	landmarks = set("banner navigation main complementary contentinfo search form region dialog alertdialog tabpanel")
)

func set(words string) map[string]bool {
	s := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		s[word] = true
	}
	return s
}

// build makes the tree of an outline's nodes.
func build(nodes []Node) []*item {
	root := &item{}
	items := make([]item, len(nodes))
	open := []*item{root}
	depths := []int{-1}
	for i := range nodes {
		items[i].Node = &nodes[i]
		for depths[len(depths)-1] >= nodes[i].Depth {
			open, depths = open[:len(open)-1], depths[:len(depths)-1]
		}
		parent := open[len(open)-1]
		parent.kids = append(parent.kids, &items[i])
		open, depths = append(open, &items[i]), append(depths, nodes[i].Depth)
	}
	root.kids = tidy(root.kids)
	return root.kids
}

// tidy takes out empty structure and words that are said twice.
func tidy(kids []*item) []*item {
	kept := kids[:0]
	for _, it := range kids {
		it.kids = tidy(it.kids)
		if it.Role == "row" && blank(it.kids) {
			it.kids = nil
		}
		// A blank cell keeps its column.
		if len(it.kids) == 0 && it.Ref == "" && structure[it.Role] && !cells[it.Role] && (it.Name == "" || !tells[it.Role]) {
			continue
		}
		it.unsay()
		if len(kept) > 0 && echoes(kept[len(kept)-1], it) {
			kept = kept[:len(kept)-1]
		}
		kept = append(kept, it)
	}
	return kept
}

// blank reports whether a row has nothing in its cells.
func blank(kids []*item) bool {
	for _, it := range kids {
		if !cells[it.Role] || len(it.kids) > 0 || it.Ref != "" || it.Name != "" {
			return false
		}
	}
	return true
}

// unsay drops a name that the first words inside say again.
func (it *item) unsay() {
	if it.Name == "" || len(it.kids) == 0 || it.IsText() {
		return
	}
	first := it.kids[0]
	for len(first.kids) > 0 && first.Name == "" && first.Ref == "" {
		first = first.kids[0]
	}
	if first.IsText() && first.Name == it.Name {
		bare := *it.Node
		bare.Name = ""
		it.Node = &bare
	}
}

// echoes reports whether an image only repeats the control that follows it.
func echoes(before, it *item) bool {
	return before.Role == "img" && before.Ref == "" && it.Ref != "" && before.Name != "" && before.Name == it.Name
}

// isLeaf reports whether the item is one thing to read or operate.
func (it *item) isLeaf() bool { return len(it.kids) == 0 }

// count is the number of nodes in and below the items.
func count(kids []*item) int {
	n := len(kids)
	for _, it := range kids {
		n += count(it.kids)
	}
	return n
}

// refs counts what can be operated.
func refs(kids []*item) int {
	n := 0
	for _, it := range kids {
		if it.Ref != "" {
			n++
		}
		n += refs(it.kids)
	}
	return n
}

// maxFlat is the most leaves that are written on one line.
const maxFlat = 24

// flat gives the leaves of a row that can be read as one line; false when it holds
// what needs lines of its own.
func flat(kids []*item, into []*item) ([]*item, bool) {
	for _, it := range kids {
		switch {
		case it.Role == "iframe":
			return nil, false
		case it.isLeaf():
			if !cells[it.Role] || it.Ref != "" || it.Name != "" {
				into = append(into, it)
			}
		case it.Ref == "" && it.Name == "" && (plain[it.Role] && it.Role != "list" && it.Role != "feed" || it.Role == "heading" || it.Role == "group"):
			var ok bool
			if into, ok = flat(it.kids, into); !ok {
				return nil, false
			}
		default:
			return nil, false
		}
		if len(into) > maxFlat {
			return nil, false
		}
	}
	return into, true
}
