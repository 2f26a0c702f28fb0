package page

import (
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// inputEcho is how long after an agent's input what a page hears of input may be that one:
// the page tells at most once a second, and its word has a way to go.
const inputEcho = 1500 * time.Millisecond

// inputs knows when agents' input was under way in a tab. A page cannot tell it from the
// person's: both are trusted.
type inputs struct {
	running int
	ended   time.Time
}

// inputBegins notes an agent's input, where a call of the link is one; call the result at its end.
func (t *Tab) inputBegins(op string, payload any) func() {
	send, ok := payload.(cdpSend)
	if op != "cdp.batch" && (!ok || !strings.HasPrefix(send.Method, "Input.")) {
		return func() {}
	}
	t.mu.Lock()
	t.inputs.running++
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		t.inputs.running--
		t.inputs.ended = time.Now()
		t.mu.Unlock()
	}
}

// human gives what a page says of the person's input, where it can be no agent's.
func (t *Tab) human(m *protocol.HumanActivity) []protocol.Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.info.source() != protocol.SourceExtension || t.inputs.running > 0 || time.Since(t.inputs.ended) < inputEcho {
		return nil
	}
	return []protocol.Message{m}
}
