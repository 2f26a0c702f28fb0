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
	d.Foreign, d.Face = env.foreign, env.face
	if env.Context != nil {
		d.Agent = env.Context.Key
	}
	env.judged.Store(d)
	return d
}

// untouched tells the witnesses among the guards of a command that came to none.
func (r *Runner) untouched(cmd *catalog.Command, params any, env *Env, err error) {
	if err == nil || env.judged.Load() != nil {
		return
	}
	d := r.deed(cmd, params, env)
	if env.Tab != nil {
		about(d, env.Tab)
	}
	r.Guards.Refused(d, err)
}

// Refused tells the witnesses of a command of the protocol, or of the catalogue as a
// message, which the session refused (session.Config.Refused). It does not wait.
func (r *Runner) Refused(cmd *protocol.Command, page *protocol.PageInfo, err error) {
	d := messageDeed(cmd)
	if page != nil {
		d.PageID, d.URL, d.Source = page.PageID, page.URL, page.Source
	}
	r.Guards.Refused(d, err)
}

// messageDeed is a command that came over the WebSocket.
func messageDeed(cmd *protocol.Command) *guard.Deed {
	d := &guard.Deed{
		Command: cmd.Type, RequestID: cmd.RequestID, Level: cmd.Spec.Level, Capability: cmd.Spec.Capability, Acts: cmd.Spec.Acts,
		Caller: callerOf(cmd), Agent: cmd.AgentName, Foreign: true, Face: faceWebSocket, Params: cmd.Params,
	}
	if m, ok := cmd.Params.(*message); ok {
		d.Params = m.params
	}
	return d
}

const faceWebSocket = "websocket"

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
	out.Warnings = append(out.Warnings, d.Warnings()...)
	return out, err
}

// Guard asks the guards about a command of the protocol, after whether the context of
// somebody else holds the page that it would change (session.Config.Guard).
func (r *Runner) Guard(ctx context.Context, exec session.Executor, cmd *protocol.Command) (func(*session.Outcome, error), error) {
	d := messageDeed(cmd)
	about(d, exec)
	if tab, ok := exec.(*page.Tab); ok && cmd.Spec.Acts { // an app's own SDK: no context holds it
		if err := r.Slots.Permit(d.Caller, tab); err != nil {
			r.Guards.Refused(d, err)
			return nil, err
		}
	}
	done, err := r.Guards.Before(ctx, d)
	if err != nil {
		return nil, fault.From(err)
	}
	cmd.Params = d.Params
	return func(out *session.Outcome, err error) {
		done(outcomeOf(*out, err))
		out.Warnings = append(out.Warnings, d.Warnings()...)
	}, nil
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
