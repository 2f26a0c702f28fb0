// Package redact looks for secrets in all that leaves the program: each way of asking, and
// each file it writes, over one page that holds secrets of every kind.
package redact

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

const patience = 90 * time.Second

// named are the secrets that the person set: one that is written differently everywhere,
// one of letters and digits, a PIN.
var named = map[string]string{
	"ODD_ONE": `cor"us\<é9 &z-K`,
	"PLAIN":   "Tr0ubador77x",
	"PIN":     "90417",
}

// planted are secrets that the page has and nobody named; told by their names or looks.
var planted = []string{
	"planted-password-1", "planted-otp-2", "4111111111111111", "planted-bearer-3", "planted-query-4",
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJlLXBsYW50ZWQ", "planted-data-5", "planted-state-6", "planted-cookie-7", "planted-key-8",
}

const document = `<!doctype html><title>Corpus</title>
<form onsubmit="return false">
<label>Email <input id=email></label> <label>Note <textarea id=note></textarea></label>
<label>Password <input id=pw type=password value="planted-password-1"></label>
<label>Code <input id=otp autocomplete=one-time-code value="planted-otp-2"></label>
<label>Card <input id=card autocomplete=cc-number value="4111111111111111"></label>
<button>Go</button></form><p data-token="planted-data-5" id=p></p>
<script src=/app.js></script>`

// script plants what is made when the page runs; its own text holds none of it whole.
const script = `const made = (a, b) => 'planted-' + a + '-' + b;
window.__APP_STATE__ = {auth: {token: made('state', 6)}, cart: 1};
document.cookie = 'session=' + made('cookie', 7);
console.log('jwt ' + ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJwbGFudGVkIn0', 'c2lnbmF0dXJlLXBsYW50ZWQ'].join('.'), {api_key: made('key', 8)});
fetch('/api?access_token=' + made('query', 4), {method: 'POST', headers: {Authorization: 'Bearer ' + made('bearer', 3)}, body: JSON.stringify({password: made('password', 1)})});
document.querySelector('button').onclick = () => {
  const all = [email.value, note.value, pw.value];
  for (const v of all) {
    console.log('holds ' + v, {v});
    console.error(new Error('bad ' + v));
    localStorage[v] = v;
    p.textContent += v; p.dataset.value = v; p.title = v;
    fetch('/api?q=' + encodeURIComponent(v) + '&b=' + encodeURIComponent(btoa(unescape(encodeURIComponent('ada:' + v)))), {method: 'POST', headers: {'X-Thing': encodeURIComponent(v)}, body: JSON.stringify({v, twice: JSON.stringify({v})})});
  }
  document.title = 'Hello ' + all.join(' ');
  history.replaceState(null, '', location.search + '&q=' + encodeURIComponent(all[0]) + '#' + encodeURIComponent(all[1]));
  window.__APP_STATE__ = {auth: {token: made('state', 6)}, held: all, pin: Number(all[2]) || 0};
};`

func site(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, document)
	})
	mux.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, script)
	})
	mux.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.Copy(w, r.Body) // what was sent comes back
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// needle is one text that must be nowhere.
type needle struct{ of, text string }

func needles() []needle {
	var list []needle
	add := func(of string, texts ...string) {
		for _, text := range texts {
			if !slices.ContainsFunc(list, func(n needle) bool { return n.text == text }) {
				list = append(list, needle{of, text})
			}
		}
	}
	for name, value := range named {
		quoted, _ := json.Marshal(value)
		inner := string(quoted[1 : len(quoted)-1])
		twice, _ := json.Marshal(inner)
		if name == "PIN" { // in a number it is none of ours
			continue
		}
		add(name, value, inner, string(twice[1:len(twice)-1]), url.QueryEscape(value), url.PathEscape(value))
		encoded := base64.StdEncoding.EncodeToString([]byte("ada:" + value))
		add(name, encoded[8:len(encoded)-4])
	}
	for _, text := range planted {
		add("planted", text)
	}
	return list
}

// look fails where a secret is in what was given.
func look(t *testing.T, where string, data []byte) {
	t.Helper()
	raw := slices.ContainsFunc(whole, func(name string) bool { return strings.Contains(where, name) })
	for _, n := range needles() {
		if raw && n.of == "planted" {
			continue
		}
		if at := bytes.Index(data, []byte(n.text)); at >= 0 {
			t.Errorf("%s holds %s (%s): …%s…", where, n.of, n.text, data[max(0, at-60):min(len(data), at+len(n.text)+20)])
		}
	}
}

// pin fails where a named secret that is a short number stands as a word.
func pin(t *testing.T, where string, data []byte) {
	t.Helper()
	for _, form := range []string{`"` + named["PIN"] + `"`, " " + named["PIN"], "=" + named["PIN"] + "&"} {
		if bytes.Contains(data, []byte(form)) {
			t.Errorf("%s holds the PIN as %s", where, form)
		}
	}
}

// corpus is a browser on the page, with the named secrets typed into it.
func corpus(t *testing.T) (e *commandtest.Env, key string) {
	e = commandtest.Managed(t)
	for name, value := range named {
		a := e.RunInput([]byte(value+"\n"), "secret", "set", name)
		if !a.OK {
			t.Fatalf("%s%s", a.Stdout, a.Stderr)
		}
		look(t, "secret set", append(a.Stdout, a.Stderr...))
	}
	e.OK("page", "navigate", site(t)+"/?access_token=planted-query-4")
	key, _ = e.OK("session", "status")["context"].(string)
	return e, key
}

// act types and sends the secrets.
func act(e *commandtest.Env) {
	e.OK("element", "fill", "#email", "{{secret:ODD_ONE}}")
	e.OK("element", "fill-form", `{"#note":"x {{secret:PLAIN}} y"}`)
	e.OK("element", "fill", "#pw", "")
	e.OK("element", "focus", "#pw")
	e.OK("input", "type", "{{secret:PIN}}")
	e.OK("element", "click", `button "Go"`)
	e.OK("page", "wait-idle")
}

// reads are commands that tell of the page.
var reads = []string{
	"session status", "page list", "observe state", "observe events", "observe find secret", "observe targets", "observe cause",
	"capture snapshot", "capture snapshot --format json --full", "capture snapshot --format html --full", "capture snapshot --diff",
	"console list", "console get 1", "network list", "network get 1 --include headers --include responseBody", "network get 2 --include headers --include requestBody --include responseBody",
	"network get 4 --include headers --include requestBody --include responseBody", "state list", "state get custom", "state get window:__APP_STATE__",
	"layout diagnose", "layout styles #p", "audit a11y", "audit page", "component tree", "tools list", "emulation reset", "secret list", "audit show", "audit verify",
	"runtime eval email.value", "runtime eval note.value", "runtime eval location.hash", "runtime eval p.textContent+p.title+p.dataset.value+JSON.stringify(localStorage)",
	"cdp send Runtime.evaluate --params {\"expression\":\"email.value\"}",
}

// N-18, N-29: one page full of secrets and one typed by name; every way out is searched for them.
func TestN29NoSecretLeaves(t *testing.T) {
	e, key := corpus(t)
	e.OK("record", "start")
	stream, stop := listen(t, e, key)
	act(e)

	for _, line := range reads {
		words := strings.Fields(line)
		for _, format := range []string{"json", "text"} {
			a := e.Run(append(slices.Clone(words), "--output", format)...)
			all := append(slices.Clone(a.Stdout), a.Stderr...)
			if len(all) == 0 {
				t.Errorf("%s said nothing", line)
			}
			look(t, line+" as "+format, all)
			pin(t, line+" as "+format, all)
		}
	}

	t.Run("files", func(t *testing.T) {
		dir := t.TempDir()
		for _, line := range []string{
			"network list --har a.har --bodies", "capture snapshot --format html --full --file a.html", "capture snapshot --format json --file a.json",
			"audit page --file report.html", "capture heap --file a.heapsnapshot", "runtime eval document.documentElement.outerHTML --file eval.json",
			"trace start --reload --auto-stop --file trace.json.gz",
		} {
			command := e.Command(strings.Fields(line)...)
			command.Dir = dir
			if out, err := command.CombinedOutput(); err != nil {
				t.Errorf("%s: %s", line, out)
			}
		}
		recording, _ := e.OK("record", "stop")["path"].(string)
		for _, args := range [][]string{{"record", "show", recording}, {"record", "export", recording, "--commands"}, {"record", "export", recording, "--playwright"}} {
			a := e.Run(args...)
			look(t, strings.Join(args, " "), a.Stdout)
			if !a.OK {
				t.Errorf("%v: %s", args, a.Stdout)
			}
		}
		folder(t, dir)
	})

	t.Run("MCP", func(t *testing.T) {
		look(t, "MCP", mcp(t, e, "take_snapshot", "list_console_messages", "page_state", "list_pages"))
	})

	t.Run("events", func(t *testing.T) {
		result := attach(t, e, key)
		look(t, "attach --json", result)
		for _, want := range []string{"«secret:ODD_ONE»", `"requestType":"type","success":true`} {
			if !bytes.Contains(result, []byte(want)) {
				t.Errorf("attach told nothing of %s", want)
			}
		}
		browsertest.Until(t, patience, "the stream of events tells of the page", func() bool { return bytes.Contains(stream(), []byte("«secret:ODD_ONE»")) })
		stop()
		look(t, "the stream of events", stream())
	})

	t.Run("doctor", func(t *testing.T) {
		a := e.Run("doctor")
		look(t, "doctor", append(a.Stdout, a.Stderr...))
	})

	t.Run("processes", func(t *testing.T) { processes(t) })
	folder(t, e.Home)
}

// listen hears the events of a session over the local socket.
func listen(t *testing.T, e *commandtest.Env, key string) (heard func() []byte, stop func()) {
	t.Helper()
	socket, _ := e.OK("daemon", "status")["socket"].(string)
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}
	ctx, cancel := context.WithCancel(context.Background())
	request, err := http.NewRequestWithContext(ctx, "GET", "http://localhost/v1/events?since=0&session="+key, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != 200 {
		body, _ := io.ReadAll(response.Body)
		t.Fatalf("events: %d %s", response.StatusCode, body)
	}
	pieces, done := make(chan []byte, 1), make(chan struct{})
	pieces <- nil
	go func() {
		defer close(done)
		buffer := make([]byte, 64<<10)
		for {
			n, err := response.Body.Read(buffer)
			pieces <- append(<-pieces, buffer[:n]...)
			if err != nil {
				return
			}
		}
	}()
	heard = func() []byte {
		all := <-pieces
		pieces <- all
		return slices.Clone(all)
	}
	stop = func() {
		cancel()
		<-done
		_ = response.Body.Close()
		client.CloseIdleConnections()
	}
	t.Cleanup(stop)
	return heard, stop
}

// attach types a secret by the protocol, and gives all messages of the session's log.
func attach(t *testing.T, e *commandtest.Env, key string) []byte {
	t.Helper()
	command := e.Command("attach", "--json", "--session", key, "--since", "0")
	command.Stdin = strings.NewReader(`{"protocolVersion":1,"type":"type","requestId":"t1","target":{"selector":"#email"},"text":"{{secret:ODD_ONE}}","clear":true}` + "\n" +
		`{"protocolVersion":1,"type":"request_dom_snapshot","requestId":"t2"}` + "\n" + `{"protocolVersion":1,"type":"evaluate","requestId":"t3","code":"'{{secret:PLAIN}}'"}` + "\n")
	out, err := command.Output()
	if err != nil {
		t.Logf("attach: %v", err) // its last command is refused
	}
	if !bytes.Contains(out, []byte(`takes no {{secret:NAME}}`)) {
		t.Errorf("evaluate took a secret: %.300s", out)
	}
	return out
}

// mcp calls tools without parameters and gives all that the server said.
func mcp(t *testing.T, e *commandtest.Env, tools ...string) []byte {
	t.Helper()
	command := e.Command("mcp", "--tools", "all")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
	defer timer.Stop()
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i, tool := range tools {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, i+2, tool))
	}
	if _, err := io.WriteString(in, strings.Join(lines, "\n")+"\n"); err != nil {
		t.Fatal(err)
	}
	var all []byte
	decoder := json.NewDecoder(out)
	for range len(tools) + 1 {
		var answer json.RawMessage
		if err := decoder.Decode(&answer); err != nil {
			t.Fatalf("after %s: %v", all, err)
		}
		all = append(append(all, answer...), '\n')
	}
	_ = in.Close()
	_ = command.Wait()
	if n := bytes.Count(all, []byte(`"isError":true`)); n > 0 || !bytes.Contains(all, []byte("secret:")) {
		t.Errorf("%d tools failed: %s", n, all)
	}
	return all
}

// whole are files that hold a page as the browser has it: of those only the values are
// taken out that somebody named.
var whole = []string{"a.heapsnapshot", "trace.json.gz", "eval.json"}

// folder looks into every file, packed ones too. The browser's own profile is the
// browser's: there is what is typed into any browser. The store holds what it is for.
func folder(t *testing.T, dir string) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // gone meanwhile
		case entry.IsDir() && entry.Name() == "profile":
			return fs.SkipDir
		case !entry.Type().IsRegular() || entry.Name() == "secrets.json":
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		seen++
		unpacked(t, path, data)
		return nil
	})
	if err != nil || seen == 0 {
		t.Errorf("%s: %d files, %v", dir, seen, err)
	}
}

func unpacked(t *testing.T, path string, data []byte) {
	t.Helper()
	look(t, path, data)
	if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		plain, _ := io.ReadAll(z)
		unpacked(t, path+" unpacked", plain)
	}
	if archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
		for _, part := range archive.File {
			opened, err := part.Open()
			if err != nil {
				t.Errorf("%s: %s: %v", path, part.Name, err)
				continue
			}
			plain, _ := io.ReadAll(opened)
			_ = opened.Close()
			unpacked(t, path+": "+part.Name, plain)
		}
	}
}

// processes looks at the arguments and the environment of all that runs.
func processes(t *testing.T) {
	t.Helper()
	list, _ := filepath.Glob("/proc/[0-9]*")
	if len(list) == 0 {
		t.Skip("this system shows no processes as files")
	}
	for _, process := range list {
		for _, name := range []string{"cmdline", "environ"} {
			data, err := os.ReadFile(filepath.Join(process, name))
			if err != nil {
				continue // another user's, or gone
			}
			for of, value := range named {
				if len(value) > 6 && bytes.Contains(data, []byte(value)) {
					t.Errorf("%s of %s holds %s", name, process, of)
				}
			}
		}
	}
}
