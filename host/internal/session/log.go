package session

import (
	"bytes"
	"strconv"

	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// kind is the index of a message type in kinds.
type kind uint8

// kinds are the types that the log holds. The last one stands for events so
// long gone that their types are no longer known one by one.
var kinds = func() []string {
	names := []string{
		protocol.TypeAppConnected, protocol.TypeAppDisconnected, protocol.TypeHello,
		protocol.TypeCapabilities, protocol.TypePageNavigated, protocol.TypeCommandResult,
	}
	for _, row := range protocol.Telemetry {
		names = append(names, row.Type)
	}
	return append(names, "other")
}()

// maxKinds bounds the table, so that counts are a plain array.
const maxKinds = 32

var kindOf = func() map[string]kind {
	byName := make(map[string]kind, len(kinds))
	for i, name := range kinds {
		byName[name] = kind(i)
	}
	return byName
}()

// otherKind counts events whose single type is no longer known.
var otherKind = kind(len(kinds) - 1)

// IsLogged reports whether messages of the type are in the log, which is what a
// types filter may name.
func IsLogged(messageType string) bool {
	k, ok := kindOf[messageType]
	return ok && k != otherKind
}

// counts is a number of events by type.
type counts [maxKinds]uint64

// event is one numbered message. data is shared by all agents and never changes.
type event struct {
	seq   uint64
	kind  kind
	owner string // token name whose command this result answers
	data  []byte
}

// eventLog is the ring of a session's events, and the memory of what left it.
// It does not lock and knows no agents.
type eventLog struct {
	events  []event // the live ones are events[head:]
	head    int
	bytes   int
	last    uint64
	dropped history
}

func (l *eventLog) len() int      { return len(l.events) - l.head }
func (l *eventLog) first() uint64 { return l.last - uint64(l.len()) + 1 }

// append numbers the message in data, made by encodeBody.
func (l *eventLog) append(k kind, owner string, body []byte) *event {
	l.last++
	data := withSeq(body, l.last)
	if l.head > 1024 && l.head > len(l.events)/2 {
		n := copy(l.events, l.events[l.head:])
		clear(l.events[n:])
		l.events, l.head = l.events[:n], 0
	}
	l.events = append(l.events, event{seq: l.last, kind: k, owner: owner, data: data})
	l.bytes += len(data)
	return &l.events[len(l.events)-1]
}

// at gives the event of a number between first and last.
func (l *eventLog) at(seq uint64) *event { return &l.events[l.head+int(seq-l.first())] }

// dropFirst forgets the oldest event but remembers its type.
func (l *eventLog) dropFirst() {
	oldest := &l.events[l.head]
	l.dropped.add(oldest.kind)
	l.bytes -= len(oldest.data)
	*oldest = event{}
	l.head++
	if l.head == len(l.events) {
		l.events, l.head = nil, 0
	}
}

// blockEvents is how many events share one row of running totals.
const blockEvents = 4096

// exactBlocks is how many of the latest blocks keep the type of each event:
// one byte an event, 4 MiB in all.
const exactBlocks = 1024

// history counts dropped events by type, exactly for any starting point among
// the latest four million of them. Events left in order, from number 1.
type history struct {
	total  counts
	starts []counts // running totals before each block
	kinds  [][]kind // types of each block's events; nil when forgotten
	n      uint64
}

func (h *history) add(k kind) {
	if h.n%blockEvents == 0 {
		h.starts = append(h.starts, h.total)
		h.kinds = append(h.kinds, make([]kind, 0, blockEvents))
		if old := len(h.kinds) - 1 - exactBlocks; old >= 0 {
			h.kinds[old] = nil
		}
	}
	block := len(h.kinds) - 1
	h.kinds[block] = append(h.kinds[block], k)
	h.total[k]++
	h.n++
}

// since counts the dropped events with numbers from the given one, by type.
func (h *history) since(from uint64) map[string]uint64 {
	before := from - 1
	dropped := make(map[string]uint64)
	if before >= h.n {
		return dropped
	}
	block := int(before / blockEvents)
	skipped := h.starts[block]
	if types := h.kinds[block]; types != nil || before%blockEvents == 0 {
		for _, k := range types[:before%blockEvents] {
			skipped[k]++
		}
	} else {
		// Whole later blocks are exact; of this one only the number is known.
		end := h.starts[block+1]
		skipped = end
		dropped[kinds[otherKind]] = uint64(block+1)*blockEvents - before
	}
	for k, name := range kinds {
		if n := h.total[k] - skipped[k]; n > 0 {
			dropped[name] += n
		}
	}
	return dropped
}

// All messages begin with these bytes (Base is first in every one), so the
// number goes behind them without encoding the message again.
var opening = []byte(`{"protocolVersion":1,`)

// seqRoom is what `"seq":18446744073709551615,` takes.
const seqRoom = 28

// encodeBody gives the message without a number, with room for one in front.
func encodeBody(message protocol.Message) ([]byte, error) {
	message.Header().Seq, message.Header().Stripped = 0, 0
	var body roomy
	if err := protocol.EncodeTo(&body, message); err != nil {
		return nil, err
	}
	// Masked last: hidden characters may stand within a secret.
	return masked(visible(body)), nil
}

// visible is the body without hidden characters, and with their count.
func visible(body roomy) roomy {
	clean, count := pagetext.JSON(body[seqRoom:])
	if count == 0 {
		return body
	}
	out := append(make(roomy, seqRoom, seqRoom+len(clean)+seqRoom), opening...)
	out = append(strconv.AppendInt(append(out, `"stripped":`...), int64(count), 10), ',')
	return append(out, clean[len(opening):]...)
}

// masked is the body without the values of secrets: what is in the log goes everywhere.
func masked(body roomy) roomy {
	clean := redact.KnownJSON(body[seqRoom:])
	if len(clean) == len(body)-seqRoom && &clean[0] == &body[seqRoom] {
		return body
	}
	return append(make(roomy, seqRoom, seqRoom+len(clean)), clean...)
}

// roomy collects what is written behind seqRoom free bytes, in one exact piece
// for all but large messages.
type roomy []byte

func (r *roomy) Write(p []byte) (int, error) {
	if *r == nil {
		*r = make([]byte, seqRoom, seqRoom+len(p))
	}
	*r = append(*r, p...)
	return len(p), nil
}

// withSeq writes the number into the room that encodeBody left.
func withSeq(body []byte, seq uint64) []byte {
	var room [seqRoom]byte
	number := append(room[:0], `"seq":`...)
	number = strconv.AppendUint(number, seq, 10)
	number = append(number, ',')
	start := seqRoom - len(number)
	copy(body[start:], opening)
	copy(body[start+len(opening):], number)
	return body[start:]
}

// withoutSeq gives a copy of a numbered message as it was before numbering.
func withoutSeq(data []byte) []byte {
	rest := data[len(opening):]
	if bytes.HasPrefix(rest, []byte(`"seq":`)) {
		rest = rest[bytes.IndexByte(rest, ',')+1:]
	}
	return append(bytes.Clone(opening), rest...)
}
