package enroll

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/tomledit"
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

func addTOML(data []byte, c Client, name string, e Entry) ([]byte, error) {
	newline := tomledit.Newline(data)
	doc, err := decodeTOML(data)
	if err != nil {
		return nil, err
	}
	have, there, err := entryOf(doc, c, name)
	if err != nil {
		return nil, err
	}
	if !there {
		return tomledit.Append(data, tomlTable(c.key, name, e, newline)), nil
	}
	for _, m := range e.missing(c, have.(map[string]any)) {
		list, err := tomledit.List(data)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(list, func(s tomledit.Setting) bool { return slices.Equal(s.Keys, []string{c.key, name, m.name}) })
		head := slices.IndexFunc(list, func(s tomledit.Setting) bool { return s.Table && slices.Equal(s.Keys, []string{c.key, name}) })
		switch {
		case at >= 0:
			data = slices.Concat(data[:list[at].Value], []byte(quoted(m.value)), data[list[at].ValueEnd:])
		case head >= 0:
			data = slices.Concat(data[:list[head].End], []byte(m.name+" = "+quoted(m.value)+newline), data[list[head].End:])
		default:
			return nil, lost(c)
		}
	}
	return data, nil
}

// dropTOML takes the entry's table out, with the tables below it and the blank line before.
func dropTOML(data []byte, c Client, name string) ([]byte, error) {
	return tomledit.Remove(data, c.key, name)
}
