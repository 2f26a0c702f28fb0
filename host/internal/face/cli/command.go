package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// catalogued finds the command that the first two words name, without making the
// tree of all commands: a warm command is over in a few milliseconds.
func catalogued(args []string) (*catalog.Command, bool) {
	if len(args) < 2 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[1], "-") {
		return nil, false
	}
	return command.All.Find(args[0] + "." + args[1])
}

// common are the flags that every command of the catalogue has.
type common struct {
	page       int
	shareGroup string
	contextID  string
	profile    string
	session    string
	inputFile  string
	describe   bool
	help       bool
}

// runCatalogued parses, asks the daemon, and prints.
func (a *app) runCatalogued(ctx context.Context, c *catalog.Command, args []string) error {
	flags := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	flags.SortFlags = false
	flags.Usage = func() {}
	flags.SetOutput(noteWriter{a.printer})
	var shared common
	values := flagsOf(c, flags)
	flags.IntVar(&shared.page, "page", 0, "page to act on; the current one without it")
	flags.IntVar(&a.timeoutMs, "timeout", int(c.TimeLimit().Milliseconds()), "time limit in ms")
	flags.StringVarP(&a.outputFlag, "output", "o", string(output.JSON), "answer as json or text")
	flags.StringVar(&a.fieldsFlag, "fields", "", "keep only these fields of the answer: a,b.c")
	flags.StringVar(&shared.inputFile, "input-file", "", "parameters as a JSON object from a file, - for stdin")
	flags.StringVar(&shared.shareGroup, "share-group", "", "share a browser context with everyone who names this group")
	flags.StringVar(&shared.contextID, "context-id", "", "use this context (for operators)")
	flags.StringVar(&shared.profile, "profile", "", "user, managed, remote or a profile of yours")
	flags.StringVar(&shared.session, "session", "", "session of the pages")
	flags.BoolVar(&shared.describe, "describe", false, "tell schemas, examples and errors instead of running")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "say more")
	flags.BoolVar(&a.debug, "debug", false, "say the causes of errors on stderr")
	flags.BoolVarP(&shared.help, "help", "h", false, "help of this command")
	if err := flags.Parse(args); err != nil {
		return err
	}
	params, err := collect(c, flags, values, shared.inputFile, a)
	if err != nil {
		return err
	}
	home, err := state.Open()
	if err != nil {
		return err
	}
	runner, err := client.OpenRunner(ctx, home, a.ensureOptions())
	if err != nil {
		return err
	}
	defer runner.Close()
	cwd, _ := os.Getwd() // one part of several that tell callers apart
	request := &client.RunRequest{
		Command: c.Name, Params: params, Page: shared.page, Verbose: a.verbose,
		RequestID: a.meta.RequestID, Text: a.outputFlag == string(output.Text),
		Caller: caller.Caller{
			ContextEnv: os.Getenv("DBRIDGE_CONTEXT_ID"), ShareGroup: shared.shareGroup, ContextID: shared.contextID,
			Profile: shared.profile, Session: shared.session, Pid: os.Getpid(), Cwd: cwd,
		},
	}
	if flags.Changed("timeout") {
		request.TimeoutMs = a.timeoutMs
	}
	answer, err := runner.Run(ctx, request, func(string, json.RawMessage) {})
	if err != nil {
		return err
	}
	var head struct {
		OK    bool            `json:"ok"`
		Text  *string         `json:"text"`
		Error *output.Problem `json:"error"`
	}
	if err := json.Unmarshal(answer, &head); err != nil {
		return fault.New(fault.ProtocolError, "the daemon's answer cannot be read").Because(err)
	}
	if head.Error != nil {
		f := fault.New(head.Error.Code, "%s", head.Error.Message).Suggest(head.Error.Suggestions...)
		f.Details = head.Error.Details
		return f
	}
	if head.Text != nil {
		return a.printer.Raw([]byte(*head.Text + "\n"))
	}
	return a.printer.Line(answer)
}

// flagsOf makes a flag of each parameter.
func flagsOf(c *catalog.Command, flags *pflag.FlagSet) map[string]any {
	values := make(map[string]any)
	for _, f := range c.Fields() {
		switch f.Kind {
		case catalog.Boolean:
			values[f.Name] = flags.Bool(f.Flag(), false, f.Doc)
		case catalog.Integer:
			values[f.Name] = flags.Int64(f.Flag(), 0, f.Doc)
		case catalog.Number:
			values[f.Name] = flags.Float64(f.Flag(), 0, f.Doc)
		case catalog.Strings:
			values[f.Name] = flags.StringArray(f.Flag(), nil, f.Doc)
		default:
			values[f.Name] = flags.String(f.Flag(), "", f.Doc)
		}
	}
	return values
}

// collect puts flags and arguments into the parameters' JSON.
func collect(c *catalog.Command, flags *pflag.FlagSet, values map[string]any, _ string, _ *app) (json.RawMessage, error) {
	params := make(map[string]any)
	fields := c.Fields()
	for _, f := range fields {
		if !flags.Changed(f.Flag()) {
			continue
		}
		if f.Kind == catalog.JSON {
			text := *values[f.Name].(*string)
			if !json.Valid([]byte(text)) {
				return nil, fault.New(fault.ValidationError, "--%s is no JSON", f.Flag())
			}
			params[f.Name] = json.RawMessage(text)
			continue
		}
		params[f.Name] = values[f.Name]
	}
	args := flags.Args()
	for _, name := range c.Positional {
		for _, f := range fields {
			if f.Name != name || len(args) == 0 {
				continue
			}
			switch f.Kind {
			case catalog.Strings:
				params[name], args = args, nil
				continue
			case catalog.Integer:
				number, err := strconv.Atoi(args[0])
				if err != nil {
					return nil, fault.New(fault.ValidationError, "%s must be a whole number, not %q", name, args[0])
				}
				params[name] = number
			default:
				params[name] = args[0]
			}
			args = args[1:]
		}
	}
	if len(args) > 0 {
		return nil, fault.New(fault.ValidationError, "%q is one argument too many", args[0])
	}
	data, err := json.Marshal(params)
	if err != nil {
		return nil, errors.Join(err)
	}
	return data, nil
}
