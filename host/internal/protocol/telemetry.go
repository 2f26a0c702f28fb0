package protocol

// Types of telemetry, app to agent.
const (
	TypeDOMSnapshot        = "dom_snapshot"
	TypeDOMMutations       = "dom_mutations"
	TypeUITree             = "ui_tree"
	TypeUITreeDiff         = "ui_tree_diff"
	TypeUIChange           = "ui_change"
	TypeConsole            = "console"
	TypeError              = "error"
	TypeUnhandledRejection = "unhandledrejection"
	TypeStateUpdate        = "state_update"
	TypeNetwork            = "network"
	TypeDialog             = "dialog"
	TypeDropped            = "dropped"
	TypeToolsChanged       = "tools_changed"
)

// DOMSnapshot is the document as HTML. Values of secret fields are never in it.
type DOMSnapshot struct {
	Base
	HTML      string `json:"html" doc:"outerHTML of the document element. Page text."`
	Truncated bool   `json:"truncated,omitempty" doc:"True when html was cut at the limit."`
	Bytes     int    `json:"bytes" doc:"Size of the whole HTML in bytes, also when cut."`
}

// DOMMutations is a batch of changes, 50-100 ms of them.
type DOMMutations struct {
	Base
	Mutations []DOMMutation `json:"mutations" doc:"The changes, in order."`
	Dropped   int           `json:"dropped,omitempty" doc:"Changes left out of this batch because of a burst."`
}

// DOMMutation is one change.
type DOMMutation struct {
	MutationType   string   `json:"mutationType" doc:"childList, attributes or characterData."`
	TargetSelector string   `json:"targetSelector" doc:"CSS path of the changed element. Page text."`
	AttributeName  string   `json:"attributeName,omitempty" doc:"For attributes. Page text."`
	AddedNodes     []string `json:"addedNodes,omitempty" doc:"HTML or text, cut at a limit. Page text."`
	RemovedNodes   []string `json:"removedNodes,omitempty" doc:"HTML or text, cut at a limit. Page text."`
	TextContent    *string  `json:"textContent,omitempty" doc:"New text (characterData) or new attribute value (attributes), cut at a limit. Page text."`
}

// Bounds is a box in CSS px of the top frame's viewport.
type Bounds struct {
	X      float64 `json:"x" doc:"CSS px."`
	Y      float64 `json:"y" doc:"CSS px."`
	Width  float64 `json:"width" doc:"CSS px."`
	Height float64 `json:"height" doc:"CSS px."`
}

// UITreeItem is one interactive element (or landmark) of a page.
type UITreeItem struct {
	Ref      string            `json:"ref" doc:"Short handle for commands: e12, or f2e7 in a child frame."`
	StableID string            `json:"stableId" doc:"data-testid, else id, else generated; survives re-renders. Page text."`
	Selector string            `json:"selector" doc:"Unique CSS path within its frame or shadow root (joined by >>> across open shadow roots). Page text."`
	Role     string            `json:"role" doc:"ARIA role, computed (core-aam, html-aam)."`
	Name     string            `json:"name" doc:"Accessible name, computed (accname 1.2). Page text."`
	Text     string            `json:"text,omitempty" doc:"Visible text, cut. Page text."`
	Label    string            `json:"label,omitempty" doc:"aria-label or title. Page text."`
	Value    *string           `json:"value,omitempty" doc:"Value of a control; never of a password, one-time-code or card field. Page text."`
	Disabled bool              `json:"disabled" doc:"Disabled, also by a fieldset or aria-disabled."`
	Visible  bool              `json:"visible" doc:"What a person could see: display, visibility, opacity, size, clip."`
	Hidden   string            `json:"hidden,omitempty" doc:"Why it is not visible: display, visibility, opacity, size, clip or offscreen."`
	Checked  any               `json:"checked,omitempty" ts:"boolean | \"mixed\"" doc:"true, false or mixed."`
	Expanded *bool             `json:"expanded,omitempty" doc:"aria-expanded or details."`
	Selected *bool             `json:"selected,omitempty" doc:"aria-selected or option."`
	Focused  bool              `json:"focused,omitempty" doc:"True on the focused element."`
	Bounds   Bounds            `json:"bounds" doc:"Box in the top frame's viewport, CSS px."`
	FrameID  string            `json:"frameId" doc:"main or the child frame's id."`
	Meta     map[string]string `json:"meta,omitempty" doc:"tagName, type, href, name, placeholder, redacted, …. Page text."`
}

// UITree is the whole tree, flat and in document order.
type UITree struct {
	Base
	Items     []UITreeItem `json:"items" doc:"Interactive elements of all frames, in document order."`
	Version   int          `json:"version" doc:"Grows with every change."`
	Full      bool         `json:"full" doc:"Always true."`
	Truncated int          `json:"truncated,omitempty" doc:"Elements left out because of the limit."`
}

// UITreeDiff says what changed since baseVersion. At most 2 a second.
type UITreeDiff struct {
	Base
	BaseVersion int              `json:"baseVersion" doc:"Version that the diff applies to."`
	Version     int              `json:"version" doc:"Version after it."`
	Added       []UITreeItem     `json:"added" doc:"New items."`
	Removed     []string         `json:"removed" doc:"Refs gone."`
	Changed     []map[string]any `json:"changed" ts:"Array<{ ref: string } & Partial<UITreeItem>>" doc:"ref and the fields that changed (null: the field is gone). Page text."`
}

// UIChange says in the terms of the tree what changed in a document: what a person would
// tell of it. It comes beside ui_tree, at most 5 times a second.
type UIChange struct {
	Base
	Changes []ElementChange `json:"changes" doc:"The most telling first."`
	More    int             `json:"more,omitempty" doc:"Changes that are not told."`
	Batch   int             `json:"batch" doc:"Number of the message in its document, from 1."`
}

// ElementChange is one change of an element, or of several of one kind.
type ElementChange struct {
	Change string      `json:"change" doc:"opened, closed, appeared, gone, added, removed, shown, hidden, disabled, enabled, checked, unchecked, selected, unselected, expanded, collapsed, busy, ready, invalid, valid, current, text, value or title."`
	At     int64       `json:"at" doc:"Ms since 1970, by the page's clock."`
	Ref    string      `json:"ref,omitempty" doc:"The element; not of several, nor of one that is gone."`
	Role   string      `json:"role,omitempty" doc:"ARIA role."`
	Name   string      `json:"name,omitempty" doc:"Accessible name, cut. Page text."`
	Count  int         `json:"count,omitempty" doc:"How many, when not one."`
	Under  *ElementRef `json:"under,omitempty" doc:"What it was added to or removed from."`
	Text   string      `json:"text,omitempty" doc:"New text or value, cut; never of a secret field. Page text."`
}

// ElementRef is an element with its name.
type ElementRef struct {
	Ref  string `json:"ref" doc:"For commands."`
	Role string `json:"role" doc:"ARIA role."`
	Name string `json:"name,omitempty" doc:"Accessible name, cut. Page text."`
}

// Console is one console call of the page.
type Console struct {
	Base
	Level  string   `json:"level" doc:"log, info, warn, error or debug."`
	Args   []string `json:"args" doc:"Arguments as text, cut at a limit. Page text."`
	Stack  string   `json:"stack,omitempty" doc:"Call stack, for warn and error. Page text."`
	URL    string   `json:"url,omitempty" doc:"Script. Page text."`
	Line   int      `json:"line,omitempty" doc:"From 1."`
	Column int      `json:"column,omitempty" doc:"From 1."`
}

// PageError is an uncaught error (type error) or an unhandled promise rejection (type unhandledrejection).
type PageError struct {
	Base
	Message  string `json:"message,omitempty" doc:"Page text."`
	Stack    string `json:"stack,omitempty" doc:"Page text."`
	Filename string `json:"filename,omitempty" doc:"Script. Page text."`
	Lineno   int    `json:"lineno,omitempty" doc:"From 1."`
	Colno    int    `json:"colno,omitempty" doc:"From 1."`
	Reason   string `json:"reason,omitempty" doc:"unhandledrejection: the reason as text. Page text."`
}

// StateUpdate is application state: whole (state), or what changed (patch). A patch
// applies to the state of version baseVersion of the same frame, scope and source; one
// that is not newer than what is held is left out. Who misses the base asks for all by
// request_state. At most 10 a second for one scope; what an app tells by its own code
// (source custom) may come without version and is then always whole.
type StateUpdate struct {
	Base
	Scope       string           `json:"scope" doc:"Name of the store, e.g. cart. Page text."`
	State       any              `json:"state,omitzero" doc:"The whole value, bounded; not with patch. What JSON has no form for is an object with a $ key: $map, $date, $cycle, $function, …. Page text."`
	Source      string           `json:"source" doc:"custom, redux, zustand, react, vue, …. Page text."`
	Version     int              `json:"version,omitempty" doc:"Grows by one with every update of the scope in its document."`
	BaseVersion int              `json:"baseVersion,omitempty" doc:"With patch: the version that it applies to."`
	Patch       []map[string]any `json:"patch,omitempty" ts:"Array<{ op: 'add' | 'remove' | 'replace'; path: string; value?: unknown }>" doc:"JSON Patch (RFC 6902) of add, remove and replace, in order. Page text."`
	Gone        bool             `json:"gone,omitempty" doc:"The store left the page; state is null."`
}

// Network is one phase of a request.
type Network struct {
	Base
	Method       string             `json:"method" doc:"HTTP method. Page text."`
	URL          string             `json:"url" doc:"Address, secrets masked. Page text."`
	Status       int                `json:"status,omitempty" doc:"HTTP status."`
	ResourceType string             `json:"resourceType" doc:"document, script, fetch, xhr, …."`
	Phase        string             `json:"phase" doc:"request, response, finished or failed."`
	EncodedBytes int64              `json:"encodedBytes,omitempty" doc:"Bytes on the wire."`
	DecodedBytes int64              `json:"decodedBytes,omitempty" doc:"Bytes after decoding."`
	Timings      map[string]float64 `json:"timings,omitempty" doc:"Milliseconds by step."`
}

// Dialog is an open JavaScript dialog.
type Dialog struct {
	Base
	Kind          string `json:"kind" doc:"alert, confirm, prompt or beforeunload."`
	Message       string `json:"message" doc:"Page text."`
	DefaultPrompt string `json:"defaultPrompt,omitempty" doc:"Page text."`
}

// Dropped says that the page made more telemetry than could be kept.
type Dropped struct {
	Base
	Counts map[string]int `json:"counts" doc:"Messages dropped before numbering, by type."`
}

// ToolsChanged says that the page declares other tools than before.
type ToolsChanged struct {
	Base
	Names  []string `json:"names" doc:"Names of the frame's tools now, at most 200. Page text."`
	Unseen int      `json:"unseen,omitempty" doc:"1 where the page keeps tools that cannot be listed."`
}

// Telemetry lists every telemetry type with its Go type; the decoder, the
// generated TypeScript and the reference all come from this table.
var Telemetry = []struct {
	Type string
	New  func() Message
}{
	{TypeDOMSnapshot, func() Message { return new(DOMSnapshot) }},
	{TypeDOMMutations, func() Message { return new(DOMMutations) }},
	{TypeUITree, func() Message { return new(UITree) }},
	{TypeUITreeDiff, func() Message { return new(UITreeDiff) }},
	{TypeUIChange, func() Message { return new(UIChange) }},
	{TypeConsole, func() Message { return new(Console) }},
	{TypeError, func() Message { return new(PageError) }},
	{TypeUnhandledRejection, func() Message { return new(PageError) }},
	{TypeStateUpdate, func() Message { return new(StateUpdate) }},
	{TypeNetwork, func() Message { return new(Network) }},
	{TypeDialog, func() Message { return new(Dialog) }},
	{TypePicked, func() Message { return new(Picked) }},
	{TypeHumanActivity, func() Message { return new(HumanActivity) }},
	{TypeDropped, func() Message { return new(Dropped) }},
	{TypeToolsChanged, func() Message { return new(ToolsChanged) }},
}
