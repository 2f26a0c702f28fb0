package daemon

import (
	"net/http"

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
	kind  string // of the content
	plain bool   // what is written can be read: it is not packed
	held  []byte
}

// Unwrap is for http.ResponseController.
func (m *maskedAnswer) Unwrap() http.ResponseWriter { return m.ResponseWriter }

func (m *maskedAnswer) begin() {
	if m.begun {
		return
	}
	m.begun = true
	header := m.Header()
	m.kind, m.plain = header.Get("Content-Type"), header.Get("Content-Encoding") == "" // who packs it has masked it
	if m.plain && redact.Knows() {
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
	if !m.plain || !redact.Knows() && len(m.held) == 0 {
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
	_, err := m.ResponseWriter.Write(redact.KnownAs(m.kind, held))
	return err
}
