package command

import (
	"context"
	"strconv"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// targetFaults are what any command on an element may answer.
var targetFaults = []fault.Code{
	fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.TargetObscured, fault.TargetNotInteractable,
	fault.TargetOutOfView, fault.NavigationInterrupted, fault.Indeterminate,
}

// onElement is the declaration that element commands share.
func onElement(spec catalog.Spec) catalog.Spec {
	spec.Effect, spec.Needs, spec.Level, spec.Capability = catalog.Act, catalog.Page, protocol.Act, protocol.CapInput
	spec.Timeout = actTimeout
	spec.Faults = append(append([]fault.Code{}, targetFaults...), spec.Faults...)
	if spec.Positional == nil {
		spec.Positional = []string{"target"}
	}
	return spec
}

// patient gives a command the time that a person may need.
func patient(spec catalog.Spec) catalog.Spec {
	spec.Timeout = askTime
	return spec
}

var elementCommands = []*catalog.Command{
	define(onElement(catalog.Spec{
		Name: "element.click", Tool: "click", Summary: "Click an element.",
		Long: "Waits until the element is attached, visible, at rest, enabled and not covered, scrolls it into view, clicks with real input, and tells what came of it: requests, console errors, navigation, a dialog.",
		Examples: []catalog.Example{
			{Line: `element click 'button "Sign in"'`, Note: "by role and name"},
			{Line: "element click e5 --count 2", Note: "a double click, by ref"},
			{Line: "element click 'text=Products' --modifiers Control"},
		},
	}), elementClick),
	define(onElement(catalog.Spec{
		Name: "element.hover", Tool: "hover", Summary: "Move the pointer over an element.",
		Examples: []catalog.Example{{Line: `element hover 'button "Sign in"'`}, {Line: "element hover e5"}},
	}), elementHover),
	define(onElement(catalog.Spec{
		Name: "element.focus", Tool: "focus", Summary: "Give an element the focus.",
		Examples: []catalog.Example{{Line: `element focus 'textbox "Email"'`}, {Line: "element focus '#email'"}},
	}), elementFocus),
	define(onElement(catalog.Spec{
		Name: "element.drag", Tool: "drag", Summary: "Drag an element onto another, or by a distance.",
		Long:       "Works for HTML drag and drop and for what listens to the pointer.",
		Positional: []string{"target", "to"},
		Examples: []catalog.Example{
			{Line: "element drag e5 e9", Note: "onto another element"},
			{Line: "element drag '#slider' --dx 80", Note: "by a distance"},
		},
	}), elementDrag),
	define(onElement(catalog.Spec{
		Name: "element.fill", Tool: "fill", Summary: "Make a field hold a value; what was in it is replaced.",
		Long:       "For text, number, date, time, colour and range fields, text areas, editable regions, selects, checkboxes, radios and switches (true or false). What the field holds afterwards is checked.",
		Positional: []string{"target", "value"},
		Faults:     []fault.Code{fault.ActionNoEffect},
		Examples: []catalog.Example{
			{Line: `element fill 'textbox "Email"' ada@example.com`},
			{Line: "element fill '#when' 2026-12-24", Note: "a date"},
			{Line: `element fill 'checkbox "Remember me"' true`},
		},
	}), elementFill),
	define(onElement(catalog.Spec{
		Name: "element.fill-form", Tool: "fill_form", Summary: "Fill several fields, in order; stops at the first that fails.",
		Positional: []string{"values"},
		Faults:     []fault.Code{fault.ActionNoEffect},
		Examples: []catalog.Example{
			{Line: `element fill-form '{"textbox \"Email\"":"ada@example.com","textbox \"Password\"":"secret"}'`},
			{Line: `element fill-form '[{"target":"e5","value":"Ada"},{"target":"e6","value":true}]'`},
		},
	}), elementFillForm),
	define(onElement(catalog.Spec{
		Name: "element.select", Tool: "select_option", Summary: "Choose options of a select or list, by value or label.",
		Positional: []string{"target", "values"},
		Faults:     []fault.Code{fault.ActionNoEffect},
		Examples: []catalog.Example{
			{Line: `element select 'combobox "Country"' Spain`},
			{Line: "element select '#toppings' cheese olives", Note: "several"},
		},
	}), elementSelect),
	define(onElement(catalog.Spec{
		Name: "element.upload", Tool: "upload_file", Summary: "Give files to a file field, or to the chooser that a button opens.",
		Positional: []string{"target", "files"},
		Faults:     []fault.Code{fault.FileAccessFailed, fault.ActionNoEffect, fault.CapabilityMissing},
		Examples: []catalog.Example{
			{Line: "element upload '#avatar' photo.png"},
			{Line: `element upload 'button "Attach"' a.pdf b.pdf`, Note: "the button opens a chooser"},
		},
	}), elementUpload),
	define(onElement(catalog.Spec{
		Name: "element.scroll", Tool: "scroll", Summary: "Scroll the page, a scrolling element, or an element into view.",
		Examples: []catalog.Example{
			{Line: "element scroll --to bottom", Note: "the page"},
			{Line: "element scroll '#footer'", Note: "into view"},
			{Line: "element scroll '#list' --y 300", Note: "what is in it, by 300 px"},
		},
	}), elementScroll),
	define(patient(onElement(catalog.Spec{
		Name: "element.highlight", Tool: "highlight", Summary: "Show a person an element: a box over it, until --off or they answer.",
		Faults: []fault.Code{fault.CapabilityMissing, fault.Timeout},
		Examples: []catalog.Example{
			{Line: `element highlight 'button "Sign in"'`},
			{Line: `element highlight 'button "Sign in"' --ask "Is this the right one?" --choices yes,no`, Note: "waits for the answer"},
			{Line: "element highlight --off", Note: "takes it away"},
		},
	})), elementHighlight),
}

type elementClickParams struct {
	aimed
	Button    string   `json:"button,omitempty" enum:"left,middle,right" default:"left" doc:"Mouse button."`
	Count     int      `json:"count,omitempty" default:"1" min:"1" max:"3" doc:"2 for a double click."`
	Modifiers []string `json:"modifiers,omitempty" enum:"Alt,Control,Meta,Shift,ControlOrMeta" doc:"Keys held meanwhile."`
	X         *float64 `json:"x,omitempty" doc:"Where to click, px from the element's left edge; its middle without it."`
	Y         *float64 `json:"y,omitempty" doc:"Px from its top edge."`
}

func elementClick(ctx context.Context, env *Env, p *elementClickParams) (actionResult, error) {
	press, err := page.Press(p.Button, p.Count, p.Modifiers)
	if err != nil {
		return actionResult{}, err
	}
	return env.deed(ctx, "clicked", p.aimed, func(aim protocol.Target, wait time.Duration) (page.Did, error) {
		bridge := map[string]any{"type": "click", "button": p.Button, "count": p.Count, "modifiers": p.Modifiers}
		prepare := map[string]any{"type": "locate", "forAction": "click"}
		if p.X != nil || p.Y != nil {
			at := offset(p.X, p.Y)
			bridge["offset"], prepare["offset"] = at, at
		}
		return env.Tab.Act(ctx, page.Deed{
			Action: "click", Target: &aim, FrameID: p.Frame, Wait: wait, Guarded: true, Trusted: press, Bridge: bridge, Prepare: prepare,
		}, env.Dispatched)
	})
}

func offset(x, y *float64) map[string]any {
	at := map[string]any{}
	if x != nil {
		at["x"] = *x
	}
	if y != nil {
		at["y"] = *y
	}
	return at
}

type elementHoverParams struct{ aimed }

func elementHover(ctx context.Context, env *Env, p *elementHoverParams) (actionResult, error) {
	return env.deed(ctx, "over", p.aimed, func(aim protocol.Target, wait time.Duration) (page.Did, error) {
		return env.Tab.Act(ctx, page.Deed{
			Action: "hover", Target: &aim, FrameID: p.Frame, Wait: wait, Trusted: page.Hover, Bridge: map[string]any{"type": "hover"},
		}, env.Dispatched)
	})
}

type elementFocusParams struct{ aimed }

func elementFocus(ctx context.Context, env *Env, p *elementFocusParams) (actionResult, error) {
	return env.bridged(ctx, "focus on", p.aimed, map[string]any{"type": "focus"})
}

// bridged is an action that the bridge does by itself.
func (e *Env) bridged(ctx context.Context, verb string, p aimed, command map[string]any) (actionResult, error) {
	return e.deed(ctx, verb, p, func(aim protocol.Target, wait time.Duration) (page.Did, error) {
		return e.Tab.Act(ctx, page.Deed{Target: &aim, FrameID: p.Frame, Wait: wait, Bridge: command}, e.Dispatched)
	})
}

type elementDragParams struct {
	aimed
	To string  `json:"to,omitempty" doc:"Element to drop it on, named like target."`
	DX float64 `json:"dx,omitempty" doc:"Without to: px to the right."`
	DY float64 `json:"dy,omitempty" doc:"Without to: px down."`
}

func elementDrag(ctx context.Context, env *Env, p *elementDragParams) (actionResult, error) {
	if (p.To == "") == (p.DX == 0 && p.DY == 0) {
		return actionResult{}, problem("give either the element to drop it on, or dx and dy").Suggest("dbridge element drag e5 e9", "dbridge element drag e5 --dx 80")
	}
	var to *protocol.Target
	if p.To != "" {
		aim, err := target(p.To)
		if err != nil {
			return actionResult{}, err
		}
		to = &aim
	}
	return env.deed(ctx, "dragged", p.aimed, func(aim protocol.Target, wait time.Duration) (page.Did, error) {
		return env.Tab.Drag(ctx, aim, to, p.DX, p.DY, p.Frame, wait, env.Dispatched)
	})
}

type elementSelectParams struct {
	aimed
	Values []string `json:"values" doc:"Values or labels of the options."`
}

func elementSelect(ctx context.Context, env *Env, p *elementSelectParams) (actionResult, error) {
	return env.choose(ctx, p.aimed, p.Values)
}

func (e *Env) choose(ctx context.Context, p aimed, values []string) (actionResult, error) {
	var did page.Did
	out, err := e.deed(ctx, "set", p, func(aim protocol.Target, wait time.Duration) (page.Did, error) {
		var err error
		did, err = e.Tab.Act(ctx, page.Deed{Target: &aim, FrameID: p.Frame, Wait: wait, Bridge: map[string]any{"type": "select", "values": values}}, e.Dispatched)
		return did, err
	})
	if err == nil {
		out.Values = words(did.Value["labels"])
	}
	return out, err
}

func words(value any) []string {
	list, _ := value.([]any)
	var out []string
	for _, item := range list {
		if text, ok := item.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

type elementScrollParams struct {
	Target string   `json:"target,omitempty" doc:"Ref, role and name, CSS selector, or text; the page without it."`
	Frame  string   `json:"frame,omitempty" doc:"Look in this frame only (f1)."`
	X      *float64 `json:"x,omitempty" doc:"Px to the right."`
	Y      *float64 `json:"y,omitempty" doc:"Px down."`
	To     string   `json:"to,omitempty" enum:"top,bottom,intoView" doc:"Where to, instead of by how much; an element without x and y comes into view."`
}

type elementScrollResult struct {
	actionResult
	X    int  `json:"x" doc:"Where it is scrolled to, px."`
	Y    int  `json:"y"`
	MaxY *int `json:"maxY,omitempty" doc:"How far it can be scrolled down."`
}

func (r elementScrollResult) Text() string {
	text := r.actionResult.Text()
	if r.MaxY != nil {
		return text + " · at y " + strconv.Itoa(r.Y) + " of " + strconv.Itoa(*r.MaxY)
	}
	return text + " · at y " + strconv.Itoa(r.Y)
}

func elementScroll(ctx context.Context, env *Env, p *elementScrollParams) (elementScrollResult, error) {
	command := map[string]any{"type": "scroll"}
	if p.X != nil {
		command["x"] = *p.X
	}
	if p.Y != nil {
		command["y"] = *p.Y
	}
	if p.To != "" {
		command["to"] = p.To
	}
	if p.Target == "" && len(command) == 1 {
		return elementScrollResult{}, problem("say how far (x, y), where to (to), or which element").Suggest("dbridge element scroll --to bottom", "dbridge element scroll --y 600")
	}
	deed := page.Deed{FrameID: p.Frame, Wait: patience(ctx), Bridge: command}
	if p.Target != "" {
		aim, err := target(p.Target)
		if err != nil {
			return elementScrollResult{}, err
		}
		deed.Target = &aim
	}
	var did page.Did
	told, err := env.tell(ctx, "scrolled", p.Target, func() (page.Did, error) {
		var err error
		did, err = env.Tab.Act(ctx, deed, env.Dispatched)
		return did, err
	})
	out := elementScrollResult{actionResult: told}
	at := func(key string) int { value, _ := did.Value[key].(float64); return int(value) }
	out.X, out.Y = at("x"), at("y")
	if _, known := did.Value["maxY"]; known {
		most := at("maxY")
		out.MaxY = &most
	}
	return out, err
}
