package http

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/gate"
)

// maxStreams bounds the event streams of all agents.
const maxStreams = 64

// Reasons for which a stream ends, as its last event says.
var (
	errRevoked = errors.New("token_revoked")
	errSlow    = errors.New("too_slow")
)

// stream is one open event stream.
type stream struct {
	identity gate.Identity
	cancel   context.CancelCauseFunc
	cut      func(time.Time) // no write takes longer than until then
}

// streams are the open ones.
type streams struct {
	mu   sync.Mutex
	open map[*stream]struct{}
}

func (s *streams) add(one *stream) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= maxStreams {
		return false
	}
	if s.open == nil {
		s.open = make(map[*stream]struct{})
	}
	s.open[one] = struct{}{}
	return true
}

func (s *streams) remove(one *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, one)
}

// end ends the streams of the identities that gone picks, whether they read or not.
func (s *streams) end(gone func(gate.Identity) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for one := range s.open {
		if gone(one.identity) {
			one.cut(time.Now().Add(endTime))
			one.cancel(errRevoked)
		}
	}
}

// endTime is for the last event of a stream that is ended.
const endTime = 500 * time.Millisecond
