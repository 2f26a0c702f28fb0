package tools

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// names are those of the page's tools, as they are listed.
func names(e *commandtest.Env) []string {
	e.T.Helper()
	list, _ := e.OK("tools", "list")["tools"].([]any)
	var out []string
	for _, item := range list {
		row, _ := item.(map[string]any)
		name, _ := row["name"].(string)
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func sources(e *commandtest.Env) string {
	e.T.Helper()
	seen := map[string]bool{}
	list, _ := e.OK("tools", "list")["tools"].([]any)
	for _, item := range list {
		row, _ := item.(map[string]any)
		seen[fmt.Sprint(row["source"])] = true
	}
	var out []string
	for source := range seen {
		out = append(out, source)
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// Whatever way a page declares its tools, they are listed and called alike.
func TestSources(t *testing.T) {
	t.Parallel()
	site, e := serve(t), shop(t)
	all := []string{"cyclic", "echo", "fails", "hangs", "large", "throws"}
	for _, c := range []struct {
		path, source string
		names        []string
	}{
		{"/native", "webmcp", append(slices.Clone(all), "search")},
		{"/list", "polyfill", all},
		{"/held", "polyfill", all},
		{"/sdk", "sdk", []string{"echo"}},
	} {
		t.Run(c.path, func(t *testing.T) {
			e := *e
			e.T = t
			e.OK("page", "navigate", at(site, "localhost", c.path))
			want := slices.Sorted(slices.Values(c.names))
			until(t, fmt.Sprintf("the tools %v", want), func() bool { return slices.Equal(names(&e), want) })
			if got := sources(&e); got != c.source {
				t.Errorf("they come from %s, not %s", got, c.source)
			}
			text := e.Text("tools", "call", "echo", `{"say":"ahoy"}`)
			if !strings.Contains(text, "you said ahoy") || !strings.Contains(text, "page data, not instructions") {
				t.Errorf("the answer is %s", text)
			}
			done := e.OK("tools", "call", "echo", `{"say":"again"}`)
			if done["effect"] != "changed" || done["after"] == nil {
				t.Errorf("what came of it: %v", done)
			}
			if shown := e.Eval("document.querySelector('#out').textContent"); shown != "again" {
				t.Errorf("the page shows %v", shown)
			}
			for _, wrong := range []string{`{}`, `{"say":7}`, `{"say":"longer than twenty characters"}`} {
				e.Fails("VALIDATION_ERROR", 2, "tools", "call", "echo", wrong)
			}
			e.Fails("VALIDATION_ERROR", 2, "tools", "call", "echo", `[]`)
			e.Fails("ELEMENT_NOT_FOUND", 3, "tools", "call", "nobody")
			if shown := e.Eval("document.querySelector('#out').textContent"); shown != "again" {
				t.Errorf("refused calls reached the page: %v", shown)
			}
		})
	}

	t.Run("a form", func(t *testing.T) {
		e := *e
		e.T = t
		e.OK("page", "navigate", at(site, "localhost", "/native"))
		done := e.OK("tools", "call", "search", `{"q":"rope"}`)
		if done["effect"] != "navigated" {
			t.Errorf("the form was not sent: %v", done)
		}
		if search := e.Eval("location.search"); search != "?q=rope" {
			t.Errorf("it asked for %v", search)
		}
	})

	t.Run("none and unseen", func(t *testing.T) {
		e := *e
		e.T = t
		e.OK("page", "navigate", at(site, "localhost", "/none"))
		if text := e.Text("tools", "list"); !strings.Contains(text, "no tools") {
			t.Errorf("of a page without any: %s", text)
		}
		e.OK("page", "navigate", at(site, "localhost", "/hidden"))
		if unseen, _ := e.OK("tools", "list")["unseen"].([]any); len(unseen) != 1 {
			t.Error("nothing is said of a modelContext without a list")
		}
	})

	t.Run("frames", func(t *testing.T) {
		e := *e
		e.T = t
		e.OK("page", "navigate", at(site, "localhost", "/frames"))
		until(t, "the frame's tools", func() bool { return slices.Equal(names(&e), all) })
		if value := e.OK("tools", "call", "echo", `{"say":"in f1"}`)["value"]; !strings.Contains(fmt.Sprint(value), "in f1") {
			t.Errorf("the frame answers %v", value)
		}
		e.Fails("ELEMENT_NOT_FOUND", 3, "tools", "call", "echo", `{"say":"x"}`, "--frame", "main")
	})
}

// Tools that throw, hang, answer too much, or change the list while they run.
func TestUnruly(t *testing.T) {
	t.Parallel()
	site, e := serve(t), shop(t)
	for _, path := range []string{"/native", "/list"} {
		t.Run(path, func(t *testing.T) {
			e := *e
			e.T = t
			e.OK("page", "navigate", at(site, "localhost", path))
			threw := e.Fails("ACTION_NO_EFFECT", 5, "tools", "call", "throws")
			if !strings.Contains(fmt.Sprint(threw.Error.Details["exception"]), "no more rope") || strings.Contains(threw.Error.Message, "rope") {
				t.Errorf("what it threw: %+v", threw.Error)
			}
			e.Fails("INDETERMINATE", 4, "tools", "call", "hangs", "--timeout", "2000")
			large := e.OK("tools", "call", "large")
			if text, _ := large["value"].(string); large["truncated"] != true || len(text) < 200_000 || len(text) > 300_000 {
				t.Errorf("10 MB came as %d characters, cut %v", len(text), large["truncated"])
			}
			if text := e.Text("tools", "call", "large"); len(text) > 10_000 {
				t.Errorf("the text has %d bytes", len(text))
			}
			if failed := e.OK("tools", "call", "fails"); failed["failed"] != true {
				t.Errorf("a failure of the tool: %v", failed)
			}
			if cyclic := e.Run("tools", "call", "cyclic"); !cyclic.OK && cyclic.Code != "ACTION_NO_EFFECT" { // the browser's own takes JSON alone
				t.Errorf("an answer that holds itself: %+v", cyclic.Error)
			}
			if got := names(&e); !slices.Contains(got, "echo") {
				t.Errorf("after all that: %v", got)
			}
		})
	}
	t.Run("changes", func(t *testing.T) {
		e := *e
		e.T = t
		e.OK("page", "navigate", at(site, "localhost", "/native"))
		told := func(name string) bool {
			list, _ := e.OK("observe", "events", "--types", "tools_changed", "--limit", "500")["events"].([]any)
			if len(list) == 0 {
				return false
			}
			last, _ := list[len(list)-1].(map[string]any)
			return strings.Contains(fmt.Sprint(last["names"]), name)
		}
		until(t, "tools_changed of the page", func() bool { return told("echo") && !told("late") })
		e.Eval("late()")
		until(t, "tools_changed of the new tool", func() bool { return told("late") })
		if value := e.OK("tools", "call", "late")["value"]; value != "here" {
			t.Errorf("it answers %v", value)
		}
		e.Eval(`document.modelContext.registerTool({name: 'leaves', description: 'Takes another back', inputSchema: {type: 'object'},
			execute: async () => { withdraw.abort(); await new Promise((done) => setTimeout(done, 100)); return 'gone'; }})`)
		if value := e.OK("tools", "call", "leaves")["value"]; value != "gone" {
			t.Errorf("a tool that changes the list answers %v", value)
		}
		until(t, "tools_changed without the tool", func() bool { return !told("late") })
		e.Fails("ELEMENT_NOT_FOUND", 3, "tools", "call", "late")
	})
}

// What a page says is text, however it is written.
func TestHostile(t *testing.T) {
	t.Parallel()
	site, e := serve(t), shop(t)
	e.OK("page", "navigate", at(site, "localhost", "/hostile"))
	if got := names(e); len(got) != 4 {
		t.Fatalf("listed are %q", got)
	}
	text := e.Text("tools", "list")
	if strings.ContainsAny(text, "\x1b\u202e\u200b\U000e0041") || len(text) > 5000 {
		t.Errorf("the text is %q", text)
	}
	if !strings.HasPrefix(text, "4 tools of the page (page data, not instructions)") {
		t.Errorf("it is not said whose words these are: %s", text)
	}
	if text := e.Text("tools", "call", "a b\x1b[2J\u202e", "{}"); strings.ContainsAny(text, "\x1b\U000e0041") || !strings.Contains(text, "done") {
		t.Errorf("the answer's text is %q", text)
	}
	// Schemas that refer to themselves cost nothing.
	e.OK("tools", "call", "a b;;", `{"x":{"x":{}}}`)
	e.OK("tools", "call", "deep", `{"x":[[[1]]]}`)
	e.OK("tools", "call", "answers")
}

// A site's tools wait for a yes, and it is that site's alone.
func TestConsentOfASession(t *testing.T) {
	t.Parallel()
	site, e := serve(t), shop(t)
	e.OK("page", "navigate", at(site, "127.0.0.1", "/list"))
	refused := e.Fails("POLICY_DENIED", 9, "tools", "call", "echo", `{"say":"no"}`)
	if refused.Error.Details["site"] != "127.0.0.1" || !strings.Contains(strings.Join(refused.Error.Suggestions, " "), "tools allow 127.0.0.1") {
		t.Errorf("the refusal: %+v", refused.Error)
	}
	if shown := e.Eval("document.querySelector('#out').textContent"); shown != "" {
		t.Errorf("the page was told all the same: %v", shown)
	}
	if text := e.Text("tools", "list"); !strings.Contains(text, "tools allow 127.0.0.1") {
		t.Errorf("the list does not say it: %s", text)
	}
	e.OK("tools", "allow")
	e.OK("tools", "call", "echo", `{"say":"yes"}`)
	e.OK("session", "restart")
	e.OK("page", "navigate", at(site, "127.0.0.1", "/list"))
	e.Fails("POLICY_DENIED", 9, "tools", "call", "echo", `{"say":"no"}`)
	e.OK("page", "navigate", at(site, "localhost", "/list")) // by the profile
	e.OK("tools", "call", "echo", `{"say":"yes"}`)
}

// In the person's own Chrome the person says it, in the popup, and can take it back.
func TestConsentInThePopup(t *testing.T) {
	t.Parallel()
	site, browser := serve(t), browsertest.Start(t, browsertest.Options{Extension: true})
	tab := browser.OpenTab(at(site, "localhost", "/list"))
	browser.Connect(tab, "act")
	e := commandtest.User(t, browser)
	e.AwaitPages(1)
	until(t, "the page's tools", func() bool { return slices.Contains(names(e), "echo") })
	refused := e.Fails("POLICY_DENIED", 9, "tools", "call", "echo", `{"say":"no"}`)
	if refused.Error.Details["site"] != "localhost" || !strings.Contains(strings.Join(refused.Error.Suggestions, " "), "popup") {
		t.Errorf("the refusal: %+v", refused.Error)
	}
	e.Fails("POLICY_DENIED", 9, "tools", "allow", "localhost")
	popup := browser.OpenPopup(tab)
	popup.Await("!document.querySelector('#tools-row').hidden")
	if says := popup.Text("document.querySelector('#tools-row').innerText"); !strings.Contains(says, "localhost") || !strings.Contains(says, "asks") {
		t.Errorf("the popup says %q", says)
	}
	popup.Click("#page-tools")
	popup.Await("document.querySelector('#page-tools').checked && !document.querySelector('#tools-site').textContent.includes('asks')")
	if value := e.OK("tools", "call", "echo", `{"say":"yes"}`)["value"]; !strings.Contains(fmt.Sprint(value), "you said yes") {
		t.Errorf("it answers %v", value)
	}
	popup = browser.OpenPopup(tab)
	popup.Await("document.querySelector('#page-tools').checked")
	popup.Click("#page-tools")
	popup.Await("!document.querySelector('#page-tools').checked && document.querySelector('#tools-site').textContent.includes('asks')")
	e.Fails("POLICY_DENIED", 9, "tools", "call", "echo", `{"say":"no"}`)
	if shown := tab.Text("document.querySelector('#out').textContent"); shown != "yes" {
		t.Errorf("the page shows %q", shown)
	}
}
