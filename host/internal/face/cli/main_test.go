// Package cli_test tests the command line as its users meet it: in process
// through cli.Main, with a daemon of this test's own that can be told to fail.
// The real program is tested in test/cli.
package cli_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/face/cli"
	"github.com/debug-bridge/debug-bridge/host/internal/face/prompt"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

var update = flag.Bool("update", false, "rewrite the golden files; read the diff")

func TestMain(m *testing.M) {
	// As the daemon that a test started, see deps.
	if len(os.Args) == 3 && os.Args[1] == "daemon" && os.Args[2] == "run" {
		os.Exit(fakeMain())
	}
	// A process built with -race would end a second after its work, and look like one left behind.
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	goleak.VerifyTestMain(m)
}

// deps of a command line whose daemon is this test binary.
func deps() cli.Deps {
	return cli.Deps{
		Executable: os.Args[0],
		Prompt: func(ctx context.Context, request cli.PromptRequest) error {
			return prompt.Run(ctx, prompt.Config(request))
		},
	}
}

// home makes a fresh home; a daemon that was started in it is stopped at the end.
func home(t *testing.T) *state.Home {
	t.Helper()
	t.Setenv(state.EnvHome, t.TempDir())
	h, err := state.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c, err := client.Dial(context.Background(), h)
		if err != nil {
			return
		}
		defer c.Close()
		if err := c.Stop(context.Background()); err != nil {
			t.Errorf("stopping the daemon: %v", err)
		}
	})
	return h
}

// run runs one command line to its end.
func run(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = cli.Main(t.Context(), args, strings.NewReader(stdin), &out, &errs, deps())
	return status, out.String(), errs.String()
}
