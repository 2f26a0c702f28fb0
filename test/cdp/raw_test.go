package cdp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// patience bounds one wait; only a failing test waits for it.
const patience = 45 * time.Second

// message is what comes over the socket.
type message struct {
	ID        int64           `json:"id"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
	SessionID string          `json:"sessionId"`
	Error     *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// raw is a client that sees every message.
type raw struct {
	t      *testing.T
	socket *websocket.Conn
	last   int64
	seen   []message // events that nobody has asked for yet
	all    []message
}

func context45(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// dial connects to an endpoint, with a token where one is given.
func dial(t *testing.T, endpoint, token string) *raw {
	t.Helper()
	var options websocket.DialOptions
	if token != "" {
		options.HTTPHeader = http.Header{"Authorization": {"Bearer " + token}}
	}
	socket, response, err := websocket.Dial(context45(t), endpoint, &options)
	if err != nil {
		body := []byte{}
		if response != nil && response.Body != nil {
			body, _ = io.ReadAll(response.Body)
		}
		t.Fatalf("%v %s", err, body)
	}
	socket.SetReadLimit(-1)
	t.Cleanup(func() { _ = socket.CloseNow() })
	return &raw{t: t, socket: socket}
}

// write sends a text as it is.
func (c *raw) write(text string) {
	c.t.Helper()
	if err := c.socket.Write(context45(c.t), websocket.MessageText, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *raw) read() message {
	c.t.Helper()
	_, data, err := c.socket.Read(context45(c.t))
	if err != nil {
		c.t.Fatal(err)
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		c.t.Fatalf("%s: %v", data, err)
	}
	c.all = append(c.all, m)
	return m
}

// send sends a command and gives its answer; events that come before it are kept.
func (c *raw) send(session, method string, params any) message {
	c.t.Helper()
	c.last++
	wire := map[string]any{"id": c.last, "method": method}
	if params != nil {
		wire["params"] = params
	}
	if session != "" {
		wire["sessionId"] = session
	}
	data, err := json.Marshal(wire)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(string(data))
	for {
		m := c.read()
		if m.Method == "" && m.ID == c.last {
			return m
		}
		c.seen = append(c.seen, m)
	}
}

// ok is send for a command that must succeed.
func (c *raw) ok(session, method string, params any) map[string]any {
	c.t.Helper()
	m := c.send(session, method, params)
	if m.Error != nil {
		c.t.Fatalf("%s: %d %s", method, m.Error.Code, m.Error.Message)
	}
	var result map[string]any
	if err := json.Unmarshal(m.Result, &result); err != nil {
		c.t.Fatal(err)
	}
	return result
}

// event waits for an event of a session.
func (c *raw) event(session, method string) map[string]any {
	c.t.Helper()
	for i := 0; ; i++ {
		if i >= len(c.seen) {
			c.seen = append(c.seen, c.read())
		}
		if m := c.seen[i]; m.Method == method && m.SessionID == session {
			c.seen = append(c.seen[:i], c.seen[i+1:]...)
			var params map[string]any
			if err := json.Unmarshal(m.Params, &params); err != nil {
				c.t.Fatal(err)
			}
			return params
		}
	}
}

// page makes a page and attaches to it.
func (c *raw) page(url string) (target, session string) {
	c.t.Helper()
	target = c.ok("", "Target.createTarget", map[string]any{"url": url})["targetId"].(string)
	session = c.ok("", "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})["sessionId"].(string)
	for end := time.Now().Add(patience); c.value(session, "document.readyState == 'complete' && location.href") != url; {
		if time.Now().After(end) {
			c.t.Fatalf("%s is not loaded", url)
		}
	}
	return target, session
}

// value evaluates in a page.
func (c *raw) value(session, expression string) any {
	c.t.Helper()
	result := c.ok(session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	return result["result"].(map[string]any)["value"]
}

// refused asserts that a command is answered with an error whose words say why.
func (c *raw) refused(session, method string, params any, code int, why string) {
	c.t.Helper()
	m := c.send(session, method, params)
	if m.Error == nil || m.Error.Code != code || !strings.Contains(m.Error.Message, why) {
		c.t.Errorf("%s %v: %s %+v, want %d %q", method, params, m.Result, m.Error, code, why)
	}
}

// closed waits for the end of the connection and gives its code.
func (c *raw) closed() websocket.StatusCode {
	c.t.Helper()
	for {
		if _, _, err := c.socket.Read(context45(c.t)); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

// endpoint is the address that `session cdp` gives.
func endpoint(e *commandtest.Env, flags ...string) string {
	e.T.Helper()
	return e.OK(append([]string{"session", "cdp"}, flags...)...)["endpoint"].(string)
}

// token makes a token and gives it with the address that stands for it.
func token(e *commandtest.Env, name string, flags ...string) (secret, cdpURL string) {
	e.T.Helper()
	made := e.OK(append([]string{"token", "new", name}, flags...)...)
	cdpURL, _ = made["cdpUrl"].(string) // only a token that may drive a browser has one
	return made["token"].(string), cdpURL
}

// ask makes an HTTP request and gives status and body.
func ask(t *testing.T, method, url, token string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(context45(t), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}
