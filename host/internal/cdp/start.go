package cdp

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Pending is a command that is on its way. Whoever does not care for the answer
// simply lets go of it; it counts as in flight until the answer comes, its session
// is detached or the connection ends.
type Pending struct {
	session *Session
	call    *call
	err     error
}

// Start queues a command without waiting: commands started one after another by
// one goroutine reach the browser in that order.
func (s *Session) Start(method string, params any) *Pending {
	encoded, err := encode(method, params)
	if err != nil {
		return &Pending{err: err}
	}
	waiting := &call{session: s.id, method: method, answer: make(chan answer, 1)}
	if err := s.queue(waiting, encoded); err != nil {
		return &Pending{err: err}
	}
	return &Pending{session: s, call: waiting}
}

// Wait gives the answer, once. The errors are those of CallRaw.
func (p *Pending) Wait(ctx context.Context) (jsontext.Value, error) {
	if p.err != nil {
		return nil, p.err
	}
	var limit <-chan time.Time
	if _, ok := ctx.Deadline(); !ok {
		timer := time.NewTimer(defaultTimeout)
		defer timer.Stop()
		limit = timer.C
	}
	select {
	case a := <-p.call.answer:
		return a.result, a.err
	case <-ctx.Done():
		return p.session.abandon(p.call, ctx.Err())
	case <-limit:
		return p.session.abandon(p.call, errNoDeadline)
	}
}
