package http

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// What is remembered of requests that have an id, as the protocol promises.
const (
	remember      = 10 * time.Minute
	rememberMost  = 1 << 16
	rememberBytes = 16 << 20
)

// requestKey names a request: an id is unique per name of a token.
type requestKey struct{ name, id string }

// entry is what is known of one request.
type entry struct {
	body [sha256.Size]byte
	done chan struct{} // closed when out is set
	out  *outcome
	at   time.Time
	size int
}

// ledger makes a request that is sent again under its id run once.
type ledger struct {
	mu    sync.Mutex
	known map[requestKey]*entry
	ended []requestKey // in the order of their end
	whole int          // ended[:whole] gave up their data
	bytes int          // of the data of ended[whole:]
}

// do runs a request, or waits for the one of the same id and gives its outcome.
func (l *ledger) do(ctx context.Context, key requestKey, body [sha256.Size]byte, run func() *outcome) (out *outcome, repeated bool, err error) {
	l.mu.Lock()
	l.purge(time.Now())
	if e := l.known[key]; e != nil {
		l.mu.Unlock()
		if e.body != body {
			return nil, false, fault.New(fault.RequestIDConflict, "request id %q was used for another request; this one did not run", key.id)
		}
		select {
		case <-e.done:
			return l.again(e), true, nil
		case <-ctx.Done():
			return nil, true, fault.New(fault.Cancelled, "the request was cancelled before the one of the same id was done")
		}
	}
	if len(l.known) >= rememberMost {
		l.mu.Unlock()
		return nil, false, fault.New(fault.Busy, "%d requests with an id are remembered", rememberMost)
	}
	if l.known == nil {
		l.known = make(map[requestKey]*entry)
	}
	e := &entry{body: body, done: make(chan struct{})}
	l.known[key] = e
	l.mu.Unlock()
	defer func() { // a panic of run must not leave others waiting
		l.finish(key, e, out)
	}()
	return run(), false, nil
}

// again is the outcome as a repeater gets it.
func (l *ledger) again(e *entry) *outcome {
	l.mu.Lock()
	defer l.mu.Unlock()
	envelope := *e.out.envelope
	envelope.Meta.Repeated = true
	return &outcome{e.out.status, &envelope}
}

func (l *ledger) finish(key requestKey, e *entry, out *outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer close(e.done)
	if out == nil {
		out = &outcome{500, &Envelope{Error: &Failure{Code: fault.InternalError, Message: "the request failed", Suggestions: []string{"dbridge daemon logs"}}, Meta: Meta{RequestID: key.id}}}
	}
	e.out, e.at = out, time.Now()
	if f := out.envelope.Error; f != nil && f.Code == fault.Busy {
		delete(l.known, key) // nothing ran: the same request may come again
		return
	}
	e.size = len(out.envelope.Data)
	if text := out.envelope.Text; text != nil {
		e.size += len(*text)
	}
	l.ended = append(l.ended, key)
	l.bytes += e.size
	for l.bytes > rememberBytes && l.whole < len(l.ended) {
		l.forget(l.known[l.ended[l.whole]])
		l.whole++
	}
}

// forget keeps how a request ended, without its data. l.mu is held.
func (l *ledger) forget(old *entry) {
	l.bytes -= old.size
	brief := *old.out.envelope
	if brief.OK {
		brief.Data, brief.Text = jsontext.Value(`{"forgotten":true}`), nil
	}
	old.size, old.out = 0, &outcome{old.out.status, &brief}
}

// purge forgets what is old. l.mu is held.
func (l *ledger) purge(now time.Time) {
	n := 0
	for n < len(l.ended) && now.Sub(l.known[l.ended[n]].at) >= remember {
		l.bytes -= l.known[l.ended[n]].size
		delete(l.known, l.ended[n])
		n++
	}
	if n > 0 {
		l.ended = append(l.ended[:0:0], l.ended[n:]...)
		l.whole = max(0, l.whole-n)
	}
}
