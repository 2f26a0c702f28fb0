package hostlink

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// The model of one direction of a link: what was accepted for sending, in order, and
// what was handed to the receiver. Whatever the wire does, the second is the beginning
// of the first, and once the wire behaves for long enough it is all of it.

// modelPiece and modelFrame make chunks of messages of a hundred bytes, so that
// short schedules have many of them.
const (
	modelPiece  = 48
	modelFrame  = 160
	modelWindow = 2000
)

// modelEnd is an endpoint beside its model.
type modelEnd struct {
	name      string
	ep        *endpoint
	wire      [][]byte // on the way to the other end
	accepted  []string // tokens given to push and not withdrawn
	waiting   map[string]*message
	taken     []string // tokens handed up by this end
	unhandled []int64
	withdrawn []string       // given up before they left
	left      map[string]int // how often the message was said to leave
}

func newModelEnd(name string, now time.Time) *modelEnd {
	e := &modelEnd{name: name, ep: newEndpoint(defaultTiming, modelPiece, modelFrame, modelWindow, modelWindow),
		waiting: make(map[string]*message), left: make(map[string]int)}
	e.ep.begin(now)
	return e
}

// linkModel is two ends, the wire between them, and the time.
type linkModel struct {
	ends    [2]*modelEnd
	now     time.Time
	tokens  int
	reorder bool // the wire reordered: credit, which comes with frames, may then be old
	failure string
}

func newLinkModel() *linkModel {
	m := &linkModel{now: time.Unix(1_800_000_000, 0)}
	m.restart()
	return m
}

// restart is a crash of either end: the link begins again, and what was under way is lost with it.
func (m *linkModel) restart() {
	m.ends = [2]*modelEnd{newModelEnd("host", m.now), newModelEnd("extension", m.now)}
	m.reorder = false
}

func (m *linkModel) fail(format string, args ...any) {
	if m.failure == "" {
		m.failure = fmt.Sprintf(format, args...)
	}
}

func (m *linkModel) push(from, size int) {
	e := m.ends[from]
	m.tokens++
	token := fmt.Sprintf("%d:%s", m.tokens, strings.Repeat("x", size))
	body, err := (&nativemsg.Envelope{Kind: nativemsg.Event, Op: "e", Payload: jsontext.Value(`"` + token + `"`)}).Body()
	if err != nil {
		m.fail("encoding: %v", err)
		return
	}
	sent := &message{body: body, onDispatch: func() { e.left[token]++ }}
	e.ep.push(sent)
	e.accepted = append(e.accepted, token)
	e.waiting[token] = sent
}

// withdraw gives a message up as a call does whose time is over: one that has not left
// is answered as never sent, and then must not arrive.
func (m *linkModel) withdraw(from, i int) {
	e := m.ends[from]
	token := e.accepted[i]
	if e.ep.withdraw(e.waiting[token]) || !e.waiting[token].dispatched {
		e.accepted = slices.Delete(e.accepted, i, i+1)
		e.withdrawn = append(e.withdrawn, token)
	}
}

// write puts one frame on the wire, or says how long the end wants to wait.
func (m *linkModel) write(from int) time.Duration {
	e := m.ends[from]
	frame, completes, wait, err := e.ep.next(nil, m.now)
	if err != nil {
		m.fail("%s: next: %v", e.name, err)
		return wait
	}
	if frame == nil {
		return wait
	}
	if completes != nil {
		completes.onDispatch()
	}
	e.wire = append(e.wire, frame)
	return 0
}

// deliver hands the i-th frame under way to the other end.
func (m *linkModel) deliver(from, i int) {
	e, other := m.ends[from], m.ends[1-from]
	frame := e.wire[i]
	e.wire = slices.Delete(e.wire, i, i+1)
	m.take(other, e, frame)
}

func (m *linkModel) take(e, from *modelEnd, data []byte) {
	frame, err := nativemsg.DecodeFrame(data)
	if err != nil {
		m.fail("%s wrote %s: %v", from.name, data, err)
		return
	}
	envelope, text, err := e.ep.accept(frame, len(data), m.now)
	if err == nil && text != nil {
		envelope, err = nativemsg.DecodeEnvelope(text)
	}
	var chunk *nativemsg.ChunkError
	if errors.As(err, &chunk) && len(from.withdrawn) > 0 && frame.Index == brokenOff {
		return
	}
	if err != nil {
		m.fail("%s refuses %s: %v", e.name, data, err)
		return
	}
	if envelope == nil {
		return
	}
	size := int64(max(len(data), len(text)))
	e.ep.inbox += size
	e.unhandled = append(e.unhandled, size)
	token := strings.Trim(string(envelope.Payload), `"`)
	if len(e.taken) >= len(from.accepted) || from.accepted[len(e.taken)] != token {
		m.fail("%s got %q as its message %d; sent were %q", e.name, token, len(e.taken), from.accepted)
		return
	}
	if from.left[token] != 1 {
		m.fail("%s got %q, which was said to leave %d times", e.name, token, from.left[token])
	}
	e.taken = append(e.taken, token)
}

func (m *linkModel) handle(at, n int) {
	e := m.ends[at]
	for range min(n, len(e.unhandled)) {
		e.ep.handled(e.unhandled[0])
		e.unhandled = e.unhandled[1:]
	}
}

// cut loses what is under way and resumes both ends, each by what the other says it has.
func (m *linkModel) cut() {
	a, b := m.ends[0], m.ends[1]
	a.wire, b.wire = nil, nil
	gotA, gotB := a.ep.received, b.ep.received
	if err := errors.Join(a.ep.resume(gotB, modelWindow, m.now), b.ep.resume(gotA, modelWindow, m.now)); err != nil {
		m.fail("resume: %v", err)
	}
}

// check compares each end's books with what they are the sum of.
func (m *linkModel) check() {
	for i, e := range m.ends {
		var out, waiting, inbox int64
		for j := range e.ep.cursor {
			out += e.ep.numbered[j].size()
		}
		for _, waits := range e.ep.backlog {
			waiting += int64(len(waits.body))
		}
		for _, size := range e.unhandled {
			inbox += size
		}
		other := m.ends[1-i]
		switch {
		case e.ep.out != out || e.ep.waiting != waiting || e.ep.inbox != inbox:
			m.fail("%s reckons %d out, %d waiting, %d in its inbox; they are %d, %d, %d", e.name, e.ep.out, e.ep.waiting, e.ep.inbox, out, waiting, inbox)
		case e.ep.acked > other.ep.received:
			m.fail("%s takes %d for acknowledged; the other has %d", e.name, e.ep.acked, other.ep.received)
		case e.ep.acked+uint64(len(e.ep.numbered)) != e.ep.lastSeq:
			m.fail("%s keeps %d frames after %d, and gave numbers to %d", e.name, len(e.ep.numbered), e.ep.acked, e.ep.lastSeq)
		case slices.ContainsFunc(e.withdrawn, func(token string) bool { return e.left[token] > 0 }):
			m.fail("%s: one of %q left, and was said to have been withdrawn", e.name, e.withdrawn)
		case !m.reorder && inbox > modelWindow+2*modelFrame+int64(maxModelMessage):
			m.fail("%s was sent %d bytes, its window is %d", e.name, inbox, modelWindow)
		}
	}
}

// maxModelMessage is the largest message of a schedule: put together it counts whole.
const maxModelMessage = 600

// settle lets the wire behave until all is delivered.
func (m *linkModel) settle() {
	for round := 0; m.failure == "" && round < 20_000; round++ {
		wait := time.Hour
		for i := range m.ends {
			wait = min(wait, m.write(i))
			for len(m.ends[i].wire) > 0 && m.failure == "" {
				m.deliver(i, 0)
			}
			m.handle(i, 1000)
		}
		m.check()
		a, b := m.ends[0], m.ends[1]
		if slices.Equal(a.taken, b.accepted) && slices.Equal(b.taken, a.accepted) && a.ep.acked == a.ep.lastSeq && b.ep.acked == b.ep.lastSeq {
			return
		}
		m.now = m.now.Add(wait)
	}
	for i, e := range m.ends {
		m.fail("%s accepted %d messages, the other has %d; %d frames are kept, credit %d", e.name, len(e.accepted), len(m.ends[1-i].taken), len(e.ep.numbered), e.ep.credit)
	}
}

// A-22 of the link: both ends over a wire that loses, doubles, reorders, stalls and
// breaks, with slow readers and crashes. INV-B: each message once, in order; none is
// lost but with the link. INV-C: none leaves twice by the sender's own account.
func TestINVBLinkAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := newLinkModel()
		// A schedule leans to some kinds of trouble, or each would end them all after a few steps.
		steps := []string{"push", "push", "push", "write", "write", "deliver", "deliver", "deliver", "handle", "tick"}
		for _, trouble := range []string{"drop", "double", "swap", "cut", "crash", "withdraw", "stall"} {
			if rapid.Bool().Draw(rt, trouble) {
				steps = append(steps, trouble)
			}
		}
		for range rapid.IntRange(1, 120).Draw(rt, "steps") {
			step := rapid.SampledFrom(steps).Draw(rt, "step")
			side := rapid.IntRange(0, 1).Draw(rt, "side")
			e := m.ends[side]
			under := len(e.wire)
			switch step {
			case "push":
				m.push(side, rapid.SampledFrom([]int{0, 1, 20, 60, 100, 500}).Draw(rt, "size"))
			case "withdraw":
				if last := len(e.accepted) - 1; last >= 0 {
					m.withdraw(side, max(0, last-rapid.IntRange(0, 3).Draw(rt, "before the last")))
				}
			case "write":
				for range rapid.IntRange(1, 12).Draw(rt, "frames") {
					m.write(side)
				}
			case "deliver":
				for range min(under, rapid.IntRange(1, 12).Draw(rt, "frames")) {
					m.deliver(side, 0)
				}
			case "handle":
				m.handle(side, rapid.IntRange(1, 5).Draw(rt, "messages"))
			case "tick":
				m.now = m.now.Add(time.Duration(rapid.IntRange(1, 2500).Draw(rt, "ms")) * time.Millisecond)
			case "stall": // a suspended machine, a stopped process
				m.now = m.now.Add(time.Duration(rapid.IntRange(3, 90).Draw(rt, "s")) * time.Second)
			case "drop":
				if under > 0 {
					i := rapid.IntRange(0, under-1).Draw(rt, "frame")
					e.wire = slices.Delete(e.wire, i, i+1)
				}
			case "double":
				if under > 0 {
					e.wire = append(e.wire, e.wire[rapid.IntRange(0, under-1).Draw(rt, "frame")])
				}
			case "swap":
				if under > 1 {
					m.reorder = true
					m.deliver(side, rapid.IntRange(1, under-1).Draw(rt, "frame"))
				}
			case "cut":
				m.cut()
			case "crash":
				m.restart()
			}
			if m.check(); m.failure != "" {
				rt.Fatal(m.failure)
			}
		}
		if m.settle(); m.failure != "" {
			rt.Fatal(m.failure)
		}
		// After a lost connection what was under way comes at once, without being asked for.
		m.push(0, 1)
		m.write(0)
		m.cut()
		began := m.now
		if m.settle(); m.failure != "" || m.now.Sub(began) >= defaultTiming.probe {
			rt.Fatalf("a lost connection was made good after %v: %s", m.now.Sub(began), m.failure)
		}
	})
}
