package checks

import (
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// P-35: the person uses the page while an agent acts: what both type arrives, agents are told
// that somebody is there, and are told nothing of what was typed. An agent's own input is not
// taken for a person.
func TestP35ThePersonActsToo(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/page/Both"))
	tab.Eval(`void (document.body.innerHTML = '<input id=theirs><input id=ours>', window.typed = '', addEventListener('keydown', (e) => { typed += e.code + ' ' }), theirs.focus())`, nil)
	env.Connect(tab, "control")
	agent := env.Agent()
	agent.AwaitType("hello")
	human := func(m browsertest.Message) bool { return m.Type() == "human_activity" }
	ours := browsertest.Params{"target": browsertest.Params{"selector": "#ours"}}

	for range 5 {
		agent.Do("click", ours)
	}
	agent.Do("request_ui_tree", nil)
	for _, m := range agent.Messages() {
		if human(m) {
			t.Fatalf("the agent's own input is a person's: %s", m.Raw)
		}
	}

	tab.Eval(`theirs.focus()`, nil)
	from := agent.Len()
	var told browsertest.Message
	browsertest.Until(t, browsertest.Patience, "that the person is there", func() bool {
		tab.Press("ArrowLeft") // the agent's last input is still too near at first
		for _, m := range agent.Messages()[from:] {
			if human(m) {
				told = m
			}
		}
		return told.Raw != nil
	})
	if text := string(told.Raw); !strings.Contains(text, `"kinds":["keys"]`) || strings.Contains(text, "ArrowLeft") || told.Number("count") < 1 {
		t.Errorf("%s", told.Raw)
	}

	// Both at once: the person's keys and the agent's clicks in turn.
	tab.Eval(`void (typed = '', window.clicks = 0, ours.addEventListener('click', () => clicks++))`, nil)
	for range 5 {
		id := agent.Start("click", ours)
		tab.Eval(`theirs.focus()`, nil)
		tab.Press("ArrowRight")
		if m := agent.Result(id); !m.Success() {
			t.Errorf("%s", m.Raw)
		}
	}
	tab.Await(`clicks === 5`)
	var pressed int
	tab.Eval(`typed.split(' ').filter((code) => code === 'ArrowRight').length`, &pressed)
	if pressed != 5 {
		t.Errorf("%d of the person's 5 keys arrived", pressed)
	}
}
