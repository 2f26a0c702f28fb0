package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/console"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// What came of an action, told after the fact: its window (cause_window.go) joined with
// the stores of requests and of the console by their ids.

var causeCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "observe.cause", Tool: "get_cause", Summary: "Tell all that an action set off: requests, console, state, changes of the page, in time.",
		Long: "Without an id the last action on the page. The id is the cause of an action's answer, or its request id. Times are ms after the action began. " +
			"What came after its answer is marked late; it is gathered until the page is quiet, at most 2 s, or until the next action.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe,
		Positional: []string{"request"},
		Examples: []catalog.Example{
			{Line: "observe cause"},
			{Line: "observe cause --output text", Note: "as a timeline"},
		},
	}, observeCause),
}

type causeParams struct {
	Request string `json:"request,omitempty" doc:"Which action: cause of its answer, or its request id."`
}

// moment is when something happened.
type moment struct {
	At   int64 `json:"at" doc:"Ms after the action began."`
	Late bool  `json:"late,omitempty" doc:"After the action's answer."`
}

type causedRequest struct {
	moment
	ID      int     `json:"id" doc:"For: network get."`
	Method  string  `json:"method"`
	URL     string  `json:"url"`
	Status  int     `json:"status,omitempty"`
	Ms      float64 `json:"ms,omitempty" doc:"How long it took."`
	Failure string  `json:"failure,omitempty"`
	Pending bool    `json:"pending,omitempty"`
}

type causedLine struct {
	moment
	ID    int    `json:"id" doc:"For: console get."`
	Level string `json:"level"`
	Text  string `json:"text" doc:"First line. Page text."`
}

type causedState struct {
	moment
	Scope   string `json:"scope"`
	Source  string `json:"source,omitempty"`
	Version int    `json:"version,omitempty"`
	Patch   any    `json:"patch,omitempty" doc:"JSON Patch, where it is not long. Page text."`
	Summary string `json:"summary" doc:"In words. Page text."`
}

type causedChange struct {
	moment
	Text   string `json:"text" doc:"In words. Page text."`
	Change string `json:"change"`
	Ref    string `json:"ref,omitempty"`
	Role   string `json:"role,omitempty"`
	Count  int    `json:"count,omitempty"`
	Under  string `json:"under,omitempty" doc:"Ref of what it was added to or removed from."`
}

// causedNote is what needs no more than a text: an address, a message, a name.
type causedNote struct {
	moment
	Text string `json:"text" doc:"Page text."`
}

type causeResult struct {
	Cause      string          `json:"cause"`
	RequestID  string          `json:"requestId,omitempty"`
	Command    string          `json:"command"`
	Target     string          `json:"target,omitempty" doc:"What it acted on."`
	Effect     string          `json:"effect,omitempty"`
	Code       string          `json:"code,omitempty" doc:"Of its fault, where it failed."`
	Ms         int64           `json:"ms" doc:"Until its answer."`
	Open       bool            `json:"open,omitempty" doc:"It is still watched."`
	Requests   []causedRequest `json:"requests,omitempty"`
	Console    []causedLine    `json:"console,omitempty"`
	State      []causedState   `json:"state,omitempty"`
	Changes    []causedChange  `json:"changes,omitempty"`
	Navigation []causedNote    `json:"navigation,omitempty"`
	Dialogs    []causedNote    `json:"dialogs,omitempty"`
	Downloads  []causedNote    `json:"downloads,omitempty"`
	Tabs       []causedNote    `json:"tabs,omitempty" doc:"Pages that it opened."`
	Focus      []causedNote    `json:"focus,omitempty" doc:"Where the focus went."`
	Dropped    int             `json:"dropped,omitempty" doc:"What was too much to keep."`
}

// Text is a timeline.
func (r causeResult) Text() string {
	head := r.Command
	if r.Target != "" {
		head += " " + r.Target
	}
	head += fmt.Sprintf(" · %s · answered after %d ms · %s", orElse(r.Effect, r.Code), r.Ms, r.Cause)
	if r.Open {
		head += " · still watched"
	}
	type row struct {
		moment
		text string
	}
	var rows []row
	add := func(at moment, format string, args ...any) {
		rows = append(rows, row{at, fmt.Sprintf(format, args...)})
	}
	for _, q := range r.Requests {
		add(q.moment, "request %d %s", q.ID, q.words())
	}
	for _, c := range r.Console {
		add(c.moment, "console %d %s: %s", c.ID, c.Level, c.Text)
	}
	for _, s := range r.State {
		add(s.moment, "state %s", s.Summary)
	}
	for _, c := range r.Changes {
		add(c.moment, "%s", c.Text)
	}
	for what, notes := range map[string][]causedNote{
		"now at": r.Navigation, "dialog": r.Dialogs, "download": r.Downloads, "opened": r.Tabs, "focus on": r.Focus,
	} {
		for _, n := range notes {
			add(n.moment, "%s %s", what, n.Text)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return int(a.At - b.At) })
	lines := []string{head}
	for _, at := range rows {
		late := ""
		if at.Late {
			late = "late "
		}
		lines = append(lines, fmt.Sprintf("%+6d %s%s", at.At, late, at.text))
	}
	if len(rows) == 0 {
		lines = append(lines, "nothing came of it")
	}
	if r.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("%d more were not kept", r.Dropped))
	}
	if len(r.Requests) > 0 {
		lines = append(lines, fmt.Sprintf("next: dbridge network get %d", r.Requests[0].ID))
	}
	return strings.Join(lines, "\n")
}

func (q causedRequest) words() string {
	text := q.Method + " " + q.URL
	switch {
	case q.Failure != "":
		text += " failed: " + q.Failure
	case q.Status != 0:
		text += fmt.Sprintf(" → %d", q.Status)
	}
	if q.Pending {
		return text + " pending"
	}
	return text + fmt.Sprintf(" in %.0f ms", q.Ms)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// causeWait is how long an answer waits for the end of an action's window.
const causeWait = windowLimit + time.Second

func observeCause(ctx context.Context, env *Env, p *causeParams) (causeResult, error) {
	tab, a := findAct(env, p.Request)
	if a == nil {
		if p.Request == "" {
			return causeResult{}, problem("nothing was done on this page yet").Suggest("dbridge element click TARGET", "dbridge observe events --limit 10")
		}
		return causeResult{}, problem("no action %q is remembered", brief(p.Request, 80)).Suggest("dbridge observe cause")
	}
	wait := time.NewTimer(causeWait)
	defer wait.Stop()
	limited, cancel := early(ctx)
	defer cancel()
	select {
	case <-a.closed:
	case <-wait.C:
	case <-limited.Done():
	}
	r, ok := tab.Keep(storesKey{}, nil).(*record)
	if !ok {
		return causeResult{}, problem("the page of the action is gone").Suggest("dbridge page list")
	}
	return r.causes.tell(a), nil
}

// findAct gives an action of the command's page, or by its id one of another page of the context.
func findAct(env *Env, id string) (*page.Tab, *act) {
	tabs := []*page.Tab{env.Tab}
	if id != "" {
		tabs = append(tabs, env.Context.Tabs()...)
	}
	for _, tab := range tabs {
		if r, ok := tab.Keep(storesKey{}, nil).(*record); ok {
			if a := r.causes.find(id); a != nil {
				return tab, a
			}
		}
	}
	return nil, nil
}

// tell joins an action's window with the stores.
func (c *causes) tell(a *act) causeResult {
	c.mu.Lock()
	defer c.mu.Unlock()
	pageURL := c.record.tab.Info().URL
	ended := a.ended
	if ended.IsZero() {
		ended = time.Now()
	}
	out := causeResult{
		Cause: a.id, RequestID: a.requestID, Command: a.command, Target: a.target, Effect: a.effect, Code: a.code,
		Ms: ended.Sub(a.began).Milliseconds(), Open: !a.over, Dropped: a.dropped,
	}
	when := func(at time.Time) moment {
		return moment{At: max(at.Sub(a.began).Milliseconds(), 0), Late: at.After(ended)}
	}
	requests, lines := a.upTo(c.record)
	for _, q := range c.record.network.List(network.Query{Since: a.network, Before: requests + 1, Preserved: true}).Requests {
		if browsersOwn(q.URL) {
			continue
		}
		out.Requests = append(out.Requests, causedRequest{
			moment: when(q.Started), ID: q.ID, Method: q.Method, URL: brief(here(pageURL, q.URL), 300), Status: q.Status, Ms: q.Ms,
			Failure: q.Failure, Pending: q.State == network.Pending,
		})
	}
	for _, m := range c.record.console.List(console.Query{Since: a.console, Before: lines + 1, Preserved: true}).Messages {
		if m.Kind == "navigation" { // told as such
			continue
		}
		out.Console = append(out.Console, causedLine{moment: when(time.UnixMilli(m.At)), ID: m.ID, Level: m.Level, Text: brief(firstLine(m.Text), 300)})
	}
	notes := map[kind]*[]causedNote{kindMove: &out.Navigation, kindDialog: &out.Dialogs, kindDownload: &out.Downloads, kindTab: &out.Tabs, kindFocus: &out.Focus}
	for _, h := range a.happened {
		at := when(h.at)
		switch h.kind {
		case kindChange:
			row := causedChange{moment: at, Text: sentence(h.change), Change: h.change.Change, Ref: h.change.Ref, Role: h.change.Role, Count: h.change.Count}
			if h.change.Under != nil {
				row.Under = h.change.Under.Ref
			}
			row.Late = h.late || row.Late
			out.Changes = append(out.Changes, row)
		case kindState:
			row := *h.state
			row.moment = at
			out.State = append(out.State, row)
		default:
			list := notes[h.kind]
			text := h.text
			if h.kind == kindMove {
				text = here(pageURL, text)
			}
			*list = append(*list, causedNote{at, text})
		}
	}
	slices.SortStableFunc(out.Changes, func(a, b causedChange) int { return int(a.At - b.At) })
	return out
}

// browsersOwn are requests that no page makes.
func browsersOwn(address string) bool { return strings.HasSuffix(address, "/favicon.ico") }
