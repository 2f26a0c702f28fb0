// Package e2e holds tests of the whole chain that need the SDK and the
// extension together; its subfolders hold the others by theme.
package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// startSDK runs the built SDK in a tab, as an app that embeds it does.
func startSDK(t *testing.T, env *browsertest.Env, tab *browsertest.Tab, token string) {
	t.Helper()
	root, err := bundle.Root()
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join(root, "extension", "dist", "sdk", "debug-bridge.global.js"))
	if err != nil {
		t.Fatal(err)
	}
	tab.Eval(string(code)+";0", nil)
	options, err := json.Marshal(map[string]any{"url": env.Daemon().URL, "token": token, "appName": "shop"})
	if err != nil {
		t.Fatal(err)
	}
	tab.Eval(fmt.Sprintf(`window.sdk = DebugBridge.createDebugBridge({...%s, getCustomState: () => ({cart: {lines: 3}})}); 
		sdk.registerTool('double', {type: 'object', description: 'Twice a number', properties: {n: {type: 'number'}}, required: ['n']}, ({n}) => ({twice: 2 * n}));
		sdk.connect(); 0`, options), nil)
}

func lines(agent *browsertest.Agent, text string) (count int) {
	for _, m := range agent.Messages() {
		if m.Type() == "console" && strings.Contains(string(m.Raw), text) {
			count++
		}
	}
	return count
}

func TestP36ExtensionAndSDKAreOnePage(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/form"))
	origin := strings.TrimSuffix(env.Pages.URL("/"), "/")
	env.Data(nil, "app", "allow", origin)
	var made struct {
		Token string `json:"token"`
	}
	env.Data(&made, "token", "new", "shop", "--role", "app", "--origin", origin)
	agent := env.Agent()

	// The SDK alone is a page.
	startSDK(t, env, tab, made.Token)
	alone := agent.AwaitType("hello")
	if alone.String("source") != "sdk" || alone.String("appName") != "shop" {
		t.Fatalf("hello of the SDK: %s", alone.Raw)
	}
	agent.Do("click", browsertest.Params{"target": browsertest.Params{"selector": "#save"}})
	tab.Await("window.clicks === 1")
	doubled(t, agent, alone.Number("pageId"))

	// The extension comes: one page, with the app's name and state.
	env.Connect(tab, "act")
	named := agent.Await("the extension's hello with the app's name", func(m browsertest.Message) bool {
		return m.Type() == "hello" && m.String("source") == "extension" && m.String("appName") == "shop"
	})
	agent.Await("the end of the SDK's own page", func(m browsertest.Message) bool {
		return m.Type() == "app_disconnected" && m.Number("pageId") == alone.Number("pageId")
	})
	mark := agent.Len()
	result := agent.Do("request_state", browsertest.Params{"pageId": int(named.Number("pageId"))})
	if !strings.Contains(string(result.Raw), `"lines":3`) {
		t.Errorf("state: %s", result.Raw)
	}
	if update := agent.AwaitFrom(mark, "state_update", func(m browsertest.Message) bool { return m.Type() == "state_update" }); update.Number("pageId") != named.Number("pageId") {
		t.Errorf("state_update of another page: %s", update.Raw)
	}

	// Its tools are the page's, once; at level act they need the person's consent.
	if listed := agent.Do("tools.list", browsertest.Params{"pageId": int(named.Number("pageId"))}); strings.Count(string(listed.Raw), `"name":"double"`) != 1 {
		t.Errorf("tools: %s", listed.Raw)
	}
	if refused := agent.Command("tools.call", browsertest.Params{"pageId": int(named.Number("pageId")), "name": "double", "args": browsertest.Params{"n": 2}}); refused.Code() != "POLICY_DENIED" {
		t.Errorf("a tool was called without consent: %s", refused.Raw)
	}

	// No doubled events: after the last line has come, each came once.
	tab.Eval(`console.log('only once'); console.log('the end'); 0`, nil)
	agent.Await("the last line", func(m browsertest.Message) bool {
		return m.Type() == "console" && strings.Contains(string(m.Raw), "the end")
	})
	agent.Do("request_ui_tree", browsertest.Params{"pageId": int(named.Number("pageId"))})
	if got := lines(agent, "only once"); got != 1 {
		t.Errorf("the line came %d times", got)
	}

	// The extension goes: the SDK is a page again.
	mark = agent.Len()
	env.Disconnect(tab)
	again := agent.AwaitFrom(mark, "the SDK's page", func(m browsertest.Message) bool {
		return m.Type() == "hello" && m.String("source") == "sdk"
	})
	agent.Do("click", browsertest.Params{"pageId": int(again.Number("pageId")), "target": browsertest.Params{"selector": "#save"}})
	tab.Await("window.clicks === 2")
}

// doubled calls the app's tool by the SDK alone, as it is and as it must not be called.
func doubled(t *testing.T, agent *browsertest.Agent, page float64) {
	t.Helper()
	if listed := agent.Do("tools.list", browsertest.Params{"pageId": int(page)}); !strings.Contains(string(listed.Raw), `"name":"double"`) || !strings.Contains(string(listed.Raw), `"source":"sdk"`) {
		t.Errorf("tools: %s", listed.Raw)
	}
	call := func(args browsertest.Params) browsertest.Message {
		return agent.Command("tools.call", browsertest.Params{"pageId": int(page), "name": "double", "args": args})
	}
	if twice := call(browsertest.Params{"n": 21}); !twice.Success() || !strings.Contains(string(twice.Raw), `"twice":42`) {
		t.Errorf("call: %s", twice.Raw)
	}
	if wrong := call(browsertest.Params{"n": "x"}); wrong.Code() != "VALIDATION_ERROR" {
		t.Errorf("arguments that do not fit: %s", wrong.Raw)
	}
}
