package command

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

var sessionCDPCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "session.cdp", Tool: "session_cdp", Summary: "Give the address for DevTools clients, such as Playwright, to this context's browser.",
		Long: "The address holds its own credential: who has it drives the browser, and may hand it files of this computer. It ends with the context. " +
			"Over the user's Chrome a client sees the connected tabs alone. With --profile managed a browser is started where none runs.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Control, Timeout: startTime, Local: true,
		Faults: []fault.Code{fault.BrowserLaunchFailed, fault.Busy, fault.ContextLockTimeout},
		Examples: []catalog.Example{
			{Line: "session cdp"},
			{Line: "session cdp --output text", Note: "the address alone"},
		},
	}, sessionCDP),
}

// CDPAddress is where a DevTools client finds a context's browser.
type CDPAddress struct {
	Endpoint     string `json:"endpoint" doc:"Of the browser: connectOverCDP, browserWSEndpoint, …"`
	HTTPEndpoint string `json:"httpEndpoint" doc:"Of /json/version and /json/list."`
	Profile      string `json:"profile" doc:"Which browser it is."`
}

// Text is the address that clients want.
func (a CDPAddress) Text() string { return a.Endpoint }

type sessionCDPParams struct{}

func sessionCDP(ctx context.Context, env *Env, _ *sessionCDPParams) (CDPAddress, error) {
	if env.cdpAddress == nil {
		return CDPAddress{}, fault.New(fault.CapabilityMissing, "this daemon has no DevTools endpoint")
	}
	c, _, err := env.Slots.Resolve(ctx, env.Caller)
	if err != nil {
		return CDPAddress{}, err
	}
	return env.cdpAddress(ctx, c, env.Caller)
}

// cdpAddresser makes an address for a context; it is the daemon's.
type cdpAddresser func(context.Context, *slot.Context, caller.Caller) (CDPAddress, error)
