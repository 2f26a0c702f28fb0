package page

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// awayGrace is how long a browser may be gone before its pages count as
// disconnected: a restarted relay process is back within it, and agents then
// notice nothing.
const awayGrace = time.Second

// forgetAfter is how long pages of a browser that went away are kept.
const forgetAfter = time.Hour

// snapshotTime bounds asking a page that comes with its bridges for its whole state.
const snapshotTime = 5 * time.Second

// Manager keeps the tabs of all browsers in step with what the extensions report.
// Its event methods are called one at a time per browser and never wait for an agent.
type Manager struct {
	hub   *session.Hub
	log   zerolog.Logger
	sdk   SDK
	sites Sites // nil: all is seen

	onTab []func(*Tab)
	// answers to requests of extensions, by operation.
	answers map[string]func(context.Context, *Tab, jsontext.Value) (any, error)
	onSide  []func(Browser, *Tab, string, jsontext.Value)

	ctx  context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup // snapshots under way

	mu    sync.Mutex
	tabs  map[tabKey]*Tab
	known map[string]*connection
	news  chan struct{} // closed and replaced when a tab has come

	following followers
}

type tabKey struct {
	browser string
	tab     int
}

type connection struct {
	browser Browser
	present bool
	away    *time.Timer
}

// NewManager makes a Manager that puts pages into hub's sessions.
func NewManager(hub *session.Hub, sdk SDK, log zerolog.Logger) *Manager {
	ctx, end := context.WithCancel(context.Background())
	return &Manager{hub: hub, log: log, sdk: sdk, ctx: ctx, end: end, tabs: make(map[tabKey]*Tab), known: make(map[string]*connection)}
}

// Connected notes that a browser's extension is there. Its `state` event follows.
func (m *Manager) Connected(b Browser) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.known[b.ID()]
	if c == nil {
		c = &connection{}
		m.known[b.ID()] = c
	}
	c.browser, c.present = b, true
	if c.away != nil {
		c.away.Stop()
		c.away = nil
	}
}

// Disconnected notes that a browser's extension went away.
func (m *Manager) Disconnected(b Browser) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.known[b.ID()]
	if c == nil || c.browser != b || !c.present {
		return
	}
	c.present = false
	c.away = time.AfterFunc(awayGrace, func() { m.declareAway(b, c) })
}

func (m *Manager) declareAway(b Browser, c *connection) {
	m.mu.Lock()
	if c.present || c.browser != b {
		m.mu.Unlock()
		return
	}
	tabs := m.tabsOf(b.ID())
	c.away = time.AfterFunc(forgetAfter, func() { m.forget(b, c) })
	m.mu.Unlock()
	for _, t := range tabs {
		t.pause(protocol.ReasonExtensionGone)
	}
	m.changed()
}

func (m *Manager) forget(b Browser, c *connection) {
	m.mu.Lock()
	if c.present || c.browser != b {
		m.mu.Unlock()
		return
	}
	tabs := m.tabsOf(b.ID())
	for _, t := range tabs {
		delete(m.tabs, tabKey{b.ID(), t.id})
	}
	delete(m.known, b.ID())
	m.mu.Unlock()
	for _, t := range tabs {
		t.close(protocol.ReasonExtensionGone)
	}
	m.changed()
}

// Close stops the timers and what runs; pages are left as they are.
func (m *Manager) Close() {
	m.end()
	defer m.work.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.known {
		if c.away != nil {
			c.away.Stop()
		}
	}
	for _, t := range m.tabs {
		t.stopTimers()
	}
}

// tabsOf lists a browser's tabs. The caller holds m.mu.
func (m *Manager) tabsOf(browser string) []*Tab {
	var list []*Tab
	for key, t := range m.tabs {
		if key.browser == browser {
			list = append(list, t)
		}
	}
	return list
}

func (m *Manager) tab(b Browser, id int) *Tab {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tabs[tabKey{b.ID(), id}]
}

// Event takes one event of the extension.
func (m *Manager) Event(b Browser, op string, payload jsontext.Value) {
	handle, ok := events[op]
	if !ok {
		m.log.Warn().Str("op", op).Msg("event of an unknown kind")
		return
	}
	if err := handle(m, b, payload); err != nil {
		m.log.Warn().Str("op", op).Err(err).Msg("event not understood")
	}
	if op == "state" || strings.HasPrefix(op, "tab.") {
		m.changed()
	}
}

// events is what an extension may report.
var events = map[string]func(*Manager, Browser, jsontext.Value) error{
	"state":            (*Manager).onState,
	"tab.connected":    (*Manager).onTabConnected,
	"tab.updated":      onTab((*Tab).onUpdated),
	"tab.disconnected": (*Manager).onTabDisconnected,
	"tab.paused":       onTab((*Tab).onPaused),
	"tab.resumed":      onTab((*Tab).onResumed),
	"tab.navigated":    onTab((*Tab).onNavigated),
	"frame.added":      onTab((*Tab).onFrameAdded),
	"frame.removed":    onTab((*Tab).onFrameRemoved),
	"bridge.event":     onTab((*Tab).onBridgeEvent),
	"frame.sdk":        onTab((*Tab).onSDK),
	"cdp.event":        onTab((*Tab).onCDPEvent),
	"cdp.detached":     onTab((*Tab).onCDPDetached),

	"download.started":  onSide("download.started"),
	"download.progress": onSide("download.progress"),
	"download.done":     onSide("download.done"),
	"tab.popup":         onSide("tab.popup"),
	"record.ring":       onSide("record.ring"),
}

// onTab routes an event to the tab that it names; one for a tab that is not connected is stale and ignored.
func onTab[P any](handle func(*Tab, P) error) func(*Manager, Browser, jsontext.Value) error {
	return func(m *Manager, b Browser, payload jsontext.Value) error {
		var which struct {
			TabID int `json:"tabId"`
		}
		if err := decode(payload, &which); err != nil {
			return err
		}
		t := m.tab(b, which.TabID)
		if t == nil {
			return nil
		}
		var p P
		if err := decode(payload, &p); err != nil {
			return err
		}
		if update, ok := any(p).(tabEvent); ok && update.NewTabID != 0 {
			m.renumber(b, t, update.NewTabID)
		}
		return handle(t, p)
	}
}

// renumber follows a tab that Chrome replaced (discard, prerender).
func (m *Manager) renumber(b Browser, t *Tab, id int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(m.tabs, tabKey{b.ID(), t.id})
	t.id = id
	m.tabs[tabKey{b.ID(), id}] = t
}

// onState makes the browser's tabs what the extension says they are.
func (m *Manager) onState(b Browser, payload jsontext.Value) error {
	var state statePayload
	if err := decode(payload, &state); err != nil {
		return err
	}
	live := make(map[int]bool, len(state.Tabs))
	for _, info := range state.Tabs {
		live[info.TabID] = true
		m.connect(b, info)
	}
	m.mu.Lock()
	var gone []*Tab
	for _, t := range m.tabsOf(b.ID()) {
		if !live[t.id] {
			gone = append(gone, t)
			delete(m.tabs, tabKey{b.ID(), t.id})
		}
	}
	m.mu.Unlock()
	for _, t := range gone {
		t.close(protocol.ReasonClosed)
	}
	return nil
}

func (m *Manager) onTabConnected(b Browser, payload jsontext.Value) error {
	var info tabInfo
	if err := decode(payload, &info); err != nil {
		return err
	}
	m.connect(b, info)
	return nil
}

func (m *Manager) connect(b Browser, info tabInfo) {
	if info.SessionID == "" {
		info.SessionID = protocol.DefaultSession
	}
	if info.Level.Rank() == 0 {
		info.Level = protocol.Observe
	}
	m.mu.Lock()
	key := tabKey{b.ID(), info.TabID}
	t := m.tabs[key]
	if t != nil && t.info.SessionID != info.SessionID {
		delete(m.tabs, key)
		m.mu.Unlock()
		t.close(protocol.ReasonDetachedByUser)
		m.mu.Lock()
		t = nil
	}
	if t == nil {
		t = newTab(b, info, m.sdk, m.log)
		t.sites = m.sites
		for _, see := range m.onTab {
			see(t)
		}
		m.tabs[key] = t
		m.mu.Unlock()
		added := m.hub.Open(info.SessionID).AddPage(t.tellable(info), t)
		m.mu.Lock() // who lists the tabs looks at it
		t.page = added
		m.arrived()
		m.mu.Unlock()
		if len(info.Frames) > 0 && info.Paused == "" {
			// Its bridges told their trees to a daemon before this one.
			m.work.Go(func() {
				ctx, cancel := context.WithTimeout(m.ctx, snapshotTime)
				defer cancel()
				t.Snapshot(ctx)
			})
		}
		if info.Paused != "" {
			t.pause(info.Paused)
		}
		return
	}
	m.mu.Unlock()
	t.reconnect(b, info)
}

func (m *Manager) onTabDisconnected(b Browser, payload jsontext.Value) error {
	var event tabEvent
	if err := decode(payload, &event); err != nil {
		return err
	}
	m.mu.Lock()
	key := tabKey{b.ID(), event.TabID}
	t := m.tabs[key]
	delete(m.tabs, key)
	m.mu.Unlock()
	if t != nil {
		t.close(event.Reason)
	}
	return nil
}

// OnRequest sets what answers one kind of request of an extension about a tab of its.
// Call it before any browser connects.
func (m *Manager) OnRequest(op string, answer func(ctx context.Context, t *Tab, payload jsontext.Value) (any, error)) {
	if m.answers == nil {
		m.answers = map[string]func(context.Context, *Tab, jsontext.Value) (any, error){}
	}
	m.answers[op] = answer
}

// Request answers what the extension asks for its popup.
func (m *Manager) Request(ctx context.Context, b Browser, op string, payload jsontext.Value) (any, error) {
	if answer, ok := m.answers[op]; ok {
		var which struct {
			TabID int `json:"tabId"`
		}
		if err := decode(payload, &which); err != nil {
			return nil, fault.New(fault.ValidationError, "%s is not understood", op).Because(err)
		}
		t := m.Find(b.ID(), which.TabID)
		if t == nil {
			return nil, fault.New(fault.NotConnected, "The tab is not connected.").With("tabId", which.TabID)
		}
		return answer(ctx, t, payload)
	}
	return nil, fault.New(fault.UnknownType, "the daemon does not know the request %q", op)
}

// Echo is one browser's answer to a doctor's question.
type Echo struct {
	BrowserID string
	Took      time.Duration
	Err       error
	Tabs      []*Tab
}

// EchoAll measures a round trip to each browser that is there.
func (m *Manager) EchoAll(ctx context.Context) []Echo {
	m.mu.Lock()
	var present []Browser
	tabs := make(map[string][]*Tab)
	for id, c := range m.known {
		if c.present {
			present = append(present, c.browser)
			tabs[id] = m.tabsOf(id)
		}
	}
	m.mu.Unlock()
	echoes := make([]Echo, 0, len(present))
	for _, b := range present {
		start := time.Now()
		_, err := b.Call(ctx, "diag.echo", struct{}{})
		echoes = append(echoes, Echo{BrowserID: b.ID(), Took: time.Since(start), Err: err, Tabs: tabs[b.ID()]})
	}
	return echoes
}
