package secure

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// otherFiles are another extension, which may do all that an extension can ask for.
var otherFiles = map[string]string{
	"manifest.json": `{"manifest_version":3,"name":"Other","version":"1","permissions":["nativeMessaging","scripting","tabs","debugger","management"],"host_permissions":["<all_urls>"],
		"background":{"service_worker":"sw.js"},"web_accessible_resources":[{"resources":["page.html"],"matches":["<all_urls>"]}]}`,
	"page.html": "<!doctype html><title>Other</title><p>page",
	"sw.js":     "self.ready = true;",
}

// TestInTheBrowser attacks from inside one Chromium that has our extension and
// another one, and in which evil.test is this machine.
func TestInTheBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	ours, others := t.TempDir(), t.TempDir()
	must(t, browsertest.WriteExtension(ours))
	for name, text := range otherFiles {
		must(t, os.WriteFile(filepath.Join(others, name), []byte(text), 0o600))
	}
	e := browsertest.Start(t, browsertest.Options{Extension: true, Args: []string{
		"--load-extension=" + ours + "," + others, // the last of two counts
		"--host-resolver-rules=MAP evil.test 127.0.0.1",
	}})
	w := &world{Env: e, daemon: e.Daemon(), token: e.Token("stolen", "--role", "any")}
	for _, test := range []struct {
		name string
		run  func(*testing.T, *world)
	}{
		{"N09 pages of other origins", pagesOfOtherOrigins},
		{"N10 DNS rebinding", rebinding},
		{"N21 another extension", anotherExtension},
		{"N22 pages and our extension", pagesAndOurExtension},
		{"N26 levels", levels},
		{"N27 cancelled by the person", cancelled},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := e.T
			e.T = t
			defer func() { e.T = before }()
			test.run(t, w)
		})
	}
}

type world struct {
	*browsertest.Env
	daemon browsertest.Discovery
	token  string // valid, as if a page had got hold of it

	sessions int
}

// granted opens a tab, connects it, and attaches an agent; the tab is in a session of its own.
func (w *world) granted(t *testing.T, level string) (*browsertest.Tab, *browsertest.Agent) {
	t.Helper()
	w.sessions++
	session := fmt.Sprintf("secure-%d", w.sessions)
	agent := w.Agent("sessionId=" + session)
	tab := w.OpenTab(w.Pages.URL("/page/Granted"))
	w.Connect(tab, level, browsertest.Session(session))
	agent.Await("the page's bridge", func(m browsertest.Message) bool { return m.Type() == "ui_tree" && m.Seq() > 0 })
	t.Cleanup(func() {
		_ = tab.Call("Page.close", nil, nil)
		tab.Detach()
	})
	return tab, agent
}

// attempts are what a page can do to reach a server on this machine. Each gives
// what it learned; 'opaque' is nothing.
var attempts = map[string]string{
	"WebSocket":                    `socket('ws://HOST/debug?role=agent', ['debug-bridge.v1'])`,
	"WebSocket with a valid token": `socket('ws://HOST/debug?role=agent', ['debug-bridge.v1', 'debug-bridge.token.TOKEN'])`,
	"WebSocket as an app":          `socket('ws://HOST/debug?role=app', ['debug-bridge.v1', 'debug-bridge.token.TOKEN'])`,
	"WebSocket to the host link":   `socket('ws://HOST/hostlink', [])`,
	"fetch":                        `fetch('http://HOST/debug').then((r) => 'read ' + r.status, () => 'opaque')`,
	"fetch with a valid token":     `fetch('http://HOST/debug', {headers: {Authorization: 'Bearer TOKEN'}}).then((r) => 'read ' + r.status, () => 'opaque')`,
	"simple POST":                  `fetch('http://HOST/v1/daemon/stop', {method: 'POST', headers: {'Content-Type': 'text/plain'}, body: '{}'}).then((r) => 'read ' + r.status, () => 'opaque')`,
	"JSON POST":                    `fetch('http://HOST/v1/daemon/stop', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'}).then((r) => 'read ' + r.status, () => 'opaque')`,
	"no-cors POST":                 `fetch('http://HOST/v1/daemon/stop', {method: 'POST', mode: 'no-cors', body: '{}'}).then((r) => r.type === 'opaque' ? 'opaque' : 'read ' + r.status, () => 'opaque')`,
	"XMLHttpRequest":               `new Promise((done) => { const x = new XMLHttpRequest(); x.open('POST', 'http://HOST/v1/daemon/stop'); x.onload = () => done('read ' + x.status); x.onerror = () => done('opaque'); x.send('{}'); })`,
	"img":                          `element('img', 'src', 'http://HOST/debug')`,
	"script":                       `element('script', 'src', 'http://HOST/debug')`,
	"stylesheet":                   `element('link', 'href', 'http://HOST/debug', {rel: 'stylesheet'})`,
	"EventSource":                  `new Promise((done) => { const s = new EventSource('http://HOST/debug'); s.onopen = () => done('open'); s.onerror = () => { s.close(); done('opaque'); }; })`,
	"sendBeacon":                   `(navigator.sendBeacon('http://HOST/v1/daemon/stop', '{}'), 'opaque')`,
	"iframe":                       `frame((f) => { f.src = 'http://HOST/debug'; })`,
	"form into an iframe":          `frame((f) => { f.name = 'sink'; const form = document.createElement('form'); form.method = 'post'; form.enctype = 'text/plain'; form.action = 'http://HOST/v1/daemon/stop'; form.target = 'sink'; document.body.append(form); queueMicrotask(() => form.submit()); })`,
}

const tools = `
const socket = (url, protocols) => new Promise((done) => { const s = new WebSocket(url, protocols); s.onopen = () => done('open'); s.onmessage = () => done('message'); s.onclose = (e) => done(e.code === 1006 ? 'opaque' : 'closed ' + e.code); });
const element = (name, attribute, url, more = {}) => new Promise((done) => { const x = Object.assign(document.createElement(name), more); x.onload = () => done('loaded'); x.onerror = () => done('opaque'); x[attribute] = url; document.body.append(x); });
const frame = (fill) => new Promise((done) => { const f = document.createElement('iframe'); fill(f); document.body.append(f); setTimeout(() => { let seen = 'opaque'; try { if (f.contentDocument && f.contentDocument.body.textContent.trim()) seen = 'read ' + f.contentDocument.body.textContent; } catch {} done(seen); }, 300); });
`

// try runs every attempt in a page and gives those that learned anything.
func (w *world) try(tab *browsertest.Tab, host string) (learned []string) {
	names := make([]string, 0, len(attempts))
	for name := range attempts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		code := strings.NewReplacer("HOST", host, "TOKEN", w.token).Replace(attempts[name])
		if got := tab.Text("(async () => {" + tools + "return await " + code + "})()"); got != "opaque" {
			learned = append(learned, name+": "+got)
		}
	}
	return learned
}

// untouched runs an attack and holds that the daemon refused it and nothing else happened.
func (w *world) untouched(t *testing.T, agent *browsertest.Agent, attack func()) {
	t.Helper()
	before, refused := agent.Len(), refusals(t, w.Env)
	attack()
	if refusals(t, w.Env) == refused {
		t.Error("nothing reached the daemon: this test shows nothing")
	}
	if now := w.Daemon(); now != w.daemon {
		t.Errorf("another daemon: %+v", now)
	}
	for _, m := range agent.Messages()[before:] {
		if m.Type() == "command_result" || m.Type() == "app_connected" {
			t.Errorf("something was done: %s", m.Raw)
		}
	}
}

func pagesOfOtherOrigins(t *testing.T, w *world) {
	_, agent := w.granted(t, "control")
	host := fmt.Sprintf("127.0.0.1:%d", w.daemon.Port)
	for _, origin := range []string{w.Pages.URL("/page/Evil"), w.Pages.CrossURL("/page/Evil"), fmt.Sprintf("http://evil.test:%d/page/Evil", w.Pages.Port)} {
		tab := w.OpenTab(origin)
		w.untouched(t, agent, func() {
			for _, learned := range w.try(tab, host) {
				t.Errorf("%s: %s", origin, learned)
			}
		})
		// It goes there itself: the answer is text, and no script of anybody's runs in it.
		w.untouched(t, agent, func() {
			tab.Eval(fmt.Sprintf("void (location.href = 'http://%s/debug?role=agent')", host), nil)
			tab.Await(fmt.Sprintf("location.host === %q", host))
			if got := tab.Text("document.contentType + ' ' + document.body.innerText.trim()"); got != "text/plain Unauthorized" && got != "text/plain Forbidden" {
				t.Errorf("a navigation shows %q", got)
			}
		})
		tab.Close()
	}
}

// evil.test is resolved to this machine after the page was loaded: our server is
// then of the page's own origin, and all that stands between is the Host check.
func rebinding(t *testing.T, w *world) {
	_, agent := w.granted(t, "control")
	host := fmt.Sprintf("evil.test:%d", w.daemon.Port)
	tab := w.OpenTab(w.Pages.URL("/page/Before"))
	w.untouched(t, agent, func() { tab.Navigate("http://" + host + "/") })
	if got := tab.Text("document.body.innerText.trim()"); got != "Forbidden" {
		t.Errorf("http://%s/ shows %q", host, got)
	}
	// Our answers forbid their documents to connect at all; an attacker's would not.
	must(t, tab.Call("Page.setBypassCSP", map[string]any{"enabled": true}, nil))
	tab.Navigate("http://" + host + "/debug")
	w.untouched(t, agent, func() {
		for _, learned := range w.try(tab, host) {
			if !strings.HasSuffix(learned, ": read 403") && !strings.HasSuffix(learned, ": read Forbidden") {
				t.Errorf("%s: %s", host, learned)
			}
		}
		for _, header := range []string{"''", "'Bearer " + w.token + "'"} {
			if got := tab.Text("fetch('/debug?role=agent', {headers: {Authorization: " + header + "}}).then((r) => String(r.status))"); got != "403" {
				t.Errorf("same-origin fetch with Authorization %s: %s", header[:min(len(header), 9)], got)
			}
		}
	})
	tab.Close()
}

// other opens a page of the other extension.
func (w *world) other(t *testing.T) *browsertest.Tab {
	t.Helper()
	var id string
	w.WorkerEval(`chrome.debugger.getTargets().then((all) => all.map((one) => /^chrome-extension:\/\/([a-p]{32})\/sw.js$/.exec(one.url)?.[1]).find(Boolean) ?? '')`, &id)
	if id == "" {
		t.Fatal("the other extension does not run")
	}
	return w.OpenTab("chrome-extension://" + id + "/page.html")
}

func anotherExtension(t *testing.T, w *world) {
	tab, agent := w.granted(t, "control")
	other := w.other(t)
	relays := func() (count int) {
		for _, process := range w.Processes() {
			if strings.HasPrefix(process.Line, w.Program) && strings.Contains(process.Line, "chrome-extension://") {
				count++
			}
		}
		return count
	}
	before := relays()
	for what, attempt := range map[string]string{
		"sendMessage":                 `chrome.runtime.sendMessage(OURS, {kind: 'stopEverything'}).then(() => 'answered', String)`,
		"connect":                     `new Promise((done) => { const port = chrome.runtime.connect(OURS, {name: 'popup'}); port.onMessage.addListener(() => done('answered')); port.onDisconnect.addListener(() => done(String(chrome.runtime.lastError?.message))); port.postMessage({kind: 'stopEverything'}); })`,
		"connect as a content script": `new Promise((done) => { const port = chrome.runtime.connect(OURS, {name: 'bridge'}); port.onMessage.addListener(() => done('answered')); port.onDisconnect.addListener(() => done(String(chrome.runtime.lastError?.message))); port.postMessage({kind: 'ready', nonce: 'x'}); })`,
		"connectNative":               `new Promise((done) => { const port = chrome.runtime.connectNative('com.debugbridge.host'); port.onMessage.addListener(() => done('answered')); port.onDisconnect.addListener(() => done(String(chrome.runtime.lastError?.message))); port.postMessage({v: 1, kind: 'hello', payload: {linkVersion: 1, instanceId: 'x', installId: 'x'}}); })`,
		"popup's file":                `fetch('chrome-extension://' + OURS + '/popup.html').then(() => 'answered', String)`,
	} {
		got := other.Text(strings.ReplaceAll(attempt, "OURS", quote(browsertest.ExtensionID)))
		if got == "answered" || got == "undefined" || got == "" {
			t.Errorf("%s: %q", what, got)
		}
		if what == "connectNative" && !strings.Contains(got, "forbidden") {
			t.Errorf("connectNative: %q", got)
		}
	}
	// Framing the popup, to have the person click in it.
	framed := other.Text(`new Promise((done) => { const f = document.createElement('iframe'); f.src = 'chrome-extension://` + browsertest.ExtensionID + `/popup.html'; f.onload = () => done('loaded'); f.onerror = () => done('error'); document.body.append(f); setTimeout(() => done('nothing'), 1000); })`)
	for _, target := range w.frames() {
		if strings.Contains(target, browsertest.ExtensionID) {
			t.Errorf("our popup is shown in another extension's page (%s): %s", framed, target)
		}
	}
	// Its own script in the page we are in shares nothing with ours: same page, another world.
	var reached string
	other.Eval(fmt.Sprintf(`chrome.scripting.executeScript({target: {tabId: %d}, func: () => [typeof globalThis.__debugBridge, ...Object.keys(globalThis).filter((k) => /bridge/i.test(k))].join()}).then((all) => all[0].result)`, w.TabID(tab)), &reached)
	if reached != "undefined" {
		t.Errorf("its script sees %q", reached)
	}
	if now := relays(); now != before {
		t.Errorf("%d hosts, were %d", now, before)
	}
	// Ours goes on.
	if result := agent.Do("evaluate", params{"code": "6 * 7"}); result.Fields["result"] != 42.0 {
		t.Errorf("%s", result.Raw)
	}
	other.Close()
	// Started by somebody else than our extension it is no host: no frame comes out of it.
	out := w.Run("chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/")
	if out.Exit == 0 || strings.Contains(out.Stdout, "welcome") || strings.Contains(out.Stdout, `"kind"`) {
		t.Errorf("as the host of another extension: exit %d, %q", out.Exit, out.Stdout)
	}
}

// frames lists the addresses of all targets that are frames.
func (w *world) frames() []string {
	var targets struct {
		TargetInfos []struct{ Type, URL string }
	}
	tab := w.OpenTab("about:blank#look")
	defer tab.Close()
	if err := tab.Call("Target.getTargets", nil, &targets); err != nil {
		w.T.Fatalf("targets: %v", err)
	}
	var found []string
	for _, target := range targets.TargetInfos {
		if target.Type == "iframe" {
			found = append(found, target.URL)
		}
	}
	return found
}

func pagesAndOurExtension(t *testing.T, w *world) {
	tab, agent := w.granted(t, "act")
	for _, attempt := range []string{
		`typeof chrome.runtime?.sendMessage`,
		`typeof chrome.runtime?.connect`,
		`typeof chrome.runtime?.id`,
		`fetch('chrome-extension://OURS/popup.html').then(() => 'answered', () => 'undefined')`,
		`fetch('chrome-extension://OURS/manifest.json').then(() => 'answered', () => 'undefined')`,
		`new Promise((done) => { const s = document.createElement('script'); s.src = 'chrome-extension://OURS/content.js'; s.onload = () => done('loaded'); s.onerror = () => done('undefined'); document.body.append(s); })`,
		`(window.postMessage({kind: 'call', id: 1, command: {type: 'click', target: {selector: '#b'}}}, '*'), document.dispatchEvent(new CustomEvent('debug-bridge', {detail: {kind: 'stop'}})), typeof window.__debugBridge)`,
	} {
		if got := tab.Text(strings.ReplaceAll(attempt, "OURS", browsertest.ExtensionID)); got != "undefined" {
			t.Errorf("%s gives %q", attempt, got)
		}
	}
	agent.Do("click", params{"target": params{"selector": "#b"}})
}

// counting makes a page count everything that happens to it.
const counting = `void (() => {
	window.counts = {};
	const count = (what) => { counts[what] = (counts[what] ?? 0) + 1; };
	new MutationObserver((all) => all.forEach((m) => count(m.type))).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
	for (const kind of ['click', 'mousedown', 'mousemove', 'pointerover', 'keydown', 'beforeinput', 'input', 'change', 'focusin', 'scroll', 'beforeunload', 'pagehide']) addEventListener(kind, () => count(kind), true);
	document.body.insertAdjacentHTML('beforeend', '<input id=field value=v><select id=choice><option>a<option>b</select><div style="height:5000px"></div>');
})()`

// Below its level nothing of a command reaches the page, whoever asks (N-26).
func levels(t *testing.T, w *world) {
	target := func(selector string) params { return params{"target": params{"selector": selector}} }
	acting := map[string]params{
		"click": target("#b"), "hover": target("#b"), "focus": target("#field"),
		"type":     {"target": params{"selector": "#field"}, "text": "x", "clear": true},
		"select":   {"target": params{"selector": "#choice"}, "value": "b"},
		"scroll":   {"to": "bottom"},
		"navigate": {"reload": true},
	}
	controlling := map[string]params{"evaluate": {"code": "counts.evaluated = 1"}, "dialog.handle": {"accept": true}}
	for _, c := range []struct {
		granted, token string
		refused        []map[string]params
	}{
		{"observe", "control", []map[string]params{acting, controlling}},
		{"control", "observe", []map[string]params{acting, controlling}},
		{"act", "control", []map[string]params{controlling}},
		{"control", "act", []map[string]params{controlling}},
	} {
		t.Run("granted "+c.granted+", token "+c.token, func(t *testing.T) {
			w.T = t
			tab, witness := w.granted(t, c.granted)
			session := witness.AwaitType("welcome").String("sessionId")
			agent := w.AgentWith(w.Token("level-"+c.granted+"-"+c.token, "--level", c.token), "sessionId="+session)
			tab.Eval(counting, nil)
			tab.Await("counts.childList > 0")
			tab.Eval("void (counts = {})", nil)
			for _, commands := range c.refused {
				for kind, fields := range commands {
					result := agent.Command(kind, fields)
					failure, _ := result.Fields["error"].(map[string]any)
					details, _ := failure["details"].(map[string]any)
					want := "act"
					if _, needs := controlling[kind]; needs {
						want = "control"
					}
					if result.Code() != "CAPABILITY_MISSING" || details["level"] != want || result.String("effect") != "noop" {
						t.Errorf("%s: %s", kind, result.Raw)
					}
				}
			}
			mark := agent.Len()
			agent.Send([]byte(`{"type":"cdp_request","id":1,"method":"Runtime.evaluate","params":{"expression":"counts.raw = 1"}}`))
			refused := agent.AwaitFrom(mark, "the answer to raw CDP", func(m browsertest.Message) bool { return m.Type() == "cdp_response" })
			if refused.Code() != "CAPABILITY_MISSING" {
				t.Errorf("raw CDP: %s", refused.Raw)
			}
			if result := agent.Command("cdp.send", params{"method": "Runtime.evaluate", "params": params{"expression": "counts.raw = 1"}}); result.Code() != "CAPABILITY_MISSING" {
				t.Errorf("raw CDP as a command: %s", result.Raw)
			}
			for _, raw := range []string{"cdp.batch", "files.set", "bridge.call", "locate", "settle", "console_hook", "frame_info"} {
				if code := agent.Command(raw, params{"method": "Runtime.evaluate", "on": false}).Code(); code != "UNKNOWN_TYPE" {
					t.Errorf("%s: %s", raw, code)
				}
			}
			agent.Do("request_ui_tree", nil)
			agent.Do("request_dom_snapshot", nil)
			if got := tab.Text("JSON.stringify(counts)"); got != "{}" {
				t.Errorf("the page saw %s", got)
			}
		})
		w.T = t
	}
}

// The person presses Cancel on the debugger's bar while an agent goes on and the
// link is down: all is refused until a new click (N-27). Headless Chromium has no
// bar, so what Chrome does when it is pressed is done in its place.
func cancelled(t *testing.T, w *world) {
	tab, agent := w.granted(t, "control")
	agent.Do("evaluate", params{"code": "window.runs = 0"})
	id := w.TabID(tab)
	var flood []string
	for range 20 {
		flood = append(flood, agent.Start("evaluate", params{"code": "new Promise((done) => setTimeout(() => done(++runs), 20))"}))
	}
	w.WorkerEval(fmt.Sprintf(`chrome.debugger.detach({tabId: %d}).then(() => { chrome.debugger.onDetach.dispatch({tabId: %d}, 'canceled_by_user'); return true; })`, id, id), nil)
	if told := agent.AwaitType("app_disconnected"); told.String("reason") != "detached_by_user" {
		t.Errorf("%s", told.Raw)
	}
	for _, command := range flood {
		result := agent.Result(command)
		if code := result.Code(); !result.Success() && code != "NOT_CONNECTED" && code != "PAGE_NOT_FOUND" && code != "INDETERMINATE" && code != "CDP_DISCONNECTED" {
			t.Errorf("%s", result.Raw)
		}
	}
	var attached bool
	w.KillWorker() // the link with it
	w.WakeWorker()
	var links struct{ Browsers []struct{ ID string } }
	browsertest.Until(t, browsertest.Patience, "the extension is back", func() bool {
		links.Browsers = nil
		w.Data(&links, "daemon", "status")
		return len(links.Browsers) == 1
	})
	for range 5 {
		if code := agent.Command("evaluate", params{"code": "runs = -1"}).Code(); code != "NOT_CONNECTED" && code != "PAGE_NOT_FOUND" {
			t.Errorf("after Cancel: %s", code)
		}
	}
	// Only our own attachment would take a command.
	w.WorkerEval(fmt.Sprintf(`chrome.debugger.sendCommand({tabId: %d}, 'Inspector.enable').then(() => true, () => false)`, id), &attached)
	var runs int
	if tab.Eval("runs", &runs); attached || runs < 0 {
		t.Errorf("attached %t, runs %d", attached, runs)
	}
	from := agent.Len()
	w.Connect(tab, "control", browsertest.Session(agent.AwaitType("welcome").String("sessionId")))
	agent.AwaitFrom(from, "the page after a new click", ofType("app_connected"), 10*time.Second)
	agent.Do("evaluate", params{"code": "1"})
}
