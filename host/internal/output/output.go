// Package output is the only writer of stdout. An answer is one JSON envelope,
// or text for people; lines of a stream go out as they are. What is said
// beside the answer goes to stderr.
package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
)

// Format of answers.
type Format string

// The formats.
const (
	JSON Format = "json"
	Text Format = "text"
)

// Printer writes to stdout and stderr. Safe for concurrent use.
type Printer struct {
	Format Format
	Fields []string // keep only these of data; all when empty
	Debug  bool     // tell causes on stderr

	mu     sync.Mutex
	out    io.Writer
	err    io.Writer
	broken error
}

// Meta of an answer.
type Meta struct {
	RequestID string
	Started   time.Time
}

// New makes a printer of JSON answers.
func New(stdout, stderr io.Writer) *Printer { return &Printer{Format: JSON, out: stdout, err: stderr} }

type success struct {
	OK   bool            `json:"ok"`
	Data json.RawMessage `json:"data"`
	Meta meta            `json:"meta"`
}

type failure struct {
	OK    bool     `json:"ok"`
	Error Problem  `json:"error"`
	Meta  failMeta `json:"meta"`
}

// Problem is why there is no answer, as envelopes carry it.
type Problem struct {
	Code        fault.Code     `json:"code"`
	Message     string         `json:"message"`
	Details     map[string]any `json:"details,omitempty"`
	Suggestions []string       `json:"suggestions"`
}

type meta struct {
	RequestID  string `json:"requestId"`
	DurationMs int64  `json:"durationMs"`
}

type failMeta struct {
	meta
	Retryable bool `json:"retryable"`
}

// Success prints an answer: data as JSON, or text (which may use data's own words) for people.
func (p *Printer) Success(data any, text string, m Meta) error {
	if p.Format == Text {
		return p.Raw([]byte(ensureNewline(text)))
	}
	raw, err := encode(data)
	if err != nil {
		return err
	}
	if len(p.Fields) > 0 {
		kept, missing, err := filter(raw, p.Fields)
		if err != nil {
			return err
		}
		raw = kept
		for _, field := range missing {
			p.Note("note: there is no field %s in this answer; it has: %s", field, strings.Join(topNames(data), ", "))
		}
	}
	line, err := encode(success{OK: true, Data: raw, Meta: m.wire()})
	if err != nil {
		return err
	}
	return p.Raw(append(line, '\n'))
}

// Failure prints why there is no answer: the envelope on stdout, or words on stderr in text format.
func (p *Printer) Failure(f *fault.Error, m Meta) error {
	if p.Debug {
		for cause := error(f); cause != nil; cause = errors.Unwrap(cause) {
			p.Note("cause: %T: %v", cause, cause)
		}
	}
	if p.Format == Text {
		var b strings.Builder
		fmt.Fprintf(&b, "error: %s (%s)\n", pagetext.Line(f.Message), f.Code)
		for _, suggestion := range f.Suggestions {
			fmt.Fprintf(&b, "  try: %s\n", pagetext.Line(suggestion))
		}
		p.Note("%s", strings.TrimSuffix(b.String(), "\n"))
		return nil
	}
	return p.FailureLine(f, m, "{")
}

// FailureLine prints the envelope of a failure, with other members before its own: `{"index":1,`.
func (p *Printer) FailureLine(f *fault.Error, m Meta, begin string) error {
	line, err := encode(failure{
		Error: Problem{Code: f.Code, Message: f.Message, Details: f.Details, Suggestions: f.Suggestions},
		Meta:  failMeta{meta: m.wire(), Retryable: f.Retryable()},
	})
	if err != nil {
		return err
	}
	return p.Raw(append(append([]byte(begin), line[1:]...), '\n'))
}

// Line prints one line of a stream as it is.
func (p *Printer) Line(line []byte) error {
	buffer := make([]byte, 0, len(line)+1)
	return p.Raw(append(append(buffer, line...), '\n'))
}

// Raw prints bytes as they are, in one write. After the reader went away nothing more is written.
func (p *Printer) Raw(data []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != nil {
		return p.broken
	}
	if _, err := p.out.Write(data); err != nil {
		p.broken = err
	}
	return p.broken
}

// Write makes a Printer an io.Writer, for help and completion scripts.
func (p *Printer) Write(data []byte) (int, error) {
	if err := p.Raw(data); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Note says something beside the answer, on stderr.
func (p *Printer) Note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// Nobody is left to tell when stderr fails.
	_, _ = io.WriteString(p.err, ensureNewline(fmt.Sprintf(format, args...)))
}

// Broken is why stdout cannot be written any more, nil while it can.
func (p *Printer) Broken() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken
}

// IsClosedPipe reports whether err only means that the reader went away, as with `| head`.
func IsClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

func (m Meta) wire() meta {
	return meta{RequestID: m.RequestID, DurationMs: time.Since(m.Started).Milliseconds()}
}

func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fault.New(fault.InternalError, "the answer cannot be written as JSON: %v", err).Because(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func ensureNewline(text string) string {
	if strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
