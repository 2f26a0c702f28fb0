package page

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// What the commands of the catalogue build on: a tab's bridge lane, its DevTools
// sessions, and its end.

// Page is the page of the tab in its session.
func (t *Tab) Page() *session.Page { return t.page }

// Browser is the browser that the tab is in.
func (t *Tab) Browser() Browser { b, _ := t.route(); return b }

// TabID is the browser's own number of the tab.
func (t *Tab) TabID() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.id
}

// Info is what is known of the page.
func (t *Tab) Info() protocol.PageInfo { return t.page.Info() }

// Perform runs a protocol command, by name, with its parameter struct. The command's
// turn among those of the page is the caller's affair (session.Page.Do).
func (t *Tab) Perform(ctx context.Context, name string, params any, dispatched func()) (session.Outcome, error) {
	spec, ok := protocol.Spec(name)
	if !ok {
		return session.Outcome{}, fault.New(fault.InternalError, "no protocol command %q", name)
	}
	return t.Run(ctx, &protocol.Command{Base: protocol.Base{Type: name}, Spec: spec, Params: params}, dispatched)
}

// Ask runs one bridge command in a frame ("main", "f1", …; empty is main) and decodes its result into into.
func (t *Tab) Ask(ctx context.Context, frameID string, command map[string]any, into any) (effect string, err error) {
	if err := t.awaitBridge(ctx); err != nil {
		return "", err
	}
	f, err := t.frameOf(&protocol.Command{Base: protocol.Base{FrameID: frameID}})
	if err != nil {
		return "", err
	}
	result, err := t.bridge(ctx, f, command)
	if err != nil {
		return "", err
	}
	if into == nil || len(result.Result) == 0 {
		return result.Effect, nil
	}
	if err := decode(result.Result, into); err != nil {
		return "", fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	return result.Effect, nil
}

// Link asks the tab's browser for one of the link's operations. tabId is added to payload.
func (t *Tab) Link(ctx context.Context, op string, payload map[string]any) (jsontext.Value, error) {
	payload = maps.Clone(payload)
	if payload == nil {
		payload = map[string]any{}
	}
	payload["tabId"] = t.TabID()
	return t.call(ctx, op, payload)
}

// Session is the tab's DevTools session: the page's own with an empty id, or that
// of a child target (a cross-process frame, a worker). It works the same over the
// extension, a managed and a remote browser; what one cannot do it answers with
// CAPABILITY_MISSING or CDP_ERROR.
func (t *Tab) Session(id string) cdp.Session { return &devtools{tab: t, id: id} }

// devtools is a cdp.Session over the link.
type devtools struct {
	tab *Tab
	id  string
}

// Call runs one DevTools command. The error is a *fault.Error.
func (d *devtools) Call(ctx context.Context, method string, params, result any) error {
	t := d.tab
	if t.own(d.id, method) {
		return nil
	}
	t.mu.Lock()
	send := cdpSend{TabID: t.id, SessionID: d.id, Method: method, Params: params, TimeoutMs: remaining(ctx)}
	t.mu.Unlock()
	raw, err := t.call(ctx, "cdp.send", send)
	if err != nil {
		return t.unanswered(method, err)
	}
	if result == nil || len(raw) == 0 {
		return nil
	}
	if raws, ok := result.(*jsontext.Value); ok {
		*raws = raw
		return nil
	}
	if err := json.Unmarshal(raw, result, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return fault.New(fault.CDPError, "the browser's answer to %s cannot be read", method).Because(err)
	}
	return nil
}

// Subscribe gives the session's events of one method. Events wait without bound
// for a reader, so read, or cancel.
func (d *devtools) Subscribe(method string) (<-chan jsontext.Value, func()) {
	sub := &subscription{session: d.id, out: make(chan jsontext.Value), more: make(chan struct{}, 1), done: make(chan struct{})}
	d.tab.subs.add(method, sub)
	go sub.run()
	var once sync.Once
	return sub.out, func() {
		once.Do(func() {
			d.tab.subs.remove(method, sub)
			close(sub.done)
		})
	}
}

// subscriptions are the readers of a tab's DevTools events.
type subscriptions struct {
	mu       sync.Mutex
	byMethod map[string][]*subscription
}

func (s *subscriptions) add(method string, sub *subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byMethod == nil {
		s.byMethod = make(map[string][]*subscription)
	}
	s.byMethod[method] = append(s.byMethod[method], sub)
}

func (s *subscriptions) remove(method string, sub *subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byMethod[method] = slices.DeleteFunc(slices.Clone(s.byMethod[method]), func(other *subscription) bool { return other == sub })
}

// deliver gives an event to those who wait for it. It never blocks.
func (s *subscriptions) deliver(session, method string, params jsontext.Value) {
	s.mu.Lock()
	readers := s.byMethod[method]
	s.mu.Unlock()
	for _, sub := range readers {
		if sub.session == session {
			sub.push(params)
		}
	}
}

// subscription queues events for one reader.
type subscription struct {
	session string
	out     chan jsontext.Value
	more    chan struct{}
	done    chan struct{}

	mu    sync.Mutex
	queue []jsontext.Value
}

func (s *subscription) push(params jsontext.Value) {
	s.mu.Lock()
	s.queue = append(s.queue, params)
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// run hands the queue on until the subscription is cancelled.
func (s *subscription) run() {
	for {
		s.mu.Lock()
		queue := s.queue
		s.queue = nil
		s.mu.Unlock()
		for _, params := range queue {
			select {
			case s.out <- params:
			case <-s.done:
				return
			}
		}
		if len(queue) > 0 {
			continue
		}
		select {
		case <-s.more:
		case <-s.done:
			return
		}
	}
}

// Watch calls see with every DevTools event of the tab, in order, until the returned
// function is called. see must not block and must not call into the tab.
func (t *Tab) Watch(see func(session, method string, params jsontext.Value)) (stop func()) {
	w := &watcher{see: see}
	t.mu.Lock()
	t.watchers = append(slices.Clone(t.watchers), w)
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.watchers = slices.DeleteFunc(slices.Clone(t.watchers), func(other *watcher) bool { return other == w })
	}
}

type watcher struct {
	see func(session, method string, params jsontext.Value)
}

// observe tells subscribers and watchers of an event.
func (t *Tab) observe(session, method string, params jsontext.Value) {
	t.subs.deliver(session, method, params)
	t.mu.Lock()
	watchers := t.watchers
	t.mu.Unlock()
	for _, w := range watchers {
		w.see(session, method, params)
	}
}

// Tabs lists the tabs of a session, by page number.
func (m *Manager) Tabs(sessionID string) []*Tab {
	m.mu.Lock()
	var list []*Tab
	for _, t := range m.tabs {
		if t.page != nil && t.page.Session().ID() == sessionID {
			list = append(list, t)
		}
	}
	m.mu.Unlock()
	slices.SortFunc(list, func(a, b *Tab) int { return a.PageID() - b.PageID() })
	return list
}

// Blocked says why the page takes no commands now, or nil.
func (t *Tab) Blocked() error { return t.refusal() }

// Keeper is something that lives as long as its tab: a store, a recording.
type Keeper interface{ Close() }

// Keep gives the tab's keeper of a key, made where there is none yet; nil from make
// keeps nothing. It is closed when the tab is.
func (t *Tab) Keep(key any, make func() Keeper) Keeper {
	t.keeping.Lock()
	defer t.keeping.Unlock()
	if kept, ok := t.kept[key]; ok || t.keptClosed || make == nil {
		return kept
	}
	kept := make()
	if kept == nil {
		return nil
	}
	if t.kept == nil {
		t.kept = map[any]Keeper{}
	}
	t.kept[key] = kept
	return kept
}

// closeKept ends what was kept for the tab.
func (t *Tab) closeKept() {
	t.keeping.Lock()
	kept := t.kept
	t.kept, t.keptClosed = nil, true
	t.keeping.Unlock()
	for _, k := range kept {
		k.Close()
	}
}

// OnTab sets what is called with each new tab, before its first event. Call it before any browser connects.
func (m *Manager) OnTab(see func(*Tab)) { m.onTab = append(m.onTab, see) }
