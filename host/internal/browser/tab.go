package browser

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// dialogGrace is what commands that a dialog caught get to finish by themselves.
const dialogGrace = 300 * time.Millisecond

// tab is one page of the browser.
type tab struct {
	d         *Direct
	id        int
	target    *target
	opener    int    // tab that opened it, 0 for none
	title     string // as told
	known     string // as the browser has it
	announced bool
	crashed   bool
	frames    map[string]*frame // by the browser's frame id
	nextFrame int
	dialog    *dialog
	commits   int    // of the main frame, same-document ones too
	stops     int    // times its loading ended, with a document or without
	stayed    int    // times the answer to "leave the page?" was no
	failure   string // why the main frame's last load failed

	calls    map[int64]*bridgeCallState
	inflight map[*inflight]struct{}
	leaving  *bool // how a navigation wants "leave the page?" answered
}

type dialog struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	URL     string `json:"url"`
}

// inflight is a DevTools command of an agent that the page has not answered.
type inflight struct {
	method string
	cancel func(error)
}

// newTab makes a tab of a page. The caller holds d.mu.
func (d *Direct) newTab(t *target, info targetInfo) *tab {
	d.lastTab++
	made := &tab{
		d: d, id: d.lastTab, target: t, title: info.Title, known: info.Title, frames: make(map[string]*frame), nextFrame: 1,
		calls: make(map[int64]*bridgeCallState), inflight: make(map[*inflight]struct{}),
	}
	if opener := d.byTarget[info.OpenerID]; opener != nil {
		made.opener = opener.id
	}
	made.frames[info.TargetID] = &frame{id: info.TargetID, num: 0, parent: "", url: info.URL, target: t}
	d.tabs[made.id] = made
	d.byTarget[info.TargetID] = made
	return made
}

func (t *tab) main() *frame { return t.frames[t.target.targetID] }

// announce reports a tab. Its bridges are reported as they come. The caller holds d.mu.
func (d *Direct) announce(t *tab) {
	t.announced, t.title = true, t.known
	d.emit("tab.connected", d.info(t))
	d.turn()
}

// info is what package page knows of a tab.
func (d *Direct) info(t *tab) map[string]any {
	return map[string]any{
		"tabId": t.id, "url": t.main().url, "title": t.title, "level": d.o.Level, "sessionId": d.o.Session, "anySite": true,
		"userAgent": d.agent, "debuggerMode": "always", "eval": true, "telemetry": d.o.Telemetry, "paused": "", "frames": []any{},
		"source": d.o.Source, "openerTabId": t.opener,
	}
}

// forget ends a tab, with everything that waited for it. The caller holds d.mu.
func (d *Direct) forget(t *tab, reason string) {
	if d.tabs[t.id] != t {
		return
	}
	delete(d.tabs, t.id)
	delete(d.byTarget, t.target.targetID)
	delete(d.own, t.target.targetID)
	for _, other := range d.sessionsOf(t) {
		d.drop(other)
	}
	t.failCalls(func(*frame) bool { return true }, "gone")
	if t.announced {
		d.emit("tab.disconnected", map[string]any{"tabId": t.id, "reason": reason})
	}
	d.turn()
}

// onCrashed: a renderer that died answers nothing any more, and the tab waits for a reload.
func onCrashed(d *Direct, t *target, _ jsontext.Value) {
	if t.kind == "page" && t.tab.crashed {
		return // told twice, by its session and by the browser; what runs by now revives it
	}
	d.conn.Detached(t.id, fault.New(fault.CDPDisconnected, "the page crashed").With("reason", "crashed").With("dispatched", true))
	if t.kind != "page" {
		if f := t.tab.frames[t.targetID]; f != nil && f.target == t {
			d.loseBridge(t.tab, f, "removed")
		}
		return
	}
	t.tab.crashed = true
	t.tab.dialog = nil
	t.contexts = make(map[int64]*jsContext)
	d.emit("tab.paused", map[string]any{"tabId": t.tab.id, "reason": protocol.ReasonCrashed, "url": t.tab.main().url})
	t.tab.failCalls(func(*frame) bool { return true }, "gone")
	for _, f := range t.tab.frames {
		d.loseBridge(t.tab, f, "gone")
	}
	d.turn()
}

// revived: a document committed in a tab that had crashed.
func (d *Direct) revived(t *tab, url string) {
	if !t.crashed {
		return
	}
	t.crashed = false
	d.emit("tab.resumed", map[string]any{"tabId": t.id, "reason": protocol.ReasonCrashed, "url": url})
}

func onDialogOpening(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		Type    string `json:"type"`
		Message string `json:"message"`
		URL     string `json:"url"`
	}
	if !d.read(params, &event) {
		return
	}
	opened := &dialog{event.Type, event.Message, event.URL}
	owner := t.tab
	owner.dialog = opened
	d.turn()
	if event.Type == "beforeunload" && owner.leaving != nil {
		t.session.Start("Page.handleJavaScriptDialog", map[string]any{"accept": *owner.leaving})
		return
	}
	caught := make([]*inflight, 0, len(owner.inflight))
	for call := range owner.inflight {
		caught = append(caught, call)
	}
	if len(caught) == 0 {
		return
	}
	d.later(dialogGrace, func() {
		if owner.dialog != opened {
			return
		}
		for _, call := range caught {
			if _, still := owner.inflight[call]; still && call.method != "Page.handleJavaScriptDialog" {
				call.cancel(opened.blocking(true))
			}
		}
	})
}

// later does something after a time, with d.mu held, unless d ends before.
func (d *Direct) later(after time.Duration, do func()) {
	d.work.Go(func() {
		timer := time.NewTimer(after)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-d.ctx.Done():
			return
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		do()
	})
}

// leftGrace is what the browser gets to end the scripts of a document that went away. It
// ends most of them itself; one in a process that went too may get no answer at all.
const leftGrace = time.Second

// scriptsLeft ends the scripts that were under way when the main frame got another
// document. The caller holds d.mu.
func (d *Direct) scriptsLeft(owner *tab) {
	var left []*inflight
	for call := range owner.inflight {
		if call.method == "Runtime.evaluate" || call.method == "Runtime.callFunctionOn" {
			left = append(left, call)
		}
	}
	if len(left) == 0 {
		return
	}
	d.later(leftGrace, func() {
		for _, call := range left {
			if _, still := owner.inflight[call]; still {
				call.cancel(fault.New(fault.CDPError, "the page navigated away while the script ran").
					With("cdp", map[string]any{"code": -32000, "message": "Inspected target navigated or closed"}).With("dispatched", true).
					Suggest("Look at the page before you repeat it: dbridge observe state"))
			}
		}
	})
}

func (o *dialog) blocking(dispatched bool) *fault.Error {
	return fault.New(fault.DialogBlocking, "the page shows a %s dialog; nothing runs until it is handled", o.Kind).
		With("dialog", o).With("dispatched", dispatched).
		Suggest("Handle it with `dialog.handle`.")
}

func onDialogClosed(d *Direct, t *target, params jsontext.Value) {
	var event struct {
		Result bool `json:"result"`
	}
	if !d.read(params, &event) {
		return
	}
	if o := t.tab.dialog; o != nil && o.Kind == "beforeunload" && !event.Result {
		t.tab.stayed++
	}
	t.tab.dialog = nil
	d.turn()
}
