package session

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Self is parameters whose command knows how it is run (Config.Commands).
type Self interface {
	// Alone reports a command that is about no page: it runs at once, beside all others.
	Alone() bool
	// Run runs it as an Executor does. exec is that of the page whose turn it is, nil
	// when the command runs alone.
	Run(ctx context.Context, exec Executor, cmd *protocol.Command, dispatched func()) (Outcome, error)
}

// submitAlone runs a command that is about no page. s.mu is held.
func (s *Session) submitAlone(a *Agent, cmd *protocol.Command, self Self, e *entry, key commandKey) {
	refuse := func(f *fault.Error) { s.answer(cmd, Outcome{}, f, &key) }
	if limit := s.hub.config.Limits.PageQueue; s.alone >= limit {
		s.answer(cmd, Outcome{}, fault.New(fault.Busy, "%d commands run in this session already.", limit).With("limit", limit), nil)
		return
	}
	s.ledger.commands[key] = e
	switch {
	case cmd.Epoch != "" && cmd.Epoch != s.hub.config.Epoch:
		refuse(fault.New(fault.Indeterminate, "The command is of another run of the daemon, and its result was lost with it; it was not sent again.").With("epoch", s.hub.config.Epoch))
		return
	case !a.level.Allows(cmd.Spec.Level):
		refuse(fault.New(fault.CapabilityMissing, "%s needs level %s; the agent's token allows %s.", cmd.Spec.Type, cmd.Spec.Level, a.level).
			With("level", cmd.Spec.Level).With("have", a.level).With("limitedBy", "token").
			Suggest("Ask the person for a token of that level: `dbridge token new NAME --level " + string(cmd.Spec.Level) + "`."))
		return
	}
	j := &job{key: key, cmd: cmd, running: true}
	e.job = j
	ctx, cancel := context.WithCancelCause(s.hub.ctx)
	ctx, stop := context.WithTimeoutCause(ctx, cmd.Timeout(), errDeadline)
	j.cancel = cancel
	s.alone++
	s.hub.work.Go(func() {
		defer stop()
		defer cancel(nil)
		s.execute(ctx, j, func(ctx context.Context, dispatched func()) (Outcome, error) {
			copied := *cmd
			return self.Run(ctx, nil, &copied, dispatched)
		}, func() { s.alone-- })
	})
}
