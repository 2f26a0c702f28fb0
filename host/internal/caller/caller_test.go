package caller

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// asCommand makes the test program a command that tells who calls it.
const asCommand = "CALLER_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		_ = json.NewEncoder(os.Stdout).Encode(Collect(Flags{}))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestProcessesThatPass(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line    string
		passing bool
	}{
		{"sh -c dbridge", true},
		{"/bin/bash -lc dbridge", true},
		{"bash -euo pipefail -c x", true},
		{"bash -s", true},
		{"bash script.sh", true},
		{"bash -o pipefail script.sh", true},
		{"bash --rcfile rc -i", false},
		{"bash", false},
		{"-bash", false},
		{"zsh -l", false},
		{"bash --login -i", false},
		{"bash -o vi", false},
		{"fish --command x", true},
		{"busybox sh", false},
		{"busybox sh -c x", true},
		{"env A=b dbridge", true},
		{"timeout 5 dbridge", true},
		{"node /usr/lib/node_modules/npm/bin/npm-cli.js run x", true},
		{"node /home/u/agent/cli.js", false},
		{"claude --resume", false},
		{"python3 agent.py", false},
		{"pwsh -NoProfile -Command x", true},
		{"pwsh -NoExit -Command x", false},
		{"pwsh -ExecutionPolicy Bypass", false},
		{"pwsh -ExecutionPolicy Bypass -File x.ps1", true},
		{"cmd.exe /d /s /c x", true},
		{"cmd.exe", false},
		{"powershell.exe", false},
	} {
		args := strings.Fields(c.line)
		p := Process{Pid: 7, Name: programName(args[0]), args: func() []string { return args }}
		if got := p.passing(); got != c.passing {
			t.Errorf("%s: passing %v", c.line, got)
		}
	}
	script := Process{Pid: 7, Name: "check.sh", args: func() []string { return []string{"/bin/sh", "./check.sh"} }}
	if !script.passing() {
		t.Error("a script under its own name counts as long-lived")
	}
}

func TestAnchorStopsAtOrphansAndDepth(t *testing.T) {
	t.Parallel()
	table := map[int]Process{
		1: {Pid: 1, Name: "systemd"}, 2: {Pid: 2, Parent: 1, Name: "env"},
		10: {Pid: 10, Name: "node"}, 11: {Pid: 11, Parent: 10, Name: "xargs"},
		30: {Pid: 30, Parent: 30, Name: "env"}, // a table that lies
	}
	look := func(pid int) (Process, bool) { p, ok := table[pid]; return p, ok }
	for pid, want := range map[int]int{2: 0, 11: 10, 30: 0, 99: 0, 0: 0} {
		if p, _ := anchorOf(pid, look); p.Pid != want {
			t.Errorf("from %d: anchor %d, not %d", pid, p.Pid, want)
		}
	}
}

// run starts a tree of processes that ends in this program, and gives what it tells.
func run(t *testing.T, dir string, words ...string) Caller {
	t.Helper()
	command := exec.Command(words[0], words[1:]...)
	command.Dir = dir
	command.Env = append(os.Environ(), asCommand+"=1", EnvContext+"=", "SELF="+self(t))
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v", words, err)
	}
	return decoded(t, output)
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func decoded(t *testing.T, data []byte) Caller {
	t.Helper()
	var c Caller
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return c
}

func keyOf(t *testing.T, c Caller) string {
	t.Helper()
	key, err := c.Key()
	if err != nil {
		t.Fatal(err)
	}
	return key.Name
}

func needShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("a tree of Unix shells")
	}
}

func TestShellsOfOneHarnessAreOneCaller(t *testing.T) {
	t.Parallel()
	needShell(t)
	dir := t.TempDir()
	first := run(t, dir, "sh", "-c", `"$SELF"; true`)
	if first.Anchor != os.Getpid() || first.AnchorAt == "" {
		t.Fatalf("anchor %d (%s), not this process %d", first.Anchor, first.AnchorName, os.Getpid())
	}
	for _, words := range [][]string{
		{self(t)},
		{"sh", "-c", `env A=b sh -ec '"$SELF"; true'; true`},
		{"timeout", "20", "sh", "-c", `"$SELF"; true`},
		{"sh", "-c", `echo x | xargs -I{} "$SELF"; true`},
	} {
		if got := run(t, dir, words...); keyOf(t, got) != keyOf(t, first) {
			t.Errorf("%v: another context: %+v, first %+v", words, got, first)
		}
	}
}

// A harness that keeps a shell open is told apart from another that does.
func TestOpenShellsAreCallersOfTheirOwn(t *testing.T) {
	t.Parallel()
	needShell(t)
	type shell struct {
		in  *bufio.Writer
		out *bufio.Reader
		pid int
	}
	open := func() shell {
		command := exec.Command("sh")
		command.Env = append(os.Environ(), asCommand+"=1", EnvContext+"=", "SELF="+self(t))
		in, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = in.Close(); _ = command.Wait() })
		return shell{bufio.NewWriter(in), bufio.NewReader(out), command.Process.Pid}
	}
	ask := func(s shell, line string) Caller {
		if _, err := s.in.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
		if err := s.in.Flush(); err != nil {
			t.Fatal(err)
		}
		data, err := s.out.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		return decoded(t, data)
	}
	one, two := open(), open()
	first := ask(one, `"$SELF"`)
	if first.Anchor != one.pid {
		t.Fatalf("anchor %d (%s), not the shell %d", first.Anchor, first.AnchorName, one.pid)
	}
	// A shell is who it is in whatever folder it stands.
	if again := ask(one, `cd / && timeout 9 "$SELF"`); keyOf(t, again) != keyOf(t, first) {
		t.Fatalf("another context after cd: %+v", again)
	}
	if other := ask(two, `"$SELF"`); keyOf(t, other) == keyOf(t, first) {
		t.Fatal("two shells are one caller")
	}
}

func TestProjectsOfOneHarness(t *testing.T) {
	t.Parallel()
	needShell(t)
	root := t.TempDir()
	for _, dir := range []string{"a/.git", "a/src/deep", "b"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "b", ".git"), []byte("gitdir: elsewhere\n"), 0o600); err != nil {
		t.Fatal(err) // a worktree
	}
	a, deep, b := run(t, filepath.Join(root, "a"), self(t)), run(t, filepath.Join(root, "a/src/deep"), self(t)), run(t, filepath.Join(root, "b"), self(t))
	if keyOf(t, a) != keyOf(t, deep) {
		t.Error("a folder of the same project is another context")
	}
	if keyOf(t, a) == keyOf(t, b) {
		t.Error("two projects are one context")
	}
}

func TestKeyOrder(t *testing.T) {
	t.Parallel()
	full := Caller{ContextID: "op", ContextEnv: "env", ShareGroup: "group", Agent: "token", Anchor: 5, AnchorAt: "1", Cwd: "/x"}
	var names []string
	for _, step := range []struct {
		by   string
		drop func(*Caller)
	}{
		{ByContextID, func(c *Caller) { c.ContextID = "" }},
		{ByEnv, func(c *Caller) { c.ContextEnv = "" }},
		{ByGroup, func(c *Caller) { c.ShareGroup = "" }},
		{ByToken, func(c *Caller) { c.Agent = "" }},
		{ByProcess, func(c *Caller) { c.Anchor = 0 }},
		{ByFallback, func(c *Caller) { c.Cwd = "" }},
	} {
		key, err := full.Key()
		if err != nil || key.By != step.by || !IsKey(key.Name) || strings.Contains(key.Name, "env") {
			t.Fatalf("%s: %+v %v", step.by, key, err)
		}
		for _, other := range names {
			if other == key.Name {
				t.Errorf("%s has the key of another way", step.by)
			}
		}
		names = append(names, key.Name)
		step.drop(&full)
	}
	if _, err := full.Key(); err == nil {
		t.Error("a caller of whom nothing is known has a context")
	}
	env, _ := Caller{ContextEnv: "n"}.Key()
	if op, _ := (Caller{ContextID: "n"}).Key(); op.Name != env.Name {
		t.Error("an operator cannot reach a context by its name")
	}
	if op, _ := (Caller{ContextID: env.Name}).Key(); op.Name != env.Name {
		t.Error("an operator cannot reach a context by its key")
	}
	reused, _ := Caller{Anchor: 5, AnchorAt: "1"}.Key()
	if later, _ := (Caller{Anchor: 5, AnchorAt: "2"}).Key(); later.Name == reused.Name {
		t.Error("a recycled pid is the process before it")
	}
}

func TestTooLongNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("x", maxName+1), "a\nb"} {
		if _, err := (Caller{ContextEnv: name}).Key(); err == nil {
			t.Errorf("%.10q… is a context", name)
		}
	}
}

func TestAlive(t *testing.T) {
	t.Parallel()
	needShell(t)
	me, ok := Lookup(os.Getpid())
	if !ok || !Alive(me.Pid, me.Start) || Alive(me.Pid, me.Start+"1") {
		t.Fatalf("this process: %+v %v", me, ok)
	}
	child := exec.Command("sh", "-c", "exit 0")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pid := child.Process.Pid
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	if Alive(pid, "") {
		t.Error("an ended process lives")
	}
}

func BenchmarkCollect(b *testing.B) {
	for b.Loop() {
		Collect(Flags{})
	}
}
