package docgen

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// field is one JSON field of a struct.
type field struct {
	Name     string // as in JSON
	Type     string // in TypeScript
	Optional bool
	Doc      string
}

// object is one struct of the protocol.
type object struct {
	Name    string // of the Go type and the TypeScript interface
	Doc     string // its comment without the name at the start
	Message bool   // embeds Base
	Fields  []field
}

// message is one message type.
type message struct {
	Type   string
	Object *object
}

// command is one command with its parameters.
type command struct {
	Spec    *protocol.CommandSpec
	Name    string // Click of ClickParams
	Params  *object
	Example string
}

// model is the protocol as the generators need it.
type model struct {
	Base      *object
	Host      []message
	Telemetry []message
	Commands  []command
	OfHost    []command // answered by the host itself
	Target    *object
	Objects   []*object // all, in the order of their first use

	byType   map[reflect.Type]*object
	comments map[string]string
}

// hostMessages are the host's own messages, in the order of the reference.
var hostMessages = []struct {
	kind  string
	value any
}{
	{protocol.TypeWelcome, protocol.Welcome{}},
	{protocol.TypeHello, protocol.Hello{}},
	{protocol.TypeCapabilities, protocol.Capabilities{}},
	{protocol.TypeAppConnected, protocol.AppConnected{}},
	{protocol.TypeAppDisconnected, protocol.AppDisconnected{}},
	{protocol.TypePageNavigated, protocol.PageNavigated{}},
	{protocol.TypeGap, protocol.Gap{}},
	{protocol.TypeCommandResult, protocol.CommandResult{}},
	{protocol.TypeHostError, protocol.HostError{}},
	{protocol.TypeCDPResponse, protocol.CDPResponse{}},
	{protocol.TypeCDPEvent, protocol.CDPEvent{}},
}

// enum is a named string type with its closed set of values.
type enum struct {
	Name   string
	Values []string
}

var enums = map[reflect.Type]enum{
	reflect.TypeFor[protocol.Origin](): {"Origin", []string{string(protocol.OriginApp), string(protocol.OriginAgent), string(protocol.OriginHost)}},
	reflect.TypeFor[protocol.Level]():  {"Level", []string{string(protocol.Observe), string(protocol.Act), string(protocol.Control)}},
	reflect.TypeFor[protocol.Source](): {"Source", []string{string(protocol.SourceExtension), string(protocol.SourceManaged), string(protocol.SourceRemote), string(protocol.SourceSDK)}},
}

func load(dir string) (*model, error) {
	comments, err := typeComments(dir)
	if err != nil {
		return nil, err
	}
	m := &model{byType: make(map[reflect.Type]*object), comments: comments}
	if m.Base, err = m.object(reflect.TypeFor[protocol.Base]()); err != nil {
		return nil, err
	}
	if m.Target, err = m.object(reflect.TypeFor[protocol.Target]()); err != nil {
		return nil, err
	}
	for _, host := range hostMessages {
		o, err := m.object(reflect.TypeOf(host.value))
		if err != nil {
			return nil, err
		}
		m.Host = append(m.Host, message{host.kind, o})
	}
	for _, telemetry := range protocol.Telemetry {
		o, err := m.object(reflect.TypeOf(telemetry.New()).Elem())
		if err != nil {
			return nil, err
		}
		m.Telemetry = append(m.Telemetry, message{telemetry.Type, o})
	}
	for i := range protocol.Commands {
		c, err := m.command(&protocol.Commands[i])
		if err != nil {
			return nil, err
		}
		m.Commands = append(m.Commands, c)
	}
	for i := range protocol.HostCommands {
		c, err := m.command(&protocol.HostCommands[i])
		if err != nil {
			return nil, err
		}
		m.OfHost = append(m.OfHost, c)
	}
	return m, nil
}

func (m *model) command(spec *protocol.CommandSpec) (command, error) {
	params, err := m.object(reflect.TypeOf(spec.Params()).Elem())
	if err != nil {
		return command{}, err
	}
	example, ok := examples[spec.Type]
	if !ok {
		return command{}, fmt.Errorf("command %s has no example in docgen", spec.Type)
	}
	return command{spec, strings.TrimSuffix(params.Name, "Params"), params, example}, nil
}

// object describes a struct and, before itself, the structs it holds.
func (m *model) object(t reflect.Type) (*object, error) {
	if known, ok := m.byType[t]; ok {
		return known, nil
	}
	comment, ok := m.comments[t.Name()]
	if !ok {
		return nil, fmt.Errorf("type %s has no comment", t.Name())
	}
	o := &object{Name: t.Name(), Doc: comment}
	m.byType[t] = o
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			o.Message = f.Type == reflect.TypeFor[protocol.Base]()
			continue
		}
		described, err := m.field(f)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t.Name(), f.Name, err)
		}
		o.Fields = append(o.Fields, described)
	}
	m.Objects = append(m.Objects, o)
	return o, nil
}

func (m *model) field(f reflect.StructField) (field, error) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	described := field{Name: name, Doc: f.Tag.Get("doc"), Optional: slices.Contains(strings.Split(options, ","), "omitempty")}
	if name == "" || described.Doc == "" {
		return field{}, fmt.Errorf("needs a json name and a doc tag")
	}
	typed, err := m.typeOf(f.Type)
	if err != nil {
		return field{}, err
	}
	if f.Type.Kind() == reflect.Pointer && !described.Optional {
		typed += " | null"
	}
	if own := f.Tag.Get("ts"); own != "" {
		typed = own
	}
	described.Type = typed
	return described, nil
}

// typeOf gives the TypeScript type of a Go type.
func (m *model) typeOf(t reflect.Type) (string, error) {
	if e, ok := enums[t]; ok {
		return e.Name, nil
	}
	if t == reflect.TypeFor[jsontext.Value]() {
		return "unknown", nil
	}
	switch t.Kind() {
	case reflect.String:
		return "string", nil
	case reflect.Bool:
		return "boolean", nil
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64:
		return "number", nil
	case reflect.Interface:
		return "unknown", nil
	case reflect.Pointer:
		return m.typeOf(t.Elem())
	case reflect.Slice:
		element, err := m.typeOf(t.Elem())
		return element + "[]", err
	case reflect.Map:
		element, err := m.typeOf(t.Elem())
		return "Record<string, " + element + ">", err
	case reflect.Struct:
		o, err := m.object(t)
		if err != nil {
			return "", err
		}
		return o.Name, nil
	}
	return "", fmt.Errorf("no TypeScript type for %s", t)
}

// typeComments reads the comments of all types of a package, without the name they begin with.
func typeComments(dir string) (map[string]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	parsed, err := doc.NewFromFiles(set, files, "protocol")
	if err != nil {
		return nil, err
	}
	comments := make(map[string]string)
	for _, t := range parsed.Types {
		text := t.Doc
		if text == "" { // within a group the comment is the declaration's own
			text = groupComment(t.Decl, t.Name)
		}
		text = strings.Join(strings.Fields(text), " ")
		for _, start := range []string{t.Name + " is ", t.Name + " says ", t.Name + " "} {
			if rest, ok := strings.CutPrefix(text, start); ok {
				if strings.HasSuffix(start, " says ") {
					rest = "Says " + rest
				}
				text = strings.ToUpper(rest[:1]) + rest[1:]
				break
			}
		}
		if text != "" {
			comments[t.Name] = text
		}
	}
	return comments, nil
}

func groupComment(decl *ast.GenDecl, name string) string {
	for _, spec := range decl.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == name {
			return t.Doc.Text()
		}
	}
	return ""
}
