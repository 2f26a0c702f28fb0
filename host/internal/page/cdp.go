package page

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
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
	if failure := fault.From(err); err != nil && failure.Code == fault.CDPDisconnected && failure.Details["dispatched"] == true {
		return nil, t.lost(failure)
	}
	return raw, err
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
var replWords = regexp.MustCompile(`\b(?:await|let|const|class)\b`)

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
var modifierBits = map[string]int64{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}

// located is where a bridge found an element, ready to be acted on.
type located struct {
	Ref   string          `json:"ref"`
	Point protocol.Bounds `json:"point"` // x and y alone
	Mark  jsontext.Value  `json:"mark"`
}

// trusted reports whether a command may take the debugger lane.
func (t *Tab) trusted() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.info.Level.Allows(protocol.Control) && t.info.DebuggerMode != "never"
}

func (t *Tab) click(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	params := cmd.Params.(*protocol.ClickParams)
	button := input.MouseButton(params.Button)
	if button == "" {
		button = input.MouseButtonLeft
	}
	if button != input.MouseButtonLeft && button != input.MouseButtonMiddle && button != input.MouseButtonRight {
		return session.Outcome{}, fault.New(fault.ValidationError, "button %q is not left, middle or right", params.Button)
	}
	count := max(params.Count, 1)
	if count > 3 || params.Count < 0 {
		return session.Outcome{}, fault.New(fault.ValidationError, "count %d is not from 1 to 3", params.Count)
	}
	var modifiers int64
	for _, name := range params.Modifiers {
		bit, ok := modifierBits[name]
		if !ok {
			return session.Outcome{}, fault.New(fault.ValidationError, "modifier %q is not Alt, Control, Meta or Shift", name)
		}
		modifiers |= bit
	}
	if !t.trusted() {
		return t.viaBridge(ctx, cmd, dispatched)
	}
	return t.pointer(ctx, cmd, "click", dispatched, func(x, y float64) []input.DispatchMouseEventParams {
		move := moveTo(x, y)
		move.Modifiers = modifiers
		events := []input.DispatchMouseEventParams{move}
		for n := 1; n <= count; n++ {
			for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
				events = append(events, input.DispatchMouseEventParams{
					Type: kind, X: x, Y: y, Button: button, ClickCount: int64(n), Modifiers: modifiers,
				})
			}
		}
		return events
	})
}

func (t *Tab) hover(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	if !t.trusted() {
		return t.viaBridge(ctx, cmd, dispatched)
	}
	return t.pointer(ctx, cmd, "hover", dispatched, func(x, y float64) []input.DispatchMouseEventParams {
		return []input.DispatchMouseEventParams{moveTo(x, y)}
	})
}

func moveTo(x, y float64) input.DispatchMouseEventParams {
	return input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y}
}

// pointer acts with trusted mouse input: the bridge finds the element, checks
// that it can take the event and says where; the debugger sends the events;
// the bridge says what changed. Where the debugger cannot be had, the bridge acts.
func (t *Tab) pointer(ctx context.Context, cmd *protocol.Command, action string, dispatched func(),
	events func(x, y float64) []input.DispatchMouseEventParams) (session.Outcome, error) {
	at, err := t.aimAt(ctx, cmd)
	if err != nil {
		return session.Outcome{}, err
	}
	if _, err := t.cdp(ctx, "Page.enable", nil); err != nil { // attaches; the bar may move the page before we measure
		t.log.Debug().Err(err).Msg("no debugger; the bridge acts")
		return t.viaBridge(ctx, cmd, dispatched)
	}
	found, err := t.bridgeIn(ctx, at, map[string]any{"type": "locate", "target": at.target, "forAction": action})
	if err != nil {
		if gone, ok := err.(*documentGone); ok {
			return t.after(gone)
		}
		return session.Outcome{}, err
	}
	var place located
	if err := decode(found.Result, &place); err != nil {
		return session.Outcome{}, fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	if at.frame.id != 0 {
		t.measure()
	}
	t.mu.Lock()
	x, y := at.frame.toPage(place.Point.X, place.Point.Y)
	t.mu.Unlock()

	opened := t.dialogSignal()
	dispatched()
	for _, event := range events(x, y) {
		done := make(chan error, 1)
		go func() {
			_, err := t.cdp(ctx, input.CommandDispatchMouseEvent, event)
			done <- err
		}()
		select {
		case <-opened: // the page waits in its dialog; so would the event's answer
			return session.Outcome{Result: t.openDialog(), Effect: protocol.EffectChanged, Via: viaCDP}, nil
		case err := <-done:
			if errors.Is(err, fault.New(fault.DialogBlocking, "")) {
				return session.Outcome{Result: t.openDialog(), Effect: protocol.EffectChanged, Via: viaCDP}, nil
			}
			if err != nil {
				return session.Outcome{}, err
			}
		}
	}
	return t.settle(ctx, at, place)
}

// settle waits until the page is quiet after trusted input and says what changed.
func (t *Tab) settle(ctx context.Context, at aim, place located) (session.Outcome, error) {
	out := session.Outcome{Result: map[string]any{}, Effect: protocol.EffectUnknown, Via: viaCDP}
	opened := t.dialogSignal()
	type reply struct {
		result bridgeResult
		err    error
	}
	replies := make(chan reply, 1)
	go func() {
		result, err := t.bridgeIn(ctx, at, map[string]any{"type": "settle", "sinceMark": place.Mark})
		replies <- reply{result, err}
	}()
	select {
	case <-opened:
		out.Result, out.Effect = t.openDialog(), protocol.EffectChanged
		return out, nil
	case r := <-replies:
		if gone, ok := r.err.(*documentGone); ok {
			gone.acted = true
			ended, err := t.after(gone)
			ended.Via = viaCDP
			return ended, err
		}
		if r.err != nil {
			return out, nil // it was done; only what it changed is not known
		}
		out.Effect = r.result.Effect
		t.mu.Lock()
		out.Result = map[string]any{"ref": at.frame.outward(place.Ref)}
		t.mu.Unlock()
		return out, nil
	}
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
	t.dialog = nil
	t.mu.Unlock()
	return session.Outcome{Effect: protocol.EffectChanged, Via: viaCDP, Result: map[string]any{"kind": dialog.Kind, "message": dialog.Message}}, nil
}
