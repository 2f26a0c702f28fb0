// Package parity holds the tools of the leading DevTools server (chrome-devtools-mcp
// 1.11.0: its 32 default tools with their parameters) beside our commands: for each the
// command that equals it, for each parameter what says the same, and a run with them
// whose effect is looked for in the page. test/repo holds the names alone.
package parity

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

// tool is one of theirs.
type tool struct {
	name    string
	command string
	params  []param
	show    func(r *rig)
	direct  string // why it is not shown over the extension
}

// param is a parameter of theirs. Ours is the flag or, without dashes, the argument that
// says the same; without one, why says how the same is had or why it is not.
type param struct{ theirs, ours, why string }

// missing are their tools without an equal. The list is to be emptied.
var missing = map[string]string{}

// onElement are parameters that most actions have.
func onElement(more ...param) []param {
	return append([]param{
		{"pageId", "--page", ""},
		{"includeSnapshot", "", "the answer says what changed; capture snapshot --diff shows it"},
	}, more...)
}

var tools = slices.Concat(pageTools, actionTools, recordTools, measureTools)

func TestTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range tools {
		if seen[tool.name] || missing[tool.name] != "" {
			t.Errorf("%s is there twice", tool.name)
		}
		seen[tool.name] = true
		for _, p := range tool.params {
			if (p.ours == "") != (p.why != "") {
				t.Errorf("%s %s: either what is ours or why not", tool.name, p.theirs)
			}
			if p.ours == "" {
				t.Logf("%s has no parameter for %s of %s: %s", tool.command, p.theirs, tool.name, p.why)
			}
		}
	}
	for name, why := range missing {
		t.Logf("missing: %s (%s)", name, why)
	}
	if n := len(seen) + len(missing); n != 32 {
		t.Errorf("%d tools, not 32", n)
	}
}

func TestManaged(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	for _, tool := range tools {
		t.Run(tool.name, func(t *testing.T) {
			r := &rig{t: t, exec: e.Command, site: e.Site, dir: e.Home}
			r.open("/page/parity")
			tool.show(r)
			r.check(&tool)
			r.ok("page", "close")
		})
	}
}

// The same over the person's own Chrome: a tab that was connected in the popup.
func TestExtension(t *testing.T) {
	t.Parallel()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/page/parity"))
	env.Connect(tab, "control")
	agent := env.Agent()
	agent.AwaitType("hello")
	agent.Close()
	exec := func(args ...string) *exec.Cmd {
		command := env.Exec(args...)
		command.Env = append(command.Environ(), "DBRIDGE_CONTEXT_ID=parity")
		return command
	}
	shown := 0
	for _, tool := range tools {
		if tool.direct != "" {
			t.Logf("%s is not shown: %s", tool.name, tool.direct)
			continue
		}
		shown++
		t.Run(tool.name, func(t *testing.T) {
			r := &rig{t: t, exec: exec, site: env.Pages, dir: env.Dir, extension: true}
			list := r.bare("page", "list")["pages"].([]any)
			r.page = fmt.Sprint(list[0].(map[string]any)["pageId"])
			r.ok("page", "navigate", r.site.URL("/page/parity"))
			tool.show(r)
			r.check(&tool)
		})
	}
	if shown < 12 {
		t.Errorf("%d tools are shown over the extension, not at least 12", shown)
	}
}

// rig runs commands in one page of one browser.
type rig struct {
	t         *testing.T
	exec      func(args ...string) *exec.Cmd
	site      *pages.Site
	dir       string
	page      string
	extension bool
	flags     map[string]bool // "page open --background"
}

func (r *rig) open(path string) {
	r.t.Helper()
	r.page = fmt.Sprint(r.bare("page", "open", r.site.URL(path))["pageId"])
}

type answer struct {
	OK    bool           `json:"ok"`
	Data  map[string]any `json:"data"`
	Error struct{ Code, Message string }
}

func (r *rig) run(args ...string) answer {
	r.t.Helper()
	if r.flags == nil {
		r.flags = map[string]bool{}
	}
	command := strings.Join(args[:2], " ")
	r.flags[command] = true
	for _, arg := range args {
		if name, _, _ := strings.Cut(arg, "="); strings.HasPrefix(name, "--") {
			r.flags[command+" "+name] = true
		}
	}
	process := r.exec(args...)
	process.Dir = r.dir
	var stdout bytes.Buffer
	process.Stdout = &stdout
	timer := time.AfterFunc(90*time.Second, func() { _ = process.Process.Kill() })
	defer timer.Stop()
	var exit *exec.ExitError
	if err := process.Run(); err != nil && !errors.As(err, &exit) {
		r.t.Fatalf("dbridge %q: %v", args, err)
	}
	var a answer
	if err := json.Unmarshal(stdout.Bytes(), &a); err != nil {
		r.t.Fatalf("dbridge %q: %v: %s", args, err, stdout.Bytes())
	}
	return a
}

// bare runs a command that is of no page.
func (r *rig) bare(args ...string) map[string]any {
	r.t.Helper()
	a := r.run(args...)
	if !a.OK {
		r.t.Fatalf("dbridge %q: %+v", args, a.Error)
	}
	return a.Data
}

// ok runs a command on the rig's page.
func (r *rig) ok(args ...string) map[string]any {
	r.t.Helper()
	return r.bare(append(args, "--page", r.page)...)
}

func (r *rig) fails(code string, args ...string) {
	r.t.Helper()
	if a := r.run(append(args, "--page", r.page)...); a.Error.Code != code {
		r.t.Fatalf("dbridge %q: want %s: %+v", args, code, a)
	}
}

// html is a page of the given HTML.
func (r *rig) html(body string) {
	r.t.Helper()
	r.eval("document.body.innerHTML = " + quote(body) + "; 1")
}

func (r *rig) eval(expression string) any {
	r.t.Helper()
	return r.ok("runtime", "eval", expression)["value"]
}

// holds fails when an expression in the page is not as wanted.
func (r *rig) holds(expression, want string) {
	r.t.Helper()
	if got := fmt.Sprint(r.eval(expression)); got != want {
		r.t.Errorf("%s is %s, want %s", expression, got, want)
	}
}

// ref is what the command that is cheapest gives.
func (r *rig) ref(role, name string) string {
	r.t.Helper()
	matches := r.ok("observe", "find", "--role", role, "--name", name)["matches"].([]any)
	if len(matches) != 1 {
		r.t.Fatalf("%s %q: %v", role, name, matches)
	}
	return fmt.Sprint(matches[0].(map[string]any)["ref"])
}

// file writes a file for the command to read.
func (r *rig) file(name, content string) string {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// out is where a command is to write, and gives what it wrote.
func (r *rig) out(name string) (path string, read func() []byte) {
	path = filepath.Join(r.t.TempDir(), name)
	return path, func() []byte {
		r.t.Helper()
		content, err := os.ReadFile(path)
		if err != nil {
			r.t.Fatal(err)
		}
		return content
	}
}

// check fails where a parameter that the table promises was not used.
func (r *rig) check(tool *tool) {
	r.t.Helper()
	command := strings.Replace(tool.command, ".", " ", 1)
	for _, p := range tool.params {
		command := command
		ours := p.ours
		used := r.flags[command]
		if strings.HasPrefix(ours, "--") {
			used = r.flags[command+" "+ours]
		} else if strings.Contains(ours, " ") { // another command
			used = r.flags[ours]
		}
		if ours != "" && !used && !(r.extension && strings.HasPrefix(ours, "session start")) {
			r.t.Errorf("%s of %s was not shown", ours, tool.name)
		}
	}
}

func quote(text string) string {
	data, _ := json.Marshal(text) // a string always can be
	return string(data)
}

func list(value any) []map[string]any {
	items, _ := value.([]any)
	var all []map[string]any
	for _, item := range items {
		fields, _ := item.(map[string]any)
		all = append(all, fields)
	}
	return all
}
