package devtools

import (
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
)

// showing is what the target of one of the browser's sessions shows now; empty for the
// browser level, and for what shows no document.
func (p *directPort) showing(session string) string {
	p.mu.Lock()
	target := p.targets[session]
	p.mu.Unlock()
	if target == "" {
		return ""
	}
	return p.d.host.TargetURL(target)
}

// permitted judges a message by the person's policy.
func (p *directPort) permitted(m Message) error {
	if p.d.sites == nil {
		return nil
	}
	session, _ := p.session(m.SessionID)
	address := p.showing(session)
	if err := page.Permit(p.d.sites, address, m.Method, m.Params); err != nil {
		return err
	}
	if address == "" || page.Harmless(m.Method) {
		return nil
	}
	return p.d.sites.May(address, string(policy.DevTools))
}

// unseen says why agents may not see what a session is of, or nil.
func (p *directPort) unseen(session string) error {
	if p.d.sites == nil || p.d.sites.All() == nil {
		return nil
	}
	if address := p.showing(session); address != "" {
		return p.d.sites.See(address, "")
	}
	return nil
}

// told reports whether an event may be told to the client.
func (p *directPort) told(e cdp.Event) bool {
	switch {
	case p.d.sites == nil, page.Structural(e.Method), p.d.sites.All() == nil:
		return true
	}
	closed := p.unseen(e.SessionID) != nil
	if strings.HasPrefix(e.Method, "Network.") {
		return p.veil.Tells(p.d.sites, e.Method, e.Params, closed)
	}
	return !closed
}
