// Package clients runs unmodified DevTools clients over the endpoint: over a managed
// browser, over the person's Chrome through the extension, and over a browser's own
// endpoint, which shows that the scripts ask for what a browser does.
package clients

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// patience bounds a whole script; only one that hangs waits for it.
const patience = 5 * time.Minute

// Endpoint is what a script is told.
type Endpoint struct {
	Kind    string            `json:"kind"`
	WS      string            `json:"ws"`
	HTTP    string            `json:"http"`
	Headers map[string]string `json:"headers,omitempty"`
	Site    string            `json:"site"`
	Cross   string            `json:"cross"`
	Start   string            `json:"start"`
	Dir     string            `json:"dir"`
}

// startPath is the page that is open, and over the extension connected, before a client comes.
const startPath = "/page/Start"

func (e *Endpoint) at(site *pages.Site) {
	e.Site, e.Cross, e.Start = site.URL(""), site.CrossURL(""), site.URL(startPath)
}

// kinds are the endpoints that every script runs over.
var kinds = []struct {
	name string
	make func(testing.TB) Endpoint
}{
	{"raw", raw},
	{"managed", managed},
	{"extension", func(t testing.TB) Endpoint { _, endpoint := extension(t); return endpoint }},
}

// raw is a browser's own endpoint.
func raw(t testing.TB) Endpoint {
	t.Helper()
	env := browsertest.Start(t, browsertest.Options{})
	env.OpenTab(env.Pages.URL(startPath))
	port, path := activePort(t, env.Profile)
	endpoint := Endpoint{Kind: "raw", WS: "ws://127.0.0.1:" + port + path, HTTP: "http://127.0.0.1:" + port, Dir: t.TempDir()}
	endpoint.at(env.Pages)
	return endpoint
}

// activePort reads where a browser listens, from its own note.
func activePort(t testing.TB, profile string) (port, path string) {
	t.Helper()
	note, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
	if err != nil {
		t.Fatal(err)
	}
	port, path, found := strings.Cut(strings.TrimSpace(string(note)), "\n")
	if !found {
		t.Fatalf("DevToolsActivePort: %s", note)
	}
	return port, path
}

// managed is the endpoint over a browser that a context started.
func managed(t testing.TB) Endpoint {
	t.Helper()
	e := commandtest.Managed(t)
	e.Goto(startPath)
	return through(t, e, "managed")
}

// extension is the endpoint over one connected tab of the person's Chrome.
func extension(t testing.TB) (*browsertest.Env, Endpoint) {
	t.Helper()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL(startPath))
	env.OpenTab(env.Pages.URL("/page/private")) // what is not connected is not there
	env.Connect(tab, "control", browsertest.AnySite())
	e := commandtest.User(t, env)
	e.AwaitPages(1)
	return env, through(t, e, "extension")
}

// through asks for the endpoint of a context, as its person would.
func through(t testing.TB, e *commandtest.Env, kind string) Endpoint {
	t.Helper()
	data := e.OK("session", "cdp")
	endpoint := Endpoint{Kind: kind, Dir: t.TempDir()}
	endpoint.WS, _ = data["endpoint"].(string)
	endpoint.HTTP, _ = data["httpEndpoint"].(string)
	if endpoint.WS == "" || endpoint.HTTP == "" {
		t.Fatalf("session cdp: %v", data)
	}
	endpoint.at(e.Site)
	return endpoint
}

// Line is what a script says of one step.
type Line struct {
	Step  string  `json:"step"`
	OK    bool    `json:"ok"`
	Error string  `json:"error"`
	MS    float64 `json:"ms"`
}

// over runs a script over all endpoints; every step is a subtest.
func over(t *testing.T, script string) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			needs(t)
			steps(t, script, kind.make(t))
		})
	}
}

// steps runs a script over one endpoint.
func steps(t *testing.T, script string, endpoint Endpoint) {
	t.Helper()
	lines, said, err := run(t, script, endpoint)
	if len(lines) == 0 {
		t.Fatalf("%s: %v\n%s", script, err, said)
	}
	failed := false
	for _, line := range lines {
		failed = failed || !line.OK
		t.Run(line.Step, func(t *testing.T) {
			if !line.OK {
				t.Errorf("after %.0f ms: %s", line.MS, line.Error)
			}
		})
	}
	if err != nil && !failed {
		t.Errorf("%s ended after %q: %v\n%s", script, lines[len(lines)-1].Step, err, said)
	}
}

// run runs a script to its end.
func run(t testing.TB, script string, endpoint Endpoint) (lines []Line, said string, err error) {
	t.Helper()
	told, err := json.Marshal(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("node", script)
	command.Env = append(os.Environ(), "CDP_CLIENT="+string(told), "NODE_NO_WARNINGS=1")
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	timer := time.AfterFunc(patience, func() {
		if command.Process != nil {
			_ = command.Process.Kill()
		}
	})
	defer timer.Stop()
	err = command.Run()
	for scan := bufio.NewScanner(&out); scan.Scan(); {
		var line Line
		if json.Unmarshal(scan.Bytes(), &line) == nil && line.Step != "" {
			lines = append(lines, line)
		}
	}
	return lines, errors.String(), err
}

// needs skips where the clients are not installed; `make setup` installs them.
func needs(t testing.TB) {
	t.Helper()
	_, err := os.Stat(filepath.Join("node_modules", "playwright-core", "package.json"))
	if err == nil {
		_, err = exec.LookPath("node")
	}
	if err == nil {
		_, err = chromium.Find()
	}
	if err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("the clients cannot run (make setup): %v", err)
	}
	t.Skipf("the clients cannot run (make setup): %v", err)
}

func TestPlaywright(t *testing.T) { over(t, "playwright.mjs") }

func TestPuppeteer(t *testing.T) { over(t, "puppeteer.mjs") }

func TestRemoteInterface(t *testing.T) { over(t, "remote-interface.mjs") }
