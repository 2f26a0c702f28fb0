package capture

import (
	"strconv"
	"strings"
)

// Segment is a stretch of one frame's outline. A page's outline is its segments in
// reading order, a child frame's between those of its parent.
type Segment struct {
	Lines   string
	Depth   int    // of the frame's root in the page's outline
	Prefix  string // of the frame's refs: "" or "f2"
	RefBase int    // added to the bridge's numbers
}

// Outline is what the bridges of a page tell of it.
type Outline struct {
	Document  string // the main frame's; another one after a navigation
	URL       string
	Title     string
	Segments  []Segment
	Truncated int // nodes left out at the bridge's limit
}

// Node is one line of an outline. Strings are parts of the outline itself.
type Node struct {
	Depth  int
	Join   bool   // goes on in the line of text of the node before it
	Role   string // empty for text
	Ref    string // as agents know it; empty where there is none
	Name   string // or the text
	States string // words separated by spaces; the level of a heading
	Value  string
	Href   string
	More   string // what a select offers; the whole length of a text that was cut
}

// IsText reports whether the node is text and nothing else.
func (n *Node) IsText() bool { return n.Role == "" }

// Size is the outline's length in bytes.
func (o *Outline) Size() int {
	size := 0
	for _, s := range o.Segments {
		size += len(s.Lines)
	}
	return size
}

// Nodes reads the outline.
func (o *Outline) Nodes() []Node {
	count := 0
	for _, s := range o.Segments {
		count += strings.Count(s.Lines, "\n") + 1
	}
	nodes := make([]Node, 0, count)
	for _, s := range o.Segments {
		for line := range strings.SplitSeq(s.Lines, "\n") {
			if node, ok := s.node(line); ok {
				nodes = append(nodes, node)
			}
		}
	}
	return nodes
}

func (s *Segment) node(line string) (Node, bool) {
	var n Node
	rest := line
	field := func() string {
		var f string
		f, rest, _ = strings.Cut(rest, "\t")
		return f
	}
	depth := field()
	depth, n.Join = strings.CutPrefix(depth, "+")
	number, err := strconv.Atoi(depth)
	if err != nil || number < 0 {
		return n, false
	}
	n.Depth = number + s.Depth
	n.Role = field()
	if ref := field(); ref != "" {
		if number, err := strconv.Atoi(ref); err == nil {
			n.Ref = s.Prefix + "e" + strconv.Itoa(number+s.RefBase)
		}
	}
	n.Name, n.States, n.Value, n.Href, n.More = field(), field(), field(), field(), rest
	return n, true
}
