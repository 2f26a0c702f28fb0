package command

import (
	"context"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// Message finds the command of the catalogue that a message of the protocol names
// (session.Config.Commands): {"type":"page.navigate","url":"/app"}. Its parameters
// stand at the top level of the message, and it takes its turn on the page as the
// protocol's own commands do.
func (r *Runner) Message(name string) (*protocol.CommandSpec, bool) {
	cmd, ok := All.Find(name)
	if !ok || cmd.Needs == catalog.Nothing {
		return nil, false
	}
	spec := specOf(cmd)
	spec.Params = func() any { return &message{runner: r, cmd: cmd} }
	return spec, true
}

// specOf is how the session sees a command of the catalogue.
func specOf(cmd *catalog.Command) *protocol.CommandSpec {
	capability := cmd.Capability
	if capability == "" {
		capability = protocol.CapUITree // every page has it
	}
	return &protocol.CommandSpec{
		Type: cmd.Name, Summary: cmd.Summary, Level: cmd.Level, Capability: capability, Acts: cmd.Effect != catalog.Read,
	}
}

// message is a command of the catalogue that came as a message: protocol.Extended and session.Self.
type message struct {
	runner *Runner
	cmd    *catalog.Command
	raw    jsontext.Value
	params any
}

// Decode reads the parameters.
func (m *message) Decode(rest jsontext.Value) error {
	params, err := m.cmd.Decode(rest)
	if err != nil {
		return messageOf{fault.From(err)}
	}
	m.raw, m.params = rest.Clone(), params
	return nil
}

// notLocal refuses what is this computer's own: commands for it alone, parameters that
// name its files. Who sends a message may be another program with a token, which has no
// business with them.
func notLocal(cmd *catalog.Command, raw jsontext.Value) error {
	if cmd.Local {
		return fault.New(fault.PolicyDenied, "%s is for the command line of this computer only", cmd.Name).
			Suggest("Ask the person to run it: dbridge " + cmd.Resource() + " " + cmd.Verb() + " --help")
	}
	given := map[string]jsontext.Value{}
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil // Decode took it: there is nothing in it
	}
	for _, f := range cmd.Fields() {
		if _, ok := given[f.Name]; ok && f.Local {
			return fault.New(fault.PolicyDenied, "%s of %s is for the command line of this computer only", f.Name, cmd.Name).With("parameter", f.Name).
				Suggest("Leave it out; what is large goes to the artifacts, and the answer has its path.")
		}
	}
	return nil
}

// messageOf is a fault whose text is its message alone: the code goes beside it.
type messageOf struct{ fault *fault.Error }

func (m messageOf) Error() string { return m.fault.Message }

// TimeLimit is the command's own.
func (m *message) TimeLimit() time.Duration { return m.cmd.TimeLimit() }

// Alone reports a command that needs no page.
func (m *message) Alone() bool { return m.cmd.Needs == catalog.Slot }

// Run runs it in the page's turn, or alone.
func (m *message) Run(ctx context.Context, exec session.Executor, cmd *protocol.Command, dispatched func()) (done session.Outcome, err error) {
	if err := notLocal(m.cmd, m.raw); err != nil {
		m.runner.Refused(cmd, nil, err)
		return session.Outcome{}, err
	}
	who := callerOf(cmd)
	out := &collected{}
	hooks := Hooks{Emit: out.emit}
	if m.Alone() {
		answer, err := m.runner.Run(ctx, &Request{
			Command: m.cmd.Name, Params: m.raw, Caller: who, RequestID: cmd.RequestID, TimeoutMs: cmd.TimeoutMs, Face: faceWebSocket,
		}, hooks)
		return session.Outcome{Result: out.with(answer.Result), Effect: answer.Effect, Warnings: answer.Warnings}, err
	}
	tab, ok := exec.(*page.Tab)
	if !ok {
		if run, ok := overSDK[m.cmd.Name]; ok {
			return m.runner.guarded(ctx, messageDeed(cmd), exec, func(params any) (session.Outcome, error) {
				return run(ctx, sdkPage{exec, cmd, dispatched}, params)
			})
		}
		return session.Outcome{}, fault.New(fault.CapabilityMissing, "%s runs over a browser; this page is an app's own SDK", m.cmd.Name).
			Suggest("Connect the tab with the extension, or open the page in a browser of the context: dbridge session start --url URL")
	}
	if err := able(m.cmd, tab); err != nil {
		return session.Outcome{}, err
	}
	env := newEnv(&Request{Caller: who, RequestID: cmd.RequestID, Face: faceWebSocket}, m.runner, hooks)
	env.Tab = tab
	defer func() { m.runner.untouched(m.cmd, m.params, env, err) }()
	if env.Context, _, err = m.runner.Slots.Resolve(ctx, who); err != nil {
		return session.Outcome{}, fault.From(err)
	}
	env.Agent = env.Context.Key
	if m.cmd.Effect != catalog.Read {
		if err := env.Context.Hold(ctx, tab, false); err != nil {
			return session.Outcome{}, err
		}
	}
	done, err = m.runner.inTurn(ctx, m.cmd, m.params, env, dispatched)
	if more, ok := done.Result.(later); ok && err == nil {
		done.Result, err = more.finish(ctx)
	}
	done.Result = out.with(done.Result)
	return done, err
}

// callerOf is who sent a message: an agent in the session of a context belongs to
// that context, any other to one of its own.
func callerOf(cmd *protocol.Command) caller.Caller {
	if caller.IsKey(cmd.SessionID) {
		return caller.Caller{ContextID: cmd.SessionID, Agent: cmd.AgentName}
	}
	return caller.Caller{Agent: cmd.AgentName, Session: cmd.SessionID}
}

// maxCollected bounds the lines of a command that streams, which a message cannot.
const maxCollected = 10_000

// collected are the lines of a command whose answer is one message.
type collected struct {
	mu    sync.Mutex
	lines []jsontext.Value
}

func (c *collected) emit(line any) error {
	data, err := json.Marshal(line, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) >= maxCollected {
		return fault.New(fault.ResultTooLarge, "more than %d lines; a message cannot stream them", maxCollected).
			Suggest("Ask for less, or use the command line.")
	}
	c.lines = append(c.lines, data)
	return nil
}

// with is the result, beside the lines where there are any.
func (c *collected) with(result any) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) == 0 {
		return result
	}
	return map[string]any{"lines": c.lines, "result": result}
}
