package nativemsg

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FrameVersion is the `v` of every frame.
const FrameVersion = 1

// maxInteger is the largest integer that JavaScript holds exactly.
const maxInteger = 1<<53 - 1

// Kind is the sort of a frame.
type Kind string

// The kinds. Request, Response, Event and Chunk carry a seq; the others steer the link and carry none.
const (
	Request  Kind = "request"
	Response Kind = "response"
	Event    Kind = "event"
	Chunk    Kind = "chunk"
	Ack      Kind = "ack"
	Nack     Kind = "nack"
	Ping     Kind = "ping"
	Pong     Kind = "pong"
	Hello    Kind = "hello"
	Welcome  Kind = "welcome"
	Bye      Kind = "bye"
)

// Sequenced reports whether frames of this kind carry a seq.
func (k Kind) Sequenced() bool {
	return k == Request || k == Response || k == Event || k == Chunk
}

func (k Kind) known() bool {
	switch k {
	case Request, Response, Event, Chunk, Ack, Nack, Ping, Pong, Hello, Welcome, Bye:
		return true
	}
	return false
}

// NoWindow is the Window of a frame that says nothing about credit.
const NoWindow = -1

// Frame is one frame of the link.
type Frame struct {
	Seq    uint64 // position in the sender's stream, from 1; 0 in frames without one
	Ack    uint64 // all of the peer's frames up to this one have come
	Window int64  // bytes the sender of this frame is willing to have outstanding; NoWindow when it does not say
	Envelope
	Index int    // chunk: position of the piece, from 0
	Last  bool   // chunk: no piece follows
	Data  string // chunk: the piece
}

// Envelope is what a frame carries: the text that is cut into chunks when it is too large.
type Envelope struct {
	Kind    Kind
	ID      string
	Op      string
	Payload jsontext.Value
	Error   *Error
}

// Error is a failure as it travels.
type Error struct {
	Code        string         `json:"code"`
	Message     string         `json:"message"`
	Details     map[string]any `json:"details,omitempty"`
	Suggestions []string       `json:"suggestions,omitempty"`
	Retryable   bool           `json:"retryable,omitempty"`
}

// FrameError says why bytes are not a frame.
type FrameError struct {
	Reason string
	cause  error
}

func (e *FrameError) Error() string {
	if e.cause != nil {
		return "malformed frame: " + e.Reason + ": " + e.cause.Error()
	}
	return "malformed frame: " + e.Reason
}

// Unwrap gives the decoder's error, if there was one.
func (e *FrameError) Unwrap() error { return e.cause }

func malformed(format string, args ...any) error {
	return &FrameError{Reason: fmt.Sprintf(format, args...)}
}

// wire is the JSON form. Fields that we do not know are ignored, so that a
// newer peer may add some; names are compared exactly.
type wire struct {
	V       int            `json:"v"`
	Seq     uint64         `json:"seq"`
	Ack     uint64         `json:"ack"`
	Window  *int64         `json:"window"`
	Kind    Kind           `json:"kind"`
	ID      string         `json:"id"`
	Op      string         `json:"op"`
	Payload jsontext.Value `json:"payload"`
	Error   *Error         `json:"error"`
	Index   int            `json:"index"`
	Last    bool           `json:"last"`
	Data    string         `json:"data"`
}

// DecodeFrame reads one frame. It wants exactly one JSON object and nothing
// around it, valid UTF-8, no member twice, and no nesting beyond 10,000. Lone
// surrogates in escapes become U+FFFD. The error is a *FrameError.
func DecodeFrame(data []byte) (*Frame, error) {
	var w wire
	if err := decodeObject(data, &w); err != nil {
		return nil, err
	}
	if w.V != FrameVersion {
		return nil, malformed("v is %d, not %d", w.V, FrameVersion)
	}
	frame := &Frame{Seq: w.Seq, Ack: w.Ack, Window: NoWindow, Index: w.Index, Last: w.Last, Data: w.Data,
		Envelope: Envelope{Kind: w.Kind, ID: w.ID, Op: w.Op, Payload: w.Payload, Error: w.Error}}
	if w.Window != nil {
		frame.Window = *w.Window
		if frame.Window < 0 || frame.Window > maxInteger {
			return nil, malformed("window %d is out of range", frame.Window)
		}
	}
	if err := frame.check(); err != nil {
		return nil, err
	}
	return frame, nil
}

// DecodeEnvelope reads the text that was put together from chunks.
func DecodeEnvelope(data []byte) (*Envelope, error) {
	var w wire
	if err := decodeObject(data, &w); err != nil {
		return nil, err
	}
	envelope := &Envelope{Kind: w.Kind, ID: w.ID, Op: w.Op, Payload: w.Payload, Error: w.Error}
	if envelope.Kind == Chunk || !envelope.Kind.Sequenced() {
		return nil, malformed("kind %q in a chunked message", envelope.Kind)
	}
	return envelope, envelope.check()
}

func decodeObject(data []byte, into *wire) error {
	if len(data) < 2 || data[0] != '{' || data[len(data)-1] != '}' {
		return malformed("not one JSON object")
	}
	err := json.Unmarshal(data, into)
	if err != nil && utf8.Valid(data) && bytes.Contains(data, []byte(`\u`)) {
		// The one fault we mend: JavaScript strings may hold half a surrogate pair, which JSON.stringify escapes.
		if mended, changed := mendSurrogates(data); changed {
			*into = wire{}
			err = json.Unmarshal(mended, into)
		}
	}
	if err != nil {
		return &FrameError{Reason: "JSON", cause: err}
	}
	return nil
}

func (f *Frame) check() error {
	if f.Seq > maxInteger || f.Ack > maxInteger {
		return malformed("seq or ack is out of range")
	}
	if !f.Kind.known() {
		return malformed("unknown kind %q", f.Kind)
	}
	if f.Kind.Sequenced() != (f.Seq > 0) {
		return malformed("seq %d in a frame of kind %q", f.Seq, f.Kind)
	}
	if f.Kind == Chunk {
		if f.ID == "" || f.Index < 0 {
			return malformed("chunk without id or with index %d", f.Index)
		}
		return nil
	}
	return f.Envelope.check()
}

func (e *Envelope) check() error {
	switch e.Kind {
	case Request:
		if e.ID == "" || e.Op == "" {
			return malformed("request without id or op")
		}
	case Response:
		if e.ID == "" {
			return malformed("response without id")
		}
	case Event:
		if e.Op == "" {
			return malformed("event without op")
		}
	case Bye:
		if e.Error == nil {
			return malformed("bye without error")
		}
	}
	return nil
}

// Body encodes the envelope's members without the braces: `"kind":…,"id":…`.
// A data frame is Head + Body + "}", a chunked message "{" + Body + "}".
func (e *Envelope) Body() ([]byte, error) {
	body := make([]byte, 0, 96+len(e.Payload))
	body = append(body, `"kind":"`...)
	body = append(body, e.Kind...)
	body = append(body, '"')
	var err error
	if e.ID != "" {
		if body, err = jsontext.AppendQuote(append(body, `,"id":`...), e.ID); err != nil {
			return nil, fmt.Errorf("id: %w", err)
		}
	}
	if e.Op != "" {
		if body, err = jsontext.AppendQuote(append(body, `,"op":`...), e.Op); err != nil {
			return nil, fmt.Errorf("op: %w", err)
		}
	}
	if e.Error != nil {
		failure, err := json.Marshal(e.Error, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return nil, fmt.Errorf("error: %w", err)
		}
		body = append(append(body, `,"error":`...), failure...)
	}
	if len(e.Payload) > 0 {
		body = append(append(body, `,"payload":`...), e.Payload...)
	}
	return body, nil
}

// MaxHead is the most bytes that AppendHead adds.
const MaxHead = len(`{"v":1,"seq":,"ack":,"window":,`) + 3*16

// AppendHead begins a frame: version, seq (unless 0), ack, window (unless
// NoWindow) and a comma, after which the members of a body follow.
func AppendHead(dst []byte, seq, ack uint64, window int64) []byte {
	dst = append(dst, `{"v":1,`...)
	if seq > 0 {
		dst = append(strconv.AppendUint(append(dst, `"seq":`...), seq, 10), ',')
	}
	dst = append(strconv.AppendUint(append(dst, `"ack":`...), ack, 10), ',')
	if window >= 0 {
		dst = append(strconv.AppendInt(append(dst, `"window":`...), window, 10), ',')
	}
	return dst
}

// ChunkBody encodes the members of a chunk frame, as Body does for a whole one.
func ChunkBody(id string, index int, last bool, piece []byte) ([]byte, error) {
	body := make([]byte, 0, len(piece)+len(piece)/4+96)
	body, err := jsontext.AppendQuote(append(body, `"kind":"chunk","id":`...), id)
	if err != nil {
		return nil, err
	}
	body = strconv.AppendInt(append(body, `,"index":`...), int64(index), 10)
	body = strconv.AppendBool(append(body, `,"last":`...), last)
	return jsontext.AppendQuote(append(body, `,"data":`...), piece)
}

// Encode gives the bytes of a frame. The payload must be valid JSON already.
func (f *Frame) Encode() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	var body []byte
	var err error
	if f.Kind == Chunk {
		body, err = ChunkBody(f.ID, f.Index, f.Last, []byte(f.Data))
	} else {
		body, err = f.Envelope.Body()
	}
	if err != nil {
		return nil, &FrameError{Reason: "encoding", cause: err}
	}
	out := AppendHead(make([]byte, 0, MaxHead+len(body)+1), f.Seq, f.Ack, f.Window)
	return append(append(out, body...), '}'), nil
}

// IsMalformed reports whether err says that bytes were not a frame.
func IsMalformed(err error) bool {
	var frame *FrameError
	return errors.As(err, &frame)
}
