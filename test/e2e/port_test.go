package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// port is the DevTools port of a page as an agent has it, over one kind of browser.
type port struct {
	*testing.T
	agent *browsertest.Agent
	page  int
	last  int
}

// start sends a request and gives its number.
func (p *port) start(method string, params any, timeoutMs int) int {
	p.Helper()
	p.last++
	message := map[string]any{"type": "cdp_request", "id": p.last, "method": method, "pageId": p.page}
	if params != nil {
		message["params"] = params
	}
	if timeoutMs > 0 {
		message["timeoutMs"] = timeoutMs
	}
	data, err := json.Marshal(message)
	if err != nil {
		p.Fatal(err)
	}
	p.agent.Send(data)
	return p.last
}

func (p *port) answer(id int) browsertest.Message {
	p.Helper()
	return p.agent.Await(fmt.Sprintf("answer %d", id), func(m browsertest.Message) bool {
		return m.Type() == "cdp_response" && m.Number("id") == float64(id)
	})
}

func (p *port) evaluate(expression string) int {
	p.Helper()
	return p.start("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, 0)
}

// value is what an evaluation gave.
func (p *port) value(id int) any {
	p.Helper()
	var answer struct {
		Result struct{ Result struct{ Value any } }
	}
	m := p.answer(id)
	if err := m.Decode(&answer); err != nil || m.Code() != "" {
		p.Fatalf("%.300s: %v", m.Raw, err)
	}
	return answer.Result.Result.Value
}

const never = "new Promise(() => {})"

// The port of a page keeps the same promises over each kind of browser.
func TestPortOverEachBrowser(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	theirs := browsertest.Start(t, browsertest.Options{})
	env.Connect(env.OpenTab(env.Pages.URL("/form")), "control")
	type place struct {
		Context string `json:"context"` // the session, too
		Page    int    `json:"pageId"`
		token   string
	}
	places := map[string]place{"extension": {"default", 1, env.Token("extension")}}
	for kind, flag := range map[string]string{"managed": "--headless", "remote": "--endpoint=" + theirs.Profile} {
		at := place{token: env.Token(kind)}
		at.Context = ownContext(t, env.Daemon(), at.token) // an agent may attach to no other's
		env.Data(nil, "session", "start", flag, "--context-id", at.Context)
		env.Data(&at, "page", "open", env.Pages.URL("/form"), "--context-id", at.Context)
		places[kind] = at
	}
	for kind, at := range places {
		t.Run(kind, func(t *testing.T) {
			agent := env.AgentWith(at.token, "sessionId="+at.Context)
			agent.AwaitType("hello")
			(&port{T: t, agent: agent, page: at.Page}).contract(env.Pages.URL("/app/"))
		})
	}
}

// ownContext asks for the context of a token's agents.
func ownContext(t *testing.T, daemon browsertest.Discovery, token string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "GET", daemon.HTTPURL+"/v1/session/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct{ Data struct{ Context string } }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Data.Context == "" {
		t.Fatalf("%d %v", response.StatusCode, err)
	}
	return answer.Data.Context
}

func (p *port) contract(elsewhere string) {
	if m := p.answer(p.start("DOM.noSuchThing", nil, 0)); m.Code() != "CDP_ERROR" && m.Code() != "CAPABILITY_MISSING" { // the latter where Chrome keeps it from extensions
		p.Errorf("a method that is none: %.300s", m.Raw)
	}

	// Each call its own answer, whatever else is under way.
	slow := p.evaluate("new Promise((done) => { release = done })")
	calls := make([]int, 30)
	for i := range calls {
		calls[i] = p.evaluate(fmt.Sprint("40000 + ", i))
	}
	for i, id := range calls {
		if got := p.value(id); got != float64(40000+i) {
			p.Errorf("call %d gave %v", i, got)
		}
	}
	p.value(p.evaluate("release('late'), 1"))
	if got := p.value(slow); got != "late" {
		p.Errorf("the slow call gave %v", got)
	}

	// Events in order, and before the answer of what made them.
	p.agent.Send([]byte(`{"type":"cdp_subscribe","methods":["Runtime.consoleAPICalled"]}`))
	p.answer(p.start("Runtime.enable", nil, 0))
	logs := p.evaluate("for (let i = 0; i < 500; i++) console.log('line', i); 'logged'")
	p.value(logs)
	next := 0
	for _, m := range p.agent.Messages() {
		if m.Type() == "cdp_response" && m.Number("id") == float64(logs) {
			break
		}
		if m.Type() == "cdp_event" && strings.Contains(string(m.Raw), `"line"`) {
			if !strings.Contains(string(m.Raw), fmt.Sprintf(`"value":%d`, next)) {
				p.Fatalf("line %d is %.300s", next, m.Raw)
			}
			next++
		}
	}
	if next != 500 {
		p.Errorf("%d of 500 lines came before the answer", next)
	}

	const size = 10 << 20
	if text, _ := p.value(p.evaluate(fmt.Sprintf("'x'.repeat(%d)", size))).(string); len(text) != size {
		p.Errorf("%d of %d bytes came", len(text), size)
	}

	// A deadline ends its call alone.
	if m := p.answer(p.start("Runtime.evaluate", map[string]any{"expression": never, "awaitPromise": true}, 300)); m.Code() != "TIMEOUT" && m.Code() != "INDETERMINATE" {
		p.Errorf("after its time: %.300s", m.Raw)
	}
	if got := p.value(p.evaluate("6 * 7")); got != 42.0 {
		p.Errorf("after a deadline: %v", got)
	}

	// What is pending when the page goes ends.
	pending := p.start("Runtime.evaluate", map[string]any{"expression": never, "awaitPromise": true}, 5000)
	p.agent.Do("page.navigate", browsertest.Params{"url": elsewhere, "pageId": p.page})
	// Over the extension Chrome says nothing of it, and its deadline ends it.
	if m := p.answer(pending); m.Code() == "" || m.Code() == "TIMEOUT" && !strings.HasSuffix(p.Name(), "/extension") {
		p.Errorf("pending over a navigation: %.300s", m.Raw)
	}
	if got := p.value(p.evaluate("location.pathname")); got != "/app/" {
		p.Errorf("after a navigation: %v", got)
	}
	pending = p.start("Runtime.evaluate", map[string]any{"expression": never, "awaitPromise": true}, 5000)
	p.agent.Start("page.close", browsertest.Params{"page": p.page})
	if m := p.answer(pending); m.Code() == "" || m.Code() == "TIMEOUT" {
		p.Errorf("pending when the tab was closed: %.300s", m.Raw)
	}
}
