package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var stateCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "state.list", Tool: "list_state", Summary: "List the scopes of state that the app tells.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Capability: protocol.CapState,
		Examples: []catalog.Example{{Line: "state list"}, {Line: "state list --output text", Note: "a scope a line, with its size"}},
	}, stateList),
	define(catalog.Spec{
		Name: "state.get", Tool: "get_app_state", Summary: "Give the app's state, or a part of it.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Capability: protocol.CapState,
		Positional: []string{"scope", "path"},
		Faults:     []fault.Code{fault.ElementNotFound},
		Examples:   []catalog.Example{{Line: "state get cart"}, {Line: "state get cart items.0.price"}},
	}, stateGet),
}

type stateListParams struct{}

type stateScope struct {
	Scope string   `json:"scope"`
	Bytes int      `json:"bytes" doc:"Size as JSON."`
	Keys  []string `json:"keys,omitempty" doc:"Its top keys, at most 20."`
}

type stateListResult struct {
	Scopes []stateScope `json:"scopes"`
}

func (r stateListResult) Text() string {
	if len(r.Scopes) == 0 {
		return "the app tells no state"
	}
	var b strings.Builder
	for _, s := range r.Scopes {
		fmt.Fprintf(&b, "%s (%d bytes): %s\n", s.Scope, s.Bytes, strings.Join(s.Keys, ", "))
	}
	return b.String()
}

// maxKeys of a scope are listed.
const maxKeys = 20

func states(ctx context.Context, env *Env, scope string) (map[string]any, error) {
	out, err := env.Perform(ctx, "request_state", &protocol.RequestStateParams{Scope: scope})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(out.Result)
	if err != nil {
		return nil, fault.From(err)
	}
	var report struct {
		States map[string]any `json:"states"`
	}
	return report.States, json.Unmarshal(data, &report)
}

func stateList(ctx context.Context, env *Env, _ *stateListParams) (stateListResult, error) {
	all, err := states(ctx, env, "")
	if err != nil {
		return stateListResult{}, err
	}
	out := stateListResult{Scopes: []stateScope{}}
	for _, scope := range slices.Sorted(maps.Keys(all)) {
		data, err := json.Marshal(all[scope])
		if err != nil {
			return out, fault.From(err)
		}
		row := stateScope{Scope: scope, Bytes: len(data)}
		if object, ok := all[scope].(map[string]any); ok {
			row.Keys = slices.Sorted(maps.Keys(object))
			row.Keys = row.Keys[:min(len(row.Keys), maxKeys)]
		}
		out.Scopes = append(out.Scopes, row)
	}
	return out, nil
}

type stateGetParams struct {
	Scope string `json:"scope,omitempty" doc:"The scope; all of them when not given."`
	Path  string `json:"path,omitempty" doc:"Keys and indexes inside it, joined with dots: items.0.price."`
}

type stateGetResult struct {
	Value any `json:"value"`
}

// maxStateText bounds the text of a state; the JSON has the whole.
const maxStateText = 4000

func (r stateGetResult) Text() string {
	text := runtimeEvalResult{Value: r.Value}.Text()
	if len(text) <= maxStateText {
		return text
	}
	return fmt.Sprintf("%s\n(%d bytes in all; give a path for a part: %s)", brief(text, maxStateText), len(text), strings.Join(keysOf(r.Value), ", "))
}

func stateGet(ctx context.Context, env *Env, p *stateGetParams) (stateGetResult, error) {
	all, err := states(ctx, env, "")
	if err != nil {
		return stateGetResult{}, err
	}
	if p.Scope == "" {
		return stateGetResult{all}, nil
	}
	value, ok := all[p.Scope]
	if !ok {
		return stateGetResult{}, fault.New(fault.ElementNotFound, "the app tells no state %q", p.Scope).
			With("scopes", slices.Sorted(maps.Keys(all))).Suggest("dbridge state list")
	}
	at := p.Scope
	for key := range strings.SplitSeq(p.Path, ".") {
		if p.Path == "" {
			break
		}
		next, ok := step(value, key)
		if !ok {
			return stateGetResult{}, fault.New(fault.ElementNotFound, "%s has no %q", at, key).With("keys", keysOf(value)).Suggest("dbridge state get " + p.Scope)
		}
		value, at = next, at+"."+key
	}
	return stateGetResult{value}, nil
}

// step goes one key or index into a value.
func step(value any, key string) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		next, ok := v[key]
		return next, ok
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

func keysOf(value any) []string {
	switch v := value.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		return keys[:min(len(keys), maxKeys)]
	case []any:
		return []string{fmt.Sprintf("0 to %d", len(v)-1)}
	}
	return nil
}
