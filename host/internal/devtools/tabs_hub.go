package devtools

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
)

// Kinds of targets.
const (
	kindBrowser = "browser"
	kindTab     = "tab" // around the page, for clients that attach by way of it
	kindPage    = "page"
)

// hub is what all clients share of one tab: the targets in it, and who hears what.
//
// Its lock is taken before a port's. Events are passed on under it, so that they keep
// their order and none precedes the session that it is for.
type hub struct {
	tab  *page.Tab
	stop func()

	mu       sync.Mutex
	targetID string    // Chrome's, which is the main frame's id too; "" until it is asked for
	around   string    // of the tab target around it
	openerID string    // of the page that opened this one with window.open
	opening  time.Time // when the page last opened a window
	seen     bool      // by a port
	channels map[string]*channel
	told     int // children so far
	sessions []*tabSession
	starting map[*tabsPort]*tabSession // children that clients have not set going yet
}

// channel is one of Chrome's sessions: the page's own, "", or a child target's.
type channel struct {
	id, parent string
	kind       string
	targetID   string
	info       jsontext.Value // a child's, as Chrome told it
	number     int            // in the order of their coming

	contexts  []jsContext // those that there are, for who enables Runtime later
	complete  bool        // no context is missing
	lifecycle map[string]*frameLife
}

type jsContext struct {
	id    int64
	event jsontext.Value
}

// frameLife is how far a frame's document has come.
type frameLife struct {
	loader string
	events []lifeEvent
}

type lifeEvent struct {
	name  string
	event jsontext.Value
}

type hubKey struct{}

// hubOf is the tab's hub, nil for a tab that closes.
func hubOf(t *page.Tab) *hub {
	h, _ := t.Keep(hubKey{}, func() page.Keeper {
		h := &hub{tab: t, around: randomID(), starting: make(map[*tabsPort]*tabSession)}
		h.reset()
		h.stop = t.Watch(h.onEvent)
		return h
	}).(*hub)
	return h
}

// Close ends all sessions with the tab.
func (h *hub) Close() {
	h.stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.endAll(func(*tabSession) bool { return true })
}

// reset forgets what an attachment of the debugger told. h.mu is held, or the hub is new.
func (h *hub) reset() {
	h.channels = map[string]*channel{"": newChannel("", "", kindPage)}
}

func newChannel(id, parent, kind string) *channel {
	return &channel{id: id, parent: parent, kind: kind, lifecycle: make(map[string]*frameLife)}
}

// known is Chrome's id of the target.
func (h *hub) known() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.targetID
}

// identify asks for the target's id where it is not known. It attaches nothing.
func (h *hub) identify(ctx context.Context) error {
	if h.known() != "" {
		return nil
	}
	return h.ask(ctx)
}

// ask gets the ids of the targets that the extension knows in the tab.
func (h *hub) ask(ctx context.Context) error {
	raw, err := h.tab.Link(ctx, "cdp.targets", nil)
	if err != nil {
		return err
	}
	var told struct {
		TargetID string `json:"targetId"`
		Children []struct {
			SessionID       string         `json:"sessionId"`
			ParentSessionID string         `json:"parentSessionId"`
			TargetInfo      jsontext.Value `json:"targetInfo"`
		} `json:"children"`
	}
	if err := decode(raw, &told); err != nil || told.TargetID == "" {
		return fault.New(fault.ProtocolError, "the extension's answer cannot be read").Because(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sessions) == 0 || h.targetID == "" {
		h.targetID = told.TargetID
	}
	for _, child := range told.Children {
		h.childAttached(child.ParentSessionID, child.SessionID, child.TargetInfo)
	}
	return nil
}

// attach has the debugger attached to the tab, and kept there for the one named.
func (h *hub) attach(ctx context.Context, by string) error {
	if err := h.tab.Hold(ctx, by, true); err != nil {
		return err
	}
	// What was held may have been let go when the person chose another level.
	if _, err := h.tab.Link(ctx, "cdp.hold", map[string]any{"on": true}); err != nil {
		return err
	}
	return h.ask(ctx)
}

// onEvent takes one event of the tab, in order (page.Tab.Watch). params is valid during the call only.
func (h *hub) onEvent(session, method string, params jsontext.Value) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if note, ok := hubNotes[method]; ok && note(h, session, params) {
		return
	}
	for _, s := range h.sessions {
		if s.channel == session && s.hears(method, params) {
			s.port.event(s.id, method, params)
		}
	}
}

// hubNotes keep what later clients are told; true ends the event there.
var hubNotes map[string]func(h *hub, session string, params jsontext.Value) bool

func init() {
	hubNotes = map[string]func(*hub, string, jsontext.Value) bool{
		"Target.attachedToTarget": func(h *hub, session string, params jsontext.Value) bool {
			var event struct {
				SessionID  string         `json:"sessionId"`
				TargetInfo jsontext.Value `json:"targetInfo"`
			}
			if decode(params, &event) == nil {
				h.childAttached(session, event.SessionID, event.TargetInfo)
			}
			return true
		},
		"Target.detachedFromTarget": func(h *hub, _ string, params jsontext.Value) bool {
			var event struct {
				SessionID string `json:"sessionId"`
			}
			if decode(params, &event) == nil && event.SessionID != "" {
				h.endAll(func(s *tabSession) bool { return s.channel == event.SessionID })
				delete(h.channels, event.SessionID)
				h.attachChildren()
			}
			return true
		},
		"Target.targetInfoChanged": func(h *hub, _ string, params jsontext.Value) bool {
			var event struct {
				TargetInfo jsontext.Value `json:"targetInfo"`
			}
			if decode(params, &event) == nil {
				id := targetOf(event.TargetInfo).TargetID
				for _, c := range h.channels {
					if c.id != "" && c.targetID == id {
						c.info = event.TargetInfo.Clone()
					}
				}
			}
			return true
		},
		"Inspector.detached": func(h *hub, _ string, _ jsontext.Value) bool {
			h.endAll(func(s *tabSession) bool { return s.kind != kindTab })
			h.reset()
			return true
		},
		"Page.windowOpen": func(h *hub, _ string, _ jsontext.Value) bool {
			h.opening = time.Now()
			return false
		},
		"Page.lifecycleEvent":              (*hub).noteLife,
		"Runtime.executionContextCreated":  (*hub).noteContext,
		"Runtime.executionContextsCleared": (*hub).noteCleared,
		"Runtime.executionContextDestroyed": func(h *hub, session string, params jsontext.Value) bool {
			var event struct {
				ID int64 `json:"executionContextId"`
			}
			if c := h.channels[session]; c != nil && decode(params, &event) == nil {
				c.contexts = slices.DeleteFunc(c.contexts, func(known jsContext) bool { return known.id == event.ID })
			}
			return false
		},
	}
}

func (h *hub) noteCleared(session string, _ jsontext.Value) bool {
	if c := h.channels[session]; c != nil {
		c.contexts = nil
	}
	return false
}

// noteContext keeps a context. One that is known already is told anew to somebody else.
func (h *hub) noteContext(session string, params jsontext.Value) bool {
	var event struct {
		Context struct {
			ID int64 `json:"id"`
		} `json:"context"`
	}
	c := h.channels[session]
	if c == nil || decode(params, &event) != nil {
		return false
	}
	if slices.ContainsFunc(c.contexts, func(known jsContext) bool { return known.id == event.Context.ID }) {
		return true
	}
	c.contexts = append(c.contexts, jsContext{event.Context.ID, params.Clone()})
	return false
}

// noteLife keeps how far each frame has come.
func (h *hub) noteLife(session string, params jsontext.Value) bool {
	var event struct {
		FrameID  string `json:"frameId"`
		LoaderID string `json:"loaderId"`
		Name     string `json:"name"`
	}
	c := h.channels[session]
	if c == nil || decode(params, &event) != nil {
		return false
	}
	life := c.lifecycle[event.FrameID]
	if life == nil || life.loader != event.LoaderID {
		life = &frameLife{loader: event.LoaderID}
		c.lifecycle[event.FrameID] = life
	}
	if !slices.ContainsFunc(life.events, func(known lifeEvent) bool { return known.name == event.Name }) {
		life.events = append(life.events, lifeEvent{event.Name, params.Clone()})
	}
	return false
}

// childAttached notes a child target and tells those who attach to such. h.mu is held.
func (h *hub) childAttached(parent, session string, info jsontext.Value) {
	if session == "" || h.channels[session] != nil {
		return
	}
	target := targetOf(info)
	c := newChannel(session, parent, target.Type)
	h.told++
	c.targetID, c.info, c.number = target.TargetID, info.Clone(), h.told
	h.channels[session] = c
	h.attachChildren()
}

// add makes a session for a child target under that of the client's. h.mu is held.
func (h *hub) add(parent *tabSession, c *channel) *tabSession {
	s := newSession(parent, h, c.kind, c.id)
	h.sessions = append(h.sessions, s)
	s.port.announce(s, c.info)
	return s
}

// endAll ends sessions that are over for a reason of the tab's own, with what is below
// them; there is nothing left to undo. h.mu is held.
func (h *hub) endAll(over func(*tabSession) bool) {
	for _, s := range slices.Clone(h.sessions) {
		if over(s) {
			h.remove(s)
		}
	}
}

// remove takes a session out, what is below it first. h.mu is held.
func (h *hub) remove(s *tabSession) {
	if s.ended {
		return
	}
	s.ended = true
	if h.starting[s.port] == s {
		delete(h.starting, s.port)
	}
	for _, below := range slices.Clone(h.sessions) {
		if below.parent == s {
			h.remove(below)
		}
	}
	h.sessions = slices.DeleteFunc(h.sessions, func(other *tabSession) bool { return other == s })
	id := h.targetID
	if s.kind == kindTab {
		id = h.around
	} else if c := h.channels[s.channel]; s.channel != "" && c != nil {
		id = c.targetID
	}
	s.port.gone(s, id)
}

// targetInfo is Target.TargetInfo.
type targetInfo struct {
	TargetID         string `json:"targetId"`
	Type             string `json:"type"`
	Title            string `json:"title"`
	URL              string `json:"url"`
	Attached         bool   `json:"attached"`
	OpenerID         string `json:"openerId,omitempty"`
	CanAccessOpener  bool   `json:"canAccessOpener"`
	BrowserContextID string `json:"browserContextId,omitempty"`
}

// info describes the tab as a target of the kind.
func (h *hub) info(kind string) targetInfo {
	page := h.tab.Info()
	h.mu.Lock()
	defer h.mu.Unlock()
	out := targetInfo{
		TargetID: h.targetID, Type: kind, Title: page.Title, URL: page.URL, OpenerID: h.openerID,
		CanAccessOpener: h.openerID != "", BrowserContextID: contextID(),
	}
	if kind == kindTab {
		out.TargetID, out.OpenerID, out.CanAccessOpener = h.around, "", false
	}
	if out.URL == "" { // as the extension knows a tab that has not begun to load
		out.URL = "about:blank"
	}
	out.Attached = slices.ContainsFunc(h.sessions, func(s *tabSession) bool {
		return (s.kind == kindTab) == (kind == kindTab) && (kind == kindTab || s.channel == "")
	})
	return out
}

// openingTime is how soon after a page opened a window the new tab is there.
const openingTime = 10 * time.Second

// joinOpener finds out whether one of the pages opened this one with window.open; the
// tab that an agent opened has no opener in this sense.
func (h *hub) joinOpener(all []*hub) {
	number := h.tab.Opener()
	if number == 0 {
		return
	}
	for _, other := range all {
		if other == h || other.tab.TabID() != number || other.tab.Browser().ID() != h.tab.Browser().ID() {
			continue
		}
		other.mu.Lock()
		id, opened := other.targetID, !other.opening.IsZero() && time.Since(other.opening) < openingTime
		if opened {
			other.opening = time.Time{}
		}
		other.mu.Unlock()
		if opened {
			h.mu.Lock()
			h.openerID = id
			h.mu.Unlock()
		}
	}
}

func targetOf(raw jsontext.Value) (info targetInfo) {
	_ = decode(raw, &info) // what cannot be read has no id, and nobody asks for it
	return info
}

// decode reads what comes from a browser; lone surrogates become U+FFFD.
func decode(data jsontext.Value, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// encode writes what cannot fail to be written.
func encode(value any) jsontext.Value {
	raw, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return jsontext.Value("{}")
	}
	return raw
}

// targetFilter says which targets are meant (Target.TargetFilter).
type targetFilter []struct {
	Type    string `json:"type"`
	Exclude bool   `json:"exclude"`
}

// usualTargets is the filter where none is given.
var usualTargets = targetFilter{{kindBrowser, true}, {kindTab, true}, {"", false}}

func (f targetFilter) takes(kind string) bool {
	for _, entry := range f {
		if entry.Type == "" || entry.Type == kind {
			return !entry.Exclude
		}
	}
	return false
}

func domainOf(method string) string {
	domain, _, _ := strings.Cut(method, ".")
	return domain
}
