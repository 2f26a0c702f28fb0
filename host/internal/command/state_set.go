package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

const offByDefault = "Switched off until the person writes allow = [\"state\"] at the top of config.toml (profile list tells where it is)."

var dispatchStateCommand = define(catalog.Spec{
	Name: "state.dispatch", Tool: "dispatch_action", Summary: "Dispatch an action to a store of the app (Redux), and tell what changed.",
	Long:   offByDefault,
	Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapState,
	Positional: []string{"scope", "action"},
	Faults:     []fault.Code{fault.PolicyDenied, fault.ElementNotFound},
	Examples: []catalog.Example{
		{Line: "state dispatch redux cart/cleared"},
		{Line: `state dispatch redux cart/added --payload '{"id": 7}'`},
	},
}, stateDispatch)

var setStateCommand = define(catalog.Spec{
	Name: "state.set", Tool: "set_app_state", Summary: "Set a value in a store of the app or in a plain object of its window, and tell what changed.",
	Long:   offByDefault,
	Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapState,
	Positional: []string{"scope", "path", "value"},
	Faults:     []fault.Code{fault.PolicyDenied, fault.ElementNotFound},
	Examples: []catalog.Example{
		{Line: "state set pinia:cart open true"},
		{Line: "state set window:shop.cart /items/0/count 3"},
	},
}, stateSet)

type stateChangeResult struct {
	Scope   string           `json:"scope"`
	Source  string           `json:"source,omitempty"`
	Version int              `json:"version,omitzero" doc:"Of the scope, after the change."`
	Patch   []map[string]any `json:"patch" doc:"What changed, as JSON Patch (RFC 6902). Page text."`
	Value   any              `json:"value,omitzero" doc:"The whole, where it changed too much for a patch. Page text."`
}

func (r stateChangeResult) Text() string {
	if len(r.Patch) == 0 && r.Value == nil {
		return r.Scope + " is as before"
	}
	return r.Scope + ": " + changeWords(r.Patch, r.Value)
}

// maxWords and maxWordBytes bound the words of a change.
const (
	maxWords     = 12
	maxWordBytes = 200
)

// changeWords says a patch in short.
func changeWords(patch []map[string]any, whole any) string {
	if patch == nil {
		return brief(jsonText(whole), 10*maxWordBytes)
	}
	var words []string
	for i, op := range patch {
		if i == maxWords {
			words = append(words, fmt.Sprintf("and %d more", len(patch)-i))
			break
		}
		path, _ := op["path"].(string)
		if value, ok := op["value"]; ok {
			words = append(words, fmt.Sprintf("%s = %s", path, brief(jsonText(value), maxWordBytes)))
		} else {
			words = append(words, path+" removed")
		}
	}
	return strings.Join(words, "; ")
}

func jsonText(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return string(data)
}

type stateDispatchParams struct {
	Scope   string `json:"scope" doc:"The store, as state list names it."`
	Action  string `json:"action" doc:"Type of the action, or the whole action as a JSON object."`
	Payload any    `json:"payload,omitempty" doc:"Its payload."`
	Frame   string `json:"frame,omitempty" doc:"The frame, as f1; main without it."`
}

func stateDispatch(ctx context.Context, env *Env, p *stateDispatchParams) (stateChangeResult, error) {
	action := map[string]any{"type": p.Action}
	if strings.HasPrefix(strings.TrimSpace(p.Action), "{") {
		if err := json.Unmarshal([]byte(p.Action), &action); err != nil {
			return stateChangeResult{}, problem("the action is no JSON object: %v", err).Suggest(`dbridge state dispatch redux '{"type": "cart/cleared"}'`)
		}
	}
	if p.Payload != nil {
		action["payload"] = p.Payload
	}
	return changeState(ctx, env, p.Frame, p.Scope, map[string]any{"type": "state_dispatch", "scope": p.Scope, "action": action})
}

type stateSetParams struct {
	Scope string `json:"scope" doc:"The store, as state list names it, or window:PATH."`
	Path  string `json:"path" doc:"Keys inside it: items.0.count, or a JSON Pointer: /items/0/count."`
	Value string `json:"value" doc:"The new value as JSON; what is none is taken as text."`
	Frame string `json:"frame,omitempty" doc:"The frame, as f1; main without it."`
}

func stateSet(ctx context.Context, env *Env, p *stateSetParams) (stateChangeResult, error) {
	keys, err := pathKeys(p.Path)
	if err != nil {
		return stateChangeResult{}, err
	}
	return changeState(ctx, env, p.Frame, p.Scope, map[string]any{"type": "state_set", "scope": p.Scope, "path": keys, "value": valueOf(p.Value)})
}

// valueOf reads a value that a person typed: JSON, or text.
func valueOf(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}

func changeState(ctx context.Context, env *Env, frame, scope string, command map[string]any) (stateChangeResult, error) {
	if err := allowedByConfig(env, profile.AllowState, "changing the state of the app"); err != nil {
		return stateChangeResult{}, err
	}
	env.Dispatched()
	change, effect, err := env.Tab.ChangeState(ctx, frame, command)
	if err != nil {
		if failure := fault.From(err); failure.Code == fault.ElementNotFound && !strings.HasPrefix(scope, windowScope) {
			return stateChangeResult{}, noState(ctx, env, frame, scope, "", err)
		}
		return stateChangeResult{}, err
	}
	env.Did(effect, "bridge")
	out := stateChangeResult{Scope: scope, Source: change.Source, Version: change.Version, Patch: change.Patch, Value: change.Value}
	if out.Patch == nil {
		out.Patch = []map[string]any{}
	}
	return out, nil
}

// allowedByConfig refuses what config.toml does not switch on.
func allowedByConfig(env *Env, what profile.Allowance, words string) error {
	config, err := env.Slots.Config()
	if err != nil {
		return err
	}
	if slices.Contains(config.Allow, what) {
		return nil
	}
	return fault.New(fault.PolicyDenied, "%s is switched off", words).With("allow", what).
		Suggest(fmt.Sprintf("Ask the person to write allow = [%q] at the top of config.toml; dbridge profile list tells where it is.", what))
}
