package mcp

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// args are the arguments of a call, on their way to a command's parameters.
type args struct {
	command   *catalog.Command
	fields    []catalog.Field
	given     map[string]jsontext.Value
	page      int
	timeoutMs int
	snapshot  bool // to be added to the answer
}

// readArgs reads a call's arguments: what every page tool takes, the leading server's
// names for ours, and the types that models mix up. What is left is for Decode to judge.
func readArgs(c *catalog.Command, tool string, raw []byte) (*args, error) {
	a := &args{command: c, fields: c.Fields(), given: map[string]jsontext.Value{}}
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && !bytes.Equal(raw, []byte("null")) {
		if err := json.Unmarshal(raw, &a.given); err != nil {
			return nil, fault.New(fault.ValidationError, "the arguments are no JSON object: %v", err).Suggest("Send the arguments of " + tool + " as one object.")
		}
	}
	for name, value := range a.given { // null means not given
		if value.Kind() == 'n' && !a.json(name) {
			delete(a.given, name)
		}
	}
	if err := a.translate(tool); err != nil {
		return nil, err
	}
	if err := a.common(); err != nil {
		return nil, err
	}
	for _, f := range a.fields {
		if value, ok := a.given[f.Name]; ok {
			a.given[f.Name] = loosely(f.Kind, value)
		}
	}
	return a, nil
}

// common takes out what is about the call, not of the command.
func (a *args) common() error {
	if !a.has("page") {
		if err := a.number("page", &a.page); err != nil {
			return err
		}
	}
	return a.number("timeoutMs", &a.timeoutMs)
}

func (a *args) number(name string, into *int) error {
	value, ok := a.take(name)
	if !ok {
		return nil
	}
	number, err := strconv.ParseFloat(wordOf(value), 64)
	if err != nil || number != math.Trunc(number) || number < 0 || number > math.MaxInt32 {
		return fault.New(fault.ValidationError, "%s is %s, not a whole number", name, value).Suggest("list_pages tells the numbers of the pages; a time is in ms.")
	}
	*into = int(number)
	return nil
}

// params are the command's, as one JSON object.
func (a *args) params() []byte {
	data, err := json.Marshal(a.given, json.Deterministic(true))
	if err != nil { // every value was just read
		return []byte("{}")
	}
	return data
}

func (a *args) field(name string) (catalog.Field, bool) {
	for _, f := range a.fields {
		if f.Name == name {
			return f, true
		}
	}
	return catalog.Field{}, false
}

// has reports whether the command has a parameter of that name.
func (a *args) has(name string) bool { _, ok := a.field(name); return ok }

func (a *args) json(name string) bool { f, ok := a.field(name); return ok && f.Kind == catalog.JSON }

func (a *args) take(name string) (jsontext.Value, bool) {
	value, ok := a.given[name]
	delete(a.given, name)
	return value, ok
}

// set gives a parameter a value, unless it has one.
func (a *args) set(name string, value any) {
	if _, ok := a.given[name]; ok {
		return
	}
	data, err := json.Marshal(value)
	if err == nil {
		a.given[name] = data
	}
}

// local lists what of the arguments names files of this computer.
func (a *args) local() []catalog.Field {
	var list []catalog.Field
	for _, f := range a.fields {
		if _, ok := a.given[f.Name]; ok && f.Local {
			list = append(list, f)
		}
	}
	return list
}

// loosely makes of a value the kind that is wanted, where it can mean only one thing.
func loosely(kind catalog.Kind, value jsontext.Value) jsontext.Value {
	word := wordOf(value)
	scalar := value.Kind() == '"' || value.Kind() == '0' || value.Kind() == 't' || value.Kind() == 'f'
	switch kind {
	case catalog.Integer, catalog.Number:
		if number, err := strconv.ParseFloat(word, 64); err == nil && value.Kind() == '"' && !math.IsNaN(number) && !math.IsInf(number, 0) {
			return jsontext.Value(strconv.FormatFloat(number, 'f', -1, 64))
		} else if err == nil && kind == catalog.Integer && value.Kind() == '0' && number == math.Trunc(number) {
			return jsontext.Value(strconv.FormatFloat(number, 'f', -1, 64)) // 3.0
		}
	case catalog.Boolean:
		if word == "true" || word == "false" {
			return jsontext.Value(word)
		}
	case catalog.String:
		if scalar && value.Kind() != '"' {
			return quoted(word)
		}
	case catalog.Strings:
		if scalar {
			if list := jsontext.Value(word); strings.HasPrefix(word, "[") && list.IsValid() {
				return list
			}
			return append(append(jsontext.Value{'['}, quoted(word)...), ']')
		}
	case catalog.JSON:
		if inner := jsontext.Value(strings.TrimSpace(word)); value.Kind() == '"' && inner.IsValid() && (inner.Kind() == '{' || inner.Kind() == '[') {
			return inner
		}
	}
	return value
}

// wordOf is a scalar as it is written, a string without its quotes.
func wordOf(value jsontext.Value) string {
	if value.Kind() == '"' {
		var text string
		if json.Unmarshal(value, &text) == nil {
			return text
		}
	}
	return string(bytes.TrimSpace(value))
}

func quoted(text string) jsontext.Value {
	data, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return jsontext.Value(`""`)
	}
	return data
}
