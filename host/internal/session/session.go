package session

import (
	"sort"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Session is a logical group of pages and agents with one event log.
type Session struct {
	hub *Hub
	id  string

	mu       sync.Mutex
	log      eventLog
	pages    map[int]*Page
	gone     map[int]string // reason by pageId of pages that were removed
	agents   map[*Agent]struct{}
	ledger   ledger
	lastUsed map[string]int // pageId by token name: the default page after a reconnect
	tooSlow  uint64
	alone    int // commands that run without a page
	touched  time.Time
}

// maxGone bounds the memory of removed pages' reasons.
const maxGone = 1024

func newSession(h *Hub, id string) *Session {
	return &Session{
		hub: h, id: id,
		pages:    make(map[int]*Page),
		gone:     make(map[int]string),
		agents:   make(map[*Agent]struct{}),
		ledger:   newLedger(h.config.Limits),
		lastUsed: make(map[string]int),
	}
}

// ID is the session's name.
func (s *Session) ID() string { return s.id }

func (s *Session) busy() bool {
	return len(s.pages) > 0 || len(s.agents) > 0 || len(s.ledger.commands) > 0
}

// emit encodes, numbers and appends messages in their order. It sets the common
// fields; the caller gives up the messages.
func (s *Session) emit(pageID int, origin protocol.Origin, messages ...protocol.Message) {
	type encoded struct {
		kind kind
		body []byte
	}
	ready := make([]encoded, 0, len(messages))
	for _, message := range messages {
		k, body := s.encode(pageID, origin, message)
		ready = append(ready, encoded{k, body})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range ready {
		s.append(one.kind, "", one.body)
	}
}

// encode gives the bytes of a message of a page. One that cannot be sent is
// replaced by a notice: telemetry is never lost silently.
func (s *Session) encode(pageID int, origin protocol.Origin, message protocol.Message) (kind, []byte) {
	header := message.Header()
	header.ProtocolVersion, header.SessionID, header.Origin, header.PageID = protocol.Version, s.id, origin, pageID
	if header.Timestamp <= 0 || header.Timestamp > protocol.MaxSafeInteger {
		header.Timestamp = s.hub.nowMs()
	}
	k, known := kindOf[header.Type]
	body, err := encodeBody(message)
	if known && err == nil && len(body)-seqRoom <= s.hub.config.Limits.EventBytes {
		return k, body
	}
	s.hub.config.Log.Warn().Str("session", s.id).Int("page", pageID).Str("type", header.Type).Int("bytes", len(body)).Err(err).Msg("event replaced by a dropped notice")
	name := header.Type
	if !known {
		name = kinds[otherKind]
	}
	notice := &protocol.Dropped{Base: *header, Counts: map[string]int{name: 1}}
	notice.Type = protocol.TypeDropped
	body, err = encodeBody(notice)
	if err != nil {
		// Only the request id and frame id come from outside, and both are plain text.
		panic("session: a dropped notice cannot be encoded: " + err.Error())
	}
	return kindOf[protocol.TypeDropped], body
}

// append numbers an event, makes room and wakes the agents. s.mu is held.
func (s *Session) append(k kind, owner string, body []byte) *event {
	appended := *s.log.append(k, owner, body)
	s.touched = s.hub.config.Now()
	s.trim()
	for a := range s.agents {
		a.notify()
	}
	return &appended
}

// trim keeps the log within its bounds. What a connected agent has not read yet
// stays a little longer; one that is behind even that is cut off. s.mu is held.
func (s *Session) trim() {
	limits := &s.hub.config.Limits
	for s.log.len() > 1 && (s.log.len() > limits.LogEvents || s.log.bytes > limits.LogBytes) {
		oldest := s.log.at(s.log.first())
		roomy := s.log.len() <= limits.LogEvents+limits.QueueEvents && s.log.bytes <= limits.LogBytes+limits.QueueBytes
		needed := false
		for a := range s.agents {
			switch {
			case a.cursor > oldest.seq:
			case !a.wants(oldest):
				a.cursor = oldest.seq + 1
			case roomy:
				needed = true
			default:
				s.tooSlow++
				s.drop(a, ErrTooSlow)
			}
		}
		if needed {
			return
		}
		s.log.dropFirst()
	}
}

// drop ends an agent for a reason. s.mu is held.
func (s *Session) drop(a *Agent, reason error) {
	delete(s.agents, a)
	a.fail(reason)
}

func (s *Session) infos() []protocol.PageInfo {
	infos := make([]protocol.PageInfo, 0, len(s.pages))
	for _, p := range s.pages {
		info := p.snapshot()
		info.URL, info.Title = redact.URL(info.URL), redact.Text(info.Title)
		infos = append(infos, info)
	}
	sort.Slice(infos, func(i, j int) bool { return infos[i].PageID < infos[j].PageID })
	return infos
}

func (s *Session) agentNames() []AgentName {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]AgentName, 0, len(s.agents))
	for a := range s.agents {
		names = append(names, AgentName{ID: a.id, Name: a.name})
	}
	sort.Slice(names, func(i, j int) bool { return names[i].ID < names[j].ID })
	return names
}

func (s *Session) stats() SessionStats {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := SessionStats{
		ID: s.id, FirstSeq: s.log.first(), LastSeq: s.log.last, Events: s.log.len(), Bytes: s.log.bytes,
		Dropped: s.log.dropped.n, TooSlow: s.tooSlow, Known: len(s.ledger.commands), Pages: s.infos(), Agents: []AgentStats{},
	}
	for _, p := range s.pages {
		stats.Waiting += p.waiting()
	}
	for a := range s.agents {
		stats.Agents = append(stats.Agents, AgentStats{ID: a.id, Name: a.name, Level: a.level, Behind: s.log.last + 1 - a.cursor})
	}
	sort.Slice(stats.Agents, func(i, j int) bool { return stats.Agents[i].ID < stats.Agents[j].ID })
	return stats
}

// shut stops all commands and ends all agents.
func (s *Session) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pages {
		p.stopAll(errHubClosed)
	}
	for a := range s.agents {
		s.drop(a, ErrClosed)
	}
}
