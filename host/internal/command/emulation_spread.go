package command

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/page"
)

// spreads are the settings that frames of other processes and workers do not take from
// their page: a service worker reaches the network while its page is offline.
var spreads = []string{"network", "userAgent"}

// spread tells the sessions below a page's own of a setting. What is gone, or does not
// know the setting, is passed over.
func spread(ctx context.Context, t *page.Tab, name, value string) {
	r, ok := t.Keep(storesKey{}, nil).(*record)
	if !ok {
		return
	}
	for _, other := range spreads {
		if other != name {
			continue
		}
		r.mu.Lock()
		r.emulates = true
		r.mu.Unlock()
		for _, session := range r.sessions() {
			if session != "" {
				_ = appliers[name](ctx, t.Session(session), value)
			}
		}
	}
}

// emulate tells a new session below the page's own of what is emulated.
func (r *record) emulate(ctx context.Context, session string) {
	e, ok := r.tab.Keep(emulatedKey{}, nil).(*emulated)
	if !ok {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range spreads {
		if value := e.setting[name]; value != "" {
			_ = appliers[name](ctx, r.tab.Session(session), value)
		}
	}
}
