package page

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// onBridgeEvent takes a batch of a document's telemetry. Messages are numbered
// per document, so what comes twice (after a service worker or a relay died)
// is taken once.
func (t *Tab) onBridgeEvent(event bridgeEvent) error {
	t.mu.Lock()
	f := t.frames[event.FrameID]
	known := f != nil
	if f == nil {
		// Telemetry of a frame that was removed before its last words came.
		f = &frame{id: event.FrameID, short: "", documentID: event.DocumentID, next: 1, scale: 1, old: make(map[string]uint64)}
	}
	next, current := f.next, f.documentID == event.DocumentID
	if !current {
		next = max(f.old[event.DocumentID], 1)
	}
	if current && !f.seenFirst {
		// After a daemon restart a document goes on where it was.
		f.seenFirst = true
		if event.First > next {
			next = event.First
		}
	}
	var fresh []jsontext.Value
	for i, raw := range event.Messages {
		if number := event.First + uint64(i); number >= next {
			fresh = append(fresh, raw)
			next = number + 1
		}
	}
	if current {
		f.next = next
	} else {
		f.old[event.DocumentID] = next
	}
	short := f.short
	browser, tab := t.browser, t.id
	t.mu.Unlock()

	t.telling.Lock()
	if len(fresh) > 0 && t.unseenDocument(f, event.DocumentID, known) {
		fresh = nil // taken, and not told
	}
	messages := make([]protocol.Message, 0, len(fresh))
	for _, raw := range fresh {
		messages = append(messages, t.intake(f, short, current, raw)...)
	}
	if len(messages) > 0 {
		t.publish(messages...)
	}
	t.telling.Unlock()
	return browser.Notify("bridge.ack", bridgeAck{TabID: tab, FrameID: event.FrameID, DocumentID: event.DocumentID, UpTo: next - 1})
}

// intake turns one message of a bridge into the page's.
func (t *Tab) intake(f *frame, short string, current bool, raw jsontext.Value) []protocol.Message {
	var head struct {
		Type string `json:"type"`
	}
	if err := decode(raw, &head); err != nil {
		t.log.Warn().Err(err).Msg("telemetry not understood")
		return nil
	}
	if head.Type == typeRecording {
		t.gather(f, raw)
		return nil
	}
	message, err := protocol.DecodeTelemetry(head.Type, raw)
	if err != nil {
		t.log.Warn().Str("type", head.Type).Err(err).Msg("telemetry not understood")
		return nil
	}
	message.Header().FrameID = short
	switch m := message.(type) {
	case *protocol.UITree:
		if !current {
			return nil
		}
		return t.frameTree(f, m)
	case *protocol.UITreeDiff:
		if !current {
			return nil
		}
		return t.frameDiff(f, m)
	case *protocol.UIChange:
		if !current {
			return nil
		}
		t.mu.Lock()
		f.outwardChanges(m.Changes)
		t.mu.Unlock()
	case *protocol.Console:
		m.Args = Formatted(m.Args)
	case *protocol.HumanActivity:
		return t.human(m)
	case *protocol.Picked:
		if !current {
			return nil
		}
		return t.picked(f, m)
	}
	return []protocol.Message{message}
}

// onSDK notes that the page embeds the SDK, so that both give one page.
func (t *Tab) onSDK(event struct {
	FrameID int    `json:"frameId"`
	AppID   string `json:"appId"`
}) error {
	if event.FrameID != 0 {
		return nil
	}
	t.leaveApp(event.AppID)
	t.sdk.Merge(event.AppID, t.page)
	return nil
}

// leaveApp ends the merge with the app of before and notes the next one's id.
func (t *Tab) leaveApp(next string) {
	t.mu.Lock()
	before := t.appID
	t.appID = next
	t.mu.Unlock()
	if before != "" && before != next {
		t.sdk.Unmerge(before, t.page)
	}
}
