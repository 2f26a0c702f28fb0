package page

import (
	"context"
	"crypto/rand"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// World is a frame as the debugger reaches it.
type World struct {
	Session  string                     // the DevTools session that the frame lives in
	FrameID  cdp.FrameID                // the browser's own id of the frame
	Page     runtime.ExecutionContextID // of the page's own world; 0 when the frame runs no script
	Isolated runtime.ExecutionContextID // of the bridge's world
}

// Node is an element as the debugger reaches it.
type Node struct {
	World
	ObjectID      runtime.RemoteObjectID // in the bridge's world
	BackendNodeID cdp.BackendNodeID      // 0 until Resolve
}

// handed is what the bridge left for us (extension/src/page/execute/hand.ts).
const handed = `globalThis.__debugBridgeHand?.token`

// World finds the frame of a short id ("main", "f1"; empty is main) among the debugger's contexts.
func (t *Tab) World(ctx context.Context, frameID string) (World, error) {
	world, _, err := t.hand(ctx, frameID, nil)
	return world, err
}

// Node finds an element for the debugger. Where several frames have it, it is ambiguous, as for every command.
func (t *Tab) Node(ctx context.Context, target protocol.Target, frameID string) (Node, error) {
	if err := t.awaitBridge(ctx); err != nil {
		return Node{}, err
	}
	at, err := t.aimAt(ctx, &protocol.Command{Base: protocol.Base{FrameID: frameID}, Params: &protocol.HoverParams{Target: target}})
	if err != nil {
		return Node{}, err
	}
	world, token, err := t.hand(ctx, at.frame.short, at.target)
	if err != nil {
		return Node{}, err
	}
	found, err := evaluateIn(ctx, t.Session(world.Session), world.Isolated, `globalThis.__debugBridgeHand?.token === "`+token+`" ? globalThis.__debugBridgeHand.element : null`, false)
	if err != nil {
		return Node{}, err
	}
	if found == nil || found.ObjectID == "" {
		return Node{}, fault.New(fault.TargetStale, "the element went away").With("check", "removed").Suggest("dbridge observe find TEXT")
	}
	return Node{World: world, ObjectID: found.ObjectID}, nil
}

// InPage gives the element's handle in the page's own world, for scripts.
func (t *Tab) InPage(ctx context.Context, n Node, group string) (runtime.RemoteObjectID, error) {
	if n.Page == 0 {
		return "", noScripts()
	}
	s := t.Session(n.Session)
	described, err := cdp.Call(ctx, s, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: n.ObjectID})
	if err != nil {
		return "", err
	}
	resolved, err := cdp.Call(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{
		BackendNodeID: described.Node.BackendNodeID, ExecutionContextID: n.Page, ObjectGroup: group,
	})
	if err != nil {
		return "", err
	}
	return resolved.Object.ObjectID, nil
}

func noScripts() error {
	return fault.New(fault.CapabilityMissing, "the frame runs no scripts (it is sandboxed)").With("reason", "no_script_context").
		Suggest("Look at it with `dbridge capture snapshot`, or evaluate in another frame.")
}

// hand asks the bridge of a frame to leave a token, and maybe an element, in its world, and looks for it.
func (t *Tab) hand(ctx context.Context, frameID string, target *protocol.Target) (World, string, error) {
	s := t.Session("")
	// Attaches where nobody did, and makes the browser tell its contexts.
	if err := s.Call(ctx, "Runtime.enable", nil, nil); err != nil {
		return World{}, "", err
	}
	token := rand.Text()
	command := map[string]any{"type": "hand", "token": token}
	if target != nil {
		command["target"] = target
	}
	if _, err := t.Ask(ctx, frameID, command, nil); err != nil {
		return World{}, "", err
	}
	t.mu.Lock()
	isolated := make(map[contextKey]jsContext, len(t.contexts))
	pages := make(map[string]contextKey, len(t.contexts))
	for key, c := range t.contexts {
		if c.page {
			pages[c.frame] = key
		} else {
			isolated[key] = c
		}
	}
	t.mu.Unlock()
	for key, c := range isolated {
		found, err := evaluateIn(ctx, t.Session(key.session), runtime.ExecutionContextID(key.id), handed, true)
		if err != nil || found == nil || string(found.Value) != `"`+token+`"` {
			continue // gone meanwhile, or another frame's
		}
		world := World{Session: key.session, FrameID: cdp.FrameID(c.frame), Isolated: runtime.ExecutionContextID(key.id)}
		if page, ok := pages[c.frame]; ok {
			world.Page = runtime.ExecutionContextID(page.id)
		}
		return world, token, nil
	}
	if err := ctx.Err(); err != nil {
		return World{}, "", err // it was not looked at to the end
	}
	return World{}, "", fault.New(fault.CapabilityMissing, "the debugger does not see the frame %q", frameID).With("frameId", frameID).
		Suggest("Name an element of the frame as target instead of the frame.")
}

// evaluateIn gives an expression's value in one context, by value or as a handle.
func evaluateIn(ctx context.Context, s cdp.Session, in runtime.ExecutionContextID, expression string, byValue bool) (*runtime.RemoteObject, error) {
	out, err := cdp.Call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ContextID: in, ReturnByValue: &byValue})
	return out.Result, err
}
