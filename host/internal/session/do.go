package session

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Work is what Do runs in the page's turn. It calls dispatched as an Executor does.
type Work func(ctx context.Context, dispatched func()) (Outcome, error)

// Do runs work on the page as a command of the named actor, in the page's turn:
// what acts runs one after another with all other commands of the page, what reads
// beside them. The result is the caller's alone; of what acts the session's agents
// are told that it was done, by whom and to what effect. cmd.Spec, TimeoutMs and
// RequestID must be set. The error is a *fault.Error.
func (p *Page) Do(ctx context.Context, cmd *protocol.Command, work Work) (Outcome, error) {
	s := p.session
	cmd.Received = s.hub.config.Now()
	cmd.PageID = p.id
	j := &job{cmd: cmd, page: p, work: work, reply: make(chan ran, 1)}
	s.mu.Lock()
	refused := s.enqueue(p, j)
	s.mu.Unlock()
	if refused != nil {
		return Outcome{}, refused
	}
	select {
	case r := <-j.reply:
		return r.outcome, r.err
	case <-ctx.Done():
	}
	why, unsent := errCancelled, fault.New(fault.Cancelled, "The command was cancelled before it was sent.").With("dispatched", false)
	if ctx.Err() == context.DeadlineExceeded { // the caller's clock was a little ahead of ours
		why, unsent = errDeadline, timedOut(j)
	}
	s.mu.Lock()
	if !s.endWaiting(j, unsent) && j.cancel != nil {
		j.cancel(why)
	}
	s.mu.Unlock()
	r := <-j.reply
	return r.outcome, r.err
}

// enqueue puts a job of Do into the page's queue, or says why not. s.mu is held.
func (s *Session) enqueue(p *Page, j *job) error {
	if s.hub.isClosed() {
		return fault.New(fault.DaemonUnavailable, "The daemon stops.")
	}
	if p.removed {
		reason := s.gone[p.id]
		return fault.New(fault.PageNotFound, "The page is gone: %s.", reason).With("reason", reason)
	}
	if !p.info.Connected && !Revives(j.cmd.Spec, p.reason) {
		return pageAway{p.reason}.fault()
	}
	if refused := allowed(j.cmd.Spec, &p.info, protocol.Control); refused != nil {
		return refused
	}
	if limit := s.hub.config.Limits.PageQueue; p.waiting() >= limit {
		return fault.New(fault.Busy, "%d commands wait for this page already.", limit).With("limit", limit)
	}
	j.timer = timer(j, s)
	if ordered(j.cmd.Spec) {
		p.acts = append(p.acts, j)
	} else {
		p.readQueue = append(p.readQueue, j)
	}
	p.start()
	return nil
}

// settle gives a job of Do its answer, and tells the agents of what acted. s.mu is held.
func (s *Session) settle(j *job, outcome Outcome, failure *fault.Error) {
	r := ran{outcome: outcome}
	if failure != nil {
		r.err = failure
	}
	j.reply <- r
	if j.cmd.Spec.Acts {
		s.record(s.compose(j.cmd, Outcome{Effect: outcome.Effect, Via: outcome.Via}, failure), nil)
	}
}
