package http

import (
	"context"
	nethttp "net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// What the gate and the API refuse, each with its status: 400, 401, 403, 404, 405, 413,
// 415, 429 (N-11, N-20).
func TestRefusals(t *testing.T) {
	t.Parallel()
	e, c := daemon(t)
	const eval = "/v1/runtime/eval"
	good := `{"expression":"1"}`
	for _, one := range []struct {
		name, body string
		status     int
		headers    []string
	}{
		{"no token", good, 401, []string{"Authorization", ""}},
		{"wrong token", good, 401, []string{"Authorization", "Bearer dbt_no"}},
		{"N-11 Basic is for looking", good, 401, []string{"Authorization", "Basic " + c.token}},
		{"N-11 no type", good, 415, []string{"Content-Type", ""}},
		{"N-11 text", good, 415, []string{"Content-Type", "text/plain"}},
		{"N-11 form", "a=1", 415, []string{"Content-Type", "application/x-www-form-urlencoded"}},
		{"N-11 multipart", good, 415, []string{"Content-Type", "multipart/form-data; boundary=x"}},
		{"N-11 charset", good, 415, []string{"Content-Type", "application/json; charset=utf-7"}},
		{"N-11 gzip", good, 415, []string{"Content-Encoding", "gzip"}},
		{"N-11 another site", good, 403, []string{"Sec-Fetch-Site", "cross-site"}},
		{"N-11 same site", good, 403, []string{"Sec-Fetch-Site", "same-site"}},
		{"N-06 Origin", good, 403, []string{"Origin", "https://evil.example"}},
	} {
		if a := c.do("POST", eval, []byte(one.body), one.headers...); a.Status != one.status || strings.HasPrefix(string(a.Body), "{") {
			t.Errorf("%s: %d %s, want %d", one.name, a.Status, a.Body, one.status)
		}
	}
	for _, body := range []string{
		`{`, `[]`, `null`, `1`, `"x"`, `{"expression":"1"} x`, "\ufeff" + good, `{"expression":"1","expression":"2"}`, `{"Expression":"1"}`,
		`{"expre\u017fion":"1"}`, `{"expression":1}`, `{"__proto__":{"expression":"1"}}`, `{"expression":"1","depth":1e400}`, `{"expression":"1","depth":"5"}`,
		`{"expression":"1","depth":1.5}`, strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), "{\"expression\":\"\xff\"}",
	} {
		c.fails(c.do("POST", eval, []byte(body)), 400, "VALIDATION_ERROR")
	}
	c.fails(c.do("POST", eval, []byte(`{"expression":"`+strings.Repeat("x", 1<<20)+`"}`)), 413, "VALIDATION_ERROR")
	c.fails(c.do("POST", eval, []byte(`{"expression":"1"}`)), 404, "SESSION_NOT_FOUND") // there is no browser
	for _, path := range []string{"/v1/page", "/v1/page/", "/v1/page/list/", "/v1/nothing/at-all", "/v1/daemon/stop", "/v1/run", "/tabs/", "/v2", "/debug/x"} {
		a := c.do("GET", path, nil)
		if path == "/tabs/" {
			c.fails(a, 405, "VALIDATION_ERROR")
			continue
		}
		c.fails(a, 404, "UNKNOWN_TYPE")
	}
	if a := c.do("GET", "/v1/page/lst", nil); a.Error.Details["nearest"] != "/v1/page/list" {
		t.Errorf("%s", a.Body)
	}
	for _, id := range []string{strings.Repeat("i", 129), "tab\there", "ümlaut"} {
		c.fails(c.do("GET", "/v1", nil, RequestID, id), 400, "VALIDATION_ERROR")
	}
	for _, query := range []string{"page=x", "page=0", "page=1&page=2", "timeoutMs=-5", "fields=a..b", "%zz", "limit=x", "limit=1&limit=2", "session=no%20name"} {
		c.fails(c.do("GET", "/v1/observe/events?"+query, nil), 400, "VALIDATION_ERROR")
	}
	app := agent(e, "an-app", "--role", "app")
	if a := app.do("GET", "/v1", nil); a.Status != 403 {
		t.Errorf("an app's token: %d", a.Status)
	}
	low := agent(e, "low", "--level", "observe")
	if a := low.fails(low.do("POST", eval, []byte(good)), 403, "CAPABILITY_MISSING"); a.Error.Details["limitedBy"] != "token" {
		t.Errorf("%s", a.Body)
	}
	// Looking with a password, as a browser asks a person for it.
	request, _ := nethttp.NewRequest("GET", c.base+"/v1", nil)
	request.SetBasicAuth("", c.token)
	response, err := c.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != 200 {
		t.Errorf("Basic: %d", response.StatusCode)
	}
	wrong := *c
	wrong.token = "dbt_wrong"
	until(t, "wrong tokens are slowed down", func() bool { return wrong.do("GET", "/v1", nil).Status == 429 })
	c.get("/v1", 200)
}

// A request that is sent again under its id runs once; another one under it does not run.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	_, c := managed(t)
	const body = `{"expression":"window.count = (window.count || 0) + 1"}`
	first := c.post("/v1/runtime/eval", body, 200, RequestID, "same")
	again := c.post("/v1/runtime/eval", body, 200, RequestID, "same")
	if first.Meta.Repeated || !again.Meta.Repeated || again.Data["value"] != first.Data["value"] {
		t.Errorf("%s %s", first.Body, again.Body)
	}
	c.fails(c.do("POST", "/v1/runtime/eval", []byte(`{"expression":"2"}`), RequestID, "same"), 409, "REQUEST_ID_CONFLICT")
	c.fails(c.do("GET", "/tabs", nil, RequestID, "same"), 409, "REQUEST_ID_CONFLICT")
	var wait sync.WaitGroup
	for range 8 { // at once, too
		wait.Go(func() {
			a, err := c.try("POST", "/v1/runtime/eval", []byte(`{"expression":"new Promise(done => setTimeout(() => done(window.count += 1), 300))"}`), RequestID, "at once")
			if err != nil || a.Status != 200 || a.Data["value"] != 2.0 {
				t.Errorf("%v %+v", err, a)
			}
		})
	}
	wait.Wait()
	if count := c.eval("window.count"); count != 2.0 {
		t.Errorf("it ran %v times", count)
	}
}

// Who is gone needs no answer: its command ends, and the page is free for the next one.
func TestClientGone(t *testing.T) {
	t.Parallel()
	_, c := managed(t)
	s := c.listen("?types=command_result", "")
	s.await("welcome", "")
	ctx, cancel := context.WithCancel(context.Background())
	request, _ := nethttp.NewRequestWithContext(ctx, "POST", c.base+"/v1/runtime/eval?timeoutMs=300000", strings.NewReader(`{"expression":"window.begun = 1, new Promise(() => {})"}`))
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	done := make(chan struct{})
	go func() {
		defer close(done)
		if response, err := c.http.Do(request); err == nil {
			_ = response.Body.Close()
			t.Error("it was answered")
		}
	}()
	until(t, "the script runs", func() bool { return c.get("/v1/observe/state", 200).OK && c.begun() })
	cancel()
	<-done
	s.await("command_result", "CANCELLED")
	if c.eval("2") != 2.0 {
		t.Error("the page is not free")
	}
}

// begun asks the page beside the command that runs in it.
func (c *client) begun() bool {
	return c.get("/v1/page/wait-function?expression="+url.QueryEscape("window.begun === 1")+"&timeoutMs=20000", 200).OK
}

// What one agent has another does not see: as if it were not there (N-23).
func TestOthersAreNotSeen(t *testing.T) {
	t.Parallel()
	e, c := managed(t)
	other := agent(e, "other")
	key, _ := c.get("/v1/session/status", 200).Data["context"].(string)
	tabs, _ := c.get("/tabs", 200).Top["tabs"].([]any)
	target, _ := tabs[0].(map[string]any)["targetId"].(string)
	other.fails(other.do("GET", "/v1/page/list?session="+key, nil), 404, "SESSION_NOT_FOUND")
	other.fails(other.do("GET", "/v1/events?session="+key, nil), 404, "SESSION_NOT_FOUND")
	other.fails(other.do("GET", "/v1/capture/screenshot?page=1", nil), 404, "SESSION_NOT_FOUND")
	other.fails(other.do("GET", "/snapshot?targetId="+target, nil), 404, "SESSION_NOT_FOUND")
	browse(e, other)
	other.fails(other.do("GET", "/v1/capture/screenshot?page=1", nil), 404, "PAGE_NOT_FOUND")
	other.fails(other.do("GET", "/snapshot?targetId="+target, nil), 404, "PAGE_NOT_FOUND")
	for path, leak := range map[string]string{"/v1/overview": key, "/status": key, "/tabs": target, "/v1/session/status?details": key, "/v1/session/status?all": key} {
		if a := other.get(path, 200); strings.Contains(string(a.Body), leak) {
			t.Errorf("%s tells of another's context: %s", path, a.Body)
		}
	}
	own := c.get("/v1/overview", 200)
	if !strings.Contains(string(own.Body), target) || own.Data["context"] != key {
		t.Errorf("%s", own.Body)
	}
	if a := c.get("/v1/page/list?session="+key, 200); len(a.Data["pages"].([]any)) != 1 {
		t.Errorf("its own by name: %s", a.Body)
	}
}

// An overview tells what was done, whoever did it here.
func TestOverview(t *testing.T) {
	t.Parallel()
	_, c := managed(t)
	c.post("/v1/input/key", `{"key":"Tab"}`, 200)
	c.do("POST", "/v1/element/click?timeoutMs=300", []byte(`{"target":"button \"Nothing\""}`))
	recent, _ := c.get("/v1/overview", 200).Data["recent"].([]any)
	if len(recent) < 2 {
		t.Fatalf("%v", recent)
	}
	newest, _ := recent[0].(map[string]any)
	before, _ := recent[1].(map[string]any)
	if newest["command"] != "element.click" || newest["ok"] != false || newest["code"] != "ELEMENT_NOT_FOUND" || before["command"] != "input.key" || before["ok"] != true || before["page"] != 1.0 {
		t.Errorf("%v\n%v", newest, before)
	}
}

// A hundred clients at once, each with several requests, and not one error.
func TestHundredClients(t *testing.T) {
	t.Parallel()
	_, c := managed(t)
	var wait sync.WaitGroup
	for n := range 100 {
		wait.Go(func() {
			for i := range 5 {
				want := float64(n*10 + i)
				a, err := c.try("POST", "/v1/runtime/eval?timeoutMs=80000", []byte(`{"expression":"`+strconv.Itoa(n*10+i)+`"}`))
				if err != nil || a.Status != 200 || a.Data["value"] != want {
					t.Errorf("client %d: %v %+v", n, err, a)
					return
				}
				if a, err = c.try("GET", "/v1/page/list", nil); err != nil || a.Status != 200 {
					t.Errorf("client %d: %v %+v", n, err, a)
				}
			}
		})
	}
	wait.Wait()
}
