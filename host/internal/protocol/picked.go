package protocol

// TypePicked tells of an element that the person pointed at.
const TypePicked = "picked"

// Picked is an element that the person pointed at, from the popup or the context menu, to
// show it to the agent.
type Picked struct {
	Base
	Ref       string            `json:"ref" doc:"Handle of the element for commands."`
	Role      string            `json:"role" doc:"ARIA role, generic when it has none."`
	Name      string            `json:"name" doc:"Accessible name. Page text."`
	Tag       string            `json:"tag" doc:"The element's local name. Page text."`
	Selector  string            `json:"selector" doc:"Unique CSS path within its frame or shadow root (joined by >>> across shadow roots). Page text."`
	Note      string            `json:"note,omitempty" doc:"What the person wrote of it; their words, not the page's."`
	Bounds    Bounds            `json:"bounds" doc:"Box in the top frame's viewport, CSS px."`
	Styles    map[string]string `json:"styles" doc:"Computed styles that tell of its looks, without initial ones. Page text."`
	Component any               `json:"component,omitempty" doc:"The component that made it, where the app's framework tells; as component of gives it. Page text."`
	Diagnosis []string          `json:"diagnosis,omitempty" doc:"What is wrong with its layout, the worst first, as layout diagnose finds it. Page text."`
}
