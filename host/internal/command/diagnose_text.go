package command

import (
	"fmt"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/layout"
)

// Text is the worst first, a finding a line.
func (r diagnoseResult) Text() string {
	if r.off {
		return "nothing is drawn in the page any more"
	}
	var b strings.Builder
	if r.Element != nil {
		b.WriteString(nodeText(*r.Element))
		if p := r.Position; p != nil {
			fmt.Fprintf(&b, " %g×%g at %g,%g%s", p.Width, p.Height, p.X, p.Y, r.away())
		}
	} else {
		fmt.Fprintf(&b, "%d elements examined", r.Checked)
		if r.Frames > 1 {
			fmt.Fprintf(&b, " in %d frames", r.Frames)
		}
		if r.Partial {
			b.WriteString(", not all of the page")
		}
	}
	if len(r.Issues) == 0 {
		b.WriteString(": no faults")
	}
	for i := range r.Issues {
		b.WriteString("\n" + r.Issues[i].line(r.Element))
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "\n… %d more: --limit %d", r.More, len(r.Issues)+r.More)
	}
	if len(r.Chain) > 0 {
		b.WriteString("\nfrom it to the root:")
	}
	for _, link := range r.Chain {
		fmt.Fprintf(&b, "\n  %s %s: %s", link.Ref, link.Selector, strings.Join(link.Does, "; "))
	}
	if r.ChainMore > 0 {
		fmt.Fprintf(&b, "\n  (%d more, before the root)", r.ChainMore)
	}
	if r.Image != nil {
		b.WriteString("\nimage: " + r.Image.Text())
	}
	return b.String()
}

// away says where the element is that scrolling brings into view; empty where it is in
// view, or where a finding tells its place.
func (r diagnoseResult) away() string {
	p, v := r.Position, r.Viewport
	if v == nil || p.Width <= 0 || p.Height <= 0 {
		return ""
	}
	for i := range r.Issues {
		if kind := r.Issues[i].Type; strings.Contains(kind, "offscreen") || kind == "clipped-by-ancestor" {
			return ""
		}
	}
	switch {
	case p.Y >= v.Height:
		return " (below the fold: scroll to it)"
	case p.Y+p.Height <= 0:
		return " (above what is in view: scroll to it)"
	case p.X >= v.Width || p.X+p.Width <= 0:
		return " (beside what is in view: scroll to it)"
	}
	return ""
}

// line tells a finding; of is the element that the whole answer is about.
func (i *diagnoseIssue) line(of *nodeName) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", i.Severity, i.Type)
	if of == nil || i.Element.Ref != of.Ref {
		b.WriteString(" " + i.Element.Ref)
	}
	b.WriteString(": " + i.Message)
	if i.Purpose != "" {
		b.WriteString(" On purpose: " + i.Purpose + ".")
	}
	if i.Cause != nil && i.Cause.Source != "" {
		b.WriteString(" (" + i.Cause.Source + ")")
	}
	if f := i.Fix; f != nil {
		switch {
		case f.Attribute && f.Value == layout.Remove:
			fmt.Fprintf(&b, " fix: take %s off %s", f.Property, f.Selector)
		case f.Attribute:
			fmt.Fprintf(&b, " fix: %s %s=%q", f.Selector, f.Property, f.Value)
		default:
			fmt.Fprintf(&b, " fix: %s { %s: %s }", f.Selector, f.Property, f.Value)
		}
	}
	switch v := i.Verified; {
	case v == nil:
	case !v.Fixed && len(v.New) > 0:
		fmt.Fprintf(&b, " [brings %s]", strings.Join(v.New, ", "))
	case !v.Fixed:
		b.WriteString(" [does not help]")
	case len(v.New) > 0:
		fmt.Fprintf(&b, " [works; brings %s]", strings.Join(v.New, ", "))
	default:
		b.WriteString(" [works]")
	}
	return b.String()
}

func nodeText(n nodeName) string {
	text := n.Ref
	if n.Role != "" {
		text += " " + n.Role
	}
	if n.Name != "" {
		text += fmt.Sprintf(" %q", n.Name)
	} else if n.Selector != "" {
		text += " " + n.Selector
	}
	return text
}
