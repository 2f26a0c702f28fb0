package command

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// waitCommands wait for what the page shows or does. They belong to page.
var waitCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "page.wait-text", Tool: "wait_for", Summary: "Wait until one of the texts can be read on the page, or none any more.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Positional: []string{"text"},
		Faults: []fault.Code{fault.Timeout},
		Examples: []catalog.Example{
			{Line: `page wait-text Shop`},
			{Line: `page wait-text "Loading" "Please wait" --gone`, Note: "until neither is there"},
		},
	}, waitText),
	define(catalog.Spec{
		Name: "page.wait-selector", Tool: "wait_for_selector", Summary: "Wait for an element to be attached, visible, hidden or detached.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Positional: []string{"selector", "state"},
		Faults: []fault.Code{fault.Timeout},
		Examples: []catalog.Example{
			{Line: "page wait-selector h1"},
			{Line: "page wait-selector .spinner hidden --timeout 10000"},
		},
	}, waitSelector),
	define(catalog.Spec{
		Name: "page.wait-url", Tool: "wait_for_url", Summary: "Wait until the page's address fits a pattern.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe, Positional: []string{"pattern"},
		Faults: []fault.Code{fault.Timeout},
		Examples: []catalog.Example{
			{Line: "page wait-url 'http*'", Note: "* is anything"},
			{Line: `page wait-url '/\/$/'`, Note: "a regular expression between slashes"},
		},
	}, waitURL),
	define(catalog.Spec{
		Name: "page.wait-idle", Tool: "wait_for_idle", Summary: "Wait until the page has loaded, changes nothing and asks the network for nothing.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe,
		Faults:   []fault.Code{fault.Timeout},
		Examples: []catalog.Example{{Line: "page wait-idle"}, {Line: "page wait-idle --quiet 1000 --timeout 20000"}},
	}, waitIdle),
	define(catalog.Spec{
		Name: "page.wait-function", Tool: "wait_for_function", Summary: "Wait until a JavaScript expression is true in the page.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapEval, Positional: []string{"expression"},
		Faults: []fault.Code{fault.Timeout, fault.EvalDisabled},
		Examples: []catalog.Example{
			{Line: `page wait-function "document.readyState === 'complete'"`},
			{Line: `page wait-function "document.querySelectorAll('a').length > 0" --timeout 5000`},
		},
	}, waitFunction),
}

type waitResult struct {
	Matched string `json:"matched,omitempty" doc:"What was there."`
	Value   any    `json:"value,omitempty"`
	URL     string `json:"url,omitempty"`
	Frame   string `json:"frame,omitempty" doc:"The child frame that shows it."`
	Count   int    `json:"count,omitempty" doc:"Elements that the selector fits."`
	WaitMs  int64  `json:"waitedMs"`
}

func (r waitResult) Text() string {
	what := r.Matched
	if r.URL != "" {
		what = r.URL
	}
	if what == "" {
		what = "done"
	}
	if r.Frame != "" {
		what += " (frame " + r.Frame + ")"
	}
	return fmt.Sprintf("%s after %d ms", what, r.WaitMs)
}

// sayTime gives a wait's context: its own end comes a little before the command's, so that there is time to say what was seen.
func sayTime(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	left := time.Until(deadline)
	return context.WithDeadline(ctx, deadline.Add(-min(250*time.Millisecond, left/4)))
}

func waitedIn(start time.Time) int64 { return time.Since(start).Milliseconds() }

// overdue is the fault of a wait that ended: what was waited for, and what was there instead.
func overdue(env *Env, start time.Time, what, instead string) *fault.Error {
	info := env.Tab.Info()
	f := fault.New(fault.Timeout, "%s did not come within %d ms; %s", what, waitedIn(start), instead).
		With("url", info.URL).With("title", info.Title)
	return f.Suggest("dbridge capture snapshot --output text", "Give it longer: --timeout MS")
}

type waitTextParams struct {
	Text []string `json:"text" doc:"Text to wait for, as it can be read (white space folded); any one of several."`
	Gone bool     `json:"gone,omitempty" doc:"Wait until none of them is there."`
}

func waitText(ctx context.Context, env *Env, p *waitTextParams) (waitResult, error) {
	start := time.Now()
	ctx, cancel := sayTime(ctx)
	defer cancel()
	env.Dispatched()
	sight, err := env.Tab.AwaitSight(ctx, map[string]any{"text": p.Text, "gone": p.Gone}, p.Gone)
	if err != nil {
		return waitResult{}, err
	}
	words := quoted(p.Text)
	if !sight.Matched {
		if p.Gone {
			return waitResult{}, overdue(env, start, "the end of "+words, fmt.Sprintf("%q is still there", sight.Text)).Suggest("dbridge observe find " + quoteArg(sight.Text))
		}
		return waitResult{}, overdue(env, start, words, "the page does not show it").
			Suggest("dbridge observe find "+quoteArg(p.Text[0]), "dbridge capture snapshot --output text")
	}
	out := waitResult{Matched: sight.Text, WaitMs: waitedIn(start)}
	if p.Gone {
		out.Matched = words + " gone"
	}
	if sight.Frame != "main" {
		out.Frame = sight.Frame
	}
	return out, nil
}

func quoted(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = fmt.Sprintf("%q", text)
	}
	return strings.Join(out, " or ")
}

// quoteArg writes a text so that a shell takes it as one word.
func quoteArg(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

type waitSelectorParams struct {
	Selector string `json:"selector" doc:"CSS selector; >>> enters open shadow roots."`
	State    string `json:"state,omitempty" enum:"visible,hidden,attached,detached" default:"visible" doc:"What to wait for."`
}

func waitSelector(ctx context.Context, env *Env, p *waitSelectorParams) (waitResult, error) {
	start := time.Now()
	ctx, cancel := sayTime(ctx)
	defer cancel()
	env.Dispatched()
	all := p.State == "hidden" || p.State == "detached"
	sight, err := env.Tab.AwaitSight(ctx, map[string]any{"selector": p.Selector, "state": p.State}, all)
	if err != nil {
		return waitResult{}, err
	}
	if !sight.Matched {
		return waitResult{}, overdue(env, start, fmt.Sprintf("%s %s", p.Selector, p.State),
			fmt.Sprintf("%d elements fit the selector, %d of them can be seen", sight.Count, sight.Visible)).With("count", sight.Count).With("visible", sight.Visible)
	}
	out := waitResult{Matched: p.Selector + " " + p.State, Count: sight.Count, WaitMs: waitedIn(start)}
	if sight.Frame != "main" && !all {
		out.Frame = sight.Frame
	}
	return out, nil
}

type waitURLParams struct {
	Pattern string `json:"pattern" doc:"Part of the address, with * for anything, or /regular expression/."`
}

// addressLook is how often the address is compared: it is at hand, so looking costs nothing.
const addressLook = 20 * time.Millisecond

func waitURL(ctx context.Context, env *Env, p *waitURLParams) (waitResult, error) {
	start := time.Now()
	pattern, err := network.ParsePattern(p.Pattern)
	if err != nil {
		return waitResult{}, problem("%v", err).Suggest("dbridge page wait-url '/orders/*'")
	}
	ctx, cancel := sayTime(ctx)
	defer cancel()
	env.Dispatched()
	look := time.NewTicker(addressLook)
	defer look.Stop()
	for {
		url := env.Tab.Info().URL
		if pattern.Match(url) {
			return waitResult{URL: url, WaitMs: waitedIn(start)}, nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return waitResult{}, overdue(env, start, "an address that fits "+p.Pattern, "it is "+url)
		}
	}
}

type waitIdleParams struct {
	Quiet int `json:"quiet,omitempty" min:"50" max:"10000" default:"500" doc:"How long nothing may happen, ms."`
}

// traffic knows when the network last did something.
type traffic struct {
	mu   sync.Mutex
	last time.Time
}

func (n *traffic) see(_, method string, _ jsontext.Value) {
	switch method {
	case "Network.requestWillBeSent", "Network.loadingFinished", "Network.loadingFailed":
		n.mu.Lock()
		defer n.mu.Unlock()
		n.last = time.Now()
	}
}

func (n *traffic) quiet() time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	return time.Since(n.last)
}

func waitIdle(ctx context.Context, env *Env, p *waitIdleParams) (waitResult, error) {
	start := time.Now()
	ctx, cancel := sayTime(ctx)
	defer cancel()
	env.Dispatched()
	stores, err := env.records()
	if err != nil {
		return waitResult{}, err
	}
	wire := &traffic{last: start}
	defer env.Tab.Watch(wire.see)()
	quiet := time.Duration(p.Quiet) * time.Millisecond
	var sight page.Sight
	for {
		var err error
		if sight, err = env.Tab.AwaitSight(ctx, map[string]any{"quietMs": p.Quiet}, true); err != nil {
			return waitResult{}, err
		}
		open, since := stores.network.Underway(), wire.quiet()
		if sight.Matched && open == 0 && since >= quiet {
			return waitResult{Matched: "idle", WaitMs: waitedIn(start)}, nil
		}
		if ctx.Err() != nil {
			instead := fmt.Sprintf("%d requests are under way", open)
			if !sight.Matched {
				instead = fmt.Sprintf("the document is %s and changed %d ms ago; %s", sight.ReadyState, sight.QuietMs, instead)
			}
			return waitResult{}, overdue(env, start, "a quiet page", instead)
		}
		if !sight.Matched {
			continue
		}
		pause := time.NewTimer(max(quiet-since, addressLook))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
		}
	}
}

type waitFunctionParams struct {
	Expression string `json:"expression" doc:"JavaScript; awaited. Waits until it is truthy. An exception counts as not yet."`
	Frame      string `json:"frame,omitempty" doc:"Frame to run in: main (default), f1, …."`
}

// functionRound is how long one script looks, in ms; a navigation in between costs no more than that.
const functionRound = 800

func waitFunction(ctx context.Context, env *Env, p *waitFunctionParams) (waitResult, error) {
	start := time.Now()
	ctx, cancel := sayTime(ctx)
	defer cancel()
	env.Dispatched()
	var last string
	for ctx.Err() == nil {
		round := functionRound
		if deadline, ok := ctx.Deadline(); ok {
			// The script's own end comes before that of its evaluation, so that it can say what it saw.
			round = min(round, int(time.Until(deadline).Milliseconds())/2)
		}
		script := page.Script{Frame: p.Frame, Function: fmt.Sprintf(`async function () {
  const until = performance.now() + %d;
  for (;;) {
    let value, error;
    try { value = await (%s
    ) } catch (thrown) { error = String(thrown) }
    if (value) return { ok: true, value };
    if (performance.now() >= until) return { ok: false, value, error };
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}`, max(round, 0), p.Expression)}
		value, err := env.Tab.Eval(ctx, script, func() {})
		if err != nil {
			failure := fault.From(err)
			if failure.Details["reason"] == "deadline" {
				if last == "" {
					last = "it has not answered yet"
				}
				break
			}
			switch {
			case failure.Details["reason"] == "navigated", failure.Code == fault.NavigationInterrupted, failure.Code == fault.Indeterminate && ctx.Err() != nil:
				continue // the next document is asked
			}
			return waitResult{}, err
		}
		seen, _ := value.JSON.(map[string]any)
		if seen["ok"] == true {
			return waitResult{Matched: "true", Value: seen["value"], WaitMs: waitedIn(start)}, nil
		}
		last = fmt.Sprintf("it is %v", seen["value"])
		if text, ok := seen["error"].(string); ok {
			last = "it throws " + text
		}
	}
	return waitResult{}, overdue(env, start, "a true value of the expression", last)
}
