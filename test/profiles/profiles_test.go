//go:build linux

// Package profiles tries named profiles with the real program and real browsers.
package profiles

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func found(t *testing.T) string {
	t.Helper()
	program, err := chromium.Find()
	if err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	return program
}

// remote is a browser that somebody else started.
type remote struct {
	endpoint string
	command  *exec.Cmd
}

func (r *remote) kill() {
	_ = syscall.Kill(-r.command.Process.Pid, syscall.SIGKILL)
	_ = r.command.Wait()
}

func startRemote(t *testing.T) *remote {
	t.Helper()
	dir := t.TempDir()
	args := []string{"--headless=new", "--no-first-run", "--disable-background-networking", "--remote-debugging-port=0", "--user-data-dir=" + dir, "about:blank"}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...)
	}
	r := &remote{command: exec.Command(found(t), args...)}
	r.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.kill)
	browsertest.Until(t, browsertest.Patience, "a remote browser's port", func() bool {
		data, _ := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, _, found := strings.Cut(string(data), "\n")
		r.endpoint = "http://127.0.0.1:" + port
		return found
	})
	return r
}

// A fleet: contexts spread over its browsers; the context of one that dies fails clearly
// and moves; a new start passes the dead one over; none left is said with each reason.
func TestFleet(t *testing.T) {
	e := commandtest.New(t)
	fleet := map[string]*remote{}
	args := []string{"profile", "add", "grid", "--header", "Authorization: Bearer s3cret"}
	for range 3 {
		r := startRemote(t)
		fleet[r.endpoint] = r
		args = append(args, "--endpoint", r.endpoint)
	}
	e.OK(args...)
	var work sync.WaitGroup
	at := make([]string, 3)
	for i := range at {
		c := e.In(fmt.Sprintf("agent%d", i))
		work.Go(func() { at[i], _ = c.OK("session", "start", "--profile", "grid")["endpoint"].(string) })
	}
	work.Wait()
	seen := map[string]bool{}
	for i, endpoint := range at {
		if fleet[endpoint] == nil || seen[endpoint] {
			t.Fatalf("the contexts are at %q", at)
		}
		seen[endpoint] = true
		if status := e.In(fmt.Sprintf("agent%d", i)).OK("session", "status"); status["profile"] != "grid" || status["endpoint"] != endpoint {
			t.Errorf("%v", status)
		}
	}
	first := e.In("agent0")
	fleet[at[0]].kill()
	var gone commandtest.Answer
	browsertest.Until(t, browsertest.Patience, "that the end is noticed", func() bool {
		gone = first.Run("page", "list")
		return !gone.OK
	})
	if gone.Code != "SESSION_NOT_FOUND" || gone.Error.Details["reason"] != "browser_gone" || !strings.Contains(strings.Join(gone.Error.Suggestions, " "), "session restart") {
		t.Errorf("%s", gone.Stdout)
	}
	if moved := first.OK("session", "restart"); moved["endpoint"] == at[0] || fleet[fmt.Sprint(moved["endpoint"])] == nil || !strings.Contains(fmt.Sprint(moved["notes"]), "passed over") {
		t.Errorf("%v", moved)
	}
	if first.Eval("1 + 1") != float64(2) {
		t.Error("after the move it does not work")
	}
	late := e.In("late")
	started := late.OK("session", "start", "--profile", "grid")
	if started["endpoint"] == at[0] || !strings.Contains(fmt.Sprint(started["notes"]), strings.TrimPrefix(at[0], "http://")) {
		t.Errorf("%v", started)
	}
	check := e.Text("profile", "check", "grid")
	if !strings.Contains(check, "grid (remote) ok") || strings.Count(check, "  + endpoint") != 2 || strings.Count(check, "  - endpoint") != 1 || !strings.Contains(check, "fix: ") {
		t.Errorf("%s", check)
	}
	for _, answer := range []string{check, e.Text("profile", "show", "grid"), e.Text("profile", "list"), string(late.Run("session", "status", "--details").Stdout)} {
		if strings.Contains(answer, "s3cret") {
			t.Errorf("the secret is told: %s", answer)
		}
	}
	for _, r := range fleet {
		r.kill()
	}
	none := e.In("none").Fails("BROWSER_LAUNCH_FAILED", 6, "session", "start", "--profile", "grid")
	listed, _ := none.Error.Details["endpoints"].([]any)
	for endpoint := range fleet {
		if len(listed) != 3 || !strings.Contains(none.Error.Message, endpoint) {
			t.Errorf("%s", none.Stdout)
		}
	}
	if check := e.OK("profile", "check", "grid"); check["ok"] != false {
		t.Errorf("%v", check)
	}
}

// recorder is a proxy that answers everything itself.
type recorder struct {
	mu   sync.Mutex
	seen []string
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	r.seen = append(r.seen, request.Method+" "+request.URL.String())
	r.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	_, _ = io.WriteString(w, "<title>through the proxy</title>")
}

func (r *recorder) saw(line string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, seen := range r.seen {
		if seen == line {
			return true
		}
	}
	return false
}

// A managed profile of the configuration, as the default: switches, proxy, viewport, and
// a folder that is kept. What the command line says wins.
func TestManagedProfile(t *testing.T) {
	e := commandtest.New(t)
	program := found(t)
	proxy := &recorder{}
	server := httptest.NewServer(proxy)
	defer server.Close()
	e.OK("profile", "add", "work", "--default", "--headless", "--persistent", "--executable", program, "--args=--lang=de", "--args=--user-agent=Profiled/1",
		"--proxy", server.URL, "--viewport", "640x480")
	if info, err := os.Stat(e.File("config/config.toml")); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v", err)
	}
	started := e.OK("session", "start", "--url", "http://shop.example/first")
	if started["profile"] != "work" || started["headless"] != true {
		t.Errorf("%v", started)
	}
	if title := e.Eval("document.title"); title != "through the proxy" || !proxy.saw("GET http://shop.example/first") {
		t.Errorf("title %v; the proxy saw %q", title, proxy.seen)
	}
	if got := e.Eval("[navigator.userAgent, innerWidth, innerHeight].join()"); got != "Profiled/1,640,480" {
		t.Errorf("%v", got)
	}
	e.Eval("localStorage.kept = 'yes'; document.cookie = 'kept=yes; max-age=3600'")
	used := e.In("other").Fails("BROWSER_LAUNCH_FAILED", 6, "session", "start")
	if used.Error.Details["reason"] != "profile_in_use" {
		t.Errorf("%s", used.Stdout)
	}
	if check := e.Text("profile", "check", "work"); !strings.Contains(check, "- folder") || !strings.Contains(check, "+ executable") || !strings.Contains(check, "+ proxy") {
		t.Errorf("%s", check)
	}
	e.OK("session", "stop")
	e.OK("session", "start", "--url", "http://shop.example/second", "--viewport", "500x400")
	if got := e.Eval("[document.cookie, localStorage.kept, innerWidth].join()"); got != "kept=yes,yes,500" {
		t.Errorf("after a restart: %v", got)
	}
	e.OK("session", "stop")
	dir := e.File("state/profiles/work")
	if removed := e.OK("profile", "remove", "work"); removed["default"] != true || !strings.Contains(fmt.Sprint(removed["notes"]), dir) {
		t.Errorf("%v", removed)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the kept folder: %v", err)
	}
	// Without a default it is a throw-away browser again, whose folder goes with it.
	e.OK("profile", "add", "plain", "--executable", program)
	e.OK("session", "start", "--headless", "--profile", "plain")
	folder := fmt.Sprint(e.OK("session", "status", "--details")["userDataDir"])
	if _, err := os.Stat(folder); err != nil || strings.Contains(folder, "profiles") {
		t.Errorf("its folder: %s, %v", folder, err)
	}
	e.OK("session", "stop")
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("its folder is left: %v", err)
	}
}

// The commands without a browser: what is refused, what is listed, what an editor wrote.
func TestProfileCommands(t *testing.T) {
	e := commandtest.New(t)
	for _, refused := range [][]string{
		{"add", "user"},
		{"add", "../up"},
		{"add", "a", "--args=--remote-debugging-port=1"},
		{"add", "a", "--args=--no-sandbox"},
		{"add", "a", "--proxy", "http://ada:s3cret@h:1"},
		{"add", "a", "--kind", "remote"},
		{"add", "a", "--endpoint", "ftp://x"},
		{"add", "a", "--headless", "--headed"},
		{"add", "a", "--viewport", "big"},
		{"remove", "nobody"},
		{"show", "nobody"},
		{"check", "nobody"},
	} {
		if a := e.Fails("VALIDATION_ERROR", 2, append([]string{"profile"}, refused...)...); strings.Contains(string(a.Stdout), "s3cret") {
			t.Errorf("%q tells the secret: %s", refused, a.Stdout)
		}
	}
	config := e.File("config/config.toml")
	if _, err := os.Stat(config); !os.IsNotExist(err) {
		t.Fatalf("what was refused made a file: %v", err)
	}
	e.OK("profile", "add", "one", "--headless")
	e.Fails("VALIDATION_ERROR", 2, "profile", "add", "one")
	e.OK("profile", "add", "one", "--replace", "--headed")
	if show := e.OK("profile", "show", "one"); show["headless"] != false || show["source"] != "config" {
		t.Errorf("%v", show)
	}
	data, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	// A changed file counts for the next use; a wrong one says where.
	if err := os.WriteFile(config, append([]byte("# by hand\ndefault = \"one\"\n\n"), data...), 0o600); err != nil {
		t.Fatal(err)
	}
	if list := e.Text("profile", "list"); !strings.Contains(list, "* one (managed, config) headed") || !strings.Contains(list, "  managed (managed, built-in)") {
		t.Errorf("%s", list)
	}
	if err := os.WriteFile(config, []byte("[profile.one]\nheadles = true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{{"profile", "list"}, {"session", "start"}, {"session", "start", "--profile", "one"}} {
		if a := e.Fails("VALIDATION_ERROR", 2, line...); a.Error.Details["line"] != float64(2) || !strings.Contains(a.Error.Message, `"headless"`) {
			t.Errorf("%q: %s", line, a.Stdout)
		}
	}
	if err := os.Chmod(config, 0o620); err != nil {
		t.Fatal(err)
	}
	e.Fails("FILE_ACCESS_FAILED", 6, "profile", "list")
}
