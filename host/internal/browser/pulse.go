package browser

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
)

// Pulse asks a page for any answer at all, ahead of what is sent after it. The answer
// is waited for with the function that it gives: nil where nothing can be asked now.
func (d *Direct) Pulse(tabID int) func(context.Context) error {
	d.mu.Lock()
	t := d.tabs[tabID]
	if t == nil || t.crashed || t.dialog != nil || t.main().context == 0 {
		d.mu.Unlock()
		return nil
	}
	session := t.target.session
	d.mu.Unlock()
	pending := session.Start("Runtime.evaluate", map[string]any{"expression": "0", "silent": true})
	return func(ctx context.Context) error { return wait(ctx, pending) }
}

func wait(ctx context.Context, pending *cdp.Pending) error {
	_, err := pending.Wait(ctx)
	return err
}
