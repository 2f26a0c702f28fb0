package command

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/layout"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
)

func drawingKey(t *page.Tab) string { return "layout highlight " + strconv.Itoa(t.PageID()) }

// highlightOff takes away what is drawn in the page.
func highlightOff(ctx context.Context, env *Env) error {
	env.Context.Undo(drawingKey(env.Tab), nil)
	return env.Tab.HighlightOff(ctx)
}

// draw shows the findings in the page, and makes an image of them.
func (d *diagnosis) draw(ctx context.Context, out *diagnoseResult) error {
	keep := d.p.Highlight != nil && *d.p.Highlight
	if !keep && !d.p.Screenshot {
		return nil
	}
	tab := d.env.Tab
	// Whatever comes in between, the lease's end takes it away.
	d.env.Context.Undo(drawingKey(tab), tab.HighlightOff)
	if d.p.Screenshot {
		if err := d.mark(ctx, true); err != nil {
			return err
		}
		s := &shot{env: d.env, p: &screenshotParams{Format: "png", FullPage: d.p.Target == "", fileParams: d.p.fileParams}, scale: 1}
		err := s.frame(ctx)
		if err == nil {
			var image imageResult
			image, err = s.save(ctx)
			out.Image = &image
		}
		if err != nil || !keep {
			off := highlightOff(context.WithoutCancel(ctx), d.env)
			if err == nil {
				err = off
			}
			return err
		}
	}
	return d.mark(ctx, false)
}

// mark draws in every frame that has something to show. With scroll the target is brought
// into view: the frames around it first.
func (d *diagnosis) mark(ctx context.Context, scroll bool) error {
	if err := d.env.Tab.HighlightOff(ctx); err != nil {
		return err
	}
	scroll = scroll && d.p.Target != ""
	for i, at := range slices.Backward(d.frames) {
		marks := d.marks(at, i == 0)
		if len(marks) == 0 {
			continue
		}
		if err := d.env.Tab.Highlight(ctx, at.Measured, marks, scroll); err != nil {
			return err
		}
	}
	return nil
}

// marks are the boxes of a frame: the target first, then each element at fault with what is
// wrong with it, and what causes it.
func (d *diagnosis) marks(at *examined, own bool) []page.Mark {
	var marks []page.Mark
	place := make(map[int]int)
	labels := make(map[int][]string)
	add := func(node int, label, kind string) {
		i, known := place[node]
		if !known {
			i = len(marks)
			place[node] = i
			marks = append(marks, page.Mark{Node: node, Kind: kind})
		}
		if !slices.Contains(labels[i], label) {
			labels[i] = append(labels[i], label)
		}
	}
	mine := func(t *told) bool { return t.in == at && t.about == nil }
	if target := at.Snapshot.Target; target != layout.None {
		for _, t := range d.told { // the worst first: its colour stays
			if mine(t) && t.f.Element == target {
				add(target, t.f.Type, string(t.f.Severity))
			}
		}
		if _, known := place[target]; !known {
			label, kind := "frame", string(layout.Info)
			if own {
				label, kind = d.summary()
			}
			add(target, label, kind)
		}
	}
	for _, t := range d.told {
		if mine(t) {
			add(t.f.Element, t.f.Type, string(t.f.Severity))
		}
	}
	for _, t := range d.told {
		if c := t.cause; c != nil && t.in == at && (t.f.Cause.Element != t.f.Element || t.about != nil) {
			text := c.Property + ": " + c.Value
			if c.Attribute {
				text = c.Property + `="` + c.Value + `"`
			}
			add(t.f.Cause.Element, "cause: "+text, "cause")
		}
	}
	for i := range marks {
		marks[i].Label = strings.Join(labels[i], ", ")
	}
	return marks
}

// summary is of a target that has no fault in its own frame.
func (d *diagnosis) summary() (label, kind string) {
	if len(d.told) == 0 {
		return "no faults", string(layout.Info)
	}
	return d.told[0].f.Type, string(d.told[0].f.Severity)
}
