package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// raw is the server as a program that is spoken to by hand.
type raw struct {
	t       *testing.T
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	said    []message // that nobody waited for yet
}

type message struct {
	Version string          `json:"jsonrpc"`
	ID      any             `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func start(t *testing.T, e *commandtest.Env) *raw {
	t.Helper()
	command := e.Command("mcp")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = command.Process.Kill() // it may have ended
		_ = command.Wait()
	})
	r := &raw{t: t, command: command, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	r.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if m := r.answer("init"); m.Error != nil {
		t.Fatalf("%+v", m)
	}
	return r
}

func (r *raw) send(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

// next reads a message; what is none fails the test.
func (r *raw) next() (message, error) {
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		return message{}, err
	}
	var m message
	if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" || bytes.Count(line, []byte("\n")) != 1 {
		r.t.Fatalf("stdout is not JSON-RPC: %.200s", line)
	}
	return m, nil
}

// answer waits for the answer of an id; nil is that of what had none.
func (r *raw) answer(id any) message {
	r.t.Helper()
	for i, m := range r.said {
		if m.ID == id && m.Method == "" {
			r.said = append(r.said[:i], r.said[i+1:]...)
			return m
		}
	}
	for {
		m, err := r.next()
		if err != nil {
			r.t.Fatalf("no answer to %v: %v", id, err)
		}
		if m.ID == id && m.Method == "" {
			return m
		}
		r.said = append(r.said, m)
	}
}

// ended waits for the end of the process and of its stdout.
func (r *raw) ended() error {
	for {
		if _, err := r.next(); err != nil {
			return r.command.Wait()
		}
	}
}

// whatever a client sends is answered with a typed error, and the conversation goes on.
func TestA18Garbage(t *testing.T) {
	t.Parallel()
	r := start(t, commandtest.New(t))
	long := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 17<<20) + `"}}`
	for _, c := range []struct {
		line string
		id   any
		code int
	}{
		{"garbage", nil, -32700},
		{"{", nil, -32700},
		{"\xff\xfe", nil, -32700},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, nil, -32600},
		{`[]`, nil, -32600},
		{`"text"`, nil, -32600},
		{`{"id":5,"method":"ping"}`, 5.0, -32600},
		{long, nil, -32600},
		{`{"jsonrpc":"2.0","id":7,"method":"no/such"}`, 7.0, -32601},
		{`{"jsonrpc":"2.0","id":8,"method":"prompts/get","params":{"name":"none"}}`, 8.0, -32602},
	} {
		r.send(c.line)
		if m := r.answer(c.id); m.Error == nil || m.Error.Code != c.code || m.Error.Message == "" {
			t.Errorf("%.60s: %+v", c.line, m)
		}
	}
	for i, line := range []string{
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"click","arguments":[1]}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"click","arguments":{"target":{"a":1}}}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"click","arguments":` + strings.Repeat(`{"a":`, 500) + `1` + strings.Repeat("}", 500) + `}}`,
	} {
		id := 100 + i
		r.send(fmt.Sprintf(line, id))
		if m := r.answer(float64(id)); m.Error != nil || !strings.Contains(string(m.Result), `"isError":true`) {
			t.Errorf("%.100s: %+v %s", line, m.Error, m.Result)
		}
	}
	r.send(`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	if m := r.answer("last"); m.Error != nil {
		t.Errorf("after it: %+v", m)
	}
	if err := r.in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.ended(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// a hundred calls at once are each answered once.
func TestA18Pipelined(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/jobs/welcome")
	e.Eval("window.n = 0")
	r := start(t, e)
	for i := range 100 {
		r.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"evaluate_script","arguments":{"expression":"++n"}}}`, i))
	}
	seen := map[any]bool{}
	for range 100 {
		m, err := r.next()
		if err != nil || m.Error != nil || strings.Contains(string(m.Result), "isError") || seen[m.ID] {
			t.Fatalf("%+v %s %v", m, m.Result, err)
		}
		seen[m.ID] = true
	}
	if n := e.Eval("n"); n != 100.0 {
		t.Errorf("n is %v", n)
	}
}

// a client that closes its end, or is killed, leaves no process and no command.
func TestA18Ends(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/jobs/welcome")
	for name, end := range map[string]func(r *raw) error{
		"stdin closed": func(r *raw) error { return r.in.Close() },
		"SIGTERM":      func(r *raw) error { return r.command.Process.Signal(syscall.SIGTERM) },
		"SIGKILL":      func(r *raw) error { return r.command.Process.Kill() },
	} {
		r := start(t, e)
		r.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait_for","arguments":{"text":["never"],"timeoutMs":60000}}}`)
		until(t, "the command runs", func() bool { return running(e) == 1 })
		if err := end(r); err != nil {
			t.Fatal(err)
		}
		err := r.ended()
		var exit *exec.ExitError
		if name != "SIGKILL" && err != nil || name == "SIGKILL" && !errors.As(err, &exit) {
			t.Errorf("%s: it ends with %v", name, err)
		}
		until(t, "the command has ended", func() bool { return running(e) == 0 })
	}
}

// What was asked before the input ended is answered.
func TestListsOfAPipe(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	a := e.RunInput([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`), "mcp")
	if a.Exit != 0 || bytes.Count(a.Stdout, []byte("\n")) != 2 || !bytes.Contains(a.Stdout, []byte(`"id":2,"result":{"tools":[`)) || len(a.Stderr) != 0 {
		t.Errorf("exit %d\n%.300s\n%s", a.Exit, a.Stdout, a.Stderr)
	}
}
