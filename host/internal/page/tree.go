package page

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// answer is one frame's answer to a question asked of all.
type answer struct {
	frame      *frame
	documentID string // that was asked
	result     bridgeResult
	err        error
}

// childTimeout is how long a child frame may keep the page's tree waiting.
const childTimeout = 3 * time.Second

// askAll asks every frame the same, at once. A child frame that does not answer costs its part only.
func (t *Tab) askAll(ctx context.Context, command map[string]any) map[int]answer {
	frames := t.snapshotFrames()
	documents := t.documents(frames)
	answers := make(map[int]answer, len(frames))
	if len(frames) == 1 {
		result, err := t.bridge(ctx, frames[0], command)
		answers[frames[0].id] = answer{frames[0], documents[0], result, err}
		return answers
	}
	var mu sync.Mutex
	var wait sync.WaitGroup
	for i, f := range frames {
		wait.Add(1)
		go func() {
			defer wait.Done()
			limit := ctx
			if f.id != 0 {
				short, cancel := context.WithTimeout(ctx, childTimeout)
				defer cancel()
				limit = short
			}
			result, err := t.bridge(limit, f, command)
			mu.Lock()
			defer mu.Unlock()
			answers[f.id] = answer{f, documents[i], result, err}
		}()
	}
	wait.Wait()
	return answers
}

// documents gives the document that each frame shows.
func (t *Tab) documents(frames []*frame) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	ids := make([]string, 0, len(frames))
	for _, f := range frames {
		ids = append(ids, f.documentID)
	}
	return ids
}

// tree reads the merged tree of all frames. With publish it becomes the tree that
// agents go on from, under the requestId given.
func (t *Tab) tree(ctx context.Context, publish bool, requestID string) (*protocol.UITree, error) {
	for attempt := 1; ; attempt++ {
		trees, err := t.readTrees(ctx)
		if err != nil {
			return nil, err
		}
		t.telling.Lock()
		tree, current := t.composed(trees, publish)
		if !current && attempt < 3 {
			t.telling.Unlock()
			continue // agents were told of newer changes meanwhile: this one would take them back
		}
		if tree == nil {
			t.telling.Unlock()
			return nil, &documentGone{how: "navigated"}
		}
		if publish {
			tree.RequestID = requestID
			t.page.Publish(tree)
		}
		t.telling.Unlock()
		return tree, nil
	}
}

// readTrees asks every frame for its tree.
func (t *Tab) readTrees(ctx context.Context) (map[int]treeReport, error) {
	answers := t.askAll(ctx, map[string]any{"type": "request_ui_tree"})
	top, ok := answers[0]
	if !ok {
		return nil, &documentGone{how: "navigated"} // since its bridge was waited for
	}
	if top.err != nil {
		return nil, top.err
	}
	trees := make(map[int]treeReport, len(answers))
	for id, a := range answers {
		if a.err != nil {
			continue
		}
		report := treeReport{documentID: a.documentID}
		if err := decode(a.result.Result, &report); err != nil {
			return nil, fault.New(fault.ProtocolError, "the page's tree cannot be read").Because(err)
		}
		trees[id] = report
	}
	return trees, nil
}

// composed merges the frames' trees. It reports false when a frame's part is older
// than what agents know, and gives nothing when the main frame moved on.
func (t *Tab) composed(trees map[int]treeReport, publish bool) (*protocol.UITree, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	reports := make(map[int]frameReport, len(trees))
	current := true
	for id, report := range trees {
		f := t.frames[id]
		if f == nil || f.documentID != report.documentID {
			delete(trees, id)
			continue
		}
		reports[id] = report.Frame
		current = current && report.Version >= f.treeVersion
	}
	if _, ok := trees[0]; !ok {
		return nil, false
	}
	t.place(reports)
	if publish && current {
		t.told = true
		t.version++
		for id, report := range trees {
			f := t.frames[id]
			f.treeVersion = report.Version
			if id != 0 {
				f.items, f.shown, f.placed = report.Items, true, true
			}
		}
	}
	tree := &protocol.UITree{
		Base:    protocol.Base{Type: protocol.TypeUITree, Timestamp: time.Now().UnixMilli(), FrameID: "main"},
		Version: t.version, Full: true, Items: []protocol.UITreeItem{},
	}
	t.merge(tree, 0, trees, make(map[int]bool))
	for _, f := range t.ordered() { // frames whose owner element was not found come last
		report, ok := trees[f.id]
		switch {
		case ok && !report.merged():
			t.merge(tree, f.id, trees, make(map[int]bool))
		case !ok && f.shown: // it did not answer in time; what is known of it stays
			tree.Items = append(tree.Items, f.outwardItems(f.items)...)
		}
	}
	return tree, current
}

// merged marks a report as taken by emptying its version.
func (r treeReport) merged() bool { return r.Version < 0 }

// merge appends a frame's items, each child frame's items where its owner element stands.
func (t *Tab) merge(tree *protocol.UITree, id int, trees map[int]treeReport, visited map[int]bool) {
	report, ok := trees[id]
	f := t.frames[id]
	if !ok || f == nil || visited[id] || report.merged() {
		return
	}
	visited[id] = true
	done := report
	done.Version = -1
	trees[id] = done
	tree.Truncated += report.Truncated

	// The owners are in document order, each with the number of items before it.
	owners := report.Frame.ChildFrames
	before := func(i int) {
		for len(owners) > 0 && owners[0].Order <= i {
			if child := t.childAt(id, owners[0], trees); child != nil {
				t.merge(tree, child.id, trees, visited)
			}
			owners = owners[1:]
		}
	}
	for i, item := range report.Items {
		before(i)
		tree.Items = append(tree.Items, f.outwardItem(item))
	}
	before(math.MaxInt)
}

// childAt finds the frame that an owner element of a parent shows, of those that gave their tree.
func (t *Tab) childAt(parent int, owner childFrame, trees map[int]treeReport) *frame {
	for _, f := range t.ordered() {
		report, there := trees[f.id]
		if there && f.id != 0 && f.parent == parent && !report.merged() && owner.shows(report.Frame.Index, f.url) {
			return f
		}
	}
	return nil
}

// CurrentTree is the page's tree for an agent that attaches; false when the page does not answer soon.
func (t *Tab) CurrentTree() (*protocol.UITree, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 1500*time.Millisecond)
	defer cancel()
	if reason := t.refusal(); reason != nil {
		return nil, false
	}
	tree, err := t.tree(ctx, false, "")
	return tree, err == nil
}

// Snapshot publishes the tree, the state and, where its stream is on, the DOM: what an agent needs after a gap.
func (t *Tab) Snapshot(ctx context.Context) {
	t.stateAgain(ctx)
	if _, err := t.tree(ctx, true, ""); err != nil {
		t.log.Debug().Err(err).Msg("no tree after a gap")
	}
	t.mu.Lock()
	f := t.main()
	on := len(t.info.Telemetry) == 0
	for _, kind := range t.info.Telemetry {
		on = on || kind == protocol.CapDOMSnapshot
	}
	t.mu.Unlock()
	if f == nil || !on {
		return
	}
	if snapshot, err := t.domSnapshot(ctx, f); err == nil {
		t.page.Publish(snapshot)
	}
}

func (t *Tab) domSnapshot(ctx context.Context, f *frame) (*protocol.DOMSnapshot, error) {
	result, err := t.bridge(ctx, f, map[string]any{"type": "request_dom_snapshot"})
	if err != nil {
		return nil, err
	}
	snapshot := &protocol.DOMSnapshot{}
	if err := decode(result.Result, snapshot); err != nil {
		return nil, fault.New(fault.ProtocolError, "the page's HTML cannot be read").Because(err)
	}
	snapshot.HTML = redact.HTML(snapshot.HTML)
	snapshot.Base = protocol.Base{Type: protocol.TypeDOMSnapshot, Timestamp: time.Now().UnixMilli(), FrameID: f.short}
	return snapshot, nil
}

func (t *Tab) requestTree(ctx context.Context, cmd *protocol.Command) (session.Outcome, error) {
	tree, err := t.tree(ctx, true, cmd.RequestID)
	if err != nil {
		return session.Outcome{}, err
	}
	return session.Outcome{Result: map[string]any{"version": tree.Version, "count": len(tree.Items)}, Effect: protocol.EffectNoop, Via: viaBridge}, nil
}

func (t *Tab) requestDOM(ctx context.Context, cmd *protocol.Command) (session.Outcome, error) {
	f, err := t.frameOf(cmd)
	if err != nil {
		return session.Outcome{}, err
	}
	snapshot, err := t.domSnapshot(ctx, f)
	if err != nil {
		return session.Outcome{}, err
	}
	snapshot.RequestID = cmd.RequestID
	t.page.Publish(snapshot)
	return session.Outcome{Result: map[string]any{"bytes": snapshot.Bytes, "truncated": snapshot.Truncated}, Effect: protocol.EffectNoop, Via: viaBridge}, nil
}
