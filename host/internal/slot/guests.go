package slot

import "time"

// Opened notes that the context opens pages in the user's browser. When it ends, that
// browser is told (Options.Left), so that they do not stay behind unnoticed.
func (c *Context) Opened() {
	c.e.mu.Lock()
	c.e.opened = true
	c.e.mu.Unlock()
	c.manager.mu.Lock()
	delete(c.manager.departed, c.Key)
	c.manager.mu.Unlock()
}

// depart tells the user's browsers that the context is done.
func (e *entry) depart() {
	e.mu.Lock()
	was := e.opened
	e.opened = false
	e.mu.Unlock()
	if !was {
		return
	}
	e.m.mu.Lock()
	if e.m.departed == nil {
		e.m.departed = make(map[string]time.Time)
	}
	e.m.departed[e.key.Name] = time.Now()
	e.m.mu.Unlock()
	if e.m.o.Left != nil {
		e.m.o.Left(e.key.Name)
	}
}

// Departed are the contexts of the last hour that opened pages in the user's browser
// and ended, for a browser that was away then.
func (m *Manager) Departed() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var keys []string
	for key, at := range m.departed {
		if time.Since(at) > forgetAfter {
			delete(m.departed, key)
			continue
		}
		keys = append(keys, key)
	}
	return keys
}
