package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/enroll"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// newMCPInstall is `dbridge mcp install`.
func newMCPInstall(a *app) *cobra.Command {
	options := enroll.Options{}
	command := &cobra.Command{
		Use:   "install [CLIENT...] [flags]",
		Short: "Tell your AI clients about the MCP server",
		Long: `Tell your AI clients about the MCP server: add an entry that starts "dbridge mcp" to
the file in which each keeps its servers. Without CLIENT it looks which ones are
installed and says what it would do.

Clients
  claude-code      ~/.claude.json                       .mcp.json
  claude-desktop   claude_desktop_config.json
  cursor           ~/.cursor/mcp.json                   .cursor/mcp.json
  vscode           mcp.json of the user's profile       .vscode/mcp.json
  codex            ~/.codex/config.toml                 .codex/config.toml
  gemini           ~/.gemini/settings.json              .gemini/settings.json
  windsurf         ~/.codeium/windsurf/mcp_config.json
  zed              Zed's settings.json
  kiro             ~/.kiro/settings/mcp.json            .kiro/settings/mcp.json
  json             prints what most other clients take

All that is in a file stays, with comments, order and indentation. A file that cannot be
read as what it should be is not touched; you are told what to add by hand. A second run
changes nothing; after dbridge moved, it puts the path right. --uninstall takes the entry
out and, where the file is as it was left, gives it back to the byte.`,
		Example: `  dbridge mcp install                      # which clients are there, and what would be done
  dbridge mcp install claude-code cursor   # these two
  dbridge mcp install --all --dry-run      # all that are there: the exact differences
  dbridge mcp install vscode --project     # .vscode/mcp.json of this folder
  dbridge mcp install codex --tools all    # with every tool, not the core ones alone
  dbridge mcp install --all --uninstall    # out again, everywhere
  dbridge mcp install json --output text   # for a client that is not in the list`,
		Args:      cobra.ArbitraryArgs,
		ValidArgs: enroll.IDs(),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.BoolVar(&options.All, "all", false, "all clients that are found")
	flags.BoolVar(&options.DryRun, "dry-run", false, "show the exact differences, change nothing")
	flags.BoolVar(&options.Project, "project", false, "the files of the current folder, not your own")
	flags.StringVar(&options.Tools, "tools", enroll.Tools[0], "`set` of tools that clients see: "+strings.Join(enroll.Tools, ", "))
	flags.StringVar(&options.Name, "name", enroll.DefaultName, "`name` of the entry")
	flags.BoolVar(&options.Uninstall, "uninstall", false, "take the entry out")
	command.RunE = a.reported(func(ctx context.Context, args []string) (Report, error) {
		options.Clients = args
		options.Only = len(args) == 0 && !options.All
		if options.All && len(args) > 0 {
			return nil, fault.New(fault.ValidationError, "--all, or names: not both.").Suggest("dbridge mcp install --all", "dbridge mcp install "+strings.Join(args, " "))
		}
		machine, err := a.machine()
		if err != nil {
			return nil, err
		}
		report, err := enroll.MCP(ctx, machine, options)
		return report, err
	})
	return command
}

// reported answers with a report; a person at a terminal gets its words.
func (a *app) reported(body func(ctx context.Context, args []string) (Report, error)) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		if !command.Flags().Changed("output") && terminal(a.stdout) {
			a.printer.Format = output.Text
		}
		return a.answer(func(ctx context.Context, args []string) (any, string, error) {
			report, err := body(ctx, args)
			if err != nil {
				f := fault.From(err)
				if a.printer.Format == output.Text && f.Details["report"] != nil {
					a.printer.Note("%s", strings.TrimRight(report.Text(), "\n"))
				}
				return nil, "", f
			}
			return report, report.Text(), nil
		})(command, args)
	}
}

// machine is where clients' files are looked for.
func (a *app) machine() (enroll.Machine, error) {
	home, err := state.Open()
	if err != nil {
		return enroll.Machine{}, err
	}
	layout := install.NewLayout(home.Root, home.Run, home.State, home.Extension, home.Socket())
	return enroll.This(layout, version.Version, a.deps.Executable)
}
