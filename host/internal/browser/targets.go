package browser

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// target is one attached session: a page, a cross-process frame or a worker.
type target struct {
	id       string // of the session
	targetID string
	kind     string // page, iframe, worker, shared_worker, service_worker, …
	url      string
	session  *cdp.Session
	parent   *target // whose auto-attach brought it; nil for pages
	tab      *tab
	settled  bool        // its frames are known; events before that are held
	held     []cdp.Event // in order
	contexts map[int64]*jsContext
	roots    rootSearch
	domOn    bool // an agent enabled DOM and wants its events
}

// jsContext is a JavaScript context of a session.
type jsContext struct {
	frameID string
	bridge  bool           // the bridge's own world
	page    bool           // the page's own
	told    jsontext.Value // the event, given again to who enables Runtime
}

type targetInfo struct {
	TargetID      string `json:"targetId"`
	Type          string `json:"type"`
	Title         string `json:"title"`
	URL           string `json:"url"`
	OpenerID      string `json:"openerId"`
	ParentFrameID string `json:"parentFrameId"`
	Subtype       string `json:"subtype"`
	Attached      bool   `json:"attached"`

	BrowserContextID string `json:"browserContextId"`
}

// hasPage reports targets that are documents with frames and bridges.
func (t *target) hasPage() bool { return t.kind == "page" || t.kind == "iframe" }

// filters of Target.setAutoAttach: the first match decides, the rest is left alone.
var (
	pageFilter   = []map[string]any{{"type": "page"}, {"type": "shared_worker"}}
	ownFilter    = []map[string]any{{"type": "browser", "exclude": true}} // nothing by itself
	nestedFilter = []map[string]any{{"type": "iframe"}, {"type": "worker"}, {"type": "service_worker"}, {"type": "shared_worker"}}
)

func (d *Direct) rootFilter() []map[string]any {
	if d.o.Adopt == AdoptOwn {
		return ownFilter
	}
	return pageFilter
}

func autoAttach(filter []map[string]any) map[string]any {
	return map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter}
}

// foreign reports pages that are none of an agent's business.
func foreign(info targetInfo) bool {
	return info.Subtype != "" || strings.HasPrefix(info.URL, "devtools://") || strings.HasPrefix(info.URL, "chrome-extension://") ||
		strings.HasPrefix(info.URL, "chrome-untrusted://")
}

func onAttached(d *Direct, parent *target, params jsontext.Value) {
	var event struct {
		SessionID string     `json:"sessionId"`
		Info      targetInfo `json:"targetInfo"`
	}
	if !d.read(params, &event) {
		return
	}
	info := event.Info
	if info.Type == "browser" || d.isPrivate(event.SessionID, info) {
		return // a client's own view of the browser, or a page of ours that is no tab
	}
	t := &target{
		id: event.SessionID, targetID: info.TargetID, kind: info.Type, url: info.URL, parent: parent,
		session: d.conn.Session(event.SessionID), contexts: make(map[int64]*jsContext),
	}
	switch {
	case parent != nil:
		t.tab = parent.tab
	case info.Type == "shared_worker":
		t.tab = d.firstTab() // it serves all pages of its site; one tells of it
	}
	if info.Type == "page" && parent == nil && !foreign(info) {
		t.tab = d.newTab(t, info)
	}
	if t.tab == nil {
		t.session.Start("Runtime.runIfWaitingForDebugger", nil)
		d.root.Start("Target.detachFromTarget", map[string]any{"sessionId": t.id})
		return
	}
	d.sessions[t.id] = t
	if t.kind == "iframe" {
		t.tab.moveFrame(t, info)
	}
	if parent != nil {
		d.tellCDP(parent, 0, "Target.attachedToTarget", params)
	}
	d.setup(t)
}

// firstTab is the oldest tab. The caller holds d.mu.
func (d *Direct) firstTab() *tab {
	var first *tab
	for _, t := range d.tabs {
		if first == nil || t.id < first.id {
			first = t
		}
	}
	return first
}

// command is one of the setup's.
type command struct {
	method string
	params any
}

// freshSetup is setupTimeout of a browser of ours: no dialog can be open in it yet, so
// what takes long is a busy machine; and a page that navigates before Page.enable has
// reached its process does so unseen.
const freshSetup = 15 * time.Second

// processWait is how long a page or worker is held for its setup. A page that was opened
// without an opener gets its process only when it runs, a service worker its script, and
// the commands wait for that.
const processWait = 250 * time.Millisecond

// setup enables what every session has, and then lets the target run: a command that
// is still on its way when the target's first document is committed would come late.
func (d *Direct) setup(t *target) {
	commands := []command{{"Target.setAutoAttach", autoAttach(nestedFilter)}}
	if t.hasPage() {
		commands = append(commands,
			command{"Page.enable", nil},
			command{"Page.getFrameTree", nil},
			command{"Inspector.enable", nil},
			command{"Runtime.enable", nil},
			command{"Runtime.addBinding", map[string]any{"name": bindingName, "executionContextName": worldName}},
			command{"Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": d.script, "worldName": worldName, "runImmediately": true}},
		)
		if d.inspector != "" {
			commands = append(commands, command{"Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": d.inspector, "runImmediately": true}})
		}
	} else {
		commands = append(commands, command{"Runtime.enable", nil})
	}
	commands = append(commands,
		command{"Network.enable", map[string]any{"maxPostDataSize": 64 << 10}},
		command{"Log.enable", nil},
		command{"Debugger.setSkipAllPauses", map[string]any{"skip": true}}, // a `debugger` statement stops nobody
	)
	if t.kind == "page" {
		commands = append(commands,
			// What is not shown yet must not tell; and its activation would change the target under us.
			command{"Page.setPrerenderingAllowed", map[string]any{"isAllowed": false}},
		)
		// Behind another tab a page draws no frames and takes pointer moves after five seconds.
		commands = append(commands, command{"Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}})
		if d.o.Source == managedSource {
			commands = append(commands, command{"Page.setInterceptFileChooserDialog", map[string]any{"enabled": true}})
		}
	}
	pending := make([]*cdp.Pending, len(commands))
	for i, c := range commands {
		pending[i] = t.session.Start(c.method, c.params)
	}
	limit := setupTimeout
	if d.o.Source == managedSource {
		limit = freshSetup
	}
	run := func() { t.session.Start("Runtime.runIfWaitingForDebugger", nil) }
	d.work.Go(func() {
		ctx, cancel := context.WithTimeout(d.ctx, limit)
		defer cancel()
		if t.kind != "iframe" {
			defer time.AfterFunc(processWait, run).Stop()
		}
		var tree jsontext.Value
		for i, c := range commands {
			raw, err := pending[i].Wait(ctx)
			switch {
			case err != nil:
				d.log.Debug().Err(err).Str("kind", t.kind).Str("method", c.method).Msg("not enabled")
			case c.method == "Page.getFrameTree":
				tree = raw
			}
		}
		run()
		d.settle(t, tree)
	})
}

// settle takes the frames of a session and then the events that came meanwhile.
func (d *Direct) settle(t *target, tree jsontext.Value) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t.settled || d.sessions[t.id] != t {
		return
	}
	t.settled = true
	if tree != nil {
		var answer struct {
			FrameTree frameTree `json:"frameTree"`
		}
		if d.read(tree, &answer) {
			t.tab.takeTree(t, answer.FrameTree)
		}
	}
	if t.kind == "page" {
		d.announce(t.tab)
	}
	for _, other := range d.sessionsOf(t.tab) { // a frame may have been quicker than its page
		if !other.settled || !t.tab.announced {
			continue
		}
		held := other.held
		other.held = nil
		for _, event := range held {
			d.dispatch(other, event.Method, event.Params)
		}
	}
}

// sessionsOf lists a tab's sessions, the page's own first. The caller holds d.mu.
func (d *Direct) sessionsOf(t *tab) []*target {
	list := []*target{t.target}
	for _, other := range d.sessions {
		if other.tab == t && other != t.target {
			list = append(list, other)
		}
	}
	return list
}

func onDetached(d *Direct, _ *target, params jsontext.Value) {
	var event struct {
		SessionID string `json:"sessionId"`
	}
	if !d.read(params, &event) {
		return
	}
	t := d.sessions[event.SessionID]
	if t == nil {
		return
	}
	if t.parent != nil {
		d.tellCDP(t.parent, 0, "Target.detachedFromTarget", params)
	}
	d.drop(t)
	if t.kind == "page" {
		d.forget(t.tab, "closed")
	}
	if t.kind == "iframe" {
		if f := t.tab.frames[t.targetID]; f != nil && f.target == t {
			d.removeFrame(t.tab, f, "removed")
		}
	}
	d.turn()
}

// drop ends a session and those below it. The caller holds d.mu.
func (d *Direct) drop(t *target) {
	if d.sessions[t.id] != t {
		return
	}
	delete(d.sessions, t.id)
	for _, child := range d.sessions {
		if child.parent == t {
			d.drop(child)
		}
	}
	d.conn.Detached(t.id, fault.New(fault.CDPDisconnected, "the page's session ended while the command ran").
		With("reason", "target_closed").With("dispatched", true))
}

// tellTitle reports the title where it is another than the one told. The caller holds d.mu.
func (d *Direct) tellTitle(t *tab) {
	if t.title == t.known || !t.announced {
		return
	}
	t.title = t.known
	d.emit("tab.updated", map[string]any{"tabId": t.id, "title": t.title})
}

// onCreated attaches to pages that our pages opened, where not all are adopted.
func onCreated(d *Direct, _ *target, params jsontext.Value) {
	if d.o.Adopt != AdoptOwn {
		return
	}
	var event struct {
		Info targetInfo `json:"targetInfo"`
	}
	if !d.read(params, &event) || event.Info.Type != "page" || d.byTarget[event.Info.OpenerID] == nil {
		return
	}
	d.root.Start("Target.attachToTarget", map[string]any{"targetId": event.Info.TargetID, "flatten": true})
}

// onTargetCrashed is the browser's word on a crash, for targets whose own session did not say it.
func onTargetCrashed(d *Direct, _ *target, params jsontext.Value) {
	var event struct {
		TargetID string `json:"targetId"`
	}
	if !d.read(params, &event) {
		return
	}
	for _, t := range d.sessions {
		if t.targetID == event.TargetID && t.hasPage() {
			onCrashed(d, t, nil)
		}
	}
}

// read decodes an event of the browser; what cannot be read is left out.
func (d *Direct) read(params jsontext.Value, into any) bool {
	if err := decode(params, into); err != nil {
		d.log.Warn().Err(err).Msg("a DevTools event cannot be read")
		return false
	}
	return true
}

// kept is a copy that does not hold the whole message in memory.
func kept(params jsontext.Value) jsontext.Value { return bytes.Clone(params) }
