package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var stateCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "state.list", Tool: "list_state", Summary: "List the app's stores (scopes of state): library, size, keys, what can be done.",
		Long: "Found in the page itself: Redux, Zustand, Jotai, MobX, Pinia, TanStack Query, routers and more, without a change to the app; " +
			"and what an app hands out by the SDK or as window.__debugBridgeState.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Capability: protocol.CapState,
		Examples: []catalog.Example{{Line: "state list"}, {Line: "state list --output text", Note: "a scope a line, with its size"}},
	}, stateList),
	define(catalog.Spec{
		Name: "state.get", Tool: "get_app_state", Summary: "Give the app's state, or a part of it.",
		Long: "window:a.b reads a plain object of the page by its path. What JSON has no form for is an object with a $ key: $map, $set, $date, $cycle, " +
			"$function, $class, $more (left out). The page's own accessors are not run.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Capability: protocol.CapState,
		Positional: []string{"scope", "path"},
		Faults:     []fault.Code{fault.ElementNotFound},
		Examples:   []catalog.Example{{Line: "state get custom"}, {Line: "state get custom items.0.price"}, {Line: "state get window:shop.cart"}},
	}, stateGet),
	watchStateCommand, dispatchStateCommand, setStateCommand,
}

type stateListParams struct {
	Frame string `json:"frame,omitempty" doc:"The frame, as f1; main without it."`
}

type stateScope struct {
	Scope   string   `json:"scope"`
	Source  string   `json:"source" doc:"custom, redux, zustand, react, …."`
	Bytes   int      `json:"bytes" doc:"Size as JSON."`
	Keys    []string `json:"keys,omitempty" doc:"Its top keys, at most 20."`
	Version int      `json:"version,omitzero" doc:"Of state_update."`
	Can     []string `json:"can,omitempty" doc:"follow (it tells changes by itself), dispatch, set."`
}

type stateListResult struct {
	Scopes []stateScope `json:"scopes"`
}

func (r stateListResult) Text() string {
	if len(r.Scopes) == 0 {
		return "no state found: no store that is known, nothing handed out; a plain object is read by state get window:PATH"
	}
	var b strings.Builder
	for _, s := range r.Scopes {
		fmt.Fprintf(&b, "%s (%s, %d bytes)", s.Scope, s.Source, s.Bytes)
		if len(s.Keys) > 0 {
			b.WriteString(": " + strings.Join(s.Keys, ", "))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// maxKeys of a scope are listed.
const maxKeys = 20

func stateList(ctx context.Context, env *Env, p *stateListParams) (stateListResult, error) {
	scopes, err := env.Tab.States(ctx, page.StateQuery{FrameID: p.Frame, Brief: true})
	out := stateListResult{Scopes: []stateScope{}}
	for _, s := range scopes {
		out.Scopes = append(out.Scopes, stateScope{s.Scope, s.Source, s.Size, s.Keys[:min(len(s.Keys), maxKeys)], s.Version, s.Can})
	}
	return out, err
}

type stateGetParams struct {
	Scope string `json:"scope,omitempty" doc:"The scope, or window:PATH; all of them when not given."`
	Path  string `json:"path,omitempty" doc:"Keys and indexes inside it: items.0.price, or a JSON Pointer: /items/0/price."`
	Frame string `json:"frame,omitempty" doc:"The frame, as f1; main without it."`
}

type stateGetResult struct {
	Value   any    `json:"value" doc:"Page text."`
	Source  string `json:"source,omitempty"`
	Version int    `json:"version,omitzero" doc:"Of the scope: patches of state_update with this baseVersion apply."`
	Cuts    int    `json:"cuts,omitzero" doc:"Places where something was left out; a path gives more."`
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
	keys, err := pathKeys(p.Path)
	if err != nil {
		return stateGetResult{}, err
	}
	scopes, err := env.Tab.States(ctx, page.StateQuery{FrameID: p.Frame, Scope: p.Scope, Path: keys})
	if err != nil {
		return stateGetResult{}, noState(ctx, env, p.Frame, p.Scope, p.Path, err)
	}
	if p.Scope == "" {
		all := map[string]any{}
		for _, s := range scopes {
			if _, doubled := all[s.Scope]; !doubled {
				all[s.Scope] = s.Value
			}
		}
		return stateGetResult{Value: all}, nil
	}
	if len(scopes) == 0 {
		return stateGetResult{}, noState(ctx, env, p.Frame, p.Scope, p.Path, nil)
	}
	s := scopes[0]
	return stateGetResult{Value: s.Value, Source: s.Source, Version: s.Version, Cuts: s.Cuts}, nil
}

// noState tells what there is where the scope, or the path in it, is not.
func noState(ctx context.Context, env *Env, frame, scope, path string, err error) error {
	failure := fault.From(err)
	if strings.HasPrefix(scope, windowScope) && err != nil && failure.Code == fault.ValidationError {
		failure.Message = "a value on that way is computed by the page; reading it would run its code"
		failure.Suggestions = []string{"dbridge runtime eval " + quoteArg(strings.TrimPrefix(scope, windowScope))}
		return failure
	}
	if err != nil && failure.Code != fault.ElementNotFound {
		return err
	}
	if strings.HasPrefix(scope, windowScope) {
		f := fault.New(fault.ElementNotFound, "the page's window has no %s", strings.Trim(strings.TrimPrefix(scope, windowScope)+"."+path, "."))
		if failure != nil {
			f = f.With("reason", failure.Details["reason"])
		}
		return f.Suggest("Name an object that is reachable from window; what is declared with let or const at the top of a script is not.")
	}
	scopes, err := env.Tab.States(ctx, page.StateQuery{FrameID: frame, Brief: true})
	if err != nil {
		return err
	}
	names := []string{}
	for _, s := range scopes {
		if s.Scope == scope {
			return fault.New(fault.ElementNotFound, "%s has no %q", scope, path).With("keys", s.Keys).Suggest("dbridge state get " + scope)
		}
		names = append(names, s.Scope)
	}
	return fault.New(fault.ElementNotFound, "the app has no state %q", scope).With("scopes", names).Suggest("dbridge state list")
}

// windowScope begins the name of a plain object of the window.
const windowScope = "window:"

// pathKeys reads a path: keys joined with dots, or a JSON Pointer.
func pathKeys(path string) ([]string, error) {
	if strings.HasPrefix(path, "/") {
		keys, err := protocol.PointerKeys(path)
		if err != nil {
			return nil, problem("the path is no JSON Pointer: %v", err)
		}
		return keys, nil
	}
	return slices.DeleteFunc(strings.Split(path, "."), func(key string) bool { return key == "" }), nil
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
