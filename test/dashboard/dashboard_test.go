// Package dashboard holds the page at / to what it promises, in a real browser that
// gives the token as a person's browser does: as the password that it was asked for.
package dashboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// patience is for what a slow machine may take long for.
const patience = 60 * time.Second

// hostile is a title that does harm wherever it becomes markup or turns text round.
const hostile = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>` + "\u202egpj.exe"

// shown is hostile as a person is to see it.
const shown = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>gpj.exe`

// world is a daemon, a token with a browser of its own, and a person's browser.
type world struct {
	*browsertest.Env
	daemon browsertest.Discovery
	token  string
}

func start(t *testing.T) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("starts browsers")
	}
	e := browsertest.Start(t, browsertest.Options{})
	program, err := browsertest.DBridge()
	if err != nil {
		t.Fatal(err)
	}
	e.Program = program
	w := &world{Env: e, daemon: e.StartDaemon()}
	w.token = e.Token("watcher", "--role", "agent")
	return w
}

// post runs a command as the token and gives its data; it must succeed.
func (w *world) post(path string, params any) map[string]any {
	w.T.Helper()
	body, err := json.Marshal(params)
	if err != nil {
		w.T.Fatalf("%v", err)
	}
	request, err := http.NewRequest(http.MethodPost, w.daemon.HTTPURL+path, bytes.NewReader(body))
	if err != nil {
		w.T.Fatalf("%v", err)
	}
	request.Header.Set("Authorization", "Bearer "+w.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.T.Fatalf("POST %s: %v", path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.T.Fatalf("POST %s: %v", path, err)
	}
	var answer struct {
		OK   bool           `json:"ok"`
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal(text, &answer); err != nil || !answer.OK {
		w.T.Fatalf("POST %s: %d %s", path, response.StatusCode, text)
	}
	return answer.Data
}

// watched is the page at /, and what its browser told of it from its first byte on.
type watched struct {
	*browsertest.Tab
	t                             browsertest.TB
	requests, entries, exceptions *browsertest.Events
}

// probe runs before the page's own scripts.
const probe = `
	window.seen = { violations: [], states: [] };
	addEventListener('securitypolicyviolation', (event) => seen.violations.push(event.violatedDirective + ' ' + event.blockedURI));
	addEventListener('DOMContentLoaded', () => {
		const state = document.getElementById('state-text');
		if (state) new MutationObserver(() => seen.states.push(state.textContent)).observe(state, { childList: true, characterData: true, subtree: true });
	});`

// open goes to the page as a person does: the browser is asked for a password, once,
// and keeps it by itself for what the page asks for later.
func (w *world) open() *watched {
	w.T.Helper()
	tab := w.OpenTab(w.Pages.URL("/page/Before"))
	call := func(method string, params map[string]any) {
		w.T.Helper()
		if err := tab.Call(method, params, nil); err != nil {
			w.T.Fatalf("%s: %v", method, err)
		}
	}
	for _, domain := range []string{"Page", "Network", "Log", "Runtime"} {
		call(domain+".enable", nil)
	}
	call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": probe})
	page := &watched{tab, w.T, tab.Listen("Network.requestWillBeSent"), tab.Listen("Log.entryAdded"), tab.Listen("Runtime.exceptionThrown")}
	paused, asked := tab.Listen("Fetch.requestPaused"), tab.Listen("Fetch.authRequired")
	call("Fetch.enable", map[string]any{"handleAuthRequests": true})
	ended := make(chan struct{})
	var person sync.WaitGroup
	person.Go(func() {
		for went, gave := 0, 0; ; {
			select {
			case <-ended:
				return
			case <-time.After(10 * time.Millisecond):
			}
			for all := paused.All(); went < len(all); went++ {
				_ = tab.Call("Fetch.continueRequest", map[string]any{"requestId": idOf(all[went])}, nil)
			}
			for all := asked.All(); gave < len(all); gave++ {
				_ = tab.Call("Fetch.continueWithAuth", map[string]any{"requestId": idOf(all[gave]), "authChallengeResponse": map[string]any{
					"response": "ProvideCredentials", "username": "anyone", "password": w.token}}, nil)
			}
		}
	})
	tab.Navigate(w.daemon.HTTPURL + "/")
	close(ended)
	person.Wait()
	if len(asked.All()) != 1 {
		w.T.Fatalf("a password was asked for %d times", len(asked.All()))
	}
	call("Fetch.disable", nil)
	page.await("document.getElementById('state-text').textContent === 'Live'")
	return page
}

func idOf(event json.RawMessage) string {
	var paused struct {
		RequestID string `json:"requestId"`
	}
	_ = json.Unmarshal(event, &paused) // an id that is none is refused
	return paused.RequestID
}

func (p *watched) await(expression string) { p.t.Helper(); await(p.t, p.Tab, expression) }

// await is Tab.Await with more patience.
func await(t browsertest.TB, tab *browsertest.Tab, expression string) {
	t.Helper()
	browsertest.Until(t, patience, expression, func() bool {
		var ok bool
		return tab.TryEval("Boolean("+expression+")", &ok) == nil && ok
	})
}

// shows waits until the text of an element has something in it.
func (p *watched) shows(id, text string) {
	p.t.Helper()
	p.await(fmt.Sprintf("(document.getElementById(%s)?.textContent ?? '').includes(%s)", quote(id), quote(text)))
}

func quote(text string) string {
	data, _ := json.Marshal(text) // a string always can be
	return string(data)
}

// clean holds that the page asked its own origin only, broke no policy and threw nothing.
func (p *watched) clean(t *testing.T, w *world) {
	t.Helper()
	for _, event := range p.requests.All() {
		var sent struct {
			Request struct {
				URL string `json:"url"`
			} `json:"request"`
		}
		if err := json.Unmarshal(event, &sent); err != nil {
			t.Fatal(err)
		}
		url := sent.Request.URL
		if !strings.HasPrefix(url, w.daemon.HTTPURL+"/") && !strings.HasPrefix(url, "blob:"+w.daemon.HTTPURL+"/") {
			t.Errorf("the page asks %s", url)
		}
		if strings.Contains(url, w.token) {
			t.Errorf("the token is in %s", url)
		}
	}
	if len(p.requests.All()) < 8 {
		t.Errorf("only %d requests were seen: this shows nothing", len(p.requests.All()))
	}
	var violations []string
	p.Eval("seen.violations", &violations)
	for _, violation := range violations {
		t.Errorf("policy: %s", violation)
	}
	for _, event := range append(p.entries.All(), p.exceptions.All()...) {
		if bytes.Contains(event, []byte("Content Security Policy")) || bytes.Contains(event, []byte("exceptionDetails")) {
			t.Errorf("the browser says %s", event)
		}
	}
	var held string
	p.Eval(`(async () => [document.documentElement.outerHTML, location.href, document.cookie, JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}),
		...performance.getEntries().map((entry) => entry.name), ...(await indexedDB.databases()).map((one) => one.name)].join('\n'))()`, &held)
	if held == "" || strings.Contains(held, w.token) {
		t.Errorf("the page holds the token, or nothing: %d bytes", len(held))
	}
}

// TestN18ShowsWhatGoesOn: what happens appears without a reload, page text stays text,
// and the token is nowhere.
func TestN18ShowsWhatGoesOn(t *testing.T) {
	w := start(t)
	page := w.open()
	page.await("!document.getElementById('pages-empty').hidden && document.getElementById('start-command').textContent.includes('/v1/session/start')")

	w.post("/v1/session/start", map[string]any{"headless": true, "url": w.Pages.URL("/page/Harbour")})
	page.shows("pages", "Harbour")
	page.shows("pages", w.Pages.URL("/page/Harbour"))
	page.shows("pages", "managed")
	page.shows("sessions", "this token’s own")

	agent := w.AgentWith(w.Token("visitor-agent", "--role", "agent"), "sessionId=default")
	page.shows("agents", "visitor-agent")
	agent.Close()
	page.await("!document.getElementById('agents').textContent.includes('visitor-agent')")

	// What a page writes is text, in titles and lines.
	w.post("/v1/runtime/eval", map[string]any{"expression": fmt.Sprintf("document.title = %s; console.error(%s); 1", quote(hostile), quote("line "+hostile))})
	page.shows("pages", shown)
	page.shows("console", "line "+shown)
	w.post("/v1/page/navigate", map[string]any{"url": w.Pages.URL("/page/Elsewhere")})
	page.shows("commands-rows", "navigate")
	page.shows("commands-rows", "watcher")
	var owned bool
	page.Eval("'owned' in window || document.querySelector('main img:not(#shot), main script') !== null", &owned)
	if owned {
		t.Error("page text became markup")
	}

	// Filters, and the whole of a long line.
	w.post("/v1/runtime/eval", map[string]any{"expression": "console.log('plain'); console.warn('careful'); console.error('y'.repeat(3000) + 'END'); 1"})
	page.shows("console", "careful")
	page.await("document.querySelector('#console .line:last-child button.whole') !== null")
	page.Click("#console .line:last-child button.whole")
	page.shows("console", "yEND")
	page.Eval("document.getElementById('console-level').value = 'warn', document.getElementById('console-level').dispatchEvent(new Event('change')), 1", nil)
	page.await("!document.getElementById('console').textContent.includes('plain') && document.getElementById('console').textContent.includes('careful')")
	page.Eval("document.getElementById('console-level').value = 'all', document.getElementById('console-level').dispatchEvent(new Event('change')), 1", nil)
	page.shows("console", "plain")

	page.Click("#shot-take")
	page.await("document.getElementById('shot').naturalWidth > 100 && document.getElementById('shot').src.startsWith('blob:')")
	page.clean(t, w)

	log, err := os.ReadFile(filepath.Join(w.Home, "state", "dbridge.log"))
	if err != nil || len(log) == 0 || bytes.Contains(log, []byte(w.token)) {
		t.Errorf("the log holds the token, or nothing: %d bytes, %v", len(log), err)
	}
}

// TestManyLines: a page that logs without end does not take this one along.
func TestManyLines(t *testing.T) {
	w := start(t)
	w.post("/v1/session/start", map[string]any{"headless": true, "url": w.Pages.URL("/page/Busy")})
	page := w.open()
	page.shows("pages", "Busy")
	w.post("/v1/runtime/eval", map[string]any{"expression": `new Promise((done) => {
		let n = 0;
		const timer = setInterval(() => {
			for (let i = 0; i < 50; i++) console.log('line ' + ++n);
			if (n >= 3000) { clearInterval(timer); console.log('the last line'); done(n); }
		}, 50);
	})`})
	page.shows("console", "the last line")
	var lines int
	page.Eval("document.querySelectorAll('#console .line').length", &lines)
	if lines == 0 || lines > 500 {
		t.Errorf("%d lines are shown", lines)
	}

	// Paused, nothing moves; resumed, nothing is missing.
	page.Click("#console-pause")
	page.await("document.getElementById('console-pause').getAttribute('aria-pressed') === 'true'")
	w.post("/v1/runtime/eval", map[string]any{"expression": "console.log('while paused')"})
	page.shows("console-pause", "1 new")
	var early bool
	page.Eval("document.getElementById('console').textContent.includes('while paused')", &early)
	if early {
		t.Error("a paused console goes on")
	}
	page.Click("#console-pause")
	page.shows("console", "while paused")
	page.clean(t, w)
}

// TestComesBack: a daemon that is away is said to be, and found again, without a reload.
func TestComesBack(t *testing.T) {
	w := start(t)
	page := w.open()
	page.Eval("window.same = 1", nil)
	w.KillDaemon()
	page.await("seen.states.includes('Connection lost') && !document.getElementById('notice').hidden")
	again := w.StartDaemon()
	if again.Port != w.daemon.Port {
		t.Skip("the port was taken meanwhile")
	}
	page.await("document.getElementById('state-text').textContent === 'Live' && document.getElementById('notice').hidden && window.same === 1")
	w.post("/v1/session/start", map[string]any{"headless": true, "url": w.Pages.URL("/page/After")})
	page.shows("pages", "After")
}

// TestN04Revoked: a token that is revoked shows nothing more, and no browser asks for
// another one over the page.
func TestN04Revoked(t *testing.T) {
	w := start(t)
	w.post("/v1/session/start", map[string]any{"headless": true, "url": w.Pages.URL("/page/Secret")})
	page := w.open()
	page.shows("pages", "Secret")
	w.Data(nil, "token", "revoke", "watcher")
	page.shows("notice", "not valid any more")
	var left string
	page.Eval("document.body.innerText", &left)
	if strings.Contains(left, "Secret") {
		t.Errorf("still shown: %s", left)
	}
}

// TestN09OtherSites: no other page frames it or reads it, though the browser has the password.
func TestN09OtherSites(t *testing.T) {
	w := start(t)
	page := w.open()
	for _, origin := range []string{w.Pages.URL("/page/Evil"), w.Pages.CrossURL("/page/Evil")} {
		tab := w.OpenTab(origin)
		for _, attempt := range []string{
			`fetch(URL, {credentials: 'include'}).then((r) => 'read ' + r.status, () => 'opaque')`,
			`fetch(URL, {credentials: 'include', mode: 'no-cors'}).then((r) => r.type === 'opaque' ? 'opaque' : 'read ' + r.status, () => 'opaque')`,
			`new Promise((done) => { const s = Object.assign(document.createElement('script'), {src: URL + 'page/main.js'}); s.onload = () => done('ran'); s.onerror = () => done('opaque'); document.body.append(s); })`,
			`new Promise((done) => { const f = document.createElement('iframe'); f.onload = () => { let got = 'opaque'; try { if (f.contentDocument?.body.textContent.trim()) got = 'read'; } catch {} done(f.contentWindow.length ? 'frames' : got); }; f.src = URL; document.body.append(f); })`,
		} {
			if got := tab.Text(strings.ReplaceAll(attempt, "URL", quote(w.daemon.HTTPURL+"/"))); got != "opaque" {
				t.Errorf("%s: %s gives %s", origin, attempt, got)
			}
		}
		// Going there itself it is refused too: whoever leads a person there is not the person.
		tab.Eval(fmt.Sprintf("void (location.href = %s)", quote(w.daemon.HTTPURL+"/")), nil)
		await(t, tab, fmt.Sprintf("location.href === %s && document.readyState === 'complete'", quote(w.daemon.HTTPURL+"/")))
		if got := tab.Text("document.body.innerText.trim()"); got != "Forbidden" {
			t.Errorf("led there by %s: %q", origin, got)
		}
		tab.Close()
	}
	page.await("document.getElementById('state-text').textContent === 'Live'")
}

// TestHeaders: what the answers of the page forbid, and who gets none.
func TestHeaders(t *testing.T) {
	e := browsertest.Start(t, browsertest.Options{NoBrowser: true})
	daemon := e.StartDaemon()
	tokens := map[string]string{"agent": e.Token("looker", "--role", "agent"), "app": e.Token("shop", "--role", "app")}
	get := func(path, token string) (*http.Response, string) {
		request, err := http.NewRequest(http.MethodGet, daemon.HTTPURL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			request.SetBasicAuth("anyone", token)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, string(body)
	}
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/page/main.js": "text/javascript; charset=utf-8",
		"/page/page.css": "text/css; charset=utf-8", "/page/icon.svg": "image/svg+xml; charset=utf-8",
	} {
		response, body := get(path, tokens["agent"])
		header := response.Header
		if response.StatusCode != 200 || header.Get("Content-Type") != kind || body == "" {
			t.Errorf("%s: %d %s", path, response.StatusCode, header.Get("Content-Type"))
		}
		for name, part := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:;",
			"X-Frame-Options":         "DENY", "Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
			"Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		} {
			if !strings.HasPrefix(header.Get(name), part) {
				t.Errorf("%s: %s is %q", path, name, header.Get(name))
			}
		}
		if !strings.Contains(header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s may be framed", path)
		}
		if response, body := get(path, ""); response.StatusCode != 401 || body != "Unauthorized\n" || !strings.HasPrefix(response.Header.Values("Www-Authenticate")[1], "Basic ") {
			t.Errorf("%s without a token: %d %q %q", path, response.StatusCode, body, response.Header.Values("Www-Authenticate"))
		}
		if response, _ := get(path, tokens["app"]); response.StatusCode != 403 {
			t.Errorf("%s as an app: %d", path, response.StatusCode)
		}
	}
	for _, path := range []string{"/page/none.js", "/page/..%2fpage.go", "/page/"} {
		if response, _ := get(path, tokens["agent"]); response.StatusCode != 404 {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
	}
}
