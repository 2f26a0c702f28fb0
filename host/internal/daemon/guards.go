package daemon

import (
	"github.com/debug-bridge/debug-bridge/host/internal/auditlog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/flow"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
)

// guards are what every command passes, in this order.
func (d *Daemon) guards() guard.Chain {
	return guard.Chain{
		auditlog.Guard{Log: d.audit},
		policy.Guard{Store: d.rules},
		command.Confirmations{Policy: d.rules.Now},
		flow.New(flow.Config{Answer: d.crossSite}),
		d.runner.Secrets.Guard(),
	}
}

// crossSite is the policy's word on text of one site that goes to another.
func (d *Daemon) crossSite(address string) policy.CrossSite {
	rules, err := d.rules.Now()
	if err != nil {
		return policy.CrossRefuse // as the policy's own guard does
	}
	return rules.CrossSite(address)
}
