package slot

import "github.com/debug-bridge/debug-bridge/host/internal/profile"

// Named is the profile by which the caller's browser can be asked for again: that of the
// context's own, or that under which it sees pages of the person's.
func (c *Context) Named() string {
	if r := c.own(); r != nil {
		return r.profile
	}
	if v := c.view(); v != nil && v.profile != "" {
		return v.profile
	}
	return ProfileUser
}

// GoesOn tells, from within an Undo, that not the context ends but a browser of its own,
// which may be started anew.
func (c *Context) GoesOn() bool {
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	return c.e.last != nil && c.e.last.Profile != ProfileUser
}

// Lives reports a context that is there and whose lease has not ended.
func (m *Manager) Lives(key string) bool {
	m.mu.Lock()
	e := m.entries[key]
	m.mu.Unlock()
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.over == ""
}

// Startable reports a profile whose browser may be started because somebody names it:
// not the person's, not one of an endpoint that was not given, and not a name that stands
// nowhere, which may be misspelt.
func (m *Manager) Startable(name string) (bool, error) {
	p, source, err := m.Profile(name)
	if err != nil {
		return false, err
	}
	return p.Kind != profile.Extension && name != ProfileRemote && source != FromFolder, nil
}
