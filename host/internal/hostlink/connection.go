package hostlink

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// connection is one connection of a Browser: a reader, a writer and a watch on the peer's silence.
type connection struct {
	server  *Server
	browser *Browser
	conn    MessageConn
	wakeCh  chan struct{} // holds one
	written chan struct{} // closed when the writer has ended

	mu     sync.Mutex
	bye    *fault.Error       // to be written as the last frame
	cancel context.CancelFunc // ends the connection; nil before run
}

var (
	errAbandoned = errors.New("the extension connected again")
	errGoodbye   = errors.New("the link was closed")
)

func (c *connection) wakeUp() {
	select {
	case c.wakeCh <- struct{}{}:
	default:
	}
}

// abandon ends the connection without a word.
func (c *connection) abandon() {
	c.mu.Lock()
	cancel := c.cancel
	c.cancel = func() {}
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// sayBye has a last frame written.
func (c *connection) sayBye(f *fault.Error) {
	c.mu.Lock()
	if c.bye == nil {
		c.bye = f
	}
	c.mu.Unlock()
	c.wakeUp()
}

// finish says goodbye and ends the connection. It waits for that, but not for long.
func (c *connection) finish(f *fault.Error) {
	c.sayBye(f)
	timer := time.NewTimer(c.server.cfg.timing.bye)
	defer timer.Stop()
	select {
	case <-c.written:
	case <-timer.C:
	}
	c.mu.Lock()
	cancel := c.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (c *connection) takeBye() *fault.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bye
}

// run serves the connection until it ends.
func (c *connection) run(parent context.Context, resumed bool) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	c.mu.Lock()
	if c.cancel != nil { // abandoned before it began
		c.mu.Unlock()
		close(c.written)
		_ = c.conn.Close(errAbandoned.Error())
		return errAbandoned
	}
	c.cancel = func() { cancel(errGoodbye) }
	c.mu.Unlock()

	var group sync.WaitGroup
	group.Go(func() {
		defer close(c.written)
		err := c.welcome(ctx, resumed)
		if err == nil {
			err = c.write(ctx)
		}
		cancel(err)
	})
	group.Go(func() { cancel(c.watch(ctx)) })
	err := c.read(ctx)
	var broken *fault.Error
	if errors.As(err, &broken) {
		c.server.cfg.Log.Warn().Str("browser", c.browser.id).Str("code", string(broken.Code)).Msg("the link ends: " + clip(broken.Message))
		c.finish(broken)
	} else if bye := c.takeBye(); bye != nil && ctx.Err() == nil {
		c.finish(bye) // we are being replaced: the reader noticed before the writer had said so
	}
	if cause := context.Cause(ctx); broken == nil && cause != nil {
		err = cause
	}
	cancel(err)
	_ = c.conn.Close("link ended")
	group.Wait()
	return err
}

func (c *connection) welcome(ctx context.Context, resumed bool) error {
	b := c.browser
	b.mu.Lock()
	received := b.ep.received
	b.mu.Unlock()
	payload, err := json.Marshal(welcome{LinkVersion: LinkVersion, HostVersion: c.server.cfg.HostVersion,
		Epoch: c.server.cfg.Epoch, Life: b.life, Resumed: resumed, Received: received})
	if err != nil {
		return err
	}
	frame, err := (&nativemsg.Frame{Window: nativemsg.NoWindow, Envelope: nativemsg.Envelope{Kind: nativemsg.Welcome, Payload: payload}}).Encode()
	if err != nil {
		return err
	}
	return c.conn.Write(ctx, frame)
}

// write sends what the endpoint has to send.
func (c *connection) write(ctx context.Context) error {
	b := c.browser
	timer := time.NewTimer(0)
	defer timer.Stop()
	var buf []byte
	for {
		if f := c.takeBye(); f != nil {
			frame, err := byeFrame(f)
			if err == nil {
				err = c.conn.Write(ctx, frame)
			}
			return errors.Join(errGoodbye, err)
		}
		b.mu.Lock()
		if b.conn != c {
			// Kicked or abandoned: whoever did it may still set a bye, and ends us in any case.
			b.mu.Unlock()
			select {
			case <-c.wakeCh:
				if c.takeBye() == nil {
					return errAbandoned
				}
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		frame, completes, wait, err := b.ep.next(buf[:0], c.server.cfg.Now())
		b.mu.Unlock()
		if err != nil {
			return fmt.Errorf("sending: %w", err)
		}
		if frame != nil {
			if completes != nil && completes.onDispatch != nil {
				completes.onDispatch()
			}
			if err := c.conn.Write(ctx, frame); err != nil {
				return fmt.Errorf("sending: %w", err)
			}
			buf = frame
			continue
		}
		timer.Reset(wait)
		select {
		case <-c.wakeCh:
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// watch ends the connection when the peer has been silent for too long.
func (c *connection) watch(ctx context.Context) error {
	limit := c.server.cfg.timing.silence
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		c.browser.mu.Lock()
		left := limit - c.server.cfg.Now().Sub(c.browser.heard)
		c.browser.mu.Unlock()
		if left <= 0 {
			return fmt.Errorf("the extension has been silent for %s", limit)
		}
		timer.Reset(left)
	}
}

// read takes the peer's frames.
func (c *connection) read(ctx context.Context) error {
	for {
		data, err := c.conn.Read(ctx)
		if err != nil {
			if errors.Is(err, errBinary) {
				return protocolFault(err)
			}
			return fmt.Errorf("receiving: %w", err)
		}
		if err := c.take(data); err != nil {
			return err
		}
	}
}

func (c *connection) take(data []byte) error {
	frame, err := nativemsg.DecodeFrame(data)
	if err != nil {
		return protocolFault(err)
	}
	b := c.browser
	now := c.server.cfg.Now()
	b.mu.Lock()
	if b.conn != c {
		b.mu.Unlock()
		return errAbandoned
	}
	b.heard = now
	envelope, text, err := b.ep.accept(frame, len(data), now)
	if err == nil && (envelope != nil || text != nil) {
		// A message out of chunks is decoded by the dispatcher: it may be large, and this lock is held.
		size := int64(max(len(data), len(text)))
		if b.ep.inbox+size > maxInbox {
			err = errWindow
		} else {
			b.ep.inbox += size
			b.inbox.push(item{envelope: envelope, text: text, size: size})
		}
	}
	b.wake()
	b.mu.Unlock()

	var chunk *nativemsg.ChunkError
	var bye *byeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &chunk):
		c.server.cfg.Log.Warn().Str("browser", b.id).Msg(chunk.Error())
		return nil
	case errors.As(err, &bye):
		return err
	}
	return protocolFault(err)
}
