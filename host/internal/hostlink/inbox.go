package hostlink

import (
	"fmt"
	"runtime/debug"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// linkDropped is the extension's event in place of a message that it could not send.
const linkDropped = "link.dropped"

// inbox holds what a browser's dispatcher has yet to do, in order. Its owner's lock guards it.
type inbox struct {
	items  []item
	ready  chan struct{} // holds one
	closed bool
}

// item is one step of the dispatcher: a message, or a change of the connection.
type item struct {
	envelope     *nativemsg.Envelope
	text         []byte // instead of an envelope: what was put together from chunks
	size         int64
	connected    bool
	resumed      bool
	disconnected string
}

func (q *inbox) push(it item) {
	if q.closed {
		return
	}
	q.items = append(q.items, it)
	q.signal()
}

func (q *inbox) close() {
	q.closed = true
	q.signal()
}

func (q *inbox) signal() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// dispatch calls the handler for everything of this instance, one thing at a
// time, until it ends. It starts when the instance before it has finished.
func (b *Browser) dispatch(after <-chan struct{}) {
	defer close(b.done)
	if after != nil {
		<-after
	}
	for {
		b.mu.Lock()
		items, closed := b.inbox.items, b.inbox.closed
		b.inbox.items = nil
		b.mu.Unlock()
		for i := range items {
			b.handle(&items[i])
			if size := items[i].size; size > 0 {
				b.mu.Lock()
				if b.ep.handled(size) {
					b.wake()
				}
				b.mu.Unlock()
			}
			items[i] = item{}
		}
		if len(items) > 0 {
			continue
		}
		if closed {
			return
		}
		<-b.inbox.ready
	}
}

// handle does one step. A panic of the handler costs that step, not the daemon.
func (b *Browser) handle(it *item) {
	defer func() {
		if p := recover(); p != nil {
			b.server.cfg.Log.Error().Str("stack", string(debug.Stack())).Msg(fmt.Sprintf("panic in the handler of a link: %v", p))
		}
	}()
	handler := b.server.cfg.Handler
	if it.text != nil {
		envelope, err := nativemsg.DecodeEnvelope(it.text)
		if err != nil {
			b.kick(protocolFault(err))
			return
		}
		it.envelope, it.text = envelope, nil
	}
	switch {
	case it.connected:
		handler.Connected(b, it.resumed)
	case it.disconnected != "":
		handler.Disconnected(b, it.disconnected)
	case it.envelope.Kind == nativemsg.Event:
		if it.envelope.Op == linkDropped {
			b.mu.Lock()
			b.ep.stats.peerDropped++
			b.mu.Unlock()
			b.server.cfg.Log.Warn().Str("browser", b.id).Str("what", clip(string(it.envelope.Payload))).Msg("the extension could not send a message")
			return
		}
		handler.Event(b, it.envelope.Op, it.envelope.Payload)
	case it.envelope.Kind == nativemsg.Response:
		b.answered(it.envelope)
	case it.envelope.Kind == nativemsg.Request:
		b.request(it.envelope)
	}
}

// answered hands a response to its call.
func (b *Browser) answered(envelope *nativemsg.Envelope) {
	b.mu.Lock()
	waiting := b.calls[envelope.ID]
	if waiting == nil {
		b.ep.stats.lateResponses++
		b.mu.Unlock()
		return
	}
	delete(b.calls, envelope.ID)
	got := answer{payload: envelope.Payload}
	if envelope.Error != nil {
		got = answer{err: fromWire(envelope.Error)}
	}
	then := waiting.settle(got)
	b.mu.Unlock()
	then()
}

// request runs a request of the extension beside the dispatcher.
func (b *Browser) request(envelope *nativemsg.Envelope) {
	b.mu.Lock()
	full := b.running >= maxRequests
	if !full {
		b.running++
	}
	b.mu.Unlock()
	if full {
		b.respond(envelope.ID, nil, fault.New(fault.Busy, "%d requests of this browser are being answered already.", maxRequests))
		return
	}
	b.server.work.Go(func() {
		result, err := b.ask(envelope)
		b.respond(envelope.ID, result, err)
		b.mu.Lock()
		b.running--
		b.mu.Unlock()
	})
}

// ask calls the handler; a panic there costs one answer, not the daemon.
func (b *Browser) ask(envelope *nativemsg.Envelope) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			b.server.cfg.Log.Error().Str("op", envelope.Op).Str("stack", string(debug.Stack())).Msg(fmt.Sprintf("panic: %v", p))
			result, err = nil, fault.New(fault.InternalError, "%s failed within the daemon.", envelope.Op)
		}
	}()
	return b.server.cfg.Handler.Request(b.ctx, b, envelope.Op, envelope.Payload)
}
