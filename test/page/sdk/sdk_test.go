package sdk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const body = `<button id=go onclick="document.body.append('clicked')">Go</button><input id=mail>`

func TestHandshakeAndTelemetry(t *testing.T) {
	h := newHost(t, false)
	page := h.open("getCustomState: () => ({route: location.pathname})", body)
	hello := h.awaitType("hello")
	if hello["appName"] != "shop" || hello["appVersion"] != "1.2" || hello["sessionId"] != "dev" || hello["origin"] != "app" ||
		hello["source"] != "sdk" || hello["level"] != "act" || hello["title"] != "app" || len(hello["appId"].(string)) < 16 || hello["protocolVersion"] != 1.0 {
		t.Errorf("hello: %v", hello)
	}
	capabilities := fmt.Sprint(h.awaitType("capabilities")["capabilities"])
	if capabilities != "[dom_snapshot dom_mutations ui_tree console errors state input]" {
		t.Errorf("capabilities: %s", capabilities)
	}
	tree := h.awaitType("ui_tree")
	if len(tree["items"].([]any)) != 2 || tree["full"] != true {
		t.Errorf("tree: %v", tree)
	}
	h.awaitType("dom_snapshot")
	if state := h.awaitType("state_update"); state["scope"] != "route" || state["state"] != "/" || state["source"] != "custom" {
		t.Errorf("state: %v", state)
	}
	page.Eval("console.warn('hi', {a: 1}); setTimeout(() => { throw new Error('boom') }); Promise.reject('no'); go.textContent = 'Gone'; bridge.sendCustomState('cart', {items: 2}); 0", nil)
	h.await("console", func(m map[string]any) bool {
		return m["type"] == "console" && m["level"] == "warn" && fmt.Sprint(m["args"]) == "[hi {a: 1}]"
	})
	h.await("error", func(m map[string]any) bool { return m["type"] == "error" && m["message"] == "Uncaught Error: boom" })
	h.await("rejection", func(m map[string]any) bool { return m["type"] == "unhandledrejection" && m["reason"] == "no" })
	h.await("cart", func(m map[string]any) bool { return m["type"] == "state_update" && m["scope"] == "cart" })
	h.await("diff", func(m map[string]any) bool { return m["type"] == "ui_tree_diff" })
	h.awaitType("dom_mutations")
}

func TestCommands(t *testing.T) {
	h := newHost(t, false)
	h.open("enableEval: true", body)
	h.awaitType("ui_tree")
	result := h.command("r1", "click", map[string]any{"target": map[string]any{"id": "go"}})
	if result["success"] != true || result["effect"] != "changed" || result["requestType"] != "click" || result["protocolVersion"] != 1.0 {
		t.Errorf("click: %v", result)
	}
	result = h.command("r2", "type", map[string]any{"target": map[string]any{"id": "mail"}, "text": "abc"})
	if result["success"] != true || result["result"].(map[string]any)["value"] != "abc" {
		t.Errorf("type: %v", result)
	}
	for i, c := range []struct {
		code string
		want string
	}{
		{"1 + 1", "2"},
		{"document.title", `"app"`},
		{"var x = 3; x * 2", "6"},
		{"await Promise.resolve(5)", "5"},
		{"const y = await Promise.resolve(2); return y * 4", "8"},
		{"({a: [1n, undefined, new Date(0)], f() {}})", `{"a":["1n",null,"1970-01-01T00:00:00.000Z"]}`},
		{"undefined", "null"},
		{"new Promise(r => setTimeout(() => r('later'), 20))", `"later"`},
	} {
		result := h.command(fmt.Sprintf("e%d", i), "evaluate", map[string]any{"code": c.code})
		got, err := json.Marshal(result["result"])
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want || result["success"] != true {
			t.Errorf("%s: %v", c.code, result)
		}
	}
	result = h.command("r3", "evaluate", map[string]any{"expression": "nowhere.x"})
	fault := result["error"].(map[string]any)
	if result["success"] != false || fault["code"] != "VALIDATION_ERROR" || !strings.Contains(fmt.Sprint(fault["details"]), "nowhere is not defined") {
		t.Errorf("exception: %v", result)
	}
	result = h.command("r4", "click", map[string]any{"target": map[string]any{"ref": "e999"}})
	if fault := result["error"].(map[string]any); fault["code"] != "TARGET_STALE" || fault["suggestions"] == nil {
		t.Errorf("stale: %v", result)
	}
	h.send(map[string]any{"type": "evaluate", "requestId": "long", "code": "new Promise(() => {})"})
	h.send(map[string]any{"type": "cancel", "requestId": "long"})
	result = h.await("cancelled", func(m map[string]any) bool { return m["requestId"] == "long" })
	if result["error"].(map[string]any)["code"] != "CANCELLED" {
		t.Errorf("cancel: %v", result)
	}
	for i, url := range []string{"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"} {
		result = h.command(fmt.Sprintf("n%d", i), "navigate", map[string]any{"url": url})
		if result["error"].(map[string]any)["code"] != "POLICY_DENIED" {
			t.Errorf("navigate %s: %v", url, result)
		}
	}
	first := h.awaitType("hello")["appId"]
	result = h.command("nav", "navigate", map[string]any{"url": "/other"})
	if result["success"] != true || result["effect"] != "navigated" {
		t.Errorf("navigate: %v", result)
	}
	h.await("the next page", func(m map[string]any) bool {
		return m["type"] == "hello" && m["appId"] != first && strings.HasSuffix(m["url"].(string), "/other")
	})
}

func TestEvalIsOffByDefault(t *testing.T) {
	h := newHost(t, false)
	h.open("", body)
	h.awaitType("ui_tree")
	result := h.command("r", "evaluate", map[string]any{"code": "1"})
	if result["error"].(map[string]any)["code"] != "EVAL_DISABLED" {
		t.Errorf("%v", result)
	}
}

func TestReconnectIsTheSamePageAndLosesNothing(t *testing.T) {
	h := newHost(t, false)
	page := h.open("", body)
	first := h.awaitType("hello")["appId"]
	h.awaitType("ui_tree")
	h.forget()
	h.drop()
	page.Eval("for (let i = 0; i < 500; i++) console.log('away', i); 0", nil)
	if again := h.awaitType("hello")["appId"]; again != first {
		t.Errorf("another appId: %v, %v", first, again)
	}
	h.await("the last line", func(m map[string]any) bool { return m["type"] == "console" && fmt.Sprint(m["args"]) == "[away 499]" })
	if n := h.count(func(m map[string]any) bool { return m["type"] == "console" }); n != 500 {
		t.Errorf("%d lines of 500", n)
	}
	// Another daemon knows nothing: it gets the tree anew.
	h.mu.Lock()
	h.epoch = "epoch-2"
	h.mu.Unlock()
	page.Eval("new Promise(r => setTimeout(r, 3100))", nil)
	h.forget()
	h.drop()
	h.awaitType("ui_tree")
}

func TestRefusalStopsWithAMessage(t *testing.T) {
	h := newHost(t, false)
	h.refuse = true
	h.mu.Lock()
	h.page = `<script>window.said = []; const warn = console.warn; console.warn = (...a) => { said.push(a.join(' ')); warn.apply(console, a) }</script>` + h.embed("", body)
	h.mu.Unlock()
	page := browser.Open(t)
	page.Load(h.URL + "/")
	page.Until("", "window.said.length > 0")
	var said []string
	page.Eval("window.said", &said)
	if !strings.Contains(said[0], "refuses") || !strings.Contains(said[0], "dbridge app allow "+h.URL) || strings.Contains(said[0], token) {
		t.Errorf("said: %q", said)
	}
	h.mu.Lock()
	attempts := h.attempts
	h.mu.Unlock()
	if attempts != 3 {
		t.Errorf("%d attempts, want 3", attempts)
	}
	var clean bool
	page.Eval("console.log === window.native", &clean)
	if !clean {
		t.Error("the console is still wrapped after giving up")
	}
	// Put right, connect() works again.
	h.mu.Lock()
	h.refuse = false
	h.mu.Unlock()
	page.Eval("bridge.connect()", nil)
	h.awaitType("ui_tree")
}

// P-37: where nobody answers, as where the browser keeps a public page from this computer, it asks less and less often.
func TestNobodyThereBacksOff(t *testing.T) {
	h := newHost(t, false)
	dead := newHost(t, false)
	url := dead.socketURL()
	dead.Server.Close()
	h.page = strings.ReplaceAll(h.embed("", body), h.socketURL(), url)
	h.page = `<script>window.tries = []; const Real = WebSocket; window.WebSocket = class extends Real { constructor(...a) { super(...a); tries.push(performance.now()) } }</script>` + h.page
	page := browser.Open(t)
	page.Load(h.URL + "/")
	page.Until("", "window.tries.length >= 4")
	var gaps []float64
	page.Eval("tries.slice(1).map((t, i) => t - tries[i])", &gaps)
	if gaps[0] < 240 || gaps[2] < 900 {
		t.Errorf("gaps between attempts: %v ms", gaps)
	}
}

// P-37: where the person does not let the site reach this computer, that is said once, and nothing is tried again.
func TestDeniedByThePerson(t *testing.T) {
	h, dead := newHost(t, true), newHost(t, false)
	socket := dead.socketURL()
	dead.Server.Close()
	h.page = `<script>window.said = []; console.warn = (...a) => said.push(a.join(' ')); window.tries = 0; const Real = WebSocket; window.WebSocket = class extends Real { constructor(...a) { super(...a); tries++ } }</script>` +
		strings.ReplaceAll(h.embed("production: true", body), h.socketURL(), socket)
	page := browser.Open(t)
	page.Call("Browser.setPermission", map[string]any{"permission": map[string]any{"name": "loopback-network"}, "setting": "denied", "origin": h.URL}, nil)
	page.Load(h.URL + "/")
	page.Until("", "window.said.length > 0")
	var said []string
	page.Eval("said", &said)
	if len(said) != 1 || !strings.Contains(said[0], "it was denied") {
		t.Errorf("%q", said)
	}
	page.Eval("new Promise((done) => setTimeout(done, 1500))", nil) // longer than the first pause
	var tries int
	page.Eval("tries", &tries)
	if tries != 1 {
		t.Errorf("tried %d times", tries)
	}
}

// P-37: a production build, or a public site over https, keeps the SDK off until it is told to run.
func TestOffInProduction(t *testing.T) {
	h := newHost(t, true)
	url := strings.Replace(h.URL, "127.0.0.1", "app.example", 1)
	spy := `<script>window.said = []; const info = console.info; console.info = (...a) => { said.push(a.join(' ')); info.apply(console, a) }</script>`
	load := func(options, extra string) ([]string, int) {
		h.mu.Lock()
		h.attempts = 0
		h.page = spy + extra + h.embed(options, body)
		h.mu.Unlock()
		page := browser.Open(t)
		page.Load(url + "/")
		page.Until("", "window.ready")
		page.Eval("new Promise(r => setTimeout(r, 300))", nil)
		var said []string
		page.Eval("said", &said)
		h.mu.Lock()
		defer h.mu.Unlock()
		return said, h.attempts
	}
	if said, attempts := load("", ""); len(said) != 1 || !strings.Contains(said[0], "public site") || attempts != 0 {
		t.Errorf("public https site: %v, %d attempts", said, attempts)
	}
	if said, attempts := load("production: true", ""); len(said) != 0 || attempts == 0 {
		t.Errorf("told to run: %v, %d attempts", said, attempts)
	}
	url = h.URL // https, but this machine
	if said, attempts := load("", ""); len(said) != 0 || attempts == 0 {
		t.Errorf("https on loopback: %v, %d attempts", said, attempts)
	}
	if said, attempts := load("", "<script>window.process = {env: {NODE_ENV: 'production'}}</script>"); len(said) != 1 || !strings.Contains(said[0], "NODE_ENV") || attempts != 0 {
		t.Errorf("production build: %v, %d attempts", said, attempts)
	}
	if !strings.Contains(esm, "process.env.NODE_ENV") {
		t.Error("the build decided NODE_ENV for the apps that embed the SDK")
	}
}

func TestIIFEAndDisconnect(t *testing.T) {
	h := newHost(t, false)
	h.mu.Lock()
	h.page = `<!doctype html><button id=b>x</button><script src=/sdk.global.js></script><script>
window.native = console.log; window.before = document.documentElement.outerHTML;
window.bridge = DebugBridge.createDebugBridge({url: '` + h.socketURL() + `', headers: {Authorization: 'Bearer ` + token + `'}});
bridge.connect(); bridge.connect();</script>`
	h.mu.Unlock()
	page := browser.Open(t)
	page.Load(h.URL + "/")
	h.awaitType("ui_tree")
	if hello := h.awaitType("hello"); hello["sessionId"] != "default" {
		t.Errorf("session: %v", hello)
	}
	var state struct{ Wrapped, Restored bool }
	page.Eval("window.wrapped = console.log !== native; bridge.disconnect(); ({Wrapped: wrapped, Restored: console.log === native})", &state)
	if !state.Wrapped || !state.Restored {
		t.Errorf("%+v", state)
	}
	h.mu.Lock()
	attempts := h.attempts
	h.mu.Unlock()
	if attempts != 1 {
		t.Errorf("%d connections", attempts)
	}
}

// The extension in the same page learns the appId, and the host quiets the SDK.
func TestWithTheExtension(t *testing.T) {
	h := newHost(t, false)
	page := h.open("", body)
	appID := h.awaitType("hello")["appId"]
	h.awaitType("ui_tree")
	page.World("extension", content)
	page.EvalIn("extension", "act.make({telemetry:[]})", nil)
	var ids []string
	page.EvalIn("extension", "act.sdkIds", &ids)
	if !slices.Equal(ids, []string{fmt.Sprint(appID)}) {
		t.Errorf("ids: %v, want %v", ids, appID)
	}
	h.send(map[string]any{"type": "sdk_quiet", "telemetry": []string{"console", "errors", "dom_mutations", "ui_tree", "dom_snapshot"}})
	page.Until("", "console.log === native")
	h.forget()
	page.Eval("console.log('quiet'); document.body.append('x'); bridge.sendCustomState('still', 1); 0", nil)
	h.await("state", func(m map[string]any) bool { return m["scope"] == "still" })
	time.Sleep(200 * time.Millisecond) // longer than any batch waits: nothing else may come
	if n := h.count(func(m map[string]any) bool { return m["type"] != "state_update" }); n != 0 {
		t.Errorf("%d other messages: %v", n, h.got)
	}
	h.send(map[string]any{"type": "sdk_quiet", "telemetry": []string{}})
	page.Until("", "console.log !== native")
}

// A page that the back/forward cache brings back has its hooks once.
func TestBackForward(t *testing.T) {
	h := newHost(t, false)
	page := h.open("", body)
	h.awaitType("ui_tree")
	for range 5 {
		page.Load(h.URL + "/elsewhere")
		page.Eval("history.back()", nil)
		page.Until("", "location.pathname === '/' && window.ready")
	}
	h.forget()
	page.Eval("console.log('once more'); 0", nil)
	line := func(m map[string]any) bool { return m["type"] == "console" && fmt.Sprint(m["args"]) == "[once more]" }
	h.await("the line", line)
	if n := h.count(line); n != 1 {
		t.Errorf("the line came %d times", n)
	}
}
