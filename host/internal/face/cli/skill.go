package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/enroll"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/skill"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

func (a *app) skillCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "skill [flags]",
		Short: "Print the skill that teaches an agent to use dbridge, or install it",
		Long: `Print SKILL.md: when to use which command, the loop observe, act, check, and five
worked examples, in the form of Agent Skills (agentskills.io). An agent that reads it
needs no MCP server; "dbridge skill install" puts it where clients look for skills.
The text is printed as it is; --output json puts it into an answer.`,
		Example: `  dbridge skill                       # print it
  dbridge skill >> AGENTS.md          # for an agent that knows no skills
  dbridge skill install               # where your clients look for skills`,
		GroupID: groupSetUp,
		Args:    arguments(),
	}
	command.RunE = func(command *cobra.Command, args []string) error {
		if !command.Flags().Changed("output") || a.printer.Format == output.Text {
			return a.printer.Raw([]byte(skill.Text()))
		}
		return a.answer(func(context.Context, []string) (any, string, error) {
			return struct {
				Name    string `json:"name"`
				Version string `json:"version"`
				Text    string `json:"text"`
			}{skill.Name, version.Version, skill.Text()}, skill.Text(), nil
		})(command, args)
	}
	command.AddCommand(a.skillInstall())
	return command
}

func (a *app) skillInstall() *cobra.Command {
	options := enroll.SkillOptions{}
	command := &cobra.Command{
		Use:   "install [flags]",
		Short: "Put the skill where clients look for skills",
		Long: `Put the skill where clients look for skills, as debug-bridge/SKILL.md.

Clients
  claude   ~/.claude/skills    .claude/skills    Claude Code
  agents   ~/.agents/skills    .agents/skills    Codex, Cursor, Gemini CLI, VS Code and others
  codex    the same as agents
  gemini   ~/.gemini/skills    .gemini/skills    Gemini CLI
  cursor   ~/.cursor/skills    .cursor/skills    Cursor

Without --client: agents, and claude where Claude Code is installed. An older version is
replaced, a newer one kept, and one that was changed by hand is left without --overwrite.`,
		Example: `  dbridge skill install --dry-run
  dbridge skill install --project            # into this folder, for all who work on it
  dbridge skill install --client claude --client cursor
  dbridge skill install --uninstall`,
		Args: arguments(),
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&options.Clients, "client", nil, "only for this `client`: "+strings.Join(enroll.SkillClients(), ", ")+"; may be repeated")
	flags.BoolVar(&options.Project, "project", false, "into the current folder, not your own")
	flags.BoolVar(&options.DryRun, "dry-run", false, "say what would be done, change nothing")
	flags.BoolVar(&options.Overwrite, "overwrite", false, "also one that was changed by hand, or is newer")
	flags.BoolVar(&options.Uninstall, "uninstall", false, "take it away")
	command.RunE = a.reported(func(ctx context.Context, _ []string) (Report, error) {
		machine, err := a.machine()
		if err != nil {
			return nil, err
		}
		report, err := enroll.Skill(ctx, machine, options)
		return report, err
	})
	return command
}
