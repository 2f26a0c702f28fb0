package slot

import (
	"slices"

	"github.com/debug-bridge/debug-bridge/host/internal/page"
)

// Chosen is the number of the page that was used last of those there are, 0 where none
// was used yet. Unlike Tab it makes none the current one.
func (c *Context) Chosen(tabs []*page.Tab) int {
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	for _, id := range slices.Backward(c.e.used) {
		if slices.ContainsFunc(tabs, func(t *page.Tab) bool { return t.PageID() == id }) {
			return id
		}
	}
	return 0
}

// OtherSessions are those sessions with pages of the user's that the context does not look at.
func (c *Context) OtherSessions() []string { return c.otherSessions() }
