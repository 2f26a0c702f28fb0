package hostlink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

const (
	// relaySilence is how long the browser may say nothing: its pings come every 10 s.
	relaySilence = 25 * time.Second
	// relayDrain is what may still be written after one side ended. Chrome kills its host after 2 s.
	relayDrain = time.Second
	// relayLastWord is how long a closed connection is read to its end, or takes to close.
	relayLastWord = 50 * time.Millisecond
	// relayAhead is how much is read ahead of a blocked side. It is above both
	// credits, so that the end of a stream is seen although the other is stuck.
	relayAhead = windowFromBrowser + 8<<20
)

// RelayConfig says what a Relay connects.
type RelayConfig struct {
	In   io.Reader                                  // Chrome's end: stdin; closed at the end if it is an io.Closer
	Out  io.Writer                                  // the real stdout
	Dial func(context.Context) (MessageConn, error) // reaches the daemon, starting it if need be
	Log  zerolog.Logger                             // never to stdout
	Now  func() time.Time                           // default time.Now

	silence, drain time.Duration // shortened by tests
}

// errSilentBrowser ends a relay whose browser said nothing for too long: Chrome
// does not always close the pipe of a dead service worker.
var errSilentBrowser = errors.New("the browser has been silent for too long")

// Relay copies messages between the browser and the daemon, unchanged, until
// either side ends, and gives the reason: nil when the browser closed its pipe.
// After that it returns within 200 ms, or, if a side is stuck, within 1.5 s; a
// goroutine that hangs in a read or write of the stuck side is left behind, so
// the process should exit.
//
// It makes no frames, but for one: when the daemon cannot be reached, a `bye` with the error and what to do about it.
func Relay(ctx context.Context, cfg RelayConfig) error {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.silence == 0 {
		cfg.silence, cfg.drain = relaySilence, relayDrain
	}
	if closer, ok := cfg.In.(io.Closer); ok {
		defer func() { _ = closer.Close() }()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	r := &relay{cfg: cfg, toDaemon: newPipe(), toBrowser: newPipe()}
	r.heard.Store(cfg.Now().UnixNano())
	inEnded := make(chan error, 1)
	go func() { inEnded <- r.readBrowser() }()

	// The browser may go away while the daemon is being started.
	type dialed struct {
		conn MessageConn
		err  error
	}
	dialing := make(chan dialed, 1)
	go func() {
		conn, err := cfg.Dial(ctx)
		dialing <- dialed{conn, err}
	}()
	var conn MessageConn
	select {
	case d := <-dialing:
		if d.err != nil {
			return r.unreachable(d.err, inEnded)
		}
		conn = d.conn
	case err := <-inEnded:
		cancel(nil)
		select { // a connection made in this moment is not left open
		case d := <-dialing:
			if d.conn != nil {
				_ = d.conn.Close("the browser has gone")
			}
		case <-time.After(cfg.drain):
		}
		return ended(err)
	}
	return r.run(ctx, cancel, conn, inEnded)
}

type relay struct {
	cfg                 RelayConfig
	toDaemon, toBrowser *pipe
	heard               atomic.Int64 // when the browser last said something
}

// run copies both ways until one of four ends comes: of either stream, of the browser's voice, of ctx.
func (r *relay) run(ctx context.Context, cancel context.CancelCauseFunc, conn MessageConn, inEnded <-chan error) error {
	daemonEnded, outEnded, upEnded := make(chan error, 1), make(chan error, 1), make(chan error, 1)
	go func() { daemonEnded <- r.readDaemon(ctx, conn) }()
	go func() { outEnded <- r.writeBrowser() }()
	go func() { upEnded <- r.writeDaemon(ctx, conn) }()

	silence := time.NewTimer(r.cfg.silence)
	defer silence.Stop()
	var err error
	for waiting := true; waiting; {
		waiting = false
		select {
		case err = <-inEnded:
			err = ended(err)
			r.toDaemon.close()
			settle(upEnded, r.cfg.drain) // what the browser said last still reaches the daemon
		case err = <-daemonEnded:
			r.lastWord(outEnded, inEnded)
		case err = <-outEnded:
		case err = <-upEnded:
			// The daemon has closed, and may have said why.
			settle(daemonEnded, relayLastWord)
			r.lastWord(outEnded, inEnded)
		case <-silence.C:
			left := r.cfg.silence - r.cfg.Now().Sub(time.Unix(0, r.heard.Load()))
			if waiting = left > 0; waiting {
				silence.Reset(left)
			} else {
				err = errSilentBrowser
			}
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	r.toDaemon.close()
	r.toBrowser.close()
	closed := make(chan error, 1)
	go func() { closed <- conn.Close("the browser has gone") }()
	settle(closed, relayLastWord)
	cancel(err)
	return err
}

// lastWord lets the browser read what the daemon said last, a bye above all. The
// extension then closes the port; if we were first, Chrome might fail to write
// what the extension is just saying, and drop our word for that.
func (r *relay) lastWord(outEnded, inEnded <-chan error) {
	r.toBrowser.close()
	settle(outEnded, r.cfg.drain)
	settle(inEnded, 2*relayLastWord)
}

// settle waits for done, but not longer than limit.
func settle(done <-chan error, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// ended makes nothing of an ordinary end.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (r *relay) readBrowser() error {
	reader := nativemsg.NewReader(r.cfg.In, nativemsg.MaxFromBrowser)
	for {
		message, err := reader.Read()
		if errors.Is(err, nativemsg.ErrEmpty) {
			r.cfg.Log.Warn().Msg("the browser sent a message of length zero: ignored")
			continue
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.cfg.Log.Error().Err(err).Msg("reading from the browser")
			}
			return err
		}
		r.heard.Store(r.cfg.Now().UnixNano())
		if !r.toDaemon.put(message) {
			return errClosed
		}
	}
}

func (r *relay) writeDaemon(ctx context.Context, conn MessageConn) error {
	for {
		message, ok := r.toDaemon.take()
		if !ok {
			return nil
		}
		if err := conn.Write(ctx, message); err != nil {
			return fmt.Errorf("writing to the daemon: %w", err)
		}
	}
}

func (r *relay) readDaemon(ctx context.Context, conn MessageConn) error {
	for {
		message, err := conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("reading from the daemon: %w", err)
		}
		if !r.toBrowser.put(message) {
			return errClosed
		}
	}
}

func (r *relay) writeBrowser() error {
	writer := nativemsg.NewWriter(r.cfg.Out, nativemsg.MaxToBrowser)
	for {
		message, ok := r.toBrowser.take()
		if !ok {
			return nil
		}
		if err := writer.Write(message); err != nil {
			// One message too large, or not UTF-8, would cost or corrupt the port: the link
			// resumes without it rather than the browser seeing it.
			r.cfg.Log.Error().Err(err).Int("bytes", len(message)).Msg("writing to the browser")
			return fmt.Errorf("writing to the browser: %w", err)
		}
	}
}

// unreachable tells the extension why there is no daemon.
func (r *relay) unreachable(cause error, inEnded <-chan error) error {
	var f *fault.Error
	if !errors.As(cause, &f) {
		f = fault.New(fault.DaemonUnavailable, "The Debug Bridge daemon cannot be reached or started: %v", cause).Because(cause).
			Suggest("Run `dbridge doctor` in a terminal: it finds the broken hop.", "Or start it by hand with `dbridge daemon start`.")
	}
	r.cfg.Log.Error().Err(cause).Msg("the daemon cannot be reached")
	frame, err := byeFrame(f)
	if err != nil {
		return errors.Join(f, err)
	}
	written := make(chan error, 1)
	go func() { written <- nativemsg.NewWriter(r.cfg.Out, nativemsg.MaxToBrowser).Write(frame) }()
	settle(written, r.cfg.drain)
	settle(inEnded, r.cfg.drain) // as in lastWord
	return f
}

var errClosed = errors.New("the relay is closed")

// pipe is a queue of messages bounded by bytes: when full, put waits, so that the sender is held back.
type pipe struct {
	mu       sync.Mutex
	changed  sync.Cond
	messages [][]byte
	bytes    int
	closed   bool
}

func newPipe() *pipe {
	p := &pipe{}
	p.changed.L = &p.mu
	return p
}

// put adds a message; false when the pipe is closed.
func (p *pipe) put(message []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.bytes >= relayAhead && !p.closed {
		p.changed.Wait()
	}
	if p.closed {
		return false
	}
	p.messages = append(p.messages, message)
	p.bytes += len(message)
	p.changed.Broadcast()
	return true
}

// take gives the next message; false when the pipe is closed and empty.
func (p *pipe) take() ([]byte, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.messages) == 0 && !p.closed {
		p.changed.Wait()
	}
	if len(p.messages) == 0 {
		return nil, false
	}
	message := p.messages[0]
	p.messages[0] = nil
	p.messages = p.messages[1:]
	p.bytes -= len(message)
	p.changed.Broadcast()
	return message, true
}

// close lets take finish what is queued.
func (p *pipe) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.changed.Broadcast()
}
