package cli

import (
	"context"
	"errors"
	"io"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
)

// Relayed is a command line that the small client (cmd/dbr) passed on to the daemon.
type Relayed struct {
	Args   []string
	Caller caller.Caller // without what the flags say
	// Run runs a command, as client.Runner.Run does.
	Run func(ctx context.Context, request *client.RunRequest, line func(kind string, value []byte) error) ([]byte, error)
}

// errOwnProcess refuses a command line that needs a process of its own.
var errOwnProcess = errors.New("not to be relayed")

// Relay runs a command of the catalogue for another process, which prints what is
// written here and ends with the status. It is not taken when the line is something
// else, or wants what is that process's own: help, a description, its stdin.
func Relay(ctx context.Context, line Relayed, stdout, stderr io.Writer) (status int, taken bool) {
	c, words, ok := catalogued(line.Args)
	if !ok {
		return 0, false
	}
	a := &app{relayed: &line, stdout: stdout, stderr: stderr, words: line.Args, printer: output.New(stdout, stderr)}
	a.meta = newMeta()
	a.early(line.Args)
	err := a.runCatalogued(ctx, c, words)
	if errors.Is(err, errOwnProcess) {
		return 0, false
	}
	return a.finish(ctx, err), true
}

// runRelayed is the end of runBound in the daemon.
func (a *app) runRelayed(ctx context.Context, b *bound) error {
	if b.shared.help || b.shared.describe || b.shared.inputFile != "" || b.typed() != nil {
		return errOwnProcess
	}
	if err := a.readCommon(b.flags.Changed("timeout")); err != nil {
		return err
	}
	request, err := a.request(b)
	if err != nil {
		return err
	}
	answer, err := a.relayed.Run(ctx, request, a.before(""))
	if err != nil {
		return err
	}
	return a.render(b.command, answer, "")
}
