package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// help renders a command's help: what it does, how it is written, what it holds.
func (a *app) help(command *cobra.Command) {
	var b strings.Builder
	about := command.Long
	if about == "" {
		about = command.Short
	}
	b.WriteString(strings.TrimSpace(about) + "\n\nUsage\n")
	if command.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND\n", command.CommandPath())
	} else {
		fmt.Fprintf(&b, "  %s\n", command.UseLine())
	}
	writeCommands(&b, command)
	if command.Example != "" {
		b.WriteString("\nExamples\n" + strings.TrimRight(command.Example, "\n") + "\n")
	}
	local := command.LocalFlags()
	if command.HasParent() {
		local = command.NonInheritedFlags()
	}
	if flags := flagLines(local); flags != "" {
		b.WriteString("\nFlags\n" + flags)
	}
	if command.HasParent() {
		b.WriteString("\nFlags of every command: see `dbridge help`.\n")
	}
	// A help that nobody reads is not worth an error; Main looks at stdout's state.
	_, _ = a.printer.Write([]byte(b.String()))
}

func writeCommands(b *strings.Builder, command *cobra.Command) {
	write := func(title, group string) {
		first := true
		for _, child := range command.Commands() {
			if !child.IsAvailableCommand() || child.GroupID != group {
				continue
			}
			if first {
				b.WriteString("\n" + title + "\n")
				first = false
			}
			fmt.Fprintf(b, "  %-12s %s\n", child.Name(), child.Short)
		}
	}
	write("Commands", "")
	for _, group := range command.Groups() {
		write(group.Title, group.ID)
	}
}

func flagLines(flags *pflag.FlagSet) string {
	var b strings.Builder
	width := 0
	type row struct{ left, right string }
	var rows []row
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "help" {
			return
		}
		left := "    --" + flag.Name
		if flag.Shorthand != "" {
			left = "-" + flag.Shorthand + ", --" + flag.Name
		}
		kind, usage := pflag.UnquoteUsage(flag)
		if kind != "" {
			left += " " + strings.ToUpper(kind)
		}
		if flag.DefValue != "" && flag.DefValue != "false" && flag.DefValue != "0" && flag.DefValue != "[]" {
			usage += " (default " + flag.DefValue + ")"
		}
		rows = append(rows, row{left, usage})
		width = max(width, len(left))
	})
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, r.left, r.right)
	}
	return b.String()
}
