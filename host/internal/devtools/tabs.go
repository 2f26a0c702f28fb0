package devtools

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
	"github.com/rs/zerolog"
)

// TabsOptions of a Tabs.
type TabsOptions struct {
	Pages *page.Manager // tells what becomes of tabs
	// Allow judges an address before a page is sent there (browser.Policy); nil allows all
	// that the extension does.
	Allow func(url string) error
	Log   zerolog.Logger
}

// Tabs is the person's Chrome as a Browser: the tabs that they connected at level control.
type Tabs struct {
	c *slot.Context
	o TabsOptions
}

// NewTabs makes the browser that a context sees of the person's Chrome. c is of the
// profile user, and lives while clients are connected.
func NewTabs(c *slot.Context, opts TabsOptions) *Tabs { return &Tabs{c: c, o: opts} }

// Version tells of the browser.
func (b *Tabs) Version(context.Context) (Version, error) { return Version{}, notYet() }

// Targets lists the pages.
func (b *Tabs) Targets(context.Context) ([]Target, error) { return nil, notYet() }

// Open makes a port for one client.
func (b *Tabs) Open(context.Context, Out, string) (Port, error) { return nil, notYet() }

func notYet() error { return fault.New(fault.CapabilityMissing, "not yet") }
