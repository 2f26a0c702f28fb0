package command

import (
	"context"
	"slices"

	"github.com/debug-bridge/debug-bridge/host/internal/layout"
)

// maxChain is how many elements of a frame are told of by explain.
const maxChain = 25

// choose leaves what the parameters ask for: the worst first, of all frames.
func (d *diagnosis) choose(out *diagnoseResult) {
	p := d.p
	d.told = slices.DeleteFunc(d.told, func(t *told) bool {
		return len(p.Type) > 0 && !slices.Contains(p.Type, t.f.Type) ||
			p.Severity != "" && layout.Worse(layout.Severity(p.Severity), t.f.Severity)
	})
	slices.SortStableFunc(d.told, func(a, b *told) int {
		switch {
		case layout.Worse(a.f.Severity, b.f.Severity):
			return -1
		case layout.Worse(b.f.Severity, a.f.Severity):
			return 1
		}
		return 0
	})
	if len(d.told) > p.Limit {
		out.More = len(d.told) - p.Limit
		d.told = d.told[:p.Limit]
	}
}

// name gives the elements that are spoken of their refs and selectors: one call a frame.
func (d *diagnosis) name(ctx context.Context, out *diagnoseResult) error {
	for _, at := range d.frames {
		nodes := d.nodes(at)
		names, err := d.env.Tab.NameMeasured(ctx, at.Measured, nodes)
		if err != nil {
			return err
		}
		at.names = make(map[int]nodeName, len(nodes))
		for i, node := range nodes {
			at.names[node] = nodeName(names[i])
		}
	}
	if d.p.Target != "" {
		first := d.frames[0]
		element := first.names[first.Snapshot.Target]
		out.Element = &element
		for _, t := range d.told {
			if t.in != first {
				t.about = &element
			}
		}
	}
	for _, t := range d.told {
		if c := t.f.Cause; c.Property != "" {
			at := t.in.names[c.Element]
			t.cause = &diagnoseCause{Ref: at.Ref, Selector: at.Selector, Property: c.Property, Value: c.Value, Attribute: c.Attribute}
		}
	}
	return nil
}

// nodes are the elements of a frame that the answer speaks of.
func (d *diagnosis) nodes(at *examined) []int {
	seen := make(map[int]bool)
	var nodes []int
	see := func(i int) {
		if i >= 0 && !seen[i] {
			seen[i] = true
			nodes = append(nodes, i)
		}
	}
	see(at.Snapshot.Target)
	for _, t := range d.told {
		if t.in != at {
			continue
		}
		see(t.f.Element)
		if t.f.Cause.Property != "" {
			see(t.f.Cause.Element)
		}
		if t.f.Fix != nil {
			see(t.f.Fix.Element)
		}
		for _, value := range t.f.Evidence {
			if node, ok := value.(layout.Node); ok {
				see(int(node))
			}
		}
	}
	if d.p.Explain && at.Snapshot.Target != layout.None {
		at.chain = at.Snapshot.Explain(at.Snapshot.Target)
		if cut := len(at.chain) - maxChain; cut > 0 { // the nearest say most, and the root
			at.cut = cut
			at.chain = slices.Concat(at.chain[:maxChain-1], at.chain[len(at.chain)-1:])
		}
		for _, link := range at.chain {
			see(link.At)
		}
	}
	return nodes
}

// tell makes the findings the answer's.
func (d *diagnosis) tell(_ context.Context, out *diagnoseResult) error {
	for _, t := range d.told {
		issue := diagnoseIssue{
			Type: t.f.Type, Severity: t.f.Severity, Element: t.in.names[t.f.Element], Message: t.f.Message,
			Cause: t.cause, Verified: t.verified, Purpose: t.f.Purpose,
		}
		if t.about != nil {
			issue.Element = *t.about
		}
		if len(t.f.Evidence) > 0 {
			issue.Evidence = make(map[string]any, len(t.f.Evidence))
			for key, value := range t.f.Evidence {
				if node, ok := value.(layout.Node); ok {
					value = t.in.names[int(node)]
				}
				issue.Evidence[key] = value
			}
		}
		if f := t.f.Fix; f != nil {
			issue.Fix = &diagnoseFix{t.in.names[f.Element].Selector, f.Property, f.Value, f.Attribute}
		}
		out.Issues = append(out.Issues, issue)
	}
	if d.p.Explain && d.p.Target != "" {
		for _, at := range d.frames {
			out.ChainMore += at.cut
			for _, link := range at.chain {
				frame := at.FrameID
				if frame == "main" {
					frame = ""
				}
				name := at.names[link.At]
				out.Chain = append(out.Chain, diagnoseLink{name.Ref, name.Selector, frame, link.Does})
			}
		}
	}
	return nil
}
