package e2e

import (
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

func TestConnectSeeDrive(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/app/"))
	agent := env.Agent()
	env.Connect(tab, "act")
	hello := agent.AwaitType("hello")
	t.Logf("%s", hello.Raw)
	agent.Do("request_ui_tree", nil)
	for _, m := range agent.Messages() {
		raw := m.Raw
		if len(raw) > 300 {
			raw = raw[:300]
		}
		t.Logf("%s", raw)
	}
}
