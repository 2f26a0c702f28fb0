package command

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// deed is a command of the catalogue as the guards see it.
func (r *Runner) deed(cmd *catalog.Command, params any, env *Env) *guard.Deed {
	d := deedOf(cmd, params, env.Caller, env.requestID)
	d.Foreign = env.foreign
	if env.Context != nil {
		d.Agent = env.Context.Key
	}
	return d
}

func deedOf(cmd *catalog.Command, params any, who caller.Caller, requestID string) *guard.Deed {
	return &guard.Deed{
		Command: cmd.Name, RequestID: requestID, Level: cmd.Level, Capability: cmd.Capability, Acts: cmd.Effect != catalog.Read,
		Caller: who, Agent: who.Agent, Params: params,
	}
}

// guarded runs what is about a page, or about none (exec is nil), if the guards permit it.
// work gets the parameters as the guards left them.
func (r *Runner) guarded(ctx context.Context, d *guard.Deed, exec session.Executor, work func(params any) (session.Outcome, error)) (session.Outcome, error) {
	about(d, exec)
	done, err := r.Guards.Before(ctx, d)
	if err != nil {
		return session.Outcome{}, fault.From(err)
	}
	out, err := work(d.Params)
	done(outcomeOf(out, err))
	return out, err
}

// Guard asks the guards about a command of the protocol, after whether the context of
// somebody else holds the page that it would change (session.Config.Guard).
func (r *Runner) Guard(ctx context.Context, exec session.Executor, cmd *protocol.Command) (func(session.Outcome, error), error) {
	who := callerOf(cmd)
	if tab, ok := exec.(*page.Tab); ok && cmd.Spec.Acts { // an app's own SDK: no context holds it
		if err := r.Slots.Permit(who, tab); err != nil {
			return nil, err
		}
	}
	d := &guard.Deed{
		Command: cmd.Type, RequestID: cmd.RequestID, Level: cmd.Spec.Level, Capability: cmd.Spec.Capability, Acts: cmd.Spec.Acts,
		Caller: who, Agent: cmd.AgentName, Foreign: true, Params: cmd.Params,
	}
	about(d, exec)
	done, err := r.Guards.Before(ctx, d)
	if err != nil {
		return nil, fault.From(err)
	}
	cmd.Params = d.Params
	return func(out session.Outcome, err error) { done(outcomeOf(out, err)) }, nil
}

// about notes the page of a deed.
func about(d *guard.Deed, exec session.Executor) {
	if tab, ok := exec.(*page.Tab); ok {
		info := tab.Info()
		d.PageID, d.URL, d.Source, d.Page = info.PageID, info.URL, info.Source, tab
	} else if exec != nil {
		d.Source = protocol.SourceSDK
	}
}

func outcomeOf(out session.Outcome, err error) guard.Outcome {
	o := guard.Outcome{Result: out.Result, Effect: out.Effect}
	if err != nil {
		o.Err = fault.From(err)
	}
	return o
}
