package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// helpWidth is how wide help gets.
const helpWidth = 110

func usage(c *catalog.Command) string { return c.Usage() }

// commandHelp teaches one command of the catalogue.
func commandHelp(b *bound) string {
	c := b.command
	var out strings.Builder
	out.WriteString(c.Summary + "\n")
	if c.Long != "" {
		out.WriteString("\n" + strings.Join(wrap(c.Long, helpWidth), "\n") + "\n")
	}
	out.WriteString("\nUsage\n  " + usage(c) + "\n")
	out.WriteString("\nExamples\n")
	for _, example := range c.Examples {
		line := "dbridge " + example.Line
		if example.Note != "" && len(line)+len(example.Note) < helpWidth-6 {
			line = fmt.Sprintf("%-44s # %s", line, example.Note)
		} else if example.Note != "" {
			out.WriteString("  # " + example.Note + "\n")
		}
		out.WriteString("  " + line + "\n")
	}
	if rows := argumentRows(c); len(rows) > 0 {
		out.WriteString("\nArguments (each also as a flag)\n")
		writeRows(&out, rows)
	}
	own, others := flagRows(b)
	if len(own) > 0 {
		out.WriteString("\nFlags\n")
		writeRows(&out, own)
	}
	out.WriteString("\nCommon flags (see `dbridge help`)\n")
	for _, line := range wrap(strings.Join(others, "  "), helpWidth-2) {
		out.WriteString("  " + line + "\n")
	}
	if returns := returns(c); returns != "" {
		out.WriteString("\nReturns\n")
		for _, line := range wrap(returns, helpWidth-2) {
			out.WriteString("  " + line + "\n")
		}
	}
	for _, source := range slices.Sorted(maps.Keys(c.Cannot)) {
		out.WriteString("\nNot over " + string(source) + ": " + c.Cannot[source] + "\n")
	}
	out.WriteString("\nExit statuses\n")
	for _, line := range wrap(exits(c), helpWidth-2) {
		out.WriteString("  " + line + "\n")
	}
	out.WriteString("\nMore: `dbridge errors CODE`; schemas: add --describe.\n")
	return out.String()
}

type row struct{ left, right string }

func argumentRows(c *catalog.Command) []row {
	var rows []row
	for _, f := range c.Fields() {
		if slices.Contains(c.Positional, f.Name) {
			rows = append(rows, row{f.Argument(), about(f)})
		}
	}
	return rows
}

// about is what help says of a parameter.
func about(f catalog.Field) string {
	text := f.Doc
	if len(f.Enum) > 0 {
		text += " One of " + strings.Join(f.Enum, ", ") + "."
	}
	if f.Default != "" && f.Default != "false" {
		text += " Default " + f.Default + "."
	}
	if f.Kind == catalog.Strings && !strings.Contains(text, "epeat") {
		text += " May be repeated."
	}
	if limits := f.Limits(); limits != "" {
		text += " " + limits + "."
	}
	return text
}

// values are what the common flags take.
var values = map[string]string{
	"page": "ID", "timeout": "MS", "output": "json|text", "fields": "a,b.c", "input-file": "FILE",
	"share-group": "NAME", "context-id": "ID", "profile": "NAME", "session": "NAME",
}

// flagRows lists the flags of the command, and names the common ones.
func flagRows(b *bound) (own []row, others []string) {
	b.flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || slices.Contains(b.command.Positional, nameOf(flag)) {
			return
		}
		left := "    --" + flag.Name
		if flag.Shorthand != "" {
			left = "-" + flag.Shorthand + ", --" + flag.Name
		}
		switch value := flag.Value.(type) {
		case *param:
			if value.field.Kind != catalog.Boolean {
				left += " " + strings.ToUpper(value.Type())
			}
			own = append(own, row{left, about(value.field)})
		case *negation:
			own = append(own, row{left, flag.Usage})
		default:
			word := "--" + flag.Name
			if value := values[flag.Name]; value != "" {
				word += "\u00a0" + value // not to be broken
			}
			others = append(others, word)
		}
	})
	return own, others
}

func nameOf(flag *pflag.Flag) string {
	if p, ok := flag.Value.(*param); ok {
		return p.field.Name
	}
	return ""
}

// writeRows writes two columns; a long left one takes a line of its own.
func writeRows(out *strings.Builder, rows []row) {
	const widest = 30
	width := 0
	for _, r := range rows {
		if len(r.left) <= widest {
			width = max(width, len(r.left))
		}
	}
	for _, r := range rows {
		lines := wrap(r.right, helpWidth-width-4)
		if len(r.left) > width {
			fmt.Fprintf(out, "  %s\n", r.left)
		} else {
			first := ""
			if len(lines) > 0 {
				first, lines = lines[0], lines[1:]
			}
			fmt.Fprintf(out, "  %s\n", strings.TrimRight(fmt.Sprintf("%-*s  %s", width, r.left, first), " "))
		}
		for _, line := range lines {
			fmt.Fprintf(out, "  %-*s  %s\n", width, "", line)
		}
	}
}

// wrap breaks text into lines of at most width bytes, at spaces.
func wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line := ""
		for word := range strings.SplitSeq(paragraph, " ") {
			if word == "" {
				continue
			}
			if line != "" && len(line)+1+len(word) > width {
				lines = append(lines, strings.ReplaceAll(line, "\u00a0", " "))
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, strings.ReplaceAll(line, "\u00a0", " "))
	}
	return lines
}

// returns names what the answer's data holds.
func returns(c *catalog.Command) string { return "data: " + c.Returns() }

// exits lists the statuses that the command can end with.
func exits(c *catalog.Command) string {
	byExit := make(map[int][]string)
	for _, code := range c.Errors() {
		if found, ok := fault.Lookup(code); ok {
			byExit[found.Exit] = append(byExit[found.Exit], string(code))
		}
	}
	parts := []string{"0 done"}
	for _, exit := range slices.Sorted(maps.Keys(byExit)) {
		parts = append(parts, fmt.Sprintf("%d %s", exit, strings.Join(byExit[exit], " ")))
	}
	return strings.Join(parts, "; ")
}
