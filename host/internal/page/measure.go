package page

import (
	"context"
	"errors"
	"slices"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/layout"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Measured is one frame's measurement; its elements can be named, and measured again under a change.
type Measured struct {
	Snapshot layout.Snapshot
	FrameID  string // "main", "f1", …
	// Hidden frames show nothing of their content: they, or one around them, are not seen themselves.
	Hidden bool
	// Inner is where the content of the measured frame element stands; of MeasureOwner.
	Inner layout.Rect
	Scale float64 // px of it for one of the content's

	id       int // the bridge's
	at       aim
	children []childFrame
	index    int // own position in the parent, -1 in the top frame
}

// NamedNode is how an agent names a measured element. Ref is empty when it is gone.
type NamedNode struct {
	Ref      string `json:"ref"`
	Role     string `json:"role"`
	Name     string `json:"name"`
	Selector string `json:"selector"`
}

type measureReport struct {
	ID       int             `json:"id"`
	Snapshot layout.Snapshot `json:"snapshot"`
	Frame    frameReport     `json:"frame"`
}

// Measure measures an element and what bears on it, wherever among the frames it is.
func (t *Tab) Measure(ctx context.Context, target protocol.Target, frameID string) (*Measured, error) {
	if err := t.awaitBridge(ctx); err != nil {
		return nil, err
	}
	if target.Ref == "" && frameID == "" && len(t.snapshotFrames()) > 1 {
		return t.measureAmong(ctx, target)
	}
	at, err := t.aimAt(ctx, &protocol.Command{Base: protocol.Base{FrameID: frameID}, Params: &protocol.HoverParams{Target: target}})
	if err != nil {
		return nil, err
	}
	return t.measureIn(ctx, at, map[string]any{"type": "layout_measure", "target": at.target})
}

// measureAmong asks all frames to measure the target until one of them has it. Looking for
// it as actions do would bring it into view, which is more than measuring may.
func (t *Tab) measureAmong(ctx context.Context, target protocol.Target) (*Measured, error) {
	return untilFound(ctx, func() (*Measured, error) { return t.measureOnce(ctx, target) })
}

func (t *Tab) measureOnce(ctx context.Context, target protocol.Target) (*Measured, error) {
	answers := t.askAll(ctx, map[string]any{"type": "layout_measure", "target": target, "waitMs": 0})
	var there, shown []*Measured
	var near []any
	for _, f := range t.snapshotFrames() {
		a, asked := answers[f.id]
		if !asked {
			continue
		}
		if a.err == nil {
			one, err := measured(aim{a.frame, a.documentID, &target}, a.result)
			if err != nil {
				return nil, err
			}
			there = append(there, one)
			if one.Snapshot.Rendered(one.Snapshot.Target) {
				shown = append(shown, one)
			}
			continue
		}
		failure := fault.From(a.err)
		var gone *documentGone
		switch {
		case failure.Code == fault.ElementNotFound:
			candidates, _ := failure.Details["candidates"].([]any)
			near = append(near, candidates...)
		case failure.Code == fault.TargetAmbiguous, failure.Code == fault.ValidationError:
			return nil, failure
		case f.id == 0 && !errors.As(a.err, &gone):
			return nil, a.err
		}
	}
	switch {
	case len(shown) == 1:
		return shown[0], nil
	case len(there) == 1:
		return there[0], nil
	case len(there) == 0:
		return nil, fault.New(fault.ElementNotFound, "no element of any frame matches the target").With("candidates", near)
	}
	var matches []any
	for _, m := range there {
		names, err := t.NameMeasured(ctx, m, []int{m.Snapshot.Target})
		if err != nil {
			return nil, err
		}
		matches = append(matches, map[string]any{"ref": names[0].Ref, "role": names[0].Role, "name": names[0].Name, "frameId": m.FrameID})
	}
	return nil, fault.New(fault.TargetAmbiguous, "the target matches elements in more than one frame").With("candidates", matches)
}

// MeasureAll measures every frame whole, or the one named; the main frame comes first.
func (t *Tab) MeasureAll(ctx context.Context, frameID string) ([]*Measured, error) {
	if err := t.awaitBridge(ctx); err != nil {
		return nil, err
	}
	command := map[string]any{"type": "layout_measure"}
	if frameID != "" {
		at, err := t.aimAt(ctx, &protocol.Command{Base: protocol.Base{FrameID: frameID}})
		if err != nil {
			return nil, err
		}
		one, err := t.measureIn(ctx, at, command)
		return []*Measured{one}, err
	}
	var all []*Measured
	for id, a := range t.askAll(ctx, command) {
		if a.err != nil {
			if id == 0 {
				return nil, a.err
			}
			continue // a frame that does not answer costs its part only
		}
		one, err := measured(aim{a.frame, a.documentID, nil}, a.result)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *Measured) int { return a.at.frame.id - b.at.frame.id })
	t.markHidden(all)
	return all, nil
}

// markHidden finds the frames whose elements cannot be seen, and all in them.
func (t *Tab) markHidden(all []*Measured) {
	t.mu.Lock()
	defer t.mu.Unlock()
	byFrame := make(map[int]*Measured, len(all))
	for _, m := range all {
		byFrame[m.at.frame.id] = m
	}
	for _, m := range all {
		at := m
		for range len(all) {
			parent := byFrame[at.at.frame.parent]
			if at.at.frame.id == 0 || parent == nil {
				break
			}
			for _, child := range parent.children {
				if child.shows(at.index, at.at.frame.url) && !child.Visible {
					m.Hidden = true
				}
			}
			at = parent
		}
	}
}

// MeasureOwner measures the element in the parent frame that shows the frame of m; nil for the main frame.
func (t *Tab) MeasureOwner(ctx context.Context, m *Measured) (*Measured, error) {
	if m.at.frame.id == 0 {
		return nil, nil
	}
	t.mu.Lock()
	parent, url := t.frames[m.at.frame.parent], m.at.frame.url
	t.mu.Unlock()
	if parent == nil {
		return nil, fault.New(fault.NavigationInterrupted, "the frame's parent went away")
	}
	documentID := t.documents([]*frame{parent})[0]
	at := aim{parent, documentID, nil}
	result, err := t.bridgeIn(ctx, at, map[string]any{"type": "frame_info"})
	if err != nil {
		return nil, err
	}
	var info frameReport
	if err := decode(result.Result, &info); err != nil {
		return nil, fault.New(fault.ProtocolError, "the frame's place cannot be read").Because(err)
	}
	for _, child := range info.ChildFrames {
		if child.shows(m.index, url) {
			at.target = &protocol.Target{Ref: child.Ref}
			owner, err := t.measureIn(ctx, at, map[string]any{"type": "layout_measure", "target": at.target})
			if err != nil {
				return nil, err
			}
			owner.Inner = layout.Rect{X: child.Bounds.X, Y: child.Bounds.Y, Width: child.Bounds.Width, Height: child.Bounds.Height}
			owner.Scale = child.scale()
			return owner, nil
		}
	}
	return nil, fault.New(fault.ElementNotFound, "the element of the frame %s was not found in its parent", m.FrameID)
}

// Change is a style or attribute that is tried for one measurement.
type Change struct {
	Index     int    `json:"index"` // of the element in the measurement before
	Property  string `json:"property"`
	Value     string `json:"value"`
	Attribute bool   `json:"attribute"`
}

// Remeasure measures the same once more: with the changes on the page for that long, and
// where end is true as it will be when its animations have ended.
func (t *Tab) Remeasure(ctx context.Context, m *Measured, end bool, changes ...Change) (*Measured, error) {
	command := map[string]any{"type": "layout_measure", "end": end}
	if len(changes) > 0 {
		command["type"], command["changes"], command["of"] = "layout_try", changes, m.id
	}
	if m.at.target != nil {
		command["target"] = m.at.target
	}
	return t.measureIn(ctx, m.at, command)
}

// RemeasureAt is Remeasure of one element, by its ref, of a whole frame's measurement.
func (t *Tab) RemeasureAt(ctx context.Context, m *Measured, ref string, changes ...Change) (*Measured, error) {
	t.mu.Lock()
	_, local, err := t.inward(ref)
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	one := *m
	one.at.target = &protocol.Target{Ref: local}
	return t.Remeasure(ctx, &one, false, changes...)
}

// NameMeasured gives the elements at the indices of a measurement their refs and selectors.
func (t *Tab) NameMeasured(ctx context.Context, m *Measured, nodes []int) ([]NamedNode, error) {
	if len(nodes) == 0 {
		return nil, nil
	}
	result, err := t.bridgeIn(ctx, m.at, map[string]any{"type": "layout_name", "of": m.id, "nodes": nodes})
	if err != nil {
		return nil, err
	}
	var report struct {
		Nodes []*NamedNode `json:"nodes"`
		Refs  int          `json:"refs"`
	}
	if err := decode(result.Result, &report); err != nil || len(report.Nodes) != len(nodes) {
		return nil, fault.New(fault.ProtocolError, "the names of the elements cannot be read").Because(err)
	}
	named := make([]NamedNode, len(nodes))
	t.mu.Lock()
	defer t.mu.Unlock()
	f := m.at.frame
	if f.documentID != m.at.documentID {
		return nil, fault.New(fault.NavigationInterrupted, "the frame navigated away while it was examined")
	}
	for i, node := range report.Nodes {
		if node != nil {
			named[i] = *node
			named[i].Ref = f.outward(node.Ref)
		}
	}
	return named, nil
}

func (t *Tab) measureIn(ctx context.Context, at aim, command map[string]any) (*Measured, error) {
	result, err := t.bridgeIn(ctx, at, command)
	if err != nil {
		return nil, err
	}
	return measured(at, result)
}

func measured(at aim, result bridgeResult) (*Measured, error) {
	var report measureReport
	if err := decode(result.Result, &report); err != nil {
		return nil, fault.New(fault.ProtocolError, "the page's measurement cannot be read").Because(err)
	}
	if err := report.Snapshot.Check(); err != nil {
		return nil, fault.New(fault.ProtocolError, "the page's measurement is not sound").Because(err)
	}
	return &Measured{Snapshot: report.Snapshot, FrameID: at.frame.short, id: report.ID, at: at, children: report.Frame.ChildFrames, index: report.Frame.Index}, nil
}
