// Package http tests the HTTP control API with the real program and a managed browser:
// every route of the catalogue, every alias, events, what is refused, many at once.
package http

import (
	"bytes"
	"encoding/json"
	"io"
	nethttp "net/http"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestMain(m *testing.M) {
	status := m.Run()
	nethttp.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

// patience bounds what a test waits for; only a failing one waits for it.
const patience = 90 * time.Second

// client is an agent with a token.
type client struct {
	t           testing.TB
	base, token string
	http        *nethttp.Client
}

// answer is what came back.
type answer struct {
	Status int
	Header nethttp.Header
	Body   []byte
	OK     bool           `json:"ok"`
	Data   map[string]any `json:"data"`
	Error  struct {
		Code        string         `json:"code"`
		Message     string         `json:"message"`
		Details     map[string]any `json:"details"`
		Suggestions []string       `json:"suggestions"`
	} `json:"error"`
	Meta struct {
		RequestID string   `json:"requestId"`
		Repeated  bool     `json:"repeated"`
		Warnings  []string `json:"warnings"`
	} `json:"meta"`
	Top map[string]any // of an alias
}

// daemon starts a daemon and gives an agent of it.
func daemon(t testing.TB) (*commandtest.Env, *client) {
	t.Helper()
	e := commandtest.New(t)
	e.OK("daemon", "start")
	return e, agent(e, "agent")
}

// agent makes a token and its client.
func agent(e *commandtest.Env, name string, flags ...string) *client {
	e.T.Helper()
	token, _ := e.OK(append([]string{"token", "new", name}, flags...)...)["token"].(string)
	base, _ := e.OK("daemon", "status")["httpUrl"].(string)
	c := &client{t: e.T, base: base, token: token, http: &nethttp.Client{Timeout: patience, Transport: &nethttp.Transport{MaxIdleConnsPerHost: 100}}}
	e.T.Cleanup(c.http.CloseIdleConnections)
	return c
}

// managed is daemon with a browser in the agent's context, on a page of the site.
func managed(t testing.TB) (*commandtest.Env, *client) {
	t.Helper()
	e, c := daemon(t)
	browse(e, c)
	return e, c
}

// browse starts a browser in an agent's context. Which program that is, only the
// command line may say.
func browse(e *commandtest.Env, c *client) {
	e.T.Helper()
	program, err := chromium.Find()
	if err != nil {
		e.T.Skipf("no Chromium: %v", err)
	}
	key, _ := c.get("/v1/session/status", 200).Data["context"].(string)
	e.OK("session", "start", "--headless", "--executable", program, "--context-id", key, "--url", e.Site.URL("/form"), "--timeout", "60000")
}

// do sends a request; headers are name and value by turns. A value of nothing takes the header away.
func (c *client) do(method, path string, body []byte, headers ...string) *answer {
	c.t.Helper()
	a, err := c.try(method, path, body, headers...)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (c *client) try(method, path string, body []byte, headers ...string) (*answer, error) {
	request, err := nethttp.NewRequest(method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	if method == "POST" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] == "" {
			request.Header.Del(headers[i])
		} else {
			request.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	a := &answer{Status: response.StatusCode, Header: response.Header}
	if a.Body, err = io.ReadAll(response.Body); err != nil {
		return nil, err
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") && response.Header.Get("Content-Encoding") == "" && len(a.Body) > 0 {
		if err := json.Unmarshal(a.Body, a); err != nil {
			return nil, err
		}
		_ = json.Unmarshal(a.Body, &a.Top) // it is an object: a was read of it
	}
	return a, nil
}

func (c *client) get(path string, want int, headers ...string) *answer {
	c.t.Helper()
	return c.want(c.do("GET", path, nil, headers...), want, "GET "+path)
}

func (c *client) post(path, body string, want int, headers ...string) *answer {
	c.t.Helper()
	return c.want(c.do("POST", path, []byte(body), headers...), want, "POST "+path+" "+body)
}

func (c *client) want(a *answer, want int, what string) *answer {
	c.t.Helper()
	if a.Status != want {
		c.t.Fatalf("%s: %d, want %d\n%.2000s", what, a.Status, want, a.Body)
	}
	return a
}

// fails is an answer that is an error with its status and a next step.
func (c *client) fails(a *answer, status int, code string) *answer {
	c.t.Helper()
	if a.Status != status || a.OK || a.Error.Code != code || len(a.Error.Suggestions) == 0 || a.Meta.RequestID == "" {
		c.t.Errorf("%d %.1000s\nwant %d %s and a suggestion", a.Status, a.Body, status, code)
	}
	return a
}

// eval gives the value of an expression in the current page.
func (c *client) eval(expression string) any {
	c.t.Helper()
	body, _ := json.Marshal(map[string]string{"expression": expression})
	return c.post("/v1/runtime/eval", string(body), 200).Data["value"]
}

// until awaits a condition.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in %v: %s", patience, what)
		}
	}
}
