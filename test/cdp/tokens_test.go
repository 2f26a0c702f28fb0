package cdp

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// holder is a token with a browser of its own and a client on a page of it.
type holder struct {
	*raw
	secret, base, context string
	target, session       string
}

func hold(t *testing.T, e *commandtest.Env, name, page string) *holder {
	t.Helper()
	h := &holder{}
	h.secret, h.base = token(e, name)
	if status, body := ask(t, "GET", h.base+"/json/version?profile=managed", ""); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	h.raw = dial(t, h.ws("/devtools/browser/managed"), "")
	h.target, h.session = h.page(page)
	_, body := ask(t, "GET", "http://"+hostOf(h.base)+"/v1/session/status", h.secret)
	var answer struct{ Data struct{ Context string } }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Data.Context == "" {
		t.Fatalf("%s %v", body, err)
	}
	h.context = answer.Data.Context
	return h
}

// ws is the address of a socket, by the token's key.
func (h *holder) ws(path string) string { return "ws" + strings.TrimPrefix(h.base, "http") + path }

// declined is the status of a handshake that is not accepted.
func declined(t *testing.T, endpoint string) int {
	t.Helper()
	socket, response, err := websocket.Dial(context45(t), endpoint, nil)
	if err == nil {
		_ = socket.CloseNow()
		return http.StatusSwitchingProtocols
	}
	if response == nil {
		t.Fatal(err)
	}
	return response.StatusCode
}

// N-23: of the browser, the pages and the sessions that another token has, a token's
// client learns nothing, whichever name it has got hold of.
func TestTokensDoNotMeet(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	e.OK("daemon", "start")
	a, b := hold(t, e, "a", e.Site.URL("/page/OfA")), hold(t, e, "b", e.Site.URL("/page/OfB"))
	a.ok(a.session, "Runtime.enable", nil)

	b.refused(a.session, "Runtime.evaluate", map[string]any{"expression": "1"}, -32001, "Session with given id not found")
	b.refused("", "Target.detachFromTarget", map[string]any{"sessionId": a.session}, -32602, "")
	for method, params := range map[string]map[string]any{
		"Target.attachToTarget": {"targetId": a.target, "flatten": true},
		"Target.getTargetInfo":  {"targetId": a.target},
		"Target.closeTarget":    {"targetId": a.target},
		"Target.activateTarget": {"targetId": a.target},
	} {
		if m := b.send("", method, params); m.Error == nil || strings.Contains(m.Error.Message, "OfA") {
			t.Errorf("%s of another's target: %s %+v", method, m.Result, m.Error)
		}
	}
	b.ok("", "Target.setDiscoverTargets", map[string]any{"discover": true})
	b.ok("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
	a.value(a.session, "void open('/page/OfAToo'), console.log('of a')")
	for _, path := range []string{"/json/list", "/json/list?session=" + a.context, "/json/list?profile=" + a.context} {
		if status, body := ask(t, "GET", b.base+path, ""); strings.Contains(body, a.target) || strings.Contains(body, "OfA") {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/json/close/", "/json/activate/"} {
		if status, body := ask(t, "PUT", b.base+path+a.target, ""); status != 404 {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/devtools/page/" + a.target, "/devtools/browser/" + a.context + "?session=" + a.context, "/devtools/browser/managed?session=" + a.context} {
		status := declined(t, b.ws(path))
		if status == http.StatusSwitchingProtocols {
			// It may be the token's own browser that answers; it is never the other's.
			c := dial(t, b.ws(path), "")
			if m := c.send("", "Target.getTargets", nil); strings.Contains(string(m.Result), a.target) {
				t.Errorf("%s is another's browser: %s", path, m.Result)
			}
		} else if status != 404 && status != 400 {
			t.Errorf("%s: %d", path, status)
		}
	}
	b.value(b.session, "1")
	for _, m := range b.all {
		if m.Method != "" && m.SessionID == a.session || strings.Contains(string(m.Params)+string(m.Result), "OfA") || strings.Contains(string(m.Params), "of a") {
			t.Errorf("b heard %s %s", m.Method, m.Params)
		}
	}
	if got := a.value(a.session, "document.title"); got != "OfA" {
		t.Errorf("a's page: %v", got)
	}
	// One token's end is not the other's.
	e.OK("token", "revoke", "a")
	if code := a.closed(); code != 4401 {
		t.Errorf("a was closed with %d", code)
	}
	if got := b.value(b.session, "document.title"); got != "OfB" {
		t.Errorf("b's page: %v", got)
	}
}

// Two tokens' clients on one tab of the person's: each has its own session, hears what it
// asked for, and a page that one opened is held by it (N-23).
func TestTokensInThePersonsChrome(t *testing.T) {
	env, e, _ := person(t, "/page/start")
	var clients [2]*raw
	for i, name := range []string{"a", "b"} {
		_, base := token(e, name)
		clients[i] = dial(t, "ws"+strings.TrimPrefix(base, "http")+"/devtools/browser/user", "")
	}
	a, b := clients[0], clients[1]
	target := a.only()
	sa, sb := a.attach(target), b.attach(target)
	b.refused(sa, "Runtime.evaluate", eval("1"), -32001, "Session with given id not found")
	a.ok(sa, "Runtime.enable", nil)
	a.value(sa, "console.log('to a')")
	a.event(sa, "Runtime.consoleAPICalled")
	mine := a.ok("", "Target.createTarget", map[string]any{"url": env.Pages.URL("/page/mine")})["targetId"].(string)
	other := b.attach(mine)
	b.refused(other, "Runtime.evaluate", eval("document.title"), -32000, "held by")
	b.refused(other, "Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": 1, "y": 1, "button": "left"}, -32000, "held by")
	b.refused(other, "Page.navigate", map[string]any{"url": env.Pages.URL("/page/taken")}, -32000, "held by")
	b.ok(sb, "DOM.getDocument", nil)
	for _, m := range b.all {
		if m.Method != "" && m.SessionID == sa || m.Method == "Runtime.consoleAPICalled" {
			t.Errorf("b heard %s", m.Method)
		}
	}
	if got := a.value(a.attach(mine), "document.title"); got != "mine" {
		t.Errorf("a's page: %v", got)
	}
}

// N-18: keys are in no log, no argument, no environment, no answer but the one that makes
// them, no page, and no file.
func TestKeysAreNowhere(t *testing.T) {
	env, e, _ := person(t, "/page/start")
	managed := e.In("of-its-own")
	managed.OK("session", "start", "--headless")
	secret, base := token(e, "n18")
	own := managed.OK("session", "cdp")["httpEndpoint"].(string)
	secrets := map[string]string{"token": secret, "token's key": base[strings.LastIndexByte(base, '/')+1:], "context's key": own[strings.LastIndexByte(own, '/')+1:]}
	nowhere := func(where, text string) {
		t.Helper()
		for name, one := range secrets {
			if len(one) < 20 {
				t.Fatalf("%s is no secret: %q", name, one)
			}
			if strings.Contains(text, one) {
				t.Errorf("%s: the %s", where, name)
			}
		}
	}
	c := dial(t, "ws"+strings.TrimPrefix(base, "http")+"/devtools/browser/user", "")
	session := c.attach(c.only())
	if got := c.value(session, "document.title"); got != "start" {
		t.Fatalf("title %v", got)
	}
	d := dial(t, "ws"+strings.TrimPrefix(own, "http")+"/devtools/browser/managed", "")
	_, page := d.page(e.Site.URL("/page/of-ours"))
	ask(t, "GET", base+"/json/nothing", "") // refusals are logged
	ask(t, "GET", base+"x/json/version", "")
	for _, line := range [][]string{{"token", "list"}, {"session", "status", "--details"}, {"session", "status", "--all"}, {"daemon", "status"}, {"daemon", "logs", "--lines", "1000"}, {"profile", "list"}, {"doctor"}, {"page", "list"}} {
		out := managed.Run(line...)
		nowhere(strings.Join(line, " "), string(out.Stdout)+string(out.Stderr))
	}
	for _, path := range []string{"/v1", "/v1/overview", "/v1/openapi.json", "/status", "/v1/session/status?details"} {
		_, body := ask(t, "GET", "http://"+hostOf(base)+path, secret)
		nowhere("GET "+path, body)
	}
	nowhere("the page", c.value(session, "document.documentElement.outerHTML + location.href + document.referrer + document.cookie").(string))
	nowhere("our browser's page", d.value(page, "document.documentElement.outerHTML + location.href + document.referrer + navigator.userAgent").(string))
	nowhere("our browser's command line", string(d.send("", "Browser.getBrowserCommandLine", nil).Result))
	popup := env.OpenPopup(env.OpenTab(env.Pages.URL("/page/other")))
	nowhere("the popup", popup.Text("document.documentElement.outerHTML"))
	var stored string
	env.WorkerEval("Promise.all([chrome.storage.local.get(), chrome.storage.session.get()]).then(JSON.stringify)", &stored)
	nowhere("the extension's storage", stored)
	processes := 0
	for _, process := range env.Processes() {
		for _, name := range []string{"cmdline", "environ"} {
			data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(process.PID), name))
			if err == nil {
				processes++
				nowhere(name+" of "+process.Line, string(data))
			}
		}
	}
	if _, err := os.Stat("/proc/self/environ"); err == nil && processes < 4 {
		t.Errorf("%d files of processes were read", processes)
	}
	err := filepath.WalkDir(e.Home, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.Contains(path, "/contexts/") {
			if data, err := os.ReadFile(path); err == nil {
				nowhere(path, string(data))
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// When the browser dies its clients are told within two seconds, when a token is revoked
// within one; a busy machine may take longer to do either.
func TestEndsInTime(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	e.OK("daemon", "start")
	const slack = 10
	h := hold(t, e, "ends", "about:blank")
	idle := dial(t, h.ws("/devtools/browser/managed"), "")
	other := hold(t, e, "stays", "about:blank")
	began := time.Now()
	e.OK("token", "revoke", "ends")
	for name, c := range map[string]*raw{"at work": h.raw, "idle": idle} {
		if code := c.closed(); code != 4401 {
			t.Errorf("revoked, %s: closed with %d", name, code)
		}
	}
	took := time.Since(began)
	t.Logf("revoked: after %v", took)
	if took > slack*time.Second {
		t.Errorf("revoked: after %v", took)
	}
	status, body := ask(t, "GET", "http://"+hostOf(h.base)+"/v1/session/status?details", other.secret)
	var answer struct{ Data struct{ Pid int } }
	if err := json.Unmarshal([]byte(body), &answer); status != 200 || err != nil || answer.Data.Pid == 0 {
		t.Fatalf("%d %s", status, body)
	}
	process, err := os.FindProcess(answer.Data.Pid)
	if err != nil {
		t.Fatal(err)
	}
	began = time.Now()
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	if code := other.closed(); code != websocket.StatusGoingAway {
		t.Errorf("killed: closed with %d", code)
	}
	took = time.Since(began)
	t.Logf("killed: after %v", took)
	if took > slack*2*time.Second {
		t.Errorf("killed: after %v", took)
	}
	browsertest.Until(t, patience, "a new browser at the same address", func() bool {
		status, _ := ask(t, "GET", other.base+"/json/version?profile=managed", "")
		return status == 200
	})
}
