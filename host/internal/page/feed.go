package page

import (
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// The page's tree as agents follow it: a full tree from the main frame's bridge
// and diffs from all. The items of child frames are kept here, because each full
// tree holds them too, and because they are told only when it is known where
// their frame stands.

// frameTree makes one frame's tree the page's.
func (t *Tab) frameTree(f *frame, tree *protocol.UITree) []protocol.Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	f.treeVersion = tree.Version
	if f.id == 0 {
		t.told = true
		t.version++
		return []protocol.Message{&protocol.UITree{
			Base:  protocol.Base{Type: protocol.TypeUITree, Timestamp: tree.Timestamp},
			Items: t.withChildren(f.outwardItems(tree.Items)), Version: t.version, Full: true, Truncated: tree.Truncated,
		}}
	}
	before := f.wireRefs()
	f.items = tree.Items
	if !f.shown {
		return t.show(f, tree.Timestamp)
	}
	now := make(map[string]bool, len(f.items))
	for _, item := range f.items {
		now[f.outward(item.Ref)] = true
	}
	removed := slices.DeleteFunc(before, func(ref string) bool { return now[ref] })
	return []protocol.Message{t.nextDiff(tree.Timestamp, f.outwardItems(f.items), removed, []map[string]any{})}
}

// withChildren adds the child frames' items to the main frame's. The caller holds t.mu.
func (t *Tab) withChildren(items []protocol.UITreeItem) []protocol.UITreeItem {
	for _, f := range t.ordered() {
		if f.id != 0 && f.placed {
			f.shown = true
			items = append(items, f.outwardItems(f.items)...)
		}
	}
	return items
}

// show tells a child frame's items for the first time, once the page has a tree
// and the frame a place in it. The caller holds t.mu.
func (t *Tab) show(f *frame, at int64) []protocol.Message {
	if !t.told || !f.placed || f.shown {
		return nil
	}
	f.shown = true
	if len(f.items) == 0 {
		return nil
	}
	return []protocol.Message{t.nextDiff(at, f.outwardItems(f.items), []string{}, []map[string]any{})}
}

// frameDiff makes one frame's diff the page's.
func (t *Tab) frameDiff(f *frame, diff *protocol.UITreeDiff) []protocol.Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	if diff.Version <= f.treeVersion {
		return nil // a tree that was asked for had it already
	}
	f.treeVersion = diff.Version
	if f.id != 0 {
		f.apply(diff)
		if !f.shown {
			return t.show(f, diff.Timestamp)
		}
	}
	removed := make([]string, 0, len(diff.Removed))
	for _, ref := range diff.Removed {
		removed = append(removed, f.outward(ref))
	}
	changed := make([]map[string]any, 0, len(diff.Changed))
	for _, fields := range diff.Changed {
		f.outwardAll(fields)
		f.shiftBounds(fields)
		changed = append(changed, fields)
	}
	return []protocol.Message{t.nextDiff(diff.Timestamp, f.outwardItems(diff.Added), removed, changed)}
}

// apply brings the kept items of a child frame up to a diff.
func (f *frame) apply(diff *protocol.UITreeDiff) {
	gone := make(map[string]bool, len(diff.Removed))
	for _, ref := range diff.Removed {
		gone[ref] = true
	}
	f.items = slices.DeleteFunc(f.items, func(item protocol.UITreeItem) bool { return gone[item.Ref] })
	f.items = append(f.items, diff.Added...)
	at := make(map[string]int, len(f.items))
	for i, item := range f.items {
		at[item.Ref] = i
	}
	for _, fields := range diff.Changed {
		ref, _ := fields["ref"].(string)
		i, known := at[ref]
		if !known {
			continue
		}
		// Fields of a decoded message; null empties the field.
		if data, err := json.Marshal(fields); err == nil {
			_ = decode(data, &f.items[i]) // a field of another type leaves the item as far as it was read
		}
	}
}

// wireRefs gives the refs that agents know of the frame.
func (f *frame) wireRefs() []string {
	refs := []string{}
	if f.shown {
		for _, item := range f.items {
			refs = append(refs, f.outward(item.Ref))
		}
	}
	slices.Sort(refs)
	return refs
}

// outwardItems makes a frame's items the page's.
func (f *frame) outwardItems(items []protocol.UITreeItem) []protocol.UITreeItem {
	out := make([]protocol.UITreeItem, 0, len(items))
	for _, item := range items {
		out = append(out, f.outwardItem(item))
	}
	return out
}

// shiftBounds moves the bounds of a changed item from the frame's viewport to the page's.
func (f *frame) shiftBounds(fields map[string]any) {
	if f.id == 0 {
		return
	}
	bounds, ok := fields["bounds"].(map[string]any)
	if !ok {
		return
	}
	for axis, by := range map[string]float64{"x": f.offset.X, "y": f.offset.Y, "width": 0, "height": 0} {
		if value, ok := bounds[axis].(float64); ok {
			bounds[axis] = value*f.scale + by
		}
	}
}

// nextDiff numbers a diff. The caller holds t.mu, and t.telling until it is published.
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
	t.telling.Lock()
	defer t.telling.Unlock()
	t.mu.Lock()
	diff := t.nextDiff(0, []protocol.UITreeItem{}, refs, []map[string]any{})
	t.mu.Unlock()
	t.page.Publish(diff)
}

// publishPlaced tells the items of frames whose place is now known.
func (t *Tab) publishPlaced() {
	t.telling.Lock()
	defer t.telling.Unlock()
	var messages []protocol.Message
	t.mu.Lock()
	for _, f := range t.ordered() {
		if f.id != 0 {
			messages = append(messages, t.show(f, 0)...)
		}
	}
	t.mu.Unlock()
	if len(messages) > 0 {
		t.page.Publish(messages...)
	}
}
