package page

import (
	"context"
	"sync"
)

// holds are those who need the debugger attached to a tab.
type holds struct {
	mu sync.Mutex
	by map[string]bool
}

type holdsKey struct{}

func (*holds) Close() {}

// Hold keeps the debugger attached, idle or not, until each who asked for it has let
// go. by names who asks; to ask again changes nothing. A managed or remote browser is
// always attached.
func (t *Tab) Hold(ctx context.Context, by string, on bool) error {
	h, _ := t.Keep(holdsKey{}, func() Keeper { return &holds{by: map[string]bool{}} }).(*holds)
	if h == nil { // the tab is closing
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	before := len(h.by)
	if on {
		h.by[by] = true
	} else {
		delete(h.by, by)
	}
	if (before > 0) == (len(h.by) > 0) {
		return nil
	}
	_, err := t.Link(ctx, "cdp.hold", map[string]any{"on": on})
	if err != nil && on {
		delete(h.by, by)
	}
	return err
}
