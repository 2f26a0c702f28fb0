package hostlink

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// Handler is told what happens on the links. For one Browser everything but
// Request is called by one goroutine, in order: Connected, then events, then
// Disconnected, and so on. Of two instances of the same installation the
// earlier one's last call returns before the later one's first.
//
// Event must not wait for anybody: not for an agent, and not for a Call of the
// same browser, whose response comes only after Event returned. While it runs,
// the extension's credit shrinks, until it stops sending.
type Handler interface {
	// Connected says that the browser can be called. resumed is false for a new
	// instance, whose first event is `state`, and true when a dropped connection
	// came back with nothing lost.
	Connected(b *Browser, resumed bool)
	// Event handles one event of the extension.
	Event(b *Browser, op string, payload jsontext.Value)
	// Request answers a request of the extension, in a goroutine of its own. ctx
	// ends when the browser does. An unknown op is answered with UnknownOp.
	Request(ctx context.Context, b *Browser, op string, payload jsontext.Value) (any, error)
	// Disconnected says that the connection is down. The browser may come back
	// within the grace time, with Connected; when it is over, Browser.Done is closed.
	Disconnected(b *Browser, reason string)
}

// ServerConfig is what a Server needs. Epoch, HostVersion and Handler must be set.
type ServerConfig struct {
	Epoch       string
	HostVersion string
	Now         func() time.Time // default time.Now
	Handler     Handler
	Log         zerolog.Logger

	timing timing
}

// Server is the daemon's end of all links.
type Server struct {
	cfg  ServerConfig
	work sync.WaitGroup // dispatchers and requests

	mu       sync.Mutex
	browsers map[string]*Browser        // by installId
	lives    uint64                     // instances so far
	last     map[string]<-chan struct{} // Done of the instance before, of installations without one
	closed   bool
}

// NewServer makes a Server.
func NewServer(cfg ServerConfig) *Server {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.timing == (timing{}) {
		cfg.timing = defaultTiming
	}
	return &Server{cfg: cfg, browsers: make(map[string]*Browser), last: make(map[string]<-chan struct{})}
}

// welcome is the daemon's answer to hello.
type welcome struct {
	LinkVersion int    `json:"linkVersion"`
	HostVersion string `json:"hostVersion"`
	Epoch       string `json:"epoch"`
	Life        string `json:"life"` // what the next hello says, so that nothing is resumed that the peer never heard of
	Resumed     bool   `json:"resumed"`
	Received    uint64 `json:"received"`
	Suggestion  string `json:"suggestion,omitempty"`
}

// Browsers lists the instances that have not ended, connected or away.
func (s *Server) Browsers() []*Browser {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*Browser, 0, len(s.browsers))
	for _, b := range s.browsers {
		all = append(all, b)
	}
	return all
}

// Serve runs one connection until it ends, and closes it. The error says why it
// ended; a *fault.Error when the peer is to blame.
func (s *Server) Serve(ctx context.Context, conn MessageConn) error {
	hello, err := s.greet(ctx, conn)
	if err != nil {
		s.refuse(ctx, conn, err)
		return err
	}
	c, resumed, err := s.attach(hello, conn)
	if err != nil {
		s.refuse(ctx, conn, err)
		return err
	}
	err = c.run(ctx, resumed)
	s.detach(c, err)
	return err
}

// greet reads the hello.
func (s *Server) greet(ctx context.Context, conn MessageConn) (*HelloInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.timing.hello)
	defer cancel()
	data, err := conn.Read(ctx)
	if err != nil {
		return nil, fmt.Errorf("waiting for hello: %w", err)
	}
	frame, err := nativemsg.DecodeFrame(data)
	if err != nil {
		return nil, protocolFault(err)
	}
	if frame.Kind != nativemsg.Hello {
		return nil, protocolFault(fmt.Errorf("the first frame is %q, not hello", frame.Kind))
	}
	var hello HelloInfo
	if err := json.Unmarshal(frame.Payload, &hello); err != nil {
		return nil, protocolFault(fmt.Errorf("hello: %w", err))
	}
	if hello.LinkVersion != LinkVersion {
		return nil, versionMismatch(&hello, s.cfg.HostVersion)
	}
	if !validID(hello.InstallID) || !validID(hello.InstanceID) {
		return nil, protocolFault(errors.New("hello without installId or instanceId"))
	}
	return &hello, nil
}

// validID bounds the names that a peer gives itself.
func validID(id string) bool { return id != "" && len(id) <= 128 }

// attach finds or makes the instance of a hello, and gives it the connection.
func (s *Server) attach(hello *HelloInfo, conn MessageConn) (*connection, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false, stopping()
	}
	c := &connection{server: s, conn: conn, wakeCh: make(chan struct{}, 1), written: make(chan struct{})}
	old := s.browsers[hello.InstallID]
	if old != nil && old.takeOver(hello, c) {
		return c, true, nil
	}
	s.lives++
	b := &Browser{server: s, id: hello.InstallID, life: strconv.FormatUint(s.lives, 10), hello: *hello, done: make(chan struct{}), calls: make(map[string]*call),
		inbox: inbox{ready: make(chan struct{}, 1)},
		ep:    newEndpoint(s.cfg.timing, nativemsg.PieceToBrowser, nativemsg.MaxToBrowser, windowFromBrowser, windowToBrowser)}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	after := s.last[b.id]
	delete(s.last, b.id)
	if old != nil {
		old.kick(fault.New(fault.SessionAlreadyRunning, "Another instance of the extension in this profile has taken the link.").
			With("reason", "replaced").Suggest("Nothing is to be done: the newer instance is connected."))
		old.end("replaced by a newer instance of the extension")
		after = old.done
	}
	s.browsers[hello.InstallID] = b
	b.conn, c.browser = c, b
	b.heard = s.cfg.Now()
	b.ep.begin(b.heard)
	b.inbox.push(item{connected: true})
	s.work.Go(func() { b.dispatch(after) })
	return c, false, nil
}

// takeOver resumes the instance with a new connection, if hello is of the same
// instance and fits what is remembered.
func (b *Browser) takeOver(hello *HelloInfo, c *connection) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.server.cfg.Now()
	// Without an epoch it never got our welcome: then both streams are still at their beginning.
	unwelcomed := hello.Epoch == "" && hello.Received == 0 && b.ep.acked == 0 && b.ep.received == 0
	known := hello.Epoch == b.server.cfg.Epoch && hello.Life == b.life
	if b.ended || b.hello.InstanceID != hello.InstanceID || !known && !unwelcomed ||
		b.ep.resume(hello.Received, windowToBrowser, now) != nil {
		return false
	}
	if b.conn != nil { // the old connection is dead, and we had not noticed
		b.conn.abandon()
		b.inbox.push(item{disconnected: "the extension connected again"})
	}
	if b.grace != nil {
		b.grace.Stop()
		b.grace = nil
	}
	b.hello = *hello
	b.conn, c.browser, b.heard = c, b, now
	b.inbox.push(item{connected: true, resumed: true})
	return true
}

// kick says goodbye on the current connection, if there is one, and ends it, without waiting for that.
func (b *Browser) kick(f *fault.Error) {
	b.mu.Lock()
	conn := b.conn
	b.mu.Unlock()
	if conn != nil {
		conn.sayBye(f)
		b.server.work.Go(func() { conn.finish(f) })
	}
}

// detach notes that a connection ended. Its browser stays for the grace time.
func (s *Server) detach(c *connection, err error) {
	b := c.browser
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != c {
		return
	}
	b.conn = nil
	b.why = "the connection to the browser is lost"
	if err != nil {
		b.why = err.Error()
	}
	b.inbox.push(item{disconnected: b.why})
	var timer *time.Timer
	timer = time.AfterFunc(s.cfg.timing.grace, func() {
		b.mu.Lock()
		mine := b.grace == timer && b.conn == nil
		b.mu.Unlock()
		if mine {
			s.forget(b, b.whyAway())
		}
	})
	b.grace = timer
}

func (b *Browser) whyAway() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.why
}

// forget ends an instance and drops it from the list.
func (s *Server) forget(b *Browser, why string) {
	s.mu.Lock()
	// Under this lock no new connection can take it over meanwhile.
	b.mu.Lock()
	away := b.conn == nil
	b.mu.Unlock()
	if away && s.browsers[b.id] == b {
		delete(s.browsers, b.id)
		s.last[b.id] = b.done
	}
	s.mu.Unlock()
	if away {
		b.end(why)
	}
}

func stopping() *fault.Error {
	return fault.New(fault.DaemonUnavailable, "The daemon is stopping.").With("reason", "stopping")
}

// Close says goodbye to all browsers, ends them, and waits until the handler's last call has returned.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	all := make([]*Browser, 0, len(s.browsers))
	for id, b := range s.browsers {
		all = append(all, b)
		delete(s.browsers, id)
	}
	s.mu.Unlock()
	for _, b := range all {
		b.kick(stopping())
		b.end("the daemon stopped")
	}
	s.work.Wait()
}

// refuse says goodbye on a connection that never became a link.
func (s *Server) refuse(ctx context.Context, conn MessageConn, err error) {
	var f *fault.Error
	if errors.As(err, &f) {
		s.cfg.Log.Warn().Str("code", string(f.Code)).Msg("a connection of the extension was refused: " + clip(f.Message))
		ctx, cancel := context.WithTimeout(ctx, s.cfg.timing.bye)
		defer cancel()
		if frame, err := byeFrame(f); err == nil {
			_ = conn.Write(ctx, frame)
		}
	}
	_ = conn.Close("refused")
}

func byeFrame(f *fault.Error) ([]byte, error) {
	return (&nativemsg.Frame{Window: nativemsg.NoWindow, Envelope: nativemsg.Envelope{Kind: nativemsg.Bye, Error: toWire(f)}}).Encode()
}
