package cdp

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

// A client sees its own sessions alone, gets answers and events in the browser's order,
// and what it attached to ends with it.
func TestDirectSessions(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	at := endpoint(e)
	a, b := dial(t, at, ""), dial(t, at, "")
	if product := a.ok("", "Browser.getVersion", nil)["product"].(string); !strings.Contains(product, "Chrome/") {
		t.Errorf("product %q", product)
	}
	_, sa := a.page(e.Site.URL("/page/test"))
	_, sb := b.page("about:blank")
	a.ok(sa, "Runtime.enable", nil)
	// Contexts are told before the answer, as by the browser.
	told := false
	for _, m := range a.seen {
		told = told || m.Method == "Runtime.executionContextCreated" && m.SessionID == sa
	}
	if !told {
		t.Error("Runtime.enable was answered before its contexts were told")
	}
	if got := a.value(sa, "console.log('of a'), 6*7"); got != 42.0 {
		t.Errorf("6*7 is %v", got)
	}
	a.event(sa, "Runtime.consoleAPICalled")
	// N-23: the session of another client is not there, and nothing of it is heard.
	b.refused(sa, "Runtime.evaluate", map[string]any{"expression": "1"}, -32001, "Session with given id not found")
	b.value(sb, "1")
	for _, m := range b.all {
		if m.SessionID == sa {
			t.Errorf("b heard %s of a's session", m.Method)
		}
	}
	// The page of the client is a page of the context.
	list := e.OK("page", "list")["pages"].([]any)
	if len(list) < 3 {
		t.Errorf("pages: %v", list)
	}
	b.ok("", "Target.detachFromTarget", map[string]any{"sessionId": sb})
	if got := b.event("", "Target.detachedFromTarget")["sessionId"]; got != sb {
		t.Errorf("detached %v", got)
	}
	b.refused(sb, "Runtime.evaluate", map[string]any{"expression": "1"}, -32001, "Session with given id not found")
	a.ok(sa, "Emulation.setUserAgentOverride", map[string]any{"userAgent": "a's own"})
	if err := a.socket.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Error(err)
	}
	if got := e.OK("runtime", "eval", "navigator.userAgent")["value"]; got == "a's own" {
		t.Error("the override of a client that left is there")
	}
}

// What is no message is answered as Chrome answers it, and the connection stays.
func TestDirectGarbage(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	c := dial(t, endpoint(e), "")
	for _, garbage := range []struct {
		text string
		id   int64
		code int
	}{
		{`no json`, 0, -32700},
		{`{"id":1,"id":2,"method":"Browser.getVersion"}`, 0, -32700},
		{`[]`, 0, -32600},
		{`{}`, 0, -32600},
		{`{"id":"1","method":"Browser.getVersion"}`, 0, -32600},
		{`{"id":1e400,"method":"Browser.getVersion"}`, 0, -32600},
		{`{"id":7}`, 7, -32600},
		{`{"id":7,"method":7}`, 7, -32600},
		{`{"id":7,"method":"Browser.getVersion","params":[]}`, 7, -32600},
		{`{"id":7,"method":"Browser.getVersion","sessionId":7}`, 7, -32600},
		{`{"id":7,"method":"Browser.getVersion","Params":{}}`, 7, -32600},
		{`{"id":7,"method":"No.such"}`, 7, -32601},
		{`{"id":7,"method":" Browser.close"}`, 7, -32601},
		{`{"id":7,"method":"browser.close"}`, 7, -32601},
		{`{"id":7,"method":"Browser.close\u0000"}`, 7, -32601},
		{`{"id":7,"method":"Browser.getVersion","sessionId":"ABC"}`, 7, -32001},
	} {
		c.write(garbage.text)
		m := c.read()
		if m.ID != garbage.id || m.Error == nil || m.Error.Code != garbage.code || m.Error.Message == "" {
			t.Errorf("%s: id %d, %+v, want %d", garbage.text, m.ID, m.Error, garbage.code)
		}
	}
	_, session := c.page("about:blank")
	c.last++
	c.write(fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","sessionId":%q,"params":{"expression":"'\ud83d'.length","returnByValue":true}}`, c.last, session))
	for {
		if m := c.read(); m.ID == c.last {
			if !strings.Contains(string(m.Result), `"value":1`) {
				t.Errorf("a lone surrogate: %s %+v", m.Result, m.Error)
			}
			break
		}
	}
	if m := c.send(session, "Runtime.evaluate", map[string]any{"expression": strings.Repeat(" ", 20<<20) + "'" + strings.Repeat("x", 5) + "'.repeat(4<<20)", "returnByValue": true}); len(m.Result) < 20<<20 {
		t.Errorf("a large answer has %d bytes: %+v", len(m.Result), m.Error)
	}
}

// N-25: what would end the browser for others, leave it, or reach this computer.
func TestDirectPolicy(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	_, cdpURL := token(e, "n25")
	foreign := dial(t, "ws"+strings.TrimPrefix(cdpURL, "http")+"/devtools/browser/managed", "")
	// A token has a context of its own, and with it a browser.
	own := dial(t, endpoint(e), "")
	for name, c := range map[string]*raw{"token": foreign, "own": own} {
		_, session := c.page("about:blank")
		for _, x := range []struct {
			session, method string
			params          any
			why             string
		}{
			{"", "Browser.close", nil, "not allowed"},
			{session, "Browser.close", nil, "not allowed"},
			{"", "Browser.crash", nil, "not allowed"},
			{"", "Target.exposeDevToolsProtocol", map[string]any{"targetId": "x"}, "not allowed"},
			{"", "Target.setRemoteLocations", map[string]any{"locations": []any{}}, "not allowed"},
			{"", "Target.sendMessageToTarget", map[string]any{"message": `{"id":1,"method":"Browser.close"}`}, "flat"},
			{"", "Target.attachToTarget", map[string]any{"targetId": "x"}, "flat"},
			{session, "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false}, "flat"},
			{session, "Page.navigate", map[string]any{"url": "file:///etc/passwd"}, "local files"},
			{session, "Page.navigate", map[string]any{"url": "FILE:///etc/passwd"}, "local files"},
			{session, "Page.navigate", map[string]any{"url": "view-source:file:///etc/passwd"}, "browser itself"},
			{session, "Page.navigate", map[string]any{"url": "http://169.254.169.254/latest"}, "credentials"},
			{session, "Page.navigate", map[string]any{"url": "http://" + hostOf(cdpURL) + "/json/list"}, "own address"},
			{"", "Target.createTarget", map[string]any{"url": "file:///etc/passwd"}, "local files"},
			{session, "Page.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": "/"}, "downloads"},
			{"", "Extensions.loadUnpacked", map[string]any{"path": "/"}, "not allowed"},
			{"", "Tethering.bind", map[string]any{"port": 1}, "not allowed"},
		} {
			c.refused(x.session, x.method, x.params, -32000, x.why)
		}
		if got := c.value(session, "location.href"); got != "about:blank" {
			t.Errorf("%s: the page is at %v", name, got)
		}
	}
	_, session := foreign.page(e.Site.URL("/page/test"))
	foreign.value(session, "document.body.innerHTML = '<input type=file>'")
	root := foreign.ok(session, "DOM.getDocument", nil)["root"].(map[string]any)["nodeId"]
	node := foreign.ok(session, "DOM.querySelector", map[string]any{"nodeId": root, "selector": "input"})["nodeId"]
	foreign.refused(session, "DOM.setFileInputFiles", map[string]any{"nodeId": node, "files": []string{"/etc/passwd"}}, -32000, "session cdp")
	foreign.refused(session, "Input.dispatchDragEvent", map[string]any{"type": "drop", "x": 1, "y": 1, "data": map[string]any{"items": []any{}, "files": []string{"/etc/passwd"}, "dragOperationsMask": 1}}, -32000, "session cdp")
	if got := foreign.value(session, "document.querySelector('input').files.length"); got != 0.0 {
		t.Errorf("%v files were given", got)
	}
	_, session = own.page(e.Site.URL("/page/test"))
	own.value(session, "document.body.innerHTML = '<input type=file>'")
	root = own.ok(session, "DOM.getDocument", nil)["root"].(map[string]any)["nodeId"]
	node = own.ok(session, "DOM.querySelector", map[string]any{"nodeId": root, "selector": "input"})["nodeId"]
	own.ok(session, "DOM.setFileInputFiles", map[string]any{"nodeId": node, "files": []string{"/etc/hostname"}})
	if got := own.value(session, "document.querySelector('input').files.length"); got != 1.0 {
		t.Errorf("the user's own script gave %v files", got)
	}
}

func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// The listing is Chrome's, under both ways to come, and its addresses work.
func TestDirectListing(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	e.OK("session", "status") // starts the daemon
	secret, cdpURL := token(e, "lists")
	base := "http://" + hostOf(cdpURL)
	// N-01, N-06: without a credential there is nothing, whatever the path.
	for _, path := range []string{"/json", "/json/version", "/json/list", "/json/protocol", "/json/new", "/devtools/browser/managed", "/cdp/x/json/version", "/cdp//json/version"} {
		for _, method := range []string{"GET", "PUT", "HEAD", "OPTIONS"} {
			if status, body := ask(t, method, base+path, ""); status != 401 || method != "HEAD" && body != "Unauthorized\n" {
				t.Errorf("%s %s: %d %q", method, path, status, body)
			}
		}
	}
	if status, body := ask(t, "GET", cdpURL+"/json/version", ""); status != 404 || !strings.Contains(body, "SESSION_NOT_FOUND") {
		t.Errorf("without a browser: %d %s", status, body)
	}
	for _, way := range []struct{ base, token string }{{cdpURL, ""}, {base, secret}} {
		status, body := ask(t, "GET", way.base+"/json/version/?profile=managed", way.token) // starts it
		var version map[string]string
		if err := json.Unmarshal([]byte(body), &version); status != 200 || err != nil {
			t.Fatalf("%d %s", status, body)
		}
		want := "ws" + strings.TrimPrefix(way.base, "http") + "/devtools/browser/managed"
		if version["webSocketDebuggerUrl"] != want || version["Protocol-Version"] != "1.3" || !strings.HasPrefix(version["Browser"], "Chrome/") && !strings.HasPrefix(version["Browser"], "HeadlessChrome/") {
			t.Errorf("version %v, want %s", version, want)
		}
		browser := dial(t, version["webSocketDebuggerUrl"], way.token)
		browser.ok("", "Target.setDiscoverTargets", map[string]any{"discover": true})
		if status, _ := ask(t, "GET", way.base+"/json/new", way.token); status != 405 {
			t.Errorf("GET /json/new: %d", status)
		}
		page := e.Site.URL("/page/test") + "?a=1&profile=user"
		status, body = ask(t, "PUT", way.base+"/json/new?"+page, way.token)
		var made map[string]string
		if err := json.Unmarshal([]byte(body), &made); status != 200 || err != nil || made["url"] != page {
			t.Fatalf("%d %s", status, body)
		}
		alone := dial(t, made["webSocketDebuggerUrl"], way.token)
		got := alone.value("", "location.href") // at first that of the empty document it begins with
		for end := time.Now().Add(patience); got != page && time.Now().Before(end); got = alone.value("", "location.href") {
		}
		if got != page {
			t.Errorf("the new page is at %v", got)
		}
		listed := false
		for end := time.Now().Add(patience); !listed && time.Now().Before(end); {
			_, body = ask(t, "GET", way.base+"/json", way.token)
			var rows []map[string]string
			if err := json.Unmarshal([]byte(body), &rows); err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				listed = listed || row["id"] == made["id"] && row["url"] == page && row["webSocketDebuggerUrl"] == made["webSocketDebuggerUrl"]
			}
		}
		if !listed {
			t.Errorf("not listed: %s", body)
		}
		if status, body := ask(t, "GET", way.base+"/json/activate/"+made["id"], way.token); status != 200 || body != "Target activated" {
			t.Errorf("activate: %d %s", status, body)
		}
		if status, body := ask(t, "PUT", way.base+"/json/close/"+made["id"], way.token); status != 200 || body != "Target is closing" {
			t.Errorf("close: %d %s", status, body)
		}
		if code := alone.closed(); code != websocket.StatusGoingAway {
			t.Errorf("the page's client ends with %d", code)
		}
		if status, _ := ask(t, "GET", way.base+"/json/close/"+made["id"]+"x", way.token); status != 404 {
			t.Errorf("close of nothing: %d", status)
		}
		if status, body := ask(t, "GET", way.base+"/json/protocol", way.token); status != 200 || !strings.Contains(body, `"domain":"Runtime"`) {
			t.Errorf("protocol: %d %.80s", status, body)
		}
	}
	low, lowURL := token(e, "low", "--level", "act")
	app, appURL := token(e, "app", "--role", "app")
	for _, bad := range []string{low, app} {
		if status, _ := ask(t, "GET", base+"/json/version", bad); status != 403 {
			t.Errorf("a token below control: %d", status)
		}
	}
	if lowURL+appURL != "" {
		t.Errorf("an address for who may not come: %q %q", lowURL, appURL)
	}
}

// N-04: a revoked token's connections end within a second; so do those of a context that ends.
func TestDirectRevoked(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	secret, cdpURL := token(e, "gone")
	ws := "ws" + strings.TrimPrefix(cdpURL, "http") + "/devtools/browser/managed"
	keyed := dial(t, ws, "")
	headed := dial(t, "ws://"+hostOf(cdpURL)+"/devtools/browser/managed", secret)
	own := dial(t, endpoint(e), "")
	keyed.ok("", "Browser.getVersion", nil)
	e.OK("token", "revoke", "gone")
	for name, c := range map[string]*raw{"by path": keyed, "by header": headed} {
		if code := c.closed(); code != 4401 {
			t.Errorf("%s: closed with %d", name, code)
		}
	}
	if status, _ := ask(t, "GET", cdpURL+"/json/version", ""); status != 401 {
		t.Errorf("the key of a revoked token: %d", status)
	}
	own.ok("", "Browser.getVersion", nil)
	address := e.OK("session", "cdp")["httpEndpoint"].(string)
	e.OK("session", "restart")
	if code := own.closed(); code != websocket.StatusGoingAway {
		t.Errorf("after a restart: %d", code)
	}
	again := dial(t, endpoint(e), "") // the address outlives the browser
	if now := e.OK("session", "cdp")["httpEndpoint"].(string); now != address {
		t.Error("the address changed with the browser")
	}
	e.OK("session", "stop")
	if code := again.closed(); code != websocket.StatusGoingAway {
		t.Errorf("after the end of the context: %d", code)
	}
	if status, _ := ask(t, "GET", address+"/json/version", ""); status != 401 {
		t.Errorf("the key of a context that ended: %d", status)
	}
}

// Twenty clients work at once; the browser's death ends all their connections.
func TestDirectCrowd(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	at := endpoint(e)
	before := goroutines(e)
	crowd := make([]*raw, 20)
	for i := range crowd {
		crowd[i] = dial(t, at, "")
	}
	var work sync.WaitGroup
	for i, c := range crowd {
		work.Go(func() {
			_, session := c.page("about:blank")
			c.ok(session, "Runtime.enable", nil)
			for n := range 20 {
				if got := c.value(session, fmt.Sprintf("console.log(%d), %d*100+%d", i, i, n)); got != float64(i*100+n) {
					t.Errorf("client %d: %v", i, got)
				}
			}
			for _, m := range c.all {
				if m.Method != "" && m.SessionID != session && m.SessionID != "" {
					t.Errorf("client %d heard %s of %s", i, m.Method, m.SessionID)
				}
			}
		})
	}
	work.Wait()
	for _, page := range e.OK("session", "status", "--details")["changes"].([]any) {
		if !strings.HasPrefix(page.(string), "DevTools ") {
			t.Errorf("lasting change %v", page)
		}
	}
	process, err := os.FindProcess(int(e.OK("session", "status")["pid"].(float64)))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	for i, c := range crowd {
		if code := c.closed(); code != websocket.StatusGoingAway {
			t.Errorf("client %d: closed with %d", i, code)
		}
	}
	t.Logf("all ended after %v", time.Since(began))
	for end := time.Now().Add(patience); goroutines(e) > before && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	if now := goroutines(e); now > before {
		t.Errorf("%d goroutines before, %d after", before, now)
	}
}

func goroutines(e *commandtest.Env) int {
	return int(e.OK("daemon", "status")["goroutines"].(float64))
}

// A client that does not read is ended, and nobody else waits for it.
func TestDirectSlowClient(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	at := endpoint(e)
	slow, quick := dial(t, at, ""), dial(t, at, "")
	_, session := slow.page("about:blank")
	_, other := quick.page("about:blank")
	for id := 100; id < 112; id++ {
		slow.write(fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","sessionId":%q,"params":{"expression":"'x'.repeat(16<<20)","returnByValue":true}}`, id, session))
	}
	for range 50 {
		if got := quick.value(other, "1+1"); got != 2.0 {
			t.Errorf("1+1 is %v", got)
		}
	}
	for end := time.Now().Add(patience); ; {
		list := fmt.Sprint(e.OK("session", "status", "--details")["changes"])
		if strings.Count(list, "DevTools client") == 1 {
			break // the slow one is gone
		}
		if time.Now().After(end) {
			t.Fatalf("a client that does not read is there: %s", list)
		}
	}
	quick.ok("", "Browser.getVersion", nil)
}
