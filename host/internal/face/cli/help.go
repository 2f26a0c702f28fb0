package cli

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	catalogue "github.com/debug-bridge/debug-bridge/host/internal/command"
)

// help renders a command's help: what it does, how it is written, what it holds.
func (a *app) help(command *cobra.Command) {
	if c, ok := catalogue.All.Find(command.Annotations[nameOfCommand]); ok {
		_, _ = a.printer.Write([]byte(commandHelp(a.bind(c, pflag.NewFlagSet(c.Name, pflag.ContinueOnError)))))
		return
	}
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
	} else {
		b.WriteString("\nFlags of the commands that see and drive pages\n" + commonLines())
	}
	// A help that nobody reads is not worth an error; Main looks at stdout's state.
	_, _ = a.printer.Write([]byte(b.String()))
}

// commonLines explains the flags that a command of the catalogue has beside its own and the root's.
func commonLines() string {
	var b strings.Builder
	var rows []row
	some := &catalog.Command{Spec: catalog.Spec{Name: "page.some", Needs: catalog.Page}, Params: reflect.TypeFor[struct{}]()}
	(&app{}).bind(some, newFlags(some)).flags.VisitAll(func(flag *pflag.Flag) {
		if value := values[flag.Name]; flag.Name != "output" && flag.Name != "fields" && (value != "" || flag.Name == "describe") {
			rows = append(rows, row{strings.TrimRight("    --"+flag.Name+" "+value, " "), flag.Usage})
		}
	})
	writeRows(&b, rows)
	return b.String()
}

func writeCommands(b *strings.Builder, command *cobra.Command) {
	width := 12
	for _, child := range command.Commands() {
		width = max(width, len(child.Name()))
	}
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
			fmt.Fprintf(b, "  %-*s %s\n", width, child.Name(), child.Short)
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
