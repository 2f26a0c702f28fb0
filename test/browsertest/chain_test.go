package browsertest

import (
	"strings"
	"testing"
)

// The whole chain once, so that a broken harness is told apart from a broken product.
func TestChain(t *testing.T) {
	t.Parallel()
	e := Start(t, Options{Extension: true})
	tab := e.OpenTab(e.Pages.URL("/targets"))
	e.Connect(tab, "act", Session("harness"))
	agent := e.Agent("sessionId=harness")
	if kind := agent.Await("anything", func(Message) bool { return true }).Type(); kind != "welcome" {
		t.Errorf("the first message is %s", kind)
	}
	if got := agent.AwaitType("hello").String("url"); got != e.Pages.URL("/targets") {
		t.Errorf("hello of %s", got)
	}
	result := agent.Do("click", Params{"target": Params{"stableId": "by-testid"}})
	if result.String("requestType") != "click" {
		t.Errorf("result %s", result.Raw)
	}
	tab.Await("clicks.includes('by-testid')")
	if got := agent.Command("evaluate", Params{"code": "1"}).Code(); got != "CAPABILITY_MISSING" {
		t.Errorf("evaluate at level act: %s", got)
	}

	e.Disconnect(tab)
	agent.AwaitType("app_disconnected")
	if got := agent.Command("click", Params{"target": Params{"stableId": "by-testid"}}).Code(); got != "NOT_CONNECTED" {
		t.Errorf("click without consent: %s", got)
	}
	agent.Drop()
	if _, err := e.TryAgent("dbt_wrong"); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a wrong token: %v", err)
	}
}
