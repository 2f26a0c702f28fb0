package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	catalogue "github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// runCommand runs a list of commands in one process, over one connection.
func (a *app) runCommand() *cobra.Command {
	var shared common
	keepGoing := false
	made := &cobra.Command{
		Use: "run FILE [flags]", Short: "Run a list of commands, one envelope a line", GroupID: groupUse, Args: arguments("FILE"),
		Long: `Run a list of commands in one process, over one connection; - reads stdin.

Each line is one command: as it is typed after dbridge, as a list of those
words, or as an object with "command" and "params". Each answer is one line,
the envelope with the "index" of its command, from 0. The first failure ends
the list and gives its exit status; with --keep-going the list goes on.
Empty lines and lines that begin with # are skipped.`,
		Example: `  dbridge run steps.jsonl
  printf '%s\n' 'page navigate /app' 'observe find --role button' | dbridge run -
  echo '{"command":"runtime.eval","params":{"expression":"1+1"}}' | dbridge run -`,
	}
	f := made.Flags()
	f.SortFlags = false
	f.BoolVar(&keepGoing, "keep-going", false, "go on after a failure")
	f.IntVar(&shared.page, "page", 0, "`id` of the page of commands that name none")
	f.StringVar(&shared.shareGroup, "share-group", "", "share one browser with all who `name` this group")
	f.StringVar(&shared.contextID, "context-id", "", "`id` of the context to use (for operators)")
	f.StringVar(&shared.profile, "profile", "", "user, managed, remote or a `name` of yours")
	f.StringVar(&shared.session, "session", "", "`name` of the session of the user's pages")
	made.RunE = func(command *cobra.Command, args []string) error {
		home, err := state.Open()
		if err != nil {
			return err
		}
		in := a.stdin
		if args[0] != "-" {
			file, err := os.Open(args[0])
			if err != nil {
				return fault.New(fault.FileAccessFailed, "%s cannot be read: %v", args[0], err).With("path", args[0]).Because(err)
			}
			defer file.Close()
			in = file
		}
		b := &batch{app: a, home: home, shared: shared, keepGoing: keepGoing, format: a.printer.Format, fields: a.fieldsFlag, verbose: a.verbose}
		if command.Flags().Changed("timeout") {
			b.timeoutMs = a.timeoutMs
		}
		defer b.close()
		return b.all(command.Context(), in)
	}
	return made
}

// batch is a list of commands on its way.
type batch struct {
	*app
	home      *state.Home
	shared    common
	keepGoing bool
	format    output.Format
	fields    string
	verbose   bool
	timeoutMs int
	runner    *client.Runner
}

func (b *batch) close() {
	if b.runner != nil {
		b.runner.Close()
	}
}

// all runs every line. Its error is the first failure, told already.
func (b *batch) all(ctx context.Context, in io.Reader) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	var first error
	for index := 0; ; {
		line, err := readLine(lines)
		if errors.Is(err, errLong) {
			return fault.New(fault.ValidationError, "line %d is longer than %d bytes", index, maxLine)
		}
		if text := strings.TrimSpace(string(line)); text != "" && text[0] != '#' {
			if failure := b.one(ctx, index, text); failure != nil {
				if first == nil {
					first = failure
				}
				var told *refused
				if !errors.As(failure, &told) || !b.keepGoing || ctx.Err() != nil {
					return failure
				}
			}
			index++
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return fault.New(fault.FileAccessFailed, "the list cannot be read: %v", err).With("path", "stdin").Because(err)
			}
			return first
		}
	}
}

// one runs one line. A failure of the command is told, and comes as *refused.
func (b *batch) one(ctx context.Context, index int, text string) error {
	b.meta = newMeta()
	prefix := `{"index":` + strconv.Itoa(index) + ","
	failure := b.ask(ctx, text, prefix)
	var told *refused
	if failure == nil || errors.As(failure, &told) || b.printer.Broken() != nil {
		return failure
	}
	f := b.explain(ctx, failure)
	var err error
	if b.printer.Format = b.format; b.format == output.Text {
		b.printer.Note("line %d: %s", index, output.Cut(pagetext.Line(text), 120))
		err = b.printer.Failure(f, b.meta)
	} else {
		err = b.printer.FailureLine(f, b.meta, prefix)
	}
	if err != nil {
		return err
	}
	return &refused{f}
}

func (b *batch) ask(ctx context.Context, text, prefix string) error {
	request, err := b.read(text)
	if err != nil {
		return err
	}
	if b.runner == nil {
		if b.runner, err = client.OpenRunner(ctx, b.home, b.ensureOptions()); err != nil {
			return err
		}
	}
	answer, err := b.runner.Run(ctx, request, b.before(prefix))
	if err != nil {
		b.runner.Close() // the next line gets a connection of its own
		b.runner = nil
		return err
	}
	c, ok := catalogue.All.Find(request.Command)
	if !ok { // the daemon's answer says so
		c = &catalog.Command{}
	}
	return b.render(c, answer, prefix)
}

// step is a line written as an object.
type step struct {
	Command   string         `json:"command"`
	Params    jsontext.Value `json:"params"`
	Page      int            `json:"page"`
	TimeoutMs int            `json:"timeoutMs"`
	RequestID string         `json:"requestId"`
}

// read makes a request of a line.
func (b *batch) read(text string) (*client.RunRequest, error) {
	if text[0] == '{' {
		var s step
		if err := json.Unmarshal([]byte(text), &s, json.RejectUnknownMembers(true)); err != nil {
			return nil, fault.New(fault.ValidationError, "the line is no command: %v", err).
				Suggest(`Write {"command":"page.list","params":{}}, ["page","list"] or page list.`)
		}
		c, ok := catalogue.All.Find(s.Command)
		if !ok {
			return nil, unknownName(s.Command)
		}
		if _, err := c.Decode(s.Params); err != nil {
			return nil, err
		}
		request := &client.RunRequest{
			Command: c.Name, Params: []byte(s.Params), Page: s.Page, TimeoutMs: s.TimeoutMs, RequestID: s.RequestID,
			Verbose: b.verbose, Text: b.format == output.Text, Caller: b.caller(&b.shared), Limit: c.TimeLimit(),
		}
		if request.RequestID == "" {
			request.RequestID = b.meta.RequestID
		}
		b.printer.Format = b.format
		return request, b.complete(request, c)
	}
	var words []string
	var err error
	if text[0] == '[' {
		if err := json.Unmarshal([]byte(text), &words); err != nil {
			return nil, fault.New(fault.ValidationError, "the line is no list of words: %v", err).Suggest(`Write ["page","list"].`)
		}
	} else if words, err = splitWords(text); err != nil {
		return nil, err
	}
	if len(words) > 0 && words[0] == "dbridge" {
		words = words[1:]
	}
	c, rest, ok := catalogued(words)
	if !ok {
		name := strings.Join(words[:min(2, len(words))], ".")
		f := unknownName(name)
		f.Message = fmt.Sprintf("%q is no command of the catalogue", output.Cut(strings.ReplaceAll(name, ".", " "), 80))
		return nil, f
	}
	bound := b.bind(c, newFlags(c))
	bound.shared = b.shared
	b.outputFlag, b.fieldsFlag, b.app.verbose = string(b.format), b.fields, b.verbose
	if err := bound.parse(rest); err != nil {
		return nil, bound.explain(err, rest)
	}
	if flag := bound.flags.Lookup("fields"); !flag.Changed {
		b.fieldsFlag = b.fields
	}
	if flag := bound.flags.Lookup("output"); !flag.Changed {
		b.outputFlag = string(b.format)
	}
	if err := b.readCommon(bound.flags.Changed("timeout")); err != nil {
		return nil, err
	}
	request, err := b.request(bound)
	if err != nil {
		return nil, err
	}
	return request, b.complete(request, c)
}

// complete adds what the list says for all its commands.
func (b *batch) complete(request *client.RunRequest, c *catalog.Command) error {
	if request.Page == 0 && (c.Needs == catalog.Page || c.Needs == catalog.Dialog) {
		request.Page = b.shared.page
	}
	if request.TimeoutMs == 0 {
		request.TimeoutMs = b.timeoutMs
	}
	return nil
}

func newFlags(c *catalog.Command) *pflag.FlagSet {
	flags := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	flags.Usage = func() {}
	flags.SetOutput(io.Discard)
	return flags
}

// splitWords splits a line as a shell does: spaces, quotes and backslashes; nothing is expanded.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	open, quote := false, rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			if quote == '"' && r != '"' && r != '\\' {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, open = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			open = true
			word.WriteRune(r)
		}
	}
	if quote != 0 || escaped {
		return nil, fault.New(fault.ValidationError, "a quote in the line is not closed").Suggest(`Write the words as a JSON list: ["runtime","eval","document.title"]`)
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
