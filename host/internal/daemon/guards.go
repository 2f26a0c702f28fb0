package daemon

import (
	"github.com/debug-bridge/debug-bridge/host/internal/auditlog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
)

// guards are what every command passes, in this order.
func (d *Daemon) guards() guard.Chain {
	return guard.Chain{
		auditlog.Guard{Log: d.audit},
		policy.Guard{Store: d.rules},
		command.Confirmations{Policy: d.rules.Now},
		d.runner.Secrets.Guard(),
	}
}
