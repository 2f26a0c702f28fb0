package enroll

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// JSON is changed as text, at the places that the parser names: it prints an insertion
// into an object that has comments with the comments moved.

// position is what is told of a parser's message: the rest quotes the file, where keys can stand.
var position = lazy.MustCompile(`line \d+, column \d+`)

var bom = []byte("\ufeff")

// unit of indentation where the file does not show its own.
const unit = "  "

func parseJSON(data []byte) (hujson.Value, error) {
	doc, err := hujson.Parse(data)
	if err == nil {
		if _, ok := doc.Value.(*hujson.Object); ok {
			return doc, noDoubles(doc)
		}
		return doc, fault.New(fault.ValidationError, "It is not a JSON object.")
	}
	where := ""
	if found := position.FindString(err.Error()); found != "" {
		where = " (" + found + ")"
	}
	return doc, fault.New(fault.ValidationError, "It is not JSON%s.", where).Because(err)
}

// noDoubles refuses names that are there twice where we look: parsers differ in which one counts.
func noDoubles(object hujson.Value) error {
	seen := map[string]bool{}
	for _, m := range object.Value.(*hujson.Object).Members {
		name := m.Name.Value.(hujson.Literal).String()
		if seen[name] {
			return fault.New(fault.ValidationError, "%q is there twice.", name)
		}
		seen[name] = true
	}
	return nil
}

func decodeJSON(data []byte) (map[string]any, error) {
	data = bytes.Clone(bytes.TrimPrefix(data, bom)) // Standardize blanks comments where they stand
	if len(bytes.TrimSpace(data)) == 0 {
		return map[string]any{}, nil
	}
	doc, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	doc.Standardize()
	decoder := json.NewDecoder(bytes.NewReader(doc.Pack()))
	decoder.UseNumber() // all that is compared stays exact
	out := map[string]any{}
	if err := decoder.Decode(&out); err != nil {
		return nil, fault.New(fault.ValidationError, "It is not JSON.").Because(err)
	}
	return out, nil
}

// text is a JSON file that is being changed.
type text struct {
	data    []byte
	newline string
	unit    string
}

func newText(data []byte) *text {
	t := &text{data: data, newline: "\n", unit: unit}
	if bytes.Contains(data, []byte("\r\n")) {
		t.newline = "\r\n"
	}
	return t
}

func addJSON(data []byte, c Client, name string, e Entry) ([]byte, error) {
	body, marked := bytes.CutPrefix(data, bom)
	t := newText(body)
	if len(bytes.TrimSpace(body)) == 0 {
		t.data = []byte("{" + t.newline + "}" + t.newline)
	}
	err := t.add(c, name, e)
	if marked {
		t.data = append(bytes.Clone(bom), t.data...)
	}
	return t.data, err
}

func (t *text) add(c Client, name string, e Entry) error {
	root, err := parseJSON(t.data)
	if err != nil {
		return err
	}
	t.unit = t.indentOf(root)
	servers := lookUp(root, c.key)
	if servers == nil {
		t.insert(root, c.key, func(indent string, flat bool) string {
			return t.object(indent, flat, name, func(indent string, flat bool) string { return t.entry(indent, flat, e.members(c)) })
		})
		return nil
	}
	if err := isObject(*servers); err != nil {
		return err
	}
	entry := lookUp(*servers, name)
	if entry == nil {
		t.insert(*servers, name, func(indent string, flat bool) string { return t.entry(indent, flat, e.members(c)) })
		return nil
	}
	if err := isObject(*entry); err != nil {
		return err
	}
	return t.update(c, name, e)
}

// update puts right what an entry has otherwise, and keeps the rest of it.
func (t *text) update(c Client, name string, e Entry) error {
	doc, err := decodeJSON(t.data)
	if err != nil {
		return err
	}
	have, _, _ := entryOf(doc, c, name)
	for _, m := range e.missing(c, have.(map[string]any)) {
		root, err := parseJSON(t.data)
		if err != nil {
			return err
		}
		entry := lookUp(*lookUp(root, c.key), name)
		if old := lookUp(*entry, m.name); old != nil {
			t.splice(old.StartOffset, old.EndOffset, quoted(m.value))
			continue
		}
		t.insert(*entry, m.name, func(string, bool) string { return quoted(m.value) })
	}
	return nil
}

func isObject(v hujson.Value) error {
	if _, ok := v.Value.(*hujson.Object); !ok {
		return fault.New(fault.ValidationError, "The servers' table, or the entry in it, is not an object.")
	}
	return noDoubles(v)
}

// lookUp finds a member of an object.
func lookUp(object hujson.Value, name string) *hujson.Value {
	o, ok := object.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range o.Members {
		if o.Members[i].Name.Value.(hujson.Literal).String() == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

func (t *text) splice(from, to int, with string) {
	t.data = append(append(bytes.Clone(t.data[:from]), with...), t.data[to:]...)
}

// indentAt is the white space that the line of an offset begins with.
func (t *text) indentAt(offset int) string {
	line := t.data[bytes.LastIndexByte(t.data[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// ownLine reports whether only white space is before an offset in its line.
func (t *text) ownLine(offset int) bool {
	start := bytes.LastIndexByte(t.data[:offset], '\n') + 1
	return start > 0 && len(bytes.TrimLeft(t.data[start:offset], " \t")) == 0
}

// indentOf is what one level of the file is indented by.
func (t *text) indentOf(root hujson.Value) string {
	for _, m := range root.Value.(*hujson.Object).Members {
		if at := m.Name.StartOffset; t.ownLine(at) && t.indentAt(at) != "" {
			return t.indentAt(at)
		}
	}
	return unit
}

type render func(indent string, flat bool) string

func (t *text) object(indent string, flat bool, name string, value render) string {
	if flat {
		return "{" + quoted(name) + ": " + value(indent, flat) + "}"
	}
	deeper := indent + t.unit
	return "{" + t.newline + deeper + quoted(name) + ": " + value(deeper, flat) + t.newline + indent + "}"
}

func (t *text) entry(indent string, flat bool, members []member) string {
	between, start, end := ","+t.newline+indent+t.unit, t.newline+indent+t.unit, t.newline+indent
	if flat {
		between, start, end = ", ", "", ""
	}
	parts := make([]string, len(members))
	for i, m := range members {
		parts[i] = quoted(m.name) + ": " + quoted(m.value)
	}
	return "{" + start + strings.Join(parts, between) + end + "}"
}

// insert puts a member at the end of an object, behind the comments that are there.
func (t *text) insert(object hujson.Value, name string, value render) {
	open, end := object.StartOffset, object.EndOffset-1 // the braces
	members := object.Value.(*hujson.Object).Members
	indent := t.indentAt(open)
	if len(members) == 0 {
		inner := t.data[open+1 : end]
		kept := len(bytes.TrimRight(inner, " \t\r\n"))
		made := t.newline + indent + t.unit + quoted(name) + ": " + value(indent+t.unit, false)
		if bytes.Contains(inner[kept:], []byte("\n")) {
			t.splice(open+1+kept, open+1+kept, made)
		} else {
			t.splice(open+1+kept, end, made+t.newline+indent)
		}
		return
	}
	flat := !bytes.Contains(t.data[open:end], []byte("\n"))
	last := members[len(members)-1]
	if t.ownLine(last.Name.StartOffset) {
		indent = t.indentAt(last.Name.StartOffset)
	} else {
		indent += t.unit
	}
	made := quoted(name) + ": " + value(indent, flat)
	if !flat {
		made = t.newline + indent + made
	} else {
		made = " " + made
	}
	comma, trailing := t.comma(last.Value)
	behind := last.Value.EndOffset
	behind += len(bytes.TrimRight(t.data[behind:end], " \t\r\n"))
	if trailing {
		t.splice(behind, behind, made+",")
		return
	}
	t.splice(behind, behind, made)
	t.splice(comma, comma, ",")
}

// comma finds the one behind a value; where there is none, the place for it.
func (t *text) comma(v hujson.Value) (at int, there bool) {
	at = v.EndOffset + len(v.AfterExtra)
	if at < len(t.data) && t.data[at] == ',' {
		return at, true
	}
	return v.EndOffset, false
}

func dropJSON(data []byte, c Client, name string) ([]byte, error) {
	body, marked := bytes.CutPrefix(data, bom)
	t := newText(body)
	root, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	servers := lookUp(root, c.key)
	if servers == nil {
		return data, nil
	}
	if err := isObject(*servers); err != nil {
		return nil, err
	}
	t.remove(*servers, name)
	if marked {
		t.data = append(bytes.Clone(bom), t.data...)
	}
	return t.data, nil
}

// remove takes a member out with its comma and the white space before it; comments stay.
func (t *text) remove(object hujson.Value, name string) {
	open, end := object.StartOffset, object.EndOffset-1
	members := object.Value.(*hujson.Object).Members
	at := -1
	for i, m := range members {
		if m.Name.Value.(hujson.Literal).String() == name {
			at = i
		}
	}
	if at < 0 {
		return
	}
	one := members[at]
	from := len(bytes.TrimRight(t.data[:one.Name.StartOffset], " \t\r\n"))
	comma, there := t.comma(one.Value)
	switch {
	case there:
		t.splice(comma, comma+1, "")
	case at > 0:
		// It was the last one, and the one before is it now.
		defer func(before int) { t.splice(before, before+1, "") }(members[at-1].Value.EndOffset + len(members[at-1].Value.AfterExtra))
	}
	t.splice(from, one.Value.EndOffset, "")
	if len(members) > 1 {
		return
	}
	end -= one.Value.EndOffset - from
	if there {
		end--
	}
	if len(bytes.TrimSpace(t.data[open+1:end])) == 0 {
		t.splice(open+1, end, "")
	}
}
