package capture

// Branch is a node of the tree as JSON.
type Branch struct {
	Role     string   `json:"role,omitempty" doc:"Left out for text."`
	Name     string   `json:"name,omitempty" doc:"Accessible name, or the text."`
	Ref      string   `json:"ref,omitempty"`
	States   string   `json:"states,omitempty"`
	Value    string   `json:"value,omitempty"`
	Href     string   `json:"href,omitempty"`
	Offers   string   `json:"offers,omitempty" doc:"What a select can be set to."`
	Children []Branch `json:"children,omitempty"`
	Folded   int      `json:"folded,omitempty" doc:"Nodes left out below this one."`
}

// maxBranches of a tree that is not asked for in full.
const maxBranches = 1500

// Tree is the outline as a tree; left out is how many nodes are not in it.
func Tree(o *Outline, options Options) (branches []Branch, total, leftOut int) {
	kids := build(o.Nodes())
	total = count(kids)
	kids = selected(kids, options)
	left := maxBranches
	if options.Full {
		left = 1 << 40
	}
	g := &grower{left: left, depth: options.Depth, origin: originOf(o.URL)}
	branches = g.grow(kids, 1)
	return branches, total, g.leftOut
}

type grower struct {
	left, depth, leftOut int
	origin               string
}

func (g *grower) grow(kids []*item, level int) []Branch {
	list := make([]Branch, 0, len(kids))
	for i, it := range kids {
		if g.left <= 0 {
			g.leftOut += count(kids[i:])
			break
		}
		// A wrapper without a name says nothing in JSON either.
		if it.Ref == "" && it.Name == "" && len(it.kids) == 1 && (it.Role == "listitem" || it.Role == "rowgroup") {
			list = append(list, g.grow(it.kids, level)...)
			continue
		}
		g.left--
		b := Branch{Role: it.Role, Name: it.Name, Ref: it.Ref, States: it.States, Value: it.Value, Href: relative(it.Href, g.origin)}
		if !it.IsText() {
			b.Offers = it.More
		}
		switch {
		case len(it.kids) == 0:
		case g.depth > 0 && level >= g.depth:
			b.Folded = count(it.kids)
			g.leftOut += b.Folded
		default:
			b.Children = g.grow(it.kids, level+1)
		}
		list = append(list, b)
	}
	return list
}
