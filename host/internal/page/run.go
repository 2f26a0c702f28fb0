package page

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// The lanes a command can take.
const (
	viaBridge = "bridge"
	viaCDP    = "cdp"
)

// bridgeless are the commands that need no bridge in the page.
var bridgeless = map[string]bool{"navigate": true, "evaluate": true, "dialog.handle": true}

// handlers runs each command; what is absent goes to the bridge as it is.
var handlers = map[string]func(*Tab, context.Context, *protocol.Command, func()) (session.Outcome, error){
	"navigate":             (*Tab).navigate,
	"evaluate":             (*Tab).evaluate,
	"click":                (*Tab).click,
	"hover":                (*Tab).hover,
	"dialog.handle":        (*Tab).handleDialog,
	"request_ui_tree":      reading((*Tab).requestTree),
	"request_state":        reading((*Tab).requestState),
	"request_dom_snapshot": reading((*Tab).requestDOM),
}

func reading(run func(*Tab, context.Context, *protocol.Command) (session.Outcome, error)) func(*Tab, context.Context, *protocol.Command, func()) (session.Outcome, error) {
	return func(t *Tab, ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
		dispatched()
		out, err := run(t, ctx, cmd)
		var gone *documentGone
		if errors.As(err, &gone) {
			return t.after(gone)
		}
		return out, err
	}
}

// Run executes one command on the page (session.Executor).
func (t *Tab) Run(ctx context.Context, cmd *protocol.Command, dispatched func()) (out session.Outcome, err error) {
	t.mu.Lock()
	runs := t.runs
	t.mu.Unlock()
	if cmd.AgentID != "" && cmd.Spec.Acts { // without an agent it is part of another command
		for _, run := range runs {
			done := run.see(cmd)
			defer func() { done(out, err) }()
		}
	}
	if refused := t.refusal(); refused != nil && cmd.Type != "dialog.handle" && !session.Revives(cmd.Spec, t.fate()) {
		return session.Outcome{}, refused
	}
	if !bridgeless[cmd.Type] {
		if err := t.awaitBridge(ctx); err != nil {
			return session.Outcome{}, err
		}
	}
	if run, ok := handlers[cmd.Type]; ok {
		return run(t, ctx, cmd, dispatched)
	}
	return t.viaBridge(ctx, cmd, dispatched)
}

// bridgeWait is how long a page that loads may take to bring up its bridge.
const bridgeWait = 5 * time.Second

// awaitBridge waits until the main frame's bridge is ready.
func (t *Tab) awaitBridge(ctx context.Context) error {
	timer := time.NewTimer(bridgeWait)
	defer timer.Stop()
	for {
		t.mu.Lock()
		main, turn := t.main(), t.turn
		ready := main != nil && !main.bridgeless
		t.mu.Unlock()
		if ready {
			return t.refusal()
		}
		select {
		case <-turn:
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return fault.New(fault.NotConnected, "the page is still loading; its bridge is not ready").With("reason", "loading").
				Suggest("Send the command again in a moment, or `navigate` with reload.")
		}
	}
}

// refusal says why the tab takes no commands now, or nil.
func (t *Tab) refusal() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paused != "" {
		return notConnected(t.paused)
	}
	if reason := t.info.beyond(time.Now()); reason != "" {
		return notConnected(reason)
	}
	if t.dialog != nil {
		return fault.New(fault.DialogBlocking, "a %s dialog is open in the page: %q", t.dialog.Kind, t.dialog.Message).
			With("kind", t.dialog.Kind).With("message", t.dialog.Message).
			Suggest("dbridge dialog handle --accept", "dbridge dialog handle --dismiss")
	}
	return nil
}

// notConnected is the refusal of a paused page, with the step that helps.
func notConnected(reason string) *fault.Error {
	next := map[string]string{
		protocol.ReasonLeftSite:              "Ask the person to allow this site in the Debug Bridge popup.",
		protocol.ReasonNavigatedToRestricted: "Ask the person to go back to a normal web page in this tab.",
		protocol.ReasonCrashed:               "Send `navigate` with `reload`, or ask the person to reload the crashed tab.",
		protocol.ReasonDiscarded:             "Send `navigate` with `reload`, or ask the person to look at the tab.",
		protocol.ReasonExtensionGone:         "Wait for app_connected, or run `dbridge doctor`.",
	}
	err := fault.New(fault.NotConnected, "the page is not connected: %s", reason).With("reason", reason)
	if step, ok := next[reason]; ok {
		err = err.Suggest(step)
	}
	return err
}

// frameOf is the frame a command names, or the main one.
func (t *Tab) frameOf(cmd *protocol.Command) (*frame, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cmd.FrameID != "" {
		return t.shortFrame(cmd.FrameID)
	}
	return t.main(), nil
}

// viaBridge sends a command to the bridge of the frame it is about.
func (t *Tab) viaBridge(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	at, err := t.aimAt(ctx, cmd)
	if err != nil {
		return session.Outcome{}, err
	}
	command, err := fields(cmd.Params)
	if err != nil {
		return session.Outcome{}, err
	}
	command["type"] = cmd.Type
	if at.target != nil {
		command["target"] = at.target
	}
	return t.act(ctx, at, command, dispatched)
}

// fields gives a parameter struct as the message fields it stands for.
func fields(params any) (map[string]any, error) {
	data, err := json.Marshal(params)
	if err != nil {
		return nil, fault.New(fault.InternalError, "parameters cannot be encoded").Because(err)
	}
	out := make(map[string]any)
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fault.New(fault.InternalError, "parameters cannot be encoded").Because(err)
	}
	return out, nil
}

// act runs one bridge command and judges what became of it when the document went away meanwhile.
func (t *Tab) act(ctx context.Context, at aim, command map[string]any, dispatched func()) (session.Outcome, error) {
	dispatched()
	result, err := t.bridgeIn(ctx, at, command)
	if err != nil {
		var gone *documentGone
		if errors.As(err, &gone) {
			return t.after(gone)
		}
		return session.Outcome{}, err
	}
	value, err := t.value(at, result.Result)
	if err != nil {
		return session.Outcome{}, err
	}
	effect := result.Effect
	if effect == "" {
		effect = protocol.EffectUnknown
	}
	return session.Outcome{Result: value, Effect: effect, Via: viaBridge}, nil
}

// value decodes a bridge's result, refs made the wire's.
func (t *Tab) value(at aim, raw jsontext.Value) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var value any
	if err := decode(raw, &value); err != nil {
		return nil, fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.frame.documentID != at.documentID {
		return nil, nil // its refs mean nothing any more
	}
	return at.frame.outwardAll(value), nil
}

// documentGone is the end of a bridge call whose document went away.
type documentGone struct {
	how   string // navigated, removed, or gone: the extension does not know why
	acted bool
}

func (g *documentGone) Error() string { return "the document went away: " + g.how }

// Unwrap is what whoever did not ask how the document went is told.
func (g *documentGone) Unwrap() error {
	return fault.New(fault.NavigationInterrupted, "the page navigated away before the command was done").With("reason", g.how).With("acted", g.acted)
}

// fateWait is how long the reason of a vanished document is waited for: that
// the tab closed, crashed or navigated is told by events of their own.
const fateWait = time.Second

// after judges a command whose document went away. What had acted before the
// document went has navigated; what had not, did nothing.
func (t *Tab) after(g *documentGone) (session.Outcome, error) {
	fate := t.fate()
	if g.how == "gone" {
		fate = t.awaitFate()
	}
	switch {
	case fate == protocol.ReasonClosed:
		return session.Outcome{}, fault.New(fault.PageNotFound, "the tab was closed").With("reason", fate).With("acted", g.acted)
	case fate == protocol.ReasonCrashed:
		return session.Outcome{}, notConnected(fate).With("acted", g.acted)
	case g.acted:
		return session.Outcome{Effect: protocol.EffectNavigated, Via: viaBridge}, nil
	case fate != "":
		return session.Outcome{}, notConnected(fate)
	default:
		return session.Outcome{}, g.Unwrap()
	}
}

// fate is why the tab takes no commands any more: the reason of its end or pause.
func (t *Tab) fate() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.paused
}

// awaitFate is fate, waited for where the extension has still to tell it.
func (t *Tab) awaitFate() string {
	turned := t.turned()
	if fate := t.fate(); fate != "" {
		return fate
	}
	select {
	case <-turned:
	case <-time.After(fateWait):
	}
	return t.fate()
}

// turned gives a channel that closes at the next end, pause or new document of the tab.
func (t *Tab) turned() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.turn
}

// turnNow wakes those who wait for turned. The caller holds t.mu.
func (t *Tab) turnNow() {
	close(t.turn)
	t.turn = make(chan struct{})
}

// call asks the extension. What had not left when the worker died goes to the
// worker that takes its place; only one that stays away is told of.
func (t *Tab) call(ctx context.Context, op string, payload any) (jsontext.Value, error) {
	if err := t.barred(op, payload); err != nil {
		return nil, err
	}
	raw, err := t.callAgain(ctx, op, payload)
	if err != nil {
		return raw, err
	}
	return t.answered(op, payload, raw)
}

// callAgain is call, without a look at whether the page may be seen.
func (t *Tab) callAgain(ctx context.Context, op string, payload any) (jsontext.Value, error) {
	defer t.inputBegins(op, payload)()
	to, _ := t.route()
	for {
		raw, err := to.Call(ctx, op, payload)
		if failure := fault.From(err); err == nil || failure.Code != fault.ExtensionNotConnected || failure.Details["dispatched"] != false {
			return raw, err
		}
		next := t.routeAfter(ctx, to)
		if next == nil {
			return raw, err
		}
		to = next
	}
}

// routeAfter waits for the worker that takes the place of one that died; nil when none comes in time.
func (t *Tab) routeAfter(ctx context.Context, dead Browser) Browser {
	away := time.NewTimer(awayGrace)
	defer away.Stop()
	for over := false; ; {
		next, turn := t.route()
		if next != dead {
			return next
		}
		if over || ctx.Err() != nil {
			return nil
		}
		select {
		case <-turn:
		case <-away.C:
			over = true
		case <-ctx.Done():
		}
	}
}

// route is the tab's browser now, and what closes when the tab turns to something new.
func (t *Tab) route() (Browser, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.browser, t.turn
}

// bridge calls the bridge of a frame's current document.
func (t *Tab) bridge(ctx context.Context, f *frame, command map[string]any) (bridgeResult, error) {
	return t.bridgeIn(ctx, aim{frame: f, documentID: t.documents([]*frame{f})[0]}, command)
}

// bridgeIn calls the bridge of a certain document.
func (t *Tab) bridgeIn(ctx context.Context, at aim, command map[string]any) (bridgeResult, error) {
	if err := t.unseenFrame(at.frame); err != nil {
		return bridgeResult{}, err
	}
	t.mu.Lock()
	call := bridgeCall{TabID: t.id, FrameID: at.frame.id, DocumentID: at.documentID, Command: command, TimeoutMs: remaining(ctx)}
	t.mu.Unlock()
	raw, err := t.call(ctx, "bridge.call", call)
	if err != nil {
		failure := fault.From(err)
		acted, _ := failure.Details["acted"].(bool)
		if failure.Details["reason"] == "DOCUMENT_GONE" {
			how, _ := failure.Details["how"].(string)
			return bridgeResult{}, &documentGone{how, acted}
		}
		if failure.Code == fault.Timeout && acted {
			return bridgeResult{}, fault.New(fault.Indeterminate, "the page acted, and did not say in time what came of it").With("acted", true)
		}
		if failure.Code == fault.NotConnected && failure.Details["reason"] == nil {
			// The extension's refusal was quicker than its word on what became of the tab.
			switch fate := t.awaitFate(); fate {
			case "":
			case protocol.ReasonClosed:
				return bridgeResult{}, fault.New(fault.PageNotFound, "the tab was closed").With("reason", fate).With("acted", acted)
			default:
				return bridgeResult{}, notConnected(fate)
			}
		}
		t.mu.Lock()
		at.frame.outwardFault(failure.Details)
		t.mu.Unlock()
		return bridgeResult{}, failure
	}
	var result bridgeResult
	if err := decode(raw, &result); err != nil {
		return bridgeResult{}, fault.New(fault.ProtocolError, "the extension's answer cannot be read").Because(err)
	}
	return result, nil
}

// answerMargin is left of a command's deadline, so that the page can still say
// what it did before the session gives up on it.
const answerMargin = 300 * time.Millisecond

// remaining is what the page gets of the deadline, in milliseconds; the default where there is none.
func remaining(ctx context.Context) int64 {
	deadline, ok := ctx.Deadline()
	if !ok {
		return protocol.DefaultTimeout.Milliseconds()
	}
	left := time.Until(deadline)
	left -= min(answerMargin, left/3)
	return max(left.Milliseconds(), 1)
}

// navigate loads an address, or moves in the tab's history.
func (t *Tab) navigate(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	params := cmd.Params.(*protocol.NavigateParams)
	chosen := 0
	for _, on := range []bool{params.URL != "", params.Back, params.Forward, params.Reload} {
		if on {
			chosen++
		}
	}
	if chosen != 1 {
		return session.Outcome{}, fault.New(fault.ValidationError, "navigate needs exactly one of url, back, forward and reload")
	}
	payload, err := fields(params)
	if err != nil {
		return session.Outcome{}, err
	}
	t.mu.Lock()
	payload["tabId"] = t.id
	t.mu.Unlock()
	payload["timeoutMs"] = remaining(ctx)
	dispatched()
	raw, err := t.call(ctx, "tab.navigate", payload)
	if err != nil {
		return session.Outcome{}, err
	}
	var result any
	if err := decode(raw, &result); err != nil {
		return session.Outcome{}, fault.New(fault.ProtocolError, "the extension's answer cannot be read").Because(err)
	}
	return session.Outcome{Result: result, Effect: protocol.EffectNavigated, Via: viaBridge}, nil
}
