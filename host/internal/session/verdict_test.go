package session

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// An executor that was stopped says CANCELLED; why it was stopped decides what the agent hears.
func TestVerdictOnStoppedExecutors(t *testing.T) {
	stopped := fault.New(fault.Cancelled, "cdp.send was cancelled.").With("dispatched", true)
	for name, c := range map[string]struct {
		cause      error
		err        error
		dispatched bool
		want       fault.Code
	}{
		"by the agent":              {errCancelled, stopped, true, fault.Cancelled},
		"the page went":             {pageAway{protocol.ReasonExtensionGone}, stopped, true, fault.Indeterminate},
		"the page went, not sent":   {pageAway{protocol.ReasonExtensionGone}, stopped, false, fault.ExtensionNotConnected},
		"the daemon stops":          {errHubClosed, stopped, true, fault.Indeterminate},
		"own knowledge stands":      {pageAway{protocol.ReasonClosed}, fault.New(fault.PageNotFound, "closed"), true, fault.PageNotFound},
		"cancelled by its own will": {nil, stopped, true, fault.Cancelled},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		if c.cause != nil {
			cancel(c.cause)
		}
		got := new(Session).verdict(ctx, &job{dispatched: c.dispatched}, c.err, true)
		if !errors.Is(got, fault.New(c.want, "")) {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
		cancel(nil)
	}
}

// The caller's own deadline is no cancellation, whichever clock is ahead.
func TestDoOutOfTime(t *testing.T) {
	for name, c := range map[string]struct {
		acts, dispatches bool
		want             fault.Code
	}{
		"not sent":       {true, false, fault.Timeout},
		"sent, and acts": {true, true, fault.Indeterminate},
		"sent, to look":  {false, true, fault.Timeout},
	} {
		t.Run(name, func(t *testing.T) {
			hub := NewHub(Config{})
			defer hub.Close()
			page := hub.Open("s").AddPage(protocol.PageInfo{Connected: true, Level: protocol.Control, Capabilities: []string{protocol.CapUITree}}, nil)
			ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
			defer cancel()
			job := &protocol.Command{
				Base: protocol.Base{Type: "test"}, TimeoutMs: 60_000,
				Spec: &protocol.CommandSpec{Type: "test", Level: protocol.Observe, Capability: protocol.CapUITree, Acts: c.acts},
			}
			_, err := page.Do(ctx, job, func(ctx context.Context, dispatched func()) (Outcome, error) {
				if c.dispatches {
					dispatched()
				}
				<-ctx.Done()
				return Outcome{}, fault.New(fault.Cancelled, "not waited for")
			})
			if !errors.Is(err, fault.New(c.want, "")) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}
