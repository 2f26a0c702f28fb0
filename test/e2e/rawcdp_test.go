package e2e

import (
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// Raw CDP for agents that know it: asked, subscribed, and refused where it reaches beyond the page.
func TestRawCDP(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/form"))
	env.Connect(tab, "control")
	agent, other := env.Agent(), env.Agent()
	agent.AwaitType("hello")

	answer := func(text, id string) browsertest.Message {
		t.Helper()
		mark := agent.Len()
		agent.Send([]byte(text))
		return agent.AwaitFrom(mark, "the answer to "+id, func(m browsertest.Message) bool {
			return m.Type() == "cdp_response" && strings.Contains(string(m.Raw), `"id":`+id)
		})
	}
	if got := answer(`{"type":"cdp_request","id":1,"method":"DOM.getDocument","params":{"depth":1}}`, "1"); !strings.Contains(string(got.Raw), `"nodeName":"#document"`) {
		t.Errorf("document: %.300s", got.Raw)
	}
	if got := answer(`{"type":"cdp_request","id":2,"method":"Storage.getCookies"}`, "2"); got.Code() != "POLICY_DENIED" {
		t.Errorf("cookies of every site: %s", got.Raw)
	}
	if got := answer(`{"type":"cdp_request","id":"three","method":"DOM.noSuchThing"}`, `"three"`); got.Code() == "" {
		t.Errorf("a method that is none: %s", got.Raw)
	}

	agent.Send([]byte(`{"type":"cdp_subscribe","methods":["Network.*"]}`))
	answer(`{"type":"cdp_request","id":4,"method":"Network.enable"}`, "4")
	tab.Eval(`fetch('/api/7').then((r) => r.text())`, nil)
	event := agent.Await("the request as a CDP event", func(m browsertest.Message) bool {
		return m.Type() == "cdp_event" && m.String("method") == "Network.requestWillBeSent" && strings.Contains(string(m.Raw), "/api/7")
	})
	if event.Seq() != 0 {
		t.Errorf("a CDP event is part of the log: %.200s", event.Raw)
	}
	// What was for one agent did not reach the other.
	other.Do("request_ui_tree", nil)
	for _, m := range other.Messages() {
		if strings.HasPrefix(m.Type(), "cdp_") {
			t.Errorf("the other agent got %.200s", m.Raw)
		}
	}
}
