package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
)

// SourceMap finds the original place of generated code (ECMA-426, source map
// version 3, index maps too). It keeps the mappings as they came: a stack has few
// places, and a decoded table of a large bundle would take a hundred megabytes.
type SourceMap struct {
	sections []section
}

type section struct {
	line, column int // where it begins, from 0
	sources      []string
	names        []string
	mappings     []byte
}

type rawMap struct {
	Version    int       `json:"version"`
	SourceRoot string    `json:"sourceRoot"`
	Sources    []*string `json:"sources"`
	Names      []string  `json:"names"`
	Mappings   string    `json:"mappings"`
	Sections   []struct {
		Offset struct {
			Line   int `json:"line"`
			Column int `json:"column"`
		} `json:"offset"`
		Map *rawMap `json:"map"`
	} `json:"sections"`
}

// ParseSourceMap reads a map; base is its own address, against which its sources stand.
func ParseSourceMap(data []byte, base string) (*SourceMap, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 && bytes.HasPrefix(data, []byte(")]}")) {
		data = data[i:] // the guard against inclusion as a script
	}
	var raw rawMap
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	m := &SourceMap{}
	if len(raw.Sections) == 0 {
		return m, m.add(&raw, 0, 0, base)
	}
	for _, s := range raw.Sections {
		if s.Map == nil || len(s.Map.Sections) > 0 {
			return nil, errors.New("a section of the source map has no map of its own")
		}
		if err := m.add(s.Map, s.Offset.Line, s.Offset.Column, base); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *SourceMap) add(raw *rawMap, line, column int, base string) error {
	if raw.Version != 3 {
		return errors.New("the source map is not of version 3")
	}
	s := section{line: line, column: column, names: raw.Names, mappings: []byte(raw.Mappings)}
	root := raw.SourceRoot
	if root != "" && !strings.HasSuffix(root, "/") {
		root += "/"
	}
	for _, source := range raw.Sources {
		name := ""
		if source != nil {
			name = resolve(base, root+*source)
		}
		s.sources = append(s.sources, name)
	}
	m.sections = append(m.sections, s)
	return nil
}

// resolve makes a source's address whole, where it can be.
func resolve(base, source string) string {
	from, err := url.Parse(base)
	if err != nil || from.Scheme == "data" {
		return source
	}
	to, err := from.Parse(source)
	if err != nil {
		return source
	}
	return to.String()
}

// Lookup finds the original of a place in the generated code, both counted from 1.
func (m *SourceMap) Lookup(line, column int) (Frame, bool) {
	line, column = line-1, column-1
	for i := len(m.sections) - 1; i >= 0; i-- {
		s := &m.sections[i]
		if line < s.line || line == s.line && column < s.column {
			continue
		}
		shift := 0
		if line == s.line {
			shift = s.column
		}
		return s.lookup(line-s.line, column-shift)
	}
	return Frame{}, false
}

// lookup walks the mappings up to the place: fields are relative to those before.
func (s *section) lookup(line, column int) (found Frame, ok bool) {
	var generated, source, row, col, name int
	at := 0
	rest := s.mappings
	for len(rest) > 0 {
		switch rest[0] {
		case ';':
			if at == line {
				return found, ok
			}
			at++
			generated = 0
			rest = rest[1:]
			continue
		case ',':
			rest = rest[1:]
			continue
		}
		var fields [5]int
		n := 0
		for len(rest) > 0 && rest[0] != ',' && rest[0] != ';' {
			value, size := vlq(rest)
			if size == 0 || n == len(fields) {
				return Frame{}, false
			}
			fields[n] = value
			n++
			rest = rest[size:]
		}
		generated += fields[0]
		if n >= 4 {
			source, row, col = source+fields[1], row+fields[2], col+fields[3]
		}
		if n == 5 {
			name += fields[4]
		}
		if at != line {
			continue
		}
		if generated > column {
			return found, ok
		}
		if found, ok = (Frame{}), false; n >= 4 && source >= 0 && source < len(s.sources) {
			found, ok = Frame{URL: s.sources[source], Line: row + 1, Column: col + 1}, true
			if n == 5 && name >= 0 && name < len(s.names) {
				found.Function = s.names[name]
			}
		}
	}
	return found, ok && at == line
}

const vlqDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

var vlqValues = func() (values [256]int8) {
	for i := range values {
		values[i] = -1
	}
	for i, c := range []byte(vlqDigits) {
		values[c] = int8(i)
	}
	return values
}()

// vlq reads one base64 VLQ; size is 0 for what is none.
func vlq(text []byte) (value, size int) {
	shift := 0
	for size < len(text) {
		digit := vlqValues[text[size]]
		if digit < 0 || shift > 30 {
			return 0, 0
		}
		size++
		value |= int(digit&31) << shift
		if digit&32 == 0 {
			if value&1 != 0 {
				return -(value >> 1), size
			}
			return value >> 1, size
		}
		shift += 5
	}
	return 0, 0
}
