package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

type params = browsertest.Params

// named is a target by role and accessible name, as a person would say it.
func named(role, name string) params { return params{"role": role, "name": name} }

// shown is how many items of the tree are printed.
const shown = 14

// play is the demo, step by step.
func play(s *stage) {
	var env *browsertest.Env
	var tab *browsertest.Tab
	var agent *browsertest.Agent
	var epoch string

	s.step("Start Chromium with the extension and the installed host", func() string {
		env = browsertest.Start(s, browsertest.Options{Extension: true})
		tab = env.OpenTab(env.Pages.URL("/app/"))
		tab.Await("document.querySelectorAll('#list li').length === 200")
		say("   %s", tab.Text("document.title + ', ' + document.querySelectorAll('*').length + ' elements, ' + location.href"))
		return "a fresh profile, the sample shop"
	})
	s.step("Click Connect in the popup", func() string {
		popup := env.OpenPopup(tab)
		save(s, "popup.png", popup.Screenshot())
		popup.Close()
		env.Connect(tab, "control")
		return "level control"
	})
	s.step("Attach an agent on the WebSocket", func() string {
		agent = env.Agent("since=0")
		welcome := agent.AwaitType("welcome")
		epoch = welcome.String("epoch")
		hello := agent.AwaitType("hello")
		say("   hello         %s  %q  %s, level %s", hello.String("url"), hello.String("title"), hello.String("source"), hello.String("level"))
		say("   capabilities  %s", strings.Join(words(agent.AwaitType("capabilities").Fields["capabilities"]), " "))
		return fmt.Sprintf("page %.0f of session %s", hello.Number("pageId"), hello.String("sessionId"))
	})
	s.step("Look: the UI tree", func() string { return look(s, agent) })
	s.step("Reload: the refs of before are gone, a new tree comes", func() string {
		from := agent.Len()
		told(agent.Do("navigate", params{"reload": true}), "reload")
		agent.AwaitFrom(from, "page_navigated", ofType("page_navigated"))
		tree := agent.AwaitFrom(from, "the new tree", ofType("ui_tree"))
		items, _ := tree.Fields["items"].([]any)
		tab.Await("document.querySelectorAll('#list li').length === 200") // its fields are its own only now
		return fmt.Sprintf("%d elements", len(items))
	})
	s.step("Act: sign in", func() string {
		result := agent.Do("type", params{"target": params{"selector": "#email"}, "text": pages.Email, "clear": true})
		told(result, "type the email")
		told(agent.Do("type", params{"target": params{"selector": "#password"}, "text": pages.Password}), "type the password")
		told(agent.Do("click", params{"target": named("button", "Sign in")}), "click Sign in")
		tab.Await("shop.user")
		return tab.Text("document.querySelector('#who').textContent")
	})
	s.step("See: console, errors, mutations, state", func() string { return see(s, tab, agent) })
	s.step("Diagnose: a button is cut off, and why", func() string { return diagnose(s, agent) })
	s.step("Cut the agent's connection, come back, miss nothing", func() string {
		agent = comeBack(s, env, tab, agent, epoch)
		return "resumed with since, every event once"
	})
	s.step("Kill the browser, start it again: the agent stays", func() string {
		tab = restart(s, env, agent)
		return "the same WebSocket all along"
	})
	s.step("Take a screenshot", func() string {
		save(s, "shop.png", tab.Screenshot())
		return "demo-out/shop.png, demo-out/popup.png"
	})
}

// look asks for the tree and prints the top of it.
func look(s *stage, agent *browsertest.Agent) string {
	var items []any
	var framed int
	var took time.Duration
	// A frame of another site is its own process; its part comes when that is ready.
	browsertest.Until(s, browsertest.Patience, "the tree with the cross-origin frame in it", func() bool {
		from, began := agent.Len(), time.Now()
		agent.Do("request_ui_tree", nil)
		took = time.Since(began)
		items, _ = agent.AwaitFrom(from, "ui_tree", ofType("ui_tree")).Fields["items"].([]any)
		framed = 0
		for _, item := range items {
			if one, _ := item.(map[string]any); one["frameId"] != "main" {
				framed++
			}
		}
		return framed > 0
	})
	s.check(len(items) > 400, "the tree has %d items only", len(items))
	for _, item := range items[:shown] {
		one, _ := item.(map[string]any)
		say("   %-6v %-10v %v", one["ref"], one["role"], quoted(one["name"]))
	}
	say("   … %d more, %d of them in the cross-origin frame", len(items)-shown, framed)
	return fmt.Sprintf("%d elements in %d ms", len(items), took.Milliseconds())
}

// see causes one of each kind of telemetry and shows what the agent got.
func see(s *stage, tab *browsertest.Tab, agent *browsertest.Agent) string {
	from := agent.Len()
	told(agent.Do("click", params{"target": named("button", "Add Mooring line, white to the cart")}), "add to the cart")
	told(agent.Do("click", params{"target": named("button", "Cause an error")}), "cause an error")
	told(agent.Do("click", params{"target": named("button", "Reject a promise")}), "reject a promise")
	agent.AwaitFrom(from, "the error", ofType("error"))
	agent.AwaitFrom(from, "the rejection", ofType("unhandledrejection"))
	agent.AwaitFrom(from, "mutations", ofType("dom_mutations"))
	agent.AwaitFrom(from, "a diff of the tree", ofType("ui_tree_diff"))
	agent.Await("the failed fetch", func(m browsertest.Message) bool {
		return m.Type() == "console" && m.String("level") == "error" && strings.Contains(string(m.Raw), "no recommendations")
	})
	counts := make(map[string]int)
	for _, message := range agent.Messages() {
		kind := message.Type()
		counts[kind]++
		switch kind {
		case "console":
			say("   console %-5s  %s", message.String("level"), cut(strings.Join(words(message.Fields["args"]), " ")))
		case "error", "unhandledrejection":
			say("   %-13s  %s", cut(kind), cut(message.String("message")+message.String("reason")))
		}
	}
	say("   mutations      %d batches, %d diffs of the tree", counts["dom_mutations"], counts["ui_tree_diff"])
	state := agent.Do("evaluate", params{"code": "({ user: shop.user.name, cart: shop.cart })"})
	encoded, err := json.Marshal(state.Fields["result"])
	s.check(err == nil, "the state: %v", err)
	say("   state          %s", cut(string(encoded)))
	s.check(strings.Contains(string(encoded), "Mooring line"), "the cart is not in the state")
	return fmt.Sprintf("%d console lines, %d errors", counts["console"], counts["error"]+counts["unhandledrejection"])
}

// diagnose opens the order, one button of which cannot be seen whole, and asks why.
func diagnose(s *stage, agent *browsertest.Agent) string {
	told(agent.Do("click", params{"target": named("button", "Check out")}), "check out")
	result, _ := agent.Do("layout.diagnose", params{"target": "#order-place", "verify": true}).Fields["result"].(map[string]any)
	issues, _ := result["issues"].([]any)
	s.check(len(issues) > 0, "nothing was found: %v", result)
	issue, _ := issues[0].(map[string]any)
	cause, _ := issue["cause"].(map[string]any)
	fix, _ := issue["fix"].(map[string]any)
	verified, _ := issue["verified"].(map[string]any)
	say("   %-15s%v %v", issue["severity"], issue["type"], issue["message"])
	say("   cause          %v { %v: %v }  %v", cause["selector"], cause["property"], cause["value"], cause["source"])
	say("   fix            %v { %v: %v }  tried on the page: %v", fix["selector"], fix["property"], fix["value"], verified["fixed"])
	s.check(verified["fixed"] == true, "the fix does not help")
	told(agent.Do("click", params{"target": named("button", "Back to the shop")}), "back to the shop")
	return fmt.Sprint(issue["type"])
}

// comeBack drops the connection, lets the page go on, and resumes.
func comeBack(s *stage, env *browsertest.Env, tab *browsertest.Tab, agent *browsertest.Agent, epoch string) *browsertest.Agent {
	last := agent.LastSeq()
	before := agent.Token
	agent.Drop()
	say("   connection cut after event %d", last)
	const lines = 25
	tab.Eval(fmt.Sprintf("for (let i = 1; i <= %d; i++) console.log('while away', i)", lines), nil)
	again := env.AgentWith(before, fmt.Sprintf("since=%d", last), "epoch="+epoch)
	again.Await("the last line from while it was away", func(m browsertest.Message) bool {
		return m.Type() == "console" && strings.Join(words(m.Fields["args"]), " ") == fmt.Sprintf("while away %d", lines)
	})
	next, missed := last+1, 0
	for _, message := range again.Messages() {
		if message.Seq() == 0 {
			s.check(message.Type() != "gap", "a gap: %s", message.Raw)
			continue
		}
		s.check(message.Seq() == next, "event %d where %d is due", message.Seq(), next)
		next++
		if strings.Contains(string(message.Raw), "while away") {
			missed++
		}
	}
	s.check(missed >= lines, "%d of %d lines arrived", missed, lines)
	say("   back with since=%d: %d events replayed and live, in order, none twice", last, next-last-1)
	return again
}

// restart kills the browser and connects again in the next one.
func restart(s *stage, env *browsertest.Env, agent *browsertest.Agent) *browsertest.Tab {
	from := agent.Len()
	env.KillChrome()
	gone := agent.AwaitFrom(from, "app_disconnected", ofType("app_disconnected"), time.Minute)
	say("   app_disconnected  %s", gone.String("reason"))
	from = agent.Len()
	env.RestartChrome()
	tab := env.OpenTab(env.Pages.URL("/app/"))
	env.Connect(tab, "control")
	hello := agent.AwaitFrom(from, "hello of the new page", ofType("hello"))
	say("   hello             page %.0f, %s", hello.Number("pageId"), hello.String("url"))
	title := agent.Do("evaluate", params{"code": "document.title", "pageId": hello.Number("pageId")})
	say("   evaluate          document.title = %v", title.Fields["result"])
	s.check(title.Fields["result"] == "Harbour Supplies", "evaluate gave %v", title.Fields["result"])
	return tab
}

func ofType(kind string) func(browsertest.Message) bool {
	return func(m browsertest.Message) bool { return m.Type() == kind }
}

// told prints how a command went.
func told(result browsertest.Message, what string) {
	say("   %-18s %s via %s, %.0f ms", what, result.String("effect"), result.String("via"), result.Number("durationMs"))
}

func save(s *stage, name string, content []byte) {
	root, err := bundle.Root()
	s.check(err == nil, "%v", err)
	dir := filepath.Join(root, "demo-out")
	err = os.MkdirAll(dir, 0o755)
	s.check(err == nil, "%v", err)
	err = os.WriteFile(filepath.Join(dir, name), content, 0o644)
	s.check(err == nil, "%v", err)
}

// words are the texts of a JSON list.
func words(list any) []string {
	items, _ := list.([]any)
	all := make([]string, 0, len(items))
	for _, item := range items {
		all = append(all, fmt.Sprint(item))
	}
	return all
}

// quoted shows page text as a string.
func quoted(text any) string { return fmt.Sprintf("%q", cut(fmt.Sprint(text))) }

// cut brings text onto one line of the terminal.
func cut(text string) string {
	const most = 110
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
