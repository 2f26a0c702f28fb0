package mcp

import (
	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// Options of a server.
type Options struct {
	Home       *state.Home
	Ensure     client.EnsureOptions
	Flags      caller.Flags
	Tools      string   // core, all, slim, or names of tools
	With       []string // categories whose tools are listed too
	Without    []string // categories whose tools are not
	Structured bool     // answers as JSON too, with their schemas
}
