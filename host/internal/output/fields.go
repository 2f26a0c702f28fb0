package output

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// node is one level of --fields; a leaf keeps the whole value.
type node struct {
	children map[string]*node
	used     bool
}

// ParseFields splits and checks `a,b.c`.
func ParseFields(text string) ([]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var fields []string
	for field := range strings.SplitSeq(text, ",") {
		field = strings.TrimSpace(field)
		for part := range strings.SplitSeq(field, ".") {
			if part == "" {
				return nil, fault.New(fault.ValidationError, "--fields %q has an empty name", text).
					Suggest("Give names of the answer's data, with dots inside: --fields pid,url")
			}
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// filter keeps the fields of data, in data's own order, inside arrays too.
func filter(data []byte, fields []string) (kept []byte, missing []string, err error) {
	root := &node{}
	leaves := make(map[string]*node, len(fields))
	for _, field := range fields {
		at := root
		for part := range strings.SplitSeq(field, ".") {
			if at.children == nil {
				at.children = map[string]*node{}
			}
			if at.children[part] == nil {
				at.children[part] = &node{}
			}
			at = at.children[part]
		}
		leaves[field] = at
	}
	var b bytes.Buffer
	options := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	if err := copyKept(jsontext.NewDecoder(bytes.NewReader(data), options...), jsontext.NewEncoder(&b, options...), root); err != nil {
		return nil, nil, fault.New(fault.InternalError, "the fields cannot be picked: %v", err).Because(err)
	}
	for _, field := range fields {
		if !leaves[field].used {
			missing = append(missing, field)
		}
	}
	return bytes.TrimSpace(b.Bytes()), missing, nil
}

// Keep keeps the fields (ParseFields) of data, and names those that it has not.
func Keep(data []byte, fields []string) (kept []byte, missing []string, err error) {
	return filter(data, fields)
}

// Pick keeps p.Fields of an envelope's data; what else the envelope holds stays as it is.
func (p *Printer) Pick(envelope, data []byte) ([]byte, error) {
	kept, missing, err := filter(data, p.Fields)
	if err != nil {
		return nil, err
	}
	for _, field := range missing {
		p.Note("note: there is no field %s in this answer; it has: %s", field, strings.Join(topNames(json.RawMessage(data)), ", "))
	}
	at := bytes.Index(envelope, []byte(`"data":`)) + len(`"data":`)
	out := append([]byte{}, envelope[:at]...)
	return append(append(out, kept...), envelope[at+len(data):]...), nil
}

func copyKept(decoder *jsontext.Decoder, encoder *jsontext.Encoder, at *node) error {
	kind := decoder.PeekKind()
	if kind != '{' && kind != '[' {
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		return encoder.WriteValue(value)
	}
	open, err := decoder.ReadToken()
	if err != nil {
		return err
	}
	if err := encoder.WriteToken(open); err != nil {
		return err
	}
	for decoder.PeekKind() != '}' && decoder.PeekKind() != ']' {
		if kind == '{' {
			err = copyMember(decoder, encoder, at)
		} else {
			err = copyKept(decoder, encoder, at)
		}
		if err != nil {
			return err
		}
	}
	end, err := decoder.ReadToken()
	if err != nil {
		return err
	}
	return encoder.WriteToken(end)
}

func copyMember(decoder *jsontext.Decoder, encoder *jsontext.Encoder, at *node) error {
	name, err := decoder.ReadToken()
	if err != nil {
		return err
	}
	key := name.String()
	child, ok := at.children[key]
	if !ok {
		return decoder.SkipValue()
	}
	child.used = true
	if err := encoder.WriteToken(jsontext.String(key)); err != nil {
		return err
	}
	if child.children == nil {
		value, err := decoder.ReadValue()
		if err != nil {
			return err
		}
		return encoder.WriteValue(value)
	}
	return copyKept(decoder, encoder, child)
}

// topNames lists what --fields could have named.
func topNames(data any) []string {
	raw, err := json.Marshal(data)
	if err != nil {
		return nil
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(raw))
	for decoder.PeekKind() == '[' {
		if _, err := decoder.ReadToken(); err != nil {
			return nil
		}
	}
	if decoder.PeekKind() != '{' {
		return nil
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nil
	}
	var names []string
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return names
		}
		names = append(names, name.String())
		if err := decoder.SkipValue(); err != nil {
			return names
		}
	}
	return names
}
