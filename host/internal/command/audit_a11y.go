package command

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/audit"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

type auditA11yParams struct {
	Target     string   `json:"target,omitempty" doc:"Only this element and what is in it: ref, role and name, CSS selector, or text."`
	Standard   []string `json:"standard,omitempty" enum:"wcag2a,wcag2aa,wcag21aa,wcag22aa,best-practice" doc:"What the page is held to; each includes those before it. Default: wcag22aa, which is A and AA of WCAG 2.0 to 2.2."`
	Rules      []string `json:"rules,omitempty" doc:"Only these rules of axe-core, such as color-contrast."`
	Impact     string   `json:"impact,omitempty" enum:"minor,moderate,serious,critical" doc:"Only violations of this impact and above."`
	Limit      int      `json:"limit,omitempty" default:"3" min:"1" max:"1000" doc:"Elements listed of each rule."`
	Incomplete bool     `json:"incomplete,omitempty" doc:"List what axe could not decide, too."`
	Frame      string   `json:"frame,omitempty" doc:"Only this frame and those in it."`
	File       string   `json:"file,omitempty" local:"true" doc:"Write the whole report here: .json or .html."`
	Overwrite  bool     `json:"overwrite,omitempty" doc:"Replace the file."`
}

type auditA11yResult struct {
	audit.A11y
	File string `json:"file,omitempty" doc:"The whole report."`
}

func (r auditA11yResult) Text() string {
	text := r.A11y.Text()
	if r.File != "" {
		text += "\n" + r.File
	}
	return text
}

// fileNodes are the elements listed of each rule in a file.
const fileNodes = 1000

// holdsAudit is the name under which an audit keeps the debugger attached.
const holdsAudit = "audit"

func auditA11y(ctx context.Context, env *Env, p *auditA11yParams) (auditA11yResult, error) {
	form, err := reportForm(p.File)
	if err != nil {
		return auditA11yResult{}, err
	}
	release, err := holdForAudit(ctx, env)
	if err != nil {
		return auditA11yResult{}, err
	}
	defer release()
	env.Dispatched()
	whole, err := runAxe(ctx, env, p, p.File != "")
	if err != nil {
		return auditA11yResult{}, err
	}
	env.Did(protocol.EffectNoop, "cdp")
	out := auditA11yResult{A11y: *whole}
	if p.File != "" {
		if out.File, err = writeReport(env, p.File, p.Overwrite, form, whole); err != nil {
			return out, err
		}
	}
	for _, rules := range []*[]audit.Rule{&out.Violations, &out.Incomplete} {
		*rules = slices.Clone(*rules)
		for i := range *rules {
			r := &(*rules)[i]
			r.Nodes, r.Tags = r.Nodes[:min(len(r.Nodes), p.Limit)], nil
		}
	}
	if !p.Incomplete {
		out.Incomplete = nil
	}
	return out, nil
}

// holdForAudit keeps the debugger of the user's Chrome attached until release.
func holdForAudit(ctx context.Context, env *Env) (release func(), err error) {
	if err := env.Tab.Hold(ctx, holdsAudit, true); err != nil {
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookCleanup)
		defer cancel()
		_ = env.Tab.Hold(ctx, holdsAudit, false) // it is let go with the tab, too
	}, nil
}

// axeRun is one run over the frames.
type axeRun struct {
	look    *looker
	wish    *runtime.CallArgument
	parts   []*runtime.CallArgument
	unheard int
}

// axeFound is what axe tells; elements are a frame and a number in it.
type axeFound struct {
	Version    string    `json:"version"`
	Violations []axeRule `json:"violations"`
	Incomplete []axeRule `json:"incomplete"`
	Passes     int       `json:"passes"`
	Errors     []string  `json:"errors"`
}

type axeRule struct {
	ID      string   `json:"id"`
	Impact  string   `json:"impact"`
	Help    string   `json:"help"`
	HelpURL string   `json:"helpUrl"`
	Tags    []string `json:"tags"`
	Nodes   []struct {
		At      [2]any `json:"at"`
		Impact  string `json:"impact"`
		Summary string `json:"summary"`
	} `json:"nodes"`
}

// runAxe gives the report; whole lists all elements.
func runAxe(ctx context.Context, env *Env, p *auditA11yParams, whole bool) (*audit.A11y, error) {
	start, root, err := axeStart(ctx, env, p)
	if err != nil {
		return nil, err
	}
	l, err := look(ctx, env, "axe", "open")
	if err != nil {
		return nil, err
	}
	defer l.close()
	top := l.frame(start)
	if root != nil {
		top = l.of(root.FrameID)
	}
	if top == nil {
		return nil, fault.New(fault.ElementNotFound, "the frame %q cannot be looked into", start).Suggest("dbridge capture snapshot")
	}
	if err := knownRules(ctx, top, p.Rules); err != nil {
		return nil, err
	}
	run := &axeRun{look: l, wish: asJSON(map[string]any{"tags": audit.Tags(p.Standard), "rules": append([]string{}, p.Rules...)})}
	context := "{}"
	if top.ID != "main" {
		context = `{"initiator":false}` // what is asked of a whole page is not asked of a frame
	}
	element := &runtime.CallArgument{} // undefined
	if root != nil {
		element = &runtime.CallArgument{ObjectID: root.ObjectID}
	}
	if err := run.part(ctx, top, context, element); err != nil {
		return nil, err
	}
	var found axeFound
	if _, err := top.call(ctx, "whole", &found, append([]*runtime.CallArgument{run.wish}, run.parts...)...); err != nil {
		return nil, err
	}
	info := env.Tab.Info()
	report := &audit.A11y{
		URL: redact.URL(info.URL), Title: redact.Text(info.Title), Passes: found.Passes, Version: found.Version, Failed: found.Errors,
		Counts: map[string]int{}, Unheard: run.unheard, Frames: len(run.parts) - run.unheard - 1,
	}
	limit := p.Limit
	if whole {
		limit = fileNodes
	}
	keep := len(audit.Impacts)
	if p.Impact != "" {
		keep = audit.ImpactRank(p.Impact) + 1
	}
	if report.Violations, err = run.rules(ctx, found.Violations, keep, limit); err != nil {
		return nil, err
	}
	for _, rule := range found.Incomplete {
		report.Undecided += len(rule.Nodes)
	}
	if p.Incomplete || whole {
		if report.Incomplete, err = run.rules(ctx, found.Incomplete, len(audit.Impacts), limit); err != nil {
			return nil, err
		}
	}
	for _, rule := range report.Violations {
		report.Counts[rule.Impact] += rule.Count
	}
	report.Sort()
	return report, nil
}

// rootNode is the element to start at, in the frame that holds it.
type rootNode struct {
	FrameID  cdp.FrameID
	ObjectID runtime.RemoteObjectID
}

// axeStart finds the element to start at, or the frame.
func axeStart(ctx context.Context, env *Env, p *auditA11yParams) (frame string, root *rootNode, err error) {
	if p.Target == "" {
		if p.Frame == "" {
			return "main", nil, nil
		}
		return p.Frame, nil, nil
	}
	named, err := target(p.Target)
	if err != nil {
		return "", nil, err
	}
	node, err := env.Tab.Node(ctx, named, p.Frame)
	if err != nil {
		return "", nil, err
	}
	return p.Frame, &rootNode{node.FrameID, node.ObjectID}, nil
}

// knownRules refuses names that are no rule.
func knownRules(ctx context.Context, f *lookedFrame, asked []string) error {
	if len(asked) == 0 {
		return nil
	}
	var known []string
	if _, err := f.call(ctx, "rules", &known); err != nil {
		return err
	}
	for _, name := range asked {
		if slices.Contains(known, name) {
			continue
		}
		var near []string
		for _, other := range known {
			for word := range strings.SplitSeq(name, "-") {
				if len(word) > 2 && strings.Contains(other, word) && !slices.Contains(near, other) {
					near = append(near, other)
				}
			}
		}
		err := problem("axe-core has no rule %q", name).Suggest("dbridge audit a11y")
		if len(near) > 0 {
			err = problem("axe-core has no rule %q", name).With("near", near[:min(len(near), 8)]).Suggest("dbridge audit a11y --rules " + near[0])
		}
		return err
	}
	return nil
}

// part runs a frame and then those in it, whose parts follow in this order.
func (r *axeRun) part(ctx context.Context, f *lookedFrame, context string, root *runtime.CallArgument) error {
	var frames struct {
		Frames []struct {
			Element int            `json:"element"`
			Context jsontext.Value `json:"context"`
		} `json:"frames"`
	}
	text, err := f.call(ctx, "part", &frames, r.wish, passed(context), root)
	if err != nil {
		return err
	}
	r.parts = append(r.parts, passed(text))
	for _, child := range frames.Frames {
		below := r.look.of(r.shownIn(ctx, f, child.Element))
		if below == nil || r.part(ctx, below, string(child.Context), &runtime.CallArgument{}) != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.parts = append(r.parts, passed("null"))
			r.unheard++
		}
	}
	return nil
}

// shownIn is the frame that a frame element shows.
func (r *axeRun) shownIn(ctx context.Context, f *lookedFrame, element int) cdp.FrameID {
	handle, err := f.run(ctx, "element", false, []*runtime.CallArgument{passed(element)})
	if err != nil || handle == nil || handle.ObjectID == "" {
		return ""
	}
	described, err := cdp.Call(ctx, f.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: handle.ObjectID})
	if err != nil || described.Node == nil {
		return ""
	}
	return described.Node.FrameID
}

// rules names the elements of what was found, up to a limit for each rule.
func (r *axeRun) rules(ctx context.Context, found []axeRule, keep, limit int) ([]audit.Rule, error) {
	out := []audit.Rule{}
	numbers := map[string][]int{}
	for _, rule := range found {
		if audit.ImpactRank(rule.Impact) >= keep {
			continue
		}
		for _, node := range rule.Nodes[:min(len(rule.Nodes), limit)] {
			frame, number := at(node.At)
			numbers[frame] = append(numbers[frame], number)
		}
	}
	places := map[string]map[int]audit.Place{}
	for frame, list := range numbers {
		f := r.look.frame(frame)
		if f == nil {
			continue
		}
		slices.Sort(list)
		described, err := r.look.places(ctx, f, slices.Compact(list))
		if err != nil {
			return nil, err
		}
		places[frame] = described
	}
	for _, rule := range found {
		if audit.ImpactRank(rule.Impact) >= keep {
			continue
		}
		named := audit.Rule{ID: rule.ID, Impact: rule.Impact, Help: rule.Help, HelpURL: helpURL(rule.HelpURL), Tags: rule.Tags, Count: len(rule.Nodes), Nodes: []audit.Node{}}
		for _, node := range rule.Nodes[:min(len(rule.Nodes), limit)] {
			frame, number := at(node.At)
			n := audit.Node{Place: places[frame][number], Summary: redact.Text(node.Summary)}
			if node.Impact != rule.Impact {
				n.Impact = node.Impact
			}
			named.Nodes = append(named.Nodes, n)
		}
		out = append(out, named)
	}
	return out, nil
}

// at reads an element's frame and number.
func at(pair [2]any) (frame string, number int) {
	frame, _ = pair[0].(string)
	n, _ := pair[1].(float64)
	return frame, int(n)
}

// helpURL is without the parameter that counts who asks.
func helpURL(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}

// reportForm is the form that a file's name asks for.
func reportForm(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".json":
		return "json", nil
	case ".html", ".htm":
		return "html", nil
	case ".txt", ".text":
		return "text", nil
	}
	return "", problem("the report's form is told by the file's name: .json, .html or .txt").Suggest("Give --file report.html.")
}

// report is what can be written to a file.
type report interface {
	Text() string
	HTML() ([]byte, error)
}

func writeReport(env *Env, name string, overwrite bool, form string, r report) (string, error) {
	var data []byte
	var err error
	switch form {
	case "json":
		data, err = json.Marshal(r, jsontext.WithIndent("  "), json.Deterministic(true))
	case "html":
		data, err = r.HTML()
	default:
		data = []byte(r.Text() + "\n")
	}
	if err != nil {
		return "", fault.New(fault.InternalError, "the report cannot be written").Because(err)
	}
	return state.WriteOutput(env.Caller.Cwd, name, overwrite, data)
}
