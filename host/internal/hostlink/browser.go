package hostlink

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// HelloInfo is what the extension says of itself.
type HelloInfo struct {
	LinkVersion      int    `json:"linkVersion"`
	ExtensionVersion string `json:"extensionVersion"`
	InstanceID       string `json:"instanceId"`
	InstallID        string `json:"installId"`
	Name             string `json:"name"`
	Browser          string `json:"browser"`
	UserAgent        string `json:"userAgent"`
	Epoch            string `json:"epoch"`
	Life             string `json:"life"` // of the last welcome it got
	Received         uint64 `json:"received"`
}

// Browser is one link instance: one life of an extension's service worker. It
// survives dropped connections for the grace time, and is done for good when
// that passes, when another instance of the same installation takes its place,
// or when the server closes.
type Browser struct {
	server *Server
	id     string
	life   string // tells it from other instances of this daemon
	hello  HelloInfo
	done   chan struct{}
	ctx    context.Context // ends with the instance; requests of the extension run under it
	cancel context.CancelFunc

	mu       sync.Mutex
	ep       *endpoint
	conn     *connection // nil while away
	ended    bool
	why      string // why it is away or ended
	calls    map[string]*call
	lastCall uint64
	grace    *time.Timer
	heard    time.Time
	inbox    inbox
	running  int // requests being answered
}

// call waits for one response.
type call struct {
	op      string
	message *message
	answer  chan answer                 // holds one
	then    func(jsontext.Value, error) // instead of answer
}

// settle hands the answer on; what is to be called when the browser's lock, which is
// held, is free again comes back.
func (c *call) settle(got answer) (then func()) {
	if c.then == nil {
		c.answer <- got
		return func() {}
	}
	return func() { c.then(got.payload, got.err) }
}

type answer struct {
	payload jsontext.Value
	err     error
}

// ID names the installation of the extension: the same over restarts of its worker, of the browser and of the daemon.
func (b *Browser) ID() string { return b.id }

// Hello is what the extension said of itself, with its last connection.
func (b *Browser) Hello() HelloInfo {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hello
}

// Done is closed when the instance has ended for good.
func (b *Browser) Done() <-chan struct{} { return b.done }

// Away reports whether the connection is down at the moment (or for good).
func (b *Browser) Away() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.conn == nil
}

// Call sends a request and waits for its response. All events that the
// extension sent before the response have been handled when Call returns.
//
// The error is a *fault.Error: the extension's own; BUSY when too much waits
// already; EXTENSION_NOT_CONNECTED (details.dispatched false) when the link
// ended before the request left; INDETERMINATE (dispatched true) when it ended,
// or ctx's deadline passed, after that; TIMEOUT or CANCELLED when ctx ended
// before it left; CANCELLED when ctx was cancelled after it.
func (b *Browser) Call(ctx context.Context, op string, payload any) (jsontext.Value, error) {
	return b.CallDispatched(ctx, op, payload, nil)
}

// CallDispatched is Call with a function that is called at most once, right
// before the request leaves. It must not block.
func (b *Browser) CallDispatched(ctx context.Context, op string, payload any, dispatched func()) (jsontext.Value, error) {
	data, err := encodePayload(payload)
	if err != nil {
		return nil, err
	}
	waiting := &call{op: op, message: &message{onDispatch: dispatched}, answer: make(chan answer, 1)}
	b.mu.Lock()
	b.lastCall++
	id := "r" + strconv.FormatUint(b.lastCall, 10)
	if err := b.enqueue(waiting.message, &nativemsg.Envelope{Kind: nativemsg.Request, ID: id, Op: op, Payload: data}, true); err != nil {
		b.mu.Unlock()
		return nil, err
	}
	b.calls[id] = waiting
	b.mu.Unlock()

	select {
	case got := <-waiting.answer:
		return got.payload, got.err
	case <-ctx.Done():
		return b.giveUp(ctx, id, waiting)
	}
}

// Start sends a request whose response nobody waits for: then is called with it once,
// in the order in which the extension sent events and responses. then must not block
// and must not Call. A request that could not be queued is the error, and then is not called.
func (b *Browser) Start(op string, payload any, then func(jsontext.Value, error)) error {
	data, err := encodePayload(payload)
	if err != nil {
		return err
	}
	waiting := &call{op: op, message: &message{}, then: then}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastCall++
	id := "r" + strconv.FormatUint(b.lastCall, 10)
	if err := b.enqueue(waiting.message, &nativemsg.Envelope{Kind: nativemsg.Request, ID: id, Op: op, Payload: data}, true); err != nil {
		return err
	}
	b.calls[id] = waiting
	return nil
}

// giveUp ends a call whose context ended.
func (b *Browser) giveUp(ctx context.Context, id string, waiting *call) (jsontext.Value, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case got := <-waiting.answer: // it came in this moment
		return got.payload, got.err
	default:
	}
	delete(b.calls, id)
	// A message cut into chunks runs only with its last one.
	dispatched := !b.ep.withdraw(waiting.message) && waiting.message.dispatched
	deadline := errors.Is(ctx.Err(), context.DeadlineExceeded)
	var f *fault.Error
	switch {
	case !dispatched && b.conn == nil:
		f = notConnected(waiting.op, b.why)
	case deadline && dispatched:
		f = indeterminate(waiting.op, "the deadline passed")
	case deadline:
		f = fault.New(fault.Timeout, "%s: the time limit passed before it could be sent.", waiting.op)
	default:
		f = fault.New(fault.Cancelled, "%s was cancelled.", waiting.op)
	}
	return nil, f.With("dispatched", dispatched).Because(ctx.Err())
}

// Notify sends an event. It does not wait: the error says only that it could
// not be queued (BUSY, EXTENSION_NOT_CONNECTED, RESULT_TOO_LARGE). While the
// browser is away events are kept for its return.
func (b *Browser) Notify(op string, payload any) error {
	data, err := encodePayload(payload)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.enqueue(&message{}, &nativemsg.Envelope{Kind: nativemsg.Event, Op: op, Payload: data}, true)
}

// enqueue puts a message into the queue; bounded ones are refused when it is full. b.mu is held.
func (b *Browser) enqueue(m *message, envelope *nativemsg.Envelope, bounded bool) error {
	if b.ended {
		return notConnected(envelope.Op, b.why)
	}
	if bounded && b.ep.waiting >= maxBacklog {
		b.ep.stats.busy++
		return fault.New(fault.Busy, "%s was not sent: %d bytes wait for the browser already.", envelope.Op, b.ep.waiting).
			With("dispatched", false)
	}
	body, err := envelope.Body()
	if err != nil {
		return fault.New(fault.InternalError, "%s cannot be encoded: %v", envelope.Op, err).Because(err)
	}
	if len(body)+2 > nativemsg.MaxMessage {
		return tooLarge(envelope.Op, len(body)+2)
	}
	m.body = body
	b.ep.push(m)
	b.wake()
	return nil
}

// respond answers a request of the extension.
func (b *Browser) respond(id string, result any, err error) {
	envelope := &nativemsg.Envelope{Kind: nativemsg.Response, ID: id}
	if err == nil {
		envelope.Payload, err = encodePayload(result)
	}
	if err != nil {
		envelope.Payload, envelope.Error = nil, toWire(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.enqueue(&message{}, envelope, false); err != nil && !b.ended {
		// The result did not fit; an error does.
		_ = b.enqueue(&message{}, &nativemsg.Envelope{Kind: nativemsg.Response, ID: id, Error: toWire(err)}, false)
	}
}

// SetWindow sets how many bytes the extension may have outstanding, at most
// the default of 16 MiB; 0 stops it. What it has not sent yet it keeps.
func (b *Browser) SetWindow(bytes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ep.window = min(int64(max(bytes, 0)), windowFromBrowser)
	b.ep.ackNow = true
	b.wake()
}

// Stats are counts of one link instance, over all of its connections.
type Stats struct {
	Connected     bool      `json:"connected"`
	LastHeard     time.Time `json:"lastHeard"`
	FramesIn      uint64    `json:"framesIn"`
	FramesOut     uint64    `json:"framesOut"`
	BytesIn       uint64    `json:"bytesIn"`
	BytesOut      uint64    `json:"bytesOut"`
	Resent        uint64    `json:"resent"`        // frames sent again
	Duplicates    uint64    `json:"duplicates"`    // frames that had come before
	Holes         uint64    `json:"holes"`         // frames dropped because one before them was missing
	BadChunks     uint64    `json:"badChunks"`     // refused or expired pieces
	Busy          uint64    `json:"busy"`          // calls and events refused because the queue was full
	LateResponses uint64    `json:"lateResponses"` // answers that nobody waited for any more
	PeerDropped   uint64    `json:"peerDropped"`   // messages that the extension could not send and said so
	Waiting       int64     `json:"waiting"`       // bytes waiting for credit
	Unacked       int       `json:"unacked"`       // frames that the peer has not acknowledged
	Inbox         int64     `json:"inbox"`         // bytes waiting to be handled
	Credit        int64     `json:"credit"`        // the peer's window
	Window        int64     `json:"window"`        // ours
	Calls         int       `json:"calls"`         // waiting for an answer
}

// Stats gives the counts at this moment.
func (b *Browser) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.ep.stats
	return Stats{Connected: b.conn != nil, LastHeard: b.heard, FramesIn: s.framesIn, FramesOut: s.framesOut, BytesIn: s.bytesIn,
		BytesOut: s.bytesOut, Resent: s.resent, Duplicates: s.duplicates, Holes: s.holes, BadChunks: s.badChunks, Busy: s.busy,
		LateResponses: s.lateResponses, PeerDropped: s.peerDropped, Waiting: b.ep.waiting, Unacked: len(b.ep.numbered),
		Inbox: b.ep.inbox, Credit: b.ep.credit, Window: b.ep.ownWindow(), Calls: len(b.calls)}
}

// wake makes the writer look again. b.mu is held.
func (b *Browser) wake() {
	if b.conn != nil {
		b.conn.wakeUp()
	}
}

// end finishes the instance for good: all that waits fails at once.
func (b *Browser) end(why string) {
	b.mu.Lock()
	if b.ended {
		b.mu.Unlock()
		return
	}
	b.ended, b.why = true, why
	conn := b.conn
	b.conn = nil
	if b.grace != nil {
		b.grace.Stop()
	}
	if conn != nil {
		b.inbox.push(item{disconnected: why})
	}
	var then []func()
	for id, waiting := range b.calls {
		delete(b.calls, id)
		if waiting.message.dispatched {
			then = append(then, waiting.settle(answer{err: indeterminate(waiting.op, why)}))
		} else {
			then = append(then, waiting.settle(answer{err: notConnected(waiting.op, why)}))
		}
	}
	b.ep.numbered, b.ep.backlog, b.ep.cursor, b.ep.waiting, b.ep.out = nil, nil, 0, 0, 0
	b.inbox.close()
	b.mu.Unlock()
	for _, call := range then {
		call()
	}
	b.cancel()
}
