package cdp

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Passing sessions on to somebody who speaks DevTools: events and answers arrive in the
// order in which the browser sent them, which goroutines that wait for answers cannot keep.

// Divert gives every event of a session to a func of its own, instead of to OnEvent and
// to subscriptions; nil ends that. The func is called as OnEvent is and may call Divert,
// Pass and Detached. What it gets is part of the message.
func (c *Conn) Divert(session string, to func(Event)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.err != nil:
	case to == nil:
		delete(c.diverted, session)
	default:
		c.diverted[session] = to
	}
}

// divert reports an event that was somebody else's.
func (c *Conn) divert(e Event) bool {
	c.mu.Lock()
	to := c.diverted[e.SessionID]
	if to != nil {
		c.stats.Events++
	}
	c.mu.Unlock()
	if to == nil {
		return false
	}
	to(e)
	return true
}

// Pass sends a command whose parameters are nil or a JSON object, as they are. then gets
// the answer once, from the goroutine that reads, in its order among the events: the
// result, the browser's error object, or the end of the session or the connection; the
// values are part of the message. It must not block. An error of Pass itself (BUSY,
// CDP_DISCONNECTED, VALIDATION_ERROR) says that nothing was sent and then is never called.
// There is no time limit: the call is in flight until one of these comes.
func (s *Session) Pass(method string, params jsontext.Value, then func(result, failure jsontext.Value, err error)) error {
	if len(params) > MaxToBrowser-len(method)-256 { // as encode has it
		return fault.New(fault.ValidationError, "the parameters of %s are %d bytes, more than the browser takes", method, len(params))
	}
	waiting := &call{session: s.id, method: method, then: func(a answer) { then(a.result, a.failure, a.err) }}
	return s.queue(waiting, params)
}

// queue registers a call and gives it to the writer.
func (s *Session) queue(waiting *call, params jsontext.Value) error {
	if err := s.conn.admit(waiting); err != nil {
		return err
	}
	waiting.message = seal(waiting.id, waiting.method, params, s.id)
	select {
	case s.conn.outbox <- waiting:
		return nil
	default:
		if !s.conn.drop(waiting) {
			return nil // the connection ended in the same moment, and says so
		}
		return fault.New(fault.Busy, "the browser takes no commands").With("method", waiting.method).With("dispatched", false)
	}
}
