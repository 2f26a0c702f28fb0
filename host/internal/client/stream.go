package client

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	// QueueLimit is how many commands may wait for a connection; Send blocks above it.
	QueueLimit = 1024

	closeRevoked = websocket.StatusCode(4401)

	firstPause = 50 * time.Millisecond
	maxPause   = time.Second
)

// EventKind says what happened on a Stream.
type EventKind int

// The kinds of Event.
const (
	Received  EventKind = iota // Raw is a message
	Sent                       // Raw is a command that was written
	Connected                  // a connection is open; its welcome follows
	Lost                       // the connection is gone, Err says why; another is being made
)

// Event is one thing that happened on a Stream, in order.
type Event struct {
	Kind   EventKind
	Raw    []byte
	Header Header // of Received
	Local  bool   // Received: made here, because no daemon can say it
	Unsent bool   // Received and Local: about a command that there was no Sent of
	Err    error
}

// Header is what a Stream reads of each message.
type Header struct {
	Type        string  `json:"type"`
	Seq         uint64  `json:"seq"`
	Epoch       string  `json:"epoch"`
	RequestID   string  `json:"requestId"`
	RequestType string  `json:"requestType"`
	AgentID     string  `json:"agentId"`
	Reason      string  `json:"reason"`
	ToSeq       *uint64 `json:"toSeq"`
	LastSeq     uint64  `json:"lastSeq"`
	Code        string  `json:"code"`
	Message     string  `json:"message"`
}

// Stream is an agent's connection that outlives daemons: it comes back with
// since and epoch, so that nothing is missed unsaid, and it never sends a
// command twice. A command accepted before a loss and written after it carries
// the epoch of before, so that another daemon answers INDETERMINATE instead of running it.
type Stream struct {
	opener  Opener
	options AttachOptions
	handle  func(Event)

	handleMu sync.Mutex

	queue   chan queued
	waiting chan struct{} // a command came while nothing was connected

	mu         sync.Mutex
	accepted   int     // commands in the queue or held
	held       *queued // taken from the queue, not yet written
	generation int     // counts connections; 0 while there is none
	count      int
	epoch      string // of since
	nextEpoch  string // welcome's, until the gap or the first event of it was delivered
	connEpoch  string // of the connection now
	since      uint64
	hasSince   bool
	refusal    *Header // last host_error, the reason of a close 1008
	largest    []byte  // largest command of this connection, the reason of a close 1009
}

type queued struct {
	line       []byte
	generation int
	epoch      string
}

// Opener makes one connection to a daemon; with start it may start one where none runs.
type Opener func(ctx context.Context, options AttachOptions, start bool) (*websocket.Conn, error)

// LocalOpener connects over the home's socket.
func LocalOpener(home *state.Home, ensure EnsureOptions) Opener {
	return func(ctx context.Context, options AttachOptions, start bool) (*websocket.Conn, error) {
		attach := func(c *Client) (*websocket.Conn, error) { return c.Attach(ctx, options) }
		if start {
			return Connect(ctx, home, ensure, attach)
		}
		client, err := Dial(ctx, home)
		if err != nil {
			return nil, err
		}
		defer client.Close()
		return attach(client)
	}
}

// NewStream prepares a stream. handle gets every event, one at a time; while it
// blocks nothing is read. It must not call Send or Refuse.
func NewStream(opener Opener, options AttachOptions, handle func(Event)) *Stream {
	s := &Stream{opener: opener, options: options, handle: handle, queue: make(chan queued, QueueLimit), waiting: make(chan struct{}, 1), epoch: options.Epoch}
	if options.Since != nil {
		s.since, s.hasSince = *options.Since, true
	}
	return s
}

// Send queues one command, one JSON text as it is. It blocks while QueueLimit commands wait.
func (s *Stream) Send(ctx context.Context, line []byte) error {
	if !utf8.Valid(line) {
		s.Refuse(fault.New(fault.ProtocolError, "the command is not valid UTF-8; it was not sent"))
		return nil
	}
	s.mu.Lock()
	s.accepted++
	item := queued{line: line, generation: s.generation}
	if s.generation != 0 {
		item.epoch = s.connEpoch
	}
	s.mu.Unlock()
	select {
	case s.queue <- item:
	case <-ctx.Done():
		s.mu.Lock()
		s.accepted--
		s.mu.Unlock()
		return ctx.Err()
	}
	select {
	case s.waiting <- struct{}{}:
	default:
	}
	return nil
}

// Refuse delivers a host_error about a command that cannot be sent.
func (s *Stream) Refuse(f *fault.Error) { s.local(f, nil, false) }

// Queued counts the commands that are accepted and not yet written.
func (s *Stream) Queued() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

// Run connects, and connects again, until ctx ends (nil) or the daemon refuses for good.
func (s *Stream) Run(ctx context.Context) error {
	conn, err := s.open(ctx, true)
	if err != nil {
		return err
	}
	for {
		err := s.serve(ctx, conn)
		if ctx.Err() != nil {
			return nil
		}
		if final := s.final(err); final != nil {
			return final
		}
		s.emit(Event{Kind: Lost, Err: err})
		if conn, err = s.reopen(ctx, websocket.CloseStatus(err) == websocket.StatusServiceRestart); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
}

// open makes one connection. Without start it does not start a daemon.
func (s *Stream) open(ctx context.Context, start bool) (*websocket.Conn, error) {
	options := s.options
	s.mu.Lock()
	if s.hasSince {
		since := s.since
		options.Since, options.Epoch = &since, s.epoch
	}
	s.mu.Unlock()
	return s.opener(ctx, options, start)
}

// reopen tries until it works. After a daemon that was stopped on purpose it
// waits for another to be started, or for a command that needs one.
func (s *Stream) reopen(ctx context.Context, stopped bool) (*websocket.Conn, error) {
	pause := firstPause
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		wake := s.waiting
		if !stopped {
			wake = nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-timer.C:
		case <-wake:
		}
		conn, err := s.open(ctx, !stopped || s.Queued() > 0)
		if err == nil {
			return conn, nil
		}
		switch fault.From(err).Code {
		case fault.ValidationError, fault.Unauthorized, fault.VersionMismatch, fault.FileAccessFailed:
			return nil, err
		}
		timer.Reset(pause/2 + rand.N(pause))
		pause = min(pause*2, maxPause)
	}
}

// serve uses one connection until it ends, and gives the reason.
func (s *Stream) serve(ctx context.Context, conn *websocket.Conn) error {
	defer conn.CloseNow()
	s.emit(Event{Kind: Connected})
	// Not ctx: its end asks for a proper close, a cancelled read would cut the line.
	connCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	welcomed := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() { s.write(connCtx, conn, welcomed) })
	group.Go(func() {
		select {
		case <-ctx.Done():
			conn.Close(websocket.StatusNormalClosure, "")
		case <-connCtx.Done():
		}
	})
	err := s.read(connCtx, conn, welcomed)
	s.mu.Lock()
	s.generation = 0
	s.mu.Unlock()
	cancel()
	group.Wait()
	return err
}

func (s *Stream) read(ctx context.Context, conn *websocket.Conn, welcomed chan struct{}) error {
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		if kind != websocket.MessageText {
			continue
		}
		var header Header
		if err := json.Unmarshal(data, &header); err != nil {
			// Not ours to judge: the agent sees what came.
			header = Header{}
		}
		s.emit(Event{Kind: Received, Raw: data, Header: header})
		if s.note(header) {
			close(welcomed)
		}
	}
}

// note keeps the place to come back to, once the message was delivered. It reports the connection's welcome.
func (s *Stream) note(h Header) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case h.Type == protocol.TypeWelcome && s.generation == 0:
		s.count++
		s.generation, s.connEpoch, s.nextEpoch, s.largest, s.refusal = s.count, h.Epoch, "", nil, nil
		switch {
		case s.epoch == "":
			s.epoch = h.Epoch
			if !s.hasSince {
				s.since, s.hasSince = h.LastSeq, true
			}
		case s.epoch != h.Epoch:
			s.nextEpoch = h.Epoch
		}
		return true
	case h.Type == protocol.TypeGap:
		if h.Reason == protocol.GapEpochChanged {
			s.epoch, s.nextEpoch, s.since = s.connEpoch, "", 0
		} else if h.ToSeq != nil {
			s.since = *h.ToSeq
		}
	case h.Type == protocol.TypeHostError:
		s.refusal = &h
	}
	if h.Seq > 0 {
		if s.nextEpoch != "" {
			s.epoch, s.nextEpoch = s.nextEpoch, ""
		}
		s.since = h.Seq
	}
	return false
}

func (s *Stream) write(ctx context.Context, conn *websocket.Conn, welcomed <-chan struct{}) {
	select {
	case <-welcomed:
	case <-ctx.Done():
		return
	}
	for {
		item, ok := s.next(ctx)
		if !ok {
			return
		}
		s.mu.Lock()
		line := item.line
		if item.epoch != "" && item.generation != s.count {
			line = withField(line, "epoch", item.epoch)
		}
		if len(line) > len(s.largest) {
			s.largest = line
		}
		s.mu.Unlock()
		// Told before it is written, so that its answer cannot come first.
		s.emit(Event{Kind: Sent, Raw: line})
		s.mu.Lock()
		s.held = nil
		s.accepted--
		s.mu.Unlock()
		if err := conn.Write(ctx, websocket.MessageText, line); err != nil {
			s.local(fault.New(fault.Indeterminate, "the connection broke while the command was sent; nobody knows whether it ran"), line, true)
			return
		}
	}
}

// next takes the command to write. One that was taken when the connection broke is the first of the next connection.
func (s *Stream) next(ctx context.Context) (queued, bool) {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held == nil {
		select {
		case <-ctx.Done():
			return queued{}, false
		case item := <-s.queue:
			held = &item
			s.mu.Lock()
			s.held = held
			s.mu.Unlock()
		}
	}
	return *held, ctx.Err() == nil
}

// final tells the ends that no new connection can cure.
func (s *Stream) final(err error) error {
	s.mu.Lock()
	refusal, largest := s.refusal, s.largest
	s.mu.Unlock()
	switch websocket.CloseStatus(err) {
	case closeRevoked:
		return fault.New(fault.Unauthorized, "the token of this connection was revoked").Because(err)
	case websocket.StatusPolicyViolation:
		var closed websocket.CloseError
		errors.As(err, &closed)
		if refusal != nil {
			return fault.New(fault.Code(refusal.Code), "%s", refusal.Message).Because(err)
		}
		return fault.New(fault.PolicyDenied, "the daemon closed the connection: %s", closed.Reason).Because(err)
	case websocket.StatusMessageTooBig:
		s.local(fault.New(fault.ValidationError, "the command of %d bytes is larger than the daemon takes; it did not run", len(largest)), largest, true)
	}
	return nil
}

// local delivers a host_error that no daemon can send, because it is about the way to the daemon.
func (s *Stream) local(f *fault.Error, line []byte, sent bool) {
	var about struct {
		RequestID string `json:"requestId"`
	}
	// A line that does not parse has no requestId to name.
	_ = json.Unmarshal(line, &about)
	message := protocol.HostError{
		Base:        protocol.Base{ProtocolVersion: protocol.Version, Type: protocol.TypeHostError, Origin: protocol.OriginHost, Timestamp: time.Now().UnixMilli(), RequestID: about.RequestID},
		Code:        string(f.Code),
		Message:     f.Message,
		Suggestions: f.Suggestions,
	}
	raw, err := json.Marshal(&message)
	if err != nil {
		return
	}
	s.emit(Event{Kind: Received, Raw: raw, Local: true, Unsent: !sent, Header: Header{Type: message.Type, RequestID: message.RequestID, Code: message.Code, Message: message.Message}})
}

func (s *Stream) emit(event Event) {
	s.handleMu.Lock()
	defer s.handleMu.Unlock()
	s.handle(event)
}
