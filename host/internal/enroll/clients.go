package enroll

import (
	"strings"
	"sync"
)

type format int

const (
	formatJSON format = iota // with comments and trailing commas, where a client takes them
	formatTOML
)

// Client is a program that starts MCP servers by a file.
type Client struct {
	ID, Title string
	format    format
	key       string // of the table of servers in the file
	stdio     bool   // an entry says "type": "stdio"
	user      map[string]place
	seen      []place // one of them is there where the client is installed; none: the folder of its file
	project   string  // below the project's folder; empty: the client has none
	reload    string  // how it takes notice
	note      string  // about the project's file
}

// place is a file or folder below one of the folders that systems and variables name.
type place struct {
	variable string // an environment variable that names the folder, and
	within   string // the path in that folder
	root     root
	path     string // below the root, where the variable is not set
}

type root int

const (
	home    root = iota
	config       // XDG_CONFIG_HOME or ~/.config
	support      // ~/Library/Application Support
	roaming      // %APPDATA%
)

const anySystem = ""

// electron is where Electron programs have their folder on each system.
func electron(below string) map[string]place {
	return map[string]place{
		"darwin":  {root: support, path: below},
		"windows": {root: roaming, path: below},
		anySystem: {root: config, path: below},
	}
}

func below(p place) map[string]place { return map[string]place{anySystem: p} }

// Clients are the programs that are known, in the order in which they are shown. Sources, read in November 2026:
//
//	claude-code     https://code.claude.com/docs/en/mcp (CLAUDE_CONFIG_DIR: …/settings)
//	claude-desktop  https://modelcontextprotocol.io/docs/develop/connect-local-servers
//	cursor          https://cursor.com/docs/context/mcp
//	vscode          https://code.visualstudio.com/docs/agents/reference/mcp-configuration
//	codex           https://developers.openai.com/codex/mcp
//	gemini          https://geminicli.com/docs/tools/mcp-server
//	windsurf        https://docs.windsurf.com/windsurf/cascade/mcp (Devin Desktop reads the same file)
//	zed             https://zed.dev/docs/ai/mcp, https://zed.dev/docs/configuring-zed
//	kiro            https://kiro.dev/docs/mcp/configuration
var Clients = sync.OnceValue(func() []Client {
	return []Client{
		{
			ID: "claude-code", Title: "Claude Code", key: "mcpServers", stdio: true,
			user:    below(place{variable: "CLAUDE_CONFIG_DIR", within: ".claude.json", path: ".claude.json"}),
			seen:    []place{{variable: "CLAUDE_CONFIG_DIR", path: ".claude"}, {path: ".claude.json"}},
			project: ".mcp.json", reload: "Start a new session of Claude Code; /mcp shows the server.",
			note: "Claude Code asks each person once whether the servers of a project may run.",
		},
		{
			ID: "claude-desktop", Title: "Claude Desktop", key: "mcpServers",
			user:   electron("Claude/claude_desktop_config.json"),
			reload: "Quit Claude Desktop and start it again.",
		},
		{
			ID: "cursor", Title: "Cursor", key: "mcpServers", stdio: true,
			user: below(place{path: ".cursor/mcp.json"}), project: ".cursor/mcp.json",
			reload: "Look at Cursor Settings > MCP: the server is listed there, to be switched on.",
		},
		{
			ID: "vscode", Title: "VS Code", key: "servers", stdio: true,
			user: electron("Code/User/mcp.json"), project: ".vscode/mcp.json",
			reload: "Run \"MCP: List Servers\" in VS Code's command palette and start the server.",
		},
		{
			ID: "codex", Title: "Codex", format: formatTOML, key: "mcp_servers",
			user:    below(place{variable: "CODEX_HOME", within: "config.toml", path: ".codex/config.toml"}),
			project: ".codex/config.toml", reload: "Start a new session of Codex; /mcp shows the server.",
			note: "Codex reads the file of a project only where the project is trusted.",
		},
		{
			ID: "gemini", Title: "Gemini CLI", key: "mcpServers",
			user:    below(place{variable: "GEMINI_CLI_HOME", within: ".gemini/settings.json", path: ".gemini/settings.json"}),
			project: ".gemini/settings.json", reload: "Start Gemini CLI again; /mcp shows the server.",
		},
		{
			ID: "windsurf", Title: "Windsurf", key: "mcpServers",
			user:   below(place{path: ".codeium/windsurf/mcp_config.json"}),
			reload: "Press the refresh button of the MCP servers in Windsurf.",
		},
		{
			ID: "zed", Title: "Zed", key: "context_servers",
			user: map[string]place{
				"darwin":  {path: ".config/zed/settings.json"},
				"windows": {root: roaming, path: "Zed/settings.json"},
				anySystem: {root: config, path: "zed/settings.json"},
			},
			reload: "Zed takes it on by itself; see the Agent Panel's settings.",
		},
		{
			ID: "kiro", Title: "Kiro", key: "mcpServers",
			user: below(place{path: ".kiro/settings/mcp.json"}), seen: []place{{path: ".kiro"}},
			project: ".kiro/settings/mcp.json", reload: "Kiro takes it on by itself; see its panel of MCP servers.",
		},
	}
})

// Generic is the name that only prints what most other clients take.
const Generic = "json"

var generic = Client{ID: Generic, Title: "any client", key: "mcpServers"}

// at gives a place's path on this machine.
func (m Machine) at(p place) string {
	if p.variable != "" {
		if dir := m.Variable(p.variable, ""); dir != "" {
			if p.within == "" {
				return dir
			}
			return m.Join(dir, p.within)
		}
	}
	var dir string
	switch p.root {
	case home:
		dir = m.Home
	case config:
		dir = m.Variable("XDG_CONFIG_HOME", m.Join(m.Home, ".config"))
	case support:
		dir = m.Join(m.Home, "Library/Application Support")
	case roaming:
		dir = m.Variable("APPDATA", m.Join(m.Home, "AppData/Roaming"))
	}
	return m.Join(dir, p.path)
}

// file is the file of a client: the person's, or that of the project we are in.
func (m Machine) file(c Client, project bool) string {
	if project {
		return m.Join(m.Folder, c.project)
	}
	where, ok := c.user[m.GOOS]
	if !ok {
		where = c.user[anySystem]
	}
	return m.at(where)
}

// installed reports whether the client's own folder is there.
func (m Machine) installed(c Client) bool {
	if len(c.seen) == 0 {
		return m.there(m.Parent(m.file(c, false)))
	}
	for _, p := range c.seen {
		if m.there(m.at(p)) {
			return true
		}
	}
	return false
}

// inProject reports whether the project has a file or folder of the client.
func (m Machine) inProject(c Client) bool {
	first, _, _ := strings.Cut(c.project, "/")
	return first != "" && m.there(m.Join(m.Folder, first))
}
