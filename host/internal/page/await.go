package page

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Sight is what a frame shows of what is waited for (extension/src/page/execute/wait-for.ts).
type Sight struct {
	Matched    bool   `json:"matched"`
	Text       string `json:"text"`
	Count      int    `json:"count"`
	Visible    int    `json:"visible"`
	QuietMs    int    `json:"quietMs"`
	ReadyState string `json:"readyState"`
	Frame      string `json:"-"`
}

// waitRound is how long one frame is asked at a time; frames and documents come and go meanwhile.
const waitRound = time.Second

// AwaitSight waits until any frame of the page (every, with all) shows what wanted asks for.
// At ctx's end it gives what was seen last, not matched.
func (t *Tab) AwaitSight(ctx context.Context, wanted map[string]any, all bool) (Sight, error) {
	var last Sight
	for {
		sights, err := t.round(ctx, wanted, all)
		if err != nil && ctx.Err() == nil {
			return last, err
		}
		seen := Sight{Matched: all && len(sights) > 0}
		for _, s := range sights {
			seen.Count += s.Count
			seen.Visible += s.Visible
			switch {
			case all && !s.Matched:
				seen.Matched, seen.Text, seen.Frame = false, s.Text, s.Frame
			case !all && s.Matched:
				return s, nil
			}
			if s.Frame == "main" {
				seen.QuietMs, seen.ReadyState = s.QuietMs, s.ReadyState
			}
		}
		partial := slices.ContainsFunc(sights, func(s Sight) bool { return s.Frame == "" })
		if len(sights) > 0 && (!partial || last == (Sight{})) {
			last = seen
		}
		if partial {
			seen.Matched = false
		}
		if seen.Matched || ctx.Err() != nil {
			return last, nil
		}
	}
}

// round asks all frames at once. The first match ends it; a document that goes away says nothing.
func (t *Tab) round(ctx context.Context, wanted map[string]any, all bool) ([]Sight, error) {
	if err := t.awaitBridge(ctx); err != nil {
		return nil, err
	}
	span := waitRound
	if quiet, ok := wanted["quietMs"].(int); ok {
		span += time.Duration(quiet) * time.Millisecond // a round sees only the quiet of its own time
	}
	span = min(span, time.Duration(remaining(ctx))*time.Millisecond)
	command := maps.Clone(wanted)
	command["type"], command["waitMs"] = "wait", max(span.Milliseconds()-50, 0)
	ctx, cancel := context.WithTimeout(ctx, span+500*time.Millisecond)
	defer cancel()
	type reply struct {
		sight Sight
		err   error
	}
	frames := t.snapshotFrames()
	replies := make(chan reply, len(frames))
	for _, f := range frames {
		go func() {
			var r reply
			r.sight.Frame = f.short
			result, err := t.bridge(ctx, f, command)
			if r.err = err; err == nil {
				r.err = decode(result.Result, &r.sight)
			}
			replies <- r
		}()
	}
	var sights []Sight
	var refused error
	for range frames {
		r := <-replies
		var gone *documentGone
		switch {
		case r.err == nil:
			sights = append(sights, r.sight)
			if r.sight.Matched && !all {
				return sights, nil // the others end with ctx
			}
		case errors.As(r.err, &gone), errors.Is(r.err, fault.New(fault.NotConnected, "")), errors.Is(r.err, fault.New(fault.Timeout, "")):
		default:
			refused = r.err
		}
	}
	if all && len(sights) > 0 && len(sights) < len(frames) {
		return append(sights, Sight{}), nil // a frame that says nothing may still show it
	}
	if len(sights) > 0 {
		return sights, nil
	}
	if refused == nil && len(frames) > 0 {
		// Every document went away at once: the next one is waited for, not polled.
		select {
		case <-t.turned():
		case <-ctx.Done():
		}
	}
	return nil, refused
}
