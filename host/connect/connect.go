// Package connect is how package client, the public one, gets at the host's own
// packages, which Go keeps to what lies below host/. It promises nothing to programs:
// they import client.
package connect

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os/exec"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// program is what is looked for where a daemon must be started.
const program = "dbridge"

// Fault is the form of all errors that are no context's.
type Fault = fault.Error

// Failed makes a Fault of one of the table's codes.
func Failed(code, message string, suggestions ...string) *Fault {
	f := fault.New(fault.Code(code), "%s", message)
	if len(suggestions) > 0 {
		f.Suggest(suggestions...)
	}
	return f
}

// Options says which daemon, and as whom.
type Options struct {
	Address, Token                        string // over TCP where Address is not empty
	Context, ShareGroup, Profile, Session string
	Program                               string // starts the daemon; dbridge of PATH when empty
	Never                                 bool   // start no daemon
}

// Request is one command.
type Request struct {
	Command   string
	Params    json.RawMessage
	Page      int
	Timeout   time.Duration // the command's own when 0
	Limit     time.Duration // the command's own
	RequestID string
	Lines     bool // its lines are wanted
}

// Way is a way to a daemon that outlives it. Safe for concurrent use; Close it.
type Way struct {
	options Options
	home    *state.Home
	ensure  client.EnsureOptions
	pool    *client.Pool
	remote  *client.Remote // instead of the three above
}

// Open finds the daemon, starting one where none runs and that is allowed.
func Open(ctx context.Context, o Options) (*Way, error) {
	w := &Way{options: o}
	if o.Address != "" {
		choice := url.Values{}
		for name, value := range map[string]string{"profile": o.Profile, "session": o.Session} {
			if value != "" {
				choice.Set(name, value)
			}
		}
		var err error
		w.remote, err = client.NewRemote(o.Address, o.Token, choice)
		return w, err
	}
	home, err := state.Open()
	if err != nil {
		return nil, err
	}
	w.home, w.ensure = home, client.EnsureOptions{Executable: o.Program, Never: o.Never}
	if o.Program == "" {
		w.ensure.Find = find
	}
	known, err := client.Ensure(ctx, home, w.ensure)
	if err != nil {
		return nil, err
	}
	known.Close()
	w.pool = client.NewPool(home, w.ensure)
	return w, nil
}

func find() (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fault.New(fault.DaemonUnavailable, "no daemon runs, and there is no %s in PATH to start one", program).With("reason", client.ReasonNotStarted).Because(err).
			Suggest("Install it: go install github.com/debug-bridge/debug-bridge/host/cmd/dbridge@latest", "Start it by hand: dbridge daemon start")
	}
	return path, nil
}

// Remote reports a way over TCP.
func (w *Way) Remote() bool { return w.remote != nil }

// Close lets the connections go. The daemon stays.
func (w *Way) Close() {
	if w.remote != nil {
		w.remote.Close()
		return
	}
	w.pool.Close()
}

// Run runs a command and gives its envelope, and the daemon's version where it is not
// ours. line gets what comes before. A command under way when its daemon goes is
// INDETERMINATE; it is never sent again. When ctx ends the command is cancelled.
func (w *Way) Run(ctx context.Context, r *Request, line func(value []byte) error) (envelope []byte, other string, err error) {
	asked := &client.RunRequest{
		Command: r.Command, Params: r.Params, Page: r.Page, RequestID: r.RequestID, Lines: r.Lines, Limit: r.Limit,
		TimeoutMs: int((r.Timeout + time.Millisecond - 1) / time.Millisecond),
	}
	each := func(kind string, value []byte) error {
		if kind != "line" || line == nil {
			return nil
		}
		return line(value)
	}
	if w.remote != nil {
		return w.remote.Run(ctx, asked, each)
	}
	asked.Caller = w.caller()
	return w.pool.Run(ctx, asked, false, each)
}

// caller is asked for each command: the working directory may change.
func (w *Way) caller() caller.Caller {
	who := caller.Brief(caller.Flags{ShareGroup: w.options.ShareGroup, Profile: w.options.Profile, Session: w.options.Session})
	if w.options.Context != "" {
		who.ContextEnv = w.options.Context
	}
	return who
}

// Sessions gives the daemon's sessions as JSON: with pages and agents within each over
// the socket; over TCP beside them, each with the name of its session.
func (w *Way) Sessions(ctx context.Context) (json.RawMessage, error) {
	var all json.RawMessage
	if w.remote != nil {
		err := w.remote.Get(ctx, "/v1/overview", &all)
		return all, err
	}
	daemon, err := client.Ensure(ctx, w.home, w.ensure)
	if err != nil {
		return nil, err
	}
	defer daemon.Close()
	return daemon.Known().Raw, nil
}

// Attach says which events are wanted.
type Attach struct {
	Session string
	Since   *uint64
	Epoch   string
	Types   []string
}

// Message is one event of a session's log, or a gap in it.
type Message struct {
	Epoch string // of the daemon that tells it
	Raw   []byte
}

// Events gives events until ctx ends (nil) or the daemon refuses for good. It comes back
// by itself, with its place in the log: no event twice, and what cannot be had is a gap.
// While handle blocks nothing is read.
func (w *Way) Events(ctx context.Context, a Attach, handle func(Message)) error {
	opener := client.LocalOpener(w.home, w.ensure)
	if w.remote != nil {
		opener = w.remote.Open
	}
	epoch := ""
	options := client.AttachOptions{Session: a.Session, Since: a.Since, Epoch: a.Epoch, Types: a.Types}
	err := client.NewStream(opener, options, func(e client.Event) {
		switch {
		case e.Kind != client.Received || e.Local:
		case e.Header.Type == protocol.TypeWelcome:
			epoch = e.Header.Epoch
		case e.Header.Seq > 0 || e.Header.Type == protocol.TypeGap:
			handle(Message{epoch, e.Raw})
		}
	}).Run(ctx)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil
	}
	return err
}
