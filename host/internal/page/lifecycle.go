package page

import (
	"context"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// geometryDelay gathers the frames that load together into one measurement.
const geometryDelay = 100 * time.Millisecond

// geometryTimeout bounds one measurement of where the frames are.
const geometryTimeout = 2 * time.Second

// reconnect takes the tab's state after the extension came back, or after the person changed the level.
func (t *Tab) reconnect(b Browser, info tabInfo) {
	t.mu.Lock()
	before := t.info
	wasPaused := t.paused
	t.browser, t.info = b, info
	for _, f := range info.Frames {
		t.addFrame(f)
	}
	t.turnNow() // calls that had not left go to this browser, and to the bridges it names
	t.paused = info.Paused
	t.mu.Unlock()

	t.page.SetInfo(func(p *protocol.PageInfo) {
		fresh := t.tellable(info)
		p.URL, p.Title, p.UserAgent = fresh.URL, fresh.Title, fresh.UserAgent
		p.Level, p.Capabilities = fresh.Level, fresh.Capabilities
	})
	switch {
	case info.Paused != "" && wasPaused == "":
		t.page.Disconnected(info.Paused)
	case info.Paused == "" && wasPaused != "":
		t.page.Reconnected(t)
	}
	if before.URL != info.URL {
		t.log.Debug().Msg("the page moved on while the extension was away")
	}
}

// pause refuses commands until resume; the page stays known.
func (t *Tab) pause(reason string) {
	t.mu.Lock()
	same := t.paused == reason
	t.paused = reason
	t.dialog = nil
	t.turnNow()
	t.mu.Unlock()
	if !same {
		t.page.Disconnected(reason)
	}
}

// close takes the page out of its session.
func (t *Tab) close(reason string) {
	t.stopTimers()
	if reason == "" {
		reason = protocol.ReasonClosed
	}
	t.mu.Lock()
	t.paused = reason
	t.turnNow()
	t.mu.Unlock()
	t.leaveApp("")
	t.page.Remove(reason)
	t.closeKept()
}

func (t *Tab) stopTimers() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.geometry != nil {
		t.geometry.Stop()
	}
}

func (t *Tab) onUpdated(event tabEvent) error {
	t.mu.Lock()
	if event.URL != nil {
		t.info.URL = *event.URL
	}
	if event.Title != nil {
		t.info.Title = *event.Title
	}
	url, title := t.info.URL, t.info.Title
	t.mu.Unlock()
	url, title = t.visible(url, title)
	t.page.SetInfo(func(p *protocol.PageInfo) { p.URL, p.Title = url, title })
	return nil
}

func (t *Tab) onPaused(event tabEvent) error {
	t.pause(event.Reason)
	return nil
}

func (t *Tab) onResumed(tabEvent) error {
	t.mu.Lock()
	was := t.paused
	t.paused = ""
	t.mu.Unlock()
	if was != "" {
		t.page.Reconnected(t)
	}
	return nil
}

func (t *Tab) onNavigated(event tabEvent) error {
	t.mu.Lock()
	if event.URL != nil {
		t.info.URL = *event.URL
	}
	if event.Title != nil {
		t.info.Title = *event.Title
	}
	if !event.SameDocument {
		t.dialog = nil
		t.turnNow()
		for id := range t.frames { // they went with the document that held them
			if id != 0 {
				delete(t.frames, id)
			}
		}
		t.told = false
		if f := t.main(); f != nil && event.DocumentID != "" {
			f.leave(event.DocumentID)
		}
	}
	url, title := t.info.URL, t.info.Title
	t.mu.Unlock()
	url, title = t.visible(url, title)
	if !event.SameDocument {
		t.leaveApp("")
	}
	t.page.SetInfo(func(p *protocol.PageInfo) { p.URL, p.Title = url, title })
	t.hear(Said{Message: &protocol.PageNavigated{URL: url, SameDocument: event.SameDocument}})
	t.page.Navigated(url, event.SameDocument)
	return nil
}

// leave moves the frame on to another document and forgets the tree of the one before.
func (f *frame) leave(documentID string) (gone []string) {
	if f.documentID == documentID {
		return nil
	}
	if f.documentID != "" {
		if len(f.old) > 8 { // late messages come from the last documents only
			clear(f.old)
			clear(f.was)
		}
		if f.was == nil {
			f.was = make(map[string]string)
		}
		f.old[f.documentID], f.was[f.documentID] = f.next, f.url
	}
	gone = f.wireRefs()
	f.items, f.shown, f.treeVersion = nil, false, 0
	f.newDocument(documentID)
	return gone
}

func (t *Tab) onFrameAdded(info frameInfo) error {
	t.mu.Lock()
	var gone []string
	if f := t.frames[info.FrameID]; f != nil {
		gone = f.leave(info.DocumentID)
	}
	t.addFrame(info)
	child := info.FrameID != 0
	if !child {
		t.turnNow()
	}
	t.mu.Unlock()
	if child {
		t.publishGone(gone)
		t.measureSoon()
	}
	return nil
}

func (t *Tab) onFrameRemoved(info frameInfo) error {
	t.mu.Lock()
	f := t.frames[info.FrameID]
	var gone []string
	if f != nil && f.id == 0 && f.documentID == info.DocumentID {
		f.bridgeless = true // commands wait for the next document's
	}
	if f != nil && f.id != 0 && f.documentID == info.DocumentID {
		gone = f.wireRefs()
		f.items, f.shown = nil, false
		f.bridgeless = true
		if info.Reason != "navigated" {
			delete(t.frames, info.FrameID)
		}
	}
	t.mu.Unlock()
	t.publishGone(gone)
	return nil
}

// measureSoon asks the bridges where the frames are, a little later, so that frames loading together share it.
func (t *Tab) measureSoon() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.geometry == nil {
		t.geometry = time.AfterFunc(geometryDelay, t.measure)
		return
	}
	t.geometry.Reset(geometryDelay)
}

func (t *Tab) measure() {
	ctx, cancel := context.WithTimeout(context.Background(), geometryTimeout)
	defer cancel()
	reports := make(map[int]frameReport)
	asked := t.snapshotFrames()
	for id, answer := range t.askAll(ctx, map[string]any{"type": "frame_info"}) {
		var report frameReport
		if answer.err == nil && decode(answer.result.Result, &report) == nil {
			reports[id] = report
		}
	}
	t.mu.Lock()
	t.place(reports)
	for _, f := range asked {
		f.placed = true // also where it could not be found: its items are told then without a place
	}
	t.mu.Unlock()
	t.publishPlaced()
}

// place sets each frame's offset from what the bridges report. A child knows
// its index in its parent, the parent knows the box of that index: no message
// that the page could see or forge is needed. The caller holds t.mu.
func (t *Tab) place(reports map[int]frameReport) {
	for range t.frames { // enough rounds for any depth
		for _, f := range t.frames {
			if f.id == 0 {
				continue
			}
			parent := t.frames[f.parent]
			own, ok := reports[f.id]
			if parent == nil || !ok {
				continue
			}
			for _, child := range reports[f.parent].ChildFrames {
				if child.shows(own.Index, f.url) {
					f.offset.X, f.offset.Y = parent.toPage(child.Bounds.X, child.Bounds.Y)
					f.scale = parent.scale * child.scale()
					f.placed = true
					f.hidden = parent.hidden || !child.Visible
				}
			}
		}
	}
}

// PageID is the page's number in its session.
func (t *Tab) PageID() int { return t.page.ID() }

// Ping measures a round trip to the main frame's bridge, for the doctor.
func (t *Tab) Ping(ctx context.Context) (took time.Duration, url string, err error) {
	t.mu.Lock()
	f, url := t.main(), t.info.URL
	t.mu.Unlock()
	if refused := t.refusal(); refused != nil {
		return 0, url, refused
	}
	if f == nil {
		return 0, url, nil
	}
	start := time.Now()
	_, err = t.bridge(ctx, f, map[string]any{"type": "frame_info"})
	return time.Since(start), url, err
}
