package secure

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// ask sends bytes to the daemon's port and gives the whole answer; PORT and TOKEN
// are replaced, and the lines get their ends.
func ask(t *testing.T, daemon browsertest.Discovery, token, raw string) (status int, header http.Header, body string) {
	t.Helper()
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", daemon.Port))
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(browsertest.Patience)))
	raw = strings.NewReplacer("PORT", fmt.Sprint(daemon.Port), "TOKEN", token, "\n", "\r\n").Replace(raw)
	go func() { _, _ = io.WriteString(conn, raw) }() // it may be cut off in the middle
	method, _, _ := strings.Cut(raw, " ")
	answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("no answer to %.80q: %v", raw, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil && answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

const (
	debug     = "GET /debug?role=agent HTTP/1.1\n"
	host      = "Host: 127.0.0.1:PORT\n"
	auth      = "Authorization: Bearer TOKEN\n"
	websocket = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n"
)

// The whole gate in front of the real daemon, from raw TCP (N-01, N-02, N-03, N-06, N-07, N-08).
func TestN01ToN08RawRequests(t *testing.T) {
	t.Parallel()
	e, daemon, token := alone(t)
	e.Data(nil, "app", "allow", "http://localhost:3000")
	bound := e.Token("bound", "--role", "app", "--origin", "http://localhost:3000")
	e.Token("gone")
	e.Data(nil, "token", "revoke", "gone")
	bodies := make(map[int]string)
	type attempt struct {
		name, request string
		want          int
	}
	attempts := []attempt{
		{"N02 wrong", debug + host + websocket + "Authorization: Bearer dbt_wrong\n", 401},
		{"N02 empty", debug + host + websocket + "Authorization: Bearer \n", 401},
		{"N02 nothing but the scheme", debug + host + websocket + "Authorization: Bearer\n", 401},
		{"N02 prefix", debug + host + websocket + "Authorization: Bearer " + token[:len(token)-1] + "\n", 401},
		{"N02 longer", debug + host + websocket + "Authorization: Bearer TOKENx\n", 401},
		{"N02 other case", debug + host + websocket + "Authorization: Bearer " + strings.ToUpper(token) + "\n", 401},
		{"N02 1 MB", debug + host + websocket + "Authorization: Bearer " + strings.Repeat("a", 1<<20) + "\n", 400},
		{"N02 other scheme", debug + host + websocket + "Authorization: Basic TOKEN\n", 401},
		{"N03 an empty subprotocol token", debug + host + websocket + "Sec-WebSocket-Protocol: debug-bridge.v1, debug-bridge.token.\n", 401},
		{"N03 both ways at once", debug + host + websocket + auth + "Sec-WebSocket-Protocol: debug-bridge.token.TOKEN\n", 401},
		{"N03 header twice", debug + host + websocket + auth + auth, 401},
		{"N03 in the URL", "GET /debug?role=agent&token=TOKEN HTTP/1.1\n" + host + websocket, 401},
		{"N03 in a cookie", debug + host + websocket + "Cookie: token=TOKEN\n", 401},
		{"N05 a role that the token has not", "GET /debug?role=app HTTP/1.1\n" + host + websocket + auth, 403},
		{"N05 an app's token as an agent", debug + host + websocket + "Origin: http://localhost:3000\nAuthorization: Bearer " + bound + "\n", 403},
		{"N05 an app's token without its page", "GET /debug?role=app HTTP/1.1\n" + host + websocket + "Authorization: Bearer " + bound + "\n", 401},
		{"N06 foreign", debug + host + websocket + auth + "Origin: https://evil.com\n", 403},
		{"N06 not registered", debug + host + websocket + auth + "Origin: http://localhost:3001\n", 403},
		{"N06 null", debug + host + websocket + auth + "Origin: null\n", 403},
		{"N06 empty", debug + host + websocket + auth + "Origin:\n", 403},
		{"N06 file", debug + host + websocket + auth + "Origin: file://\n", 403},
		{"N06 another extension", debug + host + websocket + auth + "Origin: chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", 403},
		{"N06 our id in capitals", debug + host + websocket + auth + "Origin: chrome-extension://" + strings.ToUpper(browsertest.ExtensionID) + "\n", 403},
		{"N06 two", debug + host + websocket + auth + "Origin: http://localhost:3000\nOrigin: http://localhost:3000\n", 403},
		{"N06 garbage", debug + host + websocket + auth + "Origin: ]]%00[[\n", 403},
		{"N06 64 KB", debug + host + websocket + auth + "Origin: " + strings.Repeat("o", 64<<10) + "\n", 400},
		{"N07 rebinding", debug + "Host: evil.com:PORT\nOrigin: http://evil.com:PORT\n" + websocket + auth, 403},
		{"N07 rebinding without Origin", debug + "Host: evil.com:PORT\n" + websocket + auth, 403},
		{"N08 empty", debug + "Host:\n" + websocket + auth, 400},
		{"N08 missing", debug + websocket + auth, 400},
		{"N08 two", debug + host + host + websocket + auth, 400},
		{"N08 absolute form", "GET http://127.0.0.1:PORT/debug?role=agent HTTP/1.1\n" + host + websocket + auth, 400},
		{"N08 X-Forwarded-Host", debug + host + websocket + auth + "X-Forwarded-Host: localhost\n", 403},
		{"N11 of another site", debug + host + websocket + auth + "Sec-Fetch-Site: cross-site\n", 403},
	}
	for _, name := range []string{
		"127.0.0.1.evil.com:PORT", "127.1:PORT", "0x7f000001:PORT", "2130706433:PORT", "0.0.0.0:PORT", "[::ffff:127.0.0.1]:PORT", "localhost.:PORT", "127.0.0.1:1", "127.0.0.1",
	} {
		attempts = append(attempts, attempt{"N08 " + name, debug + "Host: " + name + "\n" + websocket + auth, 403})
	}
	attempts = append(attempts, attempt{"N08 userinfo", debug + "Host: a@127.0.0.1:PORT\n" + websocket + auth, 400})
	for _, method := range []string{"GET", "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "DELETE"} {
		for _, route := range []string{"/", "/debug?role=agent", "/v1/daemon/status", "/v1/daemon/stop", "/hostlink", "/json/version", "/json/list", "/mcp", "/nothing", "/debug/../v1/daemon/stop"} {
			attempts = append(attempts, attempt{"N01 " + method + " " + route, method + " " + route + " HTTP/1.1\n" + host + "Content-Length: 0\n", 401})
		}
	}
	// With a token: what is for our own programs on the socket is not here at all.
	for _, route := range []string{"/v1/daemon/status", "/v1/argv", "/hostlink"} {
		attempts = append(attempts, attempt{"N01 with a token " + route, "GET " + route + " HTTP/1.1\n" + host + auth, 404})
	}
	for _, route := range []string{"/v1", "/v1/overview", "/v1/events", "/v1/openapi.json", "/v1/page/list", "/v1/runtime/eval", "/status", "/tabs", "/tabs/open", "/tabs/t1", "/snapshot", "/act"} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "DELETE"} {
			attempts = append(attempts,
				attempt{"N01 " + method + " " + route, method + " " + route + " HTTP/1.1\n" + host + "Content-Length: 0\n", 401},
				attempt{"N07 " + method + " " + route, method + " " + route + " HTTP/1.1\nHost: evil.com:PORT\n" + auth + "Content-Length: 0\n", 403},
				attempt{"N06 " + method + " " + route, method + " " + route + " HTTP/1.1\n" + host + auth + "Origin: null\nContent-Length: 0\n", 403})
		}
		attempts = append(attempts,
			attempt{"N12 an upgrade with a body " + route, "GET " + route + " HTTP/1.1\n" + host + auth + "Connection: Upgrade\nUpgrade: h2c\nContent-Type: application/json\nContent-Length: 2\n\n{}", 400})
	}
	attempts = append(attempts, attempt{"N01 stop with a token", "POST /v1/daemon/stop HTTP/1.1\n" + host + auth + "Content-Type: application/json\nContent-Length: 2\n\n{}", 404})
	for _, a := range attempts {
		request := a.request
		if !strings.Contains(request, "\n\n") {
			request += "\n"
		}
		status, header, body := ask(t, daemon, token, request)
		if status != a.want && !(a.want == 401 && status == 429) { // many wrong tokens in a row are slowed down
			t.Errorf("%s: %d %q, want %d", a.name, status, body, a.want)
		}
		for name := range header {
			if strings.HasPrefix(name, "Access-Control-") || name == "Server" || name == "X-Powered-By" {
				t.Errorf("%s: header %s: %s", a.name, name, header.Get(name))
			}
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY"} {
			if header.Get(name) != want {
				t.Errorf("%s: %s is %q", a.name, name, header.Get(name))
			}
		}
		if a.want == 404 {
			continue // what a token's holder is told may say what there is
		}
		if known, seen := bodies[status]; body != "" && seen && known != body {
			t.Errorf("%s: %d says %q, and elsewhere %q", a.name, status, body, known)
		} else if body != "" {
			bodies[status] = body
		}
		if low := strings.ToLower(body + fmt.Sprint(header)); strings.Contains(low, "dbridge") || strings.Contains(low, "debug-bridge") || strings.Contains(low, "0.1.0") {
			t.Errorf("%s: names itself: %q %v", a.name, body, header)
		}
	}
	// The good token is not slowed down by the bad ones, the daemon is the same, and nobody came in.
	if status, _, _ := ask(t, daemon, token, debug+host+websocket+auth+"Connection: close\n\n"); status != 101 {
		t.Errorf("a valid token after all that: %d", status)
	}
	if now := e.Daemon(); now.PID != daemon.PID {
		t.Error("another daemon")
	}
	if refusals(t, e) < 100 {
		t.Error("the daemon's log does not tell of the refusals")
	}
	log, err := os.ReadFile(filepath.Join(e.Home, "state", "dbridge.log"))
	must(t, err)
	if strings.Contains(string(log), token) || strings.Contains(string(log), bound) {
		t.Error("a token is in the log")
	}
}

// A token that is revoked, or made anew, ends its connections within a second and is refused (N-04).
func TestN04RevokedWhileConnected(t *testing.T) {
	t.Parallel()
	e, _, token := alone(t)
	first, second := e.AgentWith(token), e.AgentWith(token, "sessionId=other")
	other := e.Agent()
	for _, agent := range []*browsertest.Agent{first, second, other} {
		agent.AwaitType("welcome")
	}
	began := time.Now()
	e.Data(nil, "token", "revoke", "good")
	for _, agent := range []*browsertest.Agent{first, second} {
		if code := agent.CloseCode(); code != 4401 {
			t.Errorf("closed with %d, want 4401", code)
		}
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("after %v", took)
	}
	if _, err := e.TryAgent(token); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("the revoked token: %v", err)
	}
	again := e.Token("good")
	if again == token {
		t.Error("the same token again")
	}
	if _, err := e.TryAgent(token); err == nil {
		t.Error("the revoked token counts again with its name")
	}
	e.AgentWith(again).AwaitType("welcome")
	if other.Command("request_ui_tree", nil).Code() == "" {
		t.Error("no answer without a page")
	}
}

// Who an agent is, is what its token's record says, not what it says (N-05).
func TestN05ClaimsCountForNothing(t *testing.T) {
	t.Parallel()
	e, daemon, token := alone(t)
	if status, _, _ := ask(t, daemon, token, "GET /debug?role=agent&agentId=a99&level=control&scopes=all&name=root HTTP/1.1\n"+host+websocket+auth+"X-Agent-Id: a99\nX-Scopes: control\nConnection: close\n\n"); status != 101 {
		t.Errorf("unknown parameters: %d", status)
	}
	agent := e.AgentWith(token, "agentId=a99", "name=root", "level=control")
	if id := agent.AwaitType("welcome").String("agentId"); id == "a99" || id == "" {
		t.Errorf("agentId %q", id)
	}
	for _, claim := range []string{"agentId", "agentName", "level", "origin", "role", "scopes"} {
		agent.Send([]byte(`{"type":"request_ui_tree","requestId":"claim-` + claim + `","` + claim + `":"control"}`))
		if result := agent.Result("claim-" + claim); claim != "origin" && result.Code() != "VALIDATION_ERROR" {
			t.Errorf("%s: %s", claim, result.Raw)
		} else if origin := result.String("origin"); origin != "host" {
			t.Errorf("%s: a result of %q", claim, origin)
		}
	}
}

// A token's agents may attach to the sessions of the person's pages and to that of their
// own context; of another agent's they learn nothing (N-23).
func TestN23OthersContexts(t *testing.T) {
	t.Parallel()
	e, daemon, token := alone(t)
	key := func(token string) string {
		status, _, body := ask(t, daemon, token, "GET /v1/session/status HTTP/1.1\n"+host+auth+"Connection: close\n\n")
		var answer struct{ Data struct{ Context string } }
		if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 || !strings.HasPrefix(answer.Data.Context, "ctx_") {
			t.Fatalf("%d %s %v", status, body, err)
		}
		return answer.Data.Context
	}
	own, others := key(token), key(e.Token("other", "--role", "agent"))
	for session, want := range map[string]int{"default": 101, "shop": 101, own: 101, others: 404, "ctx_0123456789abcdef": 404} {
		if status, _, body := ask(t, daemon, token, "GET /debug?role=agent&sessionId="+session+" HTTP/1.1\n"+host+websocket+auth+"\n"); status != want {
			t.Errorf("%s: %d %s, want %d", session, status, body, want)
		}
	}
}
