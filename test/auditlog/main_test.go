// Package auditlog tests the audit log and what is said of text that crosses sites, with
// the real program, a real browser, and agents that come by every way.
package auditlog

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestMain(m *testing.M) {
	status := m.Run()
	http.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

const patience = 90 * time.Second

// agent has a token, and a browser in the context of that token.
type agent struct {
	*commandtest.Env
	token, key, base string
}

// hire makes an agent with a browser on a page of the site.
func hire(t *testing.T, name string) *agent {
	t.Helper()
	program, err := chromium.Find()
	if err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	a := &agent{Env: commandtest.New(t)}
	a.OK("daemon", "start")
	a.token, _ = a.OK("token", "new", name)["token"].(string)
	a.base, _ = a.OK("daemon", "status")["httpUrl"].(string)
	_, status := a.http("GET", "/v1/session/status", "", a.token)
	data, _ := status["data"].(map[string]any)
	a.key, _ = data["context"].(string)
	a.OK("session", "start", "--headless", "--executable", program, "--context-id", a.key, "--url", a.Site.URL("/form"), "--timeout", "60000")
	return a
}

// cli runs a command line in the agent's context.
func (a *agent) cli(args ...string) commandtest.Answer {
	a.T.Helper()
	return a.Run(append(args, "--context-id", a.key)...)
}

// done is cli of what must succeed; it gives the warnings.
func (a *agent) done(args ...string) []string {
	a.T.Helper()
	answer := a.cli(args...)
	if !answer.OK {
		a.T.Fatalf("%v: %s%s", args, answer.Stdout, answer.Stderr)
	}
	return warningsOf(answer.Stdout)
}

func warningsOf(stdout []byte) []string {
	var envelope struct{ Meta struct{ Warnings []string } }
	_ = json.Unmarshal(stdout, &envelope) // what is none has none
	return envelope.Meta.Warnings
}

func (a *agent) http(method, path, body, token string) (int, map[string]any) {
	a.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, a.base+path, strings.NewReader(body))
	if err != nil {
		a.T.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		a.T.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // it is read
	data, err := io.ReadAll(response.Body)
	if err != nil {
		a.T.Fatal(err)
	}
	var out map[string]any
	_ = json.Unmarshal(data, &out) // the gate's own answers are text
	return response.StatusCode, out
}

// socket sends messages over the WebSocket and gives the result of each, by its id.
func (a *agent) socket(messages ...string) []map[string]any {
	a.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	address := "ws" + strings.TrimPrefix(a.base, "http") + "/debug?role=agent&sessionId=" + a.key
	conn, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + a.token}}, Subprotocols: []string{"debug-bridge.v1"}})
	if err != nil {
		a.T.Fatal(err)
	}
	defer conn.CloseNow() //nolint:errcheck // nothing is left to be said
	conn.SetReadLimit(16 << 20)
	var results []map[string]any
	for i, message := range messages {
		if err := conn.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
			a.T.Fatal(err)
		}
		for len(results) == i {
			_, data, err := conn.Read(ctx)
			if err != nil {
				a.T.Fatal(err)
			}
			var m map[string]any
			if json.Unmarshal(data, &m) == nil && m["type"] == "command_result" && m["requestId"] == fmt.Sprint("m", i) {
				results = append(results, m)
			}
		}
	}
	return results
}

// mcp calls tools over stdin and stdout, as an assistant does.
func (a *agent) mcp(calls ...string) {
	a.T.Helper()
	command := a.Command("mcp", "--context-id", a.key)
	in, err := command.StdinPipe()
	if err != nil {
		a.T.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		a.T.Fatal(err)
	}
	if err := command.Start(); err != nil {
		a.T.Fatal(err)
	}
	timer := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
	defer timer.Stop()
	lines := bufio.NewReader(out)
	ask := func(id int, method, params string) {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				a.T.Fatalf("%s %s: %v", method, params, err)
			}
			var answer struct {
				ID     int
				Error  any
				Result struct{ IsError bool }
			}
			if json.Unmarshal(line, &answer) == nil && answer.ID == id {
				if answer.Error != nil || answer.Result.IsError {
					a.T.Fatalf("%s %s: %s", method, params, line)
				}
				return
			}
		}
	}
	ask(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i, call := range calls {
		ask(i+2, "tools/call", call)
	}
	_ = in.Close()
	_ = command.Wait() // it ends with its client
}

// entry is what a test looks at of a line.
type entry struct {
	Seq      uint64
	Kind     string
	Agent    string
	Context  string
	Pid      int
	Face     string
	Command  string
	Page     struct{ Site, URL string }
	Target   []string
	To       []string
	Typed    int
	Code     string
	Reason   string
	Notes    []string
	Warnings []string
}

func (a *agent) log(args ...string) []entry {
	a.T.Helper()
	answer := a.Run(append([]string{"audit", "show", "--limit", "5000"}, args...)...)
	var envelope struct {
		OK   bool
		Data struct{ Entries []entry }
	}
	if err := json.Unmarshal(answer.Stdout, &envelope); err != nil || !envelope.OK {
		a.T.Fatalf("audit show: %s %v", answer.Stdout, err)
	}
	return envelope.Data.Entries
}

// awaitEntry waits for a line that another goroutine of the daemon writes.
func (a *agent) awaitEntry(what string, fits func(entry) bool) entry {
	a.T.Helper()
	var found entry
	browsertest.Until(a.T, patience, what, func() bool {
		for _, e := range a.log() {
			if fits(e) {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

// raw is all of the log's files.
func (a *agent) raw() []byte {
	a.T.Helper()
	files, err := filepath.Glob(filepath.Join(a.Home, "state", "audit", "*"))
	if err != nil || len(files) == 0 {
		a.T.Fatalf("no log: %v", err)
	}
	var all bytes.Buffer
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 {
			a.T.Errorf("%s has mode %v: %v", file, info.Mode(), err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			a.T.Fatal(err)
		}
		all.Write(data)
	}
	return all.Bytes()
}
