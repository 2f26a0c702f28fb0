package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// script finds a program of package.json; `make setup` installs them.
func script(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("node_modules", ".bin", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the npm packages of test/mcp are not installed: make setup")
		}
		t.Skip("the npm packages of test/mcp are not installed: make setup")
	}
	return path
}

// The official suite of the protocol. Its client sends no token, so one is put in on the
// way. Versions from 0.1.14 on need Node.js 22.
func TestConformance(t *testing.T) {
	t.Parallel()
	program := script(t, "conformance")
	e := commandtest.New(t)
	address, _ := serve(t, e)
	secret := token(e, "suite")
	to, err := url.Parse(strings.TrimSuffix(address, "/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	var front *httptest.Server
	base := &http.Transport{}
	front = httptest.NewServer(&httputil.ReverseProxy{
		Transport: base, FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			here := strings.TrimPrefix(front.URL, "http://")
			r.Out.Host = strings.Replace(r.In.Host, here, to.Host, 1)
			if origin := r.In.Header.Get("Origin"); origin != "" {
				r.Out.Header.Set("Origin", strings.Replace(origin, here, to.Host, 1))
			}
			r.Out.Header.Set("Authorization", "Bearer "+secret)
		},
	})
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
		base.CloseIdleConnections()
	})
	command := exec.Command(program, "server", "--url", front.URL+"/mcp", "--suite", "all", "--expected-failures", "conformance-baseline.yml")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	timer := time.AfterFunc(patience, func() {
		if command.Process != nil {
			_ = command.Process.Kill()
		}
	})
	defer timer.Stop()
	if err := command.Run(); err != nil {
		_, summary, _ := strings.Cut(out.String(), "=== SUMMARY ===")
		t.Errorf("%v\n%s", err, summary)
	}
}

// The Inspector's command line is a client as people use it.
func TestInspector(t *testing.T) {
	t.Parallel()
	program := script(t, "mcp-inspector")
	e := commandtest.Managed(t)
	inspect := func(words ...string) map[string]any {
		t.Helper()
		// The Inspector hands on the environment that it is told.
		args := []string{"--cli"}
		for _, name := range []string{"DBRIDGE_HOME", "DBRIDGE_CONTEXT_ID", "DBRIDGE_PORT"} {
			for _, pair := range e.Command().Env {
				if strings.HasPrefix(pair, name+"=") {
					args = append(args, "-e", pair)
				}
			}
		}
		command := exec.Command(program, append(append(args, e.Program(), "mcp"), words...)...)
		var out, said bytes.Buffer
		command.Stdout, command.Stderr = &out, &said
		timer := time.AfterFunc(patience, func() {
			if command.Process != nil {
				_ = command.Process.Kill()
			}
		})
		defer timer.Stop()
		if err := command.Run(); err != nil {
			t.Fatalf("%v: %v\n%s%s", words, err, out.String(), said.String())
		}
		var answer map[string]any
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
			t.Fatalf("%v: %v\n%s", words, err, out.String())
		}
		return answer
	}
	if tools, _ := inspect("--method", "tools/list")["tools"].([]any); len(tools) < 20 {
		t.Errorf("%d tools", len(tools))
	}
	answer := inspect("--method", "tools/call", "--tool-name", "navigate_page", "--tool-arg", "url="+e.Site.URL("/jobs/welcome"))
	if text, _ := json.Marshal(answer["content"]); answer["isError"] == true || !strings.Contains(string(text), "Welcome") {
		t.Errorf("%v", answer)
	}
	if list, _ := inspect("--method", "resources/list")["resources"].([]any); len(list) != 4 {
		t.Errorf("%v", list)
	}
	if list, _ := inspect("--method", "prompts/list")["prompts"].([]any); len(list) != 3 {
		t.Errorf("%v", list)
	}
}
