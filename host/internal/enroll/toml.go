package enroll

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func decodeTOML(data []byte) (map[string]any, error) {
	out := map[string]any{}
	if err := toml.Unmarshal(data, &out); err != nil {
		where := ""
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			where = fmt.Sprintf(" (line %d, column %d)", line, column)
		}
		return nil, fault.New(fault.ValidationError, "It is not TOML%s.", where).Because(err)
	}
	return out, nil
}

func tomlTable(key, name string, e Entry, newline string) string {
	var b strings.Builder
	b.WriteString("[" + key + "." + name + "]" + newline)
	for _, m := range e.members(Client{}) {
		b.WriteString(m.name + " = " + quoted(m.value) + newline)
	}
	return b.String()
}

// setting is a line `key = value`, or the head of a table, in a file.
type setting struct {
	keys       []string // from the root
	table      bool
	start, end int // of whole lines
	value      int // where the value begins; it ends with valueEnd
	valueEnd   int
}

// settings lists what a TOML file says, in its order.
func settings(data []byte) ([]setting, error) {
	var out []setting
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
		s := setting{keys: keys, start: bytes.LastIndexByte(data[:first], '\n') + 1}
		if node.Kind == unstable.KeyValue {
			s.keys = append(slices.Clone(table), keys...)
			s.valueEnd = int(node.Raw.Offset + node.Raw.Length)
			s.value = behind + bytes.IndexByte(data[behind:], '=') + 1
			s.value += len(data[s.value:]) - len(bytes.TrimLeft(data[s.value:], " \t"))
			s.valueEnd = s.value + len(bytes.TrimRight(data[s.value:s.valueEnd], " \t"))
			behind = s.valueEnd
		} else {
			s.table, table = true, keys
		}
		s.end = len(data)
		if at := bytes.IndexByte(data[behind:], '\n'); at >= 0 {
			s.end = behind + at + 1
		}
		out = append(out, s)
	}
	if err := parser.Error(); err != nil {
		return nil, fault.New(fault.ValidationError, "It is not TOML.").Because(err)
	}
	return out, nil
}

func addTOML(data []byte, c Client, name string, e Entry) ([]byte, error) {
	newline := "\n"
	if bytes.Contains(data, []byte("\r\n")) {
		newline = "\r\n"
	}
	doc, err := decodeTOML(data)
	if err != nil {
		return nil, err
	}
	have, there, err := entryOf(doc, c, name)
	if err != nil {
		return nil, err
	}
	if !there {
		var lead string
		if len(data) > 0 {
			if !bytes.HasSuffix(data, []byte("\n")) {
				lead = newline
			}
			lead += newline
		}
		return append(bytes.Clone(data), lead+tomlTable(c.key, name, e, newline)...), nil
	}
	for _, m := range e.missing(c, have.(map[string]any)) {
		list, err := settings(data)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(list, func(s setting) bool { return slices.Equal(s.keys, []string{c.key, name, m.name}) })
		head := slices.IndexFunc(list, func(s setting) bool { return s.table && slices.Equal(s.keys, []string{c.key, name}) })
		switch {
		case at >= 0:
			data = slices.Concat(data[:list[at].value], []byte(quoted(m.value)), data[list[at].valueEnd:])
		case head >= 0:
			data = slices.Concat(data[:list[head].end], []byte(m.name+" = "+quoted(m.value)+newline), data[list[head].end:])
		default:
			return nil, lost(c)
		}
	}
	return data, nil
}

// dropTOML takes the entry's table out, with the tables below it and the blank line before.
func dropTOML(data []byte, c Client, name string) ([]byte, error) {
	list, err := settings(data)
	if err != nil {
		return nil, err
	}
	entry := []string{c.key, name}
	of := func(s setting) bool { return len(s.keys) >= 2 && slices.Equal(s.keys[:2], entry) }
	// From the end, so that the places before stay right.
	for i := len(list) - 1; i >= 0; i-- {
		if !of(list[i]) {
			continue
		}
		end := i
		for i > 0 && !list[i].table && of(list[i-1]) {
			i--
		}
		from, to := list[i].start, list[end].end
		blank := bytes.TrimSuffix(bytes.TrimSuffix(data[:from], []byte("\n")), []byte("\r"))
		if list[i].table && len(blank) < from && (len(blank) == 0 || bytes.HasSuffix(blank, []byte("\n"))) {
			from = len(blank)
		}
		data = slices.Concat(data[:from], data[to:])
	}
	return data, nil
}
