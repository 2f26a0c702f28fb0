package command

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/auditlog"
	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/secret"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

// Request is one command to run.
type Request struct {
	Command   string         `json:"command"`
	Params    jsontext.Value `json:"params,omitempty"`
	Caller    caller.Caller  `json:"caller"`
	Page      int            `json:"page,omitempty"`      // the current one when 0
	TimeoutMs int            `json:"timeoutMs,omitempty"` // the command's own when 0
	RequestID string         `json:"requestId,omitempty"`
	Verbose   bool           `json:"verbose,omitempty"`
	Text      bool           `json:"text,omitempty"` // the answer as text
	Data      bool           `json:"data,omitempty"` // with Text: as data, too
	Face      string         `json:"face,omitempty"` // cli, mcp, http, websocket: for the audit log

	// Foreign is a request of a program that has no more than a token: parameters that
	// name what is this computer's own are refused, and so is what its level does not reach.
	Foreign bool           `json:"-"`
	Ceiling protocol.Level `json:"-"` // of the token; empty is control
}

// Answer is what a command gave.
type Answer struct {
	Result   any
	Effect   string
	Warnings []string
}

// Hooks let a face hear what comes before the answer. Either may be nil.
type Hooks struct {
	Emit func(line any) error
	Say  func(format string, args ...any)
}

// Runner runs commands of the catalogue for all faces.
type Runner struct {
	Slots *slot.Manager
	// Setup tells what stands between the daemon and the person's Chrome; nil: nothing is known.
	Setup func(context.Context) (Setup, error)
	// CDPAddress makes the address for session.cdp; nil: there is no DevTools endpoint.
	CDPAddress cdpAddresser
	// Secrets are the values that the person gave a name; nil: there are none.
	Secrets *secret.Vault
	// Audit is the audit log; nil: there is none.
	Audit *auditlog.Writer
	// Rules is the person's policy; the guards enforce it.
	Rules *policy.Store
	// Guards are asked before each command, when its turn has come.
	Guards guard.Chain
}

// Run runs one command. The error is a *fault.Error.
func (r *Runner) Run(ctx context.Context, request *Request, hooks Hooks) (out Answer, err error) {
	cmd, ok := All.Find(request.Command)
	if !ok {
		return Answer{}, Unknown(request.Command)
	}
	params, err := cmd.Decode(request.Params)
	if err != nil {
		return Answer{}, err
	}
	env := newEnv(request, r, hooks)
	defer func() {
		r.untouched(cmd, params, env, err)
		if d := env.judged.Load(); d != nil {
			out.Warnings = append(out.Warnings, d.Warnings()...)
		}
	}()
	if request.Foreign {
		if err := covered(cmd, request); err != nil {
			return Answer{}, err
		}
	}
	limit := cmd.TimeLimit()
	if request.TimeoutMs != 0 {
		if limit = time.Duration(request.TimeoutMs) * time.Millisecond; limit < 0 || limit > protocol.MaxTimeout {
			return Answer{}, problem("the time limit must be 1 to %d ms", protocol.MaxTimeout.Milliseconds()).Suggest("Give --timeout in milliseconds.")
		}
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	release := func() {}
	if cmd.Needs != catalog.Nothing {
		if env.Context, out.Warnings, err = r.Slots.Resolve(ctx, request.Caller); err != nil {
			return out, fault.From(err)
		}
		env.Agent = env.Context.Key
		if err := env.Context.Ready(); err != nil {
			return out, err
		}
		if takesTurn(cmd) {
			done, err := env.Context.Turn(ctx, cmd.Name)
			if err != nil {
				return out, err
			}
			release = sync.OnceFunc(done)
			defer release()
		}
	}
	var done session.Outcome
	if cmd.Needs == catalog.Page || cmd.Needs == catalog.Dialog {
		done, err = r.onPage(ctx, cmd, params, request, env, limit)
	} else {
		done, err = r.guarded(ctx, r.deed(cmd, params, env), nil, func(params any) (out session.Outcome, err error) {
			out.Result, err = cmd.Run(ctx, env, params)
			out.Effect = env.effect
			return out, err
		})
	}
	if more, ok := done.Result.(later); ok && err == nil {
		release()
		done.Result, err = more.finish(ctx)
	}
	if err != nil {
		return out, late(ctx, cmd, limit, err)
	}
	out.Result, out.Effect = done.Result, done.Effect
	return out, nil
}

// covered refuses what a token does not reach.
func covered(cmd *catalog.Command, request *Request) error {
	if request.Ceiling != "" && !request.Ceiling.Allows(cmd.Level) {
		return fault.New(fault.CapabilityMissing, "%s needs level %s; the token allows %s", cmd.Name, cmd.Level, request.Ceiling).
			With("level", cmd.Level).With("have", request.Ceiling).With("limitedBy", "token").
			Suggest("Ask the person for a token of that level: `dbridge token new NAME --level " + string(cmd.Level) + "`.")
	}
	return notLocal(cmd, request.Params)
}

// takesTurn tells the commands that run one after another in a context, whichever of
// its pages they are about. Answering a dialog is not among them: the command before it
// may hang until the dialog is answered.
func takesTurn(cmd *catalog.Command) bool {
	return cmd.Effect != catalog.Read && !cmd.Unordered && cmd.Capability != protocol.CapDialogs
}

// onPage runs a command in its turn on the page that it is about.
func (r *Runner) onPage(ctx context.Context, cmd *catalog.Command, params any, request *Request, env *Env, limit time.Duration) (session.Outcome, error) {
	var err error
	if env.Tab, err = env.Context.Tab(request.Page); err != nil {
		return session.Outcome{}, err
	}
	if err := able(cmd, env.Tab); err != nil {
		return session.Outcome{}, err
	}
	if cmd.Effect != catalog.Read {
		// Who gives a time is ready to wait for the page.
		if err := env.Context.Hold(ctx, env.Tab, request.TimeoutMs != 0); err != nil {
			return session.Outcome{}, err
		}
	}
	job := &protocol.Command{
		Base: protocol.Base{Type: cmd.Name, RequestID: request.RequestID}, Spec: specOf(cmd),
		TimeoutMs: int(limit.Milliseconds()), AgentID: env.Context.Key, AgentName: env.Context.Key,
	}
	return env.Tab.Page().Do(ctx, job, func(ctx context.Context, dispatched func()) (session.Outcome, error) {
		return r.inTurn(ctx, cmd, params, env, dispatched)
	})
}

// able refuses a command that cannot be done over the page's browser.
func able(cmd *catalog.Command, tab *page.Tab) error {
	info := tab.Info()
	why, cannot := cmd.Cannot[info.Source]
	if !cannot {
		return nil
	}
	return fault.New(fault.CapabilityMissing, "%s does not work over %s: %s", cmd.Name, info.Source, why).With("source", info.Source).
		Suggest("dbridge session start --headless --url " + quoteArg(info.URL))
}

// inTurn runs a command when it is its turn on the page.
func (r *Runner) inTurn(ctx context.Context, cmd *catalog.Command, params any, env *Env, dispatched func()) (session.Outcome, error) {
	if err := env.Tab.Covered(); err != nil {
		return session.Outcome{}, err
	}
	if cmd.Needs == catalog.Page {
		if blocked := env.Tab.Blocked(); blocked != nil {
			return session.Outcome{}, blocked
		}
	}
	return r.guarded(ctx, r.deed(cmd, params, env), env.Tab, func(guarded any) (session.Outcome, error) {
		return permitted(ctx, cmd, params, guarded, env, dispatched)
	})
}

// permitted runs a command that the guards let through, with the parameters that they
// left; what is kept of it shows those that were given.
func permitted(ctx context.Context, cmd *catalog.Command, given, params any, env *Env, dispatched func()) (out session.Outcome, err error) {
	sent := false
	env.dispatched = func() {
		sent = true
		env.windowSent()
		dispatched()
	}
	if cmd.Effect != catalog.Read {
		acting(env)
	}
	answered := env.openWindow(cmd)
	defer func() { answered(out, err) }()
	alive, stop := pulse(ctx, cmd, env)
	defer stop()
	recorded := taped(ctx, env, cmd, given)
	result, err := cmd.Run(alive, env, params)
	recorded(result, err)
	if dead, ok := errors.AsType[*fault.Error](context.Cause(alive)); ok && err != nil && ctx.Err() == nil {
		if sent && dead.Code == fault.Timeout {
			dead = fault.New(fault.Indeterminate, "%s", dead.Message).With("reason", dead.Details["reason"]).Suggest(dead.Suggestions...)
		}
		err = dead
	}
	return session.Outcome{Result: result, Effect: env.effect, Via: env.via}, err
}

// pulse ends a command that asks something of a page which answers nothing. Who waits
// for the page, or gives more time than the command has by itself, waits.
func pulse(ctx context.Context, cmd *catalog.Command, env *Env) (context.Context, func()) {
	deadline, timed := ctx.Deadline()
	asks := cmd.Needs == catalog.Page || cmd.Name == "observe.state"
	if !asks || strings.HasPrefix(cmd.Name, "page.wait-") || timed && time.Until(deadline) > cmd.TimeLimit() {
		env.Tab.Pauses() // a raw command may be what stops the page
		return ctx, func() {}
	}
	return env.Tab.Pulse(ctx)
}

// newEnv is what a handler gets before its context and page are known.
func newEnv(request *Request, r *Runner, hooks Hooks) *Env {
	env := &Env{Caller: request.Caller, Page: request.Page, Slots: r.Slots, setup: r.Setup, cdpAddress: r.CDPAddress, secrets: r.Secrets, foreign: request.Foreign, face: request.Face, audit: r.Audit, rules: r.Rules, find: All.Find, requestID: request.RequestID, Verbose: request.Verbose, Emit: hooks.Emit, Say: hooks.Say}
	if env.Emit == nil {
		env.Emit = func(any) error { return nil }
	}
	if env.Say == nil {
		env.Say = func(string, ...any) {}
	}
	return env
}

// late names a deadline that passed outside of a page's turn, whatever it ended.
func late(ctx context.Context, cmd *catalog.Command, limit time.Duration, err error) error {
	failure := fault.From(err)
	if ctx.Err() != context.DeadlineExceeded {
		return failure
	}
	switch {
	case failure.Code == fault.InternalError, failure.Code == fault.Cancelled,
		failure.Code == fault.BrowserLaunchFailed && errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Timeout, "%s was not done in %d ms", cmd.Name, limit.Milliseconds()).Because(err).Suggest("Give it more time: --timeout MS")
	}
	return failure
}
