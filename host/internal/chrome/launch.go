package chrome

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// launchTimeout is for a cold disk on a busy machine; usually it takes 0.3 s.
const launchTimeout = 30 * time.Second

// LaunchOptions say what to start. Executable and UserDataDir are needed.
type LaunchOptions struct {
	Executable    string
	UserDataDir   string // made when missing; one browser at a time can use it
	Headless      bool
	Width, Height int      // of the window; 0 leaves the browser's own
	Args          []string // further switches
	URL           string   // the first tab; about:blank when empty. To go on from there to another page costs 0.1 s
	NoWindow      bool     // no first tab: Target.createTarget makes it, and what is set up before sees its first document
	Stderr        string   // log file for what the browser writes; "" keeps the last lines only
	Timeout       time.Duration
	NoSandbox     *bool    // nil: only as root on Linux, where Chromium does not start otherwise
	Env           []string // added to this process's environment
}

// Launch starts a Chrome and waits until it answers.
func Launch(ctx context.Context, o LaunchOptions) (*Process, error) {
	if flag := reservedIn(o.Args); flag != "" {
		return nil, fault.New(fault.ValidationError, "the browser switch %s is set by Debug Bridge itself", flag).With("argument", flag).
			Suggest("Leave " + flag + " out.")
	}
	dir, err := profile(o.UserDataDir)
	if err != nil {
		return nil, err
	}
	o.UserDataDir = dir
	if o.Timeout <= 0 {
		o.Timeout = launchTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.Timeout, errNoAnswer)
	defer cancel()
	p, err := start(o)
	if err != nil {
		return nil, err
	}
	if err := p.greet(ctx); err != nil {
		return nil, p.failed(o, err)
	}
	return p, nil
}

var (
	errNoAnswer = errors.New("it did not answer in time")
	errGarbage  = errors.New("it answered with something that is not DevTools")
)

// start runs the program. From here on, its goroutine waits for its end.
func start(o LaunchOptions) (*Process, error) {
	p := &Process{dir: o.UserDataDir, done: make(chan struct{}), started: time.Now()}
	p.cmd = exec.Command(o.Executable, thisMachine().arguments(o)...)
	p.cmd.Env = readable(append(os.Environ(), o.Env...))
	p.cmd.Dir = o.UserDataDir // not a folder that the browser would keep in use
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, notStarted(o, err)
	}
	defer writer.Close()
	p.cmd.Stderr = writer
	if p.stderr, err = newTail(reader, o.Stderr); err != nil {
		_ = reader.Close()
		return nil, fault.New(fault.FileAccessFailed, "the log file of the browser cannot be written: %s", err).With("path", o.Stderr).Because(err)
	}
	channel, err := openChannel(p.cmd)
	if err != nil {
		_ = writer.Close()
		p.stderr.finish(drainGrace)
		return nil, notStarted(o, err)
	}
	p.group, err = startGroup(p.cmd)
	channel.started()
	if err != nil {
		channel.close()
		_ = writer.Close()
		p.stderr.finish(drainGrace)
		return nil, notStarted(o, err)
	}
	p.identity = identify(p.cmd.Process.Pid)
	p.transport = channel.transport(p)
	go p.reap()
	return p, nil
}

// greetID is far from the ids that a connection counts from 1.
const greetID = 1<<31 - 1

// greet asks for the version, so that a Process is a browser that answers.
func (p *Process) greet(ctx context.Context) error {
	answered := make(chan error, 1)
	go func() { answered <- p.exchange() }()
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
		// The transport's end lets the exchange end.
		_ = p.transport.Close()
		<-answered
		return context.Cause(ctx)
	}
}

func (p *Process) exchange() error {
	if err := p.transport.Write([]byte(`{"id":2147483647,"method":"Browser.getVersion"}`)); err != nil {
		return err
	}
	message, err := p.transport.Read()
	if err != nil {
		return err
	}
	var answer struct {
		ID     int `json:"id"`
		Result struct {
			Product string `json:"product"`
		} `json:"result"`
	}
	if err := json.Unmarshal(message, &answer); err != nil || answer.ID != greetID || answer.Result.Product == "" {
		return errGarbage
	}
	p.product = answer.Result.Product
	return nil
}

// failed ends a browser that did not come up, and says why.
func (p *Process) failed(o LaunchOptions, cause error) error {
	ended := false
	if !errors.Is(cause, errNoAnswer) && !errors.Is(cause, errGarbage) && !errors.Is(cause, context.Canceled) {
		// The pipe ends a moment before the process does.
		ended = p.wait(context.Background(), drainGrace)
	}
	stop, cancel := context.WithCancel(context.Background())
	cancel() // nothing to save in a browser that never was
	if err := p.Stop(stop); err != nil {
		cause = errors.Join(cause, err)
	}
	words := p.stderr.last()
	failure := fault.New(fault.BrowserLaunchFailed, "%s was started, but %s", filepath.Base(o.Executable), cause).Because(cause).With("reason", "no_answer")
	switch {
	case ended:
		p.mu.Lock()
		failure = fault.New(fault.BrowserLaunchFailed, "%s was started, but %s before it answered", filepath.Base(o.Executable), p.exit).Because(cause).With("reason", "exited")
		p.mu.Unlock()
	case errors.Is(cause, errGarbage):
		failure.With("reason", "garbage")
	case errors.Is(cause, context.Canceled):
		return fault.New(fault.Cancelled, "the start of the browser was cancelled").Because(cause)
	}
	failure.With("path", o.Executable).With("userDataDir", o.UserDataDir)
	if words != "" {
		failure.With("stderr", words)
		failure.Message += "; its last words: " + lastLine(words)
	}
	for _, hint := range hints {
		if strings.Contains(words, hint.says) {
			return failure.With("reason", hint.reason).Suggest(hint.suggestion)
		}
	}
	return failure.Suggest("See `details.stderr` for what it said, and try it by hand: `" + o.Executable + " --version`")
}

func lastLine(words string) string { return words[strings.LastIndexByte(words, '\n')+1:] }

func notStarted(o LaunchOptions, cause error) error {
	return fault.New(fault.BrowserLaunchFailed, "%s cannot be started: %s", o.Executable, cause).Because(cause).
		With("reason", "not_started").With("path", o.Executable).Suggest("Run `dbridge doctor`.")
}

// hints are what Chrome says on stderr when it cannot start, and what helps.
var hints = []struct{ says, reason, suggestion string }{
	{"Missing X server", "no_display", "There is no screen here: start it headless (`--headless`)."},
	{"cannot open display", "no_display", "There is no screen here: start it headless (`--headless`)."},
	{"No usable sandbox", "sandbox", "This system does not let Chromium make its sandbox: allow unprivileged user namespaces (`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`)."},
	{"Running as root without --no-sandbox", "sandbox", "Run it as another user than root."},
	{"error while loading shared libraries", "missing_library", "Install the missing library, or the browser from your system's packages."},
	{"profile appears to be in use", "profile_in_use", "Another Chrome uses this profile: close it, or use another profile directory."},
	{"Opening in existing browser session", "profile_in_use", "Another Chrome uses this profile: close it, or use another profile directory."},
	{"Failed to create a ProcessSingleton", "profile_in_use", "Another Chrome uses this profile: close it, or use another profile directory."},
	{"No space left on device", "disk_full", "The disk is full: free some space."},
}
