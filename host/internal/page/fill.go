package page

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Fill makes a field of any kind hold a value: what was in it is replaced. Text goes in
// as real input; ACTION_NO_EFFECT says what the field holds when it did not take it.
func (t *Tab) Fill(ctx context.Context, target protocol.Target, value, frameID string, wait time.Duration, dispatched func()) (Did, error) {
	return t.Act(ctx, Deed{
		Action: "type", Target: &target, FrameID: frameID, Wait: wait,
		Bridge:  map[string]any{"type": "fill", "value": value},
		Prepare: map[string]any{"type": "fill", "value": value, "trusted": true},
		Trusted: func(ctx context.Context, at Spot) error {
			switch at.Fact["pending"] {
			case "click":
				press, err := Press("", 1, nil)
				if err != nil {
					return err
				}
				return press(ctx, at)
			case "text":
				if value == "" {
					return at.Send(ctx, Chord{Key: namedKeys["Delete"]}.Press(1)...)
				}
				return at.Send(ctx, Send{input.CommandInsertText, input.InsertTextParams{Text: value}})
			}
			return nil
		},
	}, dispatched)
}
