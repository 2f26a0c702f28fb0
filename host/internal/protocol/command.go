package protocol

import "time"

// Limits of commands.
const (
	DefaultTimeout  = 30 * time.Second
	MaxTimeout      = 10 * time.Minute
	MaxRequestIDLen = 128
)

// Target names an element. Resolution order: ref, data-testid, id, CSS
// selector, role and name, text. More than one match of a non-ref target is
// TARGET_AMBIGUOUS and nothing is done.
type Target struct {
	Ref      string `json:"ref,omitempty" doc:"From a ui_tree: e12, f2e7."`
	StableID string `json:"stableId,omitempty" doc:"data-testid or id."`
	ID       string `json:"id,omitempty" doc:"Same as stableId (the older name)."`
	Selector string `json:"selector,omitempty" doc:"CSS selector; >>> enters open shadow roots."`
	Text     string `json:"text,omitempty" doc:"Visible text of the element, exact after folding white space."`
	Role     string `json:"role,omitempty" doc:"ARIA role; with name."`
	Name     string `json:"name,omitempty" doc:"Accessible name; with role."`
}

// The parameters of the commands.
type (
	// ClickParams of click.
	ClickParams struct {
		Target    Target   `json:"target" doc:"Element to click."`
		Button    string   `json:"button,omitempty" doc:"left (default), middle or right."`
		Count     int      `json:"count,omitempty" doc:"1 (default) to 3."`
		Modifiers []string `json:"modifiers,omitempty" doc:"Out of Alt, Control, Meta, Shift."`
	}
	// TypeParams of type.
	TypeParams struct {
		Target Target `json:"target" doc:"Input, textarea, contenteditable, select, date, range, …."`
		Text   string `json:"text" doc:"Text to add at the end (or to set with clear)."`
		Clear  bool   `json:"clear,omitempty" doc:"Empty the field first."`
	}
	// HoverParams of hover.
	HoverParams struct {
		Target Target `json:"target" doc:"Element to move the pointer over."`
	}
	// FocusParams of focus.
	FocusParams struct {
		Target Target `json:"target" doc:"Element to focus."`
	}
	// SelectParams of select.
	SelectParams struct {
		Target Target   `json:"target" doc:"A select, listbox, checkbox or radio."`
		Value  string   `json:"value,omitempty" doc:"Value or label of the option; true or false for a checkbox."`
		Values []string `json:"values,omitempty" doc:"For several options."`
	}
	// ScrollParams of scroll.
	ScrollParams struct {
		Target *Target  `json:"target,omitempty" doc:"Element to scroll; the page without it."`
		X      *float64 `json:"x,omitempty" doc:"Scroll by, CSS px."`
		Y      *float64 `json:"y,omitempty" doc:"Scroll by, CSS px."`
		To     string   `json:"to,omitempty" doc:"top, bottom or intoView."`
	}
	// NavigateParams of navigate; exactly one of them.
	NavigateParams struct {
		URL     string `json:"url,omitempty" doc:"Address to load, absolute or relative to the page."`
		Back    bool   `json:"back,omitempty" doc:"One step back in history."`
		Forward bool   `json:"forward,omitempty" doc:"One step forward in history."`
		Reload  bool   `json:"reload,omitempty" doc:"Load the page again."`
	}
	// EvaluateParams of evaluate; exactly one of code and expression.
	EvaluateParams struct {
		Code       string `json:"code,omitempty" doc:"JavaScript; its value (awaited) is the result."`
		Expression string `json:"expression,omitempty" doc:"Same as code."`
	}
	// RequestUITreeParams of request_ui_tree.
	RequestUITreeParams struct{}
	// RequestStateParams of request_state.
	RequestStateParams struct {
		Scope string `json:"scope,omitempty" doc:"Only this scope."`
	}
	// RequestDOMSnapshotParams of request_dom_snapshot.
	RequestDOMSnapshotParams struct{}
	// DialogHandleParams of dialog.handle; exactly one of accept and dismiss.
	DialogHandleParams struct {
		Accept  bool   `json:"accept,omitempty" doc:"Press OK."`
		Dismiss bool   `json:"dismiss,omitempty" doc:"Press Cancel."`
		Text    string `json:"text,omitempty" doc:"Answer to a prompt."`
	}
	// CancelParams of cancel.
	CancelParams struct{}
)

// CommandSpec declares one command.
type CommandSpec struct {
	Type       string
	Summary    string
	Level      Level      // least level of consent
	Capability string     // what the page must have
	Acts       bool       // changes the page; such commands run one after another
	Params     func() any // pointer to a fresh parameter struct
}

// Commands lists every command of the protocol, in the order of the reference.
var Commands = []CommandSpec{
	{"click", "Click an element.", Act, CapInput, true, func() any { return new(ClickParams) }},
	{"type", "Type text into an element.", Act, CapInput, true, func() any { return new(TypeParams) }},
	{"hover", "Move the pointer over an element.", Act, CapInput, true, func() any { return new(HoverParams) }},
	{"focus", "Focus an element.", Act, CapInput, true, func() any { return new(FocusParams) }},
	{"select", "Choose options of a select, or set a checkbox or radio.", Act, CapInput, true, func() any { return new(SelectParams) }},
	{"scroll", "Scroll the page or an element.", Act, CapInput, true, func() any { return new(ScrollParams) }},
	{"navigate", "Load an address, or go back, forward or reload.", Act, CapInput, true, func() any { return new(NavigateParams) }},
	{"evaluate", "Run JavaScript in the page and give its value.", Control, CapEval, true, func() any { return new(EvaluateParams) }},
	{"dialog.handle", "Answer the open JavaScript dialog.", Control, CapDialogs, true, func() any { return new(DialogHandleParams) }},
	{"request_ui_tree", "Give the UI tree, as a ui_tree message; the result sums it up.", Observe, CapUITree, false, func() any { return new(RequestUITreeParams) }},
	{"request_state", "Give the app's state, by scope.", Observe, CapState, false, func() any { return new(RequestStateParams) }},
	{"request_dom_snapshot", "Give the document's HTML, as a dom_snapshot message; the result sums it up.", Observe, CapDOMSnapshot, false, func() any { return new(RequestDOMSnapshotParams) }},
}
