package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// serve starts the server over HTTP and gives its address, and what ends it.
func serve(t *testing.T, e *commandtest.Env) (url string, end func()) {
	t.Helper()
	command := e.Command("mcp", "--http", "--port", "0")
	command.Env = append(command.Env, "DBRIDGE_CONTEXT_ID=")
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
	ended := false
	end = func() {
		if ended {
			return
		}
		ended = true
		_ = command.Process.Signal(os.Interrupt)
		if err := command.Wait(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
		timer.Stop()
	}
	t.Cleanup(end)
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var ready struct {
		Data struct {
			URL string `json:"url"`
		} `json:"data"`
	}
	if err := json.Unmarshal(line, &ready); err != nil || !strings.HasSuffix(ready.Data.URL, "/mcp") {
		t.Fatalf("%s: %v", line, err)
	}
	return ready.Data.URL, end
}

func token(e *commandtest.Env, name string, flags ...string) string {
	return e.OK(append([]string{"token", "new", name}, flags...)...)["token"].(string)
}

// bearer adds a token, and what else a test wants, to each request.
type bearer struct {
	token  string
	header http.Header
	base   *http.Transport
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	for name, values := range b.header {
		r.Header[name] = values
	}
	return b.base.RoundTrip(r)
}

func visit(t *testing.T, url, token string) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
		&sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{token: token, base: base}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // a test may have ended it
	return &client{session, t, ctx, nil}
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	url, end := serve(t, e)
	secret := token(e, "one")
	one, two := visit(t, url, secret), visit(t, url, secret)
	one.ok("navigate_page", `{"url":"`+e.Site.URL("/jobs/upload")+`"}`)
	two.fails("SESSION_NOT_FOUND", "list_pages", `{}`)
	one.fails("POLICY_DENIED", "upload_file", `{"target":"#papers","files":["/etc/hostname"]}`)
	one.fails("POLICY_DENIED", "take_snapshot", `{"filePath":"`+e.File("x.txt")+`"}`)
	one.fails("POLICY_DENIED", "session_start", `{"executable":"/bin/true"}`)
	if imageOf(one.call("take_screenshot", `{}`)) == nil {
		t.Error("no image over HTTP")
	}
	// A session's context ends with it.
	used := func() int {
		slots := e.OK("session", "status", "--all")["slots"].(map[string]any)
		return int(slots["used"].(float64))
	}
	if used() != 1 {
		t.Fatalf("%d browsers", used())
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	until(t, "the browser of the session is closed", func() bool { return used() == 0 })
	two.ok("navigate_page", `{"url":"`+e.Site.URL("/jobs/welcome")+`"}`)
	end()
	until(t, "the browsers of the server are closed", func() bool { return used() == 0 })
}

// A token's level bounds what its sessions do.
func TestHTTPLevels(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	url, _ := serve(t, e)
	looker := visit(t, url, token(e, "looker", "--level", "observe"))
	looker.fails("CAPABILITY_MISSING", "navigate_page", `{"url":"about:blank"}`)
	looker.fails("CAPABILITY_MISSING", "evaluate_script", `{"expression":"1"}`)
	looker.fails("SESSION_NOT_FOUND", "list_pages", `{}`)
}

func TestHTTPGate(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	url, _ := serve(t, e)
	good, other, app := token(e, "good"), token(e, "other"), token(e, "app", "--role", "app")
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	post := func(secret, path string, header http.Header, body string) *http.Response {
		t.Helper()
		request, err := http.NewRequest(http.MethodPost, strings.TrimSuffix(url, "/mcp")+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		if header.Get("Host") != "" {
			request.Host = header.Get("Host")
		}
		response, err := bearer{token: secret, header: header, base: base}.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response
	}
	for _, c := range []struct {
		name, token, path string
		header            http.Header
		status            int
	}{
		{"good", good, "/mcp", nil, 200},
		{"its own origin", good, "/mcp", http.Header{"Origin": {strings.TrimSuffix(url, "/mcp")}}, 200},
		{"no token", "", "/mcp", nil, 401},
		{"a wrong token", "x" + good[1:], "/mcp", nil, 401},
		{"an app's token", app, "/mcp", nil, 403},
		{"the token in the address", "", "/mcp?token=" + good, nil, 401},
		{"another path", good, "/", nil, 404},
		{"a foreign origin", good, "/mcp", http.Header{"Origin": {"https://evil.example"}}, 403},
		{"no origin's origin", good, "/mcp", http.Header{"Origin": {"null"}}, 403},
		{"a foreign site", good, "/mcp", http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		{"a foreign host", good, "/mcp", http.Header{"Host": {"evil.example"}}, 403},
		{"through a proxy", good, "/mcp", http.Header{"X-Forwarded-For": {"1.2.3.4"}}, 403},
		{"a form", good, "/mcp", http.Header{"Content-Type": {"text/plain"}}, 415},
	} {
		if response := post(c.token, c.path, c.header, hello); response.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", c.name, response.StatusCode, c.status)
		}
	}
	// A session is its token's: to others it is not there (N-23).
	id := post(good, "/mcp", nil, hello).Header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatal("no session")
	}
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	if got := post(other, "/mcp", http.Header{"Mcp-Session-Id": {id}}, list).StatusCode; got != 404 {
		t.Errorf("another's session: %d", got)
	}
	if got := post(good, "/mcp", http.Header{"Mcp-Session-Id": {id}}, list).StatusCode; got != 200 {
		t.Errorf("one's own session: %d", got)
	}
	if got := post(good, "/mcp", http.Header{"Mcp-Session-Id": {"nosuch"}}, list).StatusCode; got != 404 {
		t.Errorf("no session: %d", got)
	}
	e.OK("token", "revoke", "good")
	if got := post(good, "/mcp", http.Header{"Mcp-Session-Id": {id}}, list).StatusCode; got != 401 {
		t.Errorf("a revoked token: %d", got)
	}
}
