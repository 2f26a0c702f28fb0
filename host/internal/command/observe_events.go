package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

type eventsParams struct {
	Since  int      `json:"since,omitempty" doc:"Only what came after this number (last of the answer before)." min:"0"`
	Types  []string `json:"types,omitempty" doc:"Only these types; a comma between several."`
	Follow bool     `json:"follow,omitempty" doc:"Write what comes from now on (or after --since) until the time limit."`
	Limit  int      `json:"limit,omitempty" doc:"Most events told; of --follow none without it." min:"1" max:"5000"`
}

type eventsResult struct {
	Events  []eventRow        `json:"events,omitempty"`
	Last    uint64            `json:"last" doc:"Give it to --since to go on."`
	More    bool              `json:"more,omitempty"`
	Dropped map[string]uint64 `json:"dropped,omitempty" doc:"What was asked for and is not kept any more, by type."`
}

// eventRow is an event without what is the same in all.
type eventRow map[string]any

func (e eventRow) line() string {
	rest := maps.Clone(e)
	for _, key := range []string{"seq", "type", "timestamp", "pageId", "frameId"} {
		delete(rest, key)
	}
	data, err := json.Marshal(rest, json.Deterministic(true))
	if err != nil {
		return ""
	}
	text := string(data)
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return fmt.Sprintf("%v %v %s", e["seq"], e["type"], text)
}

func (r eventsResult) Text() string {
	var lines []string
	for _, e := range r.Events {
		lines = append(lines, e.line())
	}
	if len(lines) == 0 {
		lines = append(lines, "no events")
	}
	end := fmt.Sprintf("last %d", r.Last)
	if r.More {
		end += ", there are more"
	}
	for _, name := range slices.Sorted(maps.Keys(r.Dropped)) {
		end += fmt.Sprintf(", %d %s dropped", r.Dropped[name], name)
	}
	return strings.Join(append(lines, end), "\n")
}

const defaultEvents = 50

// loud are the types that come in such numbers, or so large, that they are told only when named.
var loud = []string{protocol.TypeUITree, protocol.TypeUITreeDiff, protocol.TypeDOMSnapshot, protocol.TypeDOMMutations, protocol.TypeUIChange}

func observeEvents(ctx context.Context, env *Env, p *eventsParams) (eventsResult, error) {
	types, err := eventTypes(p.Types)
	if err != nil {
		return eventsResult{}, err
	}
	tab, err := env.Context.Tab(env.Page)
	if err != nil {
		return eventsResult{}, err
	}
	log := tab.Page().Session()
	if !p.Follow {
		past := log.Read(uint64(p.Since), types, cmp.Or(p.Limit, defaultEvents))
		out := eventsResult{Last: past.Last, More: past.More, Dropped: past.Dropped}
		for _, data := range past.Events {
			if row, ok := readEvent(data); ok && (env.Page == 0 || row["pageId"] == float64(env.Page)) {
				out.Events = append(out.Events, row)
			}
		}
		return out, nil
	}
	return follow(ctx, env, log, types, p)
}

// follow emits events until the time is over; that is its end, not a failure.
func follow(ctx context.Context, env *Env, log *session.Session, types []string, p *eventsParams) (eventsResult, error) {
	ctx, cancel := early(ctx)
	defer cancel()
	out := eventsResult{Last: uint64(p.Since)}
	told := 0
	var from *session.Resume
	if p.Since > 0 {
		from = &session.Resume{Since: uint64(p.Since)}
	}
	err := listenTo(ctx, env, log, types, from, func(row eventRow, seq uint64) bool {
		out.Last = seq
		if env.Emit(row) != nil {
			return false // nobody reads any more
		}
		told++
		return p.Limit == 0 || told < p.Limit
	})
	return out, err
}

// listenTo gives events of the command's page, or of all, until each has enough or ctx
// ends: those after a number, or with from nil those that come from now on.
func listenTo(ctx context.Context, env *Env, log *session.Session, types []string, from *session.Resume, each func(row eventRow, seq uint64) (more bool)) error {
	agent := log.Attach(session.AttachOptions{Name: env.Agent, Types: types, Resume: from})
	defer agent.Detach()
	var last uint64
	if from != nil {
		last = from.Since
	}
	for {
		batch, err := agent.Next(ctx)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, session.ErrRefused):
			return problem("there is no event %d yet", last).With("last", log.Last()).Suggest("dbridge observe events --limit 10")
		default:
			return fault.New(fault.Busy, "the events come faster than they are taken").Because(err).Suggest(fmt.Sprintf("dbridge observe events --since %d", last))
		}
		for _, data := range batch {
			row, ok := readEvent(data)
			seq, numbered := row["seq"].(float64)
			kind, _ := row["type"].(string) // results of the agent's own come whatever the types
			if !ok || !numbered || !slices.Contains(types, kind) || env.Page != 0 && row["pageId"] != float64(env.Page) {
				continue
			}
			last = uint64(seq)
			if !each(row, last) {
				return nil
			}
		}
	}
}

// early ends a little before the command's own time limit, so that the answer still arrives.
func early(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-min(100*time.Millisecond, time.Until(deadline)/4)))
}

func eventTypes(given []string) ([]string, error) {
	var types []string
	for _, list := range given {
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			if !session.IsLogged(name) {
				return nil, problem("there is no event type %q", name).With("types", session.LoggedTypes()).
					Suggest("Use one or more of: " + strings.Join(session.LoggedTypes(), ", ") + ".")
			}
			types = append(types, name)
		}
	}
	if len(types) > 0 {
		return types, nil
	}
	return slices.DeleteFunc(session.LoggedTypes(), func(name string) bool { return slices.Contains(loud, name) }), nil
}

func readEvent(data []byte) (eventRow, bool) {
	var row eventRow
	if err := json.Unmarshal(data, &row); err != nil {
		return nil, false
	}
	delete(row, "protocolVersion")
	delete(row, "sessionId")
	return row, true
}
