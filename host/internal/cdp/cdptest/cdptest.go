// Package cdptest is the contract of cdp.Transport as tests: Run with a fake
// browser at the other end, RunBrowser with a real one. Each transport's own tests
// call it. It is never part of the product.
package cdptest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// Peer is the browser's end of a transport.
type Peer interface {
	Receive() ([]byte, error) // the next message to the browser
	Send(message []byte) error
	Close() error
}

// Open makes a connected pair that takes messages from the browser up to limit bytes.
type Open func(t *testing.T, limit int) (cdp.Transport, Peer)

// command is a message to the browser.
type command struct {
	ID        int            `json:"id"`
	Method    string         `json:"method"`
	Params    jsontext.Value `json:"params"`
	SessionID string         `json:"sessionId"`
}

// bench is one connection under test.
type bench struct {
	*testing.T
	conn *cdp.Conn
	peer Peer
	ctx  context.Context
}

func connect(t *testing.T, open Open, limit int, o cdp.Options) *bench {
	t.Helper()
	transport, peer := open(t, limit)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	b := &bench{T: t, conn: cdp.NewConn(transport, o), peer: peer, ctx: ctx}
	t.Cleanup(func() {
		cancel()
		_ = b.conn.Close()
		_ = peer.Close()
	})
	return b
}

func (b *bench) send(format string, args ...any) {
	b.Helper()
	if err := b.peer.Send(fmt.Appendf(nil, format, args...)); err != nil {
		b.Fatal(err)
	}
}

// receive gives the next command that reached the browser.
func (b *bench) receive() command {
	b.Helper()
	message, err := b.peer.Receive()
	if err != nil {
		b.Fatal(err)
	}
	var c command
	if err := json.Unmarshal(message, &c); err != nil {
		b.Fatalf("%s: %.100s", err, message)
	}
	return c
}

// serve answers every command with what respond gives, until the peer ends.
func (b *bench) serve(respond func(command) string) {
	var served sync.WaitGroup
	served.Go(func() {
		for {
			message, err := b.peer.Receive()
			if err != nil {
				return
			}
			var c command
			if json.Unmarshal(message, &c) != nil {
				return
			}
			if answer := respond(c); answer != "" && b.peer.Send([]byte(answer)) != nil {
				return
			}
		}
	})
	b.Cleanup(func() {
		_ = b.peer.Close()
		served.Wait()
	})
}

// echo answers with the parameters.
func echo(c command) string {
	return fmt.Sprintf(`{"id":%d,"result":%s,"sessionId":%q}`, c.ID, orEmpty(c.Params), c.SessionID)
}

func orEmpty(value jsontext.Value) jsontext.Value {
	if value == nil {
		return jsontext.Value("{}")
	}
	return value
}

// until waits for what the connection counts.
func (b *bench) until(reached func(cdp.Stats) bool) {
	b.Helper()
	for !reached(b.conn.Stats()) {
		if b.ctx.Err() != nil {
			b.Fatalf("it was not reached: %+v", b.conn.Stats())
		}
		runtime.Gosched()
	}
}

type outcome struct {
	result jsontext.Value
	err    error
}

// start makes a call in the background.
func (b *bench) start(ctx context.Context, session, method string, params any) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		result, err := b.conn.Session(session).CallRaw(ctx, method, params)
		done <- outcome{result, err}
	}()
	return done
}

func await[T any](t testing.TB, from <-chan T, what string) (got T) {
	t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case got = <-from:
	case <-timer.C:
		t.Fatalf("%s did not come", what)
	}
	return got
}

// wantFault checks code and details.dispatched.
func wantFault(t testing.TB, err error, code fault.Code, dispatched bool) {
	t.Helper()
	failure := fault.From(err)
	if failure == nil || failure.Code != code || failure.Details["dispatched"] != dispatched || len(failure.Suggestions) == 0 {
		t.Errorf("got %v with %v, want %s, dispatched %t", err, failure.Details, code, dispatched)
	}
}

// Run is the contract with a fake browser.
func Run(t *testing.T, name string, open Open) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Open)
	}{
		{"events come in order and before the answer", order},
		{"concurrent calls get their own answers", concurrent},
		{"a cancelled call is given up", cancelled},
		{"what was not sent is never sent", unsent},
		{"the browser's end fails everything", peerClose},
		{"an oversized message ends the connection", oversized},
		{"large messages pass whole", large},
		{"events without a listener are let go", unheard},
		{"a slow subscriber holds nobody up", slow},
		{"detaching fails the calls of that session", detach},
		{"garbage ends the connection", garbage},
		{"odd messages are counted", odd},
		{"the browser's error is a value", browserError},
		{"bad parameters are not sent", badParams},
		{"calls in flight are limited", busy},
		{"closing ends what waits", ownClose},
		{"page text may be broken UTF-16", surrogates},
	} {
		t.Run(name+"/"+test.name, func(t *testing.T) { test.run(t, open) })
	}
}

func order(t *testing.T, open Open) {
	const events = 5000
	var seen []string
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{OnEvent: func(e cdp.Event) { seen = append(seen, e.SessionID+string(e.Params)) }})
	heard, cancel := b.conn.Session("b").Subscribe("T.tick")
	defer cancel()
	other, cancelOther := b.conn.Session("b").Subscribe("T.other")
	defer cancelOther()
	b.serve(func(c command) string {
		for i := range events {
			if b.peer.Send(fmt.Appendf(nil, `{"method":"T.tick","params":{"n":%d},"sessionId":%q}`, i, []string{"a", "b"}[i%2])) != nil {
				return ""
			}
		}
		return echo(c)
	})
	if _, err := b.conn.Session("").CallRaw(b.ctx, "T.go", nil); err != nil {
		t.Fatal(err)
	}
	// OnEvent ran for all of them before the answer came, or this is a race.
	if len(seen) != events {
		t.Fatalf("%d events before the answer, want %d", len(seen), events)
	}
	for i, got := range seen {
		if want := []string{"a", "b"}[i%2] + `{"n":` + strconv.Itoa(i) + `}`; got != want {
			t.Fatalf("event %d is %s, want %s", i, got, want)
		}
	}
	for i := 1; i < events; i += 2 {
		if got, want := string(await(t, heard, "an event")), `{"n":`+strconv.Itoa(i)+`}`; got != want {
			t.Fatalf("the subscription got %s, want %s", got, want)
		}
	}
	select {
	case got := <-other:
		t.Errorf("another method's subscription got %s", got)
	default:
	}
}

func concurrent(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	var held []command
	b.serve(func(c command) string {
		// Answers come in pairs, the later call first.
		if held = append(held, c); len(held) < 2 {
			return ""
		}
		first, second := held[0], held[1]
		held = nil
		if b.peer.Send([]byte(echo(second))) != nil {
			return ""
		}
		return echo(first)
	})
	var all sync.WaitGroup
	for caller := range 20 {
		all.Go(func() {
			session := b.conn.Session("s" + strconv.Itoa(caller))
			for i := range 25 {
				var pair [2]*cdp.Pending // two at once, or the last one would wait for a second for ever
				for n := range pair {
					pair[n] = session.Start("T.echo", jsontext.Value(fmt.Sprintf(`{"caller":%d,"call":%d}`, caller, 2*i+n)))
				}
				for n, call := range pair {
					got, err := call.Wait(b.ctx)
					if want := fmt.Sprintf(`{"caller":%d,"call":%d}`, caller, 2*i+n); err != nil || string(got) != want {
						t.Errorf("got %s %v, want %s", got, err, want)
						return
					}
				}
			}
		})
	}
	all.Wait()
	if stats := b.conn.Stats(); stats.Pending != 0 || stats.Calls != 1000 {
		t.Errorf("%+v", stats)
	}
}

func cancelled(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	ctx, cancel := context.WithCancel(b.ctx)
	call := b.start(ctx, "s", "T.slow", nil)
	first := b.receive()
	cancel()
	result := await(t, call, "the cancelled call")
	wantFault(t, result.err, fault.Cancelled, true)
	if !errors.Is(result.err, context.Canceled) {
		t.Errorf("%v does not hold context.Canceled", result.err)
	}
	limited, stop := context.WithTimeout(b.ctx, 30*time.Millisecond)
	defer stop()
	call = b.start(limited, "s", "T.slow", nil)
	second := b.receive()
	result = await(t, call, "the late call")
	wantFault(t, result.err, fault.Timeout, true)
	if !errors.Is(result.err, context.DeadlineExceeded) {
		t.Errorf("%v does not hold context.DeadlineExceeded", result.err)
	}
	b.send("%s", echo(first))
	b.send("%s", echo(second))
	call = b.start(b.ctx, "s", "T.next", map[string]int{"n": 7})
	b.send("%s", echo(b.receive()))
	if result = await(t, call, "the next call"); result.err != nil || string(result.result) != `{"n":7}` {
		t.Errorf("the next call got %s, %v", result.result, result.err)
	}
	if late := b.conn.Stats().LateAnswers; late != 2 {
		t.Errorf("%d late answers, want 2", late)
	}
	over, end := context.WithCancel(b.ctx)
	end()
	_, err := b.conn.Session("").CallRaw(over, "T.never", nil)
	wantFault(t, err, fault.Cancelled, false)
}

// A browser that does not read (it is stopped in a debugger, say) must not hold up
// callers beyond their deadlines.
func unsent(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	filler := map[string]string{"filler": filler(24 << 20)}
	blocked := b.start(b.ctx, "", "T.blocks", filler)
	b.until(func(s cdp.Stats) bool { return s.Sent == 1 })
	ctx, cancel := context.WithTimeout(b.ctx, 50*time.Millisecond)
	defer cancel()
	result := await(t, b.start(ctx, "", "T.behind", nil), "the call behind a stopped browser")
	wantFault(t, result.err, fault.Timeout, false)
	if got := b.receive(); got.Method != "T.blocks" {
		t.Fatalf("%s came first", got.Method)
	} else {
		b.send(`{"id":%d,"result":{}}`, got.ID)
	}
	if result = await(t, blocked, "the blocked call"); result.err != nil {
		t.Error(result.err)
	}
	after := b.start(b.ctx, "", "T.after", nil)
	if got := b.receive(); got.Method != "T.after" {
		t.Errorf("%s was sent after its caller had given up", got.Method)
	} else {
		b.send("%s", echo(got))
	}
	if result = await(t, after, "the call after it"); result.err != nil {
		t.Error(result.err)
	}
}

func filler(size int) string {
	text := make([]byte, size)
	for i := range text {
		text[i] = 'a' + byte(i%26)
	}
	return string(text)
}

func peerClose(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	events, cancel := b.conn.Session("s").Subscribe("T.tick")
	defer cancel()
	first, second := b.start(b.ctx, "s", "T.one", nil), b.start(b.ctx, "", "T.two", nil)
	b.receive()
	b.receive()
	b.send(`{"method":"T.tick","params":{"last":1},"sessionId":"s"}`)
	if err := b.peer.Close(); err != nil {
		t.Log(err)
	}
	for _, call := range []<-chan outcome{first, second} {
		result := await(t, call, "the failed call")
		wantFault(t, result.err, fault.CDPDisconnected, true)
		if !errors.Is(result.err, cdp.ErrClosed) {
			t.Errorf("%v does not hold ErrClosed", result.err)
		}
	}
	await(t, b.conn.Done(), "the connection's end")
	if !errors.Is(b.conn.Err(), cdp.ErrClosed) {
		t.Errorf("the connection ended with %v", b.conn.Err())
	}
	if got := string(await(t, events, "the last event")); got != `{"last":1}` {
		t.Errorf("the last event is %q", got)
	}
	if _, more := <-events; more {
		t.Error("the subscription did not end")
	}
	_, err := b.conn.Session("").CallRaw(b.ctx, "T.after", nil)
	wantFault(t, err, fault.CDPDisconnected, false)
	late, cancelLate := b.conn.Session("").Subscribe("T.tick")
	defer cancelLate()
	if _, more := <-late; more {
		t.Error("a subscription after the end is open")
	}
}

func oversized(t *testing.T, open Open) {
	const limit = 1 << 20
	b := connect(t, open, limit, cdp.Options{})
	events, cancel := b.conn.Session("").Subscribe("T.big")
	defer cancel()
	frame := `{"method":"T.big","params":{"x":"%s"}}`
	fits := limit - (len(frame) - 2)
	b.send(frame, filler(fits))
	if got := await(t, events, "the message at the limit"); len(got) != fits+len(`{"x":""}`) {
		t.Errorf("%d bytes came", len(got))
	}
	go func() { _ = b.peer.Send(fmt.Appendf(nil, frame, filler(fits+1))) }()
	await(t, b.conn.Done(), "the connection's end")
	if !errors.Is(b.conn.Err(), cdp.ErrMessageTooBig) {
		t.Errorf("the connection ended with %v", b.conn.Err())
	}
}

func large(t *testing.T, open Open) {
	size := 65 << 20
	if testing.Short() {
		size = 9 << 20 // under the race detector each byte has its price
	}
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	b.serve(echo)
	sent := jsontext.Value(`{"text":"` + filler(size) + `"}`)
	got, err := b.conn.Session("s").CallRaw(b.ctx, "T.echo", sent)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(sent) {
		t.Errorf("%d bytes came back, not the %d that were sent", len(got), len(sent))
	}
	if got, err = b.conn.Session("s").CallRaw(b.ctx, "T.echo", nil); err != nil || string(got) != "{}" {
		t.Errorf("after it: %.100s %v", got, err)
	}
}

func unheard(t *testing.T, open Open) {
	b := connect(t, open, cdp.MaxFromBrowser, cdp.Options{})
	gone, cancel := b.conn.Session("s").Subscribe("T.tick")
	cancel()
	cancel()
	for range 100 {
		b.send(`{"method":"T.tick","params":{},"sessionId":"s"}`)
		b.send(`{"method":"T.tick","params":{},"sessionId":"unknown"}`)
		b.send(`{"method":"T.bare"}`)
	}
	call := b.start(b.ctx, "", "T.echo", nil)
	b.send("%s", echo(b.receive()))
	if result := await(t, call, "the answer"); result.err != nil {
		t.Error(result.err)
	}
	if stats := b.conn.Stats(); stats.Events != 300 {
		t.Errorf("%d events were counted", stats.Events)
	}
	if got, more := <-gone; more {
		t.Errorf("a cancelled subscription got %s", got)
	}
}
