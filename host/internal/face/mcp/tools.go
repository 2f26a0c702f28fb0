package mcp

import (
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Core are the tools that an agent needs nearly always, in the order in which it needs them.
var Core = []string{
	"connect_browser", "list_pages", "new_page", "select_page", "close_page", "navigate_page", "take_snapshot", "find",
	"click", "fill", "fill_form", "type_text", "press_key", "hover", "select_option", "upload_file", "scroll", "handle_dialog",
	"wait_for", "evaluate_script", "take_screenshot", "list_console_messages", "get_console_message", "list_network_requests",
	"get_network_request", "get_app_state", "get_cause", "wait_for_event", "diagnose_layout", "get_css_styles",
}

// tool is a tool's name and the command behind it.
type tool struct {
	name    string
	command *catalog.Command
}

// slim are the three tools of the leading server's smallest mode, with its parameters.
var slim = []struct{ name, command, schema string }{
	{"navigate", "page.navigate", `{"name":"navigate","description":"Load an address","inputSchema":{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}}`},
	{"evaluate", "runtime.eval", `{"name":"evaluate","description":"Run JavaScript in the page; its value is the answer","inputSchema":{"type":"object","properties":{"script":{"type":"string"}},"required":["script"]}}`},
	{"screenshot", "capture.screenshot", `{"name":"screenshot","description":"Image of the page","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}`},
}

// The sets of tools.
const (
	setCore = "core"
	setAll  = "all"
	setSlim = "slim"
)

// choose finds the tools that are listed. In slim mode there are none: the list is another.
func choose(o Options) ([]tool, error) {
	var chosen []tool
	add := func(c *catalog.Command) {
		if c.Tool != "" && !slices.ContainsFunc(chosen, func(t tool) bool { return t.name == c.Tool }) {
			chosen = append(chosen, tool{c.Tool, c})
		}
	}
	switch o.Tools {
	case "", setCore:
		for _, name := range Core {
			if c, ok := byTool(name); ok {
				add(c)
			}
		}
	case setAll:
		for _, name := range Core {
			if c, ok := byTool(name); ok {
				add(c)
			}
		}
		for _, c := range command.All {
			add(c)
		}
	case setSlim:
	default:
		for name := range strings.SplitSeq(o.Tools, ",") {
			c, ok := lookup(strings.TrimSpace(name))
			if !ok {
				return nil, noTool(strings.TrimSpace(name))
			}
			add(c)
		}
	}
	for _, category := range o.With {
		list := command.All.Of(category)
		if len(list) == 0 {
			return nil, noCategory(category)
		}
		for _, c := range list {
			add(c)
		}
	}
	for _, category := range o.Without {
		if len(command.All.Of(category)) == 0 {
			return nil, noCategory(category)
		}
		chosen = slices.DeleteFunc(chosen, func(t tool) bool { return t.command.Resource() == category })
	}
	return chosen, nil
}

func noCategory(name string) *fault.Error {
	return fault.New(fault.ValidationError, "there is no category %q", name).Suggest("One of: " + strings.Join(command.All.Resources(), ", "))
}

// byTool finds the command of a tool's name.
func byTool(name string) (*catalog.Command, bool) {
	for _, c := range command.All {
		if c.Tool == name {
			return c, true
		}
	}
	return nil, false
}

// lookup finds the command that a call means: by tool, by the leading server's name for
// it, or by the catalogue's name. What is not listed runs all the same.
func lookup(name string) (*catalog.Command, bool) {
	if c, ok := byTool(name); ok {
		return c, true
	}
	for _, s := range slim {
		if s.name == name {
			return command.All.Find(s.command)
		}
	}
	for _, s := range otherNames {
		if s.name == name {
			return command.All.Find(s.command)
		}
	}
	return command.All.Find(name)
}

// otherNames are names of tools elsewhere.
var otherNames = []struct{ name, command string }{
	{"lighthouse_audit", "audit.page"},
	{"list_webmcp_tools", "tools.list"}, {"execute_webmcp_tool", "tools.call"},
}

func noTool(name string) *fault.Error {
	f := fault.New(fault.UnknownType, "there is no tool %q", name)
	var near []string
	for _, c := range command.All {
		if c.Tool == "" {
			continue
		}
		for part := range strings.SplitSeq(name, "_") {
			if len(part) > 3 && strings.Contains(c.Tool, part) && len(near) < 5 && !slices.Contains(near, c.Tool) {
				near = append(near, c.Tool)
			}
		}
	}
	if near == nil {
		return f.Suggest("take_snapshot", "find")
	}
	return f.Suggest(near...)
}

// List is the tools/list answer of a choice of tools, without what a protocol version adds.
func List(o Options) ([]byte, error) {
	chosen, err := choose(o)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 16<<10)
	b = append(b, '[')
	if o.Tools == setSlim {
		for i, s := range slim {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, s.schema...)
		}
	}
	for i, t := range chosen {
		if i > 0 || o.Tools == setSlim {
			b = append(b, ',')
		}
		b = appendTool(b, t.command, t.name, o.Structured)
	}
	return append(b, ']'), nil
}
