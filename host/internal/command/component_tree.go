package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

type componentTreeParams struct {
	Ref   string `json:"ref,omitempty" doc:"Only what is in the component of this element: ref, role and name, CSS selector, or text."`
	Name  string `json:"name,omitempty" doc:"Only components whose name contains this."`
	Depth *int   `json:"depth,omitempty" min:"0" max:"100" doc:"Levels below the first; all without it."`
	Limit int    `json:"limit,omitempty" default:"200" min:"1" max:"1000" doc:"Rows at most."`
	Frame string `json:"frame,omitempty" doc:"Look in this frame (f1); the main one without it."`
}

type componentRow struct {
	Depth  int    `json:"depth"`
	Name   string `json:"name" doc:"Page text."`
	Count  int    `json:"count,omitempty" doc:"Alike siblings in a row that this one stands for."`
	Key    string `json:"key,omitempty" doc:"What the app calls it among its siblings. Page text."`
	Ref    string `json:"ref,omitempty" doc:"First element of the component, where no component in it has the same."`
	Hidden int    `json:"hidden,omitempty" doc:"Components in it that depth left out."`
	Path   string `json:"path,omitempty" doc:"With a name: the components around it. Page text."`
}

type componentTreeResult struct {
	Frameworks []string       `json:"frameworks"`
	Build      string         `json:"build,omitempty" doc:"development or production, where that can be told."`
	Components int            `json:"components" doc:"How many there are in all."`
	More       bool           `json:"more,omitempty" doc:"There are more than could be counted."`
	Rows       []componentRow `json:"rows"`
	Hidden     int            `json:"hidden,omitempty" doc:"Components that limit left out."`
}

// treeAnswer is the page's.
type treeAnswer struct {
	componentTreeResult
	Looked []string `json:"looked"`
}

func (a *treeAnswer) Outward(wire func(string) string) {
	for i := range a.Rows {
		a.Rows[i].Ref = wire(a.Rows[i].Ref)
	}
}

func componentTree(ctx context.Context, env *Env, p *componentTreeParams) (componentTreeResult, error) {
	command := map[string]any{"type": "component_tree", "limit": p.Limit}
	if p.Name != "" {
		command["name"] = p.Name
	}
	if p.Depth != nil {
		command["depth"] = *p.Depth
	}
	var aim *protocol.Target
	if p.Ref != "" {
		parsed, err := target(p.Ref)
		if err != nil {
			return componentTreeResult{}, err
		}
		aim = &parsed
	}
	var answer treeAnswer
	if err := env.Tab.AskAt(ctx, aim, p.Frame, command, &answer); err != nil {
		return componentTreeResult{}, err
	}
	out := answer.componentTreeResult
	switch {
	case len(out.Frameworks) == 0:
		return out, noFramework(answer.Looked)
	case aim != nil && out.Components == 0:
		return out, noComponent(p.Ref)
	}
	if out.Rows == nil {
		out.Rows = []componentRow{}
	}
	for i := range out.Rows {
		row := &out.Rows[i]
		row.Name, row.Key, row.Path = nameLine(row.Name), nameLine(redact.Text(row.Key)), nameLine(row.Path)
	}
	return out, nil
}

// Text has a chain of only children on one line.
func (r componentTreeResult) Text() string {
	var b strings.Builder
	b.WriteString(strings.Join(r.Frameworks, ", "))
	if r.Build != "" {
		b.WriteString(" (" + r.Build + ")")
	}
	more := ""
	if r.More {
		more = "more than "
	}
	fmt.Fprintf(&b, ", %s%d components\n", more, r.Components)
	indents := map[int]int{-1: -1} // of the rows above, by depth
	for i := 0; i < len(r.Rows); i++ {
		indent := indents[r.Rows[i].Depth-1] + 1
		b.WriteString(strings.Repeat("  ", indent))
		b.WriteString(r.Rows[i].text())
		for r.chained(i) {
			indents[r.Rows[i].Depth] = indent
			i++
			b.WriteString(" > " + r.Rows[i].text())
		}
		indents[r.Rows[i].Depth] = indent
		b.WriteByte('\n')
	}
	if len(r.Rows) == 0 {
		b.WriteString("none of that name\n")
	}
	if r.Hidden > 0 {
		fmt.Fprintf(&b, "%d more are left out; see less with --name, --depth or --ref, or more with --limit\n", r.Hidden)
	}
	return b.String()
}

// chained reports whether the next row is all that is in this one.
func (r componentTreeResult) chained(i int) bool {
	row := r.Rows[i]
	if i+1 >= len(r.Rows) || r.Rows[i+1].Depth != row.Depth+1 || row.Count > 1 || row.Path != "" {
		return false
	}
	for _, below := range r.Rows[i+2:] {
		if below.Depth <= row.Depth {
			return true
		}
		if below.Depth == row.Depth+1 {
			return false
		}
	}
	return r.Hidden == 0
}

func (r componentRow) text() string {
	text := r.Name
	if r.Count > 1 {
		text += fmt.Sprintf(" ×%d", r.Count)
	}
	if r.Key != "" {
		text += " key=" + r.Key
	}
	if r.Ref != "" {
		text += " " + r.Ref
	}
	if r.Hidden > 0 {
		text += fmt.Sprintf(" (+%d)", r.Hidden)
	}
	if r.Path != "" {
		text += " in " + r.Path
	}
	return text
}
