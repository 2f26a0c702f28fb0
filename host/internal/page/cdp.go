package page

import (
	"context"
	"errors"
	goruntime "runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// evaluateMargin is what the browser's own time limit may be late before we
// give up on a runaway script.
const evaluateMargin = 200 * time.Millisecond

// cdp sends one DevTools command to the tab; the extension attaches the debugger when needed.
func (t *Tab) cdp(ctx context.Context, method string, params any) (jsontext.Value, error) {
	t.mu.Lock()
	send := cdpSend{TabID: t.id, Method: method, Params: params, TimeoutMs: remaining(ctx)}
	t.mu.Unlock()
	raw, err := t.call(ctx, "cdp.send", send)
	return raw, t.unanswered(method, err)
}

// unanswered says what became of a DevTools command that had left when its answer did not
// come. What a page takes as the person's own input is not to be sent again without a look.
func (t *Tab) unanswered(method string, err error) error {
	failure := fault.From(err)
	if err == nil || failure.Details["dispatched"] != true {
		return err
	}
	switch {
	case failure.Code == fault.CDPDisconnected:
		return t.lost(failure)
	case failure.Code == fault.Timeout && (strings.HasPrefix(method, "Input.") || method == cdppage.CommandHandleJavaScriptDialog):
		return fault.New(fault.Indeterminate, "%s", failure.Message).With("reason", "deadline").With("method", method).With("dispatched", true).Because(err)
	}
	return err
}

// lost says what became of a command that was under way when the debugger went:
// CDP_DISCONNECTED would say that it never left.
func (t *Tab) lost(failure *fault.Error) error {
	switch fate := t.awaitFate(); fate {
	case protocol.ReasonClosed:
		return fault.New(fault.PageNotFound, "the tab was closed while the command ran").With("reason", fate).With("dispatched", true)
	case protocol.ReasonCrashed:
		return notConnected(fate).With("dispatched", true)
	}
	return fault.New(fault.Indeterminate, "the page got the command, and the debugger went before its result came").
		With("reason", failure.Details["reason"]).With("dispatched", true)
}

// evaluate runs a script in the page's own world, past any CSP, and gives its value.
func (t *Tab) evaluate(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	params := cmd.Params.(*protocol.EvaluateParams)
	script := params.Code
	if script == "" {
		script = params.Expression
	}
	if (params.Code == "") == (params.Expression == "") {
		return session.Outcome{}, fault.New(fault.ValidationError, "evaluate needs exactly one of code and expression")
	}
	if cmd.FrameID != "" && cmd.FrameID != "main" {
		return session.Outcome{}, fault.New(fault.CapabilityMissing, "evaluate runs in the main frame only").
			Suggest("Leave out frameId; a same-origin frame's window is reachable as `frames[0]`.")
	}
	limit := time.Duration(remaining(ctx)) * time.Millisecond
	opened := t.dialogSignal()
	type reply struct {
		value evaluation
		err   error
	}
	replies := make(chan reply, 1)
	ctx, cancel := context.WithTimeout(ctx, limit+evaluateMargin)
	defer cancel()
	dispatched()
	go func() {
		value, err := t.runScript(ctx, script, limit)
		replies <- reply{value, err}
	}()
	select {
	case <-opened:
		return session.Outcome{Result: t.openDialog(), Effect: protocol.EffectChanged, Via: viaCDP}, nil
	case r := <-replies:
		if documentLeft(r.err) {
			return session.Outcome{Effect: protocol.EffectNavigated}, fault.New(fault.Indeterminate, "the page navigated away while the script ran").
				With("reason", "navigated").With("dispatched", true)
		}
		if r.err != nil {
			return session.Outcome{}, evaluateFault(r.err)
		}
		return r.value.outcome()
	}
}

// evaluation is CDP's answer to a script.
type evaluation struct {
	Result struct {
		Type                string                 `json:"type"`
		Value               jsontext.Value         `json:"value"`
		UnserializableValue string                 `json:"unserializableValue"`
		Description         string                 `json:"description"`
		ObjectID            runtime.RemoteObjectID `json:"objectId"`
	} `json:"result"`
	ExceptionDetails *exceptionDetails `json:"exceptionDetails"`
}

// scriptGroups numbers the handles of scripts, so that each is let go of by itself.
var scriptGroups atomic.Uint64

// replWords are what only REPL mode allows: await at the top, and a name declared again.
var replWords = lazy.MustCompile(`\b(?:await|let|const|class)\b`)

// runScript gives a script's value, awaited. REPL mode, where the script may need
// it, waits for no promise that is the script's value: there an object comes as a
// handle first, and then, awaited, by value.
func (t *Tab) runScript(ctx context.Context, script string, limit time.Duration) (evaluation, error) {
	yes := true
	if !replWords.MatchString(script) {
		return t.evaluation(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{
			Expression: script, ReturnByValue: &yes, AwaitPromise: &yes, UserGesture: &yes,
			Timeout: runtime.TimeDelta(limit.Milliseconds()),
		})
	}
	group := "debug-bridge-" + strconv.FormatUint(scriptGroups.Add(1), 10)
	first, err := t.evaluation(ctx, runtime.CommandEvaluate, runtime.EvaluateParams{
		Expression: script, ObjectGroup: group, AwaitPromise: &yes, UserGesture: &yes, ReplMode: &yes,
		Timeout: runtime.TimeDelta(limit.Milliseconds()),
	})
	if err != nil || first.Result.ObjectID == "" {
		return first, err
	}
	defer t.release(group)
	if first.ExceptionDetails != nil || first.Result.Type != "object" {
		return first, nil
	}
	return t.evaluation(ctx, runtime.CommandCallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function () { return this }", ObjectID: first.Result.ObjectID,
		AwaitPromise: &yes, ReturnByValue: &yes, UserGesture: &yes,
	})
}

func (t *Tab) evaluation(ctx context.Context, method string, params any) (value evaluation, err error) {
	raw, err := t.cdp(ctx, method, params)
	if err != nil {
		return value, err
	}
	if err := decode(raw, &value); err != nil {
		return value, fault.New(fault.CDPError, "the browser's answer cannot be read").Because(err)
	}
	return value, nil
}

// releaseTime bounds letting go of a handle, for which nobody waits.
const releaseTime = 5 * time.Second

// release lets the page's memory have the objects of a script back.
func (t *Tab) release(group string) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
		defer cancel()
		if _, err := t.cdp(ctx, runtime.CommandReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: group}); err != nil {
			t.log.Debug().Err(err).Msg("objects of a script not released")
		}
	}()
}

// documentLeft reports CDP's words for a script whose document went away.
func documentLeft(err error) bool {
	failure := fault.From(err)
	if err == nil || failure.Code != fault.CDPError {
		return false
	}
	cdp, _ := failure.Details["cdp"].(map[string]any)
	message, _ := cdp["message"].(string)
	return strings.Contains(message, "navigated or closed") || strings.Contains(message, "context was destroyed") || strings.Contains(message, "Cannot find context")
}

// evaluateFault names what ended a script. Once it has left for the page, a time
// limit makes its fate unknown; TIMEOUT would say that nothing ran.
func evaluateFault(err error) error {
	failure := fault.From(err)
	if failure.Details["dispatched"] == false {
		return failure
	}
	if failure.Code == fault.Timeout || errors.Is(err, context.DeadlineExceeded) {
		return lateScript("the script was still running at the deadline")
	}
	return failure
}

func lateScript(what string) *fault.Error {
	return fault.New(fault.Indeterminate, "%s", what).With("reason", "deadline").
		Suggest("Look at the page, then send it under a new requestId with a larger timeoutMs, or make the script shorter.")
}

// outcome is the answer as a result.
func (e *evaluation) outcome() (session.Outcome, error) {
	if e.ExceptionDetails != nil {
		message, stack := e.ExceptionDetails.words()
		if message == "" || e.ExceptionDetails.terminated() {
			return session.Outcome{}, lateScript("the script was stopped at the deadline")
		}
		return session.Outcome{}, fault.New(fault.ValidationError, "the script threw: %s", message).
			With("exception", message).With("stack", stack).With("dispatched", true).Suggest("Correct the script and send it under a new requestId.")
	}
	out := session.Outcome{Effect: protocol.EffectUnknown, Via: viaCDP}
	switch {
	case e.Result.UnserializableValue != "":
		out.Result = e.Result.UnserializableValue
	case len(e.Result.Value) > 0:
		if err := decode(e.Result.Value, &out.Result); err != nil {
			return session.Outcome{}, fault.New(fault.CDPError, "the script's value cannot be read").Because(err)
		}
	case e.Result.Type != "undefined":
		out.Result = e.Result.Description
	}
	return out, nil
}

// modifierBits are CDP's (Input.dispatchMouseEvent, modifiers).
var modifierBits = map[string]int64{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8, "ControlOrMeta": controlOrMeta()}

// controlOrMeta is the key of shortcuts on this system; the browser's is taken to be the same.
func controlOrMeta() int64 {
	if goruntime.GOOS == "darwin" {
		return 4
	}
	return 2
}

// located is where a bridge found an element, ready to be acted on.
type located struct {
	Point protocol.Bounds `json:"point"` // x and y alone
	Mark  jsontext.Value  `json:"mark"`
	Frame *int            `json:"frame"` // position of the frame in its parent; absent in the main frame
	// Hidden: the tab is behind another one.
	Hidden bool `json:"hidden"`
	// Lands: the page can wait for the press itself.
	Lands bool `json:"lands"`
}

// trusted reports whether a command may take the debugger lane.
func (t *Tab) trusted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.info.Level.Allows(protocol.Control) && t.info.DebuggerMode != "never"
}

func (t *Tab) click(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	params := cmd.Params.(*protocol.ClickParams)
	press, err := Press(params.Button, params.Count, params.Modifiers)
	if err != nil {
		return session.Outcome{}, err
	}
	return t.perform(ctx, cmd, "click", dispatched, press)
}

// Press checks how a mouse button is to be pressed and gives the input for it.
func Press(name string, count int, modifiers []string) (func(context.Context, Spot) error, error) {
	button := input.MouseButton(name)
	if button == "" {
		button = input.MouseButtonLeft
	}
	if button != input.MouseButtonLeft && button != input.MouseButtonMiddle && button != input.MouseButtonRight {
		return nil, fault.New(fault.ValidationError, "button %q is not left, middle or right", name)
	}
	if count > 3 || count < 0 {
		return nil, fault.New(fault.ValidationError, "count %d is not from 1 to 3", count)
	}
	bits, err := modifierMask(modifiers)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, at Spot) error {
		held := func(p *input.DispatchMouseEventParams) { p.Modifiers = bits }
		sends := []Send{Mouse(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y, held)}
		for n := 1; n <= max(count, 1); n++ {
			for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
				sends = append(sends, Mouse(kind, at.X, at.Y, func(p *input.DispatchMouseEventParams) {
					p.Button, p.ClickCount, p.Modifiers = button, int64(n), bits
				}))
			}
		}
		return at.Press(ctx, max(count, 1), sends...)
	}, nil
}

// modifierMask gives CDP's bits of modifier names.
func modifierMask(names []string) (int64, error) {
	var bits int64
	for _, name := range names {
		bit, ok := modifierBits[name]
		if !ok {
			return 0, fault.New(fault.ValidationError, "modifier %q is not Alt, Control, Meta, Shift or ControlOrMeta", name)
		}
		bits |= bit
	}
	return bits, nil
}

func (t *Tab) hover(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	return t.perform(ctx, cmd, "hover", dispatched, Hover)
}

// Hover is the input that moves the pointer over an element.
func Hover(ctx context.Context, at Spot) error {
	return at.Send(ctx, Mouse(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y, nil))
}

// perform does a protocol command as a deed.
func (t *Tab) perform(ctx context.Context, cmd *protocol.Command, action string, dispatched func(), press func(context.Context, Spot) error) (session.Outcome, error) {
	bridge, err := fields(cmd.Params)
	if err != nil {
		return session.Outcome{}, err
	}
	bridge["type"] = cmd.Type
	did, err := t.Act(ctx, Deed{
		Action: action, Target: targetOf(cmd.Params), FrameID: cmd.FrameID, Bridge: bridge, Trusted: press, Guarded: action == "click",
	}, dispatched)
	if err != nil {
		return session.Outcome{}, err
	}
	out := session.Outcome{Result: map[string]any{"ref": did.Ref}, Effect: did.Effect, Via: did.Via}
	switch {
	case did.After.Dialog != nil:
		out.Result = t.openDialog()
	case did.Effect == protocol.EffectNavigated && did.Ref == "":
		out.Result = nil
	}
	return out, nil
}

// dialogSignal gives a channel that closes when a dialog opens.
func (t *Tab) dialogSignal() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dialogs
}

// openDialog describes the open dialog for a result.
func (t *Tab) openDialog() map[string]any {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil {
		return map[string]any{}
	}
	return map[string]any{"dialog": map[string]any{
		"kind": t.dialog.Kind, "message": t.dialog.Message, "defaultPrompt": t.dialog.DefaultPrompt,
	}}
}

// handleDialog answers the open dialog; what it held up goes on.
func (t *Tab) handleDialog(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	params := cmd.Params.(*protocol.DialogHandleParams)
	if params.Accept == params.Dismiss {
		return session.Outcome{}, fault.New(fault.ValidationError, "dialog.handle needs exactly one of accept and dismiss")
	}
	t.mu.Lock()
	dialog := t.dialog
	t.mu.Unlock()
	if dialog == nil {
		return session.Outcome{}, fault.New(fault.DialogNotOpen, "no dialog is open in the page")
	}
	dispatched()
	if _, err := t.cdp(ctx, cdppage.CommandHandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: params.Accept, PromptText: params.Text}); err != nil {
		return session.Outcome{}, err
	}
	t.mu.Lock()
	if t.dialog == dialog { // the next one may be open already
		t.dialog = nil
	}
	t.mu.Unlock()
	return session.Outcome{Effect: protocol.EffectChanged, Via: viaCDP, Result: map[string]any{"kind": dialog.Kind, "message": dialog.Message}}, nil
}
