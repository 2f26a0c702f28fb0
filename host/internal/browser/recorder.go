package browser

import (
	"context"
	"io/fs"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

var recorder = sync.OnceValues(func() (string, error) {
	code, err := fs.ReadFile(extension.Files(), "recorder.js")
	return string(code), err
})

// injectRecorder brings the recorder beside the bridge of a tab's main frame.
func (d *Direct) injectRecorder(ctx context.Context, payload jsontext.Value) (any, error) {
	var of struct {
		TabID int `json:"tabId"`
	}
	if err := decode(payload, &of); err != nil {
		return nil, fault.New(fault.ValidationError, "recorder.inject is not understood").Because(err)
	}
	code, err := recorder()
	if err != nil {
		return nil, fault.New(fault.InternalError, "the recorder cannot be read").Because(err)
	}
	d.mu.Lock()
	t := d.tabs[of.TabID]
	if t == nil {
		d.mu.Unlock()
		return nil, noTab(of.TabID)
	}
	var main *frame
	for _, f := range t.frames {
		if f.num == 0 && f.context != 0 {
			main = f
		}
	}
	if main == nil {
		d.mu.Unlock()
		return nil, fault.New(fault.NotConnected, "the page is still loading; its bridge is not ready").With("reason", "loading")
	}
	session, world := main.target.session, main.context
	d.mu.Unlock()
	if _, err := session.CallRaw(ctx, "Runtime.evaluate", expression(world, code+"\n//# sourceURL=debug-bridge/recorder.js")); err != nil {
		return nil, err
	}
	return struct{}{}, nil
}
