package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var pickedCommand = define(catalog.Spec{
	Name: "observe.picked", Tool: "get_picked", Summary: "What the person pointed at to show it: elements, with their notes.",
	Long:   "The person does so from the popup (Show…) or the context menu (Show this to the agent). The last ones are kept; --wait waits for the next.",
	Effect: catalog.Read, Needs: catalog.Slot, Level: protocol.Observe,
	Faults:   []fault.Code{fault.Timeout},
	Examples: []catalog.Example{{Line: "observe picked"}, {Line: "observe picked --output text"}},
}, observePicked)

// maxPicked is how many are kept of a tab; pickTime bounds finding out what can be said of one.
const (
	maxPicked = 20
	pickTime  = 4 * time.Second
	maxFaults = 3
)

type pickedParams struct {
	Wait bool `json:"wait,omitempty" doc:"Wait for the next one."`
}

type pickedElement struct {
	Page      int               `json:"pageId"`
	Frame     string            `json:"frameId"`
	At        int64             `json:"timestamp" doc:"When, in ms since 1970."`
	Ref       string            `json:"ref" doc:"For commands, while its document is there."`
	Role      string            `json:"role"`
	Name      string            `json:"name" doc:"Page text."`
	Tag       string            `json:"tag"`
	Selector  string            `json:"selector"`
	Note      string            `json:"note,omitempty" doc:"The person's words."`
	Bounds    protocol.Bounds   `json:"bounds"`
	Styles    map[string]string `json:"styles" doc:"Page text."`
	Component any               `json:"component,omitempty" doc:"Page text."`
	Diagnosis []string          `json:"diagnosis,omitempty" doc:"Page text."`
}

type pickedResult struct {
	Picked []pickedElement `json:"picked" doc:"The last one first."`
}

func (r pickedResult) Text() string {
	if len(r.Picked) == 0 {
		return "the person has shown nothing yet\nnext: ask them to choose Show… in the Debug Bridge popup, or dbridge observe picked --wait"
	}
	var lines []string
	for i := range r.Picked {
		lines = append(lines, r.Picked[i].text())
	}
	return strings.Join(lines, "\n")
}

func (p *pickedElement) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (page %d", named(p.Role, p.Name, p.Ref), p.Page)
	if p.Frame != "main" {
		b.WriteString(", " + p.Frame)
	}
	fmt.Fprintf(&b, ") %s, %.0f×%.0f", p.Selector, p.Bounds.Width, p.Bounds.Height)
	if p.Note != "" {
		fmt.Fprintf(&b, "\n  the person: %q", p.Note)
	}
	if of, ok := p.Component.(componentOfResult); ok {
		b.WriteString("\n  component: " + strings.ReplaceAll(strings.TrimSpace(of.Text()), "\n", "\n  "))
	}
	for _, line := range p.Diagnosis {
		b.WriteString("\n  " + line)
	}
	if len(p.Styles) > 0 {
		b.WriteString("\n  ")
		for i, property := range slices.Sorted(maps.Keys(p.Styles)) {
			if i > 0 {
				b.WriteString("; ")
			}
			fmt.Fprintf(&b, "%s: %s", property, p.Styles[property])
		}
	}
	return b.String()
}

// picks keeps what the person showed of one tab.
type picks struct {
	stop func()

	mu   sync.Mutex
	list []pickedElement // the last one first
}

type picksKey struct{}

// Close ends the keeping.
func (p *picks) Close() { p.stop() }

// keepPicks keeps the picks of a tab, and sees to what is said of each.
func (s *Stores) keepPicks(t *page.Tab) {
	t.Keep(picksKey{}, func() page.Keeper {
		p := &picks{}
		p.stop = t.Telemetry(func(said page.Said) {
			if m, ok := said.Message.(*protocol.Picked); ok {
				p.add(t, m)
			}
		})
		return p
	})
	t.OnPicked(func(m *protocol.Picked, tell func()) {
		s.work.Go(func() {
			ctx, cancel := context.WithTimeout(s.ctx, pickTime)
			defer cancel()
			examine(ctx, t, m)
			tell()
		})
	})
}

func (p *picks) add(t *page.Tab, m *protocol.Picked) {
	frame := m.FrameID
	if frame == "" {
		frame = "main"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = slices.Insert(p.list, 0, pickedElement{
		Page: t.PageID(), Frame: frame, At: m.Timestamp, Ref: m.Ref, Role: m.Role, Name: m.Name, Tag: m.Tag, Selector: m.Selector, Note: m.Note,
		Bounds: m.Bounds, Styles: m.Styles, Component: m.Component, Diagnosis: m.Diagnosis,
	})
	p.list = p.list[:min(len(p.list), maxPicked)]
}

// examine finds the element's component, and what is wrong with its layout. It asks the
// page's bridge alone, but for sources at level control: a debugger that is seen to attach
// because the person pointed at something would startle them. What cannot be found out is
// left out.
func examine(ctx context.Context, t *page.Tab, m *protocol.Picked) {
	env := &Env{Tab: t}
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() {
		if of, err := componentOf(ctx, env, &componentParams{Target: m.Ref}); err == nil {
			m.Component = of
		}
	})
	d := &diagnosis{env: &Env{Tab: t}, p: &diagnoseParams{Target: m.Ref, Severity: "low", Limit: maxFaults}}
	out, err := d.measure(ctx)
	if err != nil {
		return
	}
	d.choose(&out)
	for _, step := range []func(context.Context, *diagnoseResult) error{d.name, d.tell} {
		if step(ctx, &out) != nil {
			return
		}
	}
	for i := range out.Issues {
		m.Diagnosis = append(m.Diagnosis, out.Issues[i].line(out.Element))
	}
}

func observePicked(ctx context.Context, env *Env, p *pickedParams) (pickedResult, error) {
	tab, err := env.Context.Tab(env.Page)
	if err != nil {
		return pickedResult{}, err
	}
	list := kept(env)
	if !p.Wait {
		return pickedResult{Picked: list}, nil
	}
	start := time.Now()
	waiting, cancel := sayTime(ctx)
	defer cancel()
	env.Say("waiting for the person to point at an element: Show… in the popup, or the context menu")
	var next []pickedElement
	err = listenTo(waiting, env, tab.Page().Session(), []string{protocol.TypePicked}, nil, func(eventRow, uint64) bool {
		if now := kept(env); len(now) > 0 && (len(list) == 0 || now[0].At != list[0].At) {
			next = now[:1]
		}
		return next == nil // of a page that is another agent's, perhaps
	})
	switch {
	case err != nil:
		return pickedResult{}, err
	case next != nil:
		return pickedResult{Picked: next}, nil
	case ctx.Err() == context.Canceled:
		return pickedResult{}, ctx.Err()
	}
	return pickedResult{}, fault.New(fault.Timeout, "the person pointed at nothing within %d ms", waitedIn(start)).With("kept", len(list)).
		Suggest("Ask them: choose Show… in the Debug Bridge popup, and click the element.", "Give them more time: --timeout MS")
}

// kept are the picks of all pages of the context, or of the page that the command names; the last one first.
func kept(env *Env) []pickedElement {
	all := []pickedElement{}
	for _, t := range env.Context.Tabs() {
		if p, ok := t.Keep(picksKey{}, nil).(*picks); ok && (env.Page == 0 || env.Page == t.PageID()) {
			p.mu.Lock()
			all = append(all, p.list...)
			p.mu.Unlock()
		}
	}
	slices.SortStableFunc(all, func(a, b pickedElement) int { return cmp.Compare(b.At, a.At) })
	return all[:min(len(all), maxPicked)]
}
