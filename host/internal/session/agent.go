package session

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Reasons for which an agent's Next ends.
var (
	// ErrTooSlow ends an agent that fell behind the log and its queue (close 4408).
	ErrTooSlow = errors.New("the agent reads too slowly")
	// ErrClosed ends an agent because the daemon stops (close 1012).
	ErrClosed = errors.New("the session is closed")
	// ErrRefused ends an agent whose resume was not valid; the host_error comes before it (close 1008).
	ErrRefused = errors.New("the resume position is not valid")
	// errHubClosed is the cause of commands stopped with the daemon.
	errHubClosed = errors.New("the daemon stops")
)

// A batch is what one Next gives at most.
const (
	batchEvents = 256
	batchBytes  = 256 << 10
)

// Resume says from where an agent wants the log.
type Resume struct {
	Since uint64
	Epoch string // may be empty when Since is 0
}

// AttachOptions of an agent.
type AttachOptions struct {
	Name   string         // name of its token
	Level  protocol.Level // the most that its token allows; empty means control
	Resume *Resume        // nil: live only
	Types  []string       // only these types; empty: all
}

// Agent is one connection of an agent. Next and Receive may be called at the
// same time, each from one goroutine.
type Agent struct {
	session *Session
	id      string
	name    string
	level   protocol.Level
	filter  *[maxKinds]bool
	wake    chan struct{} // holds one token when there is something for Next
	failed  chan struct{} // closed when failure is set

	// Under session.mu:
	cursor  uint64   // next event to give
	private [][]byte // messages for this agent only; they go before events
	held    int      // bytes of private
	bounded bool     // private is; what every agent gets at first is not
	failure error
	given   int // requestIds that the host gave
	page    int // the page used last
	rawBusy int // raw CDP requests under way
	// CDP events that it subscribed to, by method or DOMAIN.*
	cdpEvents map[string]bool
}

// Attach adds an agent. What Next gives first is welcome, then hello,
// capabilities and the tree of each page, then a gap if there is one, then
// events: the log from the resume position on and, with nothing between, what is live.
func (s *Session) Attach(options AttachOptions) *Agent {
	if options.Level == "" {
		options.Level = protocol.Control
	}
	a := &Agent{
		session: s, id: s.hub.nextAgent(), name: options.Name, level: options.Level,
		wake: make(chan struct{}, 1), failed: make(chan struct{}),
	}
	if len(options.Types) > 0 {
		a.filter = new([maxKinds]bool)
		for _, name := range options.Types {
			if k, ok := kindOf[name]; ok {
				a.filter[k] = true
			}
		}
	}
	pages, gaps := s.join(a, options.Resume)
	trees := make(map[int]*protocol.UITree)
	for _, p := range pages {
		if holder, ok := p.exec.(TreeHolder); ok && a.passes(protocol.TypeUITree) {
			if tree, ok := holder.CurrentTree(); ok {
				copied := *tree
				copied.Base = protocol.Base{Type: protocol.TypeUITree, FrameID: tree.FrameID, Timestamp: tree.Timestamp}
				trees[p.info.PageID] = &copied
			}
		}
	}
	// The connection has not begun to read, so the order is that of these lines.
	for _, p := range pages {
		if a.passes(protocol.TypeHello) {
			a.tell(p.info.PageID, helloOf(&p.info))
		}
		if a.passes(protocol.TypeCapabilities) {
			a.tell(p.info.PageID, capabilitiesOf(&p.info))
		}
		if tree := trees[p.info.PageID]; tree != nil {
			a.tell(p.info.PageID, tree)
		}
	}
	for _, gap := range gaps {
		a.tell(0, gap)
	}
	s.mu.Lock()
	a.bounded = true
	s.mu.Unlock()
	s.hub.agentsChanged()
	return a
}

// attachedPage is a page as it was when an agent came.
type attachedPage struct {
	info protocol.PageInfo
	exec Executor
}

// join registers the agent: from here on nothing of the log can pass it by.
func (s *Session) join(a *Agent, resume *Resume) (pages []attachedPage, gaps []*protocol.Gap) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.touched = s.hub.config.Now()
	a.page = s.lastUsed[a.name]
	first, last := s.log.first(), s.log.last
	a.tellLocked(0, &protocol.Welcome{
		Base:        protocol.Base{Type: protocol.TypeWelcome},
		HostVersion: s.hub.config.HostVersion, AgentID: a.id, Epoch: s.hub.config.Epoch,
		FirstSeq: first, LastSeq: last, Pages: s.infos(),
	})
	a.cursor = last + 1
	if resume != nil {
		since := resume.Since
		switch {
		case resume.Epoch != "" && resume.Epoch != s.hub.config.Epoch:
			gaps = append(gaps, &protocol.Gap{Base: protocol.Base{Type: protocol.TypeGap}, Reason: protocol.GapEpochChanged, FromSeq: since + 1, Dropped: map[string]uint64{}})
			since = 0
		case since > last:
			a.tellLocked(0, hostError(fault.New(fault.ValidationError, "since=%d is beyond the last event, %d.", since, last).
				Suggest("Resume with the largest seq that you got, or leave since out for live events only."), ""))
			a.fail(ErrRefused)
			return nil, nil
		}
		a.cursor = since + 1
		if a.cursor < first {
			to := first - 1
			gaps = append(gaps, &protocol.Gap{Base: protocol.Base{Type: protocol.TypeGap}, Reason: protocol.GapExpired, FromSeq: a.cursor, ToSeq: &to, Dropped: s.log.dropped.since(a.cursor)})
			a.cursor = first
		}
	}
	if s.hub.ctx.Err() != nil || s.hub.isClosed() {
		a.fail(ErrClosed)
		return nil, nil
	}
	s.agents[a] = struct{}{}
	for _, p := range s.pages {
		pages = append(pages, attachedPage{p.snapshot(), p.exec})
	}
	sort.Slice(pages, func(i, j int) bool { return pages[i].info.PageID < pages[j].info.PageID })
	if len(gaps) > 0 {
		s.refresh()
	}
	return pages, gaps
}

// ID is the number of this connection.
func (a *Agent) ID() string { return a.id }

// Name is the name of the agent's token.
func (a *Agent) Name() string { return a.name }

// Failed is closed when Next will give nothing more but an error.
func (a *Agent) Failed() <-chan struct{} { return a.failed }

// Detach removes the agent. Its commands go on.
func (a *Agent) Detach() {
	s := a.session
	s.mu.Lock()
	s.drop(a, ErrClosed)
	a.private, a.held = nil, 0
	s.touched = s.hub.config.Now()
	s.mu.Unlock()
	s.hub.agentsChanged()
}

// Next waits for messages and gives them, encoded, in order. The bytes are
// shared and must not be changed. The error is that of ctx, ErrTooSlow,
// ErrRefused or ErrClosed.
func (a *Agent) Next(ctx context.Context) ([][]byte, error) {
	for {
		batch, err := a.take()
		if len(batch) > 0 || err != nil {
			return batch, err
		}
		select {
		case <-a.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (a *Agent) take() ([][]byte, error) {
	s := a.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(a.failure, ErrTooSlow) {
		return nil, a.failure
	}
	if len(a.private) > 0 {
		batch := a.private
		a.private, a.held = nil, 0
		a.notify()
		return batch, nil
	}
	if a.failure != nil {
		return nil, a.failure
	}
	var batch [][]byte
	for size := 0; a.cursor <= s.log.last && len(batch) < batchEvents && size < batchBytes; a.cursor++ {
		if e := s.log.at(a.cursor); a.wants(e) {
			batch = append(batch, e.data)
			size += len(e.data)
		}
	}
	if len(batch) > 0 {
		a.notify() // there may be more
	}
	return batch, nil
}

// wants applies the types filter; the agent's own results always pass.
func (a *Agent) wants(e *event) bool {
	return a.filter == nil || a.filter[e.kind] || (e.owner != "" && e.owner == a.name)
}

func (a *Agent) passes(messageType string) bool {
	return a.filter == nil || a.filter[kindOf[messageType]]
}

func (a *Agent) notify() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// fail ends the agent; the first reason stands. s.mu is held.
func (a *Agent) fail(reason error) {
	if a.failure == nil {
		a.failure = reason
		close(a.failed)
		a.notify()
	}
}

// tell sends a message to this agent only; it gets no number.
func (a *Agent) tell(pageID int, message protocol.Message) {
	a.session.mu.Lock()
	defer a.session.mu.Unlock()
	a.tellLocked(pageID, message)
}

func (a *Agent) tellLocked(pageID int, message protocol.Message) {
	header := message.Header()
	header.ProtocolVersion, header.SessionID, header.Origin, header.Seq = protocol.Version, a.session.id, protocol.OriginHost, 0
	if header.Type == protocol.TypeUITree {
		header.Origin = protocol.OriginApp
	}
	header.PageID = pageID
	if header.Timestamp <= 0 {
		header.Timestamp = a.session.hub.nowMs()
	}
	data, err := protocol.Encode(message)
	if err != nil {
		a.session.hub.config.Log.Error().Err(err).Str("type", header.Type).Msg("message for one agent cannot be encoded")
		return
	}
	a.push(redact.KnownJSON(data))
}

// push queues encoded bytes for this agent only. s.mu is held.
func (a *Agent) push(data []byte) {
	limits := &a.session.hub.config.Limits
	if a.failure != nil {
		return
	}
	if a.bounded && len(a.private) > 0 && (len(a.private) >= limits.QueueEvents || a.held+len(data) > max(limits.QueueBytes, limits.EventBytes)) {
		a.session.tooSlow++
		a.session.drop(a, ErrTooSlow)
		return
	}
	a.private = append(a.private, data)
	a.held += len(data)
	a.notify()
}

// hostError is the host's own error, for one agent or app.
func hostError(f *fault.Error, requestID string) *protocol.HostError {
	return &protocol.HostError{
		Base: protocol.Base{Type: protocol.TypeHostError, RequestID: requestID},
		Code: string(f.Code), Message: f.Message, Suggestions: f.Suggestions,
	}
}

// Refuse tells the agent of an error of the host.
func (a *Agent) Refuse(f *fault.Error, requestID string) { a.tell(0, hostError(f, requestID)) }

// Receive takes one message of the agent. It never blocks on a page.
func (a *Agent) Receive(data []byte) {
	command, err := protocol.Decode(data, a.session.hub.config.Commands)
	if err != nil {
		var refused *protocol.DecodeError
		errors.As(err, &refused)
		a.Refuse(fault.New(fault.Code(refused.Code), "%s", refused.Message), refused.RequestID)
		return
	}
	command.Received = a.session.hub.config.Now()
	command.AgentID, command.AgentName = a.id, a.name
	if command.SessionID != "" && command.SessionID != a.session.id {
		a.Refuse(fault.New(fault.ValidationError, "This connection is of session %q, not %q.", a.session.id, command.SessionID).
			Suggest("Leave sessionId out, or connect to the other session."), command.RequestID)
		return
	}
	command.SessionID = a.session.id
	switch command.Spec.Type {
	case protocol.TypeCancel:
		a.cancel(command)
	case protocol.TypeCDPRequest:
		a.rawCDP(command)
	case protocol.TypeCDPSubscribe:
		a.subscribe(command)
	default:
		a.submit(command)
	}
}

func (h *Hub) nextAgent() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.agents++
	return "a" + strconv.Itoa(h.agents)
}

// isClosed reports whether Close was called. Callers hold a session's lock, so
// the hub's own lock (which comes before it) must not be taken here.
func (h *Hub) isClosed() bool { return h.closing.Load() }

// giveRequestID names a command that came without a name. s.mu is held.
func (a *Agent) giveRequestID() string {
	a.given++
	return fmt.Sprintf("host-%s-%d", a.id, a.given)
}

// Err is why the agent failed, nil while it has not.
func (a *Agent) Err() error {
	a.session.mu.Lock()
	defer a.session.mu.Unlock()
	return a.failure
}
