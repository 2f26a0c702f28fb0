package recording

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// Commands writes a shell script of dbridge's own commands that does again what was recorded.
func (f *File) Commands() (Script, error) {
	list, err := f.steps()
	if err != nil {
		return Script{}, err
	}
	var script Script
	script.note(list)
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line("#!/bin/sh")
	for _, text := range f.head() {
		line("# ", text)
	}
	line("# It needs a page: dbridge session start --headless, or a connected tab. Exit 0: every step could be done.")
	line("set -eu")
	line(`DBRIDGE="${DBRIDGE:-dbridge}"`)
	line(`BASE_URL="${BASE_URL:-`, inDefault(f.base()), `}"`)
	for _, s := range list {
		for _, name := range s.asks() {
			line("# for: ", s.words)
			line(`: "${`, name, `:?was not recorded, set it}"`)
		}
	}
	line(`run() { "$DBRIDGE" "$@" --output text; }`)
	line(`# A page that asks the network again and again is never idle.`)
	line(`settle() { run page wait-idle --timeout 5000 || true; }`)
	for i := range list {
		s := &list[i]
		line()
		if s.skipped != "" {
			line("# Left out: ", s.words, " (", s.skipped, ")")
			continue
		}
		line("# ", s.words)
		line("run ", f.commandLine(s))
		if s.dialog != nil {
			line("run dialog handle ", s.dialog.flags())
		}
		if s.arrive != "" {
			line("run page wait-url ", f.pattern(s.arrive))
		}
		if s.arrive != "" || len(s.requests) > 0 {
			line("settle")
		}
	}
	if n := f.Counts[KindError]; n > 0 {
		line()
		line("# Errors were recorded; these come now.")
		line("run console list --level error")
	}
	script.Text = b.String()
	return script, nil
}

// commandLine is a step with all its parameters as flags.
func (f *File) commandLine(s *step) string {
	resource, verb, _ := strings.Cut(s.command, ".")
	parts := []string{resource, verb}
	for _, name := range slices.Sorted(maps.Keys(s.params)) {
		flag := "--" + kebab(name)
		if variable := s.asked[name]; variable != "" {
			parts = append(parts, flag+`="$`+variable+`"`)
			continue
		}
		switch value := s.params[name].(type) {
		case nil:
		case bool:
			if value {
				parts = append(parts, flag)
			} else {
				parts = append(parts, flag+"=false")
			}
		case []any:
			for _, item := range value {
				parts = append(parts, flag+"="+shellQuote(plain(item)))
			}
		case string:
			if name == "url" {
				parts = append(parts, flag+"="+f.address(value))
			} else {
				parts = append(parts, flag+"="+shellQuote(value))
			}
		default:
			data, err := json.Marshal(value)
			if err == nil {
				parts = append(parts, flag+"="+shellQuote(string(data)))
			}
		}
	}
	return strings.Join(parts, " ")
}

// address writes an address with the base as a variable.
func (f *File) address(address string) string {
	if rest, ok := f.onBase(address); ok {
		return `"$BASE_URL"` + shellQuote(rest)
	}
	return shellQuote(address)
}

// pattern is one for page wait-url: what was masked may be anything.
func (f *File) pattern(address string) string {
	return f.address(strings.ReplaceAll(strings.ReplaceAll(address, masked, "*"), "%5Bredacted%5D", "*"))
}

func (a *answer) flags() string {
	if !a.accept {
		return "--dismiss"
	}
	if a.text != "" {
		return "--accept --text=" + shellQuote(a.text)
	}
	return "--accept"
}

// kebab writes the name of a parameter as the flag that it is.
func kebab(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// shellQuote writes a text so that a shell takes it as one word, without any meaning of its own.
func shellQuote(text string) string {
	if text == "" {
		return "''"
	}
	text = strings.ReplaceAll(text, "\x00", "")
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// inDefault writes an origin into "${BASE_URL:-…}", where few characters are safe.
func inDefault(origin string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":/.-[]%", r) {
			return r
		}
		return -1
	}, origin)
}
