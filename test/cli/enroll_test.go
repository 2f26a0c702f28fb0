package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// enrolled is a person with some clients, in a folder of their own.
func enrolled(t *testing.T) (s *txtar, home string) {
	t.Helper()
	s, home = newScript(t), t.TempDir()
	for _, name := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME", "APPDATA"} {
		s.env = append(s.env, name+"=")
	}
	s.env = append(s.env, "HOME="+home, "USERPROFILE="+home)
	for _, dir := range []string{".cursor", ".codex"} {
		if err := os.Mkdir(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return s, home
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// line runs a command line that has to end with the status.
func (s *txtar) line(status int, line string, want ...string) {
	s.t.Helper()
	problem := s.start("dbridge", line)
	s.seen = true
	if problem != "" || s.status != status {
		s.t.Fatalf("dbridge %s: exit %d, want %d %s\n%s%s", line, s.status, status, problem, s.stdout, s.stderr)
	}
	for _, text := range want {
		if !strings.Contains(s.stdout+s.stderr, text) {
			s.t.Errorf("dbridge %s: no %q in\n%s%s", line, text, s.stdout, s.stderr)
		}
	}
}

// A person's way: look, see the difference, do it, do it again, take it out.
func TestMCPInstall(t *testing.T) {
	s, home := enrolled(t)
	cursor, codex := filepath.Join(home, ".cursor/mcp.json"), filepath.Join(home, ".codex/config.toml")
	const was = "{\n  // mine\n  \"mcpServers\": {}\n}\n"
	put(t, cursor, was)

	s.line(0, "mcp install", `"status":"planned"`, `"client":"cursor"`, `"client":"codex"`, "dbridge mcp install --all")
	if strings.Contains(s.stdout, "windsurf") {
		t.Errorf("a client that is not there: %s", s.stdout)
	}
	s.line(0, "mcp install --all --dry-run -o text", `+    "debug-bridge": {`, "+[mcp_servers.debug-bridge]", "Nothing was done")
	if _, err := os.Stat(codex); err == nil || read(t, cursor) != was {
		t.Fatal("looking changed a file")
	}
	s.line(0, "mcp install --all", `"changes":2`)
	if text := read(t, cursor); !strings.Contains(text, "// mine") || !strings.Contains(text, binary) || !strings.Contains(read(t, codex), binary) {
		t.Errorf("%s\n%s", text, read(t, codex))
	}
	s.line(0, "mcp install cursor codex", `"changes":0`, `"unchanged"`)
	s.line(0, "mcp install --uninstall --all", `"changes":2`)
	if _, err := os.Stat(codex); err == nil || read(t, cursor) != was {
		t.Errorf("%v\n%s", err, read(t, cursor))
	}

	// In the folder we are in.
	s.line(0, "mcp install claude-code --project --tools slim --name shop", `"scope":"project"`)
	var project struct {
		MCPServers map[string]struct {
			Type, Command string
			Args          []string
		}
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(s.dir, ".mcp.json"))), &project); err != nil {
		t.Fatal(err)
	}
	if entry := project.MCPServers["shop"]; entry.Type != "stdio" || entry.Command != binary || strings.Join(entry.Args, " ") != "mcp --tools slim" {
		t.Errorf("%+v", project)
	}

	// What goes wrong says what to do.
	put(t, cursor, "{broken")
	s.line(2, "mcp install cursor", `"VALIDATION_ERROR"`, cursor, "by hand")
	if read(t, cursor) != "{broken" {
		t.Error("a file that cannot be parsed was changed")
	}
	s.line(2, "mcp install emacs", "claude-code, claude-desktop, cursor")
	s.line(2, "mcp install --all cursor", "not both")
	s.line(0, "mcp install json -o text")
	if err := json.Unmarshal([]byte(s.stdout), &project); err != nil {
		t.Errorf("%v: %s", err, s.stdout)
	}
}

func TestSkillInstall(t *testing.T) {
	s, home := enrolled(t)
	file := filepath.Join(home, ".agents/skills/debug-bridge/SKILL.md")
	s.line(0, "skill install", `"status":"done"`, file)
	if read(t, file) != printedSkill(t) {
		t.Error("another text than is printed")
	}
	s.line(0, "skill install --client agents", `"status":"unchanged"`)
	put(t, file, "mine")
	s.line(2, "skill install", "changed by hand", "--overwrite")
	s.line(0, "skill install --overwrite -o text", "done")
	s.line(0, "skill install --project --client claude")
	if read(t, filepath.Join(s.dir, ".claude/skills/debug-bridge/SKILL.md")) != printedSkill(t) {
		t.Error("not in the project")
	}
	s.line(0, "skill install --uninstall", `"changes":1`)
	if _, err := os.Stat(filepath.Join(home, ".agents")); err == nil {
		t.Error("folders were left")
	}
	s.line(0, "skill -o json", `"name":"debug-bridge"`, `"text":"---`)
}
