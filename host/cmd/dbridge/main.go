// Command dbridge is Debug Bridge: the command line, the daemon, and the
// native messaging host that Chrome starts. Here the mode is picked and the
// parts are named to each other; nothing else.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/debug-bridge/debug-bridge/host/internal/face/cli"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	// Before any flag is parsed: Chrome's arguments are not ours to choose.
	if origin, ok := nativeHost(args); ok {
		return hostMain(origin)
	}
	ctx, stop := signal.NotifyContext(context.Background(), endSignals...)
	defer stop()
	// The second Ctrl-C ends a program that does not heed the first.
	context.AfterFunc(ctx, stop)
	quietPipe()
	return cli.Main(ctx, args, os.Stdin, os.Stdout, os.Stderr, parts())
}
