package page

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// StateScope is one scope of a frame's state. Secrets in Value are masked.
type StateScope struct {
	Scope   string   `json:"scope"`
	Source  string   `json:"source"`
	Version int      `json:"version"`
	Can     []string `json:"can"`  // follow, dispatch, set
	Size    int      `json:"size"` // characters of its JSON
	Keys    []string `json:"keys"`
	Cuts    int      `json:"cuts"` // places where something was left out
	Value   any      `json:"value"`
}

// StateQuery says what is asked of a page's state.
type StateQuery struct {
	FrameID string
	Scope   string   // empty for all; window:a.b for a plain object
	Path    []string // into the scope
	Brief   bool     // without values
}

// States reads the state of a frame: what the app's own SDK hands out, in the main
// frame, and what the inspector finds. A page without inspector and SDK is CAPABILITY_MISSING.
func (t *Tab) States(ctx context.Context, q StateQuery) ([]StateScope, error) {
	list, handed := t.handedOut(ctx, q)
	if len(list) > 0 && q.Scope != "" {
		return list, nil
	}
	command := map[string]any{"type": "state_get"}
	if q.Brief {
		command["type"] = "state_list"
	}
	if q.Scope != "" {
		command["scope"] = q.Scope
	}
	if len(q.Path) > 0 {
		command["path"] = q.Path
	}
	var found struct {
		Scopes []StateScope `json:"scopes"`
	}
	if _, err := t.Ask(ctx, q.FrameID, command, &found); err != nil {
		if handed && errors.Is(err, fault.New(fault.CapabilityMissing, "")) {
			return list, nil
		}
		return nil, err
	}
	for i := range found.Scopes {
		found.Scopes[i].Value = redact.At(found.Scopes[i].Value, q.Path)
	}
	return append(list, found.Scopes...), nil
}

// handedOut is what the merged app's SDK gives; there reports whether there is one.
func (t *Tab) handedOut(ctx context.Context, q StateQuery) (list []StateScope, there bool) {
	spec, known := protocol.Spec("request_state")
	if !known || q.FrameID != "" && q.FrameID != "main" {
		return nil, false
	}
	states, there := t.askSDK(ctx, &protocol.Command{Base: protocol.Base{Type: spec.Type}, Spec: spec, Params: &protocol.RequestStateParams{Scope: q.Scope}})
	for scope, value := range states {
		whole, err := json.Marshal(value)
		if err != nil {
			continue
		}
		row := StateScope{Scope: scope, Source: "custom", Size: len(whole), Keys: []string{}, Can: []string{}}
		found := true
		for _, key := range q.Path {
			if value, found = Member(value, key); !found {
				break
			}
		}
		if object, ok := value.(map[string]any); ok {
			row.Keys = slices.Sorted(maps.Keys(object))
		}
		if !q.Brief {
			row.Value = redact.At(value, q.Path)
		}
		if found {
			list = append(list, row)
		}
	}
	slices.SortFunc(list, func(a, b StateScope) int { return strings.Compare(a.Scope, b.Scope) })
	return list, there
}

// Member goes one key or index into a decoded JSON value.
func Member(value any, key string) (any, bool) {
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

// askSDK asks the merged app for its states; it publishes them itself. there is false
// where no SDK is, and where it does not answer.
func (t *Tab) askSDK(ctx context.Context, cmd *protocol.Command) (states map[string]any, there bool) {
	t.mu.Lock()
	appID := t.appID
	t.mu.Unlock()
	app, ok := t.sdk.App(appID, t.page)
	if !ok {
		return nil, false
	}
	out, err := app.Run(ctx, cmd, func() {})
	if err != nil {
		t.log.Debug().Err(err).Msg("the app's SDK gives no state")
		return nil, true
	}
	result, _ := out.Result.(map[string]any)
	states, _ = result["states"].(map[string]any)
	return states, true
}

// StateChange is what came of a change of the state. Secrets are masked.
type StateChange struct {
	Scope   string           `json:"scope"`
	Source  string           `json:"source"`
	Version int              `json:"version"`
	Patch   []map[string]any `json:"patch"`
	Value   any              `json:"value"`
}

// ChangeState runs state_set or state_dispatch in a frame.
func (t *Tab) ChangeState(ctx context.Context, frameID string, command map[string]any) (out StateChange, effect string, err error) {
	effect, err = t.Ask(ctx, frameID, command, &out)
	out.Patch, out.Value = redact.Patch(out.Patch), redact.Value(out.Value)
	return out, effect, err
}

// stateAgain makes every frame tell its state whole, in the order of its telemetry.
func (t *Tab) stateAgain(ctx context.Context) {
	for _, f := range t.snapshotFrames() {
		if _, err := t.bridge(ctx, f, map[string]any{"type": "state_again"}); err != nil {
			t.log.Debug().Err(err).Msg("no state after a gap")
		}
	}
}

func (t *Tab) requestState(ctx context.Context, cmd *protocol.Command) (session.Outcome, error) {
	f, err := t.frameOf(cmd)
	if err != nil {
		return session.Outcome{}, err
	}
	states := map[string]any{}
	if f.id == 0 {
		if handed, ok := t.askSDK(ctx, cmd); ok {
			maps.Copy(states, handed)
		}
	}
	command := map[string]any{"type": "request_state"}
	if scope := cmd.Params.(*protocol.RequestStateParams).Scope; scope != "" {
		command["scope"] = scope
	}
	result, err := t.bridge(ctx, f, command)
	if err != nil {
		return session.Outcome{}, err
	}
	var report struct {
		States []*protocol.StateUpdate `json:"states"`
	}
	if err := decode(result.Result, &report); err != nil {
		return session.Outcome{}, fault.New(fault.ProtocolError, "the page's state cannot be read").Because(err)
	}
	for _, update := range report.States {
		update.Base = protocol.Base{Type: protocol.TypeStateUpdate, Timestamp: time.Now().UnixMilli(), FrameID: f.short, RequestID: cmd.RequestID}
		update = MaskedState(update)
		if _, doubled := states[update.Scope]; !doubled {
			states[update.Scope] = update.State
		}
		t.page.Publish(update)
	}
	return session.Outcome{Result: map[string]any{"states": states}, Effect: protocol.EffectNoop, Via: viaBridge}, nil
}
