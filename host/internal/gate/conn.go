package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Limits before authentication (protocol.md section 8).
const (
	lobbyTime  = 3 * time.Second
	lobbyBytes = 4 << 10
	lobbyConns = 16
	// lobbyYoung is how long a connection keeps its place when others want it: many
	// clients at once are not an attack, and each needs a moment to say who it is.
	lobbyYoung = 250 * time.Millisecond
	// lobbyPatience is how long the door waits for them while nobody is admitted: who only
	// stands there must not keep others out.
	lobbyPatience = time.Second
)

// Times of a server behind the gate.
const (
	idleTime   = 60 * time.Second
	lingerTime = 500 * time.Millisecond // for a refusal to arrive before the reset that unread input causes
	lingerMost = 1 << 20
)

// Lobby holds the connections that have not authenticated yet, those of all
// listeners together.
type Lobby struct {
	mu      sync.Mutex
	waiting []*conn       // oldest first
	left    chan struct{} // holds one token when a place has become free
	stuck   time.Time     // since when it is full and nobody was admitted; zero: it is not
}

// NewLobby makes an empty lobby.
func NewLobby() *Lobby { return &Lobby{left: make(chan struct{}, 1)} }

// Listen makes a listener's connections wait in a lobby of their own.
func Listen(inner net.Listener) net.Listener { return NewLobby().Listener(inner) }

// Listener makes a listener's connections wait in the lobby until the gate admits them.
func (l *Lobby) Listener(inner net.Listener) net.Listener { return &listener{inner, l} }

type listener struct {
	net.Listener
	lobby *Lobby
}

func (l *listener) Accept() (net.Conn, error) {
	inner, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: inner, lobby: l.lobby, left: lobbyBytes}
	c.timer = time.AfterFunc(lobbyTime, func() { c.expel() })
	l.lobby.enter(c)
	return c, nil
}

// enter adds a connection. When there are too many it waits for a place, no longer than
// until the oldest has had its time; that one goes.
func (l *Lobby) enter(c *conn) {
	l.mu.Lock()
	if len(l.waiting) < lobbyConns {
		l.stuck = time.Time{}
	}
	for len(l.waiting) >= lobbyConns {
		if l.stuck.IsZero() {
			l.stuck = time.Now()
		}
		oldest := l.waiting[0]
		young := min(lobbyYoung-time.Since(oldest.entered), lobbyPatience-time.Since(l.stuck))
		l.mu.Unlock()
		if young <= 0 {
			oldest.expel()
		} else {
			timer := time.NewTimer(young)
			select {
			case <-l.left:
			case <-timer.C:
			}
			timer.Stop()
		}
		l.mu.Lock()
	}
	c.entered = time.Now()
	l.waiting = append(l.waiting, c)
	l.mu.Unlock()
}

// admitted is leave for one who got in.
func (l *Lobby) admitted(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stuck = time.Time{}
	l.remove(c)
}

func (l *Lobby) leave(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remove(c)
}

func (l *Lobby) remove(c *conn) {
	for i, other := range l.waiting {
		if other == c {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			select {
			case l.left <- struct{}{}:
			default:
			}
			return
		}
	}
}

// conn is a connection that reads little until it is admitted, and says nothing
// that net/http says by itself.
type conn struct {
	net.Conn
	lobby *Lobby
	timer *time.Timer
	// entered is when it got its place in the lobby; under lobby.mu.
	entered time.Time

	mu       sync.Mutex
	admitted bool
	handling bool // a handler of ours answers, not net/http
	refused  bool
	left     int // bytes that may still be read before admission
}

// errTooMuch makes net/http answer 400, which Write replaces by ours.
var errTooMuch = errors.New("too much before authentication")

func (c *conn) expel() {
	c.lobby.leave(c)
	_ = c.Conn.Close() // its reader finds out
}

func (c *conn) admit() {
	c.mu.Lock()
	c.admitted = true
	c.mu.Unlock()
	c.timer.Stop()
	c.lobby.admitted(c)
}

func (c *conn) setHandling(handling bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handling = handling
}

func (c *conn) Read(p []byte) (int, error) {
	c.mu.Lock()
	if c.admitted {
		c.mu.Unlock()
		return c.Conn.Read(p)
	}
	if c.left == 0 {
		c.mu.Unlock()
		return 0, errTooMuch
	}
	p = p[:min(len(p), c.left)]
	c.mu.Unlock()
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	c.left = max(0, c.left-n)
	c.mu.Unlock()
	return n, err
}

// Write replaces what net/http answers by itself (bad request lines, missing or
// double Host, too large headers, versions, expectations): its texts would tell
// what runs here.
func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	own := c.handling
	second := c.refused
	if !own {
		c.refused = true
	}
	c.mu.Unlock()
	if own {
		return c.Conn.Write(p)
	}
	if second {
		return len(p), nil
	}
	if _, err := c.Conn.Write(badRequest); err != nil {
		return 0, err
	}
	return len(p), nil
}

// badRequest is the whole answer to what could not be parsed.
var badRequest = func() []byte {
	var answer bytes.Buffer
	text := body(http.StatusBadRequest)
	fmt.Fprintf(&answer, "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n", len(text))
	for _, pair := range securityHeaders {
		fmt.Fprintf(&answer, "%s: %s\r\n", pair[0], pair[1])
	}
	fmt.Fprintf(&answer, "Connection: close\r\n\r\n%s", text)
	return answer.Bytes()
}()

// Close lets a refusal arrive: input left unread would turn the close into a
// reset, which takes the answer with it.
func (c *conn) Close() error {
	c.mu.Lock()
	linger := !c.admitted
	c.mu.Unlock()
	if linger && c.CloseWrite() == nil && c.Conn.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		_, _ = io.CopyN(io.Discard, c.Conn, lingerMost) // whatever comes, it is not read
	}
	c.timer.Stop()
	c.lobby.leave(c)
	return c.Conn.Close()
}

// CloseWrite and SetLinger reach through to TCP, for those who take the
// connection over.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// SetLinger is that of net.TCPConn.
func (c *conn) SetLinger(seconds int) error {
	if tcp, ok := c.Conn.(interface{ SetLinger(int) error }); ok {
		return tcp.SetLinger(seconds)
	}
	return errors.ErrUnsupported
}

// SyscallConn is that of the connection below.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	if system, ok := c.Conn.(syscall.Conn); ok {
		return system.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

func connOf(ctx context.Context) *conn {
	c, _ := ctx.Value(connKey).(*conn)
	return c
}

// enter marks that a handler of ours answers the request.
func enter(ctx context.Context) {
	if c := connOf(ctx); c != nil {
		c.setHandling(true)
	}
}

// admit lets a connection out of the lobby.
func admit(ctx context.Context) {
	if c := connOf(ctx); c != nil {
		c.setHandling(true)
		c.admit()
	}
}

// Server makes the server to run behind a gate's listener: its handler must be
// one of New or Local. It speaks HTTP/1.1 only and says nothing by itself.
func Server(handler http.Handler) *http.Server {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Server{
		Handler:                      handler,
		Protocols:                    &protocols,
		ReadHeaderTimeout:            lobbyTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               lobbyBytes,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(discardNoise{}, "", 0),
		ConnContext: func(ctx context.Context, inner net.Conn) context.Context {
			if c, ok := inner.(*conn); ok {
				return context.WithValue(ctx, connKey, c)
			}
			return ctx
		},
		ConnState: func(inner net.Conn, state http.ConnState) {
			if c, ok := inner.(*conn); ok && state == http.StateIdle {
				c.setHandling(false)
			}
		},
	}
}

// LocalServer makes the server for the Unix socket, with Local in front of the handler.
func LocalServer(handler http.Handler) *http.Server { return Server(Local(handler)) }

// discardNoise drops net/http's lines about broken peers: they are not news,
// and a flood of them would be a way to fill the log. Panics of handlers are
// news; they go on to the standard logger.
type discardNoise struct{}

func (discardNoise) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "panic serving") {
		log.Print(string(p))
	}
	return len(p), nil
}
