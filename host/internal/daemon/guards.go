package daemon

import (
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
)

// guards are what every command passes, in this order.
func (d *Daemon) guards() guard.Chain {
	rules := &policy.Store{Path: d.home.PolicyPath()}
	return guard.Chain{
		command.Confirmations{Policy: rules.Now},
		d.runner.Secrets.Guard(),
	}
}
