// Package catalog is the form in which every command of Debug Bridge is declared,
// once: name, parameters, result, what it needs, what can go wrong, examples. The
// faces (command line, WebSocket, MCP, HTTP, prompt), the reference and the help
// are projections of these declarations. It knows no transport and no browser.
package catalog

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Effect says what a command does to the world.
type Effect string

// The effects.
const (
	Read    Effect = "read"    // changes nothing; may run beside others
	Act     Effect = "act"     // changes the page; one after another in a context
	Session Effect = "session" // changes the context: its browser, its pages
)

// Needs says what must be there for a command to run.
type Needs string

// The needs, each with those before it.
const (
	Nothing Needs = "nothing" // runs without a browser
	Slot    Needs = "slot"    // a browser in the caller's context
	Page    Needs = "page"    // a page, and no dialog open in it
	Dialog  Needs = "dialog"  // a page, which may have a dialog open
)

// Example is one use of a command, as it is typed after the program's name.
type Example struct {
	Line string // element click e5
	Note string // what it does, in a few words
}

// Spec declares a command.
type Spec struct {
	Name       string // resource.verb: page.wait-text
	Tool       string // the MCP tool's name, snake_case; empty: there is none, because it is for a person, or another one gives the same
	Summary    string // one line
	Long       string // what the line does not say; optional
	Effect     Effect
	Needs      Needs
	Level      protocol.Level // of consent
	Capability string         // of the page; optional
	Positional []string       // parameters that may be given without a flag, in this order; the last may be a list
	Timeout    time.Duration  // default time limit; 30 s when zero
	Streams    bool           // may emit lines before its answer
	Local      bool           // for this computer's own programs; a token does not reach it
	PageText   bool           // its text is mostly the page's own: between fences where an agent reads it
	Unordered  bool           // does not wait until the context's other commands that change something are done
	Faults     []fault.Code   // beyond those that every command can have
	Examples   []Example
	// Cannot says over which source of pages the command does not work, and why.
	Cannot map[protocol.Source]string
	Since  string
}

// DefaultTimeout of a command that states none.
const DefaultTimeout = 30 * time.Second

// Command is a declared command. Its parameters and result have lost their types; Define kept them.
type Command struct {
	Spec
	Params reflect.Type // a struct
	Result reflect.Type
	run    func(ctx context.Context, env, params any) (any, error)
}

// Texter is a result that knows its words for people and language models.
type Texter interface{ Text() string }

// Define makes a command of its declaration and what runs it. E is what the
// handlers of one catalogue get beside the parameters.
func Define[E, P, R any](spec Spec, run func(ctx context.Context, env E, params *P) (R, error)) *Command {
	return &Command{
		Spec: spec, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R](),
		run: func(ctx context.Context, env, params any) (any, error) { return run(ctx, env.(E), params.(*P)) },
	}
}

// Run runs the command; params is what Decode gave.
func (c *Command) Run(ctx context.Context, env, params any) (any, error) {
	return c.run(ctx, env, params)
}

// TimeLimit is the default time limit.
func (c *Command) TimeLimit() time.Duration {
	if c.Timeout == 0 {
		return DefaultTimeout
	}
	return c.Timeout
}

// Resource and Verb are the two words of the command line.
func (c *Command) Resource() string { resource, _, _ := strings.Cut(c.Name, "."); return resource }

// Verb is the second word.
func (c *Command) Verb() string { _, verb, _ := strings.Cut(c.Name, "."); return verb }

// Decode reads parameters strictly: unknown, doubled and missing ones, wrong
// types and values outside a list or range are VALIDATION_ERROR.
func (c *Command) Decode(data jsontext.Value) (any, error) {
	params := reflect.New(c.Params)
	if len(bytes.TrimSpace(data)) == 0 {
		data = jsontext.Value("{}")
	}
	given := make(map[string]jsontext.Value)
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, c.invalid("the parameters are no JSON object: %v", err)
	}
	fields := c.Fields()
	for name := range given {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			return nil, c.invalid("%s has no parameter %q", c.Name, name).With("parameters", names(fields)).
				Suggest("Leave it out; " + c.Name + " takes: " + strings.Join(names(fields), ", ") + ".")
		}
	}
	for _, f := range fields {
		if raw, ok := given[f.Name]; ok {
			if err := json.Unmarshal(raw, params.Elem().FieldByIndex(f.Index).Addr().Interface(), json.RejectUnknownMembers(true)); err != nil {
				return nil, c.invalid("%s of %s must be %s", f.Name, c.Name, f.Kind.words()).With("parameter", f.Name)
			}
		} else if f.Required {
			return nil, c.invalid("%s needs %s: %s", c.Name, f.Name, lowerFirst(f.Doc)).With("parameter", f.Name)
		} else if f.Default != "" {
			if err := json.Unmarshal(f.defaultValue(), params.Elem().FieldByIndex(f.Index).Addr().Interface()); err != nil {
				return nil, fault.New(fault.InternalError, "the default of %s.%s is wrong", c.Name, f.Name).Because(err)
			}
			continue
		} else {
			continue
		}
		if problem := f.check(params.Elem().FieldByIndex(f.Index)); problem != "" {
			return nil, c.invalid("%s of %s %s", f.Name, c.Name, problem).With("parameter", f.Name)
		}
	}
	return params.Interface(), nil
}

func (c *Command) invalid(format string, args ...any) *fault.Error {
	return fault.New(fault.ValidationError, format, args...).Suggest("dbridge " + c.Resource() + " " + c.Verb() + " --help")
}

func names(fields []Field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.Name
	}
	return list
}

// lowerFirst begins a sentence's text within another sentence; names (JavaScript, CSS) stay.
func lowerFirst(text string) string {
	text = strings.TrimSuffix(text, ".")
	word, _, _ := strings.Cut(text, " ")
	if word != "" && word[0] >= 'A' && word[0] <= 'Z' && strings.ToLower(word[1:]) == word[1:] {
		return string(text[0]+'a'-'A') + text[1:]
	}
	return text
}

// List is a catalogue.
type List []*Command

// Find gives the command of a name, resource.verb.
func (l List) Find(name string) (*Command, bool) {
	for _, c := range l {
		if c.Name == name {
			return c, true
		}
	}
	return nil, false
}

// Resources lists the first words, in the order of the catalogue.
func (l List) Resources() []string {
	var list []string
	for _, c := range l {
		if r := c.Resource(); !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// Of lists the commands of a resource.
func (l List) Of(resource string) List {
	var list List
	for _, c := range l {
		if c.Resource() == resource {
			list = append(list, c)
		}
	}
	return list
}
