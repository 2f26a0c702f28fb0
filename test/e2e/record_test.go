package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// The console and the network of the person's own tab, from the command line.
func TestRecordOfAConnectedTab(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/app/"))
	env.Connect(tab, "control")
	env.Agent().AwaitType("ui_tree") // the bridge is there, and hears the console
	run := func(args ...string) (text string) {
		t.Helper()
		command := env.Exec(append(args, "--output", "text")...)
		command.Env = append(command.Environ(), "DBRIDGE_CONTEXT_ID=record")
		output, err := command.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v: %s", args, err, output)
		}
		return string(output)
	}
	holds := func(text string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	// At once from the bridge; from the first command that needs it on, from the debugger. Each line once.
	tab.Eval(`console.log("before", {a: 1})`, nil)
	holds(run("console", "wait", "before"), "log before")
	holds(run("network", "list"), "complete since")
	tab.Eval(`console.warn("after password=hunter2"); fetch("/status/404?token=hunter2").then((r) => r.status)`, nil)
	holds(run("console", "wait", "after"), "warn after password=[redacted]")
	holds(run("network", "wait", "/status/404"), "404 fetch /status/404?token=[redacted]")
	list := run("console", "list")
	holds(list, "error/network")
	if strings.Count(list, "before") != 1 || strings.Count(list, "after") != 1 || strings.Contains(list, "hunter2") {
		t.Errorf("%s", list)
	}
	holds(run("network", "get", "1", "--include", "responseBody", "--include", "headers"), "response body", "Status 404")

	holds(run("network", "mock", "/api/mocked", "--body", `{"mocked":true}`), "mock /api/mocked → 200")
	var got json.RawMessage
	tab.Eval(`fetch("/api/mocked").then((r) => r.json())`, &got)
	if fmt.Sprint(string(got)) != `{"mocked":true}` {
		t.Errorf("%s", got)
	}
	holds(run("network", "unmock", "--all"), "nothing is blocked or mocked")
	var status int
	tab.Eval(`fetch("/api/mocked").then((r) => r.status)`, &status)
	if status != 404 {
		t.Errorf("after unmock: %d", status)
	}
	denied := env.Exec("network", "get", "1", "--show-secrets")
	denied.Env = append(denied.Environ(), "DBRIDGE_CONTEXT_ID=record")
	if output, err := denied.CombinedOutput(); err == nil || !strings.Contains(string(output), "POLICY_DENIED") {
		t.Errorf("%s", output)
	}
	holds(run("runtime", "logpoint", "add", "/app/app.js:1", "1"), "/app/app.js:1")
	holds(run("runtime", "logpoint", "remove", "all"), "no logpoints")
}

// Below control there is the console of the page bridge, and no network.
func TestRecordAtObserve(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/app/"))
	env.Connect(tab, "observe")
	env.Agent().AwaitType("ui_tree") // the bridge is there
	tab.Eval(`console.error("seen"); setTimeout(() => { throw new Error("thrown") })`, nil)
	var lines struct {
		Messages []struct{ Level, Text, At string }
	}
	env.Data(&struct{}{}, "console", "wait", "thrown")
	env.Data(&lines, "console", "list", "--level", "error")
	if len(lines.Messages) != 2 || lines.Messages[0].Text != "seen" {
		t.Errorf("%+v", lines)
	}
	out := env.Run("network", "list")
	if out.Exit != 9 || !strings.Contains(out.Stdout, "CAPABILITY_MISSING") {
		t.Errorf("%+v", out)
	}
}
