package prompt

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	keptConsole = 500
	keptErrors  = 100
	promptText  = "dbridge> "
)

// Config of Run.
type Config struct {
	Home     *state.Home
	Options  client.AttachOptions
	Ensure   client.EnsureOptions
	Page     int
	Timeout  time.Duration // for the answers that are waited for
	In       io.Reader
	Out      io.Writer
	Terminal bool // In and Out are a terminal: editing, history, completion
	Color    bool
}

// session is one run of the prompt.
type session struct {
	config  Config
	paint   paint
	stream  *client.Stream
	tracker *client.Tracker
	prefix  string // of requestIds
	failed  func(error)

	outMu sync.Mutex
	out   io.Writer

	mu       sync.Mutex
	count    int
	own      map[string]bool // requestIds not answered yet
	asked    int             // request_state among them
	pages    map[int]protocol.PageInfo
	current  int
	trees    map[int][]protocol.UITreeItem
	console  []protocol.Console
	errors   []protocol.PageError
	welcomed bool
}

// Run reads lines until In ends, quit, or ctx's end. Without a terminal it is
// quiet: each line is answered before the next is read, and nothing else is said.
func Run(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &session{
		config: config, paint: paint(config.Color), out: config.Out, tracker: client.NewTracker(),
		prefix: "p-" + strings.ToLower(rand.Text()[:8]) + "-", failed: func(err error) { cancel(err) },
		own: map[string]bool{}, pages: map[int]protocol.PageInfo{}, trees: map[int][]protocol.UITreeItem{}, current: config.Page,
	}
	s.stream = client.NewStream(client.LocalOpener(config.Home, config.Ensure), config.Options, s.event)
	read, restore, err := s.reader()
	if err != nil {
		return err
	}
	defer restore()
	ended := make(chan error, 1)
	go func() { ended <- s.stream.Run(ctx) }()
	lines := make(chan string)
	go func() {
		defer close(lines)
		for {
			line, err := read()
			if line != "" || err == nil {
				select {
				case lines <- line:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	err = s.loop(ctx, lines, ended)
	cancel(nil)
	return err
}

func (s *session) loop(ctx context.Context, lines <-chan string, ended <-chan error) error {
	leave := func(err error) error {
		s.failed(nil)
		if streamErr := <-ended; err == nil {
			err = streamErr
		}
		return err
	}
	if !s.config.Terminal {
		if over, err := s.wait(ctx, ended, func() bool { return s.isWelcomed() }); over || err != nil {
			if over {
				return err
			}
			return leave(err)
		}
	}
	for {
		select {
		case err := <-ended:
			if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
				err = cause
			}
			return err
		case line, ok := <-lines:
			if !ok {
				return leave(nil)
			}
			if quit := s.line(ctx, line); quit {
				return leave(nil)
			}
			if s.config.Terminal {
				continue
			}
			over, err := s.wait(ctx, ended, func() bool { return s.stream.Queued()+s.tracker.Pending() == 0 })
			if over {
				return err
			}
			if err != nil {
				return leave(err)
			}
		}
	}
}

// wait waits until done, bounded by the timeout. over tells that the stream has ended.
func (s *session) wait(ctx context.Context, ended <-chan error, done func() bool) (over bool, err error) {
	deadline := time.NewTimer(s.config.Timeout)
	defer deadline.Stop()
	for !done() {
		select {
		case err := <-ended:
			if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
				err = cause
			}
			return true, err
		case <-s.tracker.Changed():
		case <-deadline.C:
			return false, fault.New(fault.Timeout, "no answer in %s", s.config.Timeout).Suggest("Wait longer: --timeout MS")
		}
	}
	return false, nil
}

// reader gives a function that reads a line, and one that puts the terminal back.
func (s *session) reader() (read func() (string, error), restore func(), err error) {
	if !s.config.Terminal {
		reader := bufio.NewReader(s.config.In)
		return func() (string, error) { return reader.ReadString('\n') }, func() {}, nil
	}
	restore = func() {}
	size := func() {}
	screen := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{s.config.In, s.config.Out}, s.paint.bold(promptText))
	if file, ok := s.config.In.(*os.File); ok {
		before, err := term.MakeRaw(int(file.Fd()))
		if err != nil {
			return nil, nil, fault.New(fault.InternalError, "the terminal cannot be used: %v", err).Suggest("Use JSON lines: `dbridge attach --json`").Because(err)
		}
		restore = func() { _ = term.Restore(int(file.Fd()), before) }
		size = func() {
			if width, height, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
				_ = screen.SetSize(width, height)
			}
		}
	}
	screen.AutoCompleteCallback = s.complete
	s.out = screen
	return func() (string, error) {
		size()
		line, err := screen.ReadLine()
		if errors.Is(err, term.ErrPasteIndicator) {
			err = nil
		}
		return line, err
	}, restore, nil
}

func (s *session) complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	s.mu.Lock()
	items := s.trees[s.pageLocked()]
	pages := s.pageIDsLocked()
	s.mu.Unlock()
	newLine, newPos, options := completion(line, pos, items, pages)
	if len(options) > 0 {
		s.print(s.paint.dim(strings.Join(options, "  ")))
	}
	return newLine, newPos, true
}

func (s *session) print(text string) {
	s.outMu.Lock()
	defer s.outMu.Unlock()
	if _, err := io.WriteString(s.out, text+"\n"); err != nil {
		s.failed(err)
	}
}

// aside says what nobody asked for; piped, it is kept quiet.
func (s *session) aside(text string) {
	if s.config.Terminal {
		s.print(text)
	}
}

// line does one line. It reports whether to leave.
func (s *session) line(ctx context.Context, text string) bool {
	line, err := Parse(text)
	if err != nil {
		f := fault.From(err)
		s.print(s.paint.failure(&protocol.CommandError{Code: string(f.Code), Message: f.Message, Suggestions: f.Suggestions}))
		return false
	}
	switch {
	case line.Local == "quit":
		return true
	case line.Local != "":
		s.local(line)
	case line.Command != nil:
		s.send(ctx, line.Command)
	case line.Raw != nil:
		s.sendRaw(ctx, line.Raw)
	}
	return false
}

func (s *session) send(ctx context.Context, command *Command) {
	s.mu.Lock()
	command.RequestID = s.newID()
	command.PageID = s.current
	if command.Type == "request_state" {
		s.asked++
	}
	command.Target = sharpen(command.Target, s.trees[s.pageLocked()])
	s.mu.Unlock()
	data, err := encode(command)
	if err != nil {
		s.print(s.paint.red(err.Error()))
		return
	}
	// The only error is the end of everything, which the loop sees too.
	_ = s.stream.Send(ctx, data)
}

func (s *session) sendRaw(ctx context.Context, raw []byte) {
	var about struct {
		RequestID string `json:"requestId"`
	}
	// A requestId that is not a string is the daemon's to refuse.
	_ = json.Unmarshal(raw, &about)
	s.mu.Lock()
	if about.RequestID != "" {
		s.own[about.RequestID] = true
	} else {
		raw = client.WithRaw(raw, "requestId", []byte(`"`+s.newID()+`"`))
	}
	s.mu.Unlock()
	_ = s.stream.Send(ctx, raw)
}

func (s *session) newID() string {
	s.count++
	id := fmt.Sprintf("%s%d", s.prefix, s.count)
	s.own[id] = true
	return id
}

// sharpen makes a text target that is the name of one element of the last tree into its role and name.
func sharpen(target *protocol.Target, items []protocol.UITreeItem) *protocol.Target {
	if target == nil || target.Text == "" {
		return target
	}
	var match *protocol.UITreeItem
	for i := range items {
		if items[i].Name == target.Text {
			if match != nil {
				return target
			}
			match = &items[i]
		}
	}
	if match == nil || match.Role == "" {
		return target
	}
	return &protocol.Target{Role: match.Role, Name: match.Name}
}

func (s *session) local(line Line) {
	s.mu.Lock()
	var out []string
	switch line.Local {
	case "help":
		out = append(out, helpText(s.paint, line.Word))
	case "pages":
		for _, id := range s.pageIDsLocked() {
			out = append(out, s.paint.page(s.pages[id], id == s.pageLocked()))
		}
		if len(out) == 0 {
			out = append(out, noPages)
		}
	case "page":
		if info, ok := s.pages[line.Number]; ok {
			s.current = line.Number
			out = append(out, s.paint.page(info, true))
		} else {
			out = append(out, s.paint.red(fmt.Sprintf("there is no page %d", line.Number))+s.paint.dim("; pages lists them"))
		}
	case "console":
		for _, message := range s.console[max(0, len(s.console)-line.Number):] {
			out = append(out, s.paint.console(message))
		}
		if len(out) == 0 {
			out = append(out, s.paint.dim("no console lines yet"))
		}
	case "errors":
		for _, message := range s.errors[max(0, len(s.errors)-line.Number):] {
			out = append(out, s.paint.pageError(message))
		}
		if len(out) == 0 {
			out = append(out, s.paint.dim("no errors yet"))
		}
	}
	s.mu.Unlock()
	s.print(strings.Join(out, "\n"))
}

const noPages = "No tab is connected. Click Connect in the popup of the Debug Bridge extension."

// pageLocked is the page that commands go to: the chosen one, else the first that is there.
func (s *session) pageLocked() int {
	if s.current != 0 {
		return s.current
	}
	ids := s.pageIDsLocked()
	for _, id := range ids {
		if s.pages[id].Connected {
			return id
		}
	}
	return 0
}

func (s *session) pageIDsLocked() []int {
	ids := make([]int, 0, len(s.pages))
	for id := range s.pages {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (s *session) isWelcomed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.welcomed
}
