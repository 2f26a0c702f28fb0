package daemon

import (
	"mime"
	"net/http"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// masked takes the values of secrets out of what a handler answers. What is told over a
// hijacked connection is masked by who tells it: the session's log, and argv.
func masked(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := &maskedAnswer{ResponseWriter: w}
		inner.ServeHTTP(m, r)
		m.send()
	})
}

// maskedAnswer keeps what is written until it is flushed or over, while there are secrets:
// a value never stands in two pieces that way.
type maskedAnswer struct {
	http.ResponseWriter
	begun bool
	mask  func([]byte) []byte // of the answer's type; nil is none
	held  []byte
}

// maskOf says how an answer of that type is masked. Pictures and archives are not: what is
// in an archive was masked when it was made.
func maskOf(contentType string) func([]byte) []byte {
	kind, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		return redact.KnownText
	case strings.HasSuffix(kind, "json") || kind == "text/event-stream" || strings.HasSuffix(kind, "ndjson"):
		return redact.KnownJSON
	case strings.HasPrefix(kind, "text/"):
		return redact.KnownText
	}
	return nil
}

// Unwrap is for http.ResponseController.
func (m *maskedAnswer) Unwrap() http.ResponseWriter { return m.ResponseWriter }

func (m *maskedAnswer) begin() {
	if m.begun {
		return
	}
	m.begun = true
	header := m.Header()
	if m.mask = maskOf(header.Get("Content-Type")); m.mask != nil && redact.Knows() {
		header.Del("Content-Length") // what it will be is not known yet
	}
}

// WriteHeader sends the status.
func (m *maskedAnswer) WriteHeader(status int) {
	m.begin()
	m.ResponseWriter.WriteHeader(status)
}

// Write sends at once what needs no mask.
func (m *maskedAnswer) Write(data []byte) (int, error) {
	m.begin()
	if m.mask == nil || !redact.Knows() && len(m.held) == 0 {
		return m.ResponseWriter.Write(data)
	}
	m.held = append(m.held, data...)
	return len(data), nil
}

// FlushError sends what is held.
func (m *maskedAnswer) FlushError() error {
	if err := m.send(); err != nil {
		return err
	}
	return http.NewResponseController(m.ResponseWriter).Flush()
}

// Flush is FlushError for those who do not look.
func (m *maskedAnswer) Flush() { _ = m.FlushError() }

func (m *maskedAnswer) send() error {
	if len(m.held) == 0 {
		return nil
	}
	held := m.held
	m.held = nil
	_, err := m.ResponseWriter.Write(m.mask(held))
	return err
}
