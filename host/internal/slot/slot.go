// Package slot keeps each caller's context: its browser, its pages, its current
// page, its artifacts, and the lease that ends them.
package slot

import (
	"context"
	"fmt"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Manager owns the contexts of a daemon.
type Manager struct {
	pages *page.Manager
}

// NewManager makes a manager of contexts over the pages of the daemon.
func NewManager(pages *page.Manager) *Manager { return &Manager{pages: pages} }

// Context is one caller's context.
type Context struct {
	manager *Manager
	Key     string
	session string
}

// Resolve finds the caller's context.
func (m *Manager) Resolve(_ context.Context, c caller.Caller) (*Context, []string, error) {
	session := c.Session
	if session == "" {
		session = protocol.DefaultSession
	}
	return &Context{manager: m, Key: session, session: session}, nil, nil
}

// Tabs lists the pages of the context.
func (c *Context) Tabs() []*page.Tab { return c.manager.pages.Tabs(c.session) }

// Tab gives the page of a number, or the current one when it is 0.
func (c *Context) Tab(id int) (*page.Tab, error) {
	tabs := c.Tabs()
	for _, t := range tabs {
		if t.PageID() == id || id == 0 {
			return t, nil
		}
	}
	if id != 0 {
		return nil, fault.New(fault.PageNotFound, "page %d is not in this context", id).Suggest("dbridge page list")
	}
	return nil, fault.New(fault.SessionNotFound, "this context has no page").
		Suggest("dbridge session start --headless", fmt.Sprintf("Or connect a tab of your own Chrome: click Connect in the Debug Bridge popup (session %s).", c.session))
}

// Undo notes what ends a lasting change (emulation, a mock, a recording) when the
// context's lease does, or its browser stops. A key names one change: noting it again
// replaces what was noted, and a nil undo forgets it.
func (c *Context) Undo(key string, undo func(context.Context) error) { _, _ = key, undo }

// Artifacts is the folder where the context's screenshots, traces and downloads go.
func (c *Context) Artifacts() string { return "" }
