package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	catalogue "github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

const (
	groupUse   = "use"
	groupAct   = "act"
	groupSee   = "see"
	groupAlter = "alter"
	groupSetUp = "setup"
	groupAllow = "allow"
	groupMore  = "more"
)

// root is the tree of all commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "dbridge",
		Short: "See and drive the tabs of your own, running Chrome.",
		Long: `See and drive the tabs of your own, running Chrome.

A person clicks Connect in the extension's popup; an agent attaches here.
Answers are one JSON object on stdout; what is said beside them goes to stderr.`,
		Example: `  dbridge install              # tell your browsers about Debug Bridge
  dbridge attach               # look at and drive the connected tab
  dbridge attach --json        # the same for a program: JSON lines in and out
  dbridge doctor --output text # find the broken hop`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(command *cobra.Command, _ []string) error { return a.readFlags(command) },
	}
	root.AddGroup(
		&cobra.Group{ID: groupUse, Title: "Use"},
		&cobra.Group{ID: groupAct, Title: "Drive"},
		&cobra.Group{ID: groupSee, Title: "See"},
		&cobra.Group{ID: groupAlter, Title: "Measure and change"},
		&cobra.Group{ID: groupSetUp, Title: "Set up"},
		&cobra.Group{ID: groupAllow, Title: "Who may connect"},
		&cobra.Group{ID: groupMore, Title: "More"},
	)
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringVarP(&a.outputFlag, "output", "o", string(output.JSON), "answer as json or text")
	flags.StringVar(&a.fieldsFlag, "fields", "", "keep only these fields of the answer: a,b.c")
	flags.IntVar(&a.timeoutMs, "timeout", defaultTimeout, "time limit in ms")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "say more on stderr")
	flags.BoolVar(&a.debug, "debug", false, "say the causes of errors on stderr")
	if len(a.words) == 0 || a.words[0] != "mcp" { // whose client waits for its first answer
		a.addCatalogue(root)
	}
	root.AddCommand(a.runCommand(), a.attachCommand(), a.mcpCommand(), a.daemonCommand(),
		a.installCommand(), a.uninstallCommand(), a.doctorCommand(), a.skillCommand(),
		a.tokenCommand(), a.appCommand(),
		a.errorsCommand(), a.describeCommand(), a.completionCommand(), a.versionCommand())
	root.SetHelpCommand(a.helpCommand())
	root.SetHelpFunc(func(command *cobra.Command, _ []string) { a.help(command) })
	root.SetFlagErrorFunc(a.flagError)
	a.asGroup(root)
	root.RunE = func(command *cobra.Command, args []string) error {
		if len(args) > 0 {
			return a.unknownCommand(command, args[0])
		}
		return a.overview()
	}
	return root
}

func (a *app) readFlags(command *cobra.Command) error {
	// Setting up is done by a person at a terminal; what a program reads stays JSON.
	if !command.Flags().Changed("output") && command.GroupID == groupSetUp && terminal(a.stdout) {
		a.outputFlag = string(output.Text)
	}
	switch format := output.Format(a.outputFlag); format {
	case output.JSON, output.Text:
		a.printer.Format = format
	default:
		return fault.New(fault.ValidationError, "--output %q is neither json nor text", a.outputFlag).Suggest("Use --output json or --output text.")
	}
	fields, err := output.ParseFields(a.fieldsFlag)
	if err != nil {
		return err
	}
	if a.timeoutMs <= 0 {
		return fault.New(fault.ValidationError, "--timeout %d is not a time limit", a.timeoutMs).Suggest("Give milliseconds above 0: --timeout 30000")
	}
	a.printer.Fields, a.printer.Debug = fields, a.debug
	return nil
}

// overview is what `dbridge` alone shows.
func (a *app) overview() error {
	return a.printer.Raw([]byte("Debug Bridge " + version.Version + `
See and drive the tabs of your own, running Chrome.

  1  dbridge install    tell your browsers, and load the extension
  2  click Connect in the extension's popup, on the tab you want to share
  3  dbridge attach     look at it and drive it

  dbridge doctor        something does not work? It names the broken hop
  dbridge help          all commands
`))
}

// asGroup makes a command that only holds others: alone it shows its help, with an unknown word it says so.
func (a *app) asGroup(command *cobra.Command) *cobra.Command {
	command.Args = cobra.ArbitraryArgs
	command.FParseErrWhitelist.UnknownFlags = true // they are those of the command that was meant
	command.RunE = func(command *cobra.Command, args []string) error {
		if len(args) > 0 {
			return a.unknownCommand(command, args[0])
		}
		return command.Help()
	}
	return command
}

func (a *app) unknownCommand(command *cobra.Command, word string) *fault.Error {
	var names []string
	for _, child := range command.Commands() {
		if child.IsAvailableCommand() {
			names = append(names, child.Name())
		}
	}
	f := fault.New(fault.ValidationError, "%s has no command %q", command.CommandPath(), word)
	suggestions := []string{}
	meant := func(words string) {
		suggestions = append(suggestions, "Did you mean `dbridge "+corrected(a.words, word, words)+"`?")
	}
	if near := output.Nearest(word, names); near != "" {
		meant(near)
	}
	for _, c := range catalogue.All {
		if !command.HasParent() && (c.Verb() == word || c.Tool == word) && len(suggestions) < 3 {
			meant(c.Resource() + " " + c.Verb())
		}
	}
	return f.Suggest(append(suggestions, fmt.Sprintf("See `%s --help`.", command.CommandPath()))...)
}

// flagError explains what pflag did not understand.
func (a *app) flagError(command *cobra.Command, err error) error {
	f := fault.New(fault.ValidationError, "%s", err.Error()).Because(err)
	suggestions := []string{}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		command.Flags().VisitAll(func(flag *pflag.Flag) {
			if !flag.Hidden {
				names = append(names, flag.Name)
			}
		})
		if near := output.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			suggestions = append(suggestions, fmt.Sprintf("Did you mean --%s?", near))
		}
	}
	return f.Suggest(append(suggestions, fmt.Sprintf("See `%s --help`.", command.CommandPath()))...)
}

// arguments checks the number of arguments; names stand in the message, optional ones in brackets.
func arguments(names ...string) cobra.PositionalArgs {
	required := 0
	for _, name := range names {
		if !strings.HasPrefix(name, "[") {
			required++
		}
	}
	return func(command *cobra.Command, args []string) error {
		usage := strings.TrimSpace(command.CommandPath() + " " + strings.Join(names, " "))
		switch {
		case len(args) < required:
			return fault.New(fault.ValidationError, "%s is missing", names[len(args)]).Suggest("Use: "+usage, fmt.Sprintf("See `%s --help`.", command.CommandPath()))
		case len(args) > len(names):
			return fault.New(fault.ValidationError, "%q is one argument too many", args[len(names)]).Suggest("Use: "+usage, fmt.Sprintf("See `%s --help`.", command.CommandPath()))
		}
		return nil
	}
}

func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show help for a command",
		GroupID: groupMore,
		Args:    cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			found, rest, err := command.Root().Find(args)
			if err != nil || (len(rest) > 0 && !slices.Contains(found.Aliases, rest[0])) {
				word := strings.Join(args, " ")
				if len(rest) > 0 {
					word = rest[0]
				}
				return a.unknownCommand(found, word)
			}
			return found.Help()
		},
	}
}
