package repo

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// parity maps the tools of the leading DevTools server (chrome-devtools-mcp 1.11.0,
// its 32 default tools; the first 26 are those that a command line of its own was
// once planned from) to our commands. Ours carry the same tool name where they do
// the same, so that agents that know one know the other.
var parity = []struct {
	tool     string
	commands []string
}{
	{"new_page", []string{"page.open"}},
	{"list_pages", []string{"page.list"}},
	{"select_page", []string{"page.use"}},
	{"close_page", []string{"page.close"}},
	{"navigate_page", []string{"page.navigate"}},
	{"wait_for", []string{"page.wait-text"}},
	{"resize_page", []string{"page.resize"}},
	{"click", []string{"element.click"}},
	{"hover", []string{"element.hover"}},
	{"drag", []string{"element.drag"}},
	{"fill", []string{"element.fill"}},
	{"fill_form", []string{"element.fill-form"}},
	{"upload_file", []string{"element.upload"}},
	{"press_key", []string{"input.key"}},
	{"handle_dialog", []string{"dialog.handle"}},
	{"evaluate_script", []string{"runtime.eval"}},
	{"take_snapshot", []string{"capture.snapshot"}},
	{"take_screenshot", []string{"capture.screenshot"}},
	{"list_console_messages", []string{"console.list"}},
	{"get_console_message", []string{"console.get"}},
	{"list_network_requests", []string{"network.list"}},
	{"get_network_request", []string{"network.get"}},
	{"emulate", []string{"emulation.set", "emulation.reset"}},
	{"performance_start_trace", []string{"trace.start"}},
	{"performance_stop_trace", []string{"trace.stop"}},
	{"performance_analyze_insight", []string{"trace.insight"}},
	// Newer than those.
	{"type_text", []string{"input.type"}},
	{"get_css_styles", []string{"layout.styles"}},
	{"lighthouse_audit", []string{"audit.page"}},
	{"screencast_start", []string{"capture.screencast-start"}},
	{"screencast_stop", []string{"capture.screencast-stop"}},
	{"take_heapsnapshot", []string{"capture.heap"}},
}

// answersTo are our names of tools that the MCP server takes under theirs as well.
var answersTo = map[string]string{"lighthouse_audit": "audit_page"}

// seedCommands are the commands of the catalogue's plan that no tool of the list needs.
var seedCommands = []string{
	"session.start", "session.status", "session.stop", "session.restart",
	"page.wait-selector", "page.wait-url", "page.wait-idle", "page.downloads",
	"observe.state", "observe.targets", "observe.find", "observe.events",
	"element.focus", "element.select", "element.scroll", "element.highlight",
	"input.mouse-move", "input.click", "input.mouse-down", "input.mouse-up", "input.drag", "input.scroll",
	"console.wait", "network.wait", "network.block", "network.mock", "network.unmock",
	"layout.diagnose", "state.list", "state.get", "cdp.send",
}

func TestParity(t *testing.T) {
	t.Parallel()
	program, err := browsertest.DBridge()
	if err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command(program, "describe", "--tools").Output()
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Data struct {
			Commands []struct{ Name, Tool string } `json:"commands"`
		} `json:"data"`
	}
	if err := json.Unmarshal(output, &answer); err != nil {
		t.Fatal(err)
	}
	tools := map[string]string{}
	for _, c := range answer.Data.Commands {
		tools[c.Name] = c.Tool
	}
	have := func(name, why string) bool {
		_, ok := tools[name]
		if !ok {
			t.Errorf("%s (%s) is no command of the catalogue", name, why)
		}
		return ok
	}
	if len(parity) != 32 {
		t.Errorf("%d tools, not 32", len(parity))
	}
	for _, p := range parity {
		for i, name := range p.commands {
			if have(name, p.tool) && i == 0 && tools[name] != p.tool && tools[name] != answersTo[p.tool] {
				t.Errorf("%s does what %s does, and is called %s", name, p.tool, tools[name])
			}
		}
	}
	for _, name := range seedCommands {
		have(name, "the plan")
	}
}
