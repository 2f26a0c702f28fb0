package page

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Said is one message of the page's telemetry, as it came, before secrets are masked.
type Said struct {
	Message protocol.Message // not to be changed
	// The DevTools event that it was made of; empty when it came from the page bridge.
	Session string
	Method  string
	Params  jsontext.Value // part of a larger message: clone what is kept
}

// Telemetry calls see with every console line, error and navigation of the tab, in
// order, whichever lane it came by, until the returned function is called. see must
// not block and must not call into the tab or its browser.
func (t *Tab) Telemetry(see func(Said)) (stop func()) {
	l := &listener{see: see}
	t.mu.Lock()
	t.listeners = append(slices.Clone(t.listeners), l)
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.listeners = slices.DeleteFunc(slices.Clone(t.listeners), func(other *listener) bool { return other == l })
	}
}

type listener struct{ see func(Said) }

// hear tells the listeners.
func (t *Tab) hear(said Said) {
	t.mu.Lock()
	listeners := t.listeners
	t.mu.Unlock()
	for _, l := range listeners {
		l.see(said)
	}
}

// publish tells the listeners and, with secrets masked, the session.
func (t *Tab) publish(messages ...protocol.Message) {
	for i, message := range messages {
		t.hear(Said{Message: message})
		messages[i] = masked(message)
	}
	t.page.Publish(messages...)
}

// masked is the message without secrets; the one given stays as it is.
func masked(message protocol.Message) protocol.Message {
	switch m := message.(type) {
	case *protocol.Console:
		out := *m
		out.Args = make([]string, len(m.Args))
		for i, arg := range m.Args {
			out.Args[i] = redact.Text(arg)
		}
		out.Stack, out.URL = redact.Text(m.Stack), redact.URL(m.URL)
		return &out
	case *protocol.PageError:
		out := *m
		out.Message, out.Reason = redact.Text(m.Message), redact.Text(m.Reason)
		out.Stack, out.Filename = redact.Text(m.Stack), redact.URL(m.Filename)
		return &out
	case *protocol.Network:
		out := *m
		out.URL = redact.URL(m.URL)
		return &out
	case *protocol.UIChange:
		out := *m
		out.Changes = MaskChanges(m.Changes)
		return &out
	case *protocol.StateUpdate:
		return MaskedState(m)
	case *protocol.DOMSnapshot:
		out := *m
		out.HTML = redact.HTML(m.HTML)
		return &out
	case *protocol.DOMMutations:
		out := *m
		out.Mutations = make([]protocol.DOMMutation, len(m.Mutations))
		for i, mutation := range m.Mutations {
			out.Mutations[i] = maskedMutation(mutation)
		}
		return &out
	}
	return message
}

// maskedMutation is a change of the document without secrets. HTML is cheap to look at
// where nothing in it is a tag or a name.
func maskedMutation(m protocol.DOMMutation) protocol.DOMMutation {
	clean := func(list []string) []string {
		out := slices.Clone(list)
		for i, text := range out {
			out[i] = redact.HTML(text)
		}
		return out
	}
	m.AddedNodes, m.RemovedNodes = clean(m.AddedNodes), clean(m.RemovedNodes)
	if m.TextContent != nil {
		text := redact.Text(*m.TextContent)
		if redact.Name(m.AttributeName) && text != "" && text != "true" && text != "false" {
			text = redact.Mark
		}
		m.TextContent = &text
	}
	return m
}

// MaskedState is the message without secrets; the one given stays as it is. Patches stay
// true: masked, they make the masked state.
func MaskedState(m *protocol.StateUpdate) *protocol.StateUpdate {
	out := *m
	out.Patch, out.State = redact.Patch(m.Patch), redact.Value(m.State)
	if out.State == nil && out.Patch == nil {
		out.State = jsontext.Value("null") // told, not left out
	}
	return &out
}
