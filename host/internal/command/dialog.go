package command

import (
	"context"
	"fmt"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var dialogCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "dialog.handle", Tool: "handle_dialog", Summary: "Answer the open alert, confirm, prompt or \"leave the page?\" dialog.",
		Effect: catalog.Act, Needs: catalog.Dialog, Level: protocol.Control, Capability: protocol.CapDialogs, Timeout: actTimeout,
		Faults: []fault.Code{fault.DialogNotOpen},
		Examples: []catalog.Example{
			{Line: "dialog handle --accept"},
			{Line: "dialog handle --accept --text Ada", Note: "answers a prompt"},
			{Line: "dialog handle --dismiss"},
		},
	}, dialogHandle),
	define(catalog.Spec{
		Name: "dialog.status", Tool: "dialog_status", Summary: "Tell whether a dialog is open, and what it says.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe,
		Examples: []catalog.Example{{Line: "dialog status"}, {Line: "dialog status --output text"}},
	}, dialogStatus),
}

type dialogHandleParams struct {
	Accept  bool    `json:"accept,omitempty" doc:"Press OK."`
	Dismiss bool    `json:"dismiss,omitempty" doc:"Press Cancel."`
	Text    *string `json:"text,omitempty" doc:"Answer to a prompt; what it proposes without it."`
}

type dialogHandleResult struct {
	Kind    string `json:"kind"`
	Message string `json:"message,omitempty"`
	actionResult
}

func (r dialogHandleResult) Text() string {
	r.verb = fmt.Sprintf("%s %s %q", r.verb, r.Kind, r.Message)
	return r.actionResult.Text()
}

func dialogHandle(ctx context.Context, env *Env, p *dialogHandleParams) (dialogHandleResult, error) {
	if p.Accept == p.Dismiss {
		return dialogHandleResult{}, problem("say either accept or dismiss").Suggest("dbridge dialog handle --accept", "dbridge dialog handle --dismiss")
	}
	if p.Text != nil && p.Dismiss {
		return dialogHandleResult{}, problem("a dismissed prompt takes no text").Suggest("dbridge dialog handle --accept --text " + shell(*p.Text))
	}
	asked := env.Tab.Dialog()
	if asked == nil {
		return dialogHandleResult{}, fault.New(fault.DialogNotOpen, "no dialog is open in the page").Suggest("dbridge observe state")
	}
	text := asked.Default
	if p.Text != nil {
		text = *p.Text
	}
	verb := "accepted"
	if p.Dismiss {
		verb = "dismissed"
	}
	told, err := env.tell(ctx, verb, "", func() (page.Did, error) { return env.Tab.HandleDialog(ctx, p.Accept, text, env.Dispatched) })
	return dialogHandleResult{asked.Kind, asked.Message, told}, err
}

type dialogStatusResult struct {
	Open    bool   `json:"open"`
	Kind    string `json:"kind,omitempty" doc:"alert, confirm, prompt or beforeunload."`
	Message string `json:"message,omitempty"`
	Default string `json:"default,omitempty" doc:"What a prompt proposes."`
}

func (r dialogStatusResult) Text() string {
	if !r.Open {
		return "no dialog is open"
	}
	return fmt.Sprintf("%s %q is open", r.Kind, r.Message)
}

func dialogStatus(_ context.Context, env *Env, _ *struct{}) (dialogStatusResult, error) {
	asked := env.Tab.Dialog()
	if asked == nil {
		return dialogStatusResult{}, nil
	}
	return dialogStatusResult{true, asked.Kind, asked.Message, asked.Default}, nil
}
