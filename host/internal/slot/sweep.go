package slot

import (
	"context"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/lease"
)

// sweep ends the leases that are over.
func (m *Manager) sweep() {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-m.ctx.Done():
			return
		case <-ticker.C:
		}
		m.Sweep(m.ctx)
	}
}

// Sweep looks at every lease once, and returns when those that are over have ended.
func (m *Manager) Sweep(ctx context.Context) {
	m.mu.Lock()
	entries := make([]*entry, 0, len(m.entries))
	for _, e := range m.entries {
		entries = append(entries, e)
	}
	m.mu.Unlock()
	// The holds on pages that are gone go too.
	there := make(map[int]bool)
	for _, t := range m.pages.All() {
		there[t.PageID()] = true
	}
	m.holds.End(func(page int, _ *lease.Hold) bool { return !there[page] })
	ended := make(chan struct{})
	under := 0
	for _, e := range entries {
		why := e.lease.Over(m.o.Alive)
		if why == "" {
			e.refresh()
			continue
		}
		under++
		go func() {
			e.expire(ctx, why)
			ended <- struct{}{}
		}()
	}
	for ; under > 0; under-- {
		<-ended
	}
}

// expire ends a context whose lease is over, and forgets it when nobody can ask for it
// any more or has not for long.
func (e *entry) expire(ctx context.Context, why string) {
	if e.lock(ctx) != nil {
		return
	}
	defer e.unlock()
	// Somebody may have come while the lock was waited for.
	if e.lease.Over(e.m.o.Alive) == "" {
		return
	}
	e.mu.Lock()
	had := e.running != nil
	old := e.over == "" || time.Since(e.overAt) > forgetAfter
	e.mu.Unlock()
	if err := e.clear(ctx, why); err != nil {
		e.m.o.Log.Error().Err(err).Str("context", e.key.Name).Msg("a context's browser does not end")
	}
	if had {
		e.m.o.Log.Info().Str("context", e.key.Name).Str("why", why).Msg("context ended")
	}
	if (why == lease.OwnerGone && !e.key.Explicit()) || (!had && old) {
		e.m.mu.Lock()
		if e.m.entries[e.key.Name] == e {
			delete(e.m.entries, e.key.Name)
		}
		e.m.mu.Unlock()
	}
}
