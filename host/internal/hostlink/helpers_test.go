package hostlink

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

func TestMain(m *testing.M) {
	if helperProcess() {
		return
	}
	flag.Parse()
	// More schedules than rapid's 100 unless the command line says otherwise.
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		if err := flag.Set("rapid.checks", "1000"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// memConn is one end of a connection in memory without any buffer.
type memConn struct {
	in, out chan []byte
	gone    chan struct{}
	close   *sync.Once
}

func memPipe() (a, b *memConn) {
	ab, ba, gone, once := make(chan []byte), make(chan []byte), make(chan struct{}), &sync.Once{}
	return &memConn{ba, ab, gone, once}, &memConn{ab, ba, gone, once}
}

func (c *memConn) Read(ctx context.Context) ([]byte, error) {
	select {
	case message := <-c.in:
		return message, nil
	case <-c.gone:
		// What was written before the end is read before it, as from a socket.
		select {
		case message := <-c.in:
			return message, nil
		default:
			return nil, io.EOF
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *memConn) Write(ctx context.Context, message []byte) error {
	select {
	case c.out <- slices.Clone(message):
		return nil
	case <-c.gone:
		return io.ErrClosedPipe
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *memConn) Close(string) error {
	c.close.Do(func() { close(c.gone) })
	return nil
}

// recorder is a Handler that notes what it is told, and echoes requests.
type recorder struct {
	mu      sync.Mutex
	events  []string // "op payload"
	steps   []string // connections and events, in order
	browser *Browser
	changed chan struct{}
	// patience is how long await waits; by default much virtual time.
	patience time.Duration
	onEvent  func(b *Browser, op string, payload jsontext.Value)
	onAsk    func(ctx context.Context, op string, payload jsontext.Value) (any, error)
}

func newRecorder() *recorder { return &recorder{changed: make(chan struct{}, 1)} }

func (r *recorder) note(step string, b *Browser) {
	r.mu.Lock()
	r.steps = append(r.steps, step)
	r.browser = b
	r.mu.Unlock()
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

func (r *recorder) Connected(b *Browser, resumed bool) {
	r.note(fmt.Sprintf("connected resumed=%v", resumed), b)
}
func (r *recorder) Disconnected(b *Browser, reason string) { r.note("disconnected", b) }
func (r *recorder) Event(b *Browser, op string, payload jsontext.Value) {
	if r.onEvent != nil {
		r.onEvent(b, op, payload)
	}
	r.mu.Lock()
	r.events = append(r.events, op+" "+string(payload))
	r.mu.Unlock()
	r.note(op, b)
}

func (r *recorder) Request(ctx context.Context, b *Browser, op string, payload jsontext.Value) (any, error) {
	if r.onAsk != nil {
		return r.onAsk(ctx, op, payload)
	}
	if op != "echo" {
		return nil, UnknownOp(op)
	}
	return payload, nil
}

func (r *recorder) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.events)
}

// await waits until done is true of what the recorder has seen.
func (r *recorder) await(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.NewTimer(cmp.Or(r.patience, 10*time.Minute))
	defer deadline.Stop()
	for {
		r.mu.Lock()
		ok := done()
		r.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-r.changed:
		case <-time.After(100 * time.Millisecond): // done may look at more than the recorder
		case <-deadline.C:
			r.mu.Lock()
			defer r.mu.Unlock()
			t.Fatalf("still waiting for %s; %d events, steps end with %v", what, len(r.events), r.steps[max(0, len(r.steps)-5):])
		}
	}
}

func (r *recorder) awaitSteps(t *testing.T, want ...string) *Browser {
	t.Helper()
	r.await(t, fmt.Sprint(want), func() bool { return len(r.steps) >= len(want) })
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Equal(r.steps[:len(want)], want) {
		t.Fatalf("steps %v, want %v", r.steps, want)
	}
	return r.browser
}

func testServer(t *testing.T, handler Handler) *Server {
	t.Helper()
	server := NewServer(ServerConfig{Epoch: "epoch1", HostVersion: "0.1.0", Handler: handler, Log: zerolog.New(io.Discard)})
	t.Cleanup(server.Close)
	return server
}

// peer is an extension made of the same endpoint, for tests of the daemon's end without a browser.
type peer struct {
	t     *testing.T
	hello HelloInfo
	// wire changes what passes on the connection: it gives the frames to pass instead.
	toHost, toPeer func(frame []byte) [][]byte
	answer         func(op string, payload jsontext.Value) (any, error)
	mute           bool // acknowledges and answers nothing

	mu      sync.Mutex
	ep      *endpoint
	events  []string
	answers map[string]*nativemsg.Envelope
	welcome welcome
	bye     *nativemsg.Error
	conn    MessageConn
	wakeCh  chan struct{}
	ended   chan error
}

func newPeer(t *testing.T) *peer {
	return &peer{t: t, hello: HelloInfo{LinkVersion: LinkVersion, ExtensionVersion: "0.1.0", InstanceID: "instance1", InstallID: "install1", Name: "Work"},
		ep:      newEndpoint(defaultTiming, nativemsg.PieceFromBrowser, nativemsg.PieceFromBrowser, windowToBrowser, windowFromBrowser),
		answers: make(map[string]*nativemsg.Envelope), wakeCh: make(chan struct{}, 1)}
}

// set changes how the peer behaves from now on.
func (p *peer) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// connect opens a new connection and waits for the welcome; false when there was a bye instead.
func (p *peer) connect(server *Server) bool {
	p.t.Helper()
	host, mine := memPipe()
	served := make(chan error, 1)
	go func() { served <- server.Serve(context.Background(), host) }()
	hello := p.hello
	p.mu.Lock()
	hello.Received = p.ep.received
	p.mu.Unlock()
	if p.welcome.Epoch != "" {
		hello.Epoch, hello.Life = p.welcome.Epoch, p.welcome.Life
	}
	payload, err := json.Marshal(hello)
	if err != nil {
		p.t.Fatal(err)
	}
	frame, err := (&nativemsg.Frame{Window: nativemsg.NoWindow, Envelope: nativemsg.Envelope{Kind: nativemsg.Hello, Payload: payload}}).Encode()
	if err != nil {
		p.t.Fatal(err)
	}
	ctx := context.Background()
	if err := mine.Write(ctx, frame); err != nil {
		p.t.Fatal(err)
	}
	data, err := mine.Read(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	first, err := nativemsg.DecodeFrame(data)
	if err != nil {
		p.t.Fatal(err)
	}
	if first.Kind == nativemsg.Bye {
		p.bye = first.Error
		_ = mine.Close("")
		<-served
		return false
	}
	p.mu.Lock()
	p.welcome = welcome{}
	if err := json.Unmarshal(first.Payload, &p.welcome); err != nil {
		p.t.Fatal(err)
	}
	if p.welcome.Resumed {
		if err := p.ep.resume(p.welcome.Received, windowFromBrowser, time.Now()); err != nil {
			p.t.Fatal(err)
		}
	} else {
		p.ep = newEndpoint(p.ep.timing, p.ep.piece, p.ep.frame, p.ep.window, windowFromBrowser)
		p.ep.begin(time.Now())
	}
	p.conn = mine
	p.mu.Unlock()
	ended := make(chan error, 1)
	p.ended = ended
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { p.write(ctx, mine) })
	go func() {
		err := p.read(ctx, mine)
		_ = mine.Close("")
		cancel()
		group.Wait()
		<-served
		ended <- err
	}()
	return true
}

// drop cuts the connection and waits until both ends know.
func (p *peer) drop() {
	_ = p.conn.Close("")
	<-p.ended
}

func pass(filter func([]byte) [][]byte, frame []byte) [][]byte {
	if filter == nil {
		return [][]byte{frame}
	}
	return filter(frame)
}

func (p *peer) write(ctx context.Context, conn *memConn) {
	for {
		p.mu.Lock()
		frame, _, wait, err := p.ep.next(nil, time.Now())
		mute, filter := p.mute, p.toHost
		p.mu.Unlock()
		if err != nil {
			p.t.Error(err)
			return
		}
		if frame != nil && mute {
			continue
		}
		if frame != nil {
			for _, instead := range pass(filter, frame) {
				if conn.Write(ctx, instead) != nil {
					return
				}
			}
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-p.wakeCh:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

func (p *peer) wake() {
	select {
	case p.wakeCh <- struct{}{}:
	default:
	}
}

func (p *peer) read(ctx context.Context, conn *memConn) error {
	for {
		data, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		if len(data) > nativemsg.MaxToBrowser {
			p.t.Errorf("frame of %d bytes to the browser", len(data))
		}
		p.mu.Lock()
		filter := p.toPeer
		p.mu.Unlock()
		for _, instead := range pass(filter, data) {
			frame, err := nativemsg.DecodeFrame(instead)
			if err != nil {
				return err
			}
			if err := p.take(frame, len(instead)); err != nil {
				return err
			}
		}
	}
}

func (p *peer) take(frame *nativemsg.Frame, size int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.wake()
	envelope, text, err := p.ep.accept(frame, size, time.Now())
	if text != nil {
		envelope, err = nativemsg.DecodeEnvelope(text)
	}
	var bye *byeError
	if errors.As(err, &bye) {
		p.bye = &bye.word
	}
	if err != nil || envelope == nil {
		return err
	}
	switch envelope.Kind {
	case nativemsg.Event:
		p.events = append(p.events, envelope.Op+" "+string(envelope.Payload))
	case nativemsg.Response:
		p.answers[envelope.ID] = envelope
	case nativemsg.Request:
		if p.mute {
			return nil
		}
		reply := nativemsg.Envelope{Kind: nativemsg.Response, ID: envelope.ID, Payload: envelope.Payload}
		if p.answer != nil {
			result, err := p.answer(envelope.Op, envelope.Payload)
			if err != nil {
				reply.Error, reply.Payload = toWire(err), nil
			} else if reply.Payload, err = encodePayload(result); err != nil {
				return err
			}
		}
		p.push(&reply)
	}
	return nil
}

// push queues an envelope; p.mu is held.
func (p *peer) push(envelope *nativemsg.Envelope) {
	body, err := envelope.Body()
	if err != nil {
		p.t.Error(err)
		return
	}
	p.ep.push(&message{body: body})
}

// emit sends an event.
func (p *peer) emit(op string, payload string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.push(&nativemsg.Envelope{Kind: nativemsg.Event, Op: op, Payload: jsontext.Value(payload)})
	p.wake()
}

// ask sends a request.
func (p *peer) ask(id, op, payload string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.push(&nativemsg.Envelope{Kind: nativemsg.Request, ID: id, Op: op, Payload: jsontext.Value(payload)})
	p.wake()
}
