package ext

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
)

// link is the daemon's end of one connection, as small as it can be: frames are
// acknowledged at once, never lost, and small enough to need no chunks on the way out.
type link struct {
	conn net.Conn

	mu       sync.Mutex
	seq      int
	received int
	calls    int
	pending  map[string]chan frame
	chunks   map[string]*strings.Builder
	ended    bool
}

type frame struct {
	V       int             `json:"v"`
	Seq     int             `json:"seq,omitempty"`
	Ack     int             `json:"ack"`
	Window  int             `json:"window"`
	Kind    string          `json:"kind"`
	ID      string          `json:"id,omitempty"`
	Op      string          `json:"op,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
	Error   *callError      `json:"error,omitempty"`
	Data    string          `json:"data,omitempty"`
	Last    bool            `json:"last,omitempty"`
}

// callError is an error of the extension.
type callError struct {
	Code        string         `json:"code"`
	Message     string         `json:"message"`
	Details     map[string]any `json:"details"`
	Suggestions []string       `json:"suggestions"`
}

func (e *callError) Error() string {
	details, _ := json.Marshal(e.Details)
	return fmt.Sprintf("%s: %s %s", e.Code, e.Message, details)
}

// serve answers hello and handles frames until the connection ends.
func (l *link) serve(epoch string, onWelcome func(hello map[string]any), onEvent func(op string, payload json.RawMessage)) error {
	defer l.fail()
	for {
		data, err := readNative(l.conn)
		if err != nil {
			return err
		}
		var f frame
		if err := json.Unmarshal(data, &f); err != nil {
			return err
		}
		if f.Kind == "hello" {
			var hello map[string]any
			if err := json.Unmarshal(f.Payload, &hello); err != nil {
				return err
			}
			welcome, _ := json.Marshal(map[string]any{"linkVersion": 1, "hostVersion": "0.1.0", "epoch": epoch, "resumed": false, "received": 0})
			l.control(frame{Kind: "welcome", Payload: welcome})
			onWelcome(hello)
			continue
		}
		if f.Kind == "ping" {
			l.control(frame{Kind: "pong"})
		}
		if f.Seq == 0 || !l.take(f.Seq) {
			continue
		}
		if f.Kind == "chunk" {
			text, whole := l.join(f)
			if !whole {
				continue
			}
			if err := json.Unmarshal([]byte(text), &f); err != nil {
				return err
			}
		}
		switch f.Kind {
		case "event":
			onEvent(f.Op, f.Payload)
		case "response":
			l.mu.Lock()
			answer := l.pending[f.ID]
			delete(l.pending, f.ID)
			l.mu.Unlock()
			if answer != nil {
				answer <- f
			}
		case "request":
			l.send(frame{Kind: "response", ID: f.ID, Error: &callError{Code: "UNKNOWN_TYPE", Message: "unknown op"}})
		}
	}
}

// take acknowledges a numbered frame; false when it came before.
func (l *link) take(seq int) bool {
	l.mu.Lock()
	fresh := seq == l.received+1
	if fresh {
		l.received = seq
	}
	l.mu.Unlock()
	l.control(frame{Kind: "ack"})
	return fresh
}

func (l *link) join(f frame) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.chunks[f.ID]
	if text == nil {
		text = new(strings.Builder)
		l.chunks[f.ID] = text
	}
	text.WriteString(f.Data)
	return text.String(), f.Last
}

func (l *link) call(op string, payload any) (chan frame, error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	answer := make(chan frame, 1)
	l.mu.Lock()
	l.calls++
	id := fmt.Sprintf("r%d", l.calls)
	if l.ended {
		l.mu.Unlock()
		return nil, errGone
	}
	l.pending[id] = answer
	l.mu.Unlock()
	l.send(frame{Kind: "request", ID: id, Op: op, Payload: data})
	return answer, nil
}

var errGone = &callError{Code: "EXTENSION_NOT_CONNECTED", Message: "the link is down"}

// fail ends all calls with the connection.
func (l *link) fail() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	for id, answer := range l.pending {
		delete(l.pending, id)
		answer <- frame{Error: &callError{Code: "INDETERMINATE", Message: "the link ended"}}
	}
}

func (l *link) send(f frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	f.Seq = l.seq
	l.write(f)
}

func (l *link) control(f frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(f)
}

func (l *link) write(f frame) {
	f.V, f.Ack, f.Window = 1, l.received, 16<<20
	data, err := json.Marshal(f)
	if err != nil {
		panic(err) // our own struct
	}
	head := binary.NativeEndian.AppendUint32(nil, uint32(len(data)))
	_, _ = l.conn.Write(append(head, data...)) // a dead connection ends serve
}

func readNative(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	data := make([]byte, binary.NativeEndian.Uint32(head[:]))
	_, err := io.ReadFull(r, data)
	return data, err
}
