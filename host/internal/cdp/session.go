package cdp

import (
	"context"
	"strconv"
	"sync/atomic"

	wire "github.com/chromedp/cdproto/cdp"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Session is one flat session of a connection; it is a cdproto Session.
type Session struct {
	conn *Conn
	id   string
}

var _ wire.Session = (*Session)(nil)

// call is one command on its way.
type call struct {
	id      uint64
	session string
	method  string
	message []byte
	answer  chan answer  // holds one; whoever takes the call out of pending sends
	then    func(answer) // instead of the channel
	state   atomic.Int32
}

type answer struct {
	result  jsontext.Value
	failure jsontext.Value // the browser's error as it came, for then alone
	err     error
}

// settle gives the call its answer.
func (c *call) settle(a answer) {
	if c.then != nil {
		c.then(a)
		return
	}
	c.answer <- a
}

const (
	stateQueued int32 = iota
	stateSent
	stateAbandoned
)

// ID is the session's id, "" for the browser.
func (s *Session) ID() string { return s.id }

// Conn is the session's connection.
func (s *Session) Conn() *Conn { return s.conn }

// Call sends a command and decodes its result; a nil result is let go.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	raw, err := s.CallRaw(ctx, method, params)
	if err != nil || result == nil {
		return err
	}
	if err := Unmarshal(raw, result); err != nil {
		return fault.New(fault.CDPError, "%s: the browser's answer cannot be read", method).With("method", method).With("dispatched", true).Because(err)
	}
	return nil
}

// CallRaw sends a command and gives its result as it came. params may be nil, a
// jsontext.Value or anything that encodes to an object. Errors: the browser's own
// (Error), a fault TIMEOUT, CANCELLED, CDP_DISCONNECTED, BUSY or VALIDATION_ERROR;
// details.dispatched tells whether the browser may have got the command.
func (s *Session) CallRaw(ctx context.Context, method string, params any) (jsontext.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, abandonedFault(method, false, err)
	}
	return s.Start(method, params).Wait(ctx)
}

func (s *Session) abandon(waiting *call, cause error) (jsontext.Value, error) {
	if !s.conn.drop(waiting) {
		a := <-waiting.answer // it came in the same moment
		return a.result, a.err
	}
	sent := !waiting.state.CompareAndSwap(stateQueued, stateAbandoned)
	return nil, abandonedFault(waiting.method, sent, cause)
}

// encode checks what a caller sends, before anything of it is on the wire.
func encode(method string, params any) (jsontext.Value, error) {
	invalid := func(cause error, format string, args ...any) error {
		return fault.New(fault.ValidationError, format, args...).With("method", method).With("dispatched", false).Because(cause)
	}
	if params == nil {
		return nil, nil
	}
	encoded, err := json.Marshal(params)
	if err != nil {
		return nil, invalid(err, "the parameters of %s cannot be encoded: %s", method, err)
	}
	if string(encoded) == "null" {
		return nil, nil
	}
	if encoded[0] != '{' {
		return nil, invalid(nil, "the parameters of %s must be a JSON object", method)
	}
	if len(encoded) > MaxToBrowser-len(method)-256 { // 256: id, session and the braces
		return nil, invalid(nil, "the parameters of %s are %d bytes, more than the browser takes", method, len(encoded))
	}
	return encoded, nil
}

// seal makes the message.
func seal(id uint64, method string, params jsontext.Value, session string) []byte {
	message := make([]byte, 0, len(params)+len(method)+len(session)+80)
	message = append(message, `{"id":`...)
	message = strconv.AppendUint(message, id, 10)
	message = append(message, `,"method":`...)
	message, _ = jsontext.AppendQuote(message, method) // an error only says that bad UTF-8 was replaced
	if params != nil {
		message = append(message, `,"params":`...)
		message = append(message, params...)
	}
	if session != "" {
		message = append(message, `,"sessionId":`...)
		message, _ = jsontext.AppendQuote(message, session)
	}
	return append(message, '}')
}
