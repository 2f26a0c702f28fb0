package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// recorded is a context with a managed browser, and a server of small pages.
type recorded struct {
	t      *testing.T
	runner *command.Runner
	site   *httptest.Server
	cwd    string
}

type withoutApps struct{}

func (withoutApps) Merge(string, *session.Page)                        {}
func (withoutApps) Unmerge(string, *session.Page)                      {}
func (withoutApps) App(string, *session.Page) (session.Executor, bool) { return nil, false }

func record(t *testing.T) *recorded {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	t.Setenv("DBRIDGE_HOME", t.TempDir())
	home, err := state.Open()
	if err != nil {
		t.Fatal(err)
	}
	log := zerolog.New(io.Discard)
	hub := session.NewHub(session.Config{Epoch: "e", HostVersion: "test", Log: log})
	tabs := page.NewManager(hub, withoutApps{}, log)
	stores := command.Attach(tabs)
	slots := slot.NewManager(tabs, slot.Options{Home: home, Engine: &slot.Chromes{Report: tabs, Log: log}, Log: log})
	w := &recorded{t: t, runner: &command.Runner{Slots: slots}, cwd: t.TempDir()}
	w.site = httptest.NewServer(http.HandlerFunc(recordSite))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		slots.Close(ctx)
		tabs.Close()
		stores.Close()
		hub.Close()
		w.site.CloseClientConnections()
		w.site.Close()
	})
	if _, err := w.try("session.start", `{"headless":true}`); err != nil {
		if errors.Is(err, fault.New(fault.BrowserLaunchFailed, "")) && strings.Contains(err.Error(), "not found") {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	return w
}

// try runs a command and gives its result as an agent would read it.
func (w *recorded) try(name, params string, timeout ...time.Duration) (map[string]any, error) {
	request := &command.Request{
		Command: name, Params: []byte(params), RequestID: fmt.Sprint(time.Now().UnixNano()),
		Caller: caller.Caller{ContextID: "test", Pid: os.Getpid(), Cwd: w.cwd},
	}
	for _, limit := range timeout {
		request.TimeoutMs = int(limit.Milliseconds())
	}
	answer, err := w.runner.Run(context.Background(), request, command.Hooks{})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(answer.Result)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, err
	}
	if words, ok := answer.Result.(interface{ Text() string }); ok {
		out["text()"] = words.Text()
	}
	return out, nil
}

func (w *recorded) run(name, params string, timeout ...time.Duration) map[string]any {
	w.t.Helper()
	out, err := w.try(name, params, timeout...)
	if err != nil {
		var failure *fault.Error
		_ = errors.As(err, &failure)
		w.t.Fatalf("%s %s: %v %v", name, params, err, failure.Details)
	}
	return out
}

// eval runs a script of the page.
func (w *recorded) eval(script string) {
	w.t.Helper()
	w.run("runtime.eval", toJSON(map[string]any{"expression": script}))
}

func (w *recorded) visit(path string) {
	w.t.Helper()
	w.run("page.navigate", toJSON(map[string]any{"url": w.site.URL + path}))
}

func toJSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func rows(out map[string]any, name string) []map[string]any {
	var list []map[string]any
	for _, item := range out[name].([]any) {
		list = append(list, item.(map[string]any))
	}
	return list
}

// recordSite serves what the tests below visit.
func recordSite(w http.ResponseWriter, r *http.Request) {
	html := func(body string) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><link rel=icon href=data:,>"+body)
	}
	switch r.URL.Path {
	case "/two":
		html("<title>Two</title><script>console.log('of two')</script>")
	case "/framed":
		html("<script>fetch('/api/framed').then(r => console.log('framed ' + r.status))</script>")
	case "/api/echo":
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Set-Cookie", "sid=hunter2; HttpOnly")
		_, _ = fmt.Fprintf(w, `{"got":%q,"token":"hunter2"}`, body)
	case "/hop":
		http.Redirect(w, r, "/api/echo", http.StatusFound)
	case "/binary":
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(bytes.Repeat([]byte{0, 255, 7}, 100_000))
	case "/events":
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: one\n\nevent: tick\ndata: two\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case "/socket":
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow() //nolint:errcheck // the page closes first
		for {
			kind, data, err := c.Read(r.Context())
			if err != nil || c.Write(r.Context(), kind, data) != nil {
				return
			}
		}
	case "/file":
		w.Header().Set("Content-Disposition", "attachment; filename*=UTF-8''..%2F..%2Fre%E2%80%AEport.txt")
		_, _ = io.WriteString(w, "a file")
	case "/app.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, "function fail(){\nlet n = 41; n++;\nthrow new Error('mapped '+n)}\n//# sourceMappingURL=app.js.map\n")
	case "/app.js.map":
		// Generated line 3, column 1 is src/app.ts:30:5.
		_, _ = io.WriteString(w, `{"version":3,"sources":["src/app.ts"],"names":[],"mappings":";;AA6BI"}`)
	case "/worker.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, "console.log('of the worker'); fetch('/api/echo?from=worker').then(() => postMessage(1))")
	case "/sw.js":
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, "self.addEventListener('install', () => skipWaiting()); self.addEventListener('activate', e => e.waitUntil(clients.claim()));"+
			"self.addEventListener('fetch', e => { if (e.request.url.endsWith('/by-worker')) e.respondWith(new Response('from the worker')) })")
	case "/missing":
		http.NotFound(w, r)
	default:
		html("<title>One</title><script src=/app.js></script><button onclick=fail()>Fail</button>")
	}
}

func TestRecordedConsole(t *testing.T) {
	w := record(t)
	t.Run("lines, errors and what the browser says", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.eval(`console.log("a", 1, {b: [1, 2], get trap() { window.sprung = true; return 1 }}); console.warn("w"); console.table([1]);
			const round = {}; round.self = round; console.log(round, 10n, Symbol("s"), new Map([[1, {k: 2}]]), document.body);
			for (let i = 0; i < 3; i++) console.log("again");
			Promise.reject(new Error("unhandled")); setTimeout(() => { throw new TypeError("thrown") });
			fetch("/missing").then(() => 0)`)
		w.run("console.wait", `{"pattern":"thrown"}`, 5*time.Second)
		w.run("console.wait", `{"pattern":"404"}`, 5*time.Second)
		out := w.run("console.list", `{}`)
		text := out["text()"].(string)
		for _, want := range []string{"log a 1 {", "warn w", "/table", "again ×3", "Uncaught (in promise) Error: unhandled", "Uncaught TypeError: thrown", "error/network", "/missing", "10n", "Symbol(s)"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		errorsOnly := w.run("console.list", `{"level":"error","stack":true}`)
		for _, row := range rows(errorsOnly, "messages") {
			if row["level"] != "error" {
				t.Errorf("%v", row)
			}
		}
		for _, row := range rows(out, "messages") {
			if strings.HasPrefix(row["text"].(string), "a 1") {
				whole := w.run("console.get", fmt.Sprintf(`{"id":%v}`, row["id"]))
				if got := fmt.Sprint(whole["args"]); !strings.Contains(got, "b: {0: 1, 1: 2}") || !strings.Contains(got, "trap: (getter)") {
					t.Errorf("args %s", got)
				}
			}
		}
		if sprung := w.run("runtime.eval", `{"expression":"window.sprung === undefined"}`); sprung["value"] != true {
			t.Error("a getter of the page ran")
		}
	})
	t.Run("an error is mapped to its source", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.eval(`setTimeout(fail)`)
		line := w.run("console.wait", `{"pattern":"mapped 42"}`, 5*time.Second)
		whole := w.run("console.get", fmt.Sprintf(`{"id":%v}`, line["id"]))
		if text := whole["text()"].(string); !strings.Contains(text, "at fail (/src/app.ts:30:5)") {
			t.Errorf("%s\n%v", text, whole)
		}
	})
	t.Run("cursors over a navigation", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.eval(`console.log("of one")`)
		before := w.run("console.wait", `{"pattern":"of one"}`, 5*time.Second)
		w.visit("/two")
		w.run("console.wait", `{"pattern":"of two"}`, 5*time.Second)
		if text := w.run("console.list", `{}`)["text()"].(string); strings.Contains(text, "of one") || !strings.Contains(text, "of two") {
			t.Errorf("present document:\n%s", text)
		}
		after := w.run("console.list", fmt.Sprintf(`{"since":%v,"preserved":true}`, before["nextCursor"]))
		if text := after["text()"].(string); strings.Contains(text, "of one") || !strings.Contains(text, "navigated to /two") || strings.Count(text, "of two") != 1 {
			t.Errorf("since:\n%s", text)
		}
	})
	t.Run("P19 a flood is bounded and counted", func(t *testing.T) {
		w.t = t
		w.visit("/two")
		w.run("console.wait", `{"pattern":"of two"}`, 5*time.Second)
		w.run("console.clear", `{}`)
		w.eval(`setTimeout(() => { for (let i = 0; i < 50000; i++) console.log("flood " + i); console.log("x".repeat(10 << 20)); console.error("the end") })`)
		w.run("console.wait", `{"pattern":"the end"}`, 2*time.Minute)
		out := w.run("console.list", `{"limit":1000,"since":1}`)
		kept := int(out["counts"].(map[string]any)["log"].(float64))
		dropped := int(out["dropped"].(map[string]any)["log"].(float64))
		if kept+dropped != 50_001 {
			t.Errorf("%d kept and %d dropped of 50001", kept, dropped)
		}
		if size := len(out["text()"].(string)); size > 200_000 {
			t.Errorf("an answer of %d bytes", size)
		}
	})
	t.Run("secrets are in no answer", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.eval(`console.log("password=hunter2", {token: "hunter2", deep: {apiKey: "hunter2"}}, "Bearer hunter2hunter2"); console.log("marker")`)
		line := w.run("console.wait", `{"pattern":"marker"}`, 5*time.Second)
		id := int(line["id"].(float64)) - 1
		all := fmt.Sprint(w.run("console.list", `{"stack":true}`), w.run("console.get", fmt.Sprintf(`{"id":%d}`, id)))
		if strings.Contains(all, "hunter2") || !strings.Contains(all, "[redacted]") {
			t.Error(all)
		}
		if shown := fmt.Sprint(w.run("console.get", fmt.Sprintf(`{"id":%d,"showSecrets":true}`, id))); !strings.Contains(shown, "hunter2") {
			t.Error(shown)
		}
	})
	t.Run("faults", func(t *testing.T) {
		w.t = t
		for _, c := range []struct{ name, params, code string }{
			{"console.get", `{"id":999999}`, "CONSOLE_MESSAGE_NOT_FOUND"},
			{"console.wait", `{"pattern":"never"}`, "TIMEOUT"},
			{"console.list", `{"pattern":"/(/"}`, "VALIDATION_ERROR"},
		} {
			if _, err := w.try(c.name, c.params, 300*time.Millisecond); err == nil || string(fault.From(err).Code) != c.code {
				t.Errorf("%s %s: %v", c.name, c.params, err)
			}
		}
	})
	t.Run("logpoints print and do not pause", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.run("runtime.logpoint", `{"action":"add","at":"/app.js:3","expression":"'n is', n"}`)
		w.eval(`setTimeout(fail)`)
		line := w.run("console.wait", `{"pattern":"n is 42"}`, 5*time.Second)
		if line["type"] != "logpoint" || !strings.HasPrefix(fmt.Sprint(line["at"]), "/app.js:3") {
			t.Errorf("%v", line)
		}
		w.run("console.wait", `{"pattern":"mapped 42"}`, 5*time.Second)
		w.visit("/?again")
		w.eval(`setTimeout(fail)`)
		w.run("console.wait", `{"pattern":"n is 42"}`, 5*time.Second)
		if _, err := w.try("runtime.logpoint", `{"action":"add","at":"/app.js:3","expression":"n +"}`); err == nil {
			t.Error("a wrong expression is taken")
		}
		if out := w.run("runtime.logpoint", `{"action":"remove","at":"all"}`); len(rows(out, "logpoints")) != 0 {
			t.Errorf("%v", out)
		}
		w.eval(`setTimeout(fail)`)
		w.run("console.wait", `{"pattern":"mapped 42"}`, 5*time.Second)
		if out := w.run("console.list", `{"types":["logpoint"]}`); len(rows(out, "messages")) != 1 {
			t.Errorf("%v", out)
		}
	})
}
