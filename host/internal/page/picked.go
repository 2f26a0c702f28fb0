package page

import "github.com/debug-bridge/debug-bridge/host/internal/protocol"

// OnPicked sets what completes an element that the person pointed at before agents are
// told of it: complete calls tell, once, when it is done with m. It is called in the order
// of the page's messages and must not block. Call it before the tab's first event.
func (t *Tab) OnPicked(complete func(m *protocol.Picked, tell func())) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.onPicked = complete
}

// picked makes a frame's pick the page's, and sees to its completion. It gives what is to
// be told at once, which is nothing where somebody completes it.
func (t *Tab) picked(f *frame, m *protocol.Picked) []protocol.Message {
	t.mu.Lock()
	m.Ref = f.outward(m.Ref)
	m.Bounds.X, m.Bounds.Y = f.toPage(m.Bounds.X, m.Bounds.Y)
	m.Bounds.Width *= f.scale
	m.Bounds.Height *= f.scale
	m.Component, m.Diagnosis = nil, nil // the host's own to say
	complete := t.onPicked
	t.mu.Unlock()
	if complete == nil {
		return []protocol.Message{m}
	}
	complete(m, func() {
		t.telling.Lock()
		defer t.telling.Unlock()
		t.publish(m)
	})
	return nil
}
