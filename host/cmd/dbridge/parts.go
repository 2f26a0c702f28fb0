package main

import (
	"context"
	"os"
	"strconv"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/daemon"
	"github.com/debug-bridge/debug-bridge/host/internal/doctor"
	"github.com/debug-bridge/debug-bridge/host/internal/face/cli"
	"github.com/debug-bridge/debug-bridge/host/internal/face/mcp"
	"github.com/debug-bridge/debug-bridge/host/internal/face/prompt"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

const defaultPort = 9224

// parts names the parts that the command line uses.
func parts() cli.Deps {
	return cli.Deps{
		RunDaemon: func(ctx context.Context, home *state.Home) error {
			return daemon.Run(ctx, home, daemonLog())
		},
		Prompt: func(ctx context.Context, request cli.PromptRequest) error {
			return prompt.Run(ctx, prompt.Config(request))
		},
		MCP: serveMCP,
		Install: func(ctx context.Context, home *state.Home, options cli.SetupOptions) (cli.Report, error) {
			report, err := install.Run(ctx, setup(home, options))
			return report, err
		},
		Uninstall: func(ctx context.Context, home *state.Home, options cli.SetupOptions) (cli.Report, error) {
			report, err := install.Undo(ctx, setup(home, options))
			return report, err
		},
		Doctor: examine,
	}
}

// serveMCP is `dbridge mcp`.
func serveMCP(ctx context.Context, request cli.MCPRequest) error {
	options := mcp.Options{
		Home: request.Home, Ensure: request.Ensure, Flags: request.Flags, Tools: request.Tools, With: request.With, Without: request.Without,
		Structured: request.Structured, PageTools: request.PageTools, Browser: request.Browser,
	}
	if request.Ready != nil {
		return mcp.HTTP(ctx, request.Port, options, request.Ready)
	}
	return mcp.Stdio(ctx, request.In, request.Out, options)
}

// daemonLog writes to stderr, which is the log file when the daemon was started in the background.
func daemonLog() zerolog.Logger {
	level, err := zerolog.ParseLevel(os.Getenv("DBRIDGE_LOG_LEVEL"))
	if err != nil || level == zerolog.NoLevel {
		level = zerolog.InfoLevel
	}
	return zerolog.New(&lossy{to: os.Stderr}).Level(level).With().Timestamp().Str("part", "daemon").Int("pid", os.Getpid()).Logger()
}

func layout(home *state.Home) install.Layout {
	return install.NewLayout(home.Root, home.Run, home.State, home.Extension, home.Socket())
}

func setup(home *state.Home, options cli.SetupOptions) install.Options {
	made := install.Options{
		Browser: options.Browser, Dir: options.Dir, System: options.System, DryRun: options.DryRun,
		Layout: layout(home), Extension: extension.Files(), Version: version.Version, Stop: options.Stop,
	}
	if options.Show != nil {
		made.Show = func(plan install.Report) { options.Show(plan) }
	}
	return made
}

func examine(ctx context.Context, home *state.Home) (cli.Report, error) {
	machine, err := install.ThisMachine(layout(home), extension.Files(), version.Version)
	if err != nil {
		return nil, err
	}
	wanted := defaultPort
	if port, err := strconv.Atoi(os.Getenv("DBRIDGE_PORT")); err == nil {
		wanted = port
	}
	report := doctor.Run(ctx, doctor.Env{
		Machine: machine,
		Dial: func(ctx context.Context) (doctor.Daemon, func(), error) {
			daemon, err := client.Dial(ctx, home)
			if err != nil {
				return nil, nil, err
			}
			return daemon, daemon.Close, nil
		},
		Secrets:    []string{home.Run, home.State, home.TokensPath(), home.AppsPath(), home.SecretsPath(), home.LogPath()},
		WantedPort: wanted,
	})
	return report, report.Err()
}
