package cli

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Say the version", GroupID: groupMore, Args: arguments(),
		RunE: a.answer(func(context.Context, []string) (any, string, error) {
			return struct {
				Version         string `json:"version"`
				Commit          string `json:"commit,omitempty"`
				ProtocolVersion int    `json:"protocolVersion"`
				Go              string `json:"go"`
				OS              string `json:"os"`
				Arch            string `json:"arch"`
			}{version.Version, version.Commit, protocol.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH}, "dbridge " + version.String(), nil
		}),
	}
}

type errorRow struct {
	Code        fault.Code `json:"code"`
	Exit        int        `json:"exit"`
	HTTP        int        `json:"http"`
	Retryable   bool       `json:"retryable"`
	Meaning     string     `json:"meaning"`
	Suggestions []string   `json:"suggestions"`
}

func (a *app) errorsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "errors [CODE]", Short: "Explain error codes and exit statuses", GroupID: groupMore, Args: arguments("[CODE]"),
		Example: "  dbridge errors INDETERMINATE\n  dbridge errors --output text",
		RunE:    a.answer(listErrors),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return errorCodes(), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func errorCodes() []string {
	var codes []string
	for _, row := range fault.Rows() {
		codes = append(codes, string(row.Code))
	}
	return codes
}

func listErrors(_ context.Context, args []string) (any, string, error) {
	if len(args) == 0 {
		var rows []errorRow
		var b strings.Builder
		for _, row := range fault.Rows() {
			rows = append(rows, errorRow(row))
			fmt.Fprintf(&b, "%2d  %-26s %s\n", row.Exit, row.Code, row.Meaning)
		}
		return struct {
			Errors []errorRow `json:"errors"`
		}{rows}, b.String(), nil
	}
	row, ok := fault.Lookup(fault.Code(strings.ToUpper(args[0])))
	if !ok {
		f := fault.New(fault.ValidationError, "there is no error code %q", args[0])
		suggestions := []string{"List all: `dbridge errors`"}
		if near := output.Nearest(args[0], errorCodes()); near != "" {
			suggestions = append([]string{fmt.Sprintf("Did you mean `dbridge errors %s`?", near)}, suggestions...)
		}
		return nil, "", f.Suggest(suggestions...)
	}
	again := "no"
	if row.Retryable {
		again = "yes"
	}
	text := fmt.Sprintf("%s\n  %s\n  exit %d, HTTP %d, may be sent again as it is: %s\n  try: %s", row.Code, row.Meaning, row.Exit, row.HTTP, again, strings.Join(row.Suggestions, "\n  try: "))
	return errorRow(row), text, nil
}

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print the completion script of a shell", GroupID: groupMore, Args: arguments("SHELL"),
		Long:      "Print the completion script of a shell: bash, zsh, fish or powershell.",
		Example:   "  source <(dbridge completion bash)\n  dbridge completion fish > ~/.config/fish/completions/dbridge.fish",
		ValidArgs: shells,
		RunE: func(command *cobra.Command, args []string) error {
			root := command.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.printer, true)
			case "zsh":
				return root.GenZshCompletion(a.printer)
			case "fish":
				return root.GenFishCompletion(a.printer, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.printer)
			}
			suggestions := []string{"Use one of: " + strings.Join(shells, ", ")}
			if near := output.Nearest(args[0], shells); near != "" {
				suggestions = append([]string{fmt.Sprintf("Did you mean `dbridge completion %s`?", near)}, suggestions...)
			}
			return fault.New(fault.ValidationError, "there is no completion for %q", args[0]).Suggest(suggestions...)
		},
	}
}
