package daemon

import (
	"context"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/hostlink"
)

// linkHandler connects the link to the pages.
type linkHandler struct{ d *Daemon }

func (h *linkHandler) Connected(b *hostlink.Browser, resumed bool) {
	h.d.log.Info().Str("browser", b.ID()).Bool("resumed", resumed).Msg("extension connected")
	h.d.browsers.add(b)
	h.d.pages.Connected(b)
	h.d.tellAgents()
	for _, key := range h.d.slots.Departed() { // meanwhile
		h.d.tellLeft(key, b)
	}
}

func (h *linkHandler) Event(b *hostlink.Browser, op string, payload jsontext.Value) {
	h.d.pages.Event(b, op, payload)
}

func (h *linkHandler) Request(ctx context.Context, b *hostlink.Browser, op string, payload jsontext.Value) (any, error) {
	return h.d.pages.Request(ctx, b, op, payload)
}

func (h *linkHandler) Disconnected(b *hostlink.Browser, reason string) {
	h.d.log.Info().Str("browser", b.ID()).Str("reason", reason).Msg("extension away")
	h.d.browsers.remove(b)
	h.d.pages.Disconnected(b)
	h.d.idle.touch()
}

// browsers is the set of extensions that are there now.
type browsers struct {
	mu   sync.Mutex
	here map[string]*hostlink.Browser
}

func (s *browsers) add(b *hostlink.Browser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.here == nil {
		s.here = make(map[string]*hostlink.Browser)
	}
	s.here[b.ID()] = b
}

func (s *browsers) remove(b *hostlink.Browser) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.here[b.ID()] == b {
		delete(s.here, b.ID())
	}
}

func (s *browsers) list() []*hostlink.Browser {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*hostlink.Browser, 0, len(s.here))
	for _, b := range s.here {
		list = append(list, b)
	}
	return list
}
