package session

import (
	"context"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Config of a Hub.
type Config struct {
	Epoch       string // random, new at each start of the daemon
	HostVersion string
	Now         func() time.Time // time.Now when nil
	Limits      Limits
	// Commands finds commands beyond the protocol's own; nil knows none. Their
	// parameters are Self.
	Commands func(commandType string) (*protocol.CommandSpec, bool)
	// Guard is asked, in its turn on the page, before an agent's command of the protocol
	// and before raw CDP; an error refuses it. It may change cmd, and done, which is not
	// nil, is told what became of it. Commands that are Self see to it themselves. nil
	// permits all.
	Guard func(ctx context.Context, exec Executor, cmd *protocol.Command) (done func(*Outcome, error), err error)
	// Refused is told of a command that came to no guard: the page, nil where none was
	// found, does not permit it, or the agent's token. It must not block. May be nil.
	Refused func(cmd *protocol.Command, page *protocol.PageInfo, err error)
	Log     zerolog.Logger
}

// Hub owns all sessions of a daemon. Its methods may be called from anywhere.
type Hub struct {
	config Config
	ctx    context.Context
	stop   context.CancelFunc
	work   sync.WaitGroup // every goroutine of the hub

	mu       sync.Mutex
	sessions map[string]*Session
	pages    int // last pageId
	agents   int // last agent number
	onAgents func()
	closing  atomic.Bool
}

// janitorPeriod is how often finished commands and idle sessions are looked through.
const janitorPeriod = time.Minute

// NewHub starts a hub; Close ends it.
func NewHub(config Config) *Hub {
	if config.Now == nil {
		config.Now = time.Now
	}
	config.Limits = config.Limits.orDefaults()
	h := &Hub{config: config, sessions: make(map[string]*Session)}
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.work.Go(h.tidy)
	return h
}

// Close ends all commands and agents, and returns when nothing of the hub runs any more.
func (h *Hub) Close() {
	h.closing.Store(true)
	for _, s := range h.list() {
		s.shut()
	}
	h.stop()
	h.work.Wait()
}

// guarded runs work on a page if the guards permit it.
func (h *Hub) guarded(ctx context.Context, exec Executor, cmd *protocol.Command, work func() (Outcome, error)) (Outcome, error) {
	if h.config.Guard == nil {
		return work()
	}
	done, err := h.config.Guard(ctx, exec, cmd)
	if err != nil {
		return Outcome{}, err
	}
	out, err := work()
	done(&out, err)
	return out, err
}

// Epoch identifies this run of the daemon.
func (h *Hub) Epoch() string { return h.config.Epoch }

// HostVersion is what a welcome says.
func (h *Hub) HostVersion() string { return h.config.HostVersion }

// Open gives the session of a name, new or old. The name must match
// protocol.SessionIDPattern. Use it at once: one that stays without pages,
// agents and events for Limits.Idle may be forgotten.
func (h *Hub) Open(id string) *Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.sessions[id]
	if !ok {
		s = newSession(h, id)
		h.sessions[id] = s
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched = h.config.Now()
	return s
}

// OnAgents sets what is called, without locks held, after an agent came or went.
func (h *Hub) OnAgents(changed func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.onAgents = changed
}

func (h *Hub) agentsChanged() {
	h.mu.Lock()
	changed := h.onAgents
	h.mu.Unlock()
	if changed != nil {
		changed()
	}
}

func (h *Hub) nextPage() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pages++
	return h.pages
}

func (h *Hub) nowMs() int64 { return h.config.Now().UnixMilli() }

// list gives the sessions by name.
func (h *Hub) list() []*Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*Session, 0, len(h.sessions))
	for _, s := range h.sessions {
		all = append(all, s)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	return all
}

// tidy forgets finished commands in time, and gives back the memory of idle sessions.
func (h *Hub) tidy() {
	ticker := time.NewTicker(janitorPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-ticker.C:
		}
		for _, s := range h.list() {
			s.forgetIfIdle()
		}
	}
}

// forgetIfIdle drops what an unused session holds. A session that never had an
// event goes wholly; any other keeps its numbering and the count of what it
// dropped, because an agent may still come back with a number of this epoch.
func (s *Session) forgetIfIdle() {
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger.purge(h.config.Now())
	if s.busy() || h.config.Now().Sub(s.touched) < h.config.Limits.Idle {
		return
	}
	for s.log.len() > 0 {
		s.log.dropFirst()
	}
	clear(s.gone)
	clear(s.lastUsed)
	if s.log.last == 0 {
		delete(h.sessions, s.id)
	}
}

// SessionAgents names the agents of one session, as the popup shows them.
type SessionAgents struct {
	ID     string      `json:"id"`
	Agents []AgentName `json:"agents"`
}

// AgentName is one connected agent.
type AgentName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Agents lists the sessions that have agents.
func (h *Hub) Agents() []SessionAgents {
	var all []SessionAgents
	for _, s := range h.list() {
		if names := s.agentNames(); len(names) > 0 {
			all = append(all, SessionAgents{ID: s.id, Agents: names})
		}
	}
	return all
}

// SessionStats is what daemon status shows of one session.
type SessionStats struct {
	ID       string              `json:"id"`
	FirstSeq uint64              `json:"firstSeq"`
	LastSeq  uint64              `json:"lastSeq"`
	Events   int                 `json:"events"`
	Bytes    int                 `json:"bytes"`
	Dropped  uint64              `json:"dropped"` // events that left the log
	TooSlow  uint64              `json:"tooSlow"` // agents closed with 4408
	Waiting  int                 `json:"waiting"` // commands queued or running
	Known    int                 `json:"known"`   // commands known by their requestId
	Pages    []protocol.PageInfo `json:"pages"`
	Agents   []AgentStats        `json:"agents"`
}

// AgentStats is what daemon status shows of one agent.
type AgentStats struct {
	ID     string         `json:"id"`
	Name   string         `json:"name"`
	Level  protocol.Level `json:"level"`
	Behind uint64         `json:"behind"` // events not yet given to its connection
}

// Stats lists all sessions by name.
func (h *Hub) Stats() []SessionStats {
	all := []SessionStats{}
	for _, s := range h.list() {
		all = append(all, s.stats())
	}
	return all
}
