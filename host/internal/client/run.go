package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// RunRequest is one command of the catalogue for the daemon (POST /v1/run).
type RunRequest struct {
	Command   string          `json:"command"`
	Params    json.RawMessage `json:"params,omitempty"`
	Caller    any             `json:"caller"`
	Page      int             `json:"page,omitempty"`
	TimeoutMs int             `json:"timeoutMs,omitempty"`
	RequestID string          `json:"requestId,omitempty"`
	Verbose   bool            `json:"verbose,omitempty"`
	Text      bool            `json:"text,omitempty"`
	Data      bool            `json:"data,omitempty"` // with Text: the data, too
	Face      string          `json:"face,omitempty"` // where it is no command line

	// Lines asks for the lines of a stream, where that is a question (Remote).
	Lines bool `json:"-"`
	// Limit is the command's own time where TimeoutMs says none; 0 waits for ever.
	Limit time.Duration `json:"-"`
}

// limit is the time that the daemon gives the command; 0 is for ever.
func (r *RunRequest) limit() time.Duration {
	if r.TimeoutMs > 0 {
		return time.Duration(r.TimeoutMs) * time.Millisecond
	}
	return r.Limit
}

// answerSlack is what a daemon may take beyond a command's time until its next word.
const answerSlack = 5 * time.Second

// Runner sends commands over one connection, one after another. It asks nothing
// first: a command line's life is short, and each round trip shows.
type Runner struct {
	conn   net.Conn
	reader *bufio.Reader
	other  string     // the daemon's version, when it is not ours
	rest   chan error // gets why the watching of an unused connection ended
}

// Other is the version of a daemon of another version, else empty. Known after an answer.
func (r *Runner) Other() string { return r.other }

// OpenRunner connects to the daemon, starting one where none answers.
func OpenRunner(ctx context.Context, home *state.Home, options EnsureOptions) (*Runner, error) {
	conn, err := connect(ctx, home.Socket())
	if err != nil {
		if failure := unavailable(home.Socket(), err); reason(failure) != ReasonNotRunning {
			return nil, failure
		}
		c, err := Ensure(ctx, home, options)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		if conn, err = connect(ctx, c.socket); err != nil {
			return nil, unavailable(c.socket, err)
		}
	}
	return &Runner{conn: conn, reader: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// Close ends the connection; a command under way is cancelled by it.
func (r *Runner) Close() { _ = r.conn.Close() }

// Rest watches a connection that is not used for now, until Wake or Close.
func (r *Runner) Rest() {
	r.rest = make(chan error, 1)
	_ = r.conn.SetDeadline(time.Time{}) // the last command's; a connection that is gone is told by the watcher
	go func() {
		_, err := r.reader.Peek(1) // ends with the connection or by Wake
		r.rest <- err
	}()
}

// Wake ends Rest, and reports whether the daemon is still at the other end.
func (r *Runner) Wake() bool {
	_ = r.conn.SetReadDeadline(time.Unix(1, 0))
	err := <-r.rest
	r.rest = nil
	return os.IsTimeout(err) && r.conn.SetReadDeadline(time.Time{}) == nil
}

// Run sends one command and gives the envelope's bytes as the daemon wrote them.
// line gets what comes before it: kind is "line" or "say". When ctx ends the
// connection is closed, which cancels the command.
func (r *Runner) Run(ctx context.Context, request *RunRequest, line func(kind string, value []byte) error) ([]byte, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fault.From(err)
	}
	defer context.AfterFunc(ctx, r.Close)()
	limit := request.limit()
	// A daemon that hangs must not hang its callers.
	patience := func() {
		if limit > 0 {
			_ = r.conn.SetDeadline(time.Now().Add(limit + answerSlack)) // a closed connection is noticed by the read
		}
	}
	patience()
	var message bytes.Buffer
	fmt.Fprintf(&message, "POST /v1/run HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+version.Header+": "+version.Version+"\r\nContent-Length: %d\r\n\r\n", len(body))
	message.Write(body)
	if _, err := r.conn.Write(message.Bytes()); err != nil {
		return nil, lost(ctx, err)
	}
	response, err := http.ReadResponse(r.reader, nil)
	if err != nil {
		return nil, lost(ctx, err)
	}
	defer response.Body.Close()
	if theirs := response.Header.Get(version.Header); theirs != version.Version {
		r.other = theirs
		if theirs == "" {
			r.other = "unknown"
		}
	}
	if response.StatusCode != http.StatusOK {
		return nil, fault.New(fault.VersionMismatch, "the daemon does not know how to run commands (HTTP %d)", response.StatusCode).
			Suggest("dbridge daemon stop", "Then run the command again: it starts the daemon of this version.")
	}
	answer, err := readAnswer(response.Body, line, patience)
	var broken *brokenError
	if errors.As(err, &broken) {
		return nil, lost(ctx, broken.cause)
	}
	return answer, err
}

// readAnswer gives the envelope, after what comes before it. told is called when a line was read.
func readAnswer(body io.Reader, line func(kind string, value []byte) error, told func()) ([]byte, error) {
	lines := bufio.NewReaderSize(body, 64<<10)
	for {
		data, err := lines.ReadBytes('\n')
		if err != nil && (!errors.Is(err, io.EOF) || len(data) == 0) { // the envelope may lack its end of line, never its end
			return nil, &brokenError{err}
		}
		if bytes.HasPrefix(data, []byte(`{"line":`)) || bytes.HasPrefix(data, []byte(`{"say":`)) {
			var before map[string]json.RawMessage
			if err := json.Unmarshal(data, &before); err != nil {
				return nil, fault.New(fault.ProtocolError, "the daemon's answer cannot be read").Because(err)
			}
			for kind, value := range before {
				if err := line(kind, value); err != nil {
					return nil, err
				}
			}
			told()
			continue
		}
		_, _ = io.Copy(io.Discard, lines) // the end of the body, so that the connection can be used again
		return bytes.TrimRight(data, "\n"), nil
	}
}

// brokenError is an answer that ended before its end.
type brokenError struct{ cause error }

func (e *brokenError) Error() string { return e.cause.Error() }

// lost tells of a command that was sent and has no answer.
func lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if os.IsTimeout(err) {
		return fault.New(fault.Indeterminate, "the daemon does not answer; nobody knows whether it did the command").With("reason", ReasonNoAnswer).Because(err).
			Suggest("See whether it answers again: dbridge daemon status", "Look at `dbridge daemon logs`, then at the page, before you repeat the command.")
	}
	return fault.New(fault.Indeterminate, "the daemon went away before it answered: %v", err).Because(err).
		Suggest("Look at `dbridge daemon logs`, then at the page, before you repeat the command.")
}
