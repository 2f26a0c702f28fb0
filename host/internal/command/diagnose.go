package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/layout"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var diagnoseCommand = define(catalog.Spec{
	Name: "layout.diagnose", Tool: "diagnose_layout", Summary: "Tell why an element is not where or as it should be: hidden, clipped, covered, off the screen, squeezed; with cause and fix.",
	Long:   "Without a target the whole page is examined and the worst is listed. What is hidden on purpose is told as info. --verify tries each fix on the page for a moment and measures again.",
	Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Positional: []string{"target"},
	Faults: []fault.Code{fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.NavigationInterrupted},
	Examples: []catalog.Example{
		{Line: "layout diagnose 'button \"Sign in\"'", Note: "one element"},
		{Line: "layout diagnose --output text", Note: "the whole page, the worst first"},
	},
}, layoutDiagnose)

type diagnoseParams struct {
	Target   string   `json:"target,omitempty" doc:"Ref (e12), role and name (button \"Save\"), CSS selector, or text; the whole page when not given."`
	Frame    string   `json:"frame,omitempty" doc:"Frame to look in; all when not given."`
	Type     []string `json:"type,omitempty" doc:"Only faults of these types."`
	Severity string   `json:"severity,omitempty" enum:"high,medium,low,info" doc:"This and worse; of a whole page low by default."`
	All      bool     `json:"all,omitempty" doc:"Also notes that matter to nothing now: overflow-hidden, stacking-context."`
	AAA      bool     `json:"aaa,omitempty" doc:"Contrast and target size by WCAG's level AAA."`
	Verify   bool     `json:"verify,omitempty" doc:"Try each fix on the page and measure again."`
	Limit    int      `json:"limit,omitempty" default:"20" min:"1" max:"500" doc:"Findings that are listed."`
}

type nodeName struct {
	Ref      string `json:"ref"`
	Role     string `json:"role,omitempty"`
	Name     string `json:"name,omitempty"`
	Selector string `json:"selector"`
}

type diagnoseCause struct {
	Ref       string `json:"ref"`
	Selector  string `json:"selector"`
	Property  string `json:"property"`
	Value     string `json:"value"`
	Attribute bool   `json:"attribute,omitempty" doc:"The property is an attribute."`
	Source    string `json:"source,omitempty" doc:"Rule and URL:LINE that declares it."`
}

type diagnoseFix struct {
	Selector  string `json:"selector"`
	Property  string `json:"property"`
	Value     string `json:"value"`
	Attribute bool   `json:"attribute,omitempty"`
}

type diagnoseVerified struct {
	Fixed bool `json:"fixed"`
	// New are faults that the fix brings.
	New []string `json:"newIssues,omitempty"`
}

type diagnoseIssue struct {
	Type     string            `json:"type"`
	Severity layout.Severity   `json:"severity"`
	Element  nodeName          `json:"element"`
	Message  string            `json:"message" doc:"Page text in one sentence."`
	Evidence map[string]any    `json:"evidence,omitempty"`
	Cause    *diagnoseCause    `json:"cause,omitempty" doc:"The one element and declaration that carries the fault."`
	Fix      *diagnoseFix      `json:"fix,omitempty"`
	Verified *diagnoseVerified `json:"verified,omitempty"`
	Purpose  string            `json:"purpose,omitempty" doc:"Why it is so on purpose; no fault then."`
}

type diagnoseBox struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

type diagnoseResult struct {
	Element  *nodeName       `json:"element,omitempty"`
	Issues   []diagnoseIssue `json:"issues"`
	More     int             `json:"more,omitempty" doc:"Findings beyond the limit."`
	Position *diagnoseBox    `json:"position,omitempty" doc:"Border box in CSS px of its frame's viewport; absent when it has none."`
	Viewport *diagnoseBox    `json:"viewport,omitempty"`
	Frame    string          `json:"frame,omitempty"`
	Checked  int             `json:"checked,omitempty" doc:"Elements of the whole page that were examined."`
}

func (r diagnoseResult) Text() string {
	var b strings.Builder
	if r.Element != nil {
		b.WriteString(nodeText(*r.Element))
		if p := r.Position; p != nil {
			fmt.Fprintf(&b, " %g×%g at %g,%g", p.Width, p.Height, p.X, p.Y)
		}
	} else {
		fmt.Fprintf(&b, "%d elements examined", r.Checked)
	}
	if len(r.Issues) == 0 {
		b.WriteString(": no faults")
		return b.String()
	}
	for i := range r.Issues {
		issue := &r.Issues[i]
		fmt.Fprintf(&b, "\n%s %s", issue.Severity, issue.Type)
		if r.Element == nil || issue.Element.Ref != r.Element.Ref {
			b.WriteString(" " + nodeText(issue.Element))
		}
		b.WriteString(": " + issue.Message)
		if issue.Purpose != "" {
			b.WriteString(" On purpose: " + issue.Purpose + ".")
		}
		if c := issue.Cause; c != nil && c.Source != "" {
			b.WriteString(" (" + c.Source + ")")
		}
		if f := issue.Fix; f != nil {
			fmt.Fprintf(&b, " fix: %s { %s: %s }", f.Selector, f.Property, f.Value)
		}
		if v := issue.Verified; v != nil {
			b.WriteString(map[bool]string{true: " [works]", false: " [does not help]"}[v.Fixed])
		}
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "\n… %d more: --limit %d", r.More, len(r.Issues)+r.More)
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

func layoutDiagnose(ctx context.Context, env *Env, p *diagnoseParams) (diagnoseResult, error) {
	if err := knownTypes(p.Type); err != nil {
		return diagnoseResult{}, err
	}
	if p.Target != "" {
		return diagnoseOne(ctx, env, p)
	}
	all, err := env.Tab.MeasureAll(ctx, p.Frame)
	if err != nil {
		return diagnoseResult{}, err
	}
	out := diagnoseResult{Issues: []diagnoseIssue{}}
	for _, m := range all {
		out.Checked += len(m.Snapshot.Elements)
		found := wantedFindings(layout.Diagnose(&m.Snapshot, p.options()), p)
		if room := p.Limit - len(out.Issues); len(found) > room {
			out.More += len(found) - room
			found = found[:room]
		}
		issues, err := issuesOf(ctx, env, m, found, p)
		if err != nil {
			return diagnoseResult{}, err
		}
		out.Issues = append(out.Issues, issues...)
	}
	return out, nil
}

func diagnoseOne(ctx context.Context, env *Env, p *diagnoseParams) (diagnoseResult, error) {
	named, err := target(p.Target)
	if err != nil {
		return diagnoseResult{}, err
	}
	m, err := env.Tab.Measure(ctx, named, p.Frame)
	if err != nil {
		return diagnoseResult{}, err
	}
	s := &m.Snapshot
	issues, err := issuesOf(ctx, env, m, wantedFindings(layout.Diagnose(s, p.options()), p), p)
	if err != nil {
		return diagnoseResult{}, err
	}
	names, err := env.Tab.NameMeasured(ctx, m, []int{s.Target})
	if err != nil {
		return diagnoseResult{}, err
	}
	element := nodeName(names[0])
	out := diagnoseResult{Element: &element, Issues: issues, Viewport: &diagnoseBox{Width: s.Viewport.Width, Height: s.Viewport.Height}}
	if r := s.Of(s.Target).Rect(); s.Rendered(s.Target) {
		out.Position = &diagnoseBox{r.X, r.Y, r.Width, r.Height}
	}
	if m.FrameID != "main" {
		out.Frame = m.FrameID
	}
	return out, nil
}

func (p *diagnoseParams) options() layout.Options { return layout.Options{All: p.All, AAA: p.AAA} }

// knownTypes refuses a type that no rule gives.
func knownTypes(wanted []string) error {
	types := layout.Types()
	for _, id := range wanted {
		if !slices.ContainsFunc(types, func(t layout.Type) bool { return t.ID == id }) {
			return problem("there is no fault type %q", id).Suggest("dbridge layout types")
		}
	}
	return nil
}

// wantedFindings leaves what the parameters ask for.
func wantedFindings(found []layout.Finding, p *diagnoseParams) []layout.Finding {
	return slices.DeleteFunc(found, func(f layout.Finding) bool {
		return len(p.Type) > 0 && !slices.Contains(p.Type, f.Type) ||
			p.Severity != "" && layout.Worse(layout.Severity(p.Severity), f.Severity)
	})
}

// issuesOf gives findings the refs and selectors of their elements, and tries their fixes.
func issuesOf(ctx context.Context, env *Env, m *page.Measured, found []layout.Finding, p *diagnoseParams) ([]diagnoseIssue, error) {
	place := make(map[int]int)
	var nodes []int
	see := func(i int) {
		if _, ok := place[i]; !ok && i >= 0 {
			place[i] = len(nodes)
			nodes = append(nodes, i)
		}
	}
	for _, f := range found {
		see(f.Element)
		if f.Cause.Property != "" {
			see(f.Cause.Element)
		}
		if f.Fix != nil {
			see(f.Fix.Element)
		}
		for _, value := range f.Evidence {
			if node, ok := value.(layout.Node); ok {
				see(int(node))
			}
		}
	}
	names, err := env.Tab.NameMeasured(ctx, m, nodes)
	if err != nil {
		return nil, err
	}
	name := func(i int) nodeName {
		if i < 0 {
			return nodeName{}
		}
		return nodeName(names[place[i]])
	}
	issues := make([]diagnoseIssue, 0, len(found))
	for _, f := range found {
		issue := diagnoseIssue{Type: f.Type, Severity: f.Severity, Element: name(f.Element), Message: f.Message, Purpose: f.Purpose}
		if len(f.Evidence) > 0 {
			issue.Evidence = make(map[string]any, len(f.Evidence))
			for key, value := range f.Evidence {
				if node, ok := value.(layout.Node); ok {
					value = name(int(node))
				}
				issue.Evidence[key] = value
			}
		}
		if c := f.Cause; c.Property != "" {
			at := name(c.Element)
			issue.Cause = &diagnoseCause{Ref: at.Ref, Selector: at.Selector, Property: c.Property, Value: c.Value, Attribute: c.Attribute}
		}
		if f.Fix != nil {
			issue.Fix = &diagnoseFix{name(f.Fix.Element).Selector, f.Fix.Property, f.Fix.Value, f.Fix.Attribute}
			if p.Verify {
				if issue.Verified, err = tried(ctx, env, m, f, p); err != nil {
					return nil, err
				}
			}
		}
		issues = append(issues, issue)
	}
	return issues, nil
}

// tried puts a finding's fix on the page for one measurement.
func tried(ctx context.Context, env *Env, m *page.Measured, f layout.Finding, p *diagnoseParams) (*diagnoseVerified, error) {
	change := page.Change{Index: f.Fix.Element, Property: f.Fix.Property, Value: f.Fix.Value, Attribute: f.Fix.Attribute}
	after, err := env.Tab.Remeasure(ctx, m, false, change)
	if err != nil {
		return nil, err
	}
	had := make(map[string]bool)
	for _, before := range layout.Diagnose(&m.Snapshot, p.options()) {
		had[before.Type] = true
	}
	out := &diagnoseVerified{Fixed: true}
	for _, now := range layout.Diagnose(&after.Snapshot, p.options()) {
		switch {
		case now.Type == f.Type && now.Severity != layout.Info && (m.Snapshot.Target != layout.None || now.Element == f.Element):
			out.Fixed = false
		case !had[now.Type] && now.Severity != layout.Info && !slices.Contains(out.New, now.Type):
			out.New = append(out.New, now.Type)
		}
	}
	return out, nil
}
