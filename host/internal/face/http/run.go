// Package http is the HTTP face. API is the control API that programs with a token
// reach: the commands of the catalogue as routes, aliases of older clients, events, an
// OpenAPI document. Run is what our own programs use over the local socket.
//
// An answer of Run is JSON lines: any number of {"line":…} (what a command streams) and
// {"say":…} (progress), then one envelope, {"ok":…}. A command that streams nothing
// and says nothing is thus answered with the envelope alone.
package http

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	nethttp "net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// maxRequest bounds one request's body.
const maxRequest = 16 << 20

// smaller makes omitempty leave out false and 0 too, as in the protocol's messages.
var smaller = jsonv1.OmitEmptyWithLegacySemantics(true)

// Envelope is the answer to a command.
type Envelope struct {
	OK    bool           `json:"ok"`
	Data  jsontext.Value `json:"data,omitempty"`
	Text  *string        `json:"text,omitempty"` // instead of data, where text was asked for
	Error *Failure       `json:"error,omitempty"`
	Meta  Meta           `json:"meta"`
}

// Failure is why there is no result.
type Failure struct {
	Code        fault.Code     `json:"code"`
	Message     string         `json:"message"`
	Details     map[string]any `json:"details,omitempty"`
	Suggestions []string       `json:"suggestions"`
}

// Meta is about the answer.
type Meta struct {
	RequestID  string   `json:"requestId"`
	DurationMs int64    `json:"durationMs"`
	Retryable  *bool    `json:"retryable,omitempty"`
	Repeated   bool     `json:"repeated,omitzero"` // given again for a repeated request id
	Warnings   []string `json:"warnings,omitempty"`
	Stripped   int      `json:"stripped,omitzero"` // hidden characters of the page that were taken out
}

// Run serves commands. before sees each request before it runs, and may complete it
// (who calls is known by the connection, not by what is sent).
func Run(runner *command.Runner, before func(*nethttp.Request, *command.Request)) nethttp.Handler {
	return nethttp.HandlerFunc(func(w nethttp.ResponseWriter, r *nethttp.Request) {
		start := time.Now()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set(version.Header, version.Version)
		var request command.Request
		body, err := io.ReadAll(nethttp.MaxBytesReader(w, r.Body, maxRequest))
		if err == nil {
			err = json.Unmarshal(body, &request, json.RejectUnknownMembers(true))
		}
		if err != nil {
			_, _ = w.Write(append(encode(failed(fault.New(fault.ValidationError, "the request cannot be read: %v", err), &request, start, nil)), '\n'))
			return
		}
		before(r, &request)
		out := &lines{w: w}
		_, _ = w.Write(append(Answer(r.Context(), runner, &request, command.Hooks{Emit: out.emit, Say: out.say}), '\n')) // the caller may be gone
	})
}

// Answer runs a command and gives its envelope.
func Answer(ctx context.Context, runner *command.Runner, request *command.Request, hooks command.Hooks) []byte {
	start := time.Now()
	answer, err := runner.Run(ctx, request, hooks)
	if err != nil {
		return encode(failed(err, request, start, answer.Warnings))
	}
	return encode(succeeded(answer, request, start))
}

func succeeded(answer command.Answer, request *command.Request, start time.Time) *Envelope {
	out := &Envelope{OK: true, Meta: meta(request, start, answer.Warnings)}
	if request.Text {
		if texter, ok := answer.Result.(catalog.Texter); ok {
			text := texter.Text()
			out.Text = &text
			if !request.Data {
				return out
			}
		}
	}
	data, err := json.Marshal(answer.Result, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), smaller)
	if err != nil {
		return failed(fault.New(fault.InternalError, "the result cannot be written as JSON").Because(err), request, start, answer.Warnings)
	}
	out.Data = data
	return out
}

func failed(err error, request *command.Request, start time.Time, warnings []string) *Envelope {
	f := fault.From(err)
	retryable := f.Retryable()
	out := &Envelope{Error: &Failure{f.Code, f.Message, f.Details, f.Suggestions}, Meta: meta(request, start, warnings)}
	out.Meta.Retryable = &retryable
	return out
}

func meta(request *command.Request, start time.Time, warnings []string) Meta {
	id := request.RequestID
	if id == "" {
		id = newID()
	}
	return Meta{RequestID: id, DurationMs: time.Since(start).Milliseconds(), Warnings: warnings}
}

func newID() string { return "r" + strings.ToLower(rand.Text()[:12]) }

func encode(envelope *Envelope) []byte {
	data, err := json.Marshal(envelope, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil { // details that are no JSON
		envelope.Error.Details = nil
		data, _ = json.Marshal(envelope, jsontext.AllowInvalidUTF8(true))
	}
	clean, stripped := pagetext.JSON(data)
	if stripped == 0 {
		return data
	}
	counted := *envelope
	counted.Meta.Stripped += stripped
	if data, err = json.Marshal(&counted, json.Deterministic(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return clean
	}
	clean, _ = pagetext.JSON(data)
	return clean
}

// lines writes what comes before the envelope.
type lines struct {
	mu sync.Mutex
	w  nethttp.ResponseWriter
}

func (l *lines) emit(line any) error { return l.put("line", line) }

func (l *lines) say(format string, args ...any) { _ = l.put("say", fmt.Sprintf(format, args...)) }

func (l *lines) put(kind string, value any) error {
	data, err := json.Marshal(map[string]any{kind: value}, jsontext.AllowInvalidUTF8(true), smaller)
	if err != nil {
		return err
	}
	data, _ = pagetext.JSON(data)
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.w.Write(append(data, '\n')); err != nil {
		return context.Canceled
	}
	return nethttp.NewResponseController(l.w).Flush()
}
