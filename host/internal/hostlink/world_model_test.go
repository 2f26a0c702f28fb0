package hostlink

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// world is a daemon, an extension and the relays between them, all of them the real
// code in virtual time, beside a model of what each side was promised:
//
//   - an instance of the link (a life) hands up what the other side accepted for
//     sending, in order, once, and from the beginning; all of it if the life lasts
//   - a loss is told: the next life begins with Connected(resumed=false) and `state`
//   - a call has one result; what is said not to have left never runs, what has an
//     answer ran once, and nothing runs twice
type world struct {
	mu       sync.Mutex
	server   *Server
	daemons  int
	lives    []*life
	problems []string
	calls    []*modelCall
	ran      map[string]int    // by call: how often the extension ran it
	said     map[string]string // by call: the event that the extension sent while it ran it
	served   map[string]int    // by request of the extension: how often the daemon ran it
	slow     time.Duration     // what handling an event takes
	tokens   int

	extension *modelExtension
	work      sync.WaitGroup // calls and connections
}

// life is what the daemon saw of one Browser.
type life struct {
	browser    *Browser
	number     int
	daemon     int
	generation int // of the extension, by its events
	connected  bool
	handled    []string
	notified   []string // what Notify took
}

type modelCall struct {
	token      string
	life       *life
	dispatched int
	results    int
	answer     string
	err        error
}

func newWorld() *world {
	w := &world{ran: make(map[string]int), said: make(map[string]string), served: make(map[string]int)}
	w.startDaemon()
	w.extension = newModelExtension(w)
	return w
}

func (w *world) problem(format string, args ...any) {
	if len(w.problems) < 5 {
		w.problems = append(w.problems, fmt.Sprintf(format, args...))
	}
}

func (w *world) startDaemon() {
	w.daemons++
	w.server = NewServer(ServerConfig{Epoch: fmt.Sprint("epoch", w.daemons), HostVersion: "0.1.0",
		Handler: &worldHandler{w, w.daemons}, Log: zerolog.New(io.Discard)})
}

// restartDaemon is a daemon that ends and one that starts; they may overlap.
func (w *world) restartDaemon() {
	w.mu.Lock()
	old := w.server
	w.startDaemon()
	w.mu.Unlock()
	old.Close()
}

// worldHandler compares what one daemon is told with the model.
type worldHandler struct {
	w      *world
	daemon int
}

// lifeOf needs w.mu.
func (h *worldHandler) lifeOf(b *Browser) *life {
	for _, l := range h.w.lives {
		if l.browser == b {
			return l
		}
	}
	return nil
}

func (h *worldHandler) Connected(b *Browser, resumed bool) {
	h.w.mu.Lock()
	defer h.w.mu.Unlock()
	l := h.lifeOf(b)
	switch {
	case (l != nil) != resumed:
		h.w.problem("Connected(resumed=%v) of a browser that was known: %v", resumed, l != nil)
	case l == nil:
		for _, other := range h.w.lives {
			if other.daemon == h.daemon && other.connected {
				h.w.problem("life %d begins before life %d was told to have ended", len(h.w.lives), other.number)
			}
		}
		l = &life{browser: b, number: len(h.w.lives), daemon: h.daemon, generation: -1}
		h.w.lives = append(h.w.lives, l)
		b.mu.Lock()
		b.ep.piece, b.ep.frame = modelPiece, modelFrame // small chunks
		b.mu.Unlock()
	case l.connected:
		h.w.problem("life %d is connected twice", l.number)
	}
	l.connected = true
}

func (h *worldHandler) Disconnected(b *Browser, reason string) {
	h.w.mu.Lock()
	defer h.w.mu.Unlock()
	l := h.lifeOf(b)
	if l == nil || !l.connected || reason == "" {
		h.w.problem("Disconnected(%q) of %+v", reason, l)
		return
	}
	l.connected = false
}

func (h *worldHandler) Event(b *Browser, op string, payload jsontext.Value) {
	h.w.mu.Lock()
	l := h.lifeOf(b)
	token := strings.Trim(string(payload), `"`)
	var generation, i int
	if _, err := fmt.Sscanf(token, "g%d.%d:", &generation, &i); err != nil || l == nil || !l.connected {
		h.w.problem("event %s %q of %+v: %v", op, token, l, err)
		h.w.mu.Unlock()
		return
	}
	if len(l.handled) == 0 {
		l.generation = generation
		for _, other := range h.w.lives {
			if other != l && other.generation == generation {
				h.w.problem("generation %d speaks in lives %d and %d", generation, other.number, l.number)
			}
		}
	}
	sent := h.w.extension.emitted[generation]
	switch {
	case l.generation != generation || i != len(l.handled) || i >= len(sent) || sent[i] != token:
		h.w.problem("life %d of generation %d got %.20q as its event %d", l.number, l.generation, token, len(l.handled))
	case (op == "state") != (i == 0):
		h.w.problem("event %d of life %d is %s", i, l.number, op)
	}
	l.handled = append(l.handled, token)
	slow := h.w.slow
	h.w.mu.Unlock()
	if slow > 0 {
		time.Sleep(slow)
	}
}

func (h *worldHandler) Request(_ context.Context, _ *Browser, op string, payload jsontext.Value) (any, error) {
	h.w.mu.Lock()
	defer h.w.mu.Unlock()
	token := strings.Trim(string(payload), `"`)
	if h.w.served[token]++; h.w.served[token] > 1 {
		h.w.problem("the daemon runs %s %.20q twice", op, token)
	}
	return payload, nil
}

// alive gives the life that is connected to the present daemon, if any. w.mu is held.
func (w *world) alive() *life {
	for _, l := range slices.Backward(w.lives) {
		if l.daemon == w.daemons && l.connected {
			return l
		}
	}
	return nil
}

func (w *world) token(form string, size int, args ...any) string {
	return fmt.Sprintf(form, args...) + ":" + strings.Repeat("x", size)
}

// notify sends an event to the extension.
func (w *world) notify(size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.alive()
	if l == nil {
		return
	}
	token := w.token("b%d.%d", size, l.number, len(l.notified))
	if err := l.browser.Notify("n", token); err == nil {
		l.notified = append(l.notified, token)
	} else if codeOf(err) != fault.Busy && codeOf(err) != fault.ExtensionNotConnected {
		w.problem("notify: %v", err)
	}
}

// call has the extension run something; started uses Start, whose answer nobody waits for.
func (w *world) call(size int, limit time.Duration, started bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.alive()
	if l == nil {
		return
	}
	w.tokens++
	c := &modelCall{token: w.token("c%d", size, w.tokens), life: l}
	w.calls = append(w.calls, c)
	result := func(payload jsontext.Value, err error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		c.results++
		c.answer, c.err = strings.Trim(string(payload), `"`), err
		if said := w.said[c.token]; err == nil && !slices.Contains(l.handled, said) {
			w.problem("call %.10q returned before event %.20q of it was handled", c.token, said)
		}
	}
	if started {
		w.work.Go(func() {
			if err := l.browser.Start("do", c.token, result); err != nil {
				result(nil, err)
			}
		})
		return
	}
	w.work.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		result(l.browser.CallDispatched(ctx, "do", c.token, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			c.dispatched++
		}))
	})
}

// callLimit is the longest deadline of a call.
const callLimit = 20 * time.Second

// settle lets the wire behave, waits for what is still to come, and checks that all came.
func (w *world) settle() {
	x := w.extension
	x.behave()
	w.mu.Lock()
	w.slow = 0
	for _, l := range w.lives {
		l.browser.SetWindow(windowFromBrowser)
	}
	w.mu.Unlock()
	w.quiet() // the deadlines, the heartbeat, the grace
	w.emit(1)
	w.notify(1)
	w.call(1, callLimit, false)
	if missing := w.quiet(); missing != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.problem("after all trouble has ended: %s", missing)
	}
}

// quiet waits until nothing is missing, and what came twice would have shown; it gives what is.
func (w *world) quiet() (missing string) {
	for range 120 {
		if missing = w.missing(); missing == "" {
			time.Sleep(2 * defaultTiming.probe)
			return w.missing()
		}
		time.Sleep(time.Second)
	}
	return missing
}

// missing says what has not come yet.
func (w *world) missing() string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.extension
	l := w.alive()
	if l == nil {
		return "no connection"
	}
	if sent := x.emitted[x.generation]; l.generation != x.generation || !slices.Equal(sent, l.handled) {
		return fmt.Sprintf("the daemon handled %d events of generation %d; generation %d has %d", len(l.handled), l.generation, x.generation, len(sent))
	}
	if !slices.Equal(x.got, l.notified) {
		return fmt.Sprintf("the extension got %d events; life %d was given %d", len(x.got), l.number, len(l.notified))
	}
	for token, results := range x.asked {
		if results != 1 {
			return fmt.Sprintf("request %.10q of the extension has %d results", token, results)
		}
	}
	for _, c := range w.calls {
		if c.results == 0 {
			return fmt.Sprintf("call %.10q has no result", c.token)
		}
	}
	return ""
}

// end stops everything, and judges the calls when nothing can happen any more.
func (w *world) end() {
	w.extension.stop()
	w.mu.Lock()
	server := w.server
	w.mu.Unlock()
	server.Close()
	w.work.Wait()
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.calls {
		ran, left := w.ran[c.token], c.dispatched
		code, sure := codeOf(c.err), detail(c.err, "dispatched") == false
		switch {
		case c.results != 1:
			w.problem("call %.10q has %d results", c.token, c.results)
		case ran > 1 || left > 1:
			w.problem("call %.10q left %d times and ran %d times", c.token, left, ran)
		case c.err == nil && (ran != 1 || c.answer != c.token):
			w.problem("call %.10q is answered %.10q and ran %d times", c.token, c.answer, ran)
		case sure && (ran > 0 || left > 0):
			w.problem("call %.10q is said not to have been sent (%v); it left %d times and ran %d times", c.token, c.err, left, ran)
		case c.err != nil && !sure && code != fault.Indeterminate && code != fault.Cancelled:
			w.problem("call %.10q ends with %v", c.token, c.err)
		}
	}
	for _, l := range w.lives {
		if l.connected {
			w.problem("life %d was never told to have ended", l.number)
		}
	}
}

// inWorld runs a schedule, which starts the extension, in a world of its own and gives what went wrong.
func inWorld(t *testing.T, schedule func(w *world)) error {
	t.Helper()
	var problems []string
	synctest.Test(t, func(*testing.T) {
		w := newWorld()
		schedule(w)
		w.settle()
		w.end()
		problems = w.problems
	})
	if len(problems) > 0 {
		return errors.New(strings.Join(problems, "\n"))
	}
	return nil
}
