package command

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var runtimeCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "runtime.eval", Tool: "evaluate_script", Summary: "Run JavaScript in the page and give its value.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapEval,
		Positional: []string{"expression"},
		Faults:     []fault.Code{fault.EvalDisabled, fault.Indeterminate},
		Examples: []catalog.Example{
			{Line: "runtime eval document.title"},
			{Line: "runtime eval 'await fetch(\"/\").then(r => r.status)'", Note: "promises are awaited"},
		},
	}, runtimeEval),
}

type runtimeEvalParams struct {
	Expression string `json:"expression" doc:"JavaScript; its value, awaited, is the result."`
}

type runtimeEvalResult struct {
	Value any `json:"value" doc:"The value as JSON."`
}

func runtimeEval(ctx context.Context, env *Env, p *runtimeEvalParams) (runtimeEvalResult, error) {
	out, err := env.Perform(ctx, "evaluate", &protocol.EvaluateParams{Expression: p.Expression})
	return runtimeEvalResult{out.Result}, err
}
