package enroll

import (
	"reflect"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/tomledit"
)

// Entry is what a client is told of a server.
type Entry struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// member is one field of an entry, in the order in which it is written.
type member struct {
	name  string
	value any
}

func (e Entry) members(c Client) []member {
	list := []member{{"command", e.Command}, {"args", e.Args}}
	if c.stdio {
		list = append([]member{{"type", "stdio"}}, list...)
	}
	return list
}

// decoded is the entry as a parser of JSON or TOML gives it.
func (e Entry) decoded(c Client) map[string]any {
	out := map[string]any{}
	for _, m := range e.members(c) {
		out[m.name] = plain(m.value)
	}
	return out
}

func plain(value any) any {
	list, ok := value.([]string)
	if !ok {
		return value
	}
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// ours reports whether an entry starts a Debug Bridge, here or elsewhere.
func ours(entry any, executable string) bool {
	fields, ok := entry.(map[string]any)
	if !ok {
		return false
	}
	command, _ := fields["command"].(string)
	base := command[strings.LastIndexAny(command, `/\`)+1:]
	base = strings.TrimSuffix(strings.ToLower(base), ".exe")
	return command != "" && (command == executable || base == "dbridge")
}

// missing are the members of the entry that another one lacks or has otherwise.
func (e Entry) missing(c Client, entry map[string]any) []member {
	var out []member
	for _, m := range e.members(c) {
		have, there := entry[m.name]
		if m.name == "type" && !there {
			continue // a client takes it as stdio; the person wrote it so
		}
		if !there || !reflect.DeepEqual(have, plain(m.value)) {
			out = append(out, m)
		}
	}
	return out
}

// quoted is a value as JSON has it, and TOML too: strings and lists of strings only.
func quoted(value any) string {
	list, ok := value.([]string)
	if !ok {
		return tomledit.String(value.(string))
	}
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = tomledit.String(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Snippet is what a person adds by hand: the whole file of one that has nothing else.
func Snippet(c Client, name string, e Entry) string {
	if c.format == formatTOML {
		return tomlTable(c.key, name, e, "\n")
	}
	made, err := addJSON(nil, c, name, e)
	if err != nil { // an empty file takes everything
		panic(err)
	}
	return string(made)
}

// oneLine is what a person adds by hand, in words.
func oneLine(c Client, name string, e Entry) string {
	if c.format == formatTOML {
		return "below a line [" + c.key + "." + name + "] the lines command = " + quoted(e.Command) + " and args = " + quoted(e.Args)
	}
	return "in \"" + c.key + "\": " + quoted(name) + ": " + (&text{}).entry("", true, e.members(c))
}

// editor changes the text of one format. Each of its results was parsed again and compared.
type editor struct {
	decode func(data []byte) (map[string]any, error)
	add    func(data []byte, c Client, name string, e Entry) ([]byte, error)
	drop   func(data []byte, c Client, name string) ([]byte, error)
}

var editors = map[format]editor{
	formatJSON: {decodeJSON, addJSON, dropJSON},
	formatTOML: {decodeTOML, addTOML, dropTOML},
}

// entryOf finds an entry in a decoded file. A table of servers that is none is an error.
func entryOf(doc map[string]any, c Client, name string) (any, bool, error) {
	table, ok := doc[c.key]
	if !ok {
		return nil, false, nil
	}
	servers, ok := table.(map[string]any)
	if !ok {
		return nil, false, fault.New(fault.ValidationError, "%q is there, and is not an object.", c.key)
	}
	entry, ok := servers[name]
	return entry, ok, nil
}

// change gives the file's text with the entry, or without it where there is no entry. It is
// the old text where nothing is to do.
func change(data []byte, c Client, name string, want *Entry, executable string) ([]byte, error) {
	edit := editors[c.format]
	before, err := edit.decode(data)
	if err != nil {
		return nil, err
	}
	have, there, err := entryOf(before, c, name)
	if err != nil {
		return nil, err
	}
	if there && !ours(have, executable) {
		return nil, fault.New(fault.ValidationError, "%q is the name of another server there.", name).With("foreign", true)
	}
	var after []byte
	switch {
	case want == nil && !there:
		return data, nil
	case want == nil:
		after, err = edit.drop(data, c, name)
	case there && len(want.missing(c, have.(map[string]any))) == 0:
		return data, nil
	default:
		after, err = edit.add(data, c, name, *want)
	}
	if err == nil {
		err = verify(edit, before, after, c, name, want)
	}
	if err != nil {
		return nil, err
	}
	return after, nil
}

// verify compares a changed text with the old one: the entry is as it should be, and all else as it was.
func verify(edit editor, before map[string]any, data []byte, c Client, name string, want *Entry) error {
	after, err := edit.decode(data)
	if err != nil {
		return lost(c).Because(err)
	}
	entry, there, err := entryOf(after, c, name)
	if err != nil || there != (want != nil) {
		return lost(c)
	}
	if want != nil {
		fields, ok := entry.(map[string]any)
		if !ok || len(want.missing(c, fields)) > 0 {
			return lost(c)
		}
	}
	old, _, _ := entryOf(before, c, name)
	if had, ok := old.(map[string]any); ok && want != nil {
		for key, value := range had {
			if now := entry.(map[string]any)[key]; want.decoded(c)[key] == nil && !reflect.DeepEqual(now, value) {
				return lost(c)
			}
		}
	}
	if !reflect.DeepEqual(without(before, c.key, name), without(after, c.key, name)) {
		return lost(c)
	}
	return nil
}

// without is a file without the entry, and without a table of servers that is empty then.
func without(doc map[string]any, key, name string) map[string]any {
	out := map[string]any{}
	for k, v := range doc {
		out[k] = v
	}
	servers, ok := doc[key].(map[string]any)
	if !ok {
		return out
	}
	rest := map[string]any{}
	for k, v := range servers {
		if k != name {
			rest[k] = v
		}
	}
	out[key] = rest
	if len(rest) == 0 {
		delete(out, key)
	}
	return out
}

func lost(c Client) *fault.Error {
	return fault.New(fault.ValidationError, "The file of %s is written in a form that cannot be changed without a loss.", c.Title)
}
