package e2e

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// A trace of the person's own tab, from the command line: recorded through
// chrome.debugger, analysed in the extension.
func TestTraceOfAConnectedTab(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/form"))
	env.Connect(tab, "control")
	env.Agent().AwaitType("hello")
	run := func(into any, args ...string) {
		t.Helper()
		command := env.Exec(args...)
		command.Env = append(command.Environ(), "DBRIDGE_CONTEXT_ID=trace")
		output, err := command.Output()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, output)
		}
		if err := json.Unmarshal(output, &struct{ Data any }{into}); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
	var stopped struct {
		File string
		Sets []struct {
			ID, URL  string
			Metrics  struct{ LCPMs, FCPMs float64 }
			Insights []struct{ Name string }
		}
	}
	run(&stopped, "trace", "start", "--reload", "--auto-stop")
	if len(stopped.Sets) == 0 {
		t.Fatalf("%+v", stopped)
	}
	set := stopped.Sets[len(stopped.Sets)-1]
	if set.URL != env.Pages.URL("/form") || set.Metrics.LCPMs <= 0 || set.Metrics.FCPMs <= 0 {
		t.Errorf("%+v", set)
	}
	if _, err := os.Stat(stopped.File); err != nil {
		t.Error(err)
	}
	var insight struct {
		Name     string
		Evidence []struct{ What string }
	}
	run(&insight, "trace", "insight", "LCPBreakdown")
	if insight.Name != "LCPBreakdown" || len(insight.Evidence) < 3 {
		t.Errorf("%+v", insight)
	}
}
