package command

import (
	"context"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/layout"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var diagnoseCommand = define(catalog.Spec{
	Name: "layout.diagnose", Tool: "diagnose_layout", Summary: "Tell why an element is not where or as it should be, with the one cause and a fix.",
	Long:   "Hidden, clipped, covered, off the screen, squeezed, too pale: the one declaration that does it, and what to change. Without a target the whole page is examined and the worst is listed. What is hidden on purpose is told as info. --verify tries each fix on the page for a moment and measures again.",
	Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Positional: []string{"target"},
	Faults: []fault.Code{fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.NavigationInterrupted, fault.CapabilityMissing, fault.FileAccessFailed},
	Examples: []catalog.Example{
		{Line: "layout diagnose 'button \"Sign in\"'", Note: "one element"},
		{Line: "layout diagnose --output text", Note: "the whole page, the worst first"},
		{Line: "layout diagnose h1 --verify --explain --screenshot", Note: "with the fixes tried, what bears on its place, and a picture"},
	},
}, layoutDiagnose)

type diagnoseParams struct {
	Target   string   `json:"target,omitempty" doc:"Ref (e12), role and name (button \"Save\"), CSS selector, or text; the whole page when not given."`
	Frame    string   `json:"frame,omitempty" doc:"Frame to look in; all when not given."`
	Type     []string `json:"type,omitempty" doc:"Only faults of these types."`
	Severity string   `json:"severity,omitempty" enum:"high,medium,low,info" doc:"This and worse; of a whole page low by default."`
	All      bool     `json:"all,omitempty" doc:"Also notes that matter to nothing now: overflow-hidden, stacking-context."`
	AAA      bool     `json:"aaa,omitempty" doc:"Contrast and target size by WCAG's level AAA."`
	Verify   bool     `json:"verify,omitempty" doc:"Try each fix on the page and measure again; needs level act."`
	Explain  bool     `json:"explain,omitempty" doc:"Also what places, stacks and cuts the element, from it up to the root."`
	Limit    int      `json:"limit,omitempty" default:"20" min:"1" max:"500" doc:"Findings that are listed."`
	// A picture for people, in the page and as a file.
	Highlight  *bool `json:"highlight,omitempty" doc:"Draw it in the page until false is given."`
	Screenshot bool  `json:"screenshot,omitempty" doc:"Make an image of it with boxes and labels; needs level control."`
	fileParams
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
	Fixed  bool         `json:"fixed"`
	Before *diagnoseBox `json:"before,omitempty" doc:"The element's box, where the fix changes it."`
	After  *diagnoseBox `json:"after,omitempty"`
	New    []string     `json:"newIssues,omitempty" doc:"Faults that the fix brings."`
}

type diagnoseLink struct {
	Ref      string   `json:"ref"`
	Selector string   `json:"selector"`
	Frame    string   `json:"frame,omitempty"`
	Does     []string `json:"does"`
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
	Element   *nodeName       `json:"element,omitempty"`
	Issues    []diagnoseIssue `json:"issues"`
	More      int             `json:"more,omitempty" doc:"Findings beyond the limit."`
	Position  *diagnoseBox    `json:"position,omitempty" doc:"Border box in CSS px of the page's viewport; absent when it has none."`
	Viewport  *diagnoseBox    `json:"viewport,omitempty"`
	Frame     string          `json:"frame,omitempty"`
	Checked   int             `json:"checked,omitempty" doc:"Elements of the whole page that were examined."`
	Frames    int             `json:"frames,omitempty" doc:"Frames of the whole page that were examined."`
	Partial   bool            `json:"partial,omitempty" doc:"The page is larger than what is measured of one."`
	Chain     []diagnoseLink  `json:"chain,omitempty" doc:"What places, stacks and cuts the element, from it up to the root."`
	ChainMore int             `json:"chainMore,omitempty" doc:"Elements of a long chain that are left out, before the root."`
	Image     *imageResult    `json:"image,omitempty"`

	off bool // it only took the drawing away
}

func layoutDiagnose(ctx context.Context, env *Env, p *diagnoseParams) (diagnoseResult, error) {
	d := &diagnosis{env: env, p: p}
	if err := d.refusal(); err != nil {
		return diagnoseResult{}, err
	}
	if p.Highlight != nil && !*p.Highlight {
		if err := highlightOff(ctx, env); err != nil || p.Target == "" {
			return diagnoseResult{Issues: []diagnoseIssue{}, off: true}, err
		}
	}
	out, err := d.measure(ctx)
	if err != nil {
		return diagnoseResult{}, err
	}
	env.Did(protocol.EffectNoop, "bridge")
	d.choose(&out)
	for _, step := range []func(context.Context, *diagnoseResult) error{d.name, d.declare, d.verify, d.tell, d.draw} {
		if err := step(ctx, &out); err != nil {
			return diagnoseResult{}, err
		}
	}
	return out, nil
}

// diagnosis is one run of the command.
type diagnosis struct {
	env    *Env
	p      *diagnoseParams
	frames []*examined // the target's frame and those around it, or all of the page
	told   []*told
}

// examined is one frame.
type examined struct {
	*page.Measured
	found []layout.Finding
	names map[int]nodeName
	chain []layout.Link
	cut   int // links that are left out
}

// told is a finding that is listed.
type told struct {
	in       *examined
	f        layout.Finding
	kind     string // the type by the rules, where f has another for the target
	about    *nodeName
	cause    *diagnoseCause
	verified *diagnoseVerified
}

func (p *diagnoseParams) options() layout.Options { return layout.Options{All: p.All, AAA: p.AAA} }

// refusal tells what cannot be done here, before anything is.
func (d *diagnosis) refusal() error {
	types := layout.Types()
	for _, id := range d.p.Type {
		if !slices.ContainsFunc(types, func(t layout.Type) bool { return t.ID == id }) {
			known := make([]string, 0, len(types))
			for _, t := range types {
				known = append(known, t.ID)
			}
			return problem("there is no fault type %q", id).With("types", known).Suggest("dbridge layout diagnose --type " + nearestWord(id, known))
		}
	}
	level := d.env.Tab.Info().Level
	if d.p.Verify && !level.Allows(protocol.Act) {
		return fault.New(fault.CapabilityMissing, "trying a fix changes the page for a moment, and it is connected at level %s", level).With("level", protocol.Act).
			Suggest("Ask the person to connect the tab at level act.", "Leave --verify out.")
	}
	if d.p.Screenshot && !d.env.Tab.Trusted() {
		return fault.New(fault.CapabilityMissing, "an image needs the debugger").With("level", protocol.Control).
			Suggest("Ask the person to connect the tab at level control.", "dbridge layout diagnose --highlight")
	}
	return nil
}

// nearestWord is the one that shares the most beginnings of words with what was meant.
func nearestWord(meant string, known []string) string {
	best, most := known[0], -1
	for _, word := range known {
		shared := 0
		for part := range strings.SplitSeq(meant, "-") {
			if len(part) > 2 && strings.Contains(word, part[:3]) {
				shared++
			}
		}
		if shared > most {
			best, most = word, shared
		}
	}
	return best
}

// measure measures and lets the rules judge.
func (d *diagnosis) measure(ctx context.Context) (diagnoseResult, error) {
	out := diagnoseResult{Issues: []diagnoseIssue{}}
	if d.p.Target == "" {
		all, err := d.env.Tab.MeasureAll(ctx, d.p.Frame)
		if err != nil {
			return out, err
		}
		for _, m := range all {
			if v := m.Snapshot.Viewport; m.Hidden || min(v.Width, v.Height) < minFrame && m.FrameID != "main" {
				continue // nobody sees what is in it
			}
			d.add(&examined{Measured: m, found: layout.Diagnose(&m.Snapshot, d.p.options())})
			out.Checked += len(m.Snapshot.Elements)
			out.Partial = out.Partial || m.Snapshot.Partial
		}
		out.Frames = len(d.frames)
		return out, nil
	}
	named, err := target(d.p.Target)
	if err != nil {
		return out, err
	}
	m, err := d.env.Tab.Measure(ctx, named, d.p.Frame)
	if err != nil {
		return out, advise(err, d.p.Target)
	}
	s := &m.Snapshot
	at := &examined{Measured: m, found: layout.Diagnose(s, d.p.options())}
	if s.Of(s.Target).Is(layout.Animated) {
		end, err := d.env.Tab.Remeasure(ctx, m, true)
		if err != nil {
			return out, err
		}
		at.found = layout.AtEnd(at.found, layout.Diagnose(&end.Snapshot, d.p.options()))
	}
	d.add(at)
	if m.FrameID != "main" {
		out.Frame = m.FrameID
	}
	return out, d.around(ctx, &out)
}

// minFrame is the side of a frame, in px, below which it is no part of the page to look at.
const minFrame = 4

// add takes a frame with all that was found in it.
func (d *diagnosis) add(at *examined) {
	d.frames = append(d.frames, at)
	for i := range at.found {
		d.told = append(d.told, &told{in: at, f: at.found[i]})
	}
}
