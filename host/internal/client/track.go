package client

import (
	"encoding/json"
	"sync"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Tracker counts the commands of a Stream that have no answer yet. Feed it every Event.
type Tracker struct {
	changed chan struct{}

	mu       sync.Mutex
	pending  map[string]bool // by requestId
	unnamed  int             // sent without a requestId
	agents   map[string]bool // ids that this stream has had
	epoch    string
	lost     int
	sent     int
	welcomed bool
	target   uint64 // last event to be replayed
	seen     uint64
}

// NewTracker makes an empty tracker.
func NewTracker() *Tracker {
	return &Tracker{changed: make(chan struct{}, 1), pending: map[string]bool{}, agents: map[string]bool{}}
}

// Changed gets a value after events.
func (t *Tracker) Changed() <-chan struct{} { return t.changed }

// Pending counts commands sent and not answered.
func (t *Tracker) Pending() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.pending) + t.unnamed
}

// Lost counts commands whose answer can never come, because their daemon ended.
func (t *Tracker) Lost() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// Sent counts the commands written.
func (t *Tracker) Sent() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent
}

// Welcomed reports whether a connection was ever welcomed, and whether its replay was delivered.
func (t *Tracker) Welcomed() (welcomed, replayed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.welcomed, t.welcomed && t.seen >= t.target
}

// Event takes note of one event.
func (t *Tracker) Event(event Event) {
	t.mu.Lock()
	switch event.Kind {
	case Sent:
		t.note(event.Raw)
	case Received:
		if !event.Unsent {
			t.answer(event.Header)
		}
	}
	t.mu.Unlock()
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

func (t *Tracker) note(line []byte) {
	var command struct {
		Type      string `json:"type"`
		RequestID string `json:"requestId"`
	}
	// What does not parse is answered without a requestId.
	_ = json.Unmarshal(line, &command)
	t.sent++
	switch {
	case command.Type == protocol.TypeCancel: // answered by the result of what it cancels
	case command.RequestID != "":
		t.pending[command.RequestID] = true
	default:
		t.unnamed++
	}
}

func (t *Tracker) answer(h Header) {
	t.seen = max(t.seen, h.Seq)
	switch h.Type {
	case protocol.TypeWelcome:
		if t.epoch != "" && t.epoch != h.Epoch {
			t.lost += len(t.pending) + t.unnamed
			t.pending, t.unnamed, t.seen = map[string]bool{}, 0, 0
		}
		t.epoch, t.welcomed, t.target = h.Epoch, true, h.LastSeq
		t.agents[h.AgentID] = true
	case protocol.TypeGap:
		if h.ToSeq != nil {
			t.seen = max(t.seen, *h.ToSeq)
		}
	case protocol.TypeCommandResult:
		switch {
		case t.pending[h.RequestID]:
			delete(t.pending, h.RequestID)
		case t.agents[h.AgentID] && t.unnamed > 0:
			t.unnamed--
		}
	case protocol.TypeHostError, "cdp_response":
		switch {
		case t.pending[h.RequestID]:
			delete(t.pending, h.RequestID)
		case t.unnamed > 0:
			t.unnamed--
		}
	}
}
