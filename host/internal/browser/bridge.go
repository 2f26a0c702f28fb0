package browser

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const (
	bridgeWait = 5 * time.Second        // a page that loads gets this long to bring up its bridge
	abortGrace = 250 * time.Millisecond // an aborted bridge gets this long to say what it did
)

type bridgeCall struct {
	TabID      int            `json:"tabId"`
	FrameID    int            `json:"frameId"`
	DocumentID string         `json:"documentId"`
	Command    jsontext.Value `json:"command"`
	TimeoutMs  int64          `json:"timeoutMs"`
}

// bridgeCallState is a call that a bridge has not answered.
type bridgeCallState struct {
	frame  *frame
	acted  bool
	cancel context.CancelCauseFunc
}

// documentGone says how a call's document went away.
type documentGone struct{ how string }

func (g *documentGone) Error() string { return "the document went away: " + g.how }

// failCalls ends the calls of frames whose document is gone. The caller holds d.mu.
func (t *tab) failCalls(of func(*frame) bool, how string) {
	for _, call := range t.calls {
		if of(call.frame) {
			call.cancel(&documentGone{how})
		}
	}
}

func (c *bridgeCall) gone(how string, acted bool) *fault.Error {
	f := fault.New(fault.NavigationInterrupted, "the document was replaced or removed before the command was done").
		With("reason", "DOCUMENT_GONE").With("acted", acted).With("tabId", c.TabID).With("frameId", c.FrameID).With("documentId", c.DocumentID).
		Suggest("Take a fresh tree with `request_ui_tree` and look at the page.")
	if how != "" {
		f = f.With("how", how)
	}
	return f
}

// wholePage are the commands that read all of a document, closed shadow roots too, where
// they name no target.
var wholePage = map[string]bool{"request_ui_tree": true, "outline": true, "layout_measure": true}

// bridgeCall runs one command in the bridge of a frame.
func (d *Direct) bridgeCall(ctx context.Context, payload jsontext.Value) (any, error) {
	var call bridgeCall
	if err := decode(payload, &call); err != nil {
		return nil, fault.New(fault.ValidationError, "bridge.call is not understood").Because(err)
	}
	var head struct {
		Type   string         `json:"type"`
		Target jsontext.Value `json:"target"`
	}
	if err := decode(call.Command, &head); err != nil || head.Type == "" {
		return nil, fault.New(fault.ValidationError, "bridge.call needs a command").Because(err)
	}
	limit := time.Duration(call.TimeoutMs) * time.Millisecond
	if limit <= 0 {
		limit = defaultTimeout
	}
	deadline := time.Now().Add(limit)
	d.mu.Lock()
	f, err := d.bridgeFrame(ctx, &call, deadline)
	if err != nil {
		d.mu.Unlock()
		return nil, err
	}
	in := f.target
	d.mu.Unlock()
	if !wholePage[head.Type] || head.Target != nil {
		raw, err := d.runInBridge(ctx, &call, f, deadline)
		if missed := (*fault.Error)(nil); errors.As(err, &missed) && missed.Code == fault.ElementNotFound && d.openRoots(ctx, in) {
			return d.runInBridge(ctx, &call, f, deadline)
		}
		return raw, err
	}
	// The renderer takes one after the other; the search costs no round trip of its own.
	opened := make(chan bool, 1)
	d.work.Go(func() { opened <- d.openRoots(ctx, in) })
	raw, err := d.runInBridge(ctx, &call, f, deadline)
	if <-opened && err == nil {
		return d.runInBridge(ctx, &call, f, deadline)
	}
	return raw, err
}

// bridgeFrame finds the frame's bridge. One that loads is waited for, a document that is
// gone is not. The caller holds d.mu.
func (d *Direct) bridgeFrame(ctx context.Context, call *bridgeCall, deadline time.Time) (*frame, error) {
	ctx, cancel := context.WithDeadline(ctx, earlier(deadline, time.Now().Add(bridgeWait)))
	defer cancel()
	var found *frame
	var refused error
	waited := d.awaitLocked(ctx, func() bool {
		t := d.tabs[call.TabID]
		switch {
		case t == nil:
			refused = noTab(call.TabID)
		case t.crashed:
			refused = fault.New(fault.NotConnected, "the page crashed").With("reason", "crashed")
		default:
			for _, f := range t.frames {
				if f.num == call.FrameID && f.context != 0 {
					found = f
				}
			}
			if found != nil && call.DocumentID != "" && found.documentID != call.DocumentID {
				refused = call.gone("", false)
			}
		}
		return found != nil || refused != nil
	})
	switch {
	case refused != nil:
		return nil, refused
	case found != nil:
		return found, nil
	case d.ctx.Err() != nil:
		return nil, waited
	case call.DocumentID != "":
		return nil, call.gone("", false)
	}
	return nil, fault.New(fault.NotConnected, "no bridge runs in that frame: the page is still loading, or failed to load").
		With("tabId", call.TabID).With("frameId", call.FrameID).With("reason", "no_bridge").
		Suggest("Wait for the page to load, or send `navigate` with reload.")
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func noTab(id int) *fault.Error {
	return fault.New(fault.NotConnected, "the browser has no such tab").With("tabId", id)
}

// runInBridge sends a command to the bridge and gives its result as it came: one round trip.
func (d *Direct) runInBridge(ctx context.Context, call *bridgeCall, f *frame, deadline time.Time) (jsontext.Value, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx, stop := context.WithDeadline(ctx, deadline.Add(abortGrace))
	defer stop()

	d.mu.Lock()
	if f.context == 0 || call.DocumentID != "" && f.documentID != call.DocumentID {
		d.mu.Unlock()
		return nil, call.gone("navigated", false)
	}
	d.lastCall++
	id := d.lastCall
	state := &bridgeCallState{frame: f, cancel: cancel}
	owner, in, world := f.target.tab, f.target, f.context
	owner.calls[id] = state
	d.mu.Unlock()

	abort := time.AfterFunc(time.Until(deadline), func() {
		in.session.Start("Runtime.evaluate", expression(world, hostObject+".abort("+strconv.FormatInt(id, 10)+")"))
	})
	defer abort.Stop()
	text, _ := jsontext.AppendQuote(nil, call.Command) // an error only says that bad UTF-8 was replaced
	params := expression(world, hostObject+".call("+strconv.FormatInt(id, 10)+","+string(text)+")")
	params["awaitPromise"] = true
	raw, err := in.session.CallRaw(ctx, "Runtime.evaluate", params)

	d.mu.Lock()
	delete(owner.calls, id)
	acted, closed := state.acted, d.tabs[owner.id] != owner
	d.mu.Unlock()
	if err == nil {
		return bridgeAnswer(call, raw, acted)
	}
	var left *documentGone
	var refused cdp.Error
	switch {
	case errors.As(context.Cause(ctx), &left):
		return nil, call.gone(left.how, acted)
	case closed:
		return nil, call.gone("gone", acted)
	case errors.As(err, &refused): // "Execution context was destroyed.", "Cannot find context …"
		return nil, call.gone("navigated", acted)
	case errors.Is(err, cdp.ErrDetached):
		return nil, call.gone("gone", acted)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fault.New(fault.Timeout, "the page did not answer in time").With("acted", acted)
	}
	return nil, err
}

// expression is what runs in a bridge's world.
func expression(world int64, code string) map[string]any {
	return map[string]any{"expression": code, "contextId": world, "returnByValue": true, "silent": true}
}

// bridgeAnswer reads 'R' or 'F' and JSON. What the JSON holds is the receiver's to decode.
func bridgeAnswer(call *bridgeCall, raw jsontext.Value, acted bool) (jsontext.Value, error) {
	var answer struct {
		Result struct {
			Value jsontext.Value `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if err := decode(raw, &answer); err != nil {
		return nil, fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	if answer.Exception != nil { // the bridge was disposed of: its world has no such object
		return nil, call.gone("navigated", acted).With("exception", answer.Exception.Exception.Description)
	}
	text, _ := jsontext.AppendUnquote(nil, answer.Result.Value) // lone surrogates are U+FFFD after it
	switch {
	case len(text) > 1 && text[0] == 'R':
		return jsontext.Value(text[1:]), nil
	case len(text) > 1 && text[0] == 'F':
		return nil, bridgeFault(text[1:], acted)
	}
	return nil, fault.New(fault.ProtocolError, "the page's answer cannot be read")
}

func bridgeFault(data jsontext.Value, acted bool) error {
	var told struct {
		Code        fault.Code     `json:"code"`
		Message     string         `json:"message"`
		Details     map[string]any `json:"details"`
		Suggestions []string       `json:"suggestions"`
	}
	if err := decode(data, &told); err != nil {
		return fault.New(fault.ProtocolError, "the page's fault cannot be read").Because(err)
	}
	f := fault.New(told.Code, "%s", told.Message)
	for key, value := range told.Details {
		f = f.With(key, value)
	}
	if acted {
		f = f.With("acted", true)
	}
	if len(told.Suggestions) > 0 {
		f = f.Suggest(told.Suggestions...)
	}
	return f
}

// onBinding takes what a bridge says by itself; false when it is another binding.
func onBinding(d *Direct, t *target, params jsontext.Value) bool {
	var event struct {
		Name    string         `json:"name"`
		Payload jsontext.Value `json:"payload"`
		Context int64          `json:"executionContextId"`
	}
	if !d.read(params, &event) || event.Name != bindingName {
		return false
	}
	text, _ := jsontext.AppendUnquote(nil, event.Payload)
	var message struct {
		Kind     string           `json:"kind"`
		ID       int64            `json:"id"`
		AppID    string           `json:"appId"`
		Title    string           `json:"title"`
		First    uint64           `json:"first"`
		Messages []jsontext.Value `json:"messages"`
	}
	if !d.read(text, &message) {
		return true
	}
	f := t.frameOfContext(event.Context)
	switch {
	case message.Kind == "ready":
		d.onReady(t, event.Context)
	case f == nil: // of a document that is no more: nobody to tell it for
	case message.Kind == "title" && f.num == 0:
		t.tab.known = message.Title
		d.tellTitle(t.tab)
	case message.Kind == "acted":
		if call := t.tab.calls[message.ID]; call != nil && call.frame == f {
			call.acted = true
		}
	case message.Kind == "telemetry":
		d.emit("bridge.event", map[string]any{
			"tabId": t.tab.id, "frameId": f.num, "documentId": f.documentID, "first": message.First, "messages": message.Messages,
		})
	case message.Kind == "sdk" && len(message.AppID) <= 128:
		d.emit("frame.sdk", map[string]any{"tabId": t.tab.id, "frameId": f.num, "documentId": f.documentID, "appId": message.AppID})
	}
	return true
}

// frameOfContext is the frame whose bridge lives in a context. The caller holds d.mu.
func (t *target) frameOfContext(id int64) *frame {
	c := t.contexts[id]
	if c == nil || !c.bridge {
		return nil
	}
	if f := t.tab.frames[c.frameID]; f != nil && f.target == t && f.context == id {
		return f
	}
	return nil
}

// acknowledge tells a bridge what it need not keep any more.
func (d *Direct) acknowledge(tabID, frameID int, documentID string, upTo uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tabs[tabID]
	if t == nil {
		return
	}
	for _, f := range t.frames {
		if f.num == frameID && f.context != 0 && f.documentID == documentID {
			f.target.session.Start("Runtime.evaluate", expression(f.context, hostObject+".ack("+strconv.FormatUint(upTo, 10)+")"))
			return
		}
	}
}
