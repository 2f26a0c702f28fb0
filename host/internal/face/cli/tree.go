package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	catalogue "github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
)

// resources say what the first words stand for, in the order of the help.
var resources = []struct{ name, group, about string }{
	{"session", groupUse, "Start, stop and look at the browser of this context"},
	{"secret", groupUse, "Values by name, that an agent may type and never sees"},
	{"policy", groupUse, "The person's policy file: what it says, whether it is right, why it refuses"},
	{"profile", groupUse, "Named browsers: of config.toml, the person's own, kept folders, fleets"},
	{"page", groupUse, "Open, choose, navigate and wait for pages"},
	{"element", groupAct, "Click, fill, select, drag, upload: by ref, role and name, selector or text"},
	{"input", groupAct, "Keys, typing and the mouse at coordinates"},
	{"dialog", groupAct, "Answer alert, confirm, prompt and beforeunload"},
	{"runtime", groupAct, "Run JavaScript in the page; logpoints"},
	{"observe", groupSee, "Find elements, state and events without a whole snapshot"},
	{"capture", groupSee, "Snapshots, screenshots, PDF"},
	{"console", groupSee, "Console messages and errors"},
	{"network", groupSee, "Requests, bodies, HAR; block and mock"},
	{"layout", groupSee, "Why an element looks as it does"},
	{"component", groupSee, "Components of the app: tree, props, state, hooks, source"},
	{"tools", groupAct, "Tools that the page itself declares"},
	{"record", groupSee, "What happened, in one file: to read, to replay, to run again"},
	{"audit", groupSee, "Accessibility, a report of a page; the log of who did what"},
	{"state", groupSee, "State of the app's stores: list, get, watch, change"},
	{"emulation", groupAlter, "Viewport, network, CPU, locale, media; reset"},
	{"trace", groupAlter, "Performance traces and their insights"},
	{"cdp", groupAlter, "Raw DevTools commands"},
}

// nameOfCommand is the annotation that holds a command's name in the catalogue.
const nameOfCommand = "command"

// The order of the reference says more than that of the alphabet.
func init() { cobra.EnableCommandSorting = false }

// addCatalogue adds the catalogue's resources and verbs. The flags of a command are
// made where the command line names it: help of the whole needs none.
func (a *app) addCatalogue(root *cobra.Command) {
	known := make([]string, 0, len(resources))
	for _, r := range resources {
		known = append(known, r.name)
		a.addResource(root, r.name, r.group, r.about)
	}
	for _, name := range catalogue.All.Resources() {
		if !slices.Contains(known, name) {
			a.addResource(root, name, groupMore, "Commands of "+name)
		}
	}
}

func (a *app) addResource(root *cobra.Command, name, group, about string) {
	verbs := catalogue.All.Of(name)
	if len(verbs) == 0 {
		return
	}
	resource := a.asGroup(&cobra.Command{Use: name, Short: about, GroupID: group})
	for _, c := range verbs {
		resource.AddCommand(a.verb(c))
	}
	root.AddCommand(resource)
}

func (a *app) verb(c *catalog.Command) *cobra.Command {
	_, use, _ := strings.Cut(strings.TrimSuffix(usage(c), " [flags]"), " "+c.Resource()+" ")
	made := &cobra.Command{
		Use: use, Short: strings.TrimSuffix(c.Summary, "."), Annotations: map[string]string{nameOfCommand: c.Name},
		Args: cobra.ArbitraryArgs, DisableFlagsInUseLine: true,
	}
	made.RunE = func(*cobra.Command, []string) error { return nil } // without it help would hide it
	if !slices.Contains(a.words, c.Resource()) || !slices.Contains(a.words, c.Verb()) {
		return made
	}
	b := a.bind(c, made.Flags())
	made.RunE = func(command *cobra.Command, args []string) error {
		if err := b.place(args); err != nil {
			return err
		}
		return a.runBound(command.Context(), b)
	}
	for _, p := range b.params {
		values := p.field.Enum
		if p.field.Kind == catalog.Boolean || p.field.Typed {
			continue
		}
		// The flag was just made, so this cannot fail.
		_ = made.RegisterFlagCompletionFunc(p.field.Flag(), completeWith(values))
	}
	if flag := made.Flags().Lookup("output"); flag != nil && !b.own(flag) {
		_ = made.RegisterFlagCompletionFunc("output", completeWith([]string{string(output.JSON), string(output.Text)}))
	}
	made.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) < len(c.Positional) {
			if p := b.param(c.Positional[len(args)]); p != nil {
				return p.field.Enum, cobra.ShellCompDirectiveNoFileComp
			}
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return made
}

// completeWith completes with values, with files where there are none.
func completeWith(values []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if len(values) == 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

func describe(c *catalog.Command) catalog.Description { return c.Describe() }

// describeCommand tells of the catalogue as data.
func (a *app) describeCommand() *cobra.Command {
	tools := false
	made := &cobra.Command{
		Use: "describe [COMMAND]", Short: "List the commands as data, or describe one", GroupID: groupMore, Args: arguments("[COMMAND]"),
		Long:    "List the commands with one line each, or describe one with its schemas,\nexamples and errors, as `dbridge RESOURCE VERB --describe` does.",
		Example: "  dbridge describe\n  dbridge describe page.list",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range catalogue.All {
				names = append(names, c.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	made.Flags().BoolVar(&tools, "tools", false, "with the names of their MCP tools")
	made.RunE = func(command *cobra.Command, args []string) error {
		if len(args) == 1 {
			c, ok := catalogue.All.Find(args[0])
			if !ok {
				return unknownName(args[0])
			}
			return a.printer.Success(describe(c), commandHelp(a.bind(c, newFlags(c))), a.meta)
		}
		var text strings.Builder
		for _, c := range catalogue.All {
			text.WriteString(c.Resource() + " " + c.Verb() + "  " + c.Summary + "\n")
		}
		return a.printer.Success(struct {
			Commands []catalog.Brief `json:"commands"`
		}{catalogue.All.Briefs(tools)}, text.String(), a.meta)
	}
	return made
}

// unknownName is the fault for a name, resource.verb, that is no command.
func unknownName(name string) *fault.Error {
	var names []string
	for _, c := range catalogue.All {
		names = append(names, c.Name)
	}
	f := fault.New(fault.UnknownType, "there is no command %q", name)
	suggestions := []string{"dbridge describe"}
	if near := output.Nearest(name, names); near != "" {
		suggestions = []string{"Did you mean " + near + "?", "dbridge describe " + near, "dbridge describe"}
	}
	return f.Suggest(suggestions...)
}
