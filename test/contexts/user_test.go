//go:build linux

package contexts

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// A page of the person's own Chrome: one context may change it, all may look, and the
// popup says who it is.
func TestPagesOfTheUsersChrome(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/app/"))
	env.Connect(tab, "control")
	as := func(name string, args ...string) answer {
		t.Helper()
		command := env.Exec(append(args, "--context-id", name)...)
		var out bytes.Buffer
		command.Stdout = &out
		_ = command.Run() // its exit is looked at
		a := answer{raw: out.String()}
		a.exit = command.ProcessState.ExitCode()
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out.String())
		}
		return a
	}
	good := func(a answer) answer {
		t.Helper()
		if !a.OK {
			t.Fatal(a.raw)
		}
		return a
	}
	good(as("a", "page", "list"))
	good(as("b", "page", "list"))
	good(as("a", "page", "navigate", "--reload"))

	var opened struct {
		PageID int    `json:"pageId"`
		URL    string `json:"url"`
		Status int    `json:"status"`
	}
	good(as("a", "page", "open", "/app/?second", "--background")).into(t, &opened)
	if opened.PageID == 0 || !strings.HasSuffix(opened.URL, "/app/?second") {
		t.Errorf("%+v", opened)
	}
	good(as("a", "page", "close"))

	refused := as("b", "page", "navigate", "--reload")
	if refused.Error.Code != "PAGE_LEASED" || refused.exit != 5 || len(refused.Error.Suggestions) < 2 {
		t.Fatalf("%s", refused.raw)
	}
	var list struct {
		Pages []struct {
			HeldBy string `json:"heldBy"`
		} `json:"pages"`
	}
	good(as("b", "page", "list")).into(t, &list)
	if len(list.Pages) != 1 || list.Pages[0].HeldBy == "" {
		t.Errorf("b does not see who holds it: %+v", list)
	}
	holder := list.Pages[0].HeldBy
	popup := env.OpenPopup(tab)
	popup.Await("document.getElementById('agents').textContent.includes(" + quoted(holder) + ")")

	// Who gives a time waits for it.
	waiting := make(chan answer, 1)
	go func() { waiting <- as("b", "page", "navigate", "--reload", "--timeout", "30000") }()
	select {
	case a := <-waiting:
		t.Fatalf("it did not wait: %s", a.raw)
	case <-time.After(300 * time.Millisecond): // long enough to be refused
	}
	good(as("a", "session", "stop"))
	if a := <-waiting; !a.OK {
		t.Errorf("after the end of a: %s", a.raw)
	}
	good(as("b", "session", "stop"))
	if a := as("c", "session", "status"); !strings.Contains(a.raw, `"state":"user"`) {
		t.Errorf("%s", a.raw)
	}
}

func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// What comes over the WebSocket keeps off a page that a context holds, as commands
// of the command line do; looking is free. Agents that hold nothing share it.
func TestHeldPageOverTheWebSocket(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/app/"))
	env.Connect(tab, "control")
	one, two := env.Agent(), env.Agent()
	act := map[string]browsertest.Params{
		"evaluate":    {"code": "document.title = 'changed'"},
		"click":       {"target": browsertest.Params{"selector": "h1"}},
		"page.resize": {"width": 700, "height": 500},
	}
	for _, agent := range []*browsertest.Agent{one, two} {
		agent.Do("evaluate", browsertest.Params{"code": "1"})
	}

	env.Data(nil, "element", "click", "css=h1", "--context-id", "a")
	for kind, params := range act {
		if refused := one.Command(kind, params); refused.Success() || refused.Code() != "PAGE_LEASED" || !strings.Contains(string(refused.Raw), "suggestions") {
			t.Errorf("%s: %s", kind, refused.Raw)
		}
	}
	one.Send([]byte(`{"type":"cdp_request","id":7,"method":"Page.reload"}`))
	if answer := one.AwaitType("cdp_response"); answer.Code() != "PAGE_LEASED" {
		t.Errorf("raw CDP: %s", answer.Raw)
	}
	one.Do("request_ui_tree", nil)
	one.Do("capture.snapshot", nil)

	env.Data(nil, "session", "stop", "--context-id", "a")
	two.Do("click", act["click"])
	// What one agent takes with a command of the catalogue is its own, and not the other's.
	one.Do("page.resize", act["page.resize"])
	one.Do("evaluate", act["evaluate"])
	if refused := two.Command("evaluate", act["evaluate"]); refused.Code() != "PAGE_LEASED" {
		t.Errorf("another agent's page: %s", refused.Raw)
	}
}
