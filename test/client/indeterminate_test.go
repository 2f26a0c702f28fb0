package client

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/client"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// A command under way when its daemon dies is told as that and not done again.
func TestUnderWay(t *testing.T) {
	e := commandtest.Managed(t)
	ctx, c := connect(t, e)
	e.Goto("/page/test")
	done := make(chan error, 1)
	go func() {
		_, err := c.Runtime().Eval(ctx, client.RuntimeEvalParams{Expression: `fetch("/under/way"), new Promise(() => {})`})
		done <- err
	}()
	for limit := time.Now().Add(time.Minute); e.Site.Hits("/under/way") == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("the script does not run")
		}
	}
	process, err := os.FindProcess(int(e.OK("daemon", "status")["pid"].(float64)))
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, client.ErrIndeterminate) {
		t.Errorf("want INDETERMINATE, got %v", err)
	}
	status, err := c.Session().Status(ctx, client.SessionStatusParams{}) // the next daemon's
	for limit := time.Now().Add(time.Minute); errors.Is(err, client.ErrIndeterminate) && time.Now().Before(limit); {
		status, err = c.Session().Status(ctx, client.SessionStatusParams{}) // it went to the one that was just ending
	}
	must[client.SessionStatusResult](t)(status, err)
	want(t, "no browser was started", status.State != "running", status)
	want(t, "done once", e.Site.Hits("/under/way") == 1, e.Site.Hits("/under/way"))
}
