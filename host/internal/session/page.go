package session

import (
	"context"
	"slices"
	"sync"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Executor runs commands on one page.
type Executor interface {
	// Run executes cmd on the page. It calls dispatched at most once, right before
	// the command leaves for the page, and not after ctx ended. The error is a
	// *fault.Error, or that of ctx. ctx ends at the command's deadline, when it is
	// cancelled and when the page goes away; Run then returns at once, with its own
	// fault if it knows better what happened.
	Run(ctx context.Context, cmd *protocol.Command, dispatched func()) (Outcome, error)
}

// Outcome is what a command gave.
type Outcome struct {
	Result any
	Effect string
	Via    string
	// Warnings are for the agent, beside the result.
	Warnings []string
}

// Snapshotter is an Executor that can publish its whole state anew. It is asked
// after a gap, and should publish ui_tree and dom_snapshot before ctx ends.
type Snapshotter interface{ Snapshot(ctx context.Context) }

// TreeHolder is an Executor that has the current tree at hand. CurrentTree must not block.
type TreeHolder interface {
	CurrentTree() (*protocol.UITree, bool)
}

// Page is one page of a session.
type Page struct {
	session *Session
	id      int

	emitting sync.Mutex // held from encoding to appending: events of a page keep their order

	// Under session.mu:
	info       protocol.PageInfo
	exec       Executor
	reason     string // why it is not connected
	removed    bool
	refreshing bool
	current    *job   // acting command that runs
	acts       []*job // acting commands that wait for it
	reads      map[*job]struct{}
	readQueue  []*job
}

// AddPage makes a page and tells the session: app_connected, hello, capabilities.
func (s *Session) AddPage(info protocol.PageInfo, exec Executor) *Page {
	p := &Page{session: s, id: s.hub.nextPage(), exec: exec, info: info, reads: make(map[*job]struct{})}
	p.info.PageID, p.info.Connected = p.id, true
	p.info.Capabilities = slices.Clone(info.Capabilities)
	p.emitting.Lock()
	defer p.emitting.Unlock()
	s.mu.Lock()
	s.pages[p.id] = p
	arrived := p.snapshot()
	s.mu.Unlock()
	p.announce(&arrived)
	return p
}

// ID is the page's number, unique while the daemon runs.
func (p *Page) ID() int { return p.id }

// Session is the page's session.
func (p *Page) Session() *Session { return p.session }

// Info is what is known of the page now.
func (p *Page) Info() protocol.PageInfo {
	p.session.mu.Lock()
	defer p.session.mu.Unlock()
	return p.snapshot()
}

// snapshot copies the info; s.mu is held.
func (p *Page) snapshot() protocol.PageInfo {
	info := p.info
	info.Capabilities = slices.Clone(info.Capabilities)
	if info.Capabilities == nil {
		info.Capabilities = []string{}
	}
	return info
}

// announce logs that the page is there. p.emitting is held.
func (p *Page) announce(info *protocol.PageInfo) {
	p.session.emit(p.id, protocol.OriginHost,
		&protocol.AppConnected{Base: protocol.Base{Type: protocol.TypeAppConnected}}, helloOf(info), capabilitiesOf(info))
}

func helloOf(info *protocol.PageInfo) *protocol.Hello {
	return &protocol.Hello{
		Base:    protocol.Base{Type: protocol.TypeHello},
		AppName: info.AppName, AppVersion: info.AppVersion, URL: redact.URL(info.URL), Title: redact.Text(info.Title),
		UserAgent: info.UserAgent, Source: info.Source, Level: info.Level,
	}
}

func capabilitiesOf(info *protocol.PageInfo) *protocol.Capabilities {
	return &protocol.Capabilities{Base: protocol.Base{Type: protocol.TypeCapabilities}, Capabilities: info.Capabilities}
}

// Publish logs telemetry of the page, in order. It sets the common fields
// (a frameId, requestId and timestamp given are kept) and takes the messages over.
// It never waits for an agent.
func (p *Page) Publish(messages ...protocol.Message) {
	p.emitting.Lock()
	defer p.emitting.Unlock()
	p.session.emit(p.id, protocol.OriginApp, messages...)
}

// SetInfo changes what is known of the page and logs hello and capabilities
// where they changed. change must not call into the session; pageId and
// connected stay as they are.
func (p *Page) SetInfo(change func(*protocol.PageInfo)) {
	p.emitting.Lock()
	defer p.emitting.Unlock()
	s := p.session
	s.mu.Lock()
	before := p.snapshot()
	changed := p.snapshot()
	change(&changed)
	changed.PageID, changed.Connected = before.PageID, before.Connected
	p.info = changed
	after := p.snapshot()
	silent := p.removed || !p.info.Connected
	s.mu.Unlock()
	if silent {
		return // Reconnected tells it all
	}
	var messages []protocol.Message
	if *helloOf(&before) != *helloOf(&after) {
		messages = append(messages, helloOf(&after))
	}
	if !slices.Equal(before.Capabilities, after.Capabilities) {
		messages = append(messages, capabilitiesOf(&after))
	}
	s.emit(p.id, protocol.OriginHost, messages...)
}

// Navigated logs a new address of the main frame.
func (p *Page) Navigated(url string, sameDocument bool) {
	p.emitting.Lock()
	defer p.emitting.Unlock()
	p.session.mu.Lock()
	p.info.URL = url
	p.session.mu.Unlock()
	p.session.emit(p.id, protocol.OriginHost, &protocol.PageNavigated{
		Base: protocol.Base{Type: protocol.TypePageNavigated}, URL: redact.URL(url), SameDocument: sameDocument,
	})
}

// Disconnected logs that the page is away. It stays known; its commands end:
// those that wait or were not sent with NOT_CONNECTED, those that were sent with
// what the executor says within Limits.Grace, else INDETERMINATE.
func (p *Page) Disconnected(reason string) {
	p.emitting.Lock()
	defer p.emitting.Unlock()
	p.disconnect(reason)
}

func (p *Page) disconnect(reason string) {
	s := p.session
	s.mu.Lock()
	was := p.info.Connected
	p.info.Connected = false
	p.reason = reason
	if was {
		p.stopAll(pageAway{reason})
	}
	s.mu.Unlock()
	if was {
		s.emit(p.id, protocol.OriginHost, &protocol.AppDisconnected{Base: protocol.Base{Type: protocol.TypeAppDisconnected}, Reason: reason})
	}
}

// Reconnected logs that the page is back, as the same page, with a new executor.
func (p *Page) Reconnected(exec Executor) {
	p.emitting.Lock()
	defer p.emitting.Unlock()
	s := p.session
	s.mu.Lock()
	if p.removed {
		s.mu.Unlock()
		return
	}
	p.exec, p.reason, p.info.Connected = exec, "", true
	back := p.snapshot()
	s.mu.Unlock()
	p.announce(&back)
}

// Remove forgets the page for good.
func (p *Page) Remove(reason string) {
	p.emitting.Lock()
	defer p.emitting.Unlock()
	p.disconnect(reason)
	s := p.session
	s.mu.Lock()
	defer s.mu.Unlock()
	p.removed = true
	delete(s.pages, p.id)
	if len(s.gone) >= maxGone {
		clear(s.gone)
	}
	s.gone[p.id] = reason
}

// pageAway is the cause of contexts of commands whose page went away.
type pageAway struct{ reason string }

func (e pageAway) Error() string { return "the page went away: " + e.reason }

// fault is how a command that never reached the page ends.
func (e pageAway) fault() *fault.Error {
	if e.reason == protocol.ReasonExtensionGone {
		return fault.New(fault.ExtensionNotConnected, "The browser of this page is not connected.").With("reason", e.reason)
	}
	f := fault.New(fault.NotConnected, "The page is not connected: %s.", e.reason).With("reason", e.reason)
	switch e.reason {
	case protocol.ReasonCrashed, protocol.ReasonDiscarded:
		f.Suggest("Send `navigate` with `reload`, or ask the person to reload the tab; the page comes back under the same pageId.")
	case protocol.ReasonLeftSite, protocol.ReasonNavigatedToRestricted:
		f.Suggest("The consent is for another site: ask the person to go back to it, or to click Connect in the Debug Bridge popup on the present one.")
	}
	return f
}

// Revives reports a command that a page takes although it is away: one that
// crashed or sleeps comes back by navigating.
func Revives(spec *protocol.CommandSpec, reason string) bool {
	return (spec.Type == "navigate" || spec.Type == "page.navigate") && (reason == protocol.ReasonCrashed || reason == protocol.ReasonDiscarded)
}

// refresh asks every page for its whole state, once at a time. s.mu is held.
func (s *Session) refresh() {
	for _, p := range s.pages {
		shooter, ok := p.exec.(Snapshotter)
		if !ok || !p.info.Connected || p.refreshing || s.hub.ctx.Err() != nil {
			continue
		}
		p.refreshing = true
		s.hub.work.Go(func() {
			ctx, cancel := context.WithTimeout(s.hub.ctx, snapshotTime)
			defer cancel()
			defer func() {
				s.mu.Lock()
				p.refreshing = false
				s.mu.Unlock()
			}()
			shooter.Snapshot(ctx)
		})
	}
}
