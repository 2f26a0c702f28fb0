// Package tomledit changes a TOML file in place: what it does not name keeps its bytes,
// comments and order included. Whoever edits checks the outcome with a parser.
package tomledit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Setting is a line `key = value`, or the head of a table, in a file.
type Setting struct {
	Keys       []string // from the root
	Table      bool
	Start, End int // of whole lines
	Value      int // where the value begins; it ends with ValueEnd
	ValueEnd   int
}

// List lists what a TOML file says, in its order.
func List(data []byte) ([]Setting, error) {
	var out []Setting
	var table []string
	parser := unstable.Parser{}
	parser.Reset(data)
	for parser.NextExpression() {
		node := parser.Expression()
		if node.Kind != unstable.Table && node.Kind != unstable.ArrayTable && node.Kind != unstable.KeyValue {
			continue
		}
		var keys []string
		first, behind := -1, 0
		for it := node.Key(); it.Next(); {
			key := it.Node()
			keys = append(keys, string(key.Data))
			if first < 0 {
				first = int(key.Raw.Offset)
			}
			behind = int(key.Raw.Offset + key.Raw.Length)
		}
		s := Setting{Keys: keys, Start: bytes.LastIndexByte(data[:first], '\n') + 1}
		if node.Kind == unstable.KeyValue {
			s.Keys = append(slices.Clone(table), keys...)
			s.ValueEnd = int(node.Raw.Offset + node.Raw.Length)
			s.Value = behind + bytes.IndexByte(data[behind:], '=') + 1
			s.Value += len(data[s.Value:]) - len(bytes.TrimLeft(data[s.Value:], " \t"))
			s.ValueEnd = s.Value + len(bytes.TrimRight(data[s.Value:s.ValueEnd], " \t"))
			behind = s.ValueEnd
		} else {
			s.Table, table = true, keys
		}
		s.End = len(data)
		if at := bytes.IndexByte(data[behind:], '\n'); at >= 0 {
			s.End = behind + at + 1
		}
		out = append(out, s)
	}
	if err := parser.Error(); err != nil {
		return nil, fault.New(fault.ValidationError, "It is not TOML.").Because(err)
	}
	return out, nil
}

// Newline is how the file ends its lines.
func Newline(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// Append adds whole lines at the end, with a blank line before them.
func Append(data []byte, lines string) []byte {
	var lead string
	if newline := Newline(data); len(data) > 0 {
		if !bytes.HasSuffix(data, []byte("\n")) {
			lead = newline
		}
		lead += newline
	}
	return append(bytes.Clone(data), lead+lines...)
}

// Remove takes out what has these keys from the root, with all below it and the blank
// line before each table.
func Remove(data []byte, keys ...string) ([]byte, error) {
	list, err := List(data)
	if err != nil {
		return nil, err
	}
	of := func(s Setting) bool { return len(s.Keys) >= len(keys) && slices.Equal(s.Keys[:len(keys)], keys) }
	// From the end, so that the places before stay right.
	for i := len(list) - 1; i >= 0; i-- {
		if !of(list[i]) {
			continue
		}
		end := i
		for i > 0 && !list[i].Table && of(list[i-1]) {
			i--
		}
		from, to := list[i].Start, list[end].End
		blank := bytes.TrimSuffix(bytes.TrimSuffix(data[:from], []byte("\n")), []byte("\r"))
		if list[i].Table && len(blank) < from && (len(blank) == 0 || bytes.HasSuffix(blank, []byte("\n"))) {
			from = len(blank)
		}
		data = slices.Concat(data[:from], data[to:])
	}
	return data, nil
}

// SetRoot gives a key above all tables its value, which is TOML.
func SetRoot(data []byte, key, value string) ([]byte, error) {
	list, err := List(data)
	if err != nil {
		return nil, err
	}
	at := 0 // behind the last key above the tables
	for _, s := range list {
		if s.Table {
			break
		}
		if slices.Equal(s.Keys, []string{key}) {
			return slices.Concat(data[:s.Value], []byte(value), data[s.ValueEnd:]), nil
		}
		at = s.End
	}
	line := key + " = " + value + Newline(data)
	if at > 0 && data[at-1] != '\n' {
		line = Newline(data) + line
	}
	if at == 0 && len(data) > 0 {
		line += Newline(data)
	}
	return slices.Concat(data[:at], []byte(line), data[at:]), nil
}

// Key is a key as it is written: quoted where it must be.
func Key(name string) string {
	if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		return name
	}
	return String(name)
}

// String is a text as it is written. It must hold no control characters.
func String(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil { // strings always encode
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
