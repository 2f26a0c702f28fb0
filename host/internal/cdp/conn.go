package cdp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const (
	defaultTimeout    = 30 * time.Second // for a call whose context has no deadline
	defaultMaxPending = 4096             // calls in flight; the next one is BUSY
)

// Event is one event of the browser. Params is part of the message: keep a copy of
// what you need of a large one, not the whole.
type Event struct {
	SessionID string
	Method    string
	Params    jsontext.Value
}

// Options of a connection.
type Options struct {
	// OnEvent gets every event, in order, from the goroutine that reads. It must
	// not block, nor make a call and wait for it, nor close the connection.
	OnEvent func(Event)
	Log     zerolog.Logger
	// MaxPending is how many calls may be in flight; 0 is 4096.
	MaxPending int
}

// Conn is a DevTools connection. Its methods may be used by many goroutines.
type Conn struct {
	transport  Transport
	onEvent    func(Event)
	log        zerolog.Logger
	maxPending int
	outbox     chan *call // as long as maxPending
	done       chan struct{}
	stopped    chan struct{} // the owner wants no more: pumps end
	stop       sync.Once
	routines   sync.WaitGroup

	sent          atomic.Uint64
	mu            sync.Mutex
	lastID        uint64
	pending       map[uint64]*call
	subscriptions map[subject][]*subscription
	diverted      map[string]func(Event) // by session
	err           error
	stats         Stats
}

// Stats counts what a connection did and what it gave up.
type Stats struct {
	Calls, Events  uint64
	Sent           uint64 // calls that the writer took
	Pending        int
	LateAnswers    uint64 // answers to calls that were given up
	Complaints     uint64 // messages of the browser that answer no call and are no event
	EndedByBacklog uint64 // subscriptions whose reader was too slow
}

// subject is what a subscription is for.
type subject struct{ session, method string }

// NewConn takes the transport over and begins to read.
func NewConn(t Transport, o Options) *Conn {
	c := &Conn{
		transport: t, onEvent: o.OnEvent, log: o.Log, maxPending: o.MaxPending,
		done: make(chan struct{}), stopped: make(chan struct{}),
		pending: make(map[uint64]*call), subscriptions: make(map[subject][]*subscription), diverted: make(map[string]func(Event)),
	}
	if c.maxPending <= 0 {
		c.maxPending = defaultMaxPending
	}
	c.outbox = make(chan *call, c.maxPending)
	c.routines.Add(2)
	go c.read()
	go c.write()
	return c
}

// Session gives the handle of a session; "" is the browser itself. No call is made.
func (c *Conn) Session(id string) *Session { return &Session{conn: c, id: id} }

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says why the connection ended; nil while it lives. ErrClosed is in its chain.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Stats gives the counts of now.
func (c *Conn) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := c.stats
	stats.Sent = c.sent.Load()
	stats.Pending = len(c.pending)
	return stats
}

// Close ends the connection and waits until its goroutines are done.
func (c *Conn) Close() error {
	c.fail(ErrClosed)
	c.stop.Do(func() { close(c.stopped) })
	c.routines.Wait()
	return nil
}

// Detached fails the calls in flight of a session and ends its subscriptions,
// because no answer comes any more. With a nil reason they get CDP_DISCONNECTED;
// ErrDetached is in the chain in any case.
func (c *Conn) Detached(id string, reason error) {
	c.mu.Lock()
	var failed []*call
	for number, waiting := range c.pending {
		if waiting.session == id {
			delete(c.pending, number)
			failed = append(failed, waiting)
		}
	}
	var ended []*subscription
	for about, list := range c.subscriptions {
		if about.session == id {
			delete(c.subscriptions, about)
			ended = append(ended, list...)
		}
	}
	c.mu.Unlock()
	for _, waiting := range failed {
		waiting.settle(answer{err: detachedFault(waiting.method, reason)})
	}
	for _, s := range ended {
		s.end()
	}
}

func (c *Conn) read() {
	defer c.routines.Done()
	for {
		message, err := c.transport.Read()
		if err != nil {
			c.fail(fmt.Errorf("%w: %w", ErrClosed, err))
			return
		}
		e, err := open(message)
		if err != nil {
			c.fail(fmt.Errorf("%w: %w: %.80q", ErrClosed, err, message))
			return
		}
		switch {
		case e.hasID:
			c.settle(e)
		case e.method != "":
			c.publish(Event{SessionID: e.session, Method: e.method, Params: e.params})
		default:
			c.complaint(e)
		}
	}
}

// settle gives an answer to the call that waits for it.
func (c *Conn) settle(e envelope) {
	c.mu.Lock()
	waiting, ok := c.pending[e.id]
	if !ok {
		c.stats.LateAnswers++
		c.mu.Unlock()
		return
	}
	delete(c.pending, e.id)
	c.mu.Unlock()
	if e.failure == nil {
		waiting.settle(answer{result: e.result})
		return
	}
	if waiting.then != nil {
		waiting.settle(answer{failure: e.failure})
		return
	}
	waiting.settle(answer{err: fmt.Errorf("%s: %w", waiting.method, failure(e.failure))})
}

// failure reads the browser's error. Its data is a string in practice; whatever
// else it is stays as JSON text.
func failure(value jsontext.Value) Error {
	var wire struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if err := Unmarshal(value, &wire); err != nil {
		return Error{Message: "the browser's error cannot be read", Data: string(value)}
	}
	e := Error{Code: wire.Code, Message: wire.Message}
	if len(wire.Data) > 0 && Unmarshal(wire.Data, &e.Data) != nil {
		e.Data = string(wire.Data)
	}
	return e
}

func (c *Conn) publish(e Event) {
	if c.divert(e) {
		return
	}
	if c.onEvent != nil {
		c.onEvent(e)
	}
	c.mu.Lock()
	c.stats.Events++
	list := c.subscriptions[subject{e.SessionID, e.Method}]
	var slow []*subscription
	for _, s := range list {
		if !s.deliver(e.Params) {
			slow = append(slow, s)
		}
	}
	for _, s := range slow {
		c.stats.EndedByBacklog++
		c.forgetLocked(s)
	}
	c.mu.Unlock()
	for _, s := range slow {
		c.log.Warn().Str("method", e.Method).Str("session", e.SessionID).Msg("a subscription was ended: its reader is too slow")
		s.end()
	}
}

// complaint is the browser's word on a message that it could not read: no call of
// ours is known to it, so there is none to fail.
func (c *Conn) complaint(e envelope) {
	c.mu.Lock()
	c.stats.Complaints++
	c.mu.Unlock()
	c.log.Warn().Str("error", string(e.failure)).Msg("the browser sent a message that is no answer and no event")
}

// fail ends the connection once: every call in flight fails, subscriptions end
// after what is queued, the transport is closed.
func (c *Conn) fail(reason error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = reason
	pending, subscriptions := c.pending, c.subscriptions
	c.pending, c.subscriptions, c.diverted = nil, nil, nil
	c.mu.Unlock()
	_ = c.transport.Close() // also unblocks the reader and the writer; there is nobody to tell of its error
	for _, waiting := range pending {
		waiting.settle(answer{err: closedFault(waiting.method, waiting.state.Load() == stateSent, reason)})
	}
	for _, list := range subscriptions {
		for _, s := range list {
			s.end()
		}
	}
	close(c.done)
}

// admit registers a call. The fault says that nothing was sent.
func (c *Conn) admit(waiting *call) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return closedFault(waiting.method, false, c.err)
	}
	if len(c.pending) >= c.maxPending {
		return fault.New(fault.Busy, "%d DevTools calls are in flight", len(c.pending)).With("method", waiting.method).With("dispatched", false)
	}
	// One page that answers nothing does not use up what the browser and the others need.
	if share := c.maxPending / 2; waiting.session != "" && len(c.pending) >= share {
		own := 0
		for _, other := range c.pending {
			if other.session == waiting.session {
				own++
			}
		}
		if own >= share {
			return fault.New(fault.Busy, "%d DevTools calls to this page are in flight", own).With("method", waiting.method).With("dispatched", false)
		}
	}
	c.lastID++
	c.stats.Calls++
	waiting.id = c.lastID
	c.pending[waiting.id] = waiting
	return nil
}

// drop takes a call back; false when its answer is on the way already.
func (c *Conn) drop(waiting *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.pending[waiting.id]
	delete(c.pending, waiting.id)
	return ok
}

func (c *Conn) write() {
	defer c.routines.Done()
	for {
		select {
		case next := <-c.outbox:
			if !next.state.CompareAndSwap(stateQueued, stateSent) {
				continue // given up before it was sent
			}
			c.sent.Add(1)
			if err := c.transport.Write(next.message); err != nil {
				c.fail(fmt.Errorf("%w: %w", ErrClosed, err))
				return
			}
			next.message = nil
		case <-c.done:
			return
		}
	}
}

var errNoDeadline = fmt.Errorf("the default time limit of %s passed: %w", defaultTimeout, context.DeadlineExceeded)
