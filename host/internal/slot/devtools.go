package slot

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
