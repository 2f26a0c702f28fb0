package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/hostlink"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/manifests"
)

const (
	originScheme = "chrome-extension://"
	ownOrigin    = originScheme + manifests.ExtensionID + "/"
)

// nativeHost reports whether a browser started us as its native messaging
// host: the first argument is the extension's origin. On Windows
// --parent-window=N stands beside it, on either side.
func nativeHost(args []string) (origin string, ok bool) {
	for i, arg := range args {
		if i > 1 {
			break
		}
		if strings.HasPrefix(arg, originScheme) {
			return arg, true
		}
		if !strings.HasPrefix(arg, "--parent-window=") {
			break
		}
	}
	return "", false
}

// hostMain is the relay between the browser's pipe and the daemon.
func hostMain(origin string) int {
	runtime.GOMAXPROCS(1) // a relay only passes on: one thread wakes the next sooner than two
	pipe, err := hostlink.RedirectStdout()
	log := zerolog.New(os.Stderr).With().Timestamp().Str("part", "host").Int("pid", os.Getpid()).Logger()
	if err != nil {
		log.Error().Err(err).Msg("stdout cannot be kept for frames")
		return 1
	}
	home, err := state.Open()
	if err == nil {
		if file, fileErr := home.OpenLog(false); fileErr == nil {
			defer file.Close()
			log = log.Output(file)
			// A panic's stack goes to the log: stderr is the browser's.
			if crashErr := debug.SetCrashOutput(file, debug.CrashOptions{}); crashErr != nil {
				log.Warn().Err(crashErr).Msg("a crash would not be in the log")
			}
		}
	}
	// The browser checks allowed_origins; this is the second lock of the same door.
	if origin != ownOrigin {
		log.Error().Str("origin", origin).Msg("refused: not our extension")
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), endSignals...)
	defer stop()
	opening := err
	err = hostlink.Relay(ctx, hostlink.RelayConfig{
		In: os.Stdin, Out: pipe, Log: log,
		Dial: func(ctx context.Context) (hostlink.MessageConn, error) {
			if opening != nil {
				return nil, opening
			}
			conn, err := client.Connect(ctx, home, client.EnsureOptions{}, func(c *client.Client) (*websocket.Conn, error) { return c.HostLink(ctx) })
			if err != nil {
				return nil, err
			}
			return hostlink.WebSocket(conn), nil
		},
	})
	if err != nil {
		log.Warn().Err(err).Msg("relay ended")
		return 1
	}
	return 0
}
