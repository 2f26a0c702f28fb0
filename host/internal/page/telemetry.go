package page

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// onBridgeEvent takes a batch of a document's telemetry. Messages are numbered
// per document, so what comes twice (after a service worker or a relay died)
// is taken once.
func (t *Tab) onBridgeEvent(event bridgeEvent) error {
	t.mu.Lock()
	f := t.frames[event.FrameID]
	if f == nil {
		// Telemetry of a frame that was removed before its last words came.
		f = &frame{id: event.FrameID, short: "", documentID: event.DocumentID, next: 1, refs: make(map[string]struct{}), old: make(map[string]uint64)}
	}
	next, current := f.next, f.documentID == event.DocumentID
	if !current {
		next = max(f.old[event.DocumentID], 1)
	}
	if current && !f.seenFirst {
		// After a daemon restart a document goes on where it was.
		f.seenFirst = true
		if event.First > next {
			next = event.First
		}
	}
	var fresh []jsontext.Value
	for i, raw := range event.Messages {
		if number := event.First + uint64(i); number >= next {
			fresh = append(fresh, raw)
			next = number + 1
		}
	}
	if current {
		f.next = next
	} else {
		f.old[event.DocumentID] = next
	}
	short := f.short
	browser, tab := t.browser, t.id
	t.mu.Unlock()

	messages := make([]protocol.Message, 0, len(fresh))
	for _, raw := range fresh {
		messages = append(messages, t.intake(f, short, current, raw)...)
	}
	if len(messages) > 0 {
		t.page.Publish(messages...)
	}
	return browser.Notify("bridge.ack", bridgeAck{TabID: tab, FrameID: event.FrameID, DocumentID: event.DocumentID, UpTo: next - 1})
}

// intake turns one message of a bridge into the page's.
func (t *Tab) intake(f *frame, short string, current bool, raw jsontext.Value) []protocol.Message {
	var head struct {
		Type string `json:"type"`
	}
	if err := decode(raw, &head); err != nil {
		t.log.Warn().Err(err).Msg("telemetry not understood")
		return nil
	}
	message, err := protocol.DecodeTelemetry(head.Type, raw)
	if err != nil {
		t.log.Warn().Str("type", head.Type).Err(err).Msg("telemetry not understood")
		return nil
	}
	message.Header().FrameID = short
	switch m := message.(type) {
	case *protocol.UITree:
		if !current {
			return nil
		}
		return t.frameTree(f, m)
	case *protocol.UITreeDiff:
		if !current {
			return nil
		}
		return t.frameDiff(f, m)
	}
	return []protocol.Message{message}
}

// frameTree makes one frame's tree the page's: the main frame starts a new full
// tree, a child frame adds to the one there is.
func (t *Tab) frameTree(f *frame, tree *protocol.UITree) []protocol.Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := f.refs
	f.refs = make(map[string]struct{}, len(tree.Items))
	items := make([]protocol.UITreeItem, 0, len(tree.Items))
	for _, item := range tree.Items {
		item = f.outwardItem(item)
		f.refs[item.Ref] = struct{}{}
		items = append(items, item)
	}
	if f.id == 0 {
		t.version++
		return []protocol.Message{&protocol.UITree{
			Base:  protocol.Base{Type: protocol.TypeUITree, Timestamp: tree.Timestamp},
			Items: items, Version: t.version, Full: true, Truncated: tree.Truncated,
		}}
	}
	removed := []string{}
	for ref := range before {
		if _, still := f.refs[ref]; !still {
			removed = append(removed, ref)
		}
	}
	slices.Sort(removed)
	if len(items) == 0 && len(removed) == 0 {
		return nil
	}
	return []protocol.Message{t.nextDiff(tree.Timestamp, items, removed, []map[string]any{})}
}

// frameDiff makes one frame's diff the page's.
func (t *Tab) frameDiff(f *frame, diff *protocol.UITreeDiff) []protocol.Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	added := make([]protocol.UITreeItem, 0, len(diff.Added))
	for _, item := range diff.Added {
		item = f.outwardItem(item)
		f.refs[item.Ref] = struct{}{}
		added = append(added, item)
	}
	removed := make([]string, 0, len(diff.Removed))
	for _, ref := range diff.Removed {
		ref = f.outward(ref)
		delete(f.refs, ref)
		removed = append(removed, ref)
	}
	changed := make([]map[string]any, 0, len(diff.Changed))
	for _, fields := range diff.Changed {
		f.outwardAll(map[string]any(fields))
		f.shiftBounds(fields)
		changed = append(changed, fields)
	}
	return []protocol.Message{t.nextDiff(diff.Timestamp, added, removed, changed)}
}

// shiftBounds moves the bounds of a changed item from the frame's viewport to the page's.
func (f *frame) shiftBounds(fields map[string]any) {
	bounds, ok := fields["bounds"].(map[string]any)
	if !ok {
		return
	}
	for axis, by := range map[string]float64{"x": f.offset.X, "y": f.offset.Y} {
		if value, ok := bounds[axis].(float64); ok {
			bounds[axis] = value + by
		}
	}
}

// nextDiff numbers a diff. The caller holds t.mu.
func (t *Tab) nextDiff(at int64, added []protocol.UITreeItem, removed []string, changed []map[string]any) *protocol.UITreeDiff {
	t.version++
	return &protocol.UITreeDiff{
		Base:        protocol.Base{Type: protocol.TypeUITreeDiff, Timestamp: at},
		BaseVersion: t.version - 1, Version: t.version,
		Added: added, Removed: removed, Changed: changed,
	}
}

// publishGone tells that the items of a frame or document are gone.
func (t *Tab) publishGone(refs []string) {
	if len(refs) == 0 {
		return
	}
	slices.Sort(refs)
	t.mu.Lock()
	diff := t.nextDiff(0, []protocol.UITreeItem{}, refs, []map[string]any{})
	t.mu.Unlock()
	t.page.Publish(diff)
}

// onSDK notes that the page embeds the SDK, so that both give one page.
func (t *Tab) onSDK(event struct {
	FrameID int    `json:"frameId"`
	AppID   string `json:"appId"`
}) error {
	if event.FrameID != 0 {
		return nil
	}
	t.leaveApp(event.AppID)
	t.sdk.Merge(event.AppID, t.page)
	return nil
}

// leaveApp ends the merge with the app of before and notes the next one's id.
func (t *Tab) leaveApp(next string) {
	t.mu.Lock()
	before := t.appID
	t.appID = next
	t.mu.Unlock()
	if before != "" && before != next {
		t.sdk.Unmerge(before, t.page)
	}
}
