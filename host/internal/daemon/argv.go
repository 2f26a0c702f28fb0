package daemon

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/face/cli"
	facehttp "github.com/debug-bridge/debug-bridge/host/internal/face/http"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// A command line of the small client (cmd/dbr): POST /v1/argv, local socket only.
// The body is NUL-separated: folder, DBRIDGE_CONTEXT_ID, then the arguments. The answer
// is not HTTP but frames, so that its reader needs no HTTP: a kind, a length (4 bytes,
// big endian), the bytes.
const (
	frameStdout = '1'
	frameStderr = '2'
	frameStatus = 'x' // one byte: the exit status; the end
	frameOther  = 'n' // not taken: the client runs the whole program
)

// maxArgv bounds a command line; systems have theirs at 2 MiB or so.
const maxArgv = 8 << 20

// argv runs a command line for the small client.
func (d *Daemon) argv(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxArgv))
	words := strings.Split(string(body), "\x00")
	if err != nil || len(words) < 3 {
		http.Error(w, "no command line", http.StatusBadRequest)
		return
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "no hijack", http.StatusInternalServerError)
		return
	}
	defer conn.Close() //nolint:errcheck // nothing more is to be said
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() { // ends with the connection: the client says nothing more, so what comes is its end
		_, _ = conn.Read(make([]byte, 1))
		cancel()
	}()
	out := &framed{conn: conn}
	from := command.Request{Caller: caller.Caller{Cwd: words[0], ContextEnv: words[1]}}
	d.identify(r, &from)
	status, taken := cli.Relay(ctx, cli.Relayed{Args: words[2:], Caller: from.Caller, Run: d.runHere}, out.to(frameStdout), out.to(frameStderr))
	if !taken {
		out.send(frameOther, nil)
		return
	}
	out.send(frameStatus, []byte{byte(status)})
}

// runHere runs a command of the command line without a connection.
func (d *Daemon) runHere(ctx context.Context, asked *client.RunRequest, line func(kind string, value []byte) error) ([]byte, error) {
	who, ok := asked.Caller.(caller.Caller)
	if !ok {
		return nil, fault.New(fault.InternalError, "a command line without a caller")
	}
	request := &command.Request{
		Command: asked.Command, Params: []byte(asked.Params), Caller: who, Page: asked.Page, TimeoutMs: asked.TimeoutMs,
		RequestID: asked.RequestID, Verbose: asked.Verbose, Text: asked.Text, Face: "cli",
	}
	tell := func(kind string, value any) error {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		return line(kind, redact.KnownJSON(data))
	}
	answer := facehttp.Answer(ctx, d.runner, request, command.Hooks{
		Emit: func(value any) error { return tell("line", value) },
		Say:  func(format string, args ...any) { _ = tell("say", fmt.Sprintf(format, args...)) },
	})
	return redact.KnownJSON(answer), nil
}

// framed writes frames to the client.
type framed struct {
	mu   sync.Mutex
	conn net.Conn
}

func (f *framed) send(kind byte, data []byte) error {
	var frame bytes.Buffer
	frame.Grow(5 + len(data))
	frame.WriteByte(kind)
	_ = binary.Write(&frame, binary.BigEndian, uint32(len(data))) // a buffer takes all
	frame.Write(data)
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.conn.Write(frame.Bytes())
	return err
}

// to is a writer of one kind.
func (f *framed) to(kind byte) io.Writer { return frameWriter{f, kind} }

type frameWriter struct {
	to   *framed
	kind byte
}

func (w frameWriter) Write(data []byte) (int, error) {
	if err := w.to.send(w.kind, data); err != nil {
		return 0, err
	}
	return len(data), nil
}
