package hostlink

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// endpoint is one end of a link instance: what was sent and not acknowledged,
// what waits, what has come. It outlives connections, has no lock, starts no
// goroutine and reads no clock; its owner does all that.
type endpoint struct {
	timing timing
	piece  int // bytes of a chunk's piece
	frame  int // largest frame that is not chunked

	// sending
	lastSeq  uint64     // last number given
	acked    uint64     // the peer has all up to here
	numbered []numbered // acked+1 … lastSeq, kept for sending again
	cursor   int        // index in numbered of the next to write on this connection
	out      int64      // bytes of numbered[:cursor]
	credit   int64      // the peer's window
	backlog  []*message // not numbered yet
	waiting  int64      // bytes of backlog
	chunkID  uint64
	lastSent time.Time
	progress time.Time // when the peer's ack last moved, or something was first outstanding
	probed   time.Time // when the peer was last asked; zero when no answer is awaited
	probeSeq uint64    // the last frame written before the question

	// receiving
	received  uint64 // last number taken
	sinceAck  int    // frames taken since the last ack went out
	bytesAck  int64
	ackAt     time.Time // the latest ack; zero when nothing is to be acknowledged
	ackNow    bool
	nackNow   bool
	nackAt    time.Time // when the hole after nackFor was reported
	nackFor   uint64
	pongNow   bool
	window    int64 // our own, as set
	inbox     int64 // bytes taken and not yet handled
	told      int64 // window the peer was last told
	chunks    nativemsg.Reassembler
	expiredAt time.Time

	stats counters
}

type counters struct {
	framesIn, framesOut, bytesIn, bytesOut     uint64
	resent, duplicates, holes, badChunks, busy uint64
	lateResponses, peerDropped                 uint64
}

// message is one request, response or event on its way out.
type message struct {
	body       []byte // without braces
	onDispatch func() // called once, right before the last byte may leave
	dispatched bool
}

// numbered is one frame with its place in the stream.
type numbered struct {
	seq     uint64
	body    []byte
	message *message // of the frame that completes it
	stream  string   // of a chunk: all of one message stand together
	written bool     // on any connection
}

// frameOverhead is what a frame is reckoned at beyond its body.
const frameOverhead = int64(nativemsg.MaxHead + 1)

func (n *numbered) size() int64 { return int64(len(n.body)) + frameOverhead }

func newEndpoint(t timing, piece, frame int, window, credit int64) *endpoint {
	return &endpoint{timing: t, piece: piece, frame: frame, window: window, credit: credit}
}

// push queues a message. It is not numbered before it leaves, so that it can be withdrawn.
func (e *endpoint) push(m *message) {
	e.backlog = append(e.backlog, m)
	e.waiting += int64(len(m.body))
}

// withdraw takes a message back; false when it has left already.
func (e *endpoint) withdraw(m *message) bool {
	for i, waiting := range e.backlog {
		if waiting == m {
			e.backlog = append(e.backlog[:i], e.backlog[i+1:]...)
			e.waiting -= int64(len(m.body))
			return true
		}
	}
	for i := range e.numbered {
		if e.numbered[i].message == m && !e.numbered[i].written {
			return e.breakOff(i)
		}
	}
	return false
}

// brokenOff is the index of a chunk that makes the peer drop the message it is of.
const brokenOff = 1 << 30

// breakOff keeps a message in chunks from being completed: those that have not left
// keep their numbers, and their place is taken by ones that end it. last is its last chunk.
func (e *endpoint) breakOff(last int) bool {
	stream := e.numbered[last].stream
	body, err := nativemsg.ChunkBody(stream, brokenOff, true, nil)
	if stream == "" || err != nil {
		return false
	}
	e.numbered[last].message = nil
	for i := last; i >= 0 && e.numbered[i].stream == stream && !e.numbered[i].written; i-- {
		e.numbered[i].body = body
	}
	return true
}

// number gives the first waiting message its place in the stream, in chunks when it is too large for one frame.
func (e *endpoint) number() error {
	m := e.backlog[0]
	e.backlog[0] = nil
	e.backlog = e.backlog[1:]
	e.waiting -= int64(len(m.body))
	if int64(len(m.body))+frameOverhead <= int64(e.frame) {
		e.lastSeq++
		e.numbered = append(e.numbered, numbered{seq: e.lastSeq, body: m.body, message: m})
		return nil
	}
	e.chunkID++
	id := "c" + strconv.FormatUint(e.chunkID, 10)
	text := append(append([]byte{'{'}, m.body...), '}')
	pieces := nativemsg.Split(text, e.piece)
	for i, piece := range pieces {
		last := i == len(pieces)-1
		body, err := nativemsg.ChunkBody(id, i, last, piece)
		if err != nil {
			return fmt.Errorf("chunk %d of %d: %w", i, len(pieces), err)
		}
		e.lastSeq++
		frame := numbered{seq: e.lastSeq, body: body, stream: id}
		if last {
			frame.message = m
		}
		e.numbered = append(e.numbered, frame)
	}
	m.body = nil
	return nil
}

// mayWrite applies the peer's credit: nothing at 0, else as much as it allows, and always one frame.
func (e *endpoint) mayWrite(size int64) bool {
	return e.credit > 0 && (e.out == 0 || e.out+size <= e.credit)
}

// next gives the frame to write now, appended to dst, or nil and how long to
// wait for something to do. The message is the one that this frame completes for the first time.
func (e *endpoint) next(dst []byte, now time.Time) (frame []byte, completes *message, wait time.Duration, err error) {
	switch {
	case e.nackNow:
		e.nackNow = false
		return e.control(dst, nativemsg.Nack, now), nil, 0, nil
	case e.pongNow:
		e.pongNow = false
		return e.control(dst, nativemsg.Pong, now), nil, 0, nil
	}
	if e.cursor == len(e.numbered) && len(e.backlog) > 0 && e.mayWrite(min(int64(len(e.backlog[0].body)), int64(e.piece))+frameOverhead) {
		if err := e.number(); err != nil {
			return nil, nil, 0, err
		}
	}
	if e.cursor < len(e.numbered) {
		if n := &e.numbered[e.cursor]; e.mayWrite(n.size()) {
			return e.data(dst, n, now)
		}
	}
	if e.ackDue(now) {
		return e.control(dst, nativemsg.Ack, now), nil, 0, nil
	}
	if now.Sub(e.lastSent) >= e.timing.ping || e.probeDue(now) {
		if e.cursor > 0 {
			e.probed, e.probeSeq = now, e.numbered[e.cursor-1].seq
		}
		return e.control(dst, nativemsg.Ping, now), nil, 0, nil
	}
	return nil, nil, e.idle(now), nil
}

func (e *endpoint) data(dst []byte, n *numbered, now time.Time) ([]byte, *message, time.Duration, error) {
	var completes *message
	if n.message != nil && !n.message.dispatched {
		n.message.dispatched = true
		completes = n.message
	}
	if n.written {
		e.stats.resent++
	}
	if e.cursor == 0 {
		e.progress = now
	}
	n.written = true
	e.cursor++
	e.out += n.size()
	e.stats.framesOut++
	dst = append(append(e.head(dst, n.seq, now), n.body...), '}')
	e.stats.bytesOut += uint64(len(dst))
	return dst, completes, 0, nil
}

func (e *endpoint) control(dst []byte, kind nativemsg.Kind, now time.Time) []byte {
	dst = append(e.head(dst, 0, now), `"kind":"`...)
	return append(append(dst, kind...), `"}`...)
}

// head begins a frame; as each frame acknowledges, nothing is left to be acknowledged after it.
func (e *endpoint) head(dst []byte, seq uint64, now time.Time) []byte {
	e.sinceAck, e.bytesAck, e.ackAt, e.ackNow = 0, 0, time.Time{}, false
	e.lastSent = now
	own := e.ownWindow()
	if e.told == 0 && own > 0 {
		e.chunks.Touch(now) // it was we who held the peer back
	}
	e.told = own
	return nativemsg.AppendHead(dst, seq, e.received, e.told)
}

func (e *endpoint) ackDue(now time.Time) bool {
	return e.ackNow || e.sinceAck >= ackFrames || e.bytesAck >= ackBytes || !e.ackAt.IsZero() && !now.Before(e.ackAt)
}

// probeDue says whether the peer should be asked what it has: its pong, coming
// in order, acknowledges all of our frames that reached it before our ping.
func (e *endpoint) probeDue(now time.Time) bool {
	return e.cursor > 0 && now.Sub(e.progress) >= e.timing.probe && (e.probed.IsZero() || now.Sub(e.probed) >= e.timing.probe)
}

func (e *endpoint) idle(now time.Time) time.Duration {
	wait := e.timing.ping - now.Sub(e.lastSent)
	if !e.ackAt.IsZero() {
		wait = min(wait, e.ackAt.Sub(now))
	}
	if e.cursor > 0 {
		since := e.progress
		if e.probed.After(since) {
			since = e.probed
		}
		wait = min(wait, e.timing.probe-now.Sub(since))
	}
	return max(wait, time.Millisecond)
}

// ownWindow is the credit we give: what was set, less what waits to be handled, and
// nothing when little is left, so that it opens again in one large step.
func (e *endpoint) ownWindow() int64 {
	left := e.window - e.inbox
	if left < e.window/8 || left < 0 {
		return 0
	}
	return left
}

// handled notes that bytes of the inbox are done with; true when the peer should be told of its new credit.
func (e *endpoint) handled(size int64) bool {
	e.inbox -= size
	return e.windowMoved()
}

func (e *endpoint) windowMoved() bool {
	own := e.ownWindow()
	if (e.told == 0) != (own == 0) || own-e.told >= e.window/4 {
		e.ackNow = true
	}
	return e.ackNow
}

// accept takes one frame of the peer. It gives the envelope to handle, or the
// text of one put together from chunks, or neither. A *nativemsg.ChunkError
// costs only the message it names; any other error means that the peer broke
// the rules and the connection must end.
func (e *endpoint) accept(f *nativemsg.Frame, size int, now time.Time) (*nativemsg.Envelope, []byte, error) {
	e.stats.bytesIn += uint64(size)
	if err := e.applyAck(f, now); err != nil {
		return nil, nil, err
	}
	if !f.Kind.Sequenced() {
		return nil, nil, e.steer(f)
	}
	e.stats.framesIn++
	switch {
	case f.Seq <= e.received:
		e.stats.duplicates++
		e.ackNow = true
		return nil, nil, nil
	case f.Seq > e.received+1:
		e.stats.holes++
		if e.nackFor != e.received || e.nackAt.IsZero() || now.Sub(e.nackAt) >= e.timing.nack {
			e.nackNow, e.nackFor, e.nackAt = true, e.received, now
		}
		return nil, nil, nil
	}
	e.received = f.Seq
	e.nackAt = time.Time{}
	e.sinceAck++
	e.bytesAck += int64(size)
	if e.ackAt.IsZero() {
		e.ackAt = now.Add(e.timing.ackDelay)
	}
	e.expire(f, now)
	if f.Kind != nativemsg.Chunk {
		return &f.Envelope, nil, nil
	}
	text, err := e.chunks.Add(f, now)
	if err != nil {
		e.stats.badChunks++
	}
	return nil, text, err
}

// steer handles the frames without a number.
func (e *endpoint) steer(f *nativemsg.Frame) error {
	switch f.Kind {
	case nativemsg.Ping:
		e.pongNow = true
	case nativemsg.Pong:
		if !e.probed.IsZero() && e.acked < e.probeSeq {
			e.rewind()
		}
		e.probed = time.Time{}
	case nativemsg.Nack:
		e.rewind()
	case nativemsg.Ack:
	case nativemsg.Bye:
		return &byeError{word: *f.Error}
	default:
		return fmt.Errorf("frame of kind %q in the middle of a link", f.Kind)
	}
	return nil
}

// applyAck forgets the frames that the peer has.
func (e *endpoint) applyAck(f *nativemsg.Frame, now time.Time) error {
	if f.Window != nativemsg.NoWindow {
		e.credit = f.Window
	}
	if f.Ack <= e.acked {
		return nil
	}
	if f.Ack > e.lastSeq || !e.numbered[f.Ack-e.acked-1].written {
		return fmt.Errorf("ack %d of a frame that was never sent", f.Ack)
	}
	for e.acked < f.Ack {
		if e.cursor > 0 {
			e.out -= e.numbered[0].size()
			e.cursor--
		}
		e.numbered[0] = numbered{}
		e.numbered = e.numbered[1:]
		e.acked++
	}
	e.progress = now
	if e.acked >= e.probeSeq {
		e.probed = time.Time{}
	}
	return nil
}

// rewind sends everything unacknowledged again.
func (e *endpoint) rewind() { e.cursor, e.out = 0, 0 }

// errResume says that a hello does not fit what we remember.
var errResume = errors.New("the peer claims frames that were never sent")

// resume prepares for a new connection whose peer has our frames up to received.
func (e *endpoint) resume(received uint64, credit int64, now time.Time) error {
	if received < e.acked || received > e.acked+uint64(len(e.numbered)) {
		return errResume
	}
	if err := e.applyAck(&nativemsg.Frame{Ack: received, Window: credit}, now); err != nil {
		return errResume
	}
	e.rewind()
	e.begin(now)
	e.chunks.Touch(now) // the interruption is not held against half arrived messages
	return nil
}

// begin resets what belongs to one connection.
func (e *endpoint) begin(now time.Time) {
	e.lastSent, e.progress, e.probed, e.nackAt = now, now, time.Time{}, time.Time{}
	e.nackNow, e.pongNow, e.ackNow = false, false, false
	e.told = -1
	e.windowMoved()
}

// expire drops messages whose pieces stopped coming although the peer went on with
// others, which is what f, in order, shows. Time alone shows nothing: a process that
// was stopped, or a wire that lost a piece again and again, still brings the next one.
func (e *endpoint) expire(f *nativemsg.Frame, now time.Time) {
	if f.Kind == nativemsg.Chunk {
		e.chunks.Hear(f.ID, now)
	}
	if e.told == 0 || now.Sub(e.expiredAt) < time.Second {
		return
	}
	e.expiredAt = now
	e.stats.badChunks += uint64(len(e.chunks.Expire(now)))
}
