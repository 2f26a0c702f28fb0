package socket

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Close codes of our own.
const (
	CodeRevoked websocket.StatusCode = 4401
	CodeTooSlow websocket.StatusCode = 4408
)

// Times of closing.
const (
	CloseWait   = 2 * time.Second // for the peer's own close frame
	RevokeWait  = time.Second
	RestartWait = 4 * time.Second  // a stopping daemon has 5 s in all
	SlowWait    = 10 * time.Second // for a peer that reads slowly to get to the close frame
)

// Times of a connection that nothing happens on.
const (
	PingEvery   = 20 * time.Second
	SilenceMost = 60 * time.Second
)

// writeBuffer collects small frames of one batch into one write.
const writeBuffer = 64 << 10

// Peer is one WebSocket connection.
type Peer struct {
	Identity gate.Identity
	Context  context.Context // ends with the connection

	guard    *guard
	socket   *websocket.Conn
	cancel   context.CancelFunc
	pongs    chan []byte
	readDone chan struct{}
	closing  sync.Once

	out    sync.Mutex // one frame at a time
	buffer *bufio.Writer
	shut   bool // a close frame is out: nothing may follow
}

var errShut = errors.New("the connection is closing")

// hijacker hands the library a guarded connection.
type hijacker struct {
	http.ResponseWriter
	guard *guard
}

func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	inner, both, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	ahead, err := both.Reader.Peek(both.Reader.Buffered())
	if err != nil {
		return nil, nil, err
	}
	h.guard.Conn, h.guard.buffered = inner, append([]byte(nil), ahead...)
	both.Reader.Reset(h.guard)
	return h.guard, both, nil
}

// Upgrade turns a request, checked by Acceptable, into a peer. limit is the largest
// message that is read, in bytes; now is the clock that silence is measured by.
func Upgrade(w http.ResponseWriter, r *http.Request, identity gate.Identity, limit int64, now func() time.Time) (*Peer, error) {
	g := &guard{limit: limit, now: now, began: now()}
	p := &Peer{Identity: identity, guard: g, pongs: make(chan []byte, 8), readDone: make(chan struct{})}
	socket, err := websocket.Accept(&hijacker{w, g}, r, &websocket.AcceptOptions{
		Subprotocols:       []string{protocol.Subprotocol},
		InsecureSkipVerify: true, // the gate has checked Host and Origin, more strictly
		CompressionMode:    websocket.CompressionDisabled,
		OnPingReceived: func(_ context.Context, payload []byte) bool {
			select {
			case p.pongs <- append([]byte(nil), payload...):
			default: // answered pings enough; the latest would say the same
			}
			return false
		},
	})
	if err != nil {
		if g.Conn != nil {
			_ = g.Conn.Close() // hijacked and unusable
		}
		return nil, err
	}
	socket.SetReadLimit(-1) // the guard limits, by what is claimed
	p.socket = socket
	p.buffer = bufio.NewWriterSize(g.Conn, writeBuffer)
	p.Context, p.cancel = context.WithCancel(context.Background())
	return p, nil
}

// Read gives the next text message. An error means that the connection is over;
// p.End answers it.
func (p *Peer) Read() ([]byte, error) {
	// The library ends the connection with the context, so it gets one that never ends.
	_, data, err := p.socket.Read(context.Background())
	if err != nil {
		if p.guard.broken != nil {
			return nil, p.guard.broken
		}
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, &Violation{websocket.StatusInvalidFramePayloadData, "message is not UTF-8"}
	}
	return data, nil
}

// End closes the connection from the reader, for the error that ended reading.
func (p *Peer) End(err error) {
	var v *Violation
	var theirs websocket.CloseError
	switch {
	case errors.As(err, &v):
		p.Refuse(v.Code, v.Reason)
	case errors.As(err, &theirs):
		p.Refuse(theirs.Code, "") // the answer to a close frame is the same code
	default:
		p.Abort()
	}
}

// Refuse closes from the reader's goroutine. Input is read on for a moment:
// closing with input unread would reset the connection and take the close frame with it.
func (p *Peer) Refuse(code websocket.StatusCode, reason string) {
	p.closing.Do(func() {
		deadline := time.Now().Add(CloseWait)
		_ = p.guard.SetWriteDeadline(deadline)
		if p.writeClose(code, reason) == nil {
			if half, ok := p.guard.Conn.(interface{ CloseWrite() error }); ok {
				_ = half.CloseWrite()
			}
			_ = p.guard.SetReadDeadline(deadline)
			_, _ = io.Copy(io.Discard, p.guard.Conn)
		}
	})
	p.Abort()
}

// Close closes from any goroutine but the reader's: the frame in progress is
// finished, the close frame sent, the peer's answer awaited, within wait in all.
func (p *Peer) Close(code websocket.StatusCode, reason string, wait time.Duration) {
	p.closing.Do(func() {
		deadline := time.Now().Add(wait)
		_ = p.guard.SetWriteDeadline(deadline)
		_ = p.writeClose(code, reason)
		timer := time.NewTimer(time.Until(deadline))
		defer timer.Stop()
		select {
		case <-p.readDone:
		case <-timer.C:
			if tcp, ok := p.guard.Conn.(interface{ SetLinger(int) error }); ok {
				_ = tcp.SetLinger(0)
			}
		}
		p.Abort()
	})
}

// Abort ends the connection without another word.
func (p *Peer) Abort() {
	p.cancel()
	_ = p.guard.Conn.Close()
}

// Release lets the library go. Its connection has a finalizer until it is closed and
// refers to the peer, and such a circle is never collected.
func (p *Peer) Release() { _ = p.socket.CloseNow() }

func (p *Peer) writeClose(code websocket.StatusCode, reason string) error {
	p.out.Lock()
	defer p.out.Unlock()
	if p.shut {
		return errShut
	}
	p.shut = true
	if _, err := p.buffer.Write(appendFrame(nil, opClose, closePayload(code, reason))); err != nil {
		return err
	}
	return p.buffer.Flush()
}

// Write sends text messages, in one write where they are small.
func (p *Peer) Write(messages ...[]byte) error {
	p.out.Lock()
	defer p.out.Unlock()
	if p.shut {
		return errShut
	}
	var header [10]byte
	for _, message := range messages {
		if _, err := p.buffer.Write(appendHeader(header[:0], opText, len(message))); err != nil {
			return err
		}
		if _, err := p.buffer.Write(message); err != nil {
			return err
		}
	}
	return p.buffer.Flush()
}

func (p *Peer) writeControl(opcode byte, payload []byte) error {
	p.out.Lock()
	defer p.out.Unlock()
	if p.shut {
		return errShut
	}
	if _, err := p.buffer.Write(appendFrame(nil, opcode, payload)); err != nil {
		return err
	}
	return p.buffer.Flush()
}

// KeepAlive pings, answers pings, and drops a peer that says nothing, sooner where
// not even its system acknowledges what was sent.
func (p *Peer) KeepAlive(every, silence time.Duration) {
	check := time.NewTicker(max(every/8, time.Millisecond))
	defer check.Stop()
	pinged := time.Now()
	for {
		select {
		case <-p.Context.Done():
			return
		case payload := <-p.pongs:
			if p.writeControl(opPong, payload) != nil {
				return
			}
		case <-check.C:
			if p.guard.silent() > silence || unreachable(p.guard.Conn) {
				p.Abort()
				return
			}
			if time.Since(pinged) >= every {
				pinged = time.Now()
				if p.writeControl(opPing, nil) != nil {
					return
				}
			}
		}
	}
}

// Done tells those who wait for the reader that it reads no more. Once.
func (p *Peer) Done() { close(p.readDone) }

// Broken ends a connection that could not be written to, unless it is closing.
func (p *Peer) Broken() { p.closing.Do(p.Abort) }
