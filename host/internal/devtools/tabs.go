package devtools

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

// TabsOptions of a Tabs.
type TabsOptions struct {
	Pages *page.Manager // tells what becomes of tabs
	// Allow judges an address before a page is sent there (browser.Policy); nil allows all
	// that the extension does.
	Allow func(url string) error
	Log   zerolog.Logger
}

// Tabs is the person's Chrome as a Browser. chrome.debugger knows tabs and nothing
// around them, so the browser level is modelled: its targets are the tabs that the
// person connected at level control, in the session that the context looks at.
//
// A tab has one attachment, which all clients and the daemon's own commands share.
// Each client sees sessions of its own over it, with the events of the domains that it
// switched on there, and what it left in a page is undone when it goes. What one
// attachment cannot keep apart is shared: node ids of the DOM domain, names of object
// groups, breakpoints, and the patterns of Fetch.enable.
type Tabs struct {
	c *slot.Context
	o TabsOptions
}

// NewTabs makes the browser that a context sees of the person's Chrome. c is of the
// profile user, and lives while clients are connected.
func NewTabs(c *slot.Context, opts TabsOptions) *Tabs { return &Tabs{c: c, o: opts} }

var _ Browser = (*Tabs)(nil)

// contextID names the one browser context that there is.
var contextID = sync.OnceValue(randomID)

// randomID is an id as Chrome makes them: 32 hexadecimal digits, not to be guessed.
func randomID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return strings.ToUpper(hex.EncodeToString(id[:]))
}

// tabs are those that clients may have.
func (b *Tabs) tabs() []*page.Tab {
	return slices.DeleteFunc(b.c.Tabs(), func(t *page.Tab) bool {
		info := t.Info()
		return info.Source != protocol.SourceExtension || !info.Connected || !info.Level.Allows(protocol.Control) ||
			!slices.Contains(info.Capabilities, protocol.CapCDP)
	})
}

// hubs are the shared sides of the tabs whose targets are known.
func (b *Tabs) hubs(ctx context.Context) []*hub {
	tabs := b.tabs()
	all := make([]*hub, len(tabs))
	var asking sync.WaitGroup
	for i, t := range tabs {
		h := hubOf(t)
		if h == nil {
			continue
		}
		asking.Go(func() {
			if err := h.identify(ctx); err != nil {
				b.o.Log.Debug().Err(err).Msg("a tab does not tell its target")
				return
			}
			all[i] = h
		})
	}
	asking.Wait()
	return slices.DeleteFunc(all, func(h *hub) bool { return h == nil })
}

// Version tells of the browser, by what its pages say: no extension is told more. The
// error is SESSION_NOT_FOUND where no tab is connected.
func (b *Tabs) Version(context.Context) (Version, error) {
	for _, t := range append(b.tabs(), b.c.Tabs()...) {
		agent := t.Info().UserAgent
		at := strings.Index(agent, "Chrome/")
		if at < 0 {
			continue
		}
		product, _, _ := strings.Cut(agent[at:], " ")
		return Version{Browser: product, ProtocolVersion: "1.3", UserAgent: agent, WebKitVersion: "537.36"}, nil
	}
	return Version{}, noTab()
}

func noTab() *fault.Error {
	return fault.New(fault.SessionNotFound, "no tab of the person's Chrome is connected at level control").
		Suggest("Ask the person to click Connect in the Debug Bridge popup, at level control.", "dbridge session start --headless")
}

// Targets lists the pages.
func (b *Tabs) Targets(ctx context.Context) ([]Target, error) {
	list := []Target{}
	for _, h := range b.hubs(ctx) {
		info := h.info(kindPage)
		list = append(list, Target{ID: info.TargetID, Type: info.Type, Title: info.Title, URL: info.URL})
	}
	return list, nil
}

// Open makes a port for one client. The error is PAGE_NOT_FOUND for a target that is not there.
func (b *Tabs) Open(ctx context.Context, out Out, target string) (Port, error) {
	p := &tabsPort{
		b: b, out: out, key: "devtools " + randomID(), sessions: make(map[string]*tabSession),
		told: make(map[string]targetInfo), waits: make(map[*hub]wait), wake: make(chan struct{}, 1),
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	changed, stop := b.o.Pages.Follow()
	p.root = &tabSession{port: p, kind: kindBrowser}
	if target != "" {
		at := slices.IndexFunc(b.hubs(ctx), func(h *hub) bool { return h.known() == target })
		if at < 0 {
			stop()
			p.cancel()
			return nil, fault.New(fault.PageNotFound, "no connected tab has the target %s", target).Suggest("dbridge page list")
		}
		p.alone = b.hubs(ctx)[at]
		if err := p.attachAlone(ctx); err != nil {
			stop()
			p.Close()
			return nil, err
		}
	} else {
		p.sessions[""] = p.root
	}
	p.work.Go(func() {
		defer stop()
		p.follow(changed)
	})
	return p, nil
}
