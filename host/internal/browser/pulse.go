package browser

import "context"

// Pulse asks a page for any answer at all, ahead of what is sent after it. The answer
// is waited for with the function that it gives: nil where nothing can be asked now.
func (d *Direct) Pulse(tabID int) func(context.Context) error {
	d.mu.Lock()
	t := d.tabs[tabID]
	if t == nil || t.crashed || t.dialog != nil || t.main().context == 0 {
		d.mu.Unlock()
		return nil
	}
	of := t.target
	d.mu.Unlock()
	pending := of.session.Start("Runtime.evaluate", map[string]any{"expression": "0", "silent": true})
	return func(ctx context.Context) error {
		_, err := pending.Wait(ctx)
		d.mu.Lock()
		defer d.mu.Unlock()
		if of.roots.taking {
			return nil // it is busy for us
		}
		return err
	}
}
