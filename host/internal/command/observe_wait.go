package command

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

var waitEventCommand = define(catalog.Spec{
	Name: "observe.wait-event", Tool: "wait_for_event", Summary: "Wait for one event of the session: console, error, navigation, dialog, request, ….",
	Long:   "Sees what came since your last action began, too; --since SEQ sets another start. Gives the first event that fits.",
	Effect: catalog.Read, Needs: catalog.Slot, Level: protocol.Observe, Positional: []string{"types"},
	Faults: []fault.Code{fault.Timeout},
	Examples: []catalog.Example{
		{Line: "observe wait-event console --pattern ready", Note: "a line of the console that holds the text"},
		{Line: "observe wait-event page_navigated console --timeout 5000", Note: "whichever comes first"},
	},
}, waitEvent)

type waitEventParams struct {
	Types   []string `json:"types,omitempty" doc:"Only these types, as in observe events; a comma between several."`
	Pattern string   `json:"pattern,omitempty" doc:"Text that the event's JSON holds, or /regex/flags."`
	Since   *int     `json:"since,omitempty" min:"0" doc:"Events after this number; without it those since your last action began."`
}

type waitEventResult struct {
	Event eventRow `json:"event"`
	Last  uint64   `json:"last" doc:"Give it to --since of the next wait."`
}

func (r waitEventResult) Text() string { return r.Event.line() }

func waitEvent(ctx context.Context, env *Env, p *waitEventParams) (waitEventResult, error) {
	types, err := eventTypes(p.Types)
	if err != nil {
		return waitEventResult{}, err
	}
	if len(p.Types) == 0 { // what commands answered is no news to who gave them
		types = slices.DeleteFunc(types, func(name string) bool { return name == protocol.TypeCommandResult })
	}
	pattern, err := linePattern(p.Pattern)
	if err != nil {
		return waitEventResult{}, err
	}
	tab, err := env.Context.Tab(env.Page)
	if err != nil {
		return waitEventResult{}, err
	}
	log := tab.Page().Session()
	from := &session.Resume{Since: startOf(env, tab)}
	if p.Since != nil {
		from.Since = uint64(*p.Since)
	}
	waiting, cancel := sayTime(ctx)
	defer cancel()
	var out waitEventResult
	err = listenTo(waiting, env, log, types, from, func(row eventRow, seq uint64) bool {
		if !row.fits(pattern) {
			return true
		}
		out = waitEventResult{row, seq}
		return false
	})
	if err == nil && out.Event == nil {
		err = noEvent(env, log, p, types, from.Since)
	}
	return out, err
}

// startOf is where the agent's last action on a page of the session began, or now.
func startOf(env *Env, tab *page.Tab) uint64 {
	log := tab.Page().Session()
	var since uint64
	acted := false
	for _, t := range env.Context.Tabs() {
		r, ok := t.Keep(storesKey{}, nil).(*record)
		if !ok || t.Page().Session() != log {
			continue
		}
		if m, known := r.markOf(env.Agent); known {
			since, acted = max(since, m.events), true
		}
	}
	if !acted {
		return log.Last()
	}
	return since
}

// fits reports whether the event's JSON holds what is looked for.
func (e eventRow) fits(pattern *regexp.Regexp) bool {
	if pattern == nil {
		return true
	}
	data, err := json.Marshal(e, json.Deterministic(true))
	return err == nil && pattern.Match(data)
}

// maxInstead is how many of the events that came instead are shown, maxCounted how many counted.
const (
	maxInstead = 3
	maxCounted = 5000
)

// noEvent says what came instead of the event that was waited for.
func noEvent(env *Env, log *session.Session, p *waitEventParams, types []string, since uint64) error {
	what := "an event"
	if len(p.Types) > 0 {
		what += " of type " + strings.Join(types, " or ")
	}
	if p.Pattern != "" {
		what += fmt.Sprintf(" with %q", p.Pattern)
	}
	counts := map[string]int{}
	var others []eventRow
	past := session.Past{Last: since}
	if last := log.Last(); last > since {
		past = log.Read(since, nil, maxCounted)
	}
	for _, data := range past.Events {
		row, ok := readEvent(data)
		if !ok || env.Page != 0 && row["pageId"] != float64(env.Page) {
			continue
		}
		name, _ := row["type"].(string)
		counts[name]++
		if !slices.Contains(loud, name) {
			others = append(others, row)
		}
	}
	instead := "nothing else did"
	if len(counts) > 0 {
		parts := make([]string, 0, len(counts))
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[name], name))
		}
		instead = "there came " + strings.Join(parts, ", ")
	}
	f := fault.New(fault.Timeout, "%s did not come; %s", what, instead).With("last", past.Last)
	var lines []string
	for _, row := range others[max(0, len(others)-maxInstead):] {
		lines = append(lines, row.line())
	}
	if len(lines) > 0 {
		f = f.With("lastEvents", lines)
	}
	return f.Suggest(fmt.Sprintf("dbridge observe events --since %d", since), "Give it more time: --timeout MS")
}
