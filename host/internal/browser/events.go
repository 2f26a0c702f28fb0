package browser

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

const managedSource = protocol.SourceManaged

// maxHeld bounds the events kept of a session whose frames are not known yet.
const maxHeld = 10_000

// browserEvents come on the browser's own session.
var browserEvents = map[string]func(*Direct, *target, jsontext.Value){
	"Target.attachedToTarget":   onAttached,
	"Target.detachedFromTarget": onDetached,
	"Target.targetCreated":      onCreated,
	"Target.targetCrashed":      onTargetCrashed,
	"Browser.downloadWillBegin": onDownloadBegin,
	"Browser.downloadProgress":  onDownloadProgress,
}

// sessionEvents change what we know before they are told.
var sessionEvents = map[string]func(*Direct, *target, jsontext.Value){
	"Page.frameAttached":                onFrameAttached,
	"Page.frameNavigated":               onFrameNavigated,
	"Page.navigatedWithinDocument":      onMoved,
	"Page.frameStoppedLoading":          onStopped,
	"Page.frameDetached":                onFrameDetached,
	"Page.domContentEventFired":         onContentLoaded,
	"Page.loadEventFired":               onContentLoaded,
	"Page.javascriptDialogOpening":      onDialogOpening,
	"Page.javascriptDialogClosed":       onDialogClosed,
	"Runtime.executionContextCreated":   onContextCreated,
	"Runtime.executionContextDestroyed": onContextDestroyed,
	"Runtime.executionContextsCleared":  onContextsCleared,
	"Inspector.targetCrashed":           onCrashed,
	"Network.loadingFailed":             onLoadingFailed,
}

// onEvent takes every event of the connection, in order, on its reader.
func (d *Direct) onEvent(event cdp.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if event.SessionID == "" {
		if handle, ok := browserEvents[event.Method]; ok {
			handle(d, nil, event.Params)
		}
		return
	}
	t := d.sessions[event.SessionID]
	if t == nil {
		return
	}
	switch event.Method {
	case "Target.attachedToTarget":
		onAttached(d, t, event.Params)
		return
	case "Target.detachedFromTarget":
		onDetached(d, t, event.Params)
		return
	}
	if !t.settled || !t.tab.announced {
		if event.Method == "Page.javascriptDialogOpening" {
			onDialogOpening(d, t, event.Params)
		}
		if len(t.held) < maxHeld {
			t.held = append(t.held, cdp.Event{Method: event.Method, Params: kept(event.Params)})
		}
		return
	}
	d.dispatch(t, event.Method, event.Params)
}

// dispatch handles an event of a session and passes it on. The caller holds d.mu.
func (d *Direct) dispatch(t *target, method string, params jsontext.Value) {
	if method == "Runtime.bindingCalled" && onBinding(d, t, params) {
		return
	}
	if handle, ok := sessionEvents[method]; ok {
		handle(d, t, params)
	}
	if strings.HasPrefix(method, "DOM.") && !t.domOn {
		return // it is on for the search of closed roots alone
	}
	d.tellCDP(t, d.frameOfEvent(t, method, params), method, params)
}

// tellCDP passes an event on. The page's own session has an empty name. The caller holds d.mu.
func (d *Direct) tellCDP(t *target, frame int, method string, params jsontext.Value) {
	if !t.tab.announced {
		return
	}
	session := t.id
	if t.kind == "page" {
		session = ""
	}
	if d.fast != nil {
		d.fast.CDPEvent(d, t.tab.id, frame, session, method, params)
		return
	}
	d.emit("cdp.event", map[string]any{"tabId": t.tab.id, "sessionId": session, "method": method, "params": params, "frameId": frame})
}

// frameOfEvent is the number of the frame whose script an event is about; -1 where none is known.
func (d *Direct) frameOfEvent(t *target, method string, params jsontext.Value) int {
	if method != "Runtime.consoleAPICalled" && method != "Runtime.exceptionThrown" {
		return -1
	}
	var event struct {
		ContextID int64 `json:"executionContextId"`
		Details   struct {
			ContextID int64 `json:"executionContextId"`
		} `json:"exceptionDetails"`
	}
	if decode(params, &event) != nil {
		return -1
	}
	c := t.contexts[max(event.ContextID, event.Details.ContextID)]
	if c == nil {
		return -1
	}
	if f := t.tab.frames[c.frameID]; f != nil {
		return f.num
	}
	return -1
}
