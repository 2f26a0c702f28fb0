package browser

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
)

// Closed shadow roots. No script of an isolated world can open one, and the browser
// can: DOM.describeNode shows them all. That is slow on a large page, so it is asked
// only when there is something to find. DOM.performSearch counts every element of a
// session's documents, those in closed roots too, in a few milliseconds for 10,000
// elements; the bridges count what they can reach; the difference is what they cannot.
//
// The search text "<" matches every element by its tag, and texts that hold a "<",
// which the bridges count only where the plain numbers differ.

// rootsTime bounds the question whether there are any; a page that spins has no roots
// for us. One that answered it gets takeTime to show them.
const (
	rootsTime = 5 * time.Second
	takeTime  = 15 * time.Second
)

// rootsAtOnce are asked for without waiting in between.
const rootsAtOnce = 500

// rootSearch is what a session knows of its closed roots.
type rootSearch struct {
	running   chan struct{} // closed when the search under way is over
	found     bool          // what it said
	taking    bool          // the page is busy with showing them to us
	explained int           // elements out of reach that a search did not find a root for
}

func (r *rootSearch) reset() { r.explained = 0 }

// onContentLoaded looks once the document is there, so that the trees that are told hold all.
func onContentLoaded(d *Direct, t *target, _ jsontext.Value) {
	d.work.Go(func() { d.openRoots(d.ctx, t) })
}

// openRoots gives the closed shadow roots of a session's documents to their bridges and
// reports whether there were new ones. Who comes while it runs gets what it says.
func (d *Direct) openRoots(ctx context.Context, t *target) bool {
	d.mu.Lock()
	if d.sessions[t.id] != t || t.tab.crashed || t.tab.dialog != nil {
		d.mu.Unlock()
		return false
	}
	if running := t.roots.running; running != nil {
		d.mu.Unlock()
		select {
		case <-running:
		case <-ctx.Done():
			return false
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		return t.roots.found
	}
	over := make(chan struct{})
	t.roots.running = over
	d.mu.Unlock()

	found, err := d.searchRoots(ctx, t)
	if err != nil {
		d.log.Debug().Err(err).Msg("closed shadow roots not looked for")
	}
	d.mu.Lock()
	t.roots.running, t.roots.found = nil, found
	d.mu.Unlock()
	close(over)
	return found
}

// bridgesOf lists the contexts of a session's bridges, by frame.
func (d *Direct) bridgesOf(t *target) map[string]int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	worlds := make(map[string]int64)
	for _, f := range t.tab.frames {
		if f.target == t && f.context != 0 {
			worlds[f.id] = f.context
		}
	}
	return worlds
}

func (d *Direct) searchRoots(ctx context.Context, t *target) (bool, error) {
	worlds := d.bridgesOf(t)
	if len(worlds) == 0 {
		return false, nil
	}
	asking, cancel := context.WithTimeout(ctx, rootsTime)
	defer cancel()
	out, err := d.outOfReach(asking, t, worlds, false)
	if err != nil || out <= 0 {
		return false, err
	}
	if out, err = d.outOfReach(asking, t, worlds, true); err != nil {
		return false, err
	}
	d.mu.Lock()
	if out <= 0 || out <= t.roots.explained {
		d.mu.Unlock()
		return false, nil
	}
	t.roots.taking = true
	d.mu.Unlock()
	taking, stop := context.WithTimeout(ctx, takeTime)
	defer stop()
	found, err := d.takeRoots(taking, t, worlds)
	d.mu.Lock()
	t.roots.taking = false
	d.mu.Unlock()
	if err != nil {
		return found, err
	}
	if left, err := d.outOfReach(taking, t, worlds, true); err == nil {
		d.mu.Lock()
		t.roots.explained = max(left, 0)
		d.mu.Unlock()
	}
	return found, nil
}

// outOfReach counts the elements that no bridge of the session can see.
func (d *Direct) outOfReach(ctx context.Context, t *target, worlds map[string]int64, exact bool) (int, error) {
	enable := t.session.Start("DOM.enable", nil) // an agent may have switched it off
	search := t.session.Start("DOM.performSearch", map[string]any{"query": "<"})
	code := hostObject + ".count(" + strconv.FormatBool(exact) + ")"
	counts := make([]interface {
		Wait(context.Context) (jsontext.Value, error)
	}, 0, len(worlds))
	for _, world := range worlds {
		counts = append(counts, t.session.Start("Runtime.evaluate", expression(world, code)))
	}
	if _, err := enable.Wait(ctx); err != nil {
		return 0, err
	}
	raw, err := search.Wait(ctx)
	if err != nil {
		return 0, err
	}
	var all struct {
		SearchID string `json:"searchId"`
		Count    int    `json:"resultCount"`
	}
	if err := decode(raw, &all); err != nil {
		return 0, err
	}
	t.session.Start("DOM.discardSearchResults", map[string]any{"searchId": all.SearchID})
	for _, pending := range counts {
		raw, err := pending.Wait(ctx)
		if err != nil {
			return 0, err
		}
		var counted struct {
			Result struct {
				Value int `json:"value"`
			} `json:"result"`
		}
		if err := decode(raw, &counted); err != nil {
			return 0, err
		}
		all.Count -= counted.Result.Value
	}
	return all.Count, nil
}

// domNode is a node as DOM.describeNode shows it.
type domNode struct {
	BackendNodeID   int64     `json:"backendNodeId"`
	FrameID         string    `json:"frameId"`
	ShadowRootType  string    `json:"shadowRootType"`
	Children        []domNode `json:"children"`
	ShadowRoots     []domNode `json:"shadowRoots"`
	ContentDocument *domNode  `json:"contentDocument"`
}

// takeRoots finds all closed roots and gives each to the bridge of its frame.
func (d *Direct) takeRoots(ctx context.Context, t *target, worlds map[string]int64) (bool, error) {
	raw, err := t.session.CallRaw(ctx, "DOM.getDocument", map[string]any{"depth": 0})
	if err != nil {
		return false, err
	}
	var document struct {
		Root domNode `json:"root"`
	}
	if err := decode(raw, &document); err != nil {
		return false, err
	}
	raw, err = t.session.CallRaw(ctx, "DOM.describeNode", map[string]any{"backendNodeId": document.Root.BackendNodeID, "depth": -1, "pierce": true})
	if err != nil {
		return false, err
	}
	var described struct {
		Node domNode `json:"node"`
	}
	if err := decode(raw, &described); err != nil {
		return false, err
	}
	closed := make(map[string][]int64)
	described.Node.closedRoots(t.targetID, closed)
	found := false
	for frame, roots := range closed {
		if world, ok := worlds[frame]; ok {
			opened, err := d.giveRoots(ctx, t, world, roots)
			found = found || opened
			if err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

func (n *domNode) closedRoots(frame string, into map[string][]int64) {
	if n.ContentDocument != nil {
		n.ContentDocument.closedRoots(n.FrameID, into)
	}
	for i := range n.ShadowRoots {
		root := &n.ShadowRoots[i]
		if root.ShadowRootType == "user-agent" {
			continue
		}
		if root.ShadowRootType == "closed" {
			into[frame] = append(into[frame], root.BackendNodeID)
		}
		root.closedRoots(frame, into)
	}
	for i := range n.Children {
		n.Children[i].closedRoots(frame, into)
	}
}

// giveRoots hands roots to a bridge as arguments of one call in its world: it reads the
// page anew for each.
func (d *Direct) giveRoots(ctx context.Context, t *target, world int64, roots []int64) (bool, error) {
	const group = "debug-bridge-roots"
	defer t.session.Start("Runtime.releaseObjectGroup", map[string]any{"objectGroup": group})
	arguments := make([]map[string]any, 0, len(roots))
	for some := range slices.Chunk(roots, rootsAtOnce) {
		pending := make([]*cdp.Pending, len(some))
		for i, root := range some {
			pending[i] = t.session.Start("DOM.resolveNode", map[string]any{"backendNodeId": root, "executionContextId": world, "objectGroup": group})
		}
		for _, p := range pending {
			raw, err := p.Wait(ctx)
			if err != nil {
				continue // gone meanwhile
			}
			var resolved struct {
				Object struct {
					ObjectID string `json:"objectId"`
				} `json:"object"`
			}
			if err := decode(raw, &resolved); err != nil {
				return false, err
			}
			arguments = append(arguments, map[string]any{"objectId": resolved.Object.ObjectID})
		}
	}
	if len(arguments) == 0 {
		return false, nil
	}
	raw, err := t.session.CallRaw(ctx, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": "function (...roots) { return " + hostObject + ".open(...roots) }", "executionContextId": world,
		"arguments": arguments, "returnByValue": true, "silent": true,
	})
	if err != nil {
		return false, err
	}
	var answer struct {
		Result struct {
			Value int `json:"value"`
		} `json:"result"`
	}
	err = decode(raw, &answer)
	return answer.Result.Value > 0, err
}
