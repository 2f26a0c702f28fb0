// Package cli is the command line: it parses, calls, and renders. Answers go
// to stdout through package output, one envelope each; exit statuses come from
// the fault table. Main runs in process, so tests drive the whole of it.
package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// Report is an answer that knows its words for people.
type Report interface{ Text() string }

// SetupOptions of install and uninstall.
type SetupOptions struct {
	Browser string
	Dir     string
	System  bool
	DryRun  bool
	// Show gets the plan before anything is done; nil in JSON format.
	Show func(Report)
	// Stop ends the running daemon and says whether there was one.
	Stop func(context.Context) (bool, error)
}

// PromptRequest is what the interactive prompt gets.
type PromptRequest struct {
	Home     *state.Home
	Options  client.AttachOptions
	Ensure   client.EnsureOptions
	Page     int
	Timeout  time.Duration
	In       io.Reader
	Out      io.Writer // stdout, through package output
	Terminal bool      // In and Out are a terminal
	Color    bool
}

// Deps are the parts that the command line does not know: main gives them.
type Deps struct {
	RunDaemon func(ctx context.Context, home *state.Home) error
	Prompt    func(ctx context.Context, request PromptRequest) error
	MCP       func(ctx context.Context, request MCPRequest) error
	Install   func(ctx context.Context, home *state.Home, options SetupOptions) (Report, error)
	Uninstall func(ctx context.Context, home *state.Home, options SetupOptions) (Report, error)
	// Doctor gives its report, and an error for the first hop that is broken.
	Doctor func(ctx context.Context, home *state.Home) (Report, error)
	// Executable that is started as the daemon; this program when empty.
	Executable string
}

const (
	exitOK         = 0
	defaultTimeout = 30_000
)

// app is one run of the program.
type app struct {
	deps    Deps
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	printer *output.Printer
	meta    output.Meta
	words   []string // the command line
	relayed *Relayed // set in the daemon, for the small client

	outputFlag string
	fieldsFlag string
	verbose    bool
	debug      bool
	timeoutMs  int
}

// Main runs the program and gives its exit status.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, deps Deps) (status int) {
	a := &app{deps: deps, stdin: stdin, stdout: stdout, stderr: stderr, words: args, printer: output.New(stdout, stderr)}
	a.meta = newMeta()
	a.early(args)
	defer func() {
		if p := recover(); p != nil {
			if a.printer.Debug {
				a.printer.Note("%s", debug.Stack())
			}
			status = a.fail(fault.New(fault.InternalError, "a fault in dbridge itself: %v", p))
		}
	}()
	if c, words, ok := catalogued(args); ok {
		return a.finish(ctx, a.runCatalogued(ctx, c, words))
	}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(a.printer)
	root.SetErr(noteWriter{a.printer})
	return a.finish(ctx, root.ExecuteContext(ctx))
}

// finish tells of an error and gives the exit status.
func (a *app) finish(ctx context.Context, err error) int {
	if broken := a.printer.Broken(); broken != nil {
		return a.deaf(broken)
	}
	var told *refused
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &told):
		return told.fault.Exit()
	}
	return a.fail(a.explain(ctx, err))
}

// newMeta names a command line.
func newMeta() output.Meta {
	return output.Meta{RequestID: "c" + strings.ToLower(rand.Text()[:12]), Started: time.Now()}
}

// early reads what errors of parsing are shown by.
func (a *app) early(args []string) {
	for i, arg := range args {
		value, isOutput := strings.CutPrefix(arg, "--output=")
		switch {
		case arg == "--":
			return
		case (arg == "--output" || arg == "-o") && i+1 < len(args):
			value, isOutput = args[i+1], true
		case arg == "--debug":
			a.printer.Debug = true
		}
		if isOutput && value == string(output.Text) {
			a.printer.Format = output.Text
		}
	}
}

func (a *app) fail(f *fault.Error) int {
	if err := a.printer.Failure(f, a.meta); err != nil {
		if status := a.deaf(err); status != exitOK {
			return status
		}
	}
	return f.Exit()
}

// deaf is the status when stdout cannot be written: nothing is wrong when its reader just went away.
func (a *app) deaf(err error) int {
	if output.IsClosedPipe(err) {
		return exitOK
	}
	f := fault.New(fault.FileAccessFailed, "stdout cannot be written: %v", err)
	a.printer.Note("error: %s", f.Message)
	return f.Exit()
}

func (a *app) explain(ctx context.Context, err error) *fault.Error {
	var known *fault.Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Timeout, "not done in %d ms", a.timeoutMs).Suggest("Give it more: --timeout MS")
	case ctx.Err() != nil:
		return fault.New(fault.Cancelled, "interrupted")
	}
	return fault.From(err)
}

// run is a command's body: data for JSON, text for people.
type run func(ctx context.Context, args []string) (data any, text string, err error)

// answer makes a body into what cobra runs. The body's time is bounded by --timeout where that was given.
func (a *app) answer(body run) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		ctx := command.Context()
		if command.Flags().Changed("timeout") {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, a.timeout())
			defer cancel()
		}
		data, text, err := body(ctx, args)
		if err != nil {
			return err
		}
		return a.printer.Success(data, text, a.meta)
	}
}

func (a *app) timeout() time.Duration { return time.Duration(a.timeoutMs) * time.Millisecond }

func (a *app) ensureOptions() client.EnsureOptions {
	return client.EnsureOptions{Executable: a.deps.Executable}
}

// say tells more on stderr, with --verbose.
func (a *app) say(format string, args ...any) {
	if a.verbose || a.debug {
		a.printer.Note("%s", pagetext.Line(fmt.Sprintf(format, args...)))
	}
}

// terminal reports whether v is a terminal.
func terminal(v any) bool {
	file, ok := v.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// noteWriter sends what cobra has to say to stderr.
type noteWriter struct{ printer *output.Printer }

func (w noteWriter) Write(data []byte) (int, error) {
	w.printer.Note("%s", strings.TrimSuffix(string(data), "\n"))
	return len(data), nil
}
