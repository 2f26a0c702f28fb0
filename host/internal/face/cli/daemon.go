package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

func (a *app) daemonCommand() *cobra.Command {
	group := a.asGroup(&cobra.Command{
		Use:     "daemon",
		Short:   "Start, stop and look at the daemon",
		Long:    "Start, stop and look at the daemon.\n\nIt is started on demand by whoever needs it and ends when nobody is\nconnected for a while, so this is rarely needed.",
		GroupID: groupUse,
	})
	lines, follow := 0, false
	logs := &cobra.Command{
		Use:     "logs [flags]",
		Short:   "Show the daemon's log",
		Args:    arguments(),
		Example: "  dbridge daemon logs -n 50 --output text\n  dbridge daemon logs -f",
		RunE: func(command *cobra.Command, _ []string) error {
			return a.daemonLogs(command.Context(), lines, follow)
		},
	}
	logs.Flags().IntVarP(&lines, "lines", "n", 100, "show the last lines")
	logs.Flags().BoolVarP(&follow, "follow", "f", false, "go on showing new lines, as they are")
	group.AddCommand(
		&cobra.Command{
			Use: "start", Short: "Start the daemon, unless it runs", Args: arguments(),
			Example: "  dbridge daemon start\n  DBRIDGE_PORT=9300 dbridge daemon start",
			RunE:    a.answer(a.daemonStart),
		},
		&cobra.Command{
			Use: "stop", Short: "Stop the daemon; agents are told to come back", Args: arguments(),
			RunE: a.answer(a.daemonStop),
		},
		&cobra.Command{
			Use: "status", Short: "Say where the daemon listens and who is connected", Args: arguments(),
			Example: "  dbridge daemon status --fields pid,url",
			RunE:    a.answer(a.daemonStatus),
		},
		logs,
		&cobra.Command{
			Use: "run", Short: "Be the daemon, in this process", Args: arguments(), Hidden: true,
			RunE: func(command *cobra.Command, _ []string) error { return a.daemonRun(command.Context()) },
		},
	)
	return group
}

func (a *app) daemonRun(ctx context.Context) error {
	if a.deps.RunDaemon == nil {
		return fault.New(fault.InternalError, "this build has no daemon")
	}
	home, err := state.Open()
	if err != nil {
		return err
	}
	return a.deps.RunDaemon(ctx, home)
}

func (a *app) daemonStart(ctx context.Context, _ []string) (any, string, error) {
	home, err := state.Open()
	if err != nil {
		return nil, "", err
	}
	started := false
	options := a.ensureOptions()
	options.Started = &started
	c, err := client.Ensure(ctx, home, options)
	if err != nil {
		return nil, "", err
	}
	defer c.Close()
	status := c.Known()
	a.noteSkew(status)
	text := "The daemon runs already"
	if started {
		text = "The daemon runs"
	}
	data, err := withStarted(status.Raw, started)
	return data, fmt.Sprintf("%s (process %d) and listens at %s", text, status.Pid, status.URL), err
}

// withStarted adds to the status whether this call made the daemon run.
func withStarted(raw json.RawMessage, started bool) (json.RawMessage, error) {
	value, err := json.Marshal(started)
	if err != nil {
		return nil, err
	}
	return client.WithRaw(raw, "started", value), nil
}

func (a *app) noteSkew(status *client.Status) {
	if status.Version != version.Version {
		a.printer.Note("note: the daemon is version %s, this program %s; to change over: dbridge daemon stop && dbridge daemon start", pagetext.Line(status.Version), version.Version)
	}
}

func (a *app) daemonStop(ctx context.Context, _ []string) (any, string, error) {
	home, err := state.Open()
	if err != nil {
		return nil, "", err
	}
	stopped, pid, err := stopDaemon(ctx, home)
	if err != nil {
		return nil, "", err
	}
	data := struct {
		Stopped bool `json:"stopped"`
		Pid     int  `json:"pid,omitempty"`
	}{stopped, pid}
	if !stopped {
		return data, "No daemon is running.", nil
	}
	return data, fmt.Sprintf("The daemon (process %d) has stopped.", pid), nil
}

// stopDaemon ends the running daemon. None running is no error: it is what was wanted.
func stopDaemon(ctx context.Context, home *state.Home) (stopped bool, pid int, err error) {
	c, err := client.Dial(ctx, home)
	if err != nil {
		if f := fault.From(err); f.Code == fault.DaemonUnavailable && f.Details["reason"] == client.ReasonNotRunning {
			return false, 0, nil
		}
		return false, 0, err
	}
	defer c.Close()
	return true, c.Known().Pid, c.Stop(ctx)
}

func (a *app) daemonStatus(ctx context.Context, _ []string) (any, string, error) {
	home, err := state.Open()
	if err != nil {
		return nil, "", err
	}
	c, err := client.Dial(ctx, home)
	if err != nil {
		return nil, "", err
	}
	defer c.Close()
	status := c.Known()
	a.noteSkew(status)
	return status.Raw, statusText(status), nil
}

func statusText(status *client.Status) string {
	var b strings.Builder
	fmt.Fprintf(&b, "running   process %d, version %s, since %s\n", status.Pid, status.Version, status.StartedAt)
	fmt.Fprintf(&b, "agents    %s\n", status.URL)
	fmt.Fprintf(&b, "socket    %s\n", status.Socket)
	var more struct {
		Browsers []struct{ Name, Browser string } `json:"browsers"`
	}
	// An older daemon does not tell about browsers; the rest stands.
	if err := json.Unmarshal(status.Raw, &more); err == nil && more.Browsers != nil {
		names := []string{}
		for _, browser := range more.Browsers {
			names = append(names, pagetext.Line(strings.TrimSpace(browser.Browser+" "+browser.Name)))
		}
		if len(names) == 0 {
			names = append(names, "none connected")
		}
		fmt.Fprintf(&b, "browsers  %s\n", strings.Join(names, ", "))
	}
	return b.String()
}

// reload tells a running daemon about a change at once; without one, and when it is slow, it notices by itself.
func (a *app) reload(ctx context.Context, home *state.Home) {
	c, err := client.Dial(ctx, home)
	if err == nil {
		defer c.Close()
		err = c.Reload(ctx)
	}
	if err != nil && !errors.Is(err, &fault.Error{Code: fault.DaemonUnavailable}) {
		a.say("the daemon was not told: %v", err)
	}
}
