package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompts are ways to begin that a person can choose.
var prompts = []struct {
	name, about string
	argument    string // with what it is, after a colon; none when empty
	text        string // $ARGUMENT is what was given, after its own words
	words       string // that go before it
}{
	{
		name: "debug_this_page", about: "Find out what is wrong with the page that is open",
		argument: "problem: What goes wrong, in your words",
		words:    "What goes wrong: ",
		text: `Find out what is wrong with the page that is open. $ARGUMENT
1. connect_browser tells which page there is; if it asks for a person, say so and stop.
2. list_console_messages with level warn, then list_network_requests with status error. get_console_message and get_network_request tell more of one.
3. take_snapshot to see what the page shows. diagnose_layout where something is not where it should be. get_app_state where the app tells its state.
4. Do what the person did, step by step, and read after each step what the answer says it changed.
Say the cause with its proof (file and line, request, declaration), then the smallest change that mends it. Change nothing in the page for good.`,
	},
	{
		name: "find_layout_fault", about: "Find out why an element is not where or as it should be",
		argument: "target: The element: ref, role and name, CSS selector or text",
		words:    "It is about: ",
		text: `Find out why an element of the page is not where or as it should be. $ARGUMENT
1. diagnose_layout (with target where one is named) gives findings, each with the one element and declaration that cause it.
2. get_css_styles of the cause tells which rule wins and from which file and line; take_screenshot with annotate shows it.
3. Try the fix with diagnose_layout's verify, or with evaluate_script on the element's style, and take it back.
Say the cause in one sentence with its numbers, then the rule to change: file, line, selector, property, old and new value.`,
	},
	{
		name: "write_bug_report", about: "Write a bug report of what the page does wrong",
		argument: "title: What the report is about",
		words:    "It is about: ",
		text: `Write a bug report of what the page does wrong. $ARGUMENT
Collect the proof first: take_screenshot, list_console_messages with level warn, list_network_requests with status error, get_network_request of those that matter, the address and the viewport from take_snapshot.
Then write, short: title; steps to repeat it, each one thing a person does; what is expected; what happens instead; console lines and requests word for word; browser, viewport and address; path of the screenshot. Leave out passwords, tokens and names of people.`,
	},
}

func (n *session) addPrompts() {
	for _, p := range prompts {
		made := &sdk.Prompt{Name: p.name, Description: p.about}
		name, about, has := strings.Cut(p.argument, ": ")
		if has {
			made.Arguments = []*sdk.PromptArgument{{Name: name, Description: about}}
		}
		n.mcp.AddPrompt(made, func(_ context.Context, request *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			given := strings.TrimSpace(request.Params.Arguments[name])
			if given != "" {
				given = p.words + given
			}
			text := strings.TrimRight(strings.Replace(p.text, "$ARGUMENT", given, 1), " ")
			return &sdk.GetPromptResult{Description: p.about, Messages: []*sdk.PromptMessage{{
				Role: "user", Content: &sdk.TextContent{Text: strings.Replace(text, ". \n", ".\n", 1)},
			}}}, nil
		})
	}
}
