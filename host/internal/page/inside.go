package page

import (
	"context"
	"errors"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Outward is an answer with refs of its frame in it. Only it knows which of its texts are
// refs, and which are the page's.
type Outward interface {
	// Outward turns each ref into the wire's.
	Outward(wire func(ref string) string)
}

// AskAt runs one bridge command about an element and decodes its answer. A ref says its
// frame by itself; any other target, or none, is of the frame that is named ("main",
// "f1", …; empty is main).
func (t *Tab) AskAt(ctx context.Context, target *protocol.Target, frameID string, command map[string]any, into Outward) error {
	if err := t.awaitBridge(ctx); err != nil {
		return err
	}
	if frameID == "" && (target == nil || target.Ref == "") {
		frameID = "main"
	}
	at, err := t.aimTarget(ctx, target, frameID)
	if err != nil {
		return err
	}
	if at.target != nil {
		command["target"] = at.target
	}
	result, err := t.bridgeIn(ctx, at, command)
	if err != nil {
		var gone *documentGone
		if errors.As(err, &gone) {
			return fault.New(fault.NavigationInterrupted, "the page went to another document meanwhile").Suggest("Ask again.")
		}
		return err
	}
	if err := decode(result.Result, into); err != nil {
		return fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.frame.documentID != at.documentID {
		into.Outward(func(string) string { return "" }) // they mean nothing any more
		return nil
	}
	into.Outward(at.frame.outward)
	return nil
}
