package enroll

import (
	"testing"
)

func TestTry(t *testing.T) {
	e := Entry{Command: `C:\bin\dbridge.exe`, Args: []string{"mcp"}}
	for _, src := range []string{
		"", "{}", "{\n}\n", "{ }", `{"a":1}`, "{\n\t\"a\": 1 // keep\n}\n", "{\n  // c\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}, // z\n    // old: {}\n  },\n}\n",
		"{\r\n    \"mcpServers\": {}\r\n}", "{\"mcpServers\":{\"x\":{}}}", "\ufeff{\n  \"b\": [1]\n}", "{\n // only\n}", `{"mcpServers": {"debug-bridge": {"command": "/old/dbridge", "args": ["mcp"], "env": {"A": "b"}, "disabled": true}}}`,
		"{ \"a\": 1,\n  \"b\": 2 }", `{"a":1,"a":2}`, `[]`, `{"mcpServers": []}`, `{bad`, `{"mcpServers": {"debug-bridge": {"url": "http://x"}}}`,
	} {
		c := Clients[0]
		after, err := change([]byte(src), c, "debug-bridge", &e, "")
		t.Logf("%q\n%s\n%v", src, after, err)
		if err != nil {
			continue
		}
		again, err := change(after, c, "debug-bridge", &e, "")
		if err != nil || string(again) != string(after) {
			t.Errorf("again %q %v", again, err)
		}
		back, err := change(after, c, "debug-bridge", nil, "")
		t.Logf("back %q %v same %v", back, err, string(back) == src)
	}
	c := Clients[4]
	for _, src := range []string{
		"", "model = \"x\"", "# c\n[mcp_servers.x]\ncommand = \"y\" # z\n\n# end\n", "a = 1\r\n", "[mcp_servers.debug-bridge]\n# mine\ncommand = '/old/dbridge' # c\nstartup_timeout_sec = 20\n\n[mcp_servers.debug-bridge.env]\nA = \"b\"\n\n[z]\nq = 1\n",
		"mcp_servers = { x = { command = \"y\" } }\n", "[mcp_servers]\ndebug-bridge = { command = \"/old/dbridge\" }\n", "[mcp_servers]\ndebug-bridge.command = \"/old/dbridge\"\nother.command = \"x\"\n", "x = ",
	} {
		after, err := change([]byte(src), c, "debug-bridge", &e, "")
		t.Logf("%q\n%s\n%v", src, after, err)
		if err != nil {
			continue
		}
		back, err := change(after, c, "debug-bridge", nil, "")
		t.Logf("back %q %v same %v", back, err, string(back) == src)
	}
}
