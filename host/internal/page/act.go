package page

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// An action: the bridge finds the element and checks that it can take the event, the
// debugger sends trusted input (or the bridge fires the synthetic sequence where there
// is no debugger), and a witness tells what came of it. Nothing waits for what has not
// started: one round trip before the input, one after it.

// Deed is an action on a page.
type Deed struct {
	Action  string           // what the element must be ready for: click, hover, type, focus, select, scroll
	Target  *protocol.Target // nil for what is about no element
	FrameID string           // "main", "f1"; any frame when empty
	Wait    time.Duration    // for the element to be ready; searchTime when 0

	// Bridge is the bridge's command that does the deed. With Trusted it is what runs
	// where the debugger cannot be had.
	Bridge map[string]any
	// Prepare is the bridge's command before trusted input; locate when nil.
	Prepare map[string]any
	// Guarded input is stopped when it would reach anything but the element.
	Guarded bool
	// Trusted gives the input for an element that is ready, in order.
	Trusted func(ctx context.Context, at Spot) error
}

// Watched is what a deed about no element prepares: the page is watched, and says what has the focus.
func Watched() map[string]any { return map[string]any{"type": "watch"} }

// WatchedAt says what is at a place of the page's viewport instead.
func WatchedAt(x, y float64) map[string]any { return map[string]any{"type": "watch", "x": x, "y": y} }

// Spot is an element that is ready for trusted input.
type Spot struct {
	X, Y float64        // in the page's viewport, CSS px
	Fact map[string]any // what the bridge says of it
	send func(ctx context.Context, sends []Send) error
	land func(presses int)
	ask  func(ctx context.Context, command map[string]any) (bridgeResult, error)
	mark jsontext.Value
}

// Send is one DevTools command of several that are sent without waiting for each other.
type Send struct {
	Method string `json:"method"`
	Params any    `json:"params"`
}

// Send sends input in order and waits until the page has taken all of it.
func (s Spot) Send(ctx context.Context, sends ...Send) error { return s.send(ctx, sends) }

// Dragging reports whether the page let the browser drag something since the spot was found.
func (s Spot) Dragging(ctx context.Context) bool {
	result, err := s.ask(ctx, map[string]any{"type": "dragging", "mark": s.mark})
	if err != nil {
		return false
	}
	var answer struct {
		Dragging bool `json:"dragging"`
	}
	return decode(result.Result, &answer) == nil && answer.Dragging
}

// Did is what an action did.
type Did struct {
	Ref, Role, Name string
	Effect, Via     string
	Value           map[string]any // what the bridge says of the element afterwards
	After           After
}

// errDialog ends a wait because a dialog opened.
var errDialog = errors.New("a dialog opened")

// Act does a deed.
func (t *Tab) Act(ctx context.Context, d Deed, dispatched func()) (Did, error) {
	if refused := t.refusal(); refused != nil {
		return Did{}, refused
	}
	if err := t.awaitBridge(ctx); err != nil {
		return Did{}, err
	}
	w := t.witness()
	defer w.stop()
	for {
		did, err := t.actOnce(ctx, d, w, dispatched)
		var early *beforeFirst
		if !errors.As(err, &early) {
			return did, err
		}
		if !early.over(ctx) {
			return did, early.error
		}
		if err := t.awaitBridge(ctx); err != nil {
			return Did{}, err
		}
	}
}

func (t *Tab) actOnce(ctx context.Context, d Deed, w *witness, dispatched func()) (did Did, err error) {
	turn := t.turned()
	at, err := t.aimTarget(ctx, d.Target, d.FrameID)
	if err != nil {
		return Did{}, err
	}
	if t.unborn(d, at) {
		defer func() {
			if errors.Is(err, fault.New(fault.NavigationInterrupted, "")) {
				err = &beforeFirst{err, turn}
			}
		}()
	}
	if d.Trusted != nil && t.trusted() {
		err := t.arm(ctx)
		if err == nil {
			return t.actTrusted(ctx, d, at, w, dispatched)
		}
		t.log.Debug().Err(err).Msg("no debugger; the bridge acts")
	}
	if d.Bridge == nil {
		return Did{}, fault.New(fault.CapabilityMissing, "this needs real input, and the page has no debugger").With("level", protocol.Control).
			Suggest("Ask the person to connect the tab at level control, or use a managed browser: dbridge session start --headless")
	}
	return t.actBridge(ctx, d, at, w, dispatched)
}

// arm attaches the debugger where it is not, and has it tell of requests.
func (t *Tab) arm(ctx context.Context) error {
	t.mu.Lock()
	armed := t.armed != nil && t.armed == t.browser
	browser, source := t.browser, t.info.source()
	t.mu.Unlock()
	if armed {
		return nil
	}
	if source == protocol.SourceExtension { // a browser of ours has all of it on
		if _, err := t.cdp(ctx, cdppage.CommandEnable, nil); err != nil {
			return err
		}
		if _, err := t.cdp(ctx, "Network.enable", map[string]any{"maxPostDataSize": 64 << 10}); err != nil {
			return err
		}
	}
	t.mu.Lock()
	t.armed = browser
	t.mu.Unlock()
	return nil
}

func (t *Tab) actBridge(ctx context.Context, d Deed, at aim, w *witness, dispatched func()) (Did, error) {
	command := maps.Clone(d.Bridge)
	t.address(command, d, at)
	w.begin()
	dispatched()
	result, err := t.raceBridge(ctx, at, command, w)
	if errors.Is(err, errDialog) {
		return t.finish(ctx, Did{Effect: protocol.EffectChanged, Via: viaBridge}, w), nil
	}
	var gone *documentGone
	if errors.As(err, &gone) {
		out, err := t.after(gone)
		return t.finish(ctx, Did{Effect: out.Effect, Via: viaBridge}, w), err
	}
	if err != nil {
		return Did{}, err
	}
	did, err := t.heard(at, result)
	if err != nil {
		return Did{}, err
	}
	did.Via = viaBridge
	return t.finish(ctx, did, w), nil
}

// address completes a bridge command with its target and time.
func (t *Tab) address(command map[string]any, d Deed, at aim) {
	if at.target != nil {
		command["target"] = at.target
	}
	if d.Wait > 0 {
		command["waitMs"] = d.Wait.Milliseconds()
	}
}

func (t *Tab) actTrusted(ctx context.Context, d Deed, at aim, w *witness, dispatched func()) (Did, error) {
	wait := d.Wait
	if wait == 0 {
		wait = searchTime
	}
	until := time.Now().Add(wait)
	for steady := false; ; steady = true {
		did, err := t.pressOnce(ctx, d, at, w, steady, dispatched)
		failure := fault.From(err)
		// It came between the look and the press; looked at again, it may be gone.
		if err == nil || failure.Details["pressed"] != false || time.Now().After(until) {
			return did, err
		}
	}
}

func (t *Tab) pressOnce(ctx context.Context, d Deed, at aim, w *witness, steady bool, dispatched func()) (Did, error) {
	prepare := maps.Clone(d.Prepare)
	if prepare == nil {
		prepare = map[string]any{"type": "locate", "forAction": d.Action}
	}
	if d.Guarded {
		prepare["guard"] = true
	}
	if steady {
		prepare["steady"] = true
	}
	t.address(prepare, d, at)
	w.begin()
	result, err := t.raceBridge(ctx, at, prepare, w)
	if errors.Is(err, errDialog) { // what prepared it, a focus say, had the page ask
		return t.finish(ctx, Did{Effect: protocol.EffectChanged, Via: viaCDP}, w), nil
	}
	if err != nil {
		var gone *documentGone
		if errors.As(err, &gone) {
			out, err := t.after(gone)
			return t.finish(ctx, Did{Effect: out.Effect, Via: viaCDP}, w), err
		}
		return Did{}, err
	}
	did, err := t.heard(at, result)
	if err != nil {
		return Did{}, err
	}
	var place located
	if err := decode(result.Result, &place); err != nil {
		return Did{}, fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	if len(place.Mark) == 0 { // done already
		did.Via = viaBridge
		dispatched()
		return t.finish(ctx, did, w), nil
	}
	x, y, err := t.throughFrames(ctx, at.frame, place)
	if err != nil {
		t.settleBehind(at, place.Mark)
		return Did{}, err
	}
	defer t.shown(ctx, place.Hidden)()
	early, stop := t.landing(ctx, at, place)
	defer stop()
	spot := Spot{
		X: x, Y: y, Fact: did.Value, mark: place.Mark, land: early.ask,
		send: func(ctx context.Context, sends []Send) error {
			return t.race(ctx, w, func() error { return t.batch(ctx, sends) })
		},
		ask: func(ctx context.Context, command map[string]any) (bridgeResult, error) {
			return t.bridgeIn(ctx, at, command)
		},
	}
	dispatched()
	did.Via = viaCDP
	err = d.Trusted(ctx, spot)
	switch {
	case errors.Is(err, errDialog), errors.Is(err, fault.New(fault.DialogBlocking, "")):
		did.Effect = protocol.EffectChanged
		return t.finish(ctx, did, w), nil
	case err != nil:
		t.settleBehind(at, place.Mark)
		return Did{}, err
	}
	return t.settled(ctx, at, place.Mark, did, w, early)
}

// heard reads a bridge's answer about an element, refs made the wire's.
func (t *Tab) heard(at aim, result bridgeResult) (Did, error) {
	did := Did{Effect: result.Effect, Value: map[string]any{}}
	if did.Effect == "" {
		did.Effect = protocol.EffectUnknown
	}
	value, err := t.value(at, result.Result)
	if err != nil {
		return did, err
	}
	if fields, ok := value.(map[string]any); ok {
		did.Value = fields
		did.Ref, _ = fields["ref"].(string)
		did.Role, _ = fields["role"].(string)
		did.Name, _ = fields["name"].(string)
	}
	if len(result.After) == 0 {
		return did, nil
	}
	var after struct {
		Mutations int                      `json:"mutations"`
		URL       string                   `json:"url"`
		Focused   *Named                   `json:"focused"`
		Target    *Named                   `json:"target"`
		Changes   []protocol.ElementChange `json:"changes"`
		More      int                      `json:"more"`
		Batch     int                      `json:"batch"`
	}
	if err := decode(result.After, &after); err != nil {
		return did, fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
	}
	did.After.Mutations, did.After.URL, did.After.Focused = after.Mutations, after.URL, after.Focused
	t.mu.Lock()
	defer t.mu.Unlock()
	at.frame.outwardChanges(after.Changes)
	did.After.Told = Told{after.Changes, after.More, at.frame.short, after.Batch}
	if f := did.After.Focused; f != nil {
		f.Ref = at.frame.outward(f.Ref)
	}
	if named := after.Target; named != nil && did.Role == "" {
		did.Ref, did.Role, did.Name = at.frame.outward(named.Ref), named.Role, named.Name
	}
	return did, nil
}

// throughFrames turns a point of a frame's viewport into one of the page's: each frame
// above brings the one below into view and checks that nothing covers it there.
func (t *Tab) throughFrames(ctx context.Context, f *frame, place located) (x, y float64, err error) {
	x, y = place.Point.X, place.Point.Y
	index := place.Frame
	for f.id != 0 {
		t.mu.Lock()
		parent, url := t.frames[f.parent], f.url
		t.mu.Unlock()
		if parent == nil || index == nil {
			return 0, 0, fault.New(fault.TargetStale, "the frame of the element is gone").With("check", "removed")
		}
		result, err := t.bridge(ctx, parent, map[string]any{"type": "through", "index": *index, "url": url, "x": x, "y": y})
		if err != nil {
			return 0, 0, err
		}
		var point struct {
			X     float64 `json:"x"`
			Y     float64 `json:"y"`
			Index int     `json:"index"`
		}
		if err := decode(result.Result, &point); err != nil {
			return 0, 0, fault.New(fault.ProtocolError, "the page's answer cannot be read").Because(err)
		}
		x, y, index, f = point.X, point.Y, &point.Index, parent
	}
	return x, y, nil
}

// raceBridge is bridgeIn, given up with errDialog when a dialog opens meanwhile.
func (t *Tab) raceBridge(ctx context.Context, at aim, command map[string]any, w *witness) (result bridgeResult, err error) {
	answers := make(chan bridgeResult, 1)
	err = t.race(ctx, w, func() error {
		result, err := t.bridgeIn(ctx, at, command)
		answers <- result
		return err
	})
	if err == nil {
		result = <-answers
	}
	return result, err
}

// race runs what a dialog may hold up; with one open it gives errDialog at once. What
// was under way ends with ctx.
func (t *Tab) race(_ context.Context, w *witness, run func() error) error {
	done := make(chan error, 1)
	go func() { done <- run() }()
	select {
	case err := <-done:
		return err
	case <-w.opened:
		return errDialog
	}
}

// batch sends commands in order without waiting in between, where the browser can do
// that, and waits for all of them.
func (t *Tab) batch(ctx context.Context, sends []Send) error {
	t.mu.Lock()
	payload := map[string]any{"tabId": t.id, "sends": sends, "timeoutMs": remaining(ctx)}
	t.mu.Unlock()
	_, err := t.call(ctx, "cdp.batch", payload)
	if errors.Is(err, fault.New(fault.UnknownType, "")) { // an extension of before
		for _, send := range sends {
			if _, err := t.cdp(ctx, send.Method, send.Params); err != nil {
				return err
			}
		}
		return nil
	}
	return t.unanswered("Input.", err)
}

// Mouse is a mouse event for Spot.Send.
func Mouse(kind input.DispatchMouseEventType, x, y float64, change func(*input.DispatchMouseEventParams)) Send {
	params := &input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if change != nil {
		change(params)
	}
	return Send{input.CommandDispatchMouseEvent, params}
}

// aimTarget finds the frame that a target is in.
func (t *Tab) aimTarget(ctx context.Context, target *protocol.Target, frameID string) (aim, error) {
	cmd := &protocol.Command{Base: protocol.Base{FrameID: frameID}}
	if target != nil {
		copied := *target
		cmd.Params = &protocol.ScrollParams{Target: &copied}
	}
	return t.aimAt(ctx, cmd)
}

// Trusted reports whether the page takes real input.
func (t *Tab) Trusted() bool { return t.trusted() }

// Dialog is the open dialog, or nil.
func (t *Tab) Dialog() *Asked {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog == nil {
		return nil
	}
	return &Asked{Kind: t.dialog.Kind, Message: t.dialog.Message, Default: t.dialog.DefaultPrompt}
}

// HandleDialog answers the open dialog and tells what came of it.
func (t *Tab) HandleDialog(ctx context.Context, accept bool, text string, dispatched func()) (Did, error) {
	w := t.witness()
	defer w.stop()
	w.begin()
	out, err := t.handleDialog(ctx, &protocol.Command{Params: &protocol.DialogHandleParams{Accept: accept, Dismiss: !accept, Text: text}}, dispatched)
	did := Did{Effect: out.Effect, Via: out.Via}
	if err != nil {
		return did, err
	}
	// What the dialog held up runs on; the answer to this comes after it.
	at, err := t.aimTarget(ctx, nil, "")
	if err == nil {
		_, err = t.raceBridge(ctx, at, map[string]any{"type": "settle"}, w)
	}
	var gone *documentGone
	if errors.As(err, &gone) {
		did.Effect = protocol.EffectNavigated
	} else if w.busy() && !errors.Is(err, errDialog) {
		w.await(ctx)
	}
	return t.finish(ctx, did, w), nil // it was answered; what is not known is only what came of it
}
