package enroll

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
	"github.com/debug-bridge/debug-bridge/host/internal/skill"
)

// disk is a machine whose home is a folder of the test.
func disk(t *testing.T) Machine {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, name := range variables {
		t.Setenv(name, "")
	}
	t.Chdir(home)
	state := filepath.Join(home, "state")
	program := filepath.Join(home, "bin", "dbridge")
	for _, dir := range []string{state, filepath.Dir(program)} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(program, []byte("ELF"), 0o755); err != nil {
		t.Fatal(err)
	}
	m, err := This(install.Layout{State: state, Run: state, Extension: state}, "0.1.0", program)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func do(t *testing.T, m Machine, o Options) (Report, error) {
	t.Helper()
	o.Name, o.Tools = DefaultName, Tools[0]
	return MCP(t.Context(), m, o)
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Files of dotfile managers are links, of files or of folders; they stay that, and the
// file keeps its mode.
func TestLinksAreFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right there")
	}
	m := disk(t)
	const was = "{\n  // mine\n  \"theme\": \"One\"\n}\n"
	write(t, filepath.Join(m.Home, "dotfiles/cursor.json"), was, 0o640)
	write(t, filepath.Join(m.Home, ".cursor/keep"), "", 0o600)
	write(t, filepath.Join(m.Home, "dotfiles/zed/keep"), "", 0o600)
	for from, to := range map[string]string{".cursor/mcp.json": "../dotfiles/cursor.json", ".config/zed": "../dotfiles/zed"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(m.Home, from)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(m.Home, from)); err != nil {
			t.Fatal(err)
		}
	}
	m.GOOS = "linux"
	if report, err := do(t, m, Options{Clients: []string{"cursor", "zed"}}); err != nil || report.Changes != 2 {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, link := range []string{".cursor/mcp.json", ".config/zed"} {
		if info, err := os.Lstat(filepath.Join(m.Home, link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", link, err)
		}
	}
	real := filepath.Join(m.Home, "dotfiles/cursor.json")
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 || !strings.Contains(content(t, real), "// mine") || !strings.Contains(content(t, real), DefaultName) {
		t.Errorf("%v %v %s", info, err, content(t, real))
	}
	if report, err := do(t, m, Options{All: true, Uninstall: true}); err != nil || report.Changes != 2 || content(t, real) != was {
		t.Errorf("%+v, %v: %s", report, err, content(t, real))
	}
	if _, err := os.Stat(filepath.Join(m.Home, "dotfiles/zed/settings.json")); !os.IsNotExist(err) {
		t.Errorf("the new file is still there: %v", err)
	}
	if err := os.Symlink("nowhere.json", filepath.Join(m.Home, ".claude.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := do(t, m, Options{Clients: []string{"claude-code"}}); err == nil || fault.From(err).Code != fault.FileAccessFailed {
		t.Errorf("a link to nothing: %v", err)
	}
}

// A project's files are everybody's, a person's own are theirs; folders go with their file.
func TestModesAndFolders(t *testing.T) {
	m := disk(t)
	if _, err := do(t, m, Options{Clients: []string{"kiro"}}); err != nil {
		t.Fatal(err)
	}
	if report, err := do(t, m, Options{Clients: []string{"vscode", "claude-code"}, Project: true}); err != nil || report.Changes != 2 {
		t.Fatalf("%+v, %v", report, err)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{".kiro/settings/mcp.json": 0o600, ".kiro": 0o700 | os.ModeDir, ".vscode/mcp.json": 0o644, ".mcp.json": 0o644} {
			if info, err := os.Stat(filepath.Join(m.Home, path)); err != nil || info.Mode() != want {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
	write(t, filepath.Join(m.Home, ".vscode/settings.json"), "{}", 0o644)
	for _, project := range []bool{false, true} {
		if _, err := do(t, m, Options{All: true, Uninstall: true, Project: project}); err != nil {
			t.Fatal(err)
		}
	}
	for path, there := range map[string]bool{".kiro": false, ".vscode": true, ".mcp.json": false, ".vscode/mcp.json": false} {
		if _, err := os.Stat(filepath.Join(m.Home, path)); (err == nil) != there {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// One client's trouble stops no other, and ends in an error with the whole report.
func TestOneFailsOthersAreDone(t *testing.T) {
	m := disk(t)
	write(t, filepath.Join(m.Home, ".cursor/mcp.json"), "{broken", 0o600)
	write(t, filepath.Join(m.Home, ".codex/config.toml"), "a = 1\n", 0o600)
	report, err := do(t, m, Options{All: true})
	if err == nil || report.Changes != 1 || fault.From(err).Details["report"] == nil || !strings.Contains(report.Text(), "failed") {
		t.Fatalf("%+v, %v", report, err)
	}
	if !strings.Contains(content(t, filepath.Join(m.Home, ".codex/config.toml")), DefaultName) || content(t, filepath.Join(m.Home, ".cursor/mcp.json")) != "{broken" {
		t.Error("the wrong one was changed")
	}
	if err := os.MkdirAll(filepath.Join(m.Home, ".gemini/settings.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := do(t, m, Options{Clients: []string{"gemini"}}); fault.From(err).Code != fault.FileAccessFailed {
		t.Errorf("a folder in the file's place: %v", err)
	}
}

// A client that writes its file meanwhile does not lose what it wrote.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.json")
	write(t, path, "{}", 0o600)
	change := Change{file: file{path: path, target: path, data: []byte("{ }"), exists: true}, after: []byte("new"), perm: 0o600}
	for _, exists := range []bool{true, false} {
		change.exists = exists
		if err := apply(t.Context(), change); fault.From(err).Code != fault.Busy || content(t, path) != "{}" {
			t.Errorf("%v: %s", err, content(t, path))
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := apply(ctx, change); fault.From(err).Code != fault.Cancelled {
		t.Errorf("%v", err)
	}
}

func TestSkillVersions(t *testing.T) {
	m := disk(t)
	put := func(o SkillOptions) SkillReport {
		t.Helper()
		report, err := Skill(t.Context(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	file := filepath.Join(m.Home, ".agents/skills/debug-bridge/SKILL.md")
	if report := put(SkillOptions{DryRun: true}); report.Changes != 1 || report.Files[0].Status != Planned {
		t.Errorf("%+v", report)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a dry run wrote")
	}
	if report := put(SkillOptions{}); report.Changes != 1 || content(t, file) != skill.Text() {
		t.Errorf("%+v", report)
	}
	if report := put(SkillOptions{Clients: []string{"codex", "agents"}}); report.Changes != 0 || len(report.Files) != 1 || report.Files[0].Status != Unchanged {
		t.Errorf("%+v", report)
	}

	// By hand: kept, but for --overwrite.
	write(t, file, skill.Text()+"More.\n", 0o600)
	for _, away := range []bool{false, true} {
		if _, err := Skill(t.Context(), m, SkillOptions{Uninstall: away}); fault.From(err).Code != fault.ValidationError || !strings.HasSuffix(content(t, file), "More.\n") {
			t.Errorf("%v", err)
		}
	}
	if put(SkillOptions{Overwrite: true}); content(t, file) != skill.Text() {
		t.Error("not overwritten")
	}

	// An older one is replaced, a newer one kept; both as they were written.
	for version, want := range map[string]string{"0.0.9": Done, "99.0.0": Kept} {
		write(t, file, skill.OfVersion(version), 0o600)
		if report := put(SkillOptions{}); report.Files[0].Status != want || report.Files[0].Installed != version {
			t.Errorf("%s: %+v", version, report)
		}
	}
	write(t, filepath.Join(m.Home, ".claude/keep"), "", 0o600)
	if report := put(SkillOptions{}); len(report.Files) != 2 || report.Files[0].Client != "claude" {
		t.Errorf("with Claude Code: %+v", report)
	}
	put(SkillOptions{Uninstall: true})
	left, err := filepath.Glob(filepath.Join(m.Home, ".*", "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("left: %q %v", left, err)
	}
	if _, err := Skill(t.Context(), m, SkillOptions{Clients: []string{"emacs"}}); fault.From(err).Code != fault.ValidationError {
		t.Errorf("%v", err)
	}
}

// Whatever the file's form: comments stay in their order, and the way back gives the same bytes.
func TestAnyFormOfJSON(t *testing.T) {
	t.Parallel()
	c := Clients()[0]
	entry := Entry{Command: "/bin/dbridge", Args: []string{"mcp"}}
	rapid.Check(t, func(r *rapid.T) {
		was := []byte(document(r))
		after, err := change(was, c, DefaultName, &entry, "")
		if err != nil {
			r.Fatalf("%s\n%v", was, err)
		}
		if a, b := comments(was), comments(after); a != b {
			r.Fatalf("comments %q became %q in\n%s\n%s", a, b, was, after)
		}
		if n := noteOf("f", "n", was, after); string(n.before(after)) != string(was) {
			r.Fatalf("the way back of\n%s", was)
		}
		again, err := change(after, c, DefaultName, &entry, "")
		if err != nil || string(again) != string(after) {
			r.Fatalf("again %v\n%s", err, again)
		}
		back, err := change(after, c, DefaultName, nil, "")
		if err != nil || comments(back) != comments(was) {
			r.Fatalf("out again: %v\n%s\n%s", err, after, back)
		}
	})
}

// document is an object with or without the table of servers, in some form.
func document(r *rapid.T) string {
	count := 0
	space := func() string {
		mark := func(s string) string {
			count++
			return strings.ReplaceAll(s, "#", strings.Repeat("i", count))
		}
		return mark(rapid.SampledFrom([]string{"", "", " ", "\n", "\n  ", "\t", "\r\n", " /*c#*/ ", " //c#\n", "\n // c#\n  "}).Draw(r, "space"))
	}
	object := func(members ...string) string {
		var b strings.Builder
		b.WriteString("{" + space())
		for i, m := range members {
			b.WriteString(m + space())
			if i < len(members)-1 || rapid.Bool().Draw(r, "trailing comma") {
				b.WriteString("," + space())
			}
		}
		return b.String() + "}"
	}
	member := func(name, value string) string { return `"` + name + `"` + space() + ":" + space() + value }
	var servers []string
	for _, name := range rapid.SampledFrom([][]string{nil, {"x"}, {"x", "y"}}).Draw(r, "servers") {
		servers = append(servers, member(name, object(member("command", `"npx"`))))
	}
	var members []string
	for _, name := range rapid.SampledFrom([][]string{nil, {"a"}, {"mcpServers"}, {"a", "mcpServers"}, {"mcpServers", "b"}, {"a", "mcpServers", "b"}}).Draw(r, "members") {
		if name == "mcpServers" {
			members = append(members, member(name, object(servers...)))
		} else {
			members = append(members, member(name, rapid.SampledFrom([]string{"1", `"// no"`, "[1, 2]", `{"k": null}`}).Draw(r, "value")))
		}
	}
	return space() + object(members...) + space()
}

// comments are the names that document gave them, in their order.
func comments(data []byte) string {
	var out []string
	for _, part := range strings.Split(string(data), "c")[1:] {
		if name := part[:len(part)-len(strings.TrimLeft(part, "i"))]; name != "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}
