package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// rootValues are the flags of the whole program that take a value in the next word.
var rootValues = []string{"--output", "-o", "--fields", "--timeout"}

// catalogued finds the command that the first two words name, without making the
// tree of all commands: a warm command is over in a few milliseconds. Flags before
// the words are put behind them.
func catalogued(args []string) (*catalog.Command, []string, bool) {
	before := 0
	for before < len(args) && strings.HasPrefix(args[before], "-") && args[before] != "--" {
		for _, name := range rootValues {
			if args[before] == name {
				before++
				break
			}
		}
		before++
	}
	if len(args) < before+2 || strings.HasPrefix(args[before+1], "-") {
		return nil, nil, false
	}
	c, ok := command.All.Find(args[before] + "." + args[before+1])
	if !ok || before == 0 {
		return c, args[min(2, len(args)):], ok
	}
	words := append([]string{}, args[:before]...)
	return c, append(words, args[before+2:]...), ok
}

// runCatalogued parses, asks the daemon, and prints.
func (a *app) runCatalogued(ctx context.Context, c *catalog.Command, words []string) error {
	b := a.bind(c, newFlags(c))
	if err := b.parse(words); err != nil {
		return b.explain(err, words)
	}
	return a.runBound(ctx, b)
}

// runBound runs a command whose flags were parsed.
func (a *app) runBound(ctx context.Context, b *bound) error {
	if a.relayed != nil {
		return a.runRelayed(ctx, b)
	}
	if b.shared.help {
		_, _ = a.printer.Write([]byte(commandHelp(b))) // Main looks at stdout's state
		return nil
	}
	if err := a.readCommon(b.flags.Changed("timeout")); err != nil {
		return err
	}
	if b.shared.describe {
		return a.printer.Success(describe(b.command), commandHelp(b), a.meta)
	}
	if err := a.askTyped(ctx, b); err != nil {
		return err
	}
	request, err := a.request(b)
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
	answer, err := runner.Run(ctx, request, a.before(""))
	if err != nil {
		return err
	}
	if other := runner.Other(); other != "" {
		if err := a.mismatch(other, answer); err != nil {
			return err
		}
	}
	return a.render(b.command, answer, "")
}

// readCommon checks the flags that say how the answer is shown.
func (a *app) readCommon(timed bool) error {
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
	if timed && a.timeoutMs <= 0 {
		return fault.New(fault.ValidationError, "--timeout %d is not a time limit", a.timeoutMs).Suggest("Give milliseconds above 0: --timeout 30000")
	}
	a.printer.Fields, a.printer.Debug = fields, a.debug
	return nil
}

// request is what the daemon is asked.
func (a *app) request(b *bound) (*client.RunRequest, error) {
	params, err := b.json(a.stdin)
	if err != nil {
		return nil, err
	}
	request := &client.RunRequest{
		Command: b.command.Name, Params: params, Page: b.shared.page, Verbose: a.verbose,
		RequestID: a.meta.RequestID, Text: a.printer.Format == output.Text, Caller: a.caller(&b.shared), Limit: b.command.TimeLimit(),
	}
	if flag := b.flags.Lookup("timeout"); flag.Changed && !b.own(flag) {
		request.TimeoutMs = a.timeoutMs
	}
	return request, nil
}

// caller is who runs this.
func (a *app) caller(shared *common) caller.Caller {
	flags := caller.Flags{ShareGroup: shared.shareGroup, ContextID: shared.contextID, Profile: shared.profile, Session: shared.session}
	if a.relayed != nil {
		return a.relayed.Caller.With(flags)
	}
	return caller.Brief(flags)
}

// before prints what comes before the answer: lines of a stream as they come,
// progress beside them. prefix is put into the objects of a batch.
func (a *app) before(prefix string) func(kind string, value []byte) error {
	return func(kind string, value []byte) error {
		if kind == "say" {
			if a.verbose || terminal(a.stderr) {
				var text string
				if json.Unmarshal(value, &text) == nil {
					a.printer.Note("%s", pagetext.Line(text))
				}
			}
			return nil
		}
		switch {
		case a.printer.Format == output.Text:
			var text string
			if json.Unmarshal(value, &text) == nil {
				text, _ = pagetext.Lines(text)
				return a.printer.Line([]byte(text))
			}
		case prefix != "":
			return a.printer.Line(append(append(append(append([]byte{}, prefix...), `"line":`...), value...), '}'))
		}
		return a.printer.Line(value)
	}
}

// mismatch tells of a daemon of another version: beside an answer, or instead of a
// refusal, which then means nothing.
func (a *app) mismatch(other string, answer []byte) error {
	var read answered
	if err := json.Unmarshal(answer, &read); err != nil || read.Error != nil &&
		(read.Error.Code == fault.ValidationError || read.Error.Code == fault.UnknownType) {
		return fault.New(fault.VersionMismatch, "the daemon that runs is of version %s, this program of %s", other, version.Version).
			With("daemon", other).With("program", version.Version).
			Suggest("dbridge daemon stop", "Then run the command again: it starts the daemon of this version.")
	}
	a.printer.Note("note: the daemon that runs is of version %s, this program of %s; `dbridge daemon stop` lets the next command start this one", other, version.Version)
	return nil
}

// answered is what is read of an envelope whose bytes are not simply passed on.
type answered struct {
	Data  jsontext.Value  `json:"data"`
	Text  *string         `json:"text"`
	Error *output.Problem `json:"error"`
	Meta  struct {
		RequestID string   `json:"requestId"`
		Retryable bool     `json:"retryable"`
		Warnings  []string `json:"warnings"`
		Stripped  int      `json:"stripped"`
	} `json:"meta"`
}

var (
	beginsWell = []byte(`{"ok":true,"data":`)
	metaMark   = []byte(`"meta":{`)
	warnMark   = []byte(`"warnings":[`)
)

// render prints the daemon's answer. A good one goes out as the bytes it came in.
// The error of a bad one is a *refused: it is printed already.
func (a *app) render(c *catalog.Command, answer []byte, prefix string) error {
	// No quote inside of a value stands bare, so the last mark is the envelope's own.
	tail := answer[max(0, bytes.LastIndex(answer, metaMark)):]
	plain := bytes.HasPrefix(answer, beginsWell) && a.printer.Format == output.JSON && len(a.printer.Fields) == 0
	if plain && !bytes.Contains(tail, warnMark) {
		return a.printer.Line(prefixed(answer, prefix))
	}
	var read answered
	if err := json.Unmarshal(answer, &read, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return fault.New(fault.ProtocolError, "the daemon's answer cannot be read").Because(err)
	}
	for _, warning := range read.Meta.Warnings {
		a.printer.Note("warning: %s", pagetext.Line(warning))
	}
	switch {
	case read.Error != nil && a.printer.Format == output.JSON:
		if err := a.printer.Line(prefixed(answer, prefix)); err != nil {
			return err
		}
		return &refused{known(read.Error)}
	case read.Error != nil:
		return known(read.Error)
	case a.printer.Format == output.Text && read.Text != nil:
		return a.text(c, *read.Text, read.Meta.Stripped)
	case a.printer.Format == output.Text:
		_ = read.Data.Indent() // valid: it was just read
		return a.text(c, string(read.Data), read.Meta.Stripped)
	case len(a.printer.Fields) > 0:
		picked, err := a.printer.Pick(answer, read.Data)
		if err != nil {
			return err
		}
		answer = picked
	}
	return a.printer.Line(prefixed(answer, prefix))
}

// text prints an answer's text. A person at a terminal sees what is the page's; a program
// that reads may be an agent, which is told by a fence.
func (a *app) text(c *catalog.Command, text string, stripped int) error {
	if c.PageText && !terminal(a.stdout) {
		text = pagetext.Fence(text, stripped)
	} else {
		text, _ = pagetext.Lines(text)
	}
	return a.printer.Raw([]byte(text + "\n"))
}

// prefixed puts the number of a batch's line into an envelope.
func prefixed(answer []byte, prefix string) []byte {
	if prefix == "" {
		return answer
	}
	return append([]byte(prefix), answer[1:]...)
}

func known(p *output.Problem) *fault.Error {
	f := fault.New(p.Code, "%s", p.Message).Suggest(p.Suggestions...)
	f.Details = p.Details
	return f
}

// refused is a failure whose envelope was printed; only its exit status is left to give.
type refused struct{ fault *fault.Error }

func (r *refused) Error() string { return r.fault.Error() }
func (r *refused) Unwrap() error { return r.fault }

// explain makes faults of what pflag did not understand.
func (b *bound) explain(err error, words []string) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f
	}
	f = fault.New(fault.ValidationError, "%s", err.Error()).Because(err)
	var suggestions []string
	var unknown *pflag.NotExistError
	var valued *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		f.Message = b.command.Resource() + " " + b.command.Verb() + " has no flag --" + name
		var names []string
		b.flags.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		if near := output.Nearest(name, names); near != "" {
			suggestions = append(suggestions, "Did you mean `dbridge "+b.command.Resource()+" "+b.command.Verb()+" "+corrected(words, "--"+name, "--"+near)+"`?")
		}
	case errors.As(err, &valued):
		f.Message = "--" + valued.GetFlag().Name + " cannot be " + valued.GetValue()
	}
	return f.Suggest(append(suggestions, seeHelp(b.command))...)
}

// corrected is a command line with its first wrong word replaced, quoted for a shell.
func corrected(words []string, wrong, right string) string {
	line := make([]string, len(words))
	done := false
	for i, word := range words {
		line[i] = shellQuote(word)
		if rest, ok := strings.CutPrefix(word, wrong); ok && !done && (rest == "" || rest[0] == '=') {
			line[i], done = right, true
			if rest != "" {
				line[i] += "=" + shellQuote(rest[1:])
			}
		}
	}
	return strings.Join(line, " ")
}

// shellQuote makes a word safe to paste into a shell.
func shellQuote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./_-", r))
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
