package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestRecordedNetwork(t *testing.T) {
	w := record(t)
	find := func(t *testing.T, url string) map[string]any {
		t.Helper()
		w.t = t
		return w.run("network.wait", toJSON(map[string]any{"url": url}), 10*time.Second)
	}
	t.Run("requests, bodies and secrets", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.eval(`fetch("/api/echo?token=hunter2", {method: "POST", headers: {Authorization: "Bearer hunter2"}, body: JSON.stringify({password: "hunter2", a: 1})}).then(r => r.text())`)
		row := find(t, "/api/echo")
		if row["status"] != 200.0 || row["type"] != "fetch" || row["method"] != "POST" {
			t.Errorf("%v", row)
		}
		id := row["id"]
		whole := w.run("network.get", fmt.Sprintf(`{"id":%v,"include":["all"]}`, id))
		text := whole["text()"].(string)
		if strings.Contains(fmt.Sprint(whole), "hunter2") {
			t.Errorf("a secret in\n%v", whole)
		}
		for _, want := range []string{"Authorization: Bearer [redacted]", "Set-Cookie: sid=[redacted]", `"a":1`, `"got":`, "made by script"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		if shown := w.run("network.get", fmt.Sprintf(`{"id":%v,"include":["all"],"showSecrets":true}`, id)); !strings.Contains(fmt.Sprint(shown), "Bearer hunter2") {
			t.Errorf("%v", shown)
		}
		if out := w.run("network.list", `{"type":["fetch"],"status":"2xx","method":"post"}`); len(rows(out, "requests")) != 1 {
			t.Errorf("%v", out)
		}
	})
	t.Run("redirects, failures, binary bodies", func(t *testing.T) {
		w.t = t
		w.eval(`fetch("/hop").then(r => r.text()); fetch("/missing"); fetch("/binary").then(r => r.arrayBuffer()); fetch("http://127.0.0.1:1/").catch(() => 0); fetch("http://localhost:1/x").catch(() => 0)`)
		hop := find(t, "/hop")
		if hop["state"] != "redirected" || hop["status"] != 302.0 || hop["redirectedTo"] == nil {
			t.Errorf("%v", hop)
		}
		if bad := w.run("network.wait", `{"url":"/missing","status":"error"}`, 5*time.Second); bad["status"] != 404.0 {
			t.Errorf("%v", bad)
		}
		refused := w.run("network.wait", `{"url":"127.0.0.1:1/","status":"failed"}`, 5*time.Second)
		if !strings.Contains(fmt.Sprint(refused["failure"]), "ERR_") {
			t.Errorf("%v", refused)
		}
		binary := find(t, "/binary")
		w.run("network.get", fmt.Sprintf(`{"id":%v,"file":"out.bin"}`, binary["id"]))
		if data, err := os.ReadFile(filepath.Join(w.cwd, "out.bin")); err != nil || len(data) != 300_000 {
			t.Errorf("%d bytes, %v", len(data), err)
		}
		if _, err := w.try("network.get", fmt.Sprintf(`{"id":%v,"file":"out.bin"}`, binary["id"])); err == nil || fault.From(err).Code != fault.FileAccessFailed {
			t.Errorf("a file is replaced without being told to: %v", err)
		}
		inline := w.run("network.get", fmt.Sprintf(`{"id":%v,"include":["responseBody"],"maxBytes":100}`, binary["id"]))["responseBody"].(map[string]any)
		if inline["cut"] != true || inline["bytes"] != 300000.0 || len(inline["base64"].(string)) > 100 {
			t.Errorf("%v", inline)
		}
	})
	t.Run("blocks and mocks", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.run("network.mock", `{"pattern":"/api/items","body":"[{\"id\":1}]","header":["X-Mock: yes"],"delay":200}`)
		w.run("network.block", `{"patterns":["*.png","/tracker/"]}`)
		out := w.run("runtime.eval", toJSON(map[string]any{"expression": `(async () => {
			const begun = performance.now(); const r = await fetch("/api/items?x=1"); const took = performance.now() - begun;
			const blocked = await fetch("/a.png").then(() => "loaded", e => "failed");
			const free = (await fetch("/api/echo", {method: "POST", body: "b"})).status;
			return [r.status, r.headers.get("content-type"), r.headers.get("x-mock"), await r.json(), took >= 190, blocked, free] })()`}))
		if got := toJSON(out["value"]); got != `[200,"application/json","yes",[{"id":1}],true,"failed",200]` {
			t.Errorf("%s", got)
		}
		row := w.run("network.wait", `{"url":"/a.png"}`, 5*time.Second)
		if !strings.Contains(fmt.Sprint(row["failure"]), "BLOCKED_BY_CLIENT") {
			t.Errorf("%v", row)
		}
		w.visit("/two") // they last over a navigation
		again := w.run("runtime.eval", `{"expression":"fetch('/api/items').then(r => r.json())"}`)
		if got := toJSON(again["value"]); got != `[{"id":1}]` {
			t.Errorf("%s", got)
		}
		if status := fmt.Sprint(w.run("session.status", `{"details":true}`)); !strings.Contains(status, "mock /api/items") || !strings.Contains(status, "block *.png") {
			t.Errorf("%s", status)
		}
		w.run("network.unmock", `{"all":true}`)
		w.run("network.unblock", `{"pattern":"*.png"}`)
		if out := w.run("network.mocks", `{}`); len(rows(out, "rules")) != 1 {
			t.Errorf("%v", out)
		}
		if _, err := w.try("network.unblock", `{"pattern":"*.gif"}`); err == nil {
			t.Error("what is not blocked is unblocked")
		}
		w.run("network.unblock", `{"all":true}`)
		real := w.run("runtime.eval", `{"expression":"fetch('/api/echo', {method: 'POST', body: 'x'}).then(r => r.json()).then(v => v.got)"}`)
		if real["value"] != "x" {
			t.Errorf("%v", real)
		}
	})
	t.Run("other origins and cross-process frames", func(t *testing.T) {
		w.t = t
		w.visit("/")
		other := strings.Replace(w.site.URL, "127.0.0.1", "localhost", 1)
		w.eval(fmt.Sprintf(`fetch("%s/missing?cors", {headers: {"X-Own": "1"}}).catch(() => 0)`, other))
		failed := w.run("network.wait", `{"url":"/missing?cors","status":"failed"}`, 5*time.Second)
		if !strings.Contains(fmt.Sprint(failed["failure"]), "CORS") {
			t.Errorf("%v", failed)
		}
		// The network service tells of it, and may do so after the renderer's word.
		if row := w.run("network.wait", `{"url":"/missing?cors","method":"OPTIONS"}`, 5*time.Second); row["type"] != "preflight" {
			t.Errorf("%v", row)
		}
		w.run("network.mock", `{"pattern":"/api/framed","body":"{}"}`)
		w.eval(fmt.Sprintf(`new Promise(done => { const f = document.createElement("iframe"); f.src = "%s/framed"; f.onload = done; document.body.append(f) })`, other))
		if row := find(t, "/api/framed"); row["status"] != 200.0 {
			t.Errorf("%v", row)
		}
		w.run("console.wait", `{"pattern":"framed 200"}`, 5*time.Second)
		w.run("network.unmock", `{"all":true}`)
	})
	t.Run("sockets and event streams", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.eval(`new Promise(done => { const s = new WebSocket("ws://" + location.host + "/socket"); s.binaryType = "arraybuffer";
			s.onopen = () => { s.send("hello password=hunter2"); s.send(new Uint8Array([1, 2, 3])) }; let n = 0; s.onmessage = () => { if (++n == 2) { s.close(); done() } } })`)
		w.eval(`new Promise(done => { const s = new EventSource("/events"); s.addEventListener("tick", () => done()) })`)
		socket := rows(w.run("network.list", `{"type":["websocket"]}`), "requests")[0]
		frames := w.run("network.frames", fmt.Sprintf(`{"id":%v}`, socket["id"]))
		if text := frames["text()"].(string); frames["total"] != 4.0 || !strings.Contains(text, "1 sent hello password=[redacted]") || !strings.Contains(text, "received AQID (3 bytes)") {
			t.Errorf("%s", text)
		}
		stream := rows(w.run("network.list", `{"type":["eventsource"]}`), "requests")[0]
		if text := w.run("network.frames", fmt.Sprintf(`{"id":%v}`, stream["id"]))["text()"].(string); text != "1 message one\n2 tick two" {
			t.Errorf("%s", text)
		}
	})
	t.Run("workers", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.eval(`new Promise(done => { const k = new Worker("/worker.js"); k.onmessage = () => done() })`)
		find(t, "from=worker")
		w.run("console.wait", `{"pattern":"of the worker"}`, 5*time.Second)
		w.eval(`navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready).then(() => new Promise(done => navigator.serviceWorker.controller ? done() : navigator.serviceWorker.oncontrollerchange = () => done()))`)
		w.eval(`fetch("/by-worker").then(r => r.text())`)
		if row := find(t, "/by-worker"); row["from"] != "service worker" {
			t.Errorf("%v", row)
		}
		w.eval(`navigator.serviceWorker.getRegistrations().then(l => Promise.all(l.map(r => r.unregister())))`)
	})
	t.Run("HAR", func(t *testing.T) {
		w.t = t
		w.visit("/")
		w.eval(`fetch("/api/echo?token=hunter2", {method: "POST", headers: {Authorization: "Bearer hunter2"}, body: "password=hunter2"}).then(r => r.text())`)
		find(t, "/api/echo")
		out := w.run("network.list", `{"har":"page.har","bodies":true,"overwrite":true}`)
		data, err := os.ReadFile(filepath.Join(w.cwd, "page.har"))
		if err != nil {
			t.Fatal(err)
		}
		var har struct {
			Log struct {
				Version string
				Entries []struct {
					Request  struct{ Method, URL string }
					Response struct {
						Status  int
						Content struct{ Text string }
					}
				}
			}
		}
		if err := json.Unmarshal(data, &har); err != nil {
			t.Fatal(err)
		}
		if har.Log.Version != "1.2" || float64(len(har.Log.Entries)) != out["entries"] || len(har.Log.Entries) < 3 {
			t.Errorf("%v entries, %v", len(har.Log.Entries), out)
		}
		if bytes.Contains(data, []byte("hunter2")) || !bytes.Contains(data, []byte(`\"got\":`)) || !bytes.Contains(data, []byte("function fail()")) {
			t.Errorf("bodies or secrets:\n%.3000s", data)
		}
	})
	t.Run("cursors over a navigation", func(t *testing.T) {
		w.t = t
		w.visit("/")
		first := w.run("network.list", `{}`)
		if list := rows(first, "requests"); list[0]["type"] != "document" || list[0]["url"] != "/" {
			t.Errorf("%v", list)
		}
		w.visit("/two")
		present := rows(w.run("network.list", `{}`), "requests")
		if present[0]["url"] != "/two" {
			t.Errorf("%v", present)
		}
		after := rows(w.run("network.list", fmt.Sprintf(`{"since":%v,"preserved":true}`, first["nextCursor"])), "requests")
		if len(after) == 0 || after[0]["url"] != "/two" {
			t.Errorf("%v", after)
		}
	})
	t.Run("faults", func(t *testing.T) {
		w.t = t
		for _, c := range []struct{ name, params, code string }{
			{"network.get", `{"id":999999}`, "NETWORK_REQUEST_NOT_FOUND"},
			{"network.frames", `{"id":999999}`, "NETWORK_REQUEST_NOT_FOUND"},
			{"network.wait", `{"url":"/never"}`, "TIMEOUT"},
			{"network.list", `{"status":"often"}`, "VALIDATION_ERROR"},
			{"network.mock", `{"pattern":"/x","header":["no header"]}`, "VALIDATION_ERROR"},
			{"network.mock", `{"pattern":"/x","bodyFile":"not-there"}`, "FILE_ACCESS_FAILED"},
		} {
			_, err := w.try(c.name, c.params, 300*time.Millisecond)
			if err == nil || string(fault.From(err).Code) != c.code || len(fault.From(err).Suggestions) == 0 {
				t.Errorf("%s %s: %v", c.name, c.params, err)
			}
		}
	})
	t.Run("downloads", func(t *testing.T) {
		w.t = t
		w.eval(`const a = document.createElement("a"); a.href = "/file"; a.click()`)
		out := w.run("page.downloads", `{"wait":true}`, 10*time.Second)
		row := rows(out, "downloads")[0]
		path := fmt.Sprint(row["path"])
		if row["state"] != "completed" || row["bytes"] != 6.0 || !strings.HasSuffix(path, "port.txt") || strings.ContainsRune(path, '\u202e') || filepath.Base(filepath.Dir(path)) != "downloads" {
			t.Errorf("%v", row)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != "a file" {
			t.Errorf("%q %v", data, err)
		}
		if _, err := w.try("page.downloads", `{"wait":true}`, 300*time.Millisecond); err == nil || fault.From(err).Code != fault.Timeout {
			t.Errorf("told twice: %v", err)
		}
	})
}
