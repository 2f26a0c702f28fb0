package browser

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// batched are the commands that may go in a batch: input, which nobody refuses.
var batched = map[string]bool{
	"Input.dispatchMouseEvent": true, "Input.dispatchKeyEvent": true, "Input.insertText": true,
	"Input.dispatchDragEvent": true, "Input.dispatchTouchEvent": true, "Input.setInterceptDrags": true,
}

// batch sends commands to the page's own session in order, without waiting in between,
// and answers when the page has taken them all.
func (d *Direct) batch(ctx context.Context, payload jsontext.Value) (any, error) {
	var call struct {
		TabID     int   `json:"tabId"`
		TimeoutMs int64 `json:"timeoutMs"`
		Sends     []struct {
			Method string         `json:"method"`
			Params jsontext.Value `json:"params"`
		} `json:"sends"`
	}
	if err := decode(payload, &call); err != nil {
		return nil, fault.New(fault.ValidationError, "cdp.batch is not understood").Because(err)
	}
	for _, send := range call.Sends {
		if !batched[send.Method] {
			return nil, fault.New(fault.ValidationError, "cdp.batch takes input only, not %s", send.Method)
		}
	}
	limit := time.Duration(call.TimeoutMs) * time.Millisecond
	if limit <= 0 {
		limit = defaultTimeout
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d.mu.Lock()
	in, err := d.sessionFor(&cdpSend{TabID: call.TabID, Method: "Input"})
	if err != nil {
		d.mu.Unlock()
		return nil, err
	}
	own := &inflight{"Input", func(err error) { cancel(err) }}
	in.tab.inflight[own] = struct{}{}
	d.mu.Unlock()
	pending := make([]*cdp.Pending, len(call.Sends))
	for i, send := range call.Sends {
		pending[i] = in.session.Start(send.Method, send.Params)
	}
	for i, p := range pending {
		if _, failed := p.Wait(ctx); failed != nil && err == nil {
			err = commandFault(call.Sends[i].Method, failed)
		}
	}
	d.mu.Lock()
	delete(in.tab.inflight, own)
	d.mu.Unlock()
	var told *fault.Error
	if err != nil && errors.As(context.Cause(ctx), &told) { // a dialog caught it
		return nil, told
	}
	return struct{}{}, err
}
