package command

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/debug-bridge/debug-bridge/host/internal/auditlog"
	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/locator"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/secret"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

// Env is what a handler gets beside its parameters.
type Env struct {
	Caller  caller.Caller
	Page    int // that was asked for, 0 for the current one
	Slots   *slot.Manager
	Context *slot.Context // from Needs Slot on
	Tab     *page.Tab     // from Needs Page on
	Agent   string        // who asks: key of what is remembered for one agent (snapshot of before, cursors)
	Verbose bool
	// Emit gives a line of a stream, before the answer; of commands with Streams.
	Emit func(line any) error
	// Say tells a person of progress, beside the answer.
	Say func(format string, args ...any)

	setup      func(context.Context) (Setup, error)
	cdpAddress cdpAddresser
	secrets    *secret.Vault
	foreign    bool // as Request.Foreign
	face       string
	audit      *auditlog.Writer
	rules      *policy.Store
	find       func(name string) (*catalog.Command, bool) // in the catalogue
	judged     atomic.Pointer[guard.Deed]                 // as the guards were asked of it
	dispatched func()
	window     *act // what the command sets off, where it acts on a page
	requestID  string
	effect     string
	via        string
}

// Dispatched notes that the command leaves for the page now: from here on a lost answer is INDETERMINATE.
func (e *Env) Dispatched() {
	if e.dispatched != nil {
		e.dispatched()
	}
}

// Did notes what the command changed (protocol.Effect…) and the lane it took.
func (e *Env) Did(effect, via string) { e.effect, e.via = effect, via }

// Perform runs a protocol command on the page and notes its effect.
func (e *Env) Perform(ctx context.Context, name string, params any) (session.Outcome, error) {
	out, err := e.Tab.Perform(ctx, name, params, e.Dispatched)
	e.Did(out.Effect, out.Via)
	return out, err
}

// target reads the text by which a parameter names an element.
func target(text string) (protocol.Target, error) { return locator.Parse(text) }

func define[P, R any](spec catalog.Spec, run func(context.Context, *Env, *P) (R, error)) *catalog.Command {
	spec.PageText = fenced[spec.Name]
	return catalog.Define[*Env, P, R](spec, run)
}

// All is the catalogue, in the order of the reference.
var All = catalog.List(slices.Concat(
	sessionCommands, sessionCDPCommands, connectCommands, profileCommands, pageCommands, downloadCommands, waitCommands, observeCommands, elementCommands, inputCommands, dialogCommands,
	runtimeCommands, logpointCommands, captureCommands, recordingCommands, consoleCommands, networkCommands, emulationCommands, traceCommands,
	layoutCommands, auditCommands, auditLogCommands, stateCommands, componentCommands, causeCommands, recordCommands, recordReadCommands, toolCommands, askCommands, cdpCommands, policyCommands, secretCommands,
))

// Unknown is the fault for a name that is no command, with the nearest ones.
func Unknown(name string) *fault.Error {
	return fault.New(fault.UnknownType, "there is no command %q", name).Suggest("dbridge --help")
}

func problem(format string, args ...any) *fault.Error {
	return fault.New(fault.ValidationError, "%s", fmt.Sprintf(format, args...))
}
