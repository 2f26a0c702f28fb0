package command

import (
	"context"
	"slices"

	"github.com/debug-bridge/debug-bridge/host/internal/layout"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
)

// verify tries each fix on the page for one measurement.
func (d *diagnosis) verify(ctx context.Context, _ *diagnoseResult) error {
	if !d.p.Verify {
		return nil
	}
	d.env.Dispatched()
	for _, t := range d.told {
		if t.f.Fix == nil {
			continue
		}
		var err error
		if t.verified, err = d.tried(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// trial is what was found without a fix and with it.
type trial struct {
	before, now   []layout.Finding
	was, is       *layout.Snapshot
	element, next int // the finding's element in was and in is
}

// tried says what becomes of a finding under its fix.
func (d *diagnosis) tried(ctx context.Context, t *told) (*diagnoseVerified, error) {
	run, err := d.try(ctx, t)
	if err != nil {
		return nil, err
	}
	kind := t.kind
	if kind == "" {
		kind = t.f.Type
	}
	had := make(map[string]bool)
	for _, f := range run.before {
		had[f.Type] = had[f.Type] || f.Severity != layout.Info
	}
	out := &diagnoseVerified{Fixed: true}
	single := run.is.Target != layout.None
	for _, f := range run.now {
		switch {
		case f.Severity == layout.Info:
		case f.Type == kind && (single || f.Element == run.next):
			out.Fixed = false
		case !had[f.Type]:
			if layout.Worse(f.Severity, t.f.Severity) {
				out.Fixed = false // worse than what it was to mend
			}
			if !slices.Contains(out.New, f.Type) {
				out.New = append(out.New, f.Type)
			}
		}
	}
	before, after := run.was.Of(run.element).Rect(), run.is.Of(run.next).Rect()
	if before != after {
		out.Before, out.After = boxOf(before), boxOf(after)
	}
	return out, nil
}

func boxOf(r layout.Rect) *diagnoseBox {
	return &diagnoseBox{tenth(r.X), tenth(r.Y), tenth(r.Width), tenth(r.Height)}
}

// try measures under the fix. A finding of a whole page is looked at for its element
// alone, where the rules speak of it then too: that is many times as quick.
func (d *diagnosis) try(ctx context.Context, t *told) (*trial, error) {
	m := t.in.Measured
	change := page.Change{Index: t.f.Fix.Element, Property: t.f.Fix.Property, Value: t.f.Fix.Value, Attribute: t.f.Fix.Attribute}
	if m.Snapshot.Target == layout.None {
		ref := t.in.names[t.f.Element].Ref
		plain, err := d.env.Tab.RemeasureAt(ctx, m, ref)
		if err != nil {
			return nil, err
		}
		before := layout.Diagnose(&plain.Snapshot, d.p.options())
		if slices.ContainsFunc(before, func(f layout.Finding) bool { return f.Type == t.f.Type }) {
			after, err := d.env.Tab.RemeasureAt(ctx, m, ref, change)
			if err != nil {
				return nil, err
			}
			return &trial{
				before, layout.Diagnose(&after.Snapshot, d.p.options()), &plain.Snapshot, &after.Snapshot, plain.Snapshot.Target, after.Snapshot.Target,
			}, nil
		}
	}
	after, err := d.env.Tab.Remeasure(ctx, m, false, change)
	if err != nil {
		return nil, err
	}
	out := &trial{t.in.found, layout.Diagnose(&after.Snapshot, d.p.options()), &m.Snapshot, &after.Snapshot, t.f.Element, t.f.Element}
	if after.Snapshot.Target != layout.None {
		out.element, out.next = m.Snapshot.Target, after.Snapshot.Target
	}
	out.next = min(out.next, len(after.Snapshot.Elements)-1)
	return out, nil
}
