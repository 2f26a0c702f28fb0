package catalog

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// What every command can end with, by what it needs and does.
var (
	always = []fault.Code{
		fault.ValidationError, fault.Timeout, fault.Cancelled, fault.VersionMismatch, fault.DaemonUnavailable, fault.InternalError,
	}
	ofSlots = []fault.Code{fault.SessionNotFound, fault.ContextResolutionFailed, fault.Busy}
	ofPages = []fault.Code{
		fault.PageNotFound, fault.NotConnected, fault.CapabilityMissing, fault.ExtensionNotConnected, fault.CDPDisconnected,
	}
	ofActs = []fault.Code{fault.Indeterminate, fault.PageLeased, fault.ContextLockTimeout}
)

// Errors lists the codes that the command can end with, its own first.
func (c *Command) Errors() []fault.Code {
	codes := slices.Clone(c.Faults)
	add := func(more ...fault.Code) {
		for _, code := range more {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	if c.Local {
		add(fault.PolicyDenied)
	}
	if c.Needs == Page {
		add(fault.DialogBlocking)
	}
	if c.Needs == Page || c.Needs == Dialog {
		add(ofPages...)
		if c.Effect != Read {
			add(ofActs...)
		}
	}
	if c.Needs != Nothing {
		add(ofSlots...)
	}
	add(always...)
	return codes
}

// Returns is the result in one line: {pages: [{pageId, url}]}.
func (c *Command) Returns() string { return briefOf(c.Result, 0) }

// briefDepth is how deep Returns looks.
const briefDepth = 2

func briefOf(t reflect.Type, depth int) string {
	switch t.Kind() {
	case reflect.Pointer:
		return briefOf(t.Elem(), depth)
	case reflect.Slice:
		if t == reflect.TypeFor[jsontext.Value]() {
			return ""
		}
		return "[" + briefOf(t.Elem(), depth) + "]"
	case reflect.Map:
		return "{…}"
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return ""
		}
		if depth >= briefDepth {
			return "{…}"
		}
		var parts []string
		EachMember(t, func(name string, sf reflect.StructField) {
			if inner := briefOf(sf.Type, depth+1); strings.ContainsAny(inner, "{[") {
				name += ": " + inner
			}
			parts = append(parts, name)
		})
		return "{" + strings.Join(parts, ", ") + "}"
	case reflect.String, reflect.Bool:
		return t.Kind().String()
	case reflect.Interface:
		return ""
	}
	return "number"
}

// EachMember visits the JSON members of a struct, in order, those of embedded ones too.
func EachMember(t reflect.Type, visit func(name string, sf reflect.StructField)) {
	EachOwned(t, func(_ reflect.Type, name string, sf reflect.StructField) { visit(name, sf) })
}

// EachOwned is EachMember, with the struct that declares the member.
func EachOwned(t reflect.Type, visit func(owner reflect.Type, name string, sf reflect.StructField)) {
	for i := range t.NumField() {
		sf := t.Field(i)
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		switch {
		case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct:
			EachOwned(sf.Type, visit)
		case name != "" && name != "-":
			visit(t, name, sf)
		}
	}
}

// Usage is how the command is written at a prompt.
func (c *Command) Usage() string {
	line := "dbridge " + c.Resource() + " " + c.Verb()
	fields := c.Fields()
	for _, name := range c.Positional {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
		if i < 0 {
			continue
		}
		word := fields[i].Argument()
		if fields[i].Kind == Strings {
			word += "..."
		}
		if !fields[i].Required {
			word = "[" + word + "]"
		}
		line += " " + word
	}
	for _, f := range fields {
		if f.Required && !slices.Contains(c.Positional, f.Name) {
			line += " --" + f.Flag()
			if f.Kind != Boolean {
				line += " " + f.Argument()
			}
		}
	}
	return line + " [flags]"
}

// Argument is how a parameter is written where it has no flag: MAX_WIDTH.
func (f Field) Argument() string { return strings.ToUpper(strings.ReplaceAll(f.Flag(), "-", "_")) }

// Limits names the range of a number, empty where there is none.
func (f Field) Limits() string {
	if f.Min == nil && f.Max == nil {
		return ""
	}
	return f.rangeWords()
}

// Brief is a command in a list.
type Brief struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Tool    string `json:"tool,omitempty"`
}

// Description is a command told to a program.
type Description struct {
	Name       string            `json:"name"`
	Tool       string            `json:"tool,omitempty"`
	Summary    string            `json:"summary"`
	Long       string            `json:"long,omitempty"`
	Effect     Effect            `json:"effect"`
	Needs      Needs             `json:"needs"`
	Level      string            `json:"level"`
	Capability string            `json:"capability,omitempty"`
	TimeoutMs  int64             `json:"timeoutMs"`
	Streams    bool              `json:"streams,omitempty"`
	Positional []string          `json:"positional,omitempty"`
	Input      Schema            `json:"input"`
	Output     Schema            `json:"output"`
	Examples   []ExampleLine     `json:"examples"`
	Errors     []ErrorLine       `json:"errors"`
	Cannot     map[string]string `json:"cannot,omitempty"`
}

// ExampleLine is one use of a command.
type ExampleLine struct {
	Line string `json:"line"`
	Note string `json:"note,omitempty"`
}

// ErrorLine is one way a command can fail.
type ErrorLine struct {
	Code    fault.Code `json:"code"`
	Exit    int        `json:"exit"`
	Meaning string     `json:"meaning"`
}

// Describe tells all of a command.
func (c *Command) Describe() Description {
	d := Description{
		Name: c.Name, Tool: c.Tool, Summary: c.Summary, Long: c.Long, Effect: c.Effect, Needs: c.Needs, Level: string(c.Level),
		Capability: c.Capability, TimeoutMs: c.TimeLimit().Milliseconds(), Streams: c.Streams, Positional: c.Positional,
		Input: c.InputSchema(), Output: c.OutputSchema(),
	}
	for _, example := range c.Examples {
		d.Examples = append(d.Examples, ExampleLine{"dbridge " + example.Line, example.Note})
	}
	for _, code := range c.Errors() {
		if row, ok := fault.Lookup(code); ok {
			d.Errors = append(d.Errors, ErrorLine{code, row.Exit, row.Meaning})
		}
	}
	for source, why := range c.Cannot {
		if d.Cannot == nil {
			d.Cannot = map[string]string{}
		}
		d.Cannot[string(source)] = why
	}
	return d
}

// Briefs lists the commands.
func (l List) Briefs(tools bool) []Brief {
	list := make([]Brief, len(l))
	for i, c := range l {
		list[i] = Brief{Name: c.Name, Summary: c.Summary}
		if tools {
			list[i].Tool = c.Tool
		}
	}
	return list
}
