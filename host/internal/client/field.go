package client

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// withField puts a string field in front of a JSON object that has none of
// that name; anything else comes back as it is. The rest of the text stays byte for byte.
func withField(line []byte, name, value string) []byte {
	quoted, err := json.Marshal(value)
	if err != nil {
		return line
	}
	return WithRaw(line, name, quoted)
}

// WithRaw puts a field with a JSON value in front of a JSON object that has none of that name.
func WithRaw(line []byte, name string, value []byte) []byte {
	decoder := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowDuplicateNames(true))
	if decoder.PeekKind() != '{' {
		return line
	}
	if _, err := decoder.ReadToken(); err != nil {
		return line
	}
	start := int(decoder.InputOffset())
	empty := decoder.PeekKind() == '}'
	for decoder.PeekKind() == '"' {
		key, err := decoder.ReadToken()
		// The daemon refuses keys that differ only in case, so such a key counts too.
		if err != nil || strings.EqualFold(key.String(), name) {
			return line
		}
		if err := decoder.SkipValue(); err != nil {
			return line
		}
	}
	if _, err := decoder.ReadToken(); err != nil {
		return line
	}
	field := append([]byte(`"`+name+`":`), value...)
	if !empty {
		field = append(field, ',')
	}
	out := make([]byte, 0, len(line)+len(field))
	out = append(out, line[:start]...)
	out = append(out, field...)
	return append(out, line[start:]...)
}
