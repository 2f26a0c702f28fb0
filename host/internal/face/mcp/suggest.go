package mcp

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
)

const program = "dbridge "

// otherFace stands in suggestions for those who have no tools.
const otherFace = ", or `request_ui_tree` over the WebSocket"

// toolWords puts tools in the place of command lines in a text: `dbridge element click e5`
// becomes click {"target":"e5"}. What is no tool stays a command line.
func toolWords(text string) string {
	return parameterWords(callWords(strings.ReplaceAll(text, otherFace, "")))
}

// callWords is toolWords without the flags that stand alone.
func callWords(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, program)
		if !found {
			break
		}
		// A folder such as ~/.dbridge is none.
		begins := before == "" || strings.ContainsAny(before[len(before)-1:], " `\n(\"'")
		line, after := commandLine(rest, strings.HasSuffix(before, "`"))
		b.WriteString(before)
		if said := asTool(line); begins && said != "" {
			b.WriteString(said)
			if choice := alternative(after); choice != "" { // --accept | --dismiss
				b.WriteString(parameterWords(choice))
				after = after[len(choice):]
			}
		} else {
			b.WriteString(program + line)
		}
		text = after
	}
	b.WriteString(text)
	return b.String()
}

// alternative is another flag that may stand in the place of the last one.
func alternative(text string) string {
	const begin = " | --"
	if !strings.HasPrefix(text, begin) {
		return ""
	}
	end := len(begin)
	for end < len(text) && (text[end] >= 'a' && text[end] <= 'z' || text[end] == '-') {
		end++
	}
	return text[:end]
}

// parameterWords puts parameters in the place of flags: --full-page becomes fullPage.
func parameterWords(text string) string {
	text = strings.ReplaceAll(text, "--timeout MS", "timeoutMs")
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "--")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := 0
		for end < len(rest) && (rest[end] >= 'a' && rest[end] <= 'z' || rest[end] == '-' && end > 0) {
			end++
		}
		if end == 0 || before != "" && !strings.ContainsAny(before[len(before)-1:], " `(\n\"'") {
			b.WriteString("--")
			text = rest
			continue
		}
		for i, part := range strings.Split(rest[:end], "-") {
			if i > 0 && part != "" {
				part = strings.ToUpper(part[:1]) + part[1:]
			}
			b.WriteString(part)
		}
		text = rest[end:]
	}
}

// answerWords is an answer's text with the tools' names in what the command adds to it:
// what stands in the page is left as it is.
func answerWords(c *catalog.Command, text string) string {
	if c.Effect != catalog.Read {
		return callWords(text)
	}
	start := strings.LastIndexByte(strings.TrimRight(text, "\n"), '\n') + 1
	if last := text[start:]; strings.HasPrefix(last, "(") || strings.HasPrefix(last, "… ") {
		return text[:start] + toolWords(last)
	}
	return text
}

// commandLine takes a command line from the front of a text: to the backquote that ends
// it, to the end of the line, or to what begins another sentence.
func commandLine(text string, ticked bool) (line, after string) {
	end := len(text)
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		end = i
	}
	if ticked {
		if i := strings.IndexByte(text, '`'); i >= 0 && i < end {
			end = i
		}
		return text[:end], text[end:]
	}
	for _, stop := range []string{", ", "; ", ". ", ") ", ")", " (", " | "} {
		if i := strings.Index(text[:end], stop); i >= 0 {
			end = i
		}
	}
	return strings.TrimSuffix(text[:end], "."), text[len(strings.TrimSuffix(text[:end], ".")):]
}

// asTool is a command line as a call, or nothing.
func asTool(line string) string {
	args := shellWords(line)
	if len(args) < 2 {
		return ""
	}
	c, ok := command.All.Find(args[0] + "." + args[1])
	if !ok || c.Tool == "" {
		return ""
	}
	given, ok := argumentsOf(c, args[2:])
	if !ok || len(given) == 0 {
		return c.Tool
	}
	data, err := json.Marshal(given, json.Deterministic(true))
	if err != nil {
		return c.Tool
	}
	return c.Tool + " " + string(data)
}

// argumentsOf reads flags and positional arguments.
func argumentsOf(c *catalog.Command, args []string) (map[string]jsontext.Value, bool) {
	given := map[string]jsontext.Value{}
	fields := c.Fields()
	find := func(match func(f catalog.Field) bool) (catalog.Field, bool) {
		for _, f := range fields {
			if match(f) {
				return f, true
			}
		}
		return catalog.Field{}, false
	}
	put := func(f catalog.Field, word string) {
		if f.Kind == catalog.Strings {
			var list []string
			_ = json.Unmarshal(given[f.Name], &list) // none yet
			data, _ := json.Marshal(append(list, word))
			given[f.Name] = data
			return
		}
		given[f.Name] = loosely(f.Kind, quoted(word))
	}
	positional := c.Positional
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "--")
		if !isFlag {
			if len(positional) == 0 {
				return nil, false
			}
			f, ok := find(func(f catalog.Field) bool { return f.Name == positional[0] })
			if !ok {
				return nil, false
			}
			if put(f, args[i]); f.Kind != catalog.Strings {
				positional = positional[1:]
			}
			continue
		}
		name, word, valued := strings.Cut(name, "=")
		f, ok := find(func(f catalog.Field) bool { return f.Flag() == name })
		switch {
		case !ok && (name == "page" || name == "timeout"):
			if !valued && i+1 < len(args) {
				i++
				word = args[i]
			}
			if name == "timeout" {
				name = "timeoutMs"
			}
			if _, err := strconv.Atoi(word); err != nil {
				word = strconv.Quote(word)
			}
			given[name] = jsontext.Value(word)
		case !ok:
			return nil, false
		case f.Kind == catalog.Boolean:
			given[f.Name] = jsontext.Value("true")
		case valued:
			put(f, word)
		case i+1 < len(args):
			i++
			put(f, args[i])
		default:
			return nil, false
		}
	}
	return given, true
}

// shellWords splits a command line as a shell does.
func shellWords(line string) []string {
	var list []string
	var b strings.Builder
	open, begun := rune(0), false
	for _, r := range line {
		switch {
		case open != 0 && r == open:
			open = 0
		case open != 0:
			b.WriteRune(r)
		case r == '\'' || r == '"':
			open, begun = r, true
		case r == ' ':
			if begun || b.Len() > 0 {
				list = append(list, b.String())
			}
			b.Reset()
			begun = false
		default:
			b.WriteRune(r)
		}
	}
	if begun || b.Len() > 0 {
		list = append(list, b.String())
	}
	return list
}

// count writes a number with its thousands apart.
func count(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
