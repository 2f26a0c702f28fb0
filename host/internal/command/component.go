package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/console"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

var componentCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "component.tree", Tool: "component_tree", Summary: "Show the tree of the app's components: React, Vue, Svelte, Angular, Preact.",
		Long: "Alike siblings are one row with their number; a ref is the first element of the innermost component. " +
			"A production build has short names that mean nothing, and no sources.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Capability: protocol.CapState,
		Faults: []fault.Code{fault.CapabilityMissing, fault.ElementNotFound, fault.TargetStale, fault.NavigationInterrupted},
		Examples: []catalog.Example{
			{Line: "component tree"},
			{Line: "component tree --name Todo", Note: "those whose name contains it"},
			{Line: "component tree --ref e5 --depth 2", Note: "what is in the component of an element"},
		},
	}, componentTree),
	define(catalog.Spec{
		Name: "component.inspect", Tool: "inspect_component", Summary: "Show a component's props, state, hooks, owners and source.",
		Long: "By an element that it owns, or by its name; NAME#2 is the second of that name in the tree. " +
			"Values are cut, and secrets masked.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Capability: protocol.CapState,
		Positional: []string{"target"},
		Faults:     []fault.Code{fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.CapabilityMissing, fault.NavigationInterrupted},
		Examples: []catalog.Example{
			{Line: "component inspect TodoForm"},
			{Line: "component inspect e5", Note: "the nearest component of an element"},
		},
	}, componentInspect),
	define(catalog.Spec{
		Name: "component.of", Summary: "Say which component an element is of, and those around it, with their sources.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe, Capability: protocol.CapState,
		Positional: []string{"target"},
		Faults:     []fault.Code{fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.CapabilityMissing, fault.NavigationInterrupted},
		Examples:   []catalog.Example{{Line: "component of e5"}, {Line: `component of 'button "Sign in"'`}},
	}, componentOf),
}

// --- one component

type componentParams struct {
	Target string `json:"target" doc:"Ref, component name (TodoItem, TodoItem#2), role and name, CSS selector, or text."`
	Frame  string `json:"frame,omitempty" doc:"Look in this frame (f1); the main one without it."`
}

type componentHook struct {
	Name  string `json:"name" doc:"Kind of hook."`
	Value any    `json:"value" doc:"Page data, cut, secrets masked."`
}

type componentResult struct {
	Name      string          `json:"name" doc:"Page text."`
	Framework string          `json:"framework"`
	Build     string          `json:"build,omitempty" doc:"development or production, where that can be told."`
	Ref       string          `json:"ref,omitempty" doc:"Its first element."`
	Key       string          `json:"key,omitempty" doc:"Page text."`
	Alike     int             `json:"alike,omitempty" doc:"Components of this name."`
	Source    string          `json:"source,omitempty" doc:"Where it is used, or written: file:line:column."`
	Written   string          `json:"written,omitempty" doc:"Where the component itself is written, where that is told apart: file:line:column."`
	Owners    []string        `json:"owners,omitempty" doc:"Components around it, nearest first. Page text."`
	Props     any             `json:"props,omitempty" doc:"Page data, cut, secrets masked."`
	State     any             `json:"state,omitempty" doc:"Page data, cut, secrets masked."`
	Hooks     []componentHook `json:"hooks,omitempty"`
}

type componentPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// absence is what the page says where it has no such component.
type absence struct {
	Missing    bool     `json:"missing"`
	Frameworks []string `json:"frameworks"`
	Looked     []string `json:"looked"`
	Nearest    []string `json:"nearest"`
}

func (a absence) fault(asked string) error {
	switch {
	case len(a.Frameworks) == 0:
		return noFramework(a.Looked)
	case len(a.Nearest) == 0:
		return noComponent(asked)
	}
	near := make([]string, len(a.Nearest))
	for i, name := range a.Nearest {
		near[i] = nameLine(name)
	}
	return fault.New(fault.ElementNotFound, "no component has the name %q", asked).With("nearest", near).
		Suggest("Use one of the names in details.nearest.", "dbridge component tree --name PART")
}

type inspectAnswer struct {
	absence
	componentResult
	Source  *componentPlace `json:"source"`
	Written *componentPlace `json:"written"`
}

func (a *inspectAnswer) Outward(wire func(string) string) { a.Ref = wire(a.Ref) }

// What may be a component's name and no ref: TodoItem, motion.div, Route(Home), TodoItem#2.
var (
	componentName = lazy.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$.()/-]*(#[1-9]\d{0,5})?$`)
	elementRef    = lazy.MustCompile(`^(f\d+)?e\d+$`)
)

// askComponent asks about the component of a name, or else of an element.
func (e *Env) askComponent(ctx context.Context, p *componentParams, kind string, byName bool, answer func() (*absence, page.Outward)) error {
	var unnamed error
	if byName && componentName.MatchString(p.Target) && !elementRef.MatchString(p.Target) {
		missing, into := answer()
		err := e.Tab.AskAt(ctx, nil, p.Frame, map[string]any{"type": kind, "name": p.Target}, into)
		if err != nil || !missing.Missing {
			return err
		}
		unnamed = missing.fault(p.Target)
		if unicode.IsUpper([]rune(p.Target)[0]) {
			return unnamed // no tag either
		}
	}
	aim, err := target(p.Target)
	if err != nil {
		return err
	}
	missing, into := answer()
	err = e.Tab.AskAt(ctx, &aim, p.Frame, map[string]any{"type": kind}, into)
	if unnamed != nil && errors.Is(err, fault.New(fault.ElementNotFound, "")) {
		return unnamed
	}
	if err == nil && missing.Missing {
		return missing.fault(p.Target)
	}
	return err
}

func componentInspect(ctx context.Context, env *Env, p *componentParams) (componentResult, error) {
	var answer *inspectAnswer
	err := env.askComponent(ctx, p, "component_inspect", true, func() (*absence, page.Outward) {
		answer = &inspectAnswer{}
		return &answer.absence, answer
	})
	if err != nil {
		return componentResult{}, err
	}
	out := answer.componentResult
	out.Name, out.Key = nameLine(out.Name), nameLine(redact.Text(out.Key))
	places := env.places(ctx, answer.Source, answer.Written)
	out.Source, out.Written = places[0], places[1]
	for i, name := range out.Owners {
		out.Owners[i] = nameLine(name)
	}
	out.Props, out.State = redact.Value(out.Props), redact.Value(out.State)
	for i, hook := range out.Hooks {
		out.Hooks[i] = componentHook{nameLine(hook.Name), redact.Value(hook.Value)}
	}
	return out, nil
}

// maxComponentText bounds the text of one value; the JSON has what the page gave.
const maxComponentText = 1500

func (r componentResult) Text() string {
	var b strings.Builder
	b.WriteString(r.Name + " (" + r.Framework)
	if r.Build != "" {
		b.WriteString(", " + r.Build)
	}
	b.WriteString(")")
	if r.Ref != "" {
		b.WriteString(" " + r.Ref)
	}
	if r.Key != "" {
		b.WriteString(" key=" + r.Key)
	}
	if r.Alike > 1 {
		fmt.Fprintf(&b, ", one of %d: %s#2 is the next", r.Alike, r.Name)
	}
	b.WriteByte('\n')
	for _, place := range []struct{ what, at string }{{"used at", r.Source}, {"written at", r.Written}} {
		if place.at != "" {
			fmt.Fprintf(&b, "%s %s\n", place.what, place.at)
		}
	}
	if len(r.Owners) > 0 {
		fmt.Fprintf(&b, "in %s\n", strings.Join(r.Owners, " < "))
	}
	for _, value := range []struct {
		what  string
		value any
	}{{"props", r.Props}, {"state", r.State}} {
		if value.value != nil {
			fmt.Fprintf(&b, "%s %s\n", value.what, componentValue(value.value))
		}
	}
	for _, hook := range r.Hooks {
		fmt.Fprintf(&b, "%s %s\n", hook.Name, componentValue(hook.Value))
	}
	return b.String()
}

func componentValue(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return "(cannot be written)"
	}
	return brief(string(data), maxComponentText)
}

// --- of an element

type componentOwner struct {
	Name    string `json:"name" doc:"Page text."`
	Key     string `json:"key,omitempty" doc:"Page text."`
	Ref     string `json:"ref,omitempty" doc:"Its first element; of the nearest alone."`
	Source  string `json:"source,omitempty" doc:"Where it is used, or written: file:line:column."`
	Written string `json:"written,omitempty" doc:"Where the component itself is written, where that is told apart: file:line:column."`
}

type componentOfResult struct {
	Framework  string           `json:"framework"`
	Build      string           `json:"build,omitempty" doc:"development or production, where that can be told."`
	Components []componentOwner `json:"components" doc:"The nearest first."`
}

type ofAnswer struct {
	absence
	Framework string `json:"framework"`
	Build     string `json:"build"`
	Chain     []struct {
		componentOwner
		Source  *componentPlace `json:"source"`
		Written *componentPlace `json:"written"`
	} `json:"chain"`
}

func (a *ofAnswer) Outward(wire func(string) string) {
	for i := range a.Chain {
		a.Chain[i].Ref = wire(a.Chain[i].Ref)
	}
}

func componentOf(ctx context.Context, env *Env, p *componentParams) (componentOfResult, error) {
	var answer *ofAnswer
	err := env.askComponent(ctx, p, "component_of", false, func() (*absence, page.Outward) {
		answer = &ofAnswer{}
		return &answer.absence, answer
	})
	if err != nil {
		return componentOfResult{}, err
	}
	out := componentOfResult{Framework: answer.Framework, Build: answer.Build, Components: []componentOwner{}}
	var places []*componentPlace
	for _, c := range answer.Chain {
		places = append(places, c.Source, c.Written)
	}
	texts := env.places(ctx, places...)
	for i, c := range answer.Chain {
		owner := c.componentOwner
		owner.Name, owner.Key = nameLine(owner.Name), nameLine(redact.Text(owner.Key))
		owner.Source, owner.Written = texts[2*i], texts[2*i+1]
		out.Components = append(out.Components, owner)
	}
	return out, nil
}

func (r componentOfResult) Text() string {
	var b strings.Builder
	for i, c := range r.Components {
		if i > 0 {
			b.WriteString("in ")
		}
		b.WriteString(componentRow{Name: c.Name, Key: c.Key, Ref: c.Ref}.text())
		for _, place := range []struct{ what, at string }{{"used at", c.Source}, {"written at", c.Written}} {
			if place.at != "" && !strings.Contains(place.at, "/node_modules/") { // nobody goes there
				fmt.Fprintf(&b, " %s %s", place.what, place.at)
			}
		}
		b.WriteByte('\n')
	}
	if r.Build == "production" {
		b.WriteString("a production build: names are short, and there are no sources\n")
	}
	return b.String()
}

// --- what they share

// places writes places in the code, of the original where the page serves maps.
func (e *Env) places(ctx context.Context, places ...*componentPlace) []string {
	pageURL := e.Tab.Info().URL
	out := make([]string, len(places))
	var frames console.Message
	for _, place := range places {
		if place != nil && strings.HasPrefix(place.File, "http") && place.Line > 0 {
			frames.Stack = append(frames.Stack, console.Frame{URL: place.File, Line: place.Line, Column: max(place.Column, 1)})
		}
	}
	if len(frames.Stack) > 0 {
		var own string
		e.mapStack(ctx, nil, &frames, pageURL, &own)
	}
	next := 0
	for i, place := range places {
		if place == nil {
			continue
		}
		file, line, column := place.File, place.Line, place.Column
		if strings.HasPrefix(file, "http") && line > 0 {
			f := frames.Stack[next]
			next++
			file, line, column = f.URL, f.Line, f.Column
		}
		text := here(pageURL, redact.URL(nameLine(file)))
		if line > 0 {
			text += fmt.Sprintf(":%d", line)
			if column > 0 {
				text += fmt.Sprintf(":%d", column)
			}
		}
		out[i] = text
	}
	return out
}

func noFramework(looked []string) error {
	return fault.New(fault.CapabilityMissing, "the page has no components of a framework that is known here").
		With("reason", "no_framework").With("looked", looked).
		Suggest("dbridge component tree --frame f1", "dbridge capture snapshot", "dbridge page navigate --reload")
}

func noComponent(asked string) error {
	return fault.New(fault.ElementNotFound, "no component owns %q", asked).Suggest("dbridge component tree", "dbridge capture snapshot")
}

// nameLine is a name of the page on one line.
func nameLine(text string) string { return cutText(strings.Join(strings.Fields(text), " "), 300) }
