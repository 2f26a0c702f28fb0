package browser

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

type cdpSend struct {
	TabID     int            `json:"tabId"`
	SessionID string         `json:"sessionId"`
	Method    string         `json:"method"`
	Params    jsontext.Value `json:"params"`
	TimeoutMs int64          `json:"timeoutMs"`
}

// keptOn would blind us; they answer without effect.
var keptOn = map[string]bool{
	"Inspector.disable": true, "Page.disable": true, "Runtime.disable": true, "Network.disable": true, "Log.disable": true,
	"Page.enable": true, "Inspector.enable": true, "Target.setAutoAttach": true,
}

// codeNotFound is the browser's word for a method that it does not know.
const codeNotFound = -32601

// send passes one DevTools command to a session of the tab.
func (d *Direct) send(ctx context.Context, payload jsontext.Value) (any, error) {
	var call cdpSend
	if err := decode(payload, &call); err != nil || call.Method == "" {
		return nil, fault.New(fault.ValidationError, "cdp.send is not understood").Because(err)
	}
	limit := time.Duration(call.TimeoutMs) * time.Millisecond
	if limit <= 0 {
		limit = defaultTimeout
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if call.Method == "Page.navigate" {
		var to struct {
			URL string `json:"url"`
		}
		if err := decode(call.Params, &to); err == nil && to.URL != "" {
			if err := d.o.Allow(to.URL); err != nil {
				return nil, err
			}
		}
	}
	d.mu.Lock()
	in, err := d.sessionFor(&call)
	if err != nil {
		d.mu.Unlock()
		return nil, err
	}
	if keptOn[call.Method] {
		d.mu.Unlock()
		return struct{}{}, nil
	}
	switch call.Method {
	case "Runtime.enable": // it is on: who asks gets the contexts that there are
		for _, c := range in.contexts {
			d.tellCDP(in, -1, "Runtime.executionContextCreated", c.told)
		}
		d.mu.Unlock()
		return struct{}{}, nil
	case "DOM.enable":
		in.domOn = true
	case "DOM.disable":
		in.domOn = false
	}
	own := &inflight{call.Method, func(err error) { cancel(err) }}
	in.tab.inflight[own] = struct{}{}
	d.mu.Unlock()
	var params any
	if len(call.Params) > 0 {
		params = call.Params
	}
	raw, err := in.session.CallRaw(ctx, call.Method, params)
	d.mu.Lock()
	delete(in.tab.inflight, own)
	d.mu.Unlock()
	if err == nil {
		return raw, nil
	}
	var told *fault.Error
	if errors.As(context.Cause(ctx), &told) { // a dialog caught it
		return nil, told
	}
	return nil, commandFault(call.Method, err)
}

// sessionFor finds the session that a command is for. The caller holds d.mu.
func (d *Direct) sessionFor(call *cdpSend) (*target, error) {
	t := d.tabs[call.TabID]
	if t == nil {
		return nil, noTab(call.TabID)
	}
	in := t.target
	if call.SessionID != "" {
		in = d.sessions[call.SessionID]
		if in == nil || in.tab != t {
			return nil, fault.New(fault.CDPError, "no such session in this tab").
				With("cdp", map[string]any{"code": -32001, "message": "Session with given id not found."}).With("dispatched", false)
		}
	}
	if t.crashed && in == t.target {
		return nil, fault.New(fault.CDPDisconnected, "the page crashed").With("reason", "crashed").With("dispatched", false)
	}
	if t.dialog != nil && call.Method != "Page.handleJavaScriptDialog" {
		return nil, t.dialog.blocking(false)
	}
	return in, nil
}

// commandFault is the one place where the browser's own errors become faults.
func commandFault(method string, err error) *fault.Error {
	var refused cdp.Error
	if !errors.As(err, &refused) {
		return asFault(method, err)
	}
	told := map[string]any{"code": refused.Code, "message": refused.Message}
	if refused.Data != "" {
		told["data"] = refused.Data
	}
	if refused.Code == codeNotFound {
		return fault.New(fault.CapabilityMissing, "this browser has no %s", method).With("method", method).With("cdp", told).
			Suggest("Check the name of the method.")
	}
	if errors.Is(err, cdp.ErrDetached) {
		return fault.New(fault.CDPDisconnected, "the session of %s is gone", method).With("method", method).With("reason", "detached").With("dispatched", false)
	}
	return fault.New(fault.CDPError, "%s failed: %s", method, refused.Message).With("method", method).With("cdp", told)
}

// asFault makes an error of anything below a fault.
func asFault(what string, err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f
	}
	var refused cdp.Error
	switch {
	case errors.As(err, &refused):
		return commandFault(what, err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Timeout, "%s took too long", what).With("dispatched", true).Because(err)
	case errors.Is(err, context.Canceled):
		return fault.New(fault.Cancelled, "%s was cancelled", what).With("dispatched", true).Because(err)
	}
	return fault.New(fault.CDPError, "%s: %v", what, err).Because(err)
}
