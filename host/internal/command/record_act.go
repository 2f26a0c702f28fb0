package command

import (
	"context"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/recording"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// Agents' commands in a recording: what they were given and what came of it. What was
// typed into a field whose content is never told stands as secretValue.

const secretValue = "{{secret}}"

// secretAsk bounds asking the page what is secret of what was typed.
const secretAsk = 2 * time.Second

// taped notes an agent's command in the recording of its page. It gives what is to be
// called with what came of it.
func taped(ctx context.Context, env *Env, cmd *catalog.Command, params any) func(any, error) {
	nothing := func(any, error) {}
	if cmd.Effect == catalog.Read || cmd.Resource() == "record" || env.Tab == nil {
		return nothing
	}
	r := tapingOf(env.Tab)
	if r == nil {
		return nothing
	}
	window := r.acts()
	if window == nil {
		return nothing
	}
	given := members(params)
	focused := false
	if cmd.Name == "input.type" { // the page may be another one afterwards
		focused = secretFocus(ctx, env.Tab)
	}
	return func(result any, err error) {
		r.acted(window)
		e := recording.Entry{Kind: recording.KindAction, Command: cmd.Name, Params: given, By: "agent", Effect: env.effect}
		if err != nil {
			e.Code = string(fault.From(err).Code)
		}
		steady(given, members(result))
		switch {
		case focused:
			given["text"] = secretValue
		case cmd.Name == "element.fill" || cmd.Name == "element.fill-form" || cmd.Name == "element.select":
			hideSecrets(ctx, env.Tab, given)
		}
		r.note(e, window.from)
	}
}

// members gives a parameter or result struct as JSON has it.
func members(value any) map[string]any {
	out := map[string]any{}
	if data, err := json.Marshal(value); err == nil {
		_ = json.Unmarshal(data, &out) // a result that is a list has none
	}
	return out
}

var refText = lazy.MustCompile(`^(?:f\d+)?e\d+$`)

// steady writes a target that was given by ref as the role and name that the command found it to have.
func steady(params, result map[string]any) {
	target, _ := params["target"].(string)
	role, _ := result["role"].(string)
	name, _ := result["name"].(string)
	if refText.MatchString(target) && role != "" && name != "" {
		params["target"] = roleAndName(role, name)
	}
}

func roleAndName(role, name string) string {
	quoted, err := json.Marshal(name)
	if err != nil {
		return role
	}
	return role + " " + string(quoted)
}

func secretFocus(ctx context.Context, t *page.Tab) bool {
	ctx, cancel := context.WithTimeout(ctx, secretAsk)
	defer cancel()
	active, _, err := t.TypedSecret(ctx, nil)
	return active || err != nil
}

// hideSecrets takes out of a command's parameters what stands in secret fields now. Where
// the page cannot be asked any more, nothing that was typed stays.
func hideSecrets(ctx context.Context, t *page.Tab, params map[string]any) {
	var values []string
	var put []func(string)
	gather := func(text string, set func(string)) {
		values, put = append(values, text), append(put, set)
	}
	if text, ok := params["value"].(string); ok {
		gather(text, func(s string) { params["value"] = s })
	}
	fields := params["values"]
	if text, ok := fields.(string); ok { // as it came from a command line
		var decoded any
		if json.Unmarshal([]byte(text), &decoded) == nil {
			fields = decoded
			params["values"] = decoded
		}
	}
	switch v := fields.(type) {
	case map[string]any:
		for key, member := range v {
			if text, ok := member.(string); ok {
				gather(text, func(s string) { v[key] = s })
			}
		}
	case []any:
		for i, member := range v {
			switch m := member.(type) {
			case string:
				gather(m, func(s string) { v[i] = s })
			case map[string]any:
				if text, ok := m["value"].(string); ok {
					gather(text, func(s string) { m["value"] = s })
				}
			}
		}
	}
	if len(values) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), secretAsk)
	defer cancel()
	_, secret, err := t.TypedSecret(ctx, values)
	for i, set := range put {
		if err != nil || i >= len(secret) || secret[i] {
			set(secretValue)
		}
	}
}

// catalogued are the commands of the protocol that have a name in the catalogue.
var catalogued = map[string]string{
	"click": "element.click", "type": "element.fill", "hover": "element.hover", "focus": "element.focus", "select": "element.select",
	"scroll": "element.scroll", "navigate": "page.navigate", "evaluate": "runtime.eval",
}

// onRun notes a command of the protocol that an agent sent.
func (r *taping) onRun(cmd *protocol.Command) func(session.Outcome, error) {
	window := r.acts()
	if window == nil {
		return func(session.Outcome, error) {}
	}
	id := cmd.RequestID
	given := members(cmd.Params)
	name, known := catalogued[cmd.Type]
	return func(out session.Outcome, err error) {
		r.acted(window)
		if !known {
			return
		}
		e := recording.Entry{Kind: recording.KindAction, ID: id, Command: name, Params: given, By: "agent", Effect: out.Effect}
		if err != nil {
			e.Code = string(fault.From(err).Code)
		}
		if target, ok := given["target"].(map[string]any); ok {
			given["target"] = locatorOf(target)
		}
		if text, ok := given["text"].(string); ok {
			given["value"] = text
			delete(given, "text")
		}
		if value, ok := given["value"].(string); ok && cmd.Type == "select" {
			given["values"] = []any{value}
			delete(given, "value")
		}
		// The page's affairs are not asked for from within its own command.
		r.later(func(ctx context.Context) {
			hideSecrets(ctx, r.tab, given)
			r.note(e, window.from)
		})
	}
}

// locatorOf is a target of the protocol as one line of text.
func locatorOf(target map[string]any) string {
	word := func(key string) string { text, _ := target[key].(string); return text }
	switch {
	case word("role") != "" && word("name") != "":
		return roleAndName(word("role"), word("name"))
	case word("stableId") != "":
		return "testid=" + word("stableId")
	case word("id") != "":
		return "id=" + word("id")
	case word("selector") != "":
		return "css=" + word("selector")
	case word("text") != "":
		return "text=" + word("text")
	}
	return strings.TrimSpace(word("ref"))
}
