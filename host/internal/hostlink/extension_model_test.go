package hostlink

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// modelExtension is the extension's end over the real relay, whose stdin and stdout are
// pipes of bytes. Its link is an endpoint; what it does around it is what link.ts does:
// it connects again by itself, resumes while its worker lives, and begins a new
// generation when the daemon does not resume. All but its wire is guarded by world.mu.
type modelExtension struct {
	w        *world
	ctx      context.Context
	cancel   context.CancelFunc
	stopped  chan struct{}
	wakeCh   chan struct{}
	instance int
	epoch    string
	life     string
	ep       *endpoint
	awayFor  time.Duration // before it connects again
	takes    time.Duration // what running a request takes
	window   int64

	generation int
	emitted    map[int][]string // by generation: what was accepted for sending
	got        []string         // events of the daemon, of this generation
	from       int              // their life; -1 unknown
	asked      map[string]int   // requests to the daemon: results
	pending    map[string]bool  // those of this generation without one

	wire   *wireBytes   // of the present connection
	ghosts []*wireBytes // of those that the daemon takes for alive
	// cuts are offsets for connections to come: bytes that pass before the wire is cut.
	cutUp, cutDown []int
	cutDone        chan struct{} // holds one: a planned cut was made
	first          [2]int        // bytes that passed on the first connection, up and down
}

const modelRetry = 50 * time.Millisecond

func newModelExtension(w *world) *modelExtension {
	x := &modelExtension{w: w, stopped: make(chan struct{}), wakeCh: make(chan struct{}, 1), cutDone: make(chan struct{}, 1), window: windowToBrowser,
		emitted: make(map[int][]string), asked: make(map[string]int), pending: make(map[string]bool), from: -1}
	x.ctx, x.cancel = context.WithCancel(context.Background())
	x.fresh()
	return x
}

// fresh begins a new generation; what was under way is lost. w.mu is held.
func (x *modelExtension) fresh() {
	x.ep = newEndpoint(defaultTiming, modelPiece, modelFrame, x.window, windowFromBrowser)
	x.ep.begin(time.Now())
	x.generation++
	x.got, x.from = nil, -1
	for token := range x.pending {
		x.asked[token]++
		delete(x.pending, token)
	}
	x.emit("state", 0)
}

// emit sends an event. w.mu is held.
func (x *modelExtension) emit(op string, size int) string {
	sent := x.emitted[x.generation]
	token := x.w.token("g%d.%d", size, x.generation, len(sent))
	x.emitted[x.generation] = append(sent, token)
	x.send(&nativemsg.Envelope{Kind: nativemsg.Event, Op: op, Payload: jsontext.Value(`"` + token + `"`)})
	return token
}

func (x *modelExtension) send(envelope *nativemsg.Envelope) {
	body, err := envelope.Body()
	if err != nil {
		x.w.problem("encoding: %v", err)
		return
	}
	x.ep.push(&message{body: body})
	x.wake()
}

func (x *modelExtension) wake() {
	select {
	case x.wakeCh <- struct{}{}:
	default:
	}
}

func (w *world) emit(size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.extension.emit("e", size)
}

// ask sends a request to the daemon.
func (w *world) ask(size int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens++
	token := w.token("a%d", size, w.tokens)
	w.extension.asked[token], w.extension.pending[token] = 0, true
	w.extension.send(&nativemsg.Envelope{Kind: nativemsg.Request, ID: token[:strings.Index(token, ":")], Op: "ask", Payload: jsontext.Value(`"` + token + `"`)})
}

func (x *modelExtension) start() { go x.run() }

func (x *modelExtension) stop() {
	x.cancel()
	x.cut()
	<-x.stopped
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	for _, wire := range x.ghosts {
		wire.cut()
	}
}

// cut breaks the present connection.
func (x *modelExtension) cut() {
	x.w.mu.Lock()
	wire := x.wire
	x.w.mu.Unlock()
	if wire != nil {
		wire.cut()
	}
}

// awaitCut waits for a planned cut; false when stop came first.
func (x *modelExtension) awaitCut(stop <-chan struct{}) bool {
	select {
	case <-x.cutDone:
		return true
	case <-stop:
		return false
	}
}

// hold stops or releases the bytes of the present connection.
func (x *modelExtension) hold(held bool) {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	if x.wire != nil {
		x.wire.hold(held)
	}
}

// die is a worker that ended: the next one knows nothing.
func (x *modelExtension) die() {
	x.w.mu.Lock()
	x.instance++
	x.epoch, x.life = "", ""
	x.fresh()
	x.w.mu.Unlock()
	x.cut()
}

// leave is a port that is lost without the relay and the daemon hearing of it.
func (x *modelExtension) leave() {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	if x.wire == nil || slices.Contains(x.ghosts, x.wire) {
		return
	}
	x.ghosts = append(x.ghosts, x.wire)
	x.wire.hold(true)
	close(x.wire.ghost)
}

// away keeps the worker from connecting for a time.
func (x *modelExtension) away(d time.Duration) {
	x.w.mu.Lock()
	x.awayFor = d
	x.w.mu.Unlock()
	x.cut()
}

// behave ends all trouble to come.
func (x *modelExtension) behave() {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	x.cutUp, x.cutDown, x.takes = nil, nil, 0
	x.window, x.ep.window = windowToBrowser, windowToBrowser
	x.ep.ackNow = true
	x.wake()
	if x.wire != nil {
		x.wire.hold(false)
		x.wire.never()
	}
}

func (x *modelExtension) run() {
	defer close(x.stopped)
	for x.ctx.Err() == nil {
		x.connect()
		x.w.mu.Lock()
		wait := max(modelRetry, x.awayFor)
		x.awayFor = 0
		x.w.mu.Unlock()
		select {
		case <-time.After(wait):
		case <-x.ctx.Done():
		}
	}
}

// planned takes the next planned cut of a direction.
func planned(cuts *[]int) int {
	if len(*cuts) == 0 {
		return -1
	}
	next := (*cuts)[0]
	*cuts = (*cuts)[1:]
	return next
}

// connect is one connection: a relay is started, and serves until something ends it.
func (x *modelExtension) connect() {
	w := x.w
	w.mu.Lock()
	wire := newWireBytes(planned(&x.cutUp), planned(&x.cutDown), x.cutDone)
	x.wire = wire
	server := w.server
	hello := HelloInfo{LinkVersion: LinkVersion, ExtensionVersion: "0.1.0", InstanceID: "instance" + string(rune('a'+x.instance)),
		InstallID: "install1", Name: "Work", Epoch: x.epoch, Life: x.life, Received: x.ep.received}
	instance := x.instance
	w.mu.Unlock()
	ended := make(chan struct{})
	w.work.Go(func() {
		defer close(ended)
		_ = Relay(context.Background(), RelayConfig{In: wire.readers[wayUp], Out: wireEnd{wire, wayDown}, Log: zerolog.New(io.Discard),
			Dial: func(context.Context) (MessageConn, error) {
				host, mine := memPipe()
				w.work.Go(func() { _ = server.Serve(context.Background(), host) })
				return mine, nil
			}})
		wire.cut() // Chrome closes the port when its host has ended
	})
	x.speak(wire, hello, instance)
	select {
	case <-wire.ghost:
	default:
		wire.cut()
		<-ended
	}
	w.mu.Lock()
	if x.first == [2]int{} {
		wire.mu.Lock()
		x.first = wire.passed
		wire.mu.Unlock()
	}
	w.mu.Unlock()
}

var errModelEnd = errors.New("the connection of the model ends")

// speak is the worker's part of one connection.
func (x *modelExtension) speak(wire *wireBytes, hello HelloInfo, instance int) {
	w := x.w
	writer := nativemsg.NewWriter(wireEnd{wire, wayUp}, nativemsg.MaxFromBrowser)
	reader := nativemsg.NewReader(wire.readers[wayDown], nativemsg.MaxToBrowser)
	payload, err := json.Marshal(hello)
	if err != nil {
		panic(err)
	}
	frame, err := (&nativemsg.Frame{Window: nativemsg.NoWindow, Envelope: nativemsg.Envelope{Kind: nativemsg.Hello, Payload: payload}}).Encode()
	if err != nil {
		panic(err)
	}
	if writer.Write(frame) != nil {
		return
	}
	data, err := reader.Read()
	if err != nil || !x.welcomed(data, instance) {
		return
	}
	w.work.Go(func() { x.write(wire, writer, instance) })
	frames := make(chan []byte)
	w.work.Go(func() {
		defer close(frames)
		for {
			data, err := reader.Read()
			if err != nil {
				return
			}
			select {
			case frames <- data:
			case <-wire.ghost:
				return
			case <-wire.gone:
				return
			}
		}
	})
	// The worker gives up a port that is silent for too long.
	silence := time.AfterFunc(defaultTiming.silence, wire.cut)
	defer silence.Stop()
	for {
		var data []byte
		select {
		case data = <-frames:
		case <-wire.ghost:
		case <-wire.gone:
		}
		if data == nil {
			return
		}
		silence.Reset(defaultTiming.silence)
		w.mu.Lock()
		err := errModelEnd
		if x.instance == instance {
			err = x.take(data)
		}
		w.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// welcomed takes the first frame of a connection; false ends it.
func (x *modelExtension) welcomed(data []byte, instance int) bool {
	w := x.w
	w.mu.Lock()
	defer w.mu.Unlock()
	frame, err := nativemsg.DecodeFrame(data)
	if err != nil {
		w.problem("the extension read %s: %v", data, err)
		return false
	}
	if frame.Kind != nativemsg.Welcome || x.instance != instance {
		return false
	}
	var said welcome
	if err := json.Unmarshal(frame.Payload, &said); err != nil {
		w.problem("welcome: %v", err)
		return false
	}
	if said.Resumed && x.epoch != "" {
		if err := x.ep.resume(said.Received, windowFromBrowser, time.Now()); err != nil {
			w.problem("the extension cannot resume: %v", err)
			return false
		}
	} else {
		x.fresh()
	}
	x.epoch, x.life = said.Epoch, said.Life
	return true
}

func (x *modelExtension) write(wire *wireBytes, writer *nativemsg.Writer, instance int) {
	for {
		x.w.mu.Lock()
		if x.instance != instance || x.wire != wire {
			x.w.mu.Unlock()
			return
		}
		frame, _, wait, err := x.ep.next(nil, time.Now())
		if err != nil {
			x.w.problem("the extension cannot send: %v", err)
		}
		x.w.mu.Unlock()
		if err != nil {
			return
		}
		if frame != nil {
			if writer.Write(frame) != nil {
				wire.cut()
				return
			}
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-x.wakeCh:
		case <-wire.ghost:
			timer.Stop()
			return
		case <-wire.gone:
			timer.Stop()
			return
		}
		timer.Stop()
	}
}

// take handles one frame of the daemon. w.mu is held.
func (x *modelExtension) take(data []byte) error {
	defer x.wake()
	frame, err := nativemsg.DecodeFrame(data)
	if err != nil {
		x.w.problem("the extension read %s: %v", data, err)
		return err
	}
	envelope, text, err := x.ep.accept(frame, len(data), time.Now())
	var chunk *nativemsg.ChunkError
	if errors.As(err, &chunk) && frame.Index == brokenOff {
		return nil // of a call that was given up half sent
	}
	if err == nil && text != nil {
		envelope, err = nativemsg.DecodeEnvelope(text)
	}
	var bye *byeError
	if err != nil && !errors.As(err, &bye) {
		x.w.problem("the extension refuses %s: %v", data, err)
	}
	if err != nil || envelope == nil {
		return err
	}
	token := strings.Trim(string(envelope.Payload), `"`)
	switch envelope.Kind {
	case nativemsg.Event:
		x.event(token)
	case nativemsg.Response:
		if !x.pending[token] {
			x.w.problem("the extension got an answer %.20q that it does not wait for", token)
			break
		}
		delete(x.pending, token)
		if x.asked[token]++; x.w.served[token] != 1 {
			x.w.problem("request %.20q is answered and was run %d times", token, x.w.served[token])
		}
	case nativemsg.Request:
		x.execute(envelope, token)
	}
	return nil
}

// event compares an event of the daemon with the model. w.mu is held.
func (x *modelExtension) event(token string) {
	for _, l := range x.w.lives {
		i := len(x.got)
		if i < len(l.notified) && l.notified[i] == token && (x.from < 0 || x.from == l.number) {
			x.from = l.number
			x.got = append(x.got, token)
			return
		}
	}
	x.w.problem("generation %d got %.20q as its event %d, of life %d", x.generation, token, len(x.got), x.from)
}

// execute runs a request, which takes its time, and answers with what it was given. w.mu is held.
func (x *modelExtension) execute(envelope *nativemsg.Envelope, token string) {
	if x.w.ran[token]++; x.w.ran[token] > 1 {
		x.w.problem("the extension runs %.20q twice", token)
	}
	generation := x.generation
	answer := func() {
		if x.generation != generation {
			return // its asker is gone
		}
		x.w.said[token] = x.emit("e", 3)
		x.send(&nativemsg.Envelope{Kind: nativemsg.Response, ID: envelope.ID, Payload: envelope.Payload})
	}
	if x.takes == 0 {
		answer()
		return
	}
	x.w.work.Add(1)
	time.AfterFunc(x.takes, func() {
		defer x.w.work.Done()
		x.w.mu.Lock()
		defer x.w.mu.Unlock()
		answer()
	})
}
