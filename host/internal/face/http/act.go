package http

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// actSteps makes of an action's kind and members the commands that do it.
func actSteps(kind string, body params) ([]step, error) {
	form, ok := kinds[kind]
	if !ok {
		names := make([]string, 0, len(kinds))
		for name := range kinds {
			names = append(names, name)
		}
		slices.Sort(names)
		return nil, fault.New(fault.ValidationError, "there is no kind %q of action", kind).With("kinds", names).Suggest("Use one of: " + strings.Join(names, ", ") + ".")
	}
	for older, name := range form.renamed {
		value, given := body[older]
		if !given {
			continue
		}
		if _, twice := body[name]; twice {
			return nil, fault.New(fault.ValidationError, "%s and %s are the same: give one", older, name).With("parameter", older).Suggest("Leave " + older + " out.")
		}
		body[name] = value
		if older == "selector" {
			body.set(name, "css="+body.text(name)) // a lone word is a text otherwise
		}
		delete(body, older)
	}
	if form.steps != nil {
		return form.steps(body)
	}
	return []step{{form.command, body}}, nil
}

// action is a kind of /act.
type action struct {
	command string
	renamed map[string]string // older names of parameters
	steps   func(body params) ([]step, error)
}

var aim = map[string]string{"ref": "target", "selector": "target"}

// kinds are the actions of /act. Parameters are those of the command; ref and selector
// stand for target.
var kinds = map[string]action{
	"click":    {command: "element.click", renamed: aim},
	"hover":    {command: "element.hover", renamed: aim},
	"select":   {command: "element.select", renamed: aim},
	"scroll":   {command: "element.scroll", renamed: aim},
	"drag":     {command: "element.drag", renamed: map[string]string{"ref": "target", "startRef": "target", "endRef": "to"}},
	"type":     {command: "input.type", renamed: aim, steps: focused("input.type")},
	"press":    {command: "input.key", renamed: aim, steps: focused("input.key")},
	"fill":     {command: "element.fill", renamed: map[string]string{"ref": "target", "selector": "target", "text": "value"}, steps: fillSteps},
	"wait":     {command: "page.wait-text", renamed: map[string]string{"fn": "expression"}, steps: waitSteps},
	"evaluate": {command: "runtime.eval", renamed: map[string]string{"fn": "function"}},
	"close":    {command: "page.close"},
}

// focused gives the keyboard to an element first, where one is named.
func focused(command string) func(params) ([]step, error) {
	return func(body params) ([]step, error) {
		element, named := body["target"]
		if !named {
			return []step{{command, body}}, nil
		}
		delete(body, "target")
		return []step{{"element.focus", params{"target": element}}, {command, body}}, nil
	}
}

// fillSteps fills one field, or with fields, a list of {ref, value}, several.
func fillSteps(body params) ([]step, error) {
	raw, several := body["fields"]
	if !several {
		return []step{{"element.fill", body}}, nil
	}
	var fields []params
	if json.Unmarshal(raw, &fields) != nil {
		return nil, fault.New(fault.ValidationError, "fields must be a list of {ref, value}").With("parameter", "fields").Suggest("Or give target and value.")
	}
	for _, f := range fields {
		for _, older := range []string{"ref", "selector"} {
			if value, given := f[older]; given {
				f["target"] = value
				if older == "selector" {
					f.set("target", "css="+f.text("target"))
				}
				delete(f, older)
			}
		}
	}
	delete(body, "fields")
	body.set("values", fields)
	return []step{{"element.fill-form", body}}, nil
}

// waits are what /act can wait for, by the member that says it.
var waits = []struct {
	member, command, parameter string
}{
	{"text", "page.wait-text", "text"},
	{"textGone", "page.wait-text", "text"},
	{"selector", "page.wait-selector", "selector"},
	{"url", "page.wait-url", "pattern"},
	{"expression", "page.wait-function", "expression"},
	{"idle", "page.wait-idle", ""},
}

func waitSteps(body params) ([]step, error) {
	for _, w := range waits {
		value, given := body[w.member]
		if !given {
			continue
		}
		delete(body, w.member)
		if w.member == "textGone" {
			body.set("gone", true)
		}
		if w.parameter == "text" && value.Kind() == '"' {
			value = jsontext.Value("[" + string(value) + "]")
		}
		if w.parameter != "" {
			body[w.parameter] = value
		}
		return []step{{w.command, body}}, nil
	}
	names := make([]string, len(waits))
	for i, w := range waits {
		names[i] = w.member
	}
	return nil, fault.New(fault.ValidationError, "nothing is said to wait for").With("members", names).Suggest("Give one of: " + strings.Join(names, ", ") + ".")
}
