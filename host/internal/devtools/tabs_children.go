package devtools

import (
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// startTime bounds how long a child that a client does not set going keeps others from it.
const startTime = 5 * time.Second

// autoAttach tells of the children there are, and of those to come. stepwise is for
// clients that want children to wait at their start. Nothing waits here; but such a
// client may count on it that a child tells nothing of itself, nor the next one comes,
// before the first commands to the last one are answered. So it gets one after the other.
func (s *tabSession) autoAttach(filter targetFilter, stepwise bool) {
	h := s.hub
	if filter == nil {
		h.leave(func(other *tabSession) bool { return other.parent == s && other.byItself })
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.auto, s.stepwise, s.offered = filter, stepwise, make(map[string]bool)
	for _, other := range h.sessions {
		if other.parent == s && other.byItself {
			s.offered[other.channel] = true
		}
	}
	h.attachChildren()
}

// attachChildren attaches sessions to the children that they want and have not yet. h.mu is held.
func (h *hub) attachChildren() {
	children := slices.SortedFunc(maps.Values(h.channels), func(a, b *channel) int { return a.number - b.number })
	for _, c := range children {
		for _, s := range slices.Clone(h.sessions) {
			if c.id == "" || s.ended || s.channel != c.parent || s.kind == kindTab || s.offered[c.id] || !s.auto.takes(c.kind) {
				continue
			}
			if h.starting[s.port] != nil && s.stepwise {
				continue
			}
			s.offered[c.id] = true
			child := h.add(s, c)
			child.byItself = true
			if s.stepwise {
				h.starting[s.port] = child
				time.AfterFunc(startTime, child.started)
			}
		}
	}
}

// started lets the client have its next child.
func (s *tabSession) started() {
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.starting[s.port] == s {
		delete(h.starting, s.port)
		h.attachChildren()
	}
}

// runIfWaiting ends the first commands to a child.
func runIfWaiting(s *tabSession, m Message) {
	done(s, m) // nothing waits
	if s.hub == nil || s.channel == "" || s.kind == kindTab {
		return
	}
	s.hub.tab.Begin(s.port.ctx, "Runtime.getIsolateId", nil, s.channel, func(jsontext.Value, error) { s.started() })
}
