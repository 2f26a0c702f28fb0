package protocol

import "github.com/go-json-experiment/json/jsontext"

// Message types of raw CDP, for agents that know the Chrome DevTools Protocol.
const (
	TypeCDPRequest   = "cdp_request"
	TypeCDPResponse  = "cdp_response"
	TypeCDPSubscribe = "cdp_subscribe"
	TypeCDPEvent     = "cdp_event"
)

type (
	// CDPRequestParams of cdp_request.
	CDPRequestParams struct {
		ID           jsontext.Value `json:"id" ts:"string | number" doc:"Chosen by the agent, echoed in the answer."`
		Method       string         `json:"method" doc:"CDP method, e.g. DOM.getDocument."`
		Params       jsontext.Value `json:"params,omitempty" ts:"Record<string, unknown>" doc:"Its parameters, an object."`
		CDPSessionID string         `json:"cdpSessionId,omitempty" doc:"Child session of a cross-process frame, from Target.attachedToTarget."`
	}
	// CDPSubscribeParams of cdp_subscribe.
	CDPSubscribeParams struct {
		Methods []string `json:"methods" doc:"CDP events wanted, e.g. Network.requestWillBeSent or Network.*; an empty list ends it."`
	}
)

// CDPResponse answers a cdp_request, to its sender only.
type CDPResponse struct {
	Base
	ID     jsontext.Value `json:"id" ts:"string | number" doc:"The request's id."`
	Result jsontext.Value `json:"result,omitempty" ts:"unknown" doc:"What the browser answered. May hold page text."`
	Error  *CommandError  `json:"error,omitempty" doc:"Why not; the browser's own words are in details.cdp."`
}

// CDPEvent is an event of the browser, to the agents that subscribed to it.
type CDPEvent struct {
	Base
	Method       string         `json:"method" doc:"CDP event."`
	Params       jsontext.Value `json:"params,omitempty" ts:"unknown" doc:"Its parameters. May hold page text."`
	CDPSessionID string         `json:"cdpSessionId,omitempty" doc:"Child session it comes from."`
}

// HostCommands are answered by the host itself: they have no command_result.
var HostCommands = []CommandSpec{
	{TypeCancel, "End a queued or running command.", Observe, "", false, func() any { return new(CancelParams) }},
	{TypeCDPRequest, "Send a command of the Chrome DevTools Protocol to the page, past the catalogue; answered with cdp_response.", Control, CapCDP, true, func() any { return new(CDPRequestParams) }},
	{TypeCDPSubscribe, "Choose the CDP events of the page that this agent gets, as cdp_event.", Control, CapCDP, false, func() any { return new(CDPSubscribeParams) }},
}
