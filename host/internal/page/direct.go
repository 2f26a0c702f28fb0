package page

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// CDPEvent takes one DevTools event of a tab without a detour through JSON. frame is
// the number of the frame whose script it is about, -1 where none is known. params is
// valid during the call only: it may be part of a large message.
func (m *Manager) CDPEvent(b Browser, tab, frame int, session, method string, params jsontext.Value) {
	t := m.tab(b, tab)
	if t == nil {
		return
	}
	event := cdpEvent{TabID: tab, SessionID: session, Method: method, Params: params}
	if frame >= 0 {
		event.FrameID = &frame
	}
	if err := t.onCDPEvent(event); err != nil {
		m.log.Warn().Str("method", method).Err(err).Msg("DevTools event not understood")
	}
}

// nameFrame says which frame a line is of, where the browser knows it.
func (t *Tab) nameFrame(message protocol.Message, number *int) {
	if number == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.frames[*number]; f != nil && f.short != "" {
		message.Header().FrameID = f.short
	}
}

// Opener is the browser's number of the tab that opened this one, 0 for none.
func (t *Tab) Opener() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.info.OpenerTabID
}

// OnSide sets what is called with events that change no page: download.started,
// download.progress, download.done and tab.popup. The tab is nil where none is
// known. Call it before any browser connects; see must not block.
func (m *Manager) OnSide(see func(b Browser, t *Tab, op string, payload jsontext.Value)) {
	m.onSide = append(m.onSide, see)
}

func onSide(op string) func(*Manager, Browser, jsontext.Value) error {
	return func(m *Manager, b Browser, payload jsontext.Value) error {
		var which struct {
			TabID       int `json:"tabId"`
			OpenerTabID int `json:"openerTabId"`
		}
		if err := decode(payload, &which); err != nil {
			return err
		}
		t := m.tab(b, max(which.TabID, which.OpenerTabID))
		for _, see := range m.onSide {
			see(b, t, op, payload)
		}
		return nil
	}
}
