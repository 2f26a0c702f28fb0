package page

import (
	"strings"
	"sync"
)

// domains are the DevTools domains that are on in a tab, and for whom. A tab has one
// attachment for the daemon's own commands, for raw ones and for every DevTools client,
// so a domain is switched off only when the last of them needs it no more.
type domains struct {
	mu sync.Mutex
	on map[domainKey]map[string]bool
}

type domainKey struct{ session, domain string }

// daemonsOwn is who needs a domain that a command of the catalogue or a raw one switched on.
const daemonsOwn = ""

// Claim notes that who needs a domain of a DevTools session of the tab.
func (t *Tab) Claim(session, domain, who string) {
	d, key := &t.domains, domainKey{session, domain}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.on == nil {
		d.on = make(map[domainKey]map[string]bool)
	}
	if d.on[key] == nil {
		d.on[key] = make(map[string]bool)
	}
	d.on[key][who] = true
}

// Release takes the claim back. It reports whether nobody needs the domain any more.
func (t *Tab) Release(session, domain, who string) (last bool) {
	d, key := &t.domains, domainKey{session, domain}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.on[key], who)
	return len(d.on[key]) == 0
}

// Claimed reports whether anybody but the daemon itself needs the domain.
func (t *Tab) Claimed(session, domain string) bool {
	d := &t.domains
	d.mu.Lock()
	defer d.mu.Unlock()
	for who := range d.on[domainKey{session, domain}] {
		if who != daemonsOwn {
			return true
		}
	}
	return false
}

func (d *domains) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.on = nil
}

// own keeps account of what the daemon itself switches on and off. It reports a
// command that must not be sent: others need the domain that it switches off.
func (t *Tab) own(session, method string) (needed bool) {
	domain, verb, _ := strings.Cut(method, ".")
	switch verb {
	case "enable":
		t.Claim(session, domain, daemonsOwn)
	case "disable":
		return !t.Release(session, domain, daemonsOwn)
	}
	return false
}
