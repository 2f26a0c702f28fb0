package page

import (
	"context"
	"crypto/rand"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto/runtime"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Mark is a box and a label over a measured element.
type Mark struct {
	Node  int    `json:"node"`
	Label string `json:"label"`
	Kind  string `json:"kind"` // high, medium, low, info, cause
}

// Highlight draws over the elements of a frame, instead of what was drawn there. With
// scroll the first is brought into view until it is taken away.
func (t *Tab) Highlight(ctx context.Context, m *Measured, marks []Mark, scroll bool) error {
	_, err := t.bridgeIn(ctx, m.at, map[string]any{"type": "highlight", "of": m.id, "marks": marks, "scroll": scroll})
	return err
}

// HighlightOff takes away what is drawn in all frames.
func (t *Tab) HighlightOff(ctx context.Context) error {
	if err := t.awaitBridge(ctx); err != nil {
		return err
	}
	return t.askAll(ctx, map[string]any{"type": "highlight", "off": true})[0].err
}

// Handles gives the debugger's handles of measured elements, in the order of nodes; an
// element that went away has an empty one. Needs the level control.
func (t *Tab) Handles(ctx context.Context, m *Measured, nodes []int) (session string, handles []runtime.RemoteObjectID, err error) {
	// Attaches where nobody did, and makes the browser tell its contexts.
	if err := t.Session("").Call(ctx, "Runtime.enable", nil, nil); err != nil {
		return "", nil, err
	}
	w := &FrameWorld{Token: rand.Text()}
	if _, err := t.bridgeIn(ctx, m.at, map[string]any{"type": "hand", "token": w.Token, "of": m.id, "nodes": nodes}); err != nil {
		return "", nil, err
	}
	t.findWorlds(ctx, map[string]*FrameWorld{w.Token: w})
	if w.Isolated == 0 {
		return "", nil, fault.New(fault.CapabilityMissing, "the debugger does not see the frame %q", m.FrameID).With("frameId", m.FrameID)
	}
	handles = make([]runtime.RemoteObjectID, len(nodes))
	var wait sync.WaitGroup
	for i := range nodes {
		wait.Go(func() {
			found, err := evaluateIn(ctx, t.Session(w.Session), w.Isolated, `globalThis.__debugBridgeHand?.token === "`+w.Token+`" ? globalThis.__debugBridgeHand.elements[`+strconv.Itoa(i)+`] : null`, false)
			if err == nil && found != nil {
				handles[i] = found.ObjectID
			}
		})
	}
	wait.Wait()
	return w.Session, handles, ctx.Err()
}
