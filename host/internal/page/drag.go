package page

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

const (
	dragSteps = 4           // moves of the pointer between the two places
	dragWait  = time.Second // for the browser's word on a drag that the page let begin
)

// Drag drags an element onto another: with the mouse, and as HTML drag and drop where
// the page lets the browser drag. nil to drags by the distance dx, dy.
func (t *Tab) Drag(ctx context.Context, from protocol.Target, to *protocol.Target, dx, dy float64, frameID string, wait time.Duration, dispatched func()) (Did, error) {
	bridge := map[string]any{"type": "drag", "dx": dx, "dy": dy}
	if to != nil {
		bridge["to"] = to
	}
	return t.Act(ctx, Deed{
		Action: "click", Target: &from, FrameID: frameID, Wait: wait, Guarded: true, Bridge: bridge,
		Trusted: func(ctx context.Context, at Spot) error {
			return t.dragFrom(ctx, at, func() (float64, float64, error) {
				if to == nil {
					return at.X + dx, at.Y + dy, nil
				}
				return t.spotOf(ctx, *to, frameID, wait)
			})
		},
	}, dispatched)
}

// DragBetween drags between two points of the page's viewport.
func (t *Tab) DragBetween(ctx context.Context, fromX, fromY, toX, toY float64, dispatched func()) (Did, error) {
	return t.Act(ctx, Deed{Prepare: WatchedAt(fromX, fromY), Trusted: func(ctx context.Context, at Spot) error {
		at.X, at.Y = fromX, fromY
		return t.dragFrom(ctx, at, func() (float64, float64, error) { return toX, toY, nil })
	}}, dispatched)
}

// spotOf finds where an element is, without acting on it.
func (t *Tab) spotOf(ctx context.Context, target protocol.Target, frameID string, wait time.Duration) (x, y float64, err error) {
	at, err := t.aimTarget(ctx, &target, frameID)
	if err != nil {
		return 0, 0, err
	}
	command := map[string]any{"type": "locate", "forAction": "hover"}
	t.address(command, Deed{Wait: wait}, at)
	result, err := t.bridgeIn(ctx, at, command)
	if err != nil {
		return 0, 0, err
	}
	var found located
	if err := decode(result.Result, &found); err != nil {
		return 0, 0, fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	t.settleBehind(at, found.Mark)
	return t.throughFrames(ctx, at.frame, found)
}

func (t *Tab) dragFrom(ctx context.Context, at Spot, goal func() (float64, float64, error)) (err error) {
	data, cancel := t.Session("").Subscribe("Input.dragIntercepted")
	defer cancel()
	held := func(p *input.DispatchMouseEventParams) { p.Button, p.Buttons = input.MouseButtonLeft, 1 }
	press := func(p *input.DispatchMouseEventParams) {
		p.Button, p.Buttons, p.ClickCount = input.MouseButtonLeft, 1, 1
	}
	release := func(p *input.DispatchMouseEventParams) { p.Button, p.ClickCount = input.MouseButtonLeft, 1 }
	moved, pressed, released := input.DispatchMouseEventTypeMouseMoved, input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased
	err = at.Send(ctx,
		Send{input.CommandSetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}},
		Mouse(moved, at.X, at.Y, nil), Mouse(pressed, at.X, at.Y, press),
		// Over the distance from which a press counts as the beginning of a drag.
		Mouse(moved, at.X+4, at.Y+4, held), Mouse(moved, at.X+9, at.Y+9, held),
	)
	if err != nil {
		return err
	}
	dropX, dropY := at.X, at.Y
	defer func() {
		up := at.Send(ctx, Mouse(released, dropX, dropY, release), Send{input.CommandSetInterceptDrags, input.SetInterceptDragsParams{}})
		if err == nil {
			err = up
		}
	}()
	var dragged jsontext.Value
	if at.Dragging(ctx) {
		timer := time.NewTimer(dragWait)
		defer timer.Stop()
		select {
		case dragged = <-data:
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	x, y, err := goal()
	if err != nil {
		return err
	}
	dropX, dropY = x, y
	if len(dragged) > 0 {
		var what struct {
			Data jsontext.Value `json:"data"`
		}
		if err := decode(dragged, &what); err != nil {
			return fault.New(fault.CDPError, "what is dragged cannot be read").Because(err)
		}
		sends := make([]Send, 0, 3)
		for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
			sends = append(sends, Send{input.CommandDispatchDragEvent, map[string]any{"type": kind, "x": x, "y": y, "data": what.Data}})
		}
		return at.Send(ctx, sends...)
	}
	sends := make([]Send, 0, dragSteps+1)
	for n := 1; n <= dragSteps; n++ {
		part := float64(n) / dragSteps
		sends = append(sends, Mouse(moved, at.X+(x-at.X)*part, at.Y+(y-at.Y)*part, held))
	}
	return at.Send(ctx, append(sends, Mouse(moved, x, y, held))...) // libraries decide at the second move over the goal
}
