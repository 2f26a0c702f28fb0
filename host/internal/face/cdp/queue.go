package cdp

import (
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/devtools"
	"github.com/debug-bridge/debug-bridge/host/internal/socket"
)

// maxQueued bounds what waits for a client that reads slowly, in bytes. One message may
// be larger: a screenshot, a heap.
const maxQueued = 64 << 20

// queue is what goes to one client (devtools.Out).
type queue struct {
	wake    chan struct{} // holds one token: there is something to write
	ended   chan struct{} // closed by the end
	drained chan struct{} // closed when the pump has written all

	mu     sync.Mutex
	waits  [][]byte
	bytes  int
	over   bool
	code   websocket.StatusCode
	reason string
}

var _ devtools.Out = (*queue)(nil)

func newQueue() *queue {
	return &queue{wake: make(chan struct{}, 1), ended: make(chan struct{}), drained: make(chan struct{})}
}

// Result queues an answer.
func (q *queue) Result(id int64, session string, result jsontext.Value) {
	if len(result) == 0 {
		result = jsontext.Value("{}")
	}
	q.answer(id, session, `"result":`, result)
}

// Fail queues an error.
func (q *queue) Fail(id int64, session string, code int, message string) {
	q.answer(id, session, `"error":`, failure(code, message))
}

// FailRaw queues the browser's own error object.
func (q *queue) FailRaw(id int64, session string, object jsontext.Value) {
	q.answer(id, session, `"error":`, object)
}

// Event queues an event.
func (q *queue) Event(session, method string, params jsontext.Value) {
	b := make([]byte, 0, len(params)+len(method)+len(session)+48)
	b = append(b, `{"method":`...)
	b, _ = jsontext.AppendQuote(b, method) // an error only says that bad UTF-8 was replaced
	if len(params) > 0 {
		b = append(append(b, `,"params":`...), params...)
	}
	q.push(seal(b, session))
}

// End has the connection closed when what was told before it is written.
func (q *queue) End(reason string) { q.end(websocket.StatusGoingAway, reason) }

func (q *queue) answer(id int64, session, name string, value jsontext.Value) {
	b := make([]byte, 0, len(value)+len(session)+64)
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, id, 10)
	b = append(append(append(b, ','), name...), value...)
	q.push(seal(b, session))
}

// seal ends a message.
func seal(b []byte, session string) []byte {
	if session != "" {
		b = append(b, `,"sessionId":`...)
		b, _ = jsontext.AppendQuote(b, session)
	}
	return append(b, '}')
}

// failure is an error object.
func failure(code int, message string) jsontext.Value {
	b := strconv.AppendInt([]byte(`{"code":`), int64(code), 10)
	b, _ = jsontext.AppendQuote(append(b, `,"message":`...), message)
	return append(b, '}')
}

func (q *queue) push(message []byte) {
	q.mu.Lock()
	slow := q.bytes > maxQueued
	if !q.over && !slow {
		q.waits = append(q.waits, message)
		q.bytes += len(message)
	}
	q.mu.Unlock()
	if slow {
		q.end(socket.CodeTooSlow, "too slow")
		return
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) end(code websocket.StatusCode, reason string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return
	}
	q.over, q.code, q.reason = true, code, reason
	if code == socket.CodeTooSlow {
		q.waits = nil
	}
	close(q.ended)
}

// pump writes what is queued until the end or until the connection is over.
func (q *queue) pump(p *socket.Peer) {
	defer close(q.drained)
	for {
		q.mu.Lock()
		batch, over := q.waits, q.over
		q.waits = nil
		q.mu.Unlock()
		if len(batch) == 0 && over {
			return
		}
		if len(batch) > 0 {
			if p.Write(batch...) != nil {
				p.Broken()
				return
			}
			written := 0
			for _, message := range batch {
				written += len(message)
			}
			q.mu.Lock()
			q.bytes -= written
			q.mu.Unlock()
			continue
		}
		select {
		case <-q.wake:
		case <-q.ended:
		case <-p.Context.Done():
			return
		}
	}
}

// close says the end's code and reason, after what was told before it.
func (q *queue) close(p *socket.Peer) {
	q.mu.Lock()
	code, reason := q.code, q.reason
	q.mu.Unlock()
	wait := socket.CloseWait
	if code == socket.CodeTooSlow {
		wait = socket.SlowWait
	} else {
		late := time.NewTimer(drainTime)
		defer late.Stop()
		select {
		case <-q.drained:
		case <-late.C:
		}
	}
	p.Close(code, reason, wait)
}
