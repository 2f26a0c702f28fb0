package devtools

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// attachTime bounds attaching to the tabs there are.
const attachTime = 15 * time.Second

// A tab that cannot be attached to is tried again after the first, then ever later.
const (
	retryAfter = 3500 * time.Millisecond // Chrome's own refusal lasts 3 s
	retryMost  = time.Minute
)

// wait is when a tab is tried again.
type wait struct {
	until time.Time
	after time.Duration
}

// tabsPort is one client.
type tabsPort struct {
	b     *Tabs
	out   Out
	key   string // who holds the debugger
	root  *tabSession
	alone *hub // of the page that the client wants alone

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	work   sync.WaitGroup
	wake   chan struct{} // holds one

	turn  sync.Mutex // who compares what is told with what is there
	waits map[*hub]wait

	mu       sync.Mutex // after a hub's
	closed   bool
	sessions map[string]*tabSession
	auto     targetFilter // of the root; nil for none
	discover targetFilter
	told     map[string]targetInfo // targets that the client was told of
	closing  []*closing
}

// Send takes one message.
func (p *tabsPort) Send(_ context.Context, m Message) {
	p.mu.Lock()
	s := p.sessions[m.SessionID]
	p.mu.Unlock()
	if s == nil {
		p.fail(m, CodeSessionNotFound, "Session with given id not found.")
		return
	}
	s.take(m)
}

// Close ends what the client had: its sessions, and what it left in pages.
func (p *tabsPort) Close() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	sessions := p.sessions
	p.sessions = nil
	p.mu.Unlock()
	p.cancel()
	p.work.Wait()
	hubs := map[*hub]bool{}
	for _, s := range sessions {
		if s.hub != nil {
			hubs[s.hub] = true
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), attachTime)
	defer cancel()
	for h := range hubs {
		h.leave(func(s *tabSession) bool { return s.port == p })
		_ = h.tab.Hold(ctx, p.key, false) // a tab that is gone holds nothing
	}
}

// do runs what may wait, beside the messages that follow.
func (p *tabsPort) do(run func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.work.Go(run)
	}
}

// tell passes something to the client, unless it has left.
func (p *tabsPort) tell(say func(Out)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		say(p.out)
	}
}

func (p *tabsPort) event(session, method string, params jsontext.Value) {
	p.tell(func(out Out) { out.Event(session, method, params) })
}

func (p *tabsPort) result(m Message, result jsontext.Value) {
	if len(result) == 0 {
		result = jsontext.Value("{}")
	}
	p.tell(func(out Out) { out.Result(m.ID, m.SessionID, result) })
}

func (p *tabsPort) fail(m Message, code int, message string) {
	p.tell(func(out Out) { out.Fail(m.ID, m.SessionID, code, message) })
}

// attachedEvent is Target.attachedToTarget.
type attachedEvent struct {
	SessionID  string         `json:"sessionId"`
	TargetInfo jsontext.Value `json:"targetInfo"`
	Waiting    bool           `json:"waitingForDebugger"` // never: Chrome has begun by then
}

// announce makes a session known, here and to the client. The hub's lock is held.
func (p *tabsPort) announce(s *tabSession, info jsontext.Value) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.sessions[s.id] = s
	if s.id != "" {
		p.out.Event(s.parent.id, "Target.attachedToTarget", encode(attachedEvent{s.id, info, false}))
	}
}

// gone takes a session out that its hub has ended.
func (p *tabsPort) gone(s *tabSession, target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	delete(p.sessions, s.id)
	p.ends(func(c *closing) bool { return c.hub == s.hub && (target == c.page || target == c.around) })
	if s.id == "" {
		p.out.End("the page is gone, or is connected no more")
		return
	}
	p.out.Event(s.parent.id, "Target.detachedFromTarget", encode(map[string]string{"sessionId": s.id, "targetId": target}))
	p.look()
}

// look has the port compare again.
func (p *tabsPort) look() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// follow keeps the client's view equal to the tabs until the port is closed.
func (p *tabsPort) follow(changed <-chan struct{}) {
	var again <-chan time.Time
	for {
		select {
		case <-changed:
		case <-p.wake:
		case <-again:
		case <-p.ctx.Done():
			return
		}
		again = nil
		if left := p.reconcile(p.ctx); left > 0 {
			again = time.After(left)
		}
	}
}

// reconcile ends what is over, tells of targets and attaches to those that the client
// wants. It gives the time until a tab is to be tried again, 0 for none.
func (p *tabsPort) reconcile(ctx context.Context) (again time.Duration) {
	p.turn.Lock()
	defer p.turn.Unlock()
	ctx, cancel := context.WithTimeout(ctx, attachTime)
	defer cancel()
	hubs := p.b.hubs(ctx)
	p.endOthers(hubs)
	if p.alone != nil {
		return 0
	}
	for _, h := range hubs {
		if h.fresh() {
			h.joinOpener(hubs)
		}
	}
	p.tellTargets(hubs)
	var attaching sync.WaitGroup
	var mu sync.Mutex
	for h := range p.waits {
		if !slices.Contains(hubs, h) {
			delete(p.waits, h)
		}
	}
	for _, h := range hubs {
		mu.Lock()
		waiting := p.waits[h]
		mu.Unlock()
		if left := time.Until(waiting.until); left > 0 {
			again = min(max(again, left), left)
			continue
		}
		attaching.Go(func() {
			err := p.attachAll(ctx, h)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				delete(p.waits, h)
				return
			}
			p.b.o.Log.Debug().Err(err).Msg("not attached to a tab for a DevTools client")
			after := min(max(retryAfter, 2*waiting.after), retryMost)
			p.waits[h] = wait{time.Now().Add(after), after}
			again = min(max(again, after), after)
		})
	}
	attaching.Wait()
	p.tellTargets(hubs)
	return again
}

// endOthers ends the sessions of tabs that are not among those that clients may have.
func (p *tabsPort) endOthers(hubs []*hub) {
	p.mu.Lock()
	over := map[*hub]bool{}
	for _, s := range p.sessions {
		if s.hub != nil && !slices.Contains(hubs, s.hub) {
			over[s.hub] = true
		}
	}
	p.mu.Unlock()
	for h := range over {
		h.mu.Lock()
		h.endAll(func(s *tabSession) bool { return s.port == p })
		h.mu.Unlock()
	}
}

// tellTargets tells of targets that came, went or changed, where the client discovers them.
func (p *tabsPort) tellTargets(hubs []*hub) {
	var now []targetInfo
	for _, h := range hubs {
		now = append(now, h.info(kindTab), h.info(kindPage))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.discover == nil {
		return
	}
	there := map[string]bool{}
	for _, info := range now {
		if !p.discover.takes(info.Type) {
			continue
		}
		there[info.TargetID] = true
		before, known := p.told[info.TargetID]
		p.told[info.TargetID] = info
		switch {
		case !known:
			p.out.Event("", "Target.targetCreated", encode(map[string]any{"targetInfo": info}))
		case before != info:
			p.out.Event("", "Target.targetInfoChanged", encode(map[string]any{"targetInfo": info}))
		}
	}
	for id := range p.told {
		if !there[id] {
			delete(p.told, id)
			p.ends(func(c *closing) bool { return id == c.page || id == c.around })
			p.out.Event("", "Target.targetDestroyed", encode(map[string]string{"targetId": id}))
		}
	}
}

// attachAll attaches the client to what it wants of a tab and has not yet.
func (p *tabsPort) attachAll(ctx context.Context, h *hub) error {
	p.mu.Lock()
	auto := p.auto
	p.mu.Unlock()
	for _, kind := range []string{kindTab, kindPage} {
		if auto.takes(kind) && !h.has(p.root, kind) {
			if _, err := p.attach(ctx, p.root, h, kind, true); err != nil {
				return err
			}
		}
	}
	for _, tab := range h.tabSessions(p) {
		if !h.has(tab, kindPage) {
			if _, err := p.attach(ctx, tab, h, kindPage, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// attach makes a session for a tab's target under another.
func (p *tabsPort) attach(ctx context.Context, parent *tabSession, h *hub, kind string, auto bool) (*tabSession, error) {
	if kind == kindPage {
		if err := h.attach(ctx, p.key); err != nil {
			return nil, err
		}
	}
	info := h.info(kind)
	info.Attached = true
	h.mu.Lock()
	defer h.mu.Unlock()
	channel := ""
	if kind == kindTab {
		channel = noChannel
	}
	s := newSession(parent, h, kind, channel)
	s.byItself = auto
	h.sessions = append(h.sessions, s)
	p.announce(s, encode(info))
	return s, nil
}

// attachAlone makes the one page of the client its root session.
func (p *tabsPort) attachAlone(ctx context.Context) error {
	h := p.alone
	if err := h.attach(ctx, p.key); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := newSession(nil, h, kindPage, "")
	s.port, s.id = p, ""
	h.sessions = append(h.sessions, s)
	p.announce(s, nil)
	return nil
}

// fresh reports a hub that no port has looked at yet.
func (h *hub) fresh() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := h.seen
	h.seen = true
	return !seen
}

// has reports a session that is attached under another by itself.
func (h *hub) has(parent *tabSession, kind string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.sessions, func(s *tabSession) bool { return s.parent == parent && s.kind == kind && s.byItself })
}

// tabSessions are those of a client that attach to the page in them by themselves.
func (h *hub) tabSessions(p *tabsPort) []*tabSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(h.sessions), func(s *tabSession) bool {
		return s.port != p || s.kind != kindTab || !s.auto.takes(kindPage)
	})
}
