package page

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// searchTime is how long a target is looked for in the frames of a page; the
// bridge of a page without frames waits as long by itself.
const searchTime = 5 * time.Second

// targetOf finds the target among a command's parameters, nil when it has none.
func targetOf(params any) *protocol.Target {
	switch p := params.(type) {
	case *protocol.ClickParams:
		return &p.Target
	case *protocol.TypeParams:
		return &p.Target
	case *protocol.HoverParams:
		return &p.Target
	case *protocol.FocusParams:
		return &p.Target
	case *protocol.SelectParams:
		return &p.Target
	case *protocol.ScrollParams:
		return p.Target
	}
	return nil
}

// aim is where a command goes: a bridge's ref means something in one document only,
// so the command reaches that document or none.
type aim struct {
	frame      *frame
	documentID string
	target     *protocol.Target // as the frame's bridge knows it; nil when the command has none
}

// aimAt finds the frame that a command's target is in.
func (t *Tab) aimAt(ctx context.Context, cmd *protocol.Command) (aim, error) {
	target := targetOf(cmd.Params)
	if target != nil && target.Ref != "" {
		t.mu.Lock()
		defer t.mu.Unlock()
		f, ref, err := t.inward(target.Ref)
		if err != nil {
			return aim{}, err
		}
		return aim{f, f.documentID, &protocol.Target{Ref: ref}}, nil
	}
	if target == nil || cmd.FrameID != "" || len(t.snapshotFrames()) < 2 {
		f, err := t.frameOf(cmd)
		if err != nil {
			return aim{}, err
		}
		return aim{f, t.documents([]*frame{f})[0], target}, nil
	}
	return t.search(ctx, target)
}

// search looks for a target in all frames at once until one of them has it.
func (t *Tab) search(ctx context.Context, target *protocol.Target) (aim, error) {
	return untilFound(ctx, func() (aim, error) { return t.look(ctx, target) })
}

// untilFound looks again and again while nothing is found, as long as a command looks for its target.
func untilFound[T any](ctx context.Context, look func() (T, error)) (T, error) {
	until := time.Now().Add(min(searchTime, time.Duration(remaining(ctx))*time.Millisecond))
	for pause := 40 * time.Millisecond; ; pause = min(2*pause, 400*time.Millisecond) {
		found, err := look()
		if !errors.Is(err, fault.New(fault.ElementNotFound, "")) || time.Now().Add(pause).After(until) {
			return found, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return found, err
		}
	}
}

// look asks every frame once whether it has the target: one of them may.
func (t *Tab) look(ctx context.Context, target *protocol.Target) (aim, error) {
	// "scroll" asks for no more than that it can be seen; the command itself checks the rest.
	answers := t.askAll(ctx, map[string]any{"type": "locate", "target": target, "forAction": "scroll", "waitMs": 0})
	var ready, there []aim // has it; has it, but not so that a person could see it
	var matches, near []any
	ambiguous := false
	for _, f := range t.snapshotFrames() {
		a, asked := answers[f.id]
		if !asked {
			continue
		}
		if a.err == nil {
			var place struct {
				Ref  string `json:"ref"`
				Role string `json:"role"`
				Name string `json:"name"`
			}
			if err := decode(a.result.Result, &place); err == nil {
				ready = append(ready, aim{f, a.documentID, &protocol.Target{Ref: place.Ref}})
				t.mu.Lock()
				matches = append(matches, map[string]any{"ref": f.outward(place.Ref), "role": place.Role, "name": place.Name, "frameId": f.short})
				t.mu.Unlock()
			}
			continue
		}
		failure := fault.From(a.err)
		candidates, _ := failure.Details["candidates"].([]any)
		switch failure.Code {
		case fault.TargetAmbiguous:
			ambiguous = true
			matches = append(matches, candidates...)
		case fault.ElementNotFound:
			near = append(near, candidates...)
		case fault.ValidationError:
			return aim{}, failure
		case fault.TargetNotInteractable, fault.TargetObscured, fault.TargetOutOfView:
			there = append(there, aim{f, a.documentID, target})
		default:
			var gone *documentGone
			if f.id == 0 && !errors.As(a.err, &gone) {
				return aim{}, a.err
			}
		}
	}
	switch {
	case ambiguous || len(ready) > 1:
		return aim{}, fault.New(fault.TargetAmbiguous, "the target matches elements in more than one place; nothing was done").With("candidates", matches)
	case len(ready) == 1:
		return ready[0], nil
	case len(there) > 0:
		return there[0], nil // its bridge waits for it, and says what is wrong with it
	}
	return aim{}, fault.New(fault.ElementNotFound, "no element of any frame matches the target").With("candidates", near)
}

func (t *Tab) snapshotFrames() []*frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.DeleteFunc(t.ordered(), func(f *frame) bool { return f.bridgeless })
}
