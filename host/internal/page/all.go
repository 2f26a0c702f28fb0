package page

import (
	"context"
	"slices"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// All lists the tabs of all browsers and sessions, by page number.
func (m *Manager) All() []*Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]*Tab, 0, len(m.tabs))
	for _, t := range m.tabs {
		if t.page != nil {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *Tab) int { return a.PageID() - b.PageID() })
	return list
}

// Find gives the tab that a browser knows by that number, or nil.
func (m *Manager) Find(browser string, tabID int) *Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.tabs[tabKey{browser, tabID}]
	if t == nil || t.page == nil {
		return nil
	}
	return t
}

// Await gives the tab that a browser knows by that number, when it is reported.
func (m *Manager) Await(ctx context.Context, browser string, tabID int) (*Tab, error) {
	for {
		m.mu.Lock()
		if m.news == nil {
			m.news = make(chan struct{})
		}
		news := m.news
		m.mu.Unlock()
		if t := m.Find(browser, tabID); t != nil {
			return t, nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// arrived wakes who waits for a tab. The caller holds m.mu.
func (m *Manager) arrived() {
	if m.news != nil {
		close(m.news)
		m.news = nil
	}
}

// Turned gives a channel that closes when the tab next pauses, ends or has a new document.
func (t *Tab) Turned() <-chan struct{} { return t.turned() }

// Forget takes a browser out that will not come back: its pages are closed.
func (m *Manager) Forget(browser string) {
	m.mu.Lock()
	c := m.known[browser]
	delete(m.known, browser)
	if c != nil && c.away != nil {
		c.away.Stop()
	}
	tabs := m.tabsOf(browser)
	for _, t := range tabs {
		delete(m.tabs, tabKey{browser, t.id})
	}
	m.mu.Unlock()
	for _, t := range tabs {
		t.close(protocol.ReasonClosed)
	}
}
