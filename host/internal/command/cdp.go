package command

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var cdpCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "cdp.send", Tool: "cdp_send", Summary: "Send one DevTools command to the page, for what no other command does.",
		Long:   "What reaches beyond the page (cookies of other sites, other targets, the browser) is refused. See https://chromedevtools.github.io/devtools-protocol/.",
		Effect: catalog.Act, Needs: catalog.Dialog, Level: protocol.Control, Capability: protocol.CapCDP,
		Positional: []string{"method", "params"},
		Faults:     []fault.Code{fault.CDPError, fault.PolicyDenied, fault.ResultTooLarge},
		Examples: []catalog.Example{
			{Line: "cdp send Performance.getMetrics"},
			{Line: `cdp send DOM.getDocument '{"depth":1}'`},
		},
	}, cdpSend),
}

// maxRaw is the largest answer that is passed on, as in the log of a session.
const maxRaw = 24 << 20

type cdpSendParams struct {
	Method string         `json:"method" doc:"DOMAIN.command, such as Performance.getMetrics."`
	Params jsontext.Value `json:"params,omitempty" doc:"Its parameters, a JSON object."`
	Target string         `json:"target,omitempty" doc:"DevTools session of a child target (a cross-process frame, a worker); the page itself when not given."`
}

type cdpSendResult struct {
	Result jsontext.Value `json:"result" doc:"The browser's answer."`
}

func (r cdpSendResult) Text() string { return string(r.Result) }

func cdpSend(ctx context.Context, env *Env, p *cdpSendParams) (cdpSendResult, error) {
	if len(p.Params) > 0 && p.Params.Kind() != '{' {
		return cdpSendResult{}, problem("params must be a JSON object").Suggest(`dbridge cdp send DOM.getDocument '{"depth":1}'`)
	}
	env.Dispatched()
	raw, err := env.Tab.CDP(ctx, p.Method, p.Params, p.Target)
	if err != nil {
		return cdpSendResult{}, err
	}
	env.Did(protocol.EffectUnknown, "cdp")
	if len(raw) > maxRaw {
		return cdpSendResult{}, fault.New(fault.ResultTooLarge, "the answer to %s has %d bytes; the limit is %d", p.Method, len(raw), maxRaw).
			With("bytes", len(raw)).With("limit", maxRaw).Suggest("Ask for a part of it: by depth, by node, or by a range.", "dbridge capture snapshot")
	}
	return cdpSendResult{raw}, nil
}
