package devtools

import (
	"context"
	"slices"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// openTime bounds what waits for the browser at a client's command.
const openTime = 30 * time.Second

// modelled are the methods of the browser level that are answered here, on any session.
var modelled map[string]func(s *tabSession, m Message)

func init() { // they lead back to the table
	modelled = map[string]func(*tabSession, Message){
		"Browser.getVersion": getVersion,
		// Clients ask for it when they connect. Where downloads of the person's Chrome go is
		// the person's affair: nothing is done.
		"Browser.setDownloadBehavior":  done,
		"Target.setRemoteLocations":    done,
		"Target.setDiscoverTargets":    setDiscoverTargets,
		"Target.getTargets":            getTargets,
		"Target.getTargetInfo":         getTargetInfo,
		"Target.setAutoAttach":         setAutoAttach,
		"Target.attachToTarget":        attachToTarget,
		"Target.attachToBrowserTarget": attachToBrowserTarget,
		"Target.detachFromTarget":      detachFromTarget,
		"Target.activateTarget":        activateTarget,
		"Target.createTarget":          createTarget,
		"Target.closeTarget":           closeTarget,
		"Target.getBrowserContexts": func(s *tabSession, m Message) {
			s.port.result(m, encode(map[string]any{"browserContextIds": []string{}, "defaultBrowserContextId": contextID()}))
		},
		"Runtime.runIfWaitingForDebugger": runIfWaiting,
		"Page.close":                      func(s *tabSession, m Message) { s.closePage(m, s.hub) },
		"Target.disposeBrowserContext":    refuse("the person's Chrome has one browser context; a browser of profile managed has more"),
		"Target.createBrowserContext":     refuse("the person's Chrome has one browser context: use its default one, or a browser of profile managed"),
		"Target.sendMessageToTarget":      refuse("sessions are flat here: attach with flatten and send with a sessionId"),
		"Target.exposeDevToolsProtocol":   refuse("it gives the browser into the page's hands"),
		"Target.autoAttachRelated":        refuse("it reaches targets outside the connected tabs"),
		"Browser.close":                   refuse("it is the person's Chrome"),
		"Browser.crash":                   refuse("it is the person's Chrome"),
		"Browser.getBrowserCommandLine":   refuse("it tells of the person's computer"),
		"Browser.getWindowForTarget":      refuse("windows are the person's"),
		"Browser.setWindowBounds":         refuse("windows are the person's"),
		"Browser.grantPermissions":        refuse("permissions are the person's to give"),
		"Browser.setPermission":           refuse("permissions are the person's to give"),
	}
}

func done(s *tabSession, m Message) { s.port.result(m, nil) }

func refuse(why string) func(*tabSession, Message) {
	return func(s *tabSession, m Message) { s.port.fail(m, CodeServerError, m.Method+" is not allowed: "+why) }
}

// read decodes parameters, or answers that they are wrong.
func (p *tabsPort) read(m Message, into any) bool {
	if len(m.Params) == 0 {
		return true
	}
	if err := decode(m.Params, into); err != nil {
		p.fail(m, CodeInvalidParams, "Invalid parameters")
		return false
	}
	return true
}

func getVersion(s *tabSession, m Message) {
	v, err := s.port.b.Version(s.port.ctx)
	if err != nil {
		s.refused(m, err)
		return
	}
	s.port.result(m, encode(map[string]string{
		"protocolVersion": v.ProtocolVersion, "product": v.Browser, "revision": "", "userAgent": v.UserAgent, "jsVersion": v.V8Version,
	}))
}

func setDiscoverTargets(s *tabSession, m Message) {
	var asked struct {
		Discover bool         `json:"discover"`
		Filter   targetFilter `json:"filter"`
	}
	p := s.port
	if !p.read(m, &asked) {
		return
	}
	p.mu.Lock()
	p.discover = nil
	clear(p.told)
	if asked.Discover {
		if p.discover = asked.Filter; asked.Filter == nil {
			p.discover = usualTargets
		}
	}
	p.mu.Unlock()
	p.do(func() {
		p.reconcile(p.ctx)
		p.result(m, nil)
	})
}

func getTargets(s *tabSession, m Message) {
	var asked struct {
		Filter targetFilter `json:"filter"`
	}
	p := s.port
	if !p.read(m, &asked) {
		return
	}
	if asked.Filter == nil {
		asked.Filter = usualTargets
	}
	p.do(func() {
		list := []targetInfo{}
		for _, h := range p.b.hubs(p.ctx) {
			for _, kind := range []string{kindTab, kindPage} {
				if asked.Filter.takes(kind) {
					list = append(list, h.info(kind))
				}
			}
		}
		p.result(m, encode(map[string]any{"targetInfos": list}))
	})
}

// target is one that a client named.
type target struct {
	h       *hub
	kind    string
	channel *channel // of a child
}

// find looks a target up by its id.
func (p *tabsPort) find(id string) *target {
	for _, h := range p.b.hubs(p.ctx) {
		h.mu.Lock()
		found := (*target)(nil)
		switch id {
		case h.targetID:
			found = &target{h, kindPage, nil}
		case h.around:
			found = &target{h, kindTab, nil}
		}
		for _, c := range h.channels {
			if c.id != "" && c.targetID == id {
				found = &target{h, c.kind, c}
			}
		}
		h.mu.Unlock()
		if found != nil {
			return found
		}
	}
	return nil
}

// named finds the target of a command and goes on with it beside what follows.
func (s *tabSession) named(m Message, with func(t *target)) {
	var asked struct {
		TargetID string `json:"targetId"`
	}
	p := s.port
	if !p.read(m, &asked) {
		return
	}
	p.do(func() {
		t := p.find(asked.TargetID)
		if t == nil {
			p.fail(m, CodeInvalidParams, "No target with given id found")
			return
		}
		with(t)
	})
}

func getTargetInfo(s *tabSession, m Message) {
	var asked struct {
		TargetID string `json:"targetId"`
	}
	p := s.port
	if !p.read(m, &asked) {
		return
	}
	if asked.TargetID != "" {
		s.named(m, func(t *target) {
			if t.channel != nil {
				p.result(m, encode(map[string]any{"targetInfo": t.channel.info}))
				return
			}
			p.result(m, encode(map[string]any{"targetInfo": t.h.info(t.kind)}))
		})
		return
	}
	var info any
	switch {
	case s.hub == nil:
		info = targetInfo{TargetID: contextID(), Type: kindBrowser, Attached: true}
	case s.channel != "" && s.kind != kindTab:
		s.hub.mu.Lock()
		if c := s.hub.channels[s.channel]; c != nil {
			info = c.info
		}
		s.hub.mu.Unlock()
	default:
		info = s.hub.info(s.kind)
	}
	p.result(m, encode(map[string]any{"targetInfo": info}))
}

func setAutoAttach(s *tabSession, m Message) {
	var asked struct {
		AutoAttach bool         `json:"autoAttach"`
		Wait       bool         `json:"waitForDebuggerOnStart"`
		Flatten    bool         `json:"flatten"`
		Filter     targetFilter `json:"filter"`
	}
	p := s.port
	if !p.read(m, &asked) {
		return
	}
	if asked.AutoAttach && !asked.Flatten {
		p.fail(m, CodeInvalidParams, "Only flatten protocol is supported")
		return
	}
	var filter targetFilter
	if asked.AutoAttach {
		if filter = asked.Filter; filter == nil {
			filter = usualTargets
		}
	}
	switch {
	case s.hub == nil:
		p.mu.Lock()
		p.auto = filter
		p.mu.Unlock()
	case s.kind == kindTab:
		s.hub.mu.Lock()
		s.auto = filter
		s.hub.mu.Unlock()
	default:
		s.autoAttach(filter, asked.Wait)
		p.result(m, nil)
		return
	}
	p.do(func() {
		if filter == nil {
			p.leaveBelow(s)
		}
		p.reconcile(p.ctx)
		p.result(m, nil)
	})
}

// leaveBelow ends what was attached under a session by itself.
func (p *tabsPort) leaveBelow(parent *tabSession) {
	for _, h := range p.b.hubs(p.ctx) {
		h.leave(func(s *tabSession) bool { return s.parent == parent && s.byItself })
	}
}

func attachToTarget(s *tabSession, m Message) {
	var asked struct {
		Flatten bool `json:"flatten"`
	}
	p := s.port
	if !p.read(m, &asked) {
		return
	}
	if !asked.Flatten {
		p.fail(m, CodeInvalidParams, "Only flatten protocol is supported")
		return
	}
	s.named(m, func(t *target) {
		var made *tabSession
		var err error
		if t.channel != nil {
			t.h.mu.Lock()
			made = t.h.add(s, t.channel)
			t.h.mu.Unlock()
		} else {
			ctx, cancel := context.WithTimeout(p.ctx, attachTime)
			defer cancel()
			made, err = p.attach(ctx, s, t.h, t.kind, false)
		}
		if err != nil {
			s.refused(m, err)
			return
		}
		p.result(m, encode(map[string]string{"sessionId": made.id}))
	})
}

// attachToBrowserTarget gives a second session to the browser level.
func attachToBrowserTarget(s *tabSession, m Message) {
	p := s.port
	made := &tabSession{port: p, kind: kindBrowser, id: randomID(), parent: s}
	p.mu.Lock()
	if !p.closed {
		p.sessions[made.id] = made
		info := targetInfo{TargetID: contextID(), Type: kindBrowser, Attached: true}
		p.out.Event(s.id, "Target.attachedToTarget", encode(attachedEvent{made.id, encode(info), false}))
	}
	p.mu.Unlock()
	p.result(m, encode(map[string]string{"sessionId": made.id}))
}

func detachFromTarget(s *tabSession, m Message) {
	var asked struct {
		SessionID string `json:"sessionId"`
	}
	p := s.port
	if !p.read(m, &asked) {
		return
	}
	if asked.SessionID == "" {
		asked.SessionID = s.id
	}
	p.mu.Lock()
	other := p.sessions[asked.SessionID]
	if other != nil && other.hub == nil && other.id != "" {
		delete(p.sessions, other.id)
	}
	p.mu.Unlock()
	if other == nil || other.id == "" {
		p.fail(m, CodeInvalidParams, "No session with given id")
		return
	}
	if other.hub != nil {
		other.hub.leave(func(s *tabSession) bool { return s == other })
	}
	p.result(m, nil)
}

func activateTarget(s *tabSession, m Message) {
	s.named(m, func(t *target) {
		ctx, cancel := context.WithTimeout(s.port.ctx, openTime)
		defer cancel()
		if _, err := t.h.tab.Link(ctx, "tabs.activate", nil); err != nil {
			s.refused(m, err)
			return
		}
		s.port.result(m, nil)
	})
}

// createTarget opens a tab as the command page.open does: next to one that is
// connected, with what that one is granted.
func createTarget(s *tabSession, m Message) {
	var asked struct {
		URL        string `json:"url"`
		Background bool   `json:"background"`
		Context    string `json:"browserContextId"`
	}
	p := s.port
	if !p.read(m, &asked) {
		return
	}
	if asked.Context != "" && asked.Context != contextID() {
		p.fail(m, CodeServerError, "Failed to find browser context with id "+asked.Context)
		return
	}
	if asked.URL == "" {
		asked.URL = "about:blank"
	}
	p.do(func() {
		ctx, cancel := context.WithTimeout(p.ctx, openTime)
		defer cancel()
		id, err := p.open(ctx, asked.URL, asked.Background)
		if err != nil {
			s.refused(m, err)
			return
		}
		p.result(m, encode(map[string]string{"targetId": id}))
	})
}

// open opens a tab and gives its target's id, when the client is attached to it.
func (p *tabsPort) open(ctx context.Context, url string, background bool) (string, error) {
	if allow := p.b.o.Allow; allow != nil {
		if err := allow(url); err != nil {
			return "", err
		}
	}
	tabs := p.b.tabs()
	if len(tabs) == 0 {
		return "", noTab()
	}
	opener := tabs[0]
	if at := slices.IndexFunc(tabs, func(t *page.Tab) bool { return t.PageID() == p.b.c.Chosen(tabs) }); at >= 0 {
		opener = tabs[at]
	}
	ask := map[string]any{
		"url": url, "background": background, "sessionId": opener.Page().Session().ID(), "level": protocol.Control,
		"agent": map[string]string{"key": p.b.c.Key, "label": p.b.c.Label()},
	}
	if url == "about:blank" { // of any site: that of the tab in use
		ask["openerTabId"] = opener.TabID()
	}
	p.b.c.Opened()
	raw, err := opener.Browser().Call(ctx, "tabs.open", ask)
	if err != nil {
		return "", err
	}
	var made struct {
		TabID int `json:"tabId"`
	}
	if err := decode(raw, &made); err != nil {
		return "", fault.New(fault.ProtocolError, "the extension's answer cannot be read").Because(err)
	}
	t, err := p.b.c.Await(ctx, opener.Browser(), made.TabID)
	if err != nil {
		return "", err
	}
	if err := p.b.c.Hold(ctx, t, false); err != nil {
		return "", err
	}
	h := hubOf(t)
	if h == nil {
		return "", fault.New(fault.PageNotFound, "the new tab was closed")
	}
	if err := h.identify(ctx); err != nil {
		return "", err
	}
	p.reconcile(ctx)
	return h.known(), nil
}
