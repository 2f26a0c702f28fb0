package cli

import (
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// maxInput is the most that the daemon takes of one command.
const maxInput = 16 << 20

// json gives the parameters as one JSON object. What is missing is told here, so
// that a mistake starts no daemon.
func (b *bound) json(stdin io.Reader) ([]byte, error) {
	if b.shared.inputFile != "" {
		if err := b.readInput(stdin); err != nil {
			return nil, err
		}
	}
	out, complete := []byte{'{'}, true
	for _, p := range b.params {
		if !p.given {
			complete = complete && !p.field.Required
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(append(out, '"'), p.field.Name...), '"', ':'), p.json()...)
	}
	out = append(out, '}')
	if !complete {
		if _, err := b.command.Decode(out); err != nil {
			f := fault.From(err)
			return nil, f.Suggest("Use: "+usage(b.command), seeHelp(b.command))
		}
	}
	return out, nil
}

// readInput reads --input-file: an object with parameters, or the value of the
// command's one list of objects. Flags and arguments go before it.
func (b *bound) readInput(stdin io.Reader) error {
	data, err := readFile(b.shared.inputFile, stdin)
	if err != nil {
		return err
	}
	wrong := func(format string, args ...any) *fault.Error {
		return fault.New(fault.ValidationError, format, args...).With("path", b.shared.inputFile).Suggest(seeHelp(b.command))
	}
	value := jsontext.Value(bytes.TrimSpace(data))
	switch {
	case !value.IsValid():
		return wrong("--input-file %s is not JSON", b.shared.inputFile)
	case value.Kind() == '[':
		var list *param
		for _, p := range b.params {
			if p.field.List {
				list = p
			}
		}
		if list == nil {
			return wrong("%s takes no list: --input-file must be a JSON object", b.command.Name)
		}
		if !list.given {
			list.take(value)
		}
		return nil
	case value.Kind() != '{':
		return wrong("--input-file %s is not a JSON object", b.shared.inputFile)
	}
	given := make(map[string]jsontext.Value)
	if err := json.Unmarshal(value, &given); err != nil {
		return wrong("--input-file %s: %v", b.shared.inputFile, err)
	}
	for name, raw := range given {
		p := b.param(name)
		switch {
		case p == nil:
			names := make([]string, len(b.params))
			for i, other := range b.params {
				names[i] = other.field.Name
			}
			return wrong("%s has no parameter %q", b.command.Name, name).
				Suggest("Leave it out; "+b.command.Name+" takes: "+strings.Join(names, ", ")+".", seeHelp(b.command))
		case !p.given:
			p.take(raw)
		}
	}
	return nil
}

// take sets the value as it stands in a file; the daemon checks it.
func (p *param) take(raw jsontext.Value) {
	p.given, p.raw = true, raw
	if p.field.Kind == catalog.Strings && raw.Kind() == '[' {
		p.raw = bytes.TrimSpace(raw[1 : len(raw)-1])
	}
}

func readFile(name string, stdin io.Reader) ([]byte, error) {
	from := stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, fault.New(fault.FileAccessFailed, "%s cannot be read: %v", name, err).With("path", name).Because(err)
		}
		defer file.Close()
		from = file
	}
	data, err := io.ReadAll(io.LimitReader(from, maxInput+1))
	switch {
	case err != nil:
		return nil, fault.New(fault.FileAccessFailed, "%s cannot be read: %v", name, err).With("path", name).Because(err)
	case len(data) > maxInput:
		return nil, fault.New(fault.ValidationError, "%s is larger than %d bytes", name, maxInput).With("path", name)
	}
	return data, nil
}
