package page

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// FrameWorld is a frame for scripts of our own that run beside its bridge, in the
// isolated world. Under Token the bridge left its tools there for a few seconds
// (extension/src/page/execute/hand.ts).
type FrameWorld struct {
	World
	ID       string // main, f1, …
	Token    string
	frame    *frame
	document string
}

// maxWorlds bounds the frames of one look.
const maxWorlds = 50

// Worlds gives the frames that the debugger reaches, the main one first. left counts
// those it does not, or that did not answer.
func (t *Tab) Worlds(ctx context.Context) (list []FrameWorld, left int, err error) {
	if err := t.awaitBridge(ctx); err != nil {
		return nil, 0, err
	}
	// Attaches where nobody did, and makes the browser tell its contexts.
	if err := t.Session("").Call(ctx, "Runtime.enable", nil, nil); err != nil {
		return nil, 0, err
	}
	frames := t.snapshotFrames()
	documents := t.documents(frames)
	if len(frames) > maxWorlds {
		left, frames = len(frames)-maxWorlds, frames[:maxWorlds]
	}
	order := make([]*FrameWorld, len(frames))
	faults := make([]error, len(frames))
	byToken := make(map[string]*FrameWorld, len(frames))
	var asked sync.WaitGroup // at once: what the bridges leave does not lie there for long
	for i, f := range frames {
		w := &FrameWorld{ID: f.short, Token: rand.Text(), frame: f, document: documents[i]}
		order[i], byToken[w.Token] = w, w
		asked.Go(func() {
			limit, cancel := context.WithTimeout(ctx, childTimeout)
			defer cancel()
			_, faults[i] = t.bridgeIn(limit, aim{frame: f, documentID: w.document}, map[string]any{"type": "hand", "token": w.Token})
		})
	}
	asked.Wait()
	if faults[0] != nil && order[0].frame.id == 0 {
		return nil, 0, faults[0]
	}
	t.findWorlds(ctx, byToken)
	for _, w := range order {
		if w.Isolated == 0 {
			left++
			continue
		}
		list = append(list, *w)
	}
	if len(list) == 0 || list[0].ID != "main" {
		return nil, left, fault.New(fault.CapabilityMissing, "the debugger does not see the page's bridge").Suggest("dbridge page navigate --reload")
	}
	return list, left, nil
}

// findWorlds looks for the tokens in the worlds that are not the page's.
func (t *Tab) findWorlds(ctx context.Context, byToken map[string]*FrameWorld) {
	t.mu.Lock()
	isolated := make(map[contextKey]string, len(t.contexts))
	pages := make(map[string]runtime.ExecutionContextID, len(t.contexts))
	for key, c := range t.contexts {
		if c.page {
			pages[c.frame] = runtime.ExecutionContextID(key.id)
		} else {
			isolated[key] = c.frame
		}
	}
	t.mu.Unlock()
	for key, frameID := range isolated {
		limit, cancel := context.WithTimeout(ctx, childTimeout)
		found, err := evaluateIn(limit, t.Session(key.session), runtime.ExecutionContextID(key.id), handed, true)
		cancel()
		if err != nil || found == nil {
			continue // gone meanwhile, or busy
		}
		if w := byToken[strings.Trim(string(found.Value), `"`)]; w != nil {
			w.World = World{Session: key.session, FrameID: cdp.FrameID(frameID), Isolated: runtime.ExecutionContextID(key.id), Page: pages[frameID]}
		}
	}
}

// WireRef makes a ref that the frame's bridge gave the page's. It is empty when the
// frame shows another document by now.
func (t *Tab) WireRef(w FrameWorld, ref string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.frame == nil || w.frame.documentID != w.document {
		return ""
	}
	return w.frame.outward(ref)
}
