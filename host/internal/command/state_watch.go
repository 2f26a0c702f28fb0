package command

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

var watchStateCommand = define(catalog.Spec{
	Name: "state.watch", Tool: "watch_state", Summary: "Write each change of the app's state as a line, or wait until a value is as wanted.",
	Long: "Of one scope the first line is the whole; the next ones are what changed (JSON Patch). Ends after --duration or --count, when --until is true, " +
		"or at the time limit, which fails only with --until.",
	Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Capability: protocol.CapState, Streams: true,
	Positional: []string{"scope"},
	Faults:     []fault.Code{fault.Timeout, fault.ElementNotFound},
	Examples: []catalog.Example{
		{Line: "state watch --duration 300"},
		{Line: "state watch custom --until items.length=1 --timeout 5000", Note: "wait for it"},
	},
}, stateWatch)

type stateWatchParams struct {
	Scope    string `json:"scope,omitempty" doc:"The scope; all of them when not given."`
	Duration int    `json:"duration,omitempty" doc:"Milliseconds to watch." min:"1" max:"600000"`
	Count    int    `json:"count,omitempty" doc:"Changes after which it ends." min:"1" max:"100000"`
	Until    string `json:"until,omitempty" doc:"PATH=VALUE: ends when the value there is that, at once if it is. VALUE is JSON, or text; items.length counts a list."`
}

type stateWatchResult struct {
	Updates int    `json:"updates" doc:"Changes that were told."`
	Matched bool   `json:"matched,omitzero" doc:"--until came true."`
	Value   any    `json:"value,omitempty" doc:"What stands at the path of --until. Page text."`
	Scope   string `json:"scope,omitempty"`
	Version int    `json:"version,omitzero" doc:"Of the scope."`
}

func (r stateWatchResult) Text() string {
	switch {
	case r.Matched:
		return fmt.Sprintf("%s is as wanted after %d changes: %s", r.Scope, r.Updates, brief(jsonText(r.Value), maxStateText))
	case r.Updates == 0:
		return "nothing changed"
	}
	return fmt.Sprintf("%d changes", r.Updates)
}

// stateLine is one update as state watch writes it.
type stateLine struct {
	FrameID string           `json:"frameId,omitempty"` // of a child frame
	Scope   string           `json:"scope"`
	Source  string           `json:"source"`
	Version int              `json:"version,omitzero"`
	Patch   []map[string]any `json:"patch,omitempty"`
	State   any              `json:"state,omitzero"`
	Gone    bool             `json:"gone,omitzero"`
}

func stateLineOf(row eventRow) stateLine {
	text := func(key string) string { value, _ := row[key].(string); return value }
	version, _ := row["version"].(float64)
	line := stateLine{
		FrameID: text("frameId"), Scope: text("scope"), Source: text("source"), Version: int(version),
		Patch: patchOf(row["patch"]), State: row["state"], Gone: row["gone"] == true,
	}
	if line.FrameID == "main" {
		line.FrameID = ""
	}
	return line
}

// stateWatcher follows scopes of one page and keeps the value of the one that is asked for.
type stateWatcher struct {
	env   *Env
	p     *stateWatchParams
	keys  []string
	want  any
	held  any // of the scope
	since int // the version of held
	whole bool
	out   stateWatchResult
}

func stateWatch(ctx context.Context, env *Env, p *stateWatchParams) (stateWatchResult, error) {
	w := &stateWatcher{env: env, p: p, out: stateWatchResult{Scope: p.Scope}}
	if err := w.readUntil(); err != nil {
		return w.out, err
	}
	ctx, cancel := early(ctx)
	defer cancel()
	if p.Duration > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Duration(p.Duration)*time.Millisecond)
		defer stop()
	}
	log := env.Tab.Page().Session()
	from := &session.Resume{Since: log.Last()} // before the value is read: what comes between is not lost
	env.Dispatched()
	if p.Scope != "" {
		if over, err := w.begin(ctx); over || err != nil {
			return w.out, err
		}
	}
	asked := env.Page
	env.Page = env.Tab.PageID()
	defer func() { env.Page = asked }()
	err := listenTo(ctx, env, log, []string{protocol.TypeStateUpdate}, from, func(row eventRow, _ uint64) bool { return w.take(row) })
	if err == nil && p.Until != "" && !w.out.Matched {
		return w.out, fault.New(fault.Timeout, "%s of %s did not become that", p.Until, p.Scope).With("value", w.out.Value).
			Suggest("dbridge state get "+p.Scope, "Give it longer: --timeout MS")
	}
	return w.out, err
}

// readUntil splits PATH=VALUE.
func (w *stateWatcher) readUntil() error {
	if w.p.Until == "" {
		return nil
	}
	path, value, ok := strings.Cut(w.p.Until, "=")
	if !ok || w.p.Scope == "" {
		return problem("--until is PATH=VALUE, of a scope").Suggest("dbridge state watch cart --until items.length=3")
	}
	var err error
	w.keys, err = pathKeys(strings.TrimSpace(path))
	w.want = valueOf(strings.TrimSpace(value))
	return err
}

// begin tells the scope whole. One that is not there yet may come.
func (w *stateWatcher) begin(ctx context.Context) (over bool, err error) {
	scopes, err := w.env.Tab.States(ctx, page.StateQuery{Scope: w.p.Scope})
	if failure := fault.From(err); err != nil && failure.Code != fault.ElementNotFound {
		return true, err
	}
	if len(scopes) == 0 {
		if w.p.Until != "" {
			return false, nil
		}
		return true, noState(ctx, w.env, "", w.p.Scope, "", err)
	}
	s := scopes[0]
	w.held, w.since, w.whole, w.out.Version = s.Value, s.Version, true, s.Version
	line := stateLine{Scope: s.Scope, Source: s.Source, Version: s.Version, State: s.Value}
	return w.env.Emit(line) != nil || w.matches(), nil
}

// take tells one update, and reports whether more are wanted.
func (w *stateWatcher) take(row eventRow) bool {
	if scope, _ := row["scope"].(string); w.p.Scope != "" && scope != w.p.Scope || row["requestId"] != nil {
		return true
	}
	if w.p.Scope != "" && (row["frameId"] == "main" || row["frameId"] == nil) {
		version, _ := row["version"].(float64)
		if version != 0 && int(version) <= w.since && row["state"] == nil {
			return true // it is in what was told first
		}
		w.follow(row, int(version))
	}
	line := stateLineOf(row)
	if w.env.Emit(line) != nil {
		return false // nobody reads any more
	}
	w.out.Updates++
	return !w.matches() && (w.p.Count == 0 || w.out.Updates < w.p.Count)
}

// follow applies an update to what is held.
func (w *stateWatcher) follow(row eventRow, version int) {
	if patch := patchOf(row["patch"]); patch == nil {
		w.held, w.whole = row["state"], true
	} else if base, _ := row["baseVersion"].(float64); w.whole && int(base) == w.since {
		held, err := protocol.ApplyPatch(w.held, patch)
		w.held, w.whole = held, err == nil
	} else {
		w.whole = false // until it comes whole again
	}
	w.since, w.out.Version = version, version
}

func patchOf(value any) []map[string]any {
	list, ok := value.([]any)
	if !ok {
		return nil
	}
	patch := make([]map[string]any, 0, len(list))
	for _, item := range list {
		op, _ := item.(map[string]any)
		patch = append(patch, op)
	}
	return patch
}

// matches reports whether the value is as --until wants it.
func (w *stateWatcher) matches() bool {
	if w.p.Until == "" || !w.whole {
		return false
	}
	value, found := w.held, true
	for _, key := range w.keys {
		if list, ok := value.([]any); ok && key == "length" {
			value = float64(len(list))
			continue
		}
		if value, found = page.Member(value, key); !found {
			value = nil
			break
		}
	}
	w.out.Value = value
	w.out.Matched = found && reflect.DeepEqual(value, w.want)
	return w.out.Matched
}
