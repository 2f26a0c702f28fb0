package e2e

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// TestSoak is the chain under load and faults for the time in DBRIDGE_SOAK
// (`make soak`): in each round bursts of console lines, commands, a cut and
// resumed agent, and now and then a killed service worker. Nothing may be
// missing, doubled or left running.
func TestSoak(t *testing.T) {
	text := os.Getenv("DBRIDGE_SOAK")
	if text == "" {
		t.Skip("runs for as long as DBRIDGE_SOAK says: make soak")
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/form"))
	env.Connect(tab, "act")
	agent := env.Agent()
	agent.AwaitType("hello")
	epoch, token := agent.AwaitType("welcome").String("epoch"), agent.Token
	click := browsertest.Params{"target": browsertest.Params{"selector": "#save"}}

	round := 0
	for end := time.Now().Add(duration); time.Now().Before(end); round++ {
		agent.Do("click", click)
		tab.Await(fmt.Sprintf("window.clicks === %d", round+1)) // once, whatever reconnected
		since := agent.LastSeq()
		agent.Drop()
		tab.Eval(fmt.Sprintf(`for (let i = 0; i < 200; i++) console.log('round %d line ' + i); 0`, round), nil)
		if round%20 == 19 {
			env.KillWorker()
			env.WakeWorker()
		}
		agent = env.AgentWith(token, fmt.Sprintf("since=%d", since), "epoch="+epoch)
		last := fmt.Sprintf(`"round %d line 199"`, round)
		agent.Await("the round's last line", func(m browsertest.Message) bool {
			return m.Type() == "console" && strings.Contains(string(m.Raw), last)
		})
		if got := lines(agent, fmt.Sprintf("round %d line ", round)); got != 200 {
			t.Fatalf("round %d: %d lines of 200", round, got)
		}
		agent.Do("request_ui_tree", nil)
	}
	t.Logf("%d rounds in %v; processes %v", round, duration, env.Processes())
}
