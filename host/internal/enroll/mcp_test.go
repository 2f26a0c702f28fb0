package enroll

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

var update = flag.Bool("update", false, "write the golden files anew")

var systems = []string{"linux", "darwin", "windows"}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; after looking at the difference: go test ./host/internal/enroll -update\ngot:\n%s", file, got)
	}
}

// given is what a client's file holds in the tests.
func given(t *testing.T, c Client) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "files", c.ID+map[format]string{formatJSON: ".json", formatTOML: ".toml"}[c.format]))
	if err != nil {
		t.Fatal(err)
	}
	if c.ID == windowsLines {
		data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) // git would not keep them
	}
	return data
}

// windowsLines is the client whose file has the line ends of Windows.
const windowsLines = "gemini"

// Where each client has its files on each system, and what a new one holds.
func TestPlansOfEverySystem(t *testing.T) {
	t.Parallel()
	for _, goos := range systems {
		var out strings.Builder
		for _, project := range []bool{false, true} {
			m := machine(goos, "all")
			report := in(t, m, Options{All: true, Project: project, DryRun: true})
			for _, c := range report.Clients {
				fmt.Fprintf(&out, "%s: %s %s %04o\n", c.Client, c.Status, c.File, c.change.perm)
				for line := range strings.Lines(string(c.change.after)) {
					out.WriteString("    " + line)
				}
			}
			if want := len(Clients()); !project && len(report.Clients) != want {
				t.Errorf("%s: %d clients, want %d", goos, len(report.Clients), want)
			}
		}
		golden(t, "new-"+goos+".txt", out.String())
	}
}

// What is in a file stays, a second run changes nothing, a third puts a moved program
// right, and uninstall gives the bytes back, with and without the record.
func TestFilesKeepWhatIsInThem(t *testing.T) {
	t.Parallel()
	for _, c := range Clients() {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			m := machine("linux")
			files := m.FS.(*memory)
			file, was := m.file(c, false), given(t, c)
			files.put(file, bytes.Clone(was))
			now := func() string { return string(files.files[file]) }
			shown := func() string {
				if c.ID == windowsLines && strings.Count(now(), "\n") != strings.Count(now(), "\r\n") {
					t.Errorf("line ends are mixed:\n%q", now())
				}
				return strings.ReplaceAll(now(), "\r\n", "\n")
			}

			in(t, m, Options{Clients: []string{c.ID}})
			golden(t, "with-"+c.ID+".txt", shown())
			once := now()
			if report := in(t, m, Options{Clients: []string{c.ID}}); report.Changes != 0 || now() != once || report.Clients[0].Status != Unchanged {
				t.Errorf("a second run: %+v\n%s", report, now())
			}

			moved := m
			moved.Executable = "/opt/dbridge"
			files.put(moved.Executable, []byte("ELF"))
			in(t, moved, Options{Clients: []string{c.ID}, Tools: "all"})
			if want := strings.Replace(strings.Replace(once, m.Executable, moved.Executable, 1), `["mcp"]`, `["mcp", "--tools", "all"]`, 1); now() != want {
				t.Errorf("after a move:\n%s\nwant:\n%s", now(), want)
			}

			in(t, m, Options{Clients: []string{c.ID}, Uninstall: true})
			if now() != string(was) {
				t.Errorf("after uninstall:\n%q\nwas:\n%q", now(), was)
			}
			if c.ID == "kiro" {
				return // it had an entry before; the rest is about files without one
			}

			// Somebody else writes the file: it is not as it was left, and the rest stays.
			in(t, m, Options{Clients: []string{c.ID}})
			comment := map[format]string{formatJSON: "// mine\n", formatTOML: "# mine\n"}[c.format]
			if c.ID == windowsLines {
				comment = "// mine\r\n"
			}
			files.put(file, []byte(now()+comment))
			in(t, m, Options{Clients: []string{c.ID}, Uninstall: true})
			golden(t, "without-"+c.ID+".txt", shown())
			if report := in(t, m, Options{Clients: []string{c.ID}, Uninstall: true}); report.Clients[0].Status != Absent {
				t.Errorf("a second uninstall: %+v", report)
			}
		})
	}
}

// A file that was not there goes again.
func TestUninstallRemovesWhatItMade(t *testing.T) {
	t.Parallel()
	for _, goos := range systems {
		m := machine(goos, "all")
		in(t, m, Options{All: true})
		if report := in(t, m, Options{All: true, Uninstall: true}); report.Changes != len(Clients()) {
			t.Errorf("%s: %d files", goos, report.Changes)
		}
		for _, c := range Clients() {
			if m.there(m.file(c, false)) {
				t.Errorf("%s: %s is still there", goos, m.file(c, false))
			}
		}
	}
}

// Names that variables of the clients' own move.
func TestVariablesMoveFiles(t *testing.T) {
	t.Parallel()
	m := machine("linux")
	m.Vars = map[string]string{"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "GEMINI_CLI_HOME": "/g", "XDG_CONFIG_HOME": "/xdg"}
	for id, want := range map[string]string{
		"claude-code": "/c/.claude.json", "codex": "/x/config.toml", "gemini": "/g/.gemini/settings.json",
		"zed": "/xdg/zed/settings.json", "vscode": "/xdg/Code/User/mcp.json", "cursor": "/home/ann/.cursor/mcp.json",
	} {
		c, err := byID(id)
		if err != nil || m.file(c, false) != want {
			t.Errorf("%s: %s, want %s (%v)", id, m.file(c, false), want, err)
		}
	}
}

// What cannot be changed without a loss is not touched, and the person is told what to add.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ client, data, message string }{
		{"cursor", `{"mcpServers": {`, "not JSON"},
		{"cursor", `{"mcpServers": {"token": "s3cret\x"}}`, "not JSON"},
		{"cursor", `[]`, "not a JSON object"},
		{"cursor", `{"mcpServers": []}`, "is not an object"},
		{"cursor", `{"mcpServers": {}, "mcpServers": {}}`, "twice"},
		{"cursor", `{"mcpServers": {"a": {}, "a": {}}}`, "twice"},
		{"cursor", `{"mcpServers": {"debug-bridge": {"command": "npx", "args": ["other"]}}}`, "another server"},
		{"cursor", `{"mcpServers": {"debug-bridge": {"url": "http://localhost:1"}}}`, "another server"},
		{"cursor", `{"mcpServers": {"debug-bridge": 1}}`, "another server"},
		{"codex", "model = ", "not TOML"},
		{"codex", "mcp_servers = { files = { command = \"npx\" } }\n", "without a loss"},
		{"codex", "[mcp_servers]\ndebug-bridge = { command = \"/old/dbridge\" }\n", "without a loss"},
		{"codex", "[mcp_servers.debug-bridge]\nurl = \"http://localhost:1\"\n", "another server"},
		{"codex", "[[mcp_servers]]\nname = \"x\"\n", "is not an object"},
	} {
		m := machine("linux")
		client, err := byID(c.client)
		if err != nil {
			t.Fatal(err)
		}
		file := m.file(client, false)
		m.FS.(*memory).put(file, []byte(c.data))
		report, err := MCP(t.Context(), m, Options{Clients: []string{c.client}, Name: DefaultName, Tools: "core", DryRun: true})
		f := fault.From(err)
		if err == nil || f.Code != fault.ValidationError || !strings.Contains(f.Message, c.message) || !strings.Contains(f.Message, file) || strings.Contains(f.Message, "s3cret") {
			t.Errorf("%s %q: %v", c.client, c.data, err)
			continue
		}
		hints := strings.Join(f.Suggestions, "\n")
		if !strings.Contains(hints, "by hand") || report.Clients[0].Status != Failed || report.Clients[0].change.after != nil {
			t.Errorf("%s %q: %q %+v", c.client, c.data, hints, report.Clients[0])
		}
		if c.message != "another server" && (!strings.Contains(hints, m.Executable) || report.Clients[0].Snippet == "") {
			t.Errorf("%s %q: what to add is not said: %q", c.client, c.data, hints)
		}
	}
}

// Uninstalling everywhere does not stop at a file that is somebody else's trouble.
func TestUninstallPassesByStrangers(t *testing.T) {
	t.Parallel()
	m := machine("linux", "all")
	in(t, m, Options{Clients: []string{"zed"}})
	m.FS.(*memory).put("/home/ann/.cursor/mcp.json", []byte("{broken"))
	if report := in(t, m, Options{All: true, Uninstall: true}); report.Changes != 1 || len(report.Clients) != 1 {
		t.Errorf("%+v", report)
	}
}

func TestLookTellsWhatIsThere(t *testing.T) {
	t.Parallel()
	m := machine("darwin", "cursor", "zed")
	in(t, m, Options{Clients: []string{"zed"}})
	report, err := MCP(t.Context(), m, Options{Only: true, Name: DefaultName, Tools: "slim"})
	if err != nil || len(report.Clients) != 2 || !report.Planned || report.Clients[1].Status != Planned {
		t.Fatalf("%+v, %v", report, err)
	}
	golden(t, "look.txt", report.Text())
	report, err = MCP(t.Context(), machine("linux"), Options{Only: true, Name: DefaultName, Tools: "core"})
	if err != nil || len(report.Clients) != 0 || len(report.Next) == 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	golden(t, "look-none.txt", report.Text())
	if _, err := MCP(t.Context(), machine("linux"), Options{All: true, Name: DefaultName, Tools: "core"}); err == nil {
		t.Error("--all of none")
	}
}

func TestWrongWords(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Clients: []string{"emacs"}, Name: "x", Tools: "core"},
		{Clients: []string{"cursor"}, Name: "a b", Tools: "core"},
		{Clients: []string{"cursor"}, Name: "", Tools: "core"},
		{Clients: []string{"cursor"}, Name: "x", Tools: "most"},
		{Clients: []string{"windsurf"}, Name: "x", Tools: "core", Project: true},
	} {
		_, err := MCP(t.Context(), machine("linux"), o)
		if f := fault.From(err); err == nil || f.Code != fault.ValidationError || len(f.Suggestions) == 0 {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// The lines around a change are the person's, with the keys of other servers.
func TestDiffMasksKeys(t *testing.T) {
	t.Parallel()
	m := machine("linux")
	m.FS.(*memory).put("/home/ann/.codex/config.toml", []byte("[mcp_servers.x.env]\nGITHUB_TOKEN = \"ghp_0123456789abcdefghijABCDEFGHIJ012345\"\n"))
	report := in(t, m, Options{Clients: []string{"codex"}, DryRun: true})
	if diff := report.Clients[0].Diff; !strings.Contains(diff, "+[mcp_servers.debug-bridge]") || strings.Contains(diff, "ghp_01234") {
		t.Error(diff)
	}
}
