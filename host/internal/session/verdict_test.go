package session

import (
	"context"
	"errors"
	"testing"

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
