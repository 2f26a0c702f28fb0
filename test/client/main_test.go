// Package client tests the public Go client with real daemons and a managed browser.
package client

import (
	"context"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/client"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if err := goleak.Find(goleak.IgnoreAnyFunction("os/exec.(*Cmd).Wait")); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

// patience bounds a whole test; only a failing one waits for it.
const patience = 3 * time.Minute

// connect makes a client of the env's context, by the environment that a program would
// have. Tests that use it do not run beside each other.
func connect(t *testing.T, e *commandtest.Env, options ...client.Option) (context.Context, *client.Client) {
	t.Helper()
	t.Setenv("DBRIDGE_HOME", e.Home)
	t.Setenv("DBRIDGE_PORT", "0")
	t.Setenv("DBRIDGE_IDLE_TIMEOUT", "5m")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	c, err := client.Connect(ctx, append([]client.Option{client.WithProgram(e.Program()), client.WithContext(e.Context)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return ctx, c
}

// must gives a result that there must be.
func must[R any](t *testing.T) func(*R, error) *R {
	return func(result *R, err error) *R {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
}
