package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	// maxLine is the most the daemon can be configured to take.
	maxLine = 32 << 20
	// settle is how long a listener without commands listens after the last
	// message, once its stdin has ended: no message says that there are no more.
	settle = 250 * time.Millisecond
	// maxSince is the largest integer that JSON readers keep exact.
	maxSince = 1<<53 - 1
)

type attachFlags struct {
	json, repl                    bool
	session, since, epoch, filter string
	page                          int
}

func (a *app) attachCommand() *cobra.Command {
	var flags attachFlags
	command := &cobra.Command{
		Use:   "attach [flags]",
		Short: "Look at and drive the connected tabs, live",
		Long: `Look at and drive the connected tabs, live.

On a terminal it is a prompt for people (type help there). Otherwise, or with
--json, each line of stdin is one command and each message one line of stdout.
It comes back by itself after restarts of the daemon and the browser, misses
nothing unsaid and never sends a command twice. It ends when stdin ends and
the results are there.`,
		Example: `  dbridge attach
  echo '{"type":"request_ui_tree","requestId":"t1"}' | dbridge attach --json
  dbridge attach --json --since 120 --epoch 5f3a… --types console,error`,
		GroupID: groupUse,
		Args:    arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return a.attach(command.Context(), flags, command.Flags().Changed("since"))
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.BoolVar(&flags.json, "json", false, "JSON lines in and out, on a terminal too")
	f.BoolVar(&flags.repl, "repl", false, "the prompt, without a terminal too")
	f.StringVar(&flags.session, "session", protocol.DefaultSession, "`name` of the session")
	f.StringVar(&flags.since, "since", "", "replay the log after this `seq` first; 0 is all of it")
	f.StringVar(&flags.epoch, "epoch", "", "`epoch` that --since belongs to, from welcome")
	f.StringVar(&flags.filter, "types", "", "only messages of these `types`: console,error")
	f.IntVar(&flags.page, "page", 0, "`id` of the page that commands without one are for")
	return command
}

func (f attachFlags) options(sinceGiven bool) (client.AttachOptions, error) {
	options := client.AttachOptions{Session: f.session, Epoch: f.epoch}
	if f.json && f.repl {
		return options, fault.New(fault.ValidationError, "--json and --repl exclude each other").Suggest("Give one of them.")
	}
	if f.page < 0 {
		return options, fault.New(fault.ValidationError, "--page %d is not a page", f.page).Suggest("Use a pageId from `welcome` or `hello`.")
	}
	if sinceGiven {
		since, err := strconv.ParseUint(f.since, 10, 64)
		if err != nil || since > maxSince {
			return options, fault.New(fault.ValidationError, "--since %q is not a whole number from 0 to 2^53-1", f.since).Suggest("Give the seq of the last message you have: --since 120 --epoch EPOCH")
		}
		if since > 0 && f.epoch == "" {
			return options, fault.New(fault.ValidationError, "--since above 0 needs --epoch").Suggest("Give the epoch from the welcome that seq belongs to: --since " + f.since + " --epoch EPOCH")
		}
		options.Since = &since
	} else if f.epoch != "" {
		return options, fault.New(fault.ValidationError, "--epoch belongs to --since").Suggest("Give both: --since SEQ --epoch " + f.epoch)
	}
	for name := range strings.SplitSeq(f.filter, ",") {
		if name = strings.TrimSpace(name); name != "" {
			options.Types = append(options.Types, name)
		}
	}
	return options, nil
}

func (a *app) attach(ctx context.Context, flags attachFlags, sinceGiven bool) error {
	options, err := flags.options(sinceGiven)
	if err != nil {
		return err
	}
	home, err := state.Open()
	if err != nil {
		return err
	}
	onTerminal := terminal(a.stdin) && terminal(a.stdout)
	if flags.json || (!flags.repl && !onTerminal) {
		return a.attachJSON(ctx, home, options, flags.page)
	}
	if a.deps.Prompt == nil {
		return fault.New(fault.InternalError, "this build has no prompt")
	}
	return a.deps.Prompt(ctx, PromptRequest{
		Home: home, Options: options, Ensure: a.ensureOptions(), Page: flags.page, Timeout: a.timeout(),
		In: a.stdin, Out: a.printer, Terminal: onTerminal, Color: onTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	})
}

// errEnded ends a stream that has done its work.
var errEnded = errors.New("ended")

func (a *app) attachJSON(ctx context.Context, home *state.Home, options client.AttachOptions, page int) error {
	parent := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tracker := client.NewTracker()
	stream := client.NewStream(client.LocalOpener(home, a.ensureOptions()), options, func(event client.Event) {
		switch event.Kind {
		case client.Received:
			if err := a.printer.Line(event.Raw); err != nil {
				cancel(err)
			}
		case client.Lost:
			a.say("connection lost (%v); coming back", event.Err)
		case client.Connected:
			a.say("connected")
		}
		tracker.Event(event)
	})
	eof := make(chan error, 1)
	go func() { eof <- sendLines(ctx, a.stdin, stream, page) }()
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		cancel(finish(ctx, eof, stream, tracker, options.Since != nil, a.timeout()))
	}()
	err := stream.Run(ctx)
	cancel(errEnded)
	<-finished
	if err != nil {
		return err
	}
	if parent.Err() != nil {
		return nil // Ctrl-C is a way to end, not an error
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, errEnded) {
		cause = nil
	}
	if lost := tracker.Lost(); cause == nil && lost > 0 {
		return fault.New(fault.Indeterminate, "%d commands were sent to a daemon that ended; nobody knows whether they ran", lost).With("commands", lost)
	}
	return cause
}

// sendLines gives each line of in to the stream, until in ends.
func sendLines(ctx context.Context, in io.Reader, stream *client.Stream, page int) error {
	reader := bufio.NewReaderSize(in, 64<<10)
	var pageID []byte
	if page > 0 {
		pageID = strconv.AppendInt(nil, int64(page), 10)
	}
	for {
		line, err := readLine(reader)
		if errors.Is(err, errLong) {
			stream.Refuse(fault.New(fault.ValidationError, "a line of more than %d bytes was not sent", maxLine))
			continue
		}
		if line = bytes.Trim(line, " \t\r"); len(line) > 0 {
			if pageID != nil {
				line = client.WithRaw(line, "pageId", pageID)
			}
			if err := stream.Send(ctx, line); err != nil {
				return nil // the stream has ended, and knows why
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
				return nil
			}
			return fault.New(fault.FileAccessFailed, "stdin cannot be read: %v", err).With("path", "stdin").Because(err)
		}
	}
}

var errLong = errors.New("line too long")

// readLine reads one line without its end. Of one that is too long nothing is kept.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := reader.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxLine+1 {
			long, line = true, nil
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && err == nil {
			return nil, errLong
		}
		return bytes.TrimSuffix(line, []byte("\n")), err
	}
}

// finish waits for the end of stdin, and then until all is answered. Its value is why the stream shall end.
func finish(ctx context.Context, eof <-chan error, stream *client.Stream, tracker *client.Tracker, replay bool, limit time.Duration) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-eof:
		if err != nil {
			return err
		}
	}
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	quiet := time.NewTimer(settle)
	defer quiet.Stop()
	calm := false
	for {
		welcomed, replayed := tracker.Welcomed()
		open := stream.Queued() + tracker.Pending()
		if welcomed && open == 0 && (replayed || !replay || calm) && (tracker.Sent() > 0 || calm) {
			return errEnded
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tracker.Changed():
			calm = false
			quiet.Reset(settle)
		case <-quiet.C:
			calm = true
		case <-deadline.C:
			return fault.New(fault.Timeout, "stdin ended, and after %s %d commands have no result", limit, open).
				With("commands", open).Suggest("Wait longer: --timeout MS", "Or keep stdin open until the results are there.")
		}
	}
}
