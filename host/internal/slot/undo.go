package slot

import (
	"context"
	"slices"
	"time"
)

// undoTime bounds giving everything back: what does not answer is gone with its page.
const undoTime = 3 * time.Second

// undo is a lasting change and its end.
type undo struct {
	key string
	run func(context.Context) error
}

// Undo notes what ends a lasting change (emulation, a mock, a recording) when the
// context's lease does, or its browser stops. A key names one change: noting it again
// replaces what was noted, and a nil undo forgets it.
func (c *Context) Undo(key string, run func(context.Context) error) {
	e := c.e
	e.mu.Lock()
	defer e.mu.Unlock()
	e.undo = slices.DeleteFunc(e.undo, func(u undo) bool { return u.key == key })
	if run != nil {
		e.undo = append(e.undo, undo{key, run})
	}
}

// restore undoes all lasting changes, the last one first.
func (e *entry) restore(ctx context.Context) {
	e.mu.Lock()
	list := e.undo
	e.undo = nil
	e.mu.Unlock()
	if len(list) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, undoTime)
	defer cancel()
	for _, u := range slices.Backward(list) {
		if err := u.run(ctx); err != nil {
			e.m.o.Log.Debug().Err(err).Str("context", e.key.Name).Str("change", u.key).Msg("a change could not be undone")
		}
	}
}
