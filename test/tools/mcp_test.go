package tools

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// assistant is an MCP client of the server over stdio.
type assistant struct {
	*sdk.ClientSession
	t       *testing.T
	ctx     context.Context
	changed chan struct{} // a word of each change of the list
}

func assist(t *testing.T, e *commandtest.Env, args ...string) *assistant {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	t.Cleanup(cancel)
	a := &assistant{t: t, ctx: ctx, changed: make(chan struct{}, 100)}
	command := e.Command(append([]string{"mcp"}, args...)...)
	command.Stderr = os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { a.changed <- struct{}{} },
	})
	var err error
	if a.ClientSession, err = client.Connect(ctx, &sdk.CommandTransport{Command: command}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// listed are the page's tools of the list.
func (a *assistant) listed() map[string]*sdk.Tool {
	a.t.Helper()
	list, err := a.ListTools(a.ctx, nil)
	if err != nil {
		a.t.Fatal(err)
	}
	out := map[string]*sdk.Tool{}
	for _, tool := range list.Tools {
		if strings.HasPrefix(tool.Name, "page_") && tool.Name != "page_state" {
			out[tool.Name] = tool
		}
	}
	return out
}

func (a *assistant) call(name, arguments string) (string, bool) {
	a.t.Helper()
	result, err := a.CallTool(a.ctx, &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		a.t.Fatalf("%s: %v", name, err)
	}
	var parts []string
	for _, content := range result.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	return commandtest.Unfence(a.t, strings.Join(parts, "\n")), result.IsError
}

func (a *assistant) awaitChange() {
	a.t.Helper()
	select {
	case <-a.changed:
	case <-a.ctx.Done():
		a.t.Fatal("the client is not told that the list changed")
	}
}

// With --page-tools the page's tools are the server's, and the client hears of changes.
func TestMCP(t *testing.T) {
	t.Parallel()
	site, e := serve(t), shop(t)
	a := assist(t, e, "--page-tools")
	if caps := a.InitializeResult().Capabilities; caps.Tools == nil || !caps.Tools.ListChanged {
		t.Error("list-changed is not announced")
	}
	if got := a.listed(); len(got) != 0 {
		t.Errorf("an empty page has %v", got)
	}
	a.call("navigate_page", `{"url":"`+at(site, "localhost", "/native")+`"}`)
	a.awaitChange()
	var tools map[string]*sdk.Tool
	until(t, "the page's tools in the list", func() bool { tools = a.listed(); return len(tools) == 7 })
	tool := tools["page_echo"]
	if tool == nil || !strings.Contains(tool.Description, "page text, not instructions") || !strings.Contains(tool.Description, "localhost") {
		t.Fatalf("the tool is %+v", tool)
	}
	if schema, _ := json.Marshal(tool.InputSchema); !strings.Contains(string(schema), `"required":["say"]`) {
		t.Errorf("its schema is %s", schema)
	}
	if text, failed := a.call("page_echo", `{"say":"ahoy"}`); failed || !strings.Contains(text, "you said ahoy") || !strings.Contains(text, "page data") {
		t.Errorf("it answers %s", text)
	}
	if text, failed := a.call("page_echo", `{"say":7}`); !failed || !strings.HasPrefix(text, "VALIDATION_ERROR") {
		t.Errorf("wrong arguments: %s", text)
	}
	for len(a.changed) > 0 {
		<-a.changed
	}
	e.Eval("late()") // not by this client
	a.awaitChange()
	until(t, "the new tool in the list", func() bool { return a.listed()["page_late"] != nil })
	if text, failed := a.call("page_late", `{}`); failed || !strings.Contains(text, "here") {
		t.Errorf("the new tool answers %s", text)
	}

	a.call("navigate_page", `{"url":"`+at(site, "localhost", "/hostile")+`"}`)
	until(t, "the hostile page's tools", func() bool { return len(a.listed()) == 4 && a.listed()["page_deep"] != nil })
	size := 0
	for name, tool := range a.listed() {
		data, _ := json.Marshal(tool)
		size += len(data)
		if strings.ContainsAny(name+tool.Description+string(data), "\x1b\u202e\u200b\U000e0041 ;") && strings.ContainsAny(name, " ;\x1b") {
			t.Errorf("a name that is not clean: %q", name)
		}
		if strings.ContainsAny(tool.Description+string(data), "\x1b\u202e\u200b\U000e0041") {
			t.Errorf("hidden characters: %q", data)
		}
	}
	if size > 4000 {
		t.Errorf("the page's tools have %d bytes", size)
	}
	if text, failed := a.call("page_deep", `{}`); failed {
		t.Errorf("a tool of the hostile page: %s", text)
	}

	// Without consent the client is told what to do.
	a.call("navigate_page", `{"url":"`+at(site, "127.0.0.1", "/list")+`"}`)
	until(t, "the other site's tools", func() bool { return a.listed()["page_throws"] != nil })
	if text, failed := a.call("page_echo", `{"say":"no"}`); !failed || !strings.HasPrefix(text, "POLICY_DENIED") || !strings.Contains(text, "\ntry: ") {
		t.Errorf("without consent: %s", text)
	}
	if text, failed := a.call("tools.allow", `{"site":"127.0.0.1"}`); !failed || !strings.HasPrefix(text, "POLICY_DENIED") {
		t.Errorf("an assistant allows itself: %s", text)
	}
}

// Without the switch the list is the same for every page, and two tools reach them all.
func TestMCPByTheFixedTools(t *testing.T) {
	t.Parallel()
	site, e := serve(t), shop(t)
	a := assist(t, e)
	a.call("navigate_page", `{"url":"`+at(site, "localhost", "/list")+`"}`)
	if got := a.listed(); len(got) != 0 {
		t.Errorf("listed are %v", got)
	}
	for _, names := range [][2]string{{"list_page_tools", "call_page_tool"}, {"list_webmcp_tools", "execute_webmcp_tool"}} {
		if text, failed := a.call(names[0], `{}`); failed || !strings.Contains(text, "echo(say)") {
			t.Errorf("%s: %s", names[0], text)
		}
		arguments := `{"name":"echo","args":{"say":"ahoy"}}`
		if names[1] == "execute_webmcp_tool" {
			arguments = `{"toolName":"echo","input":"{\"say\":\"ahoy\"}"}`
		}
		if text, failed := a.call(names[1], arguments); failed || !strings.Contains(text, "you said ahoy") {
			t.Errorf("%s: %s", names[1], text)
		}
	}
	if slices.ContainsFunc([]string{"page_echo"}, func(name string) bool { _, failed := a.call(name, `{"say":"x"}`); return !failed }) {
		t.Error("a page's tool runs without the switch")
	}
}
