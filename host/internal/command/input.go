package command

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// ofInput is the declaration that input commands share.
func ofInput(spec catalog.Spec) catalog.Spec {
	spec.Effect, spec.Needs, spec.Level, spec.Capability = catalog.Act, catalog.Page, protocol.Act, protocol.CapInput
	spec.Faults = append([]fault.Code{fault.CapabilityMissing, fault.NavigationInterrupted}, spec.Faults...)
	return spec
}

var inputCommands = []*catalog.Command{
	define(ofInput(catalog.Spec{
		Name: "input.key", Tool: "press_key", Summary: "Press a key or a chord, where the focus is.",
		Long:       "Keys as in KeyboardEvent.key (Enter, ArrowDown, F5, a); modifiers before them: Control, Alt, Shift, Meta, ControlOrMeta.",
		Positional: []string{"key"},
		Examples:   []catalog.Example{{Line: "input key Enter"}, {Line: "input key ControlOrMeta+A"}, {Line: "input key ArrowDown --repeat 3"}},
	}), inputKey),
	define(ofInput(catalog.Spec{
		Name: "input.type", Tool: "type_text", Summary: "Type text with the keyboard, where the focus is.",
		Long:       "Key by key; to set a field, element fill is quicker and checks the field.",
		Positional: []string{"text"},
		Examples:   []catalog.Example{{Line: "input type 'hello world'"}, {Line: "input type shoes --submit-key Enter"}},
	}), inputType),
	define(ofInput(catalog.Spec{
		Name: "input.mouse-move", Tool: "mouse_move", Summary: "Move the pointer to a place in the viewport.",
		Positional: []string{"x", "y"},
		Examples:   []catalog.Example{{Line: "input mouse-move 120 80"}, {Line: "input mouse-move 300 200 --steps 10"}},
	}), inputMouseMove),
	define(ofInput(catalog.Spec{
		Name: "input.click", Tool: "click_at", Summary: "Click at a place in the viewport.",
		Positional: []string{"x", "y"},
		Examples:   []catalog.Example{{Line: "input click 120 80"}, {Line: "input click 120 80 --count 2 --modifiers Shift"}},
	}), inputClick),
	define(ofInput(catalog.Spec{
		Name: "input.mouse-down", Tool: "mouse_down", Summary: "Press a mouse button and hold it.",
		Positional: []string{"x", "y"},
		Examples:   []catalog.Example{{Line: "input mouse-down", Note: "where the pointer is"}, {Line: "input mouse-down 120 80 --button right"}},
	}), inputMouseDown),
	define(ofInput(catalog.Spec{
		Name: "input.mouse-up", Tool: "mouse_up", Summary: "Release a mouse button.",
		Positional: []string{"x", "y"},
		Examples:   []catalog.Example{{Line: "input mouse-up"}, {Line: "input mouse-up 300 80"}},
	}), inputMouseUp),
	define(ofInput(catalog.Spec{
		Name: "input.drag", Tool: "mouse_drag", Summary: "Drag from one place in the viewport to another.",
		Positional: []string{"fromX", "fromY", "toX", "toY"},
		Examples:   []catalog.Example{{Line: "input drag 100 100 300 100"}, {Line: "input drag 40 200 40 400"}},
	}), inputDrag),
	define(ofInput(catalog.Spec{
		Name: "input.scroll", Tool: "mouse_wheel", Summary: "Turn the mouse wheel.",
		Long:     "To bring an element into view or to go to the end of the page, element scroll is quicker.",
		Examples: []catalog.Example{{Line: "input scroll --dy 400"}, {Line: "input scroll --dy -200 --x 300 --y 300", Note: "with the pointer there"}},
	}), inputScroll),
}

// deedAt is an action on no element: real input, or the bridge's where there is no debugger.
func (e *Env) deedAt(ctx context.Context, verb string, watch, bridge map[string]any, send func(ctx context.Context, at page.Spot) error) (actionResult, error) {
	return e.tell(ctx, verb, "", func() (page.Did, error) {
		return e.Tab.Act(ctx, page.Deed{Prepare: watch, Bridge: bridge, Trusted: send}, e.Dispatched)
	})
}

type inputKeyParams struct {
	Key    string `json:"key" doc:"Enter, a, Control+Shift+K, ControlOrMeta+A."`
	Repeat int    `json:"repeat,omitempty" default:"1" min:"1" max:"1000" doc:"Times; more than once is as if the key is held."`
}

func inputKey(ctx context.Context, env *Env, p *inputKeyParams) (actionResult, error) {
	chord, err := page.ParseChord(p.Key)
	if err != nil {
		return actionResult{}, err
	}
	bridge := map[string]any{"type": "press", "key": chord.Key.Key, "code": chord.Key.Code, "keyCode": chord.Key.Number, "text": chord.Key.Text, "modifiers": chord.Modifiers, "repeat": p.Repeat}
	return env.deedAt(ctx, "pressed "+p.Key+" on", page.Watched(), bridge, func(ctx context.Context, at page.Spot) error {
		return at.Send(ctx, chord.Press(p.Repeat)...)
	})
}

// typedAtOnce is how many characters leave without waiting for the page.
const typedAtOnce = 32

type inputTypeParams struct {
	Text      string `json:"text" doc:"What to type; a line break is Enter."`
	DelayMs   int    `json:"delayMs,omitempty" min:"0" max:"5000" doc:"Pause after each key."`
	SubmitKey string `json:"submitKey,omitempty" doc:"Key to press at the end: Enter, Tab."`
}

func inputType(ctx context.Context, env *Env, p *inputTypeParams) (actionResult, error) {
	var submit page.Chord
	if p.SubmitKey != "" {
		var err error
		if submit, err = page.ParseChord(p.SubmitKey); err != nil {
			return actionResult{}, err
		}
	}
	bridge := map[string]any{"type": "press", "typed": p.Text, "delayMs": p.DelayMs}
	if p.SubmitKey != "" {
		bridge["submit"] = map[string]any{"key": submit.Key.Key, "code": submit.Key.Code, "keyCode": submit.Key.Number, "text": submit.Key.Text}
	}
	return env.deedAt(ctx, "typed into", page.Watched(), bridge, func(ctx context.Context, at page.Spot) error {
		var sends []page.Send
		count := 0
		for _, c := range p.Text {
			sends = append(sends, page.Typed(c)...)
			if count++; p.DelayMs == 0 && count%typedAtOnce != 0 {
				continue
			}
			if err := at.Send(ctx, sends...); err != nil {
				return err
			}
			sends = nil
			if err := rest(ctx, time.Duration(p.DelayMs)*time.Millisecond); err != nil {
				return err
			}
		}
		if p.SubmitKey != "" {
			sends = append(sends, submit.Press(1)...)
		}
		if len(sends) == 0 {
			return nil
		}
		return at.Send(ctx, sends...)
	})
}

// rest waits as long as the caller asked for.
func rest(ctx context.Context, pause time.Duration) error {
	if pause <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// spotted is a place in the page's viewport.
type spotted struct {
	X float64 `json:"x" doc:"CSS px from the left of the viewport."`
	Y float64 `json:"y" doc:"CSS px from its top."`
}

// pointerState is where the pointer of a page is, and what it holds.
type pointerState struct {
	x, y float64
	held int64
}

// Close has nothing to end.
func (*pointerState) Close() {}

type pointerKey struct{}

func (e *Env) pointer() *pointerState {
	kept, ok := e.Tab.Keep(pointerKey{}, func() page.Keeper { return &pointerState{} }).(*pointerState)
	if !ok {
		return &pointerState{} // the page closes
	}
	return kept
}

// buttonBits are CDP's (Input.dispatchMouseEvent, buttons).
var buttonBits = map[string]int64{"left": 1, "right": 2, "middle": 4}

func (s *pointerState) event(kind input.DispatchMouseEventType, button string) page.Send {
	return page.Mouse(kind, s.x, s.y, func(p *input.DispatchMouseEventParams) {
		p.Buttons = s.held
		if button != "" {
			p.Button, p.ClickCount = input.MouseButton(button), 1
			return
		}
		for name, bit := range buttonBits {
			if s.held&bit != 0 {
				p.Button = input.MouseButton(name)
			}
		}
	})
}

type inputMouseMoveParams struct {
	spotted
	Steps int `json:"steps,omitempty" default:"1" min:"1" max:"200" doc:"Moves on the way."`
}

func inputMouseMove(ctx context.Context, env *Env, p *inputMouseMoveParams) (actionResult, error) {
	state := env.pointer()
	bridge := map[string]any{"type": "mouse", "do": "move", "x": p.X, "y": p.Y}
	return env.deedAt(ctx, "pointer over", page.WatchedAt(p.X, p.Y), bridge, func(ctx context.Context, at page.Spot) error {
		fromX, fromY := state.x, state.y
		sends := make([]page.Send, 0, p.Steps)
		for n := 1; n <= p.Steps; n++ {
			part := float64(n) / float64(p.Steps)
			state.x, state.y = fromX+(p.X-fromX)*part, fromY+(p.Y-fromY)*part
			sends = append(sends, state.event(input.DispatchMouseEventTypeMouseMoved, ""))
		}
		return at.Send(ctx, sends...)
	})
}

type inputClickParams struct {
	spotted
	Button    string   `json:"button,omitempty" enum:"left,middle,right" default:"left" doc:"Mouse button."`
	Count     int      `json:"count,omitempty" default:"1" min:"1" max:"3" doc:"2 for a double click."`
	Modifiers []string `json:"modifiers,omitempty" enum:"Alt,Control,Meta,Shift,ControlOrMeta" doc:"Keys held meanwhile."`
}

func inputClick(ctx context.Context, env *Env, p *inputClickParams) (actionResult, error) {
	press, err := page.Press(p.Button, p.Count, p.Modifiers)
	if err != nil {
		return actionResult{}, err
	}
	state := env.pointer()
	bridge := map[string]any{"type": "mouse", "do": "click", "x": p.X, "y": p.Y, "button": p.Button, "count": p.Count, "modifiers": p.Modifiers}
	return env.deedAt(ctx, "clicked", page.WatchedAt(p.X, p.Y), bridge, func(ctx context.Context, at page.Spot) error {
		state.x, state.y = p.X, p.Y
		at.X, at.Y = p.X, p.Y
		return press(ctx, at)
	})
}

type inputButtonParams struct {
	X      *float64 `json:"x,omitempty" doc:"CSS px from the left of the viewport; where the pointer is without it."`
	Y      *float64 `json:"y,omitempty" doc:"CSS px from its top."`
	Button string   `json:"button,omitempty" enum:"left,middle,right" default:"left" doc:"Mouse button."`
}

func inputMouseDown(ctx context.Context, env *Env, p *inputButtonParams) (actionResult, error) {
	return env.button(ctx, "pressed on", p, true)
}

func inputMouseUp(ctx context.Context, env *Env, p *inputButtonParams) (actionResult, error) {
	return env.button(ctx, "released on", p, false)
}

func (e *Env) button(ctx context.Context, verb string, p *inputButtonParams, down bool) (actionResult, error) {
	state := e.pointer()
	bit := buttonBits[p.Button]
	x, y := state.x, state.y
	if p.X != nil {
		x = *p.X
	}
	if p.Y != nil {
		y = *p.Y
	}
	return e.deedAt(ctx, verb, page.WatchedAt(x, y), nil, func(ctx context.Context, at page.Spot) error {
		var sends []page.Send
		if p.X != nil || p.Y != nil {
			state.x, state.y = x, y
			sends = append(sends, state.event(input.DispatchMouseEventTypeMouseMoved, ""))
		}
		kind := input.DispatchMouseEventTypeMouseReleased
		state.held &^= bit
		if down {
			kind = input.DispatchMouseEventTypeMousePressed
			state.held |= bit
		}
		return at.Send(ctx, append(sends, state.event(kind, p.Button))...)
	})
}

type inputDragParams struct {
	FromX float64 `json:"fromX" doc:"CSS px in the viewport."`
	FromY float64 `json:"fromY" doc:"From its top."`
	ToX   float64 `json:"toX" doc:"Where to let go."`
	ToY   float64 `json:"toY" doc:"From the top."`
}

func inputDrag(ctx context.Context, env *Env, p *inputDragParams) (actionResult, error) {
	return env.tell(ctx, "dragged", "", func() (page.Did, error) {
		return env.Tab.DragBetween(ctx, p.FromX, p.FromY, p.ToX, p.ToY, env.Dispatched)
	})
}

type inputScrollParams struct {
	DX float64  `json:"dx,omitempty" doc:"Px to the right."`
	DY float64  `json:"dy,omitempty" doc:"Px down."`
	X  *float64 `json:"x,omitempty" doc:"Where the pointer is, CSS px; the middle of the viewport without it."`
	Y  *float64 `json:"y,omitempty" doc:"CSS px from the top."`
}

func inputScroll(ctx context.Context, env *Env, p *inputScrollParams) (actionResult, error) {
	if p.DX == 0 && p.DY == 0 {
		return actionResult{}, problem("say how far: dx or dy").Suggest("dbridge input scroll --dy 400")
	}
	bridge := map[string]any{"type": "scroll", "x": p.DX, "y": p.DY}
	return env.deedAt(ctx, "turned the wheel; focus on", page.Watched(), bridge, func(ctx context.Context, at page.Spot) error {
		x, y := middle(at.Fact, "width"), middle(at.Fact, "height")
		if p.X != nil {
			x = *p.X
		}
		if p.Y != nil {
			y = *p.Y
		}
		return at.Send(ctx, page.Send{Method: input.CommandDispatchMouseEvent, Params: map[string]any{
			"type": input.DispatchMouseEventTypeMouseWheel, "x": x, "y": y, "deltaX": p.DX, "deltaY": p.DY,
		}})
	})
}

// middle of the viewport, as the watch tells its size.
func middle(fact map[string]any, side string) float64 {
	viewport, _ := fact["viewport"].(map[string]any)
	size, _ := viewport[side].(float64)
	return size / 2
}
