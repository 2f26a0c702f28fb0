package browser

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// frame is one frame of a tab, over all documents that it shows and all processes
// that it lives in.
type frame struct {
	id         string // the browser's
	num        int    // package page's: 0 is the main frame
	parent     string
	loader     string // of the document that it shows
	url        string
	target     *target // whose process it lives in
	context    int64   // of its bridge; 0 while there is none
	documentID string  // that was told for the bridge
	failed     bool    // it shows an error page
}

type frameTree struct {
	Frame       frameEvent  `json:"frame"`
	ChildFrames []frameTree `json:"childFrames"`
}

type frameEvent struct {
	ID          string `json:"id"`
	ParentID    string `json:"parentId"`
	LoaderID    string `json:"loaderId"`
	URL         string `json:"url"`
	URLFragment string `json:"urlFragment"`
	Unreachable string `json:"unreachableUrl"`
}

// frameAt gives the frame of an id, made where it is new. The caller holds d.mu.
func (t *tab) frameAt(id, parent string, in *target) *frame {
	f := t.frames[id]
	if f == nil {
		f = &frame{id: id, num: t.nextFrame, parent: parent}
		t.nextFrame++
		t.frames[id] = f
	}
	f.target = in
	if parent != "" {
		f.parent = parent
	}
	return f
}

// takeTree takes the frames that a session has from its start on.
func (t *tab) takeTree(in *target, tree frameTree) {
	f := t.frames[tree.Frame.ID]
	if f == nil || f.target == in || in.kind != "page" { // one of another process has its own session
		f = t.frameAt(tree.Frame.ID, tree.Frame.ParentID, in)
		f.loader, f.url = tree.Frame.LoaderID, tree.Frame.URL+tree.Frame.URLFragment
	}
	for _, child := range tree.ChildFrames {
		t.takeTree(in, child)
	}
}

// moveFrame notes that a frame lives in a process of its own now.
func (t *tab) moveFrame(in *target, info targetInfo) {
	f := t.frameAt(info.TargetID, info.ParentFrameID, in)
	t.d.loseBridge(t, f, "navigated")
	f.loader = ""
}

func onFrameAttached(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		FrameID       string `json:"frameId"`
		ParentFrameID string `json:"parentFrameId"`
	}
	if d.read(params, &event) {
		t.tab.frameAt(event.FrameID, event.ParentFrameID, t)
	}
}

func onFrameNavigated(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		Frame frameEvent `json:"frame"`
		Type  string     `json:"type"`
	}
	if !d.read(params, &event) {
		return
	}
	owner, to := t.tab, event.Frame
	f := owner.frameAt(to.ID, to.ParentID, t)
	d.loseBridge(owner, f, "navigated")
	f.loader, f.url = to.LoaderID, to.URL+to.URLFragment
	t.url = to.URL
	d.runAgain(t, f)
	for _, child := range owner.childrenOf(f.id) { // they went with the document that held them
		d.removeFrame(owner, child, "navigated")
	}
	if f.num != 0 {
		d.turn()
		return
	}
	f.failed = to.Unreachable != ""
	if f.failed {
		f.url = to.Unreachable
	}
	owner.commits++
	d.scriptsLeft(owner)
	owner.title, owner.known = "", "" // the new document's bridge tells its own
	owner.dialog = nil
	t.roots.reset()
	d.revived(owner, f.url)
	d.emit("tab.navigated", map[string]any{"tabId": owner.id, "url": f.url, "sameDocument": false, "documentId": f.loader, "title": ""})
	if event.Type == "BackForwardCacheRestore" {
		d.restored(t)
	}
	d.turn()
}

// runAgain runs our scripts in a window that goes on with the next document: that of a
// first, empty one with another of its origin, where scripts for new documents do not run
// again. The bridge comes first, since it takes the one before it out of the page's world.
func (d *Direct) runAgain(t *target, f *frame) {
	inspect := false
	for id, c := range t.contexts {
		if c.bridge && c.frameID == f.id {
			t.session.Start("Runtime.evaluate", expression(id, d.script))
			inspect = d.inspector != ""
		}
	}
	for id, c := range t.contexts {
		if inspect && c.page && c.frameID == f.id {
			t.session.Start("Runtime.evaluate", expression(id, d.inspector))
		}
	}
}

// restored: a document came back with its bridges, which said so before the browser told
// of the document. Its child frames come with it, untold. The caller holds d.mu.
func (d *Direct) restored(t *target) {
	tree := t.session.Start("Page.getFrameTree", nil)
	d.work.Go(func() {
		ctx, cancel := context.WithTimeout(d.ctx, setupTimeout)
		defer cancel()
		raw, err := tree.Wait(ctx)
		var answer struct {
			FrameTree frameTree `json:"frameTree"`
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if err != nil || d.sessions[t.id] != t || !d.read(raw, &answer) {
			return
		}
		t.tab.takeTree(t, answer.FrameTree)
		for id, c := range t.contexts {
			if f := t.tab.frames[c.frameID]; c.bridge && f != nil && f.context == 0 {
				d.onReady(t, id)
				// A restored page says its title again to nobody.
				t.session.Start("Runtime.evaluate", expression(id, hostObject+".title()"))
			}
		}
	})
}

func onMoved(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		FrameID string `json:"frameId"`
		URL     string `json:"url"`
	}
	if !d.read(params, &event) {
		return
	}
	f := t.tab.frames[event.FrameID]
	if f == nil {
		return
	}
	f.url = event.URL
	if f.num != 0 {
		return
	}
	t.tab.commits++
	d.emit("tab.navigated", map[string]any{"tabId": t.tab.id, "url": f.url, "sameDocument": true, "documentId": f.loader, "title": t.tab.title})
	d.turn()
}

func onStopped(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		FrameID string `json:"frameId"`
	}
	if d.read(params, &event) && event.FrameID == t.tab.target.targetID {
		t.tab.stops++
		d.turn()
	}
}

func onFrameDetached(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		FrameID string `json:"frameId"`
		Reason  string `json:"reason"`
	}
	if !d.read(params, &event) || event.Reason == "swap" {
		return // its next process tells of it
	}
	if f := t.tab.frames[event.FrameID]; f != nil && f.num != 0 {
		d.removeFrame(t.tab, f, "removed")
		d.turn()
	}
}

// onLoadingFailed remembers why a document could not be loaded.
func onLoadingFailed(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		Type      string `json:"type"`
		ErrorText string `json:"errorText"`
	}
	if t.kind == "page" && d.read(params, &event) && event.Type == "Document" {
		t.tab.failure = event.ErrorText
	}
}

func (t *tab) childrenOf(id string) []*frame {
	var list []*frame
	for _, f := range t.frames {
		if f.parent == id && f.num != 0 {
			list = append(list, f)
		}
	}
	return list
}

// removeFrame takes a frame and those below it out. The caller holds d.mu.
func (d *Direct) removeFrame(t *tab, f *frame, reason string) {
	if t.frames[f.id] != f {
		return
	}
	delete(t.frames, f.id)
	d.loseBridge(t, f, reason)
	for _, child := range t.childrenOf(f.id) {
		d.removeFrame(t, child, reason)
	}
}

// loseBridge ends the bridge of a frame's document; what waited for it fails now. The caller holds d.mu.
func (d *Direct) loseBridge(t *tab, f *frame, reason string) {
	t.failCalls(func(other *frame) bool { return other == f }, reason)
	if f.context == 0 {
		return
	}
	f.context = 0
	if t.announced {
		d.emit("frame.removed", map[string]any{"tabId": t.id, "frameId": f.num, "documentId": f.documentID, "reason": reason})
	}
	d.turn()
}

func onContextCreated(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		Context struct {
			ID      int64  `json:"id"`
			Name    string `json:"name"`
			AuxData struct {
				IsDefault bool   `json:"isDefault"`
				FrameID   string `json:"frameId"`
			} `json:"auxData"`
		} `json:"context"`
	}
	if !d.read(params, &event) {
		return
	}
	c := event.Context
	t.contexts[c.ID] = &jsContext{frameID: c.AuxData.FrameID, bridge: !c.AuxData.IsDefault && c.Name == worldName, page: c.AuxData.IsDefault, told: kept(params)}
}

func onContextDestroyed(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		ID int64 `json:"executionContextId"`
	}
	if !d.read(params, &event) {
		return
	}
	delete(t.contexts, event.ID)
	for _, f := range t.tab.frames {
		if f.target == t && f.context == event.ID {
			d.loseBridge(t.tab, f, "navigated")
		}
	}
}

func onContextsCleared(d *Direct, t *target, _ jsontext.Value) {
	clear(t.contexts)
	for _, f := range t.tab.frames {
		if f.target == t {
			d.loseBridge(t.tab, f, "navigated")
		}
	}
}

// onReady: the bridge of a document is there.
func (d *Direct) onReady(t *target, context int64) {
	c := t.contexts[context]
	if c == nil || !c.bridge {
		return
	}
	f := t.tab.frames[c.frameID]
	if f == nil || f.target != t || f.loader == "" {
		return // the first, empty document of a frame: the one to come has its own
	}
	if f.context != 0 && f.context != context {
		d.loseBridge(t.tab, f, "navigated")
	}
	parent := -1
	if up := t.tab.frames[f.parent]; up != nil && f.num != 0 {
		parent = up.num
	}
	f.context, f.documentID = context, f.loader
	d.emit("frame.added", map[string]any{
		"tabId": t.tab.id, "frameId": f.num, "parentFrameId": parent, "documentId": f.documentID, "url": f.url,
	})
	d.turn()
}
