package command

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/console"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// The second word of the command line is logpoint, and what is done with it follows as
// the first argument: a resource has one verb.
var logpointCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "runtime.logpoint", Tool: "logpoint", Summary: "Print to the console whenever a line of a script runs, without pausing the page.",
		Long: "add URL:LINE[:COLUMN] EXPRESSION, list, or remove ID. The lines are in console list, of type logpoint. " +
			"Lasts over navigations until it is removed, or until the end of the context.",
		Effect: catalog.Session, Needs: catalog.Page, Level: protocol.Control, Positional: []string{"action", "at", "expression"},
		Faults: []fault.Code{fault.CDPError},
		Examples: []catalog.Example{
			{Line: "runtime logpoint add /app/app.js:10 'location.pathname'", Note: "the address may begin at its path"},
			{Line: "runtime logpoint list"},
			{Line: "runtime logpoint remove all"},
		},
	}, runtimeLogpoint),
}

type logpoint struct {
	id         int
	breakpoint string // the browser's id
	at         string
	expression string
	resolved   int
}

type logpointParams struct {
	Action     string `json:"action" enum:"add,list,remove" doc:"add, list or remove."`
	At         string `json:"at,omitempty" doc:"add: URL:LINE or URL:LINE:COLUMN, from 1. remove: the id, or all."`
	Expression string `json:"expression,omitempty" doc:"add: JavaScript in the scope of the line; several values by commas."`
}

type logpointRow struct {
	ID         int    `json:"id"`
	At         string `json:"at"`
	Expression string `json:"expression"`
	Places     int    `json:"places" doc:"Places in scripts that are there now; 0: it waits for the script."`
}

type logpointResult struct {
	Logpoints []logpointRow `json:"logpoints" doc:"All that are set."`
}

func (r logpointResult) Text() string {
	if len(r.Logpoints) == 0 {
		return "no logpoints"
	}
	var lines []string
	for _, p := range r.Logpoints {
		line := fmt.Sprintf("%d %s %s", p.ID, p.At, p.Expression)
		if p.Places == 0 {
			line += " (no such script yet)"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func runtimeLogpoint(ctx context.Context, env *Env, p *logpointParams) (logpointResult, error) {
	r, err := env.records()
	if err != nil {
		return logpointResult{}, err
	}
	switch p.Action {
	case "add":
		err = r.addLogpoint(ctx, env, p)
	case "remove":
		err = r.removeLogpoints(ctx, env, p.At)
	}
	return r.logpoints(), err
}

func (r *record) logpoints() logpointResult {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := logpointResult{Logpoints: []logpointRow{}}
	for _, p := range r.points {
		out.Logpoints = append(out.Logpoints, logpointRow{p.id, p.at, p.expression, p.resolved})
	}
	return out
}

var placePattern = lazy.MustCompile(`^(.+?):(\d+)(?::(\d+))?$`)

func (r *record) addLogpoint(ctx context.Context, env *Env, p *logpointParams) error {
	found := placePattern.FindStringSubmatch(p.At)
	if found == nil || p.Expression == "" {
		return problem("a logpoint needs URL:LINE and an expression").Suggest("dbridge runtime logpoint add /app.js:10 'value'")
	}
	address := found[1]
	line, _ := strconv.Atoi(found[2]) // digits; too many give a line that is not there
	if line < 1 {
		return problem("lines count from 1").Suggest("dbridge runtime logpoint add " + address + ":1 'value'")
	}
	s := env.Tab.Session("")
	if err := r.checkExpression(ctx, env, p.Expression); err != nil {
		return err
	}
	if err := r.hold(ctx, env, true); err != nil {
		return err
	}
	// A `debugger` statement must stop nobody.
	for _, call := range []struct {
		method string
		params any
	}{{"Debugger.enable", nil}, {"Debugger.setSkipAllPauses", map[string]any{"skip": true}}} {
		if err := s.Call(ctx, call.method, call.params, nil); err != nil {
			return err
		}
	}
	params := map[string]any{"lineNumber": line - 1, "condition": logCondition(p.Expression)}
	if found[3] != "" {
		column, _ := strconv.Atoi(found[3])
		params["columnNumber"] = max(column-1, 0)
	}
	if to, err := url.Parse(address); err == nil && to.Scheme != "" && to.Host != "" {
		params["url"] = address
	} else {
		params["urlRegex"] = regexp.QuoteMeta(address) + `(?:[?#].*)?$`
	}
	var answer struct {
		ID        string     `json:"breakpointId"`
		Locations []struct{} `json:"locations"`
	}
	if err := s.Call(ctx, "Debugger.setBreakpointByUrl", params, &answer); err != nil {
		return err
	}
	r.mu.Lock()
	id := 1
	for _, other := range r.points {
		id = max(id, other.id+1)
	}
	point := &logpoint{id, answer.ID, p.At, p.Expression, len(answer.Locations)}
	r.points = append(r.points, point)
	r.mu.Unlock()
	env.Context.Undo(point.key(env), func(ctx context.Context) error { return r.remove(ctx, env, point) })
	return nil
}

func (p *logpoint) key(env *Env) string { return undoKey(env, "logpoint "+strconv.Itoa(p.id)+" "+p.at) }

// logCondition prints and is false, so nothing ever stops. The source address marks the
// line (console.LogpointSource); what the expression throws is printed in its place.
func logCondition(expression string) string {
	return "(() => { try { console.log(" + expression + "\n) } catch (e) { console.log(String(e)) } })(), false\n//# sourceURL=" + console.LogpointSource
}

// checkExpression lets the browser compile it: a wrong condition would be silent.
func (r *record) checkExpression(ctx context.Context, env *Env, expression string) error {
	var answer struct {
		Exception *struct {
			Text      string `json:"text"`
			Exception *struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": "() => { console.log(" + expression + "\n) }", "sourceURL": "", "persistScript": false}
	if err := env.Tab.Session("").Call(ctx, "Runtime.compileScript", params, &answer); err != nil {
		return err
	}
	if answer.Exception == nil {
		return nil
	}
	words := answer.Exception.Text
	if e := answer.Exception.Exception; e != nil {
		words = e.Description
	}
	quoted, _ := json.Marshal(expression) // a string always can be
	return problem("the expression %s is no JavaScript: %s", quoted, words).Suggest("dbridge runtime logpoint --help")
}

func (r *record) removeLogpoints(ctx context.Context, env *Env, which string) error {
	r.mu.Lock()
	var chosen []*logpoint
	for _, p := range r.points {
		if which == "all" || which == strconv.Itoa(p.id) {
			chosen = append(chosen, p)
		}
	}
	r.mu.Unlock()
	if len(chosen) == 0 && which != "all" {
		return problem("there is no logpoint %q", which).Suggest("dbridge runtime logpoint list")
	}
	for _, p := range chosen {
		env.Context.Undo(p.key(env), nil)
		if err := r.remove(ctx, env, p); err != nil {
			return err
		}
	}
	return nil
}

func (r *record) remove(ctx context.Context, env *Env, point *logpoint) error {
	r.mu.Lock()
	var kept []*logpoint
	for _, p := range r.points {
		if p != point {
			kept = append(kept, p)
		}
	}
	r.points = kept
	last := len(kept) == 0
	r.mu.Unlock()
	s := env.Tab.Session("")
	err := s.Call(ctx, "Debugger.removeBreakpoint", map[string]any{"breakpointId": point.breakpoint}, nil)
	if last && env.Tab.Info().Source == protocol.SourceExtension { // elsewhere the debugger belongs to the browser's setup
		_ = s.Call(ctx, "Debugger.disable", nil, nil) // the page runs a little faster without; it may be gone
	}
	return err
}
