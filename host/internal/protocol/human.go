package protocol

// TypeHumanActivity tells that the person uses the page themselves.
const TypeHumanActivity = "human_activity"

// HumanActivity says that the person typed, clicked or scrolled in the page while no agent's
// input was under way. What they typed or pressed is not told. At most one a second and frame.
type HumanActivity struct {
	Base
	Kinds []string `json:"kinds" doc:"What it was: keys, pointer, wheel."`
	Count int      `json:"count" doc:"Keys, presses and turns of the wheel since the last such message."`
}
