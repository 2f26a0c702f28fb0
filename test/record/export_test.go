package record

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// runs runs a script that was exported.
func (r *reading) runs(environment []string, program string, args ...string) (string, error) {
	r.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Dir, command.Env = r.Home, append(r.Command().Env, environment...)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	return out.String(), err
}

// same awaits that the current page is as it was at the end of the recording.
func (r *reading) same(output string) {
	r.T.Helper()
	last := ""
	defer func() {
		if r.T.Failed() {
			r.T.Logf("the page is\n%s\nand was\n%s\n%s", last, r.final, output)
		}
	}()
	browsertest.Until(r.T, readPatience, "the page as it was recorded", func() bool {
		last, _ = r.Eval(finalState).(string)
		return last == r.final
	})
}

// commands: the shell script ends green, and the page is what it was.
func (r *reading) commands() {
	r.Goto("/page/blank")
	exported := r.OK("record", "export", r.file, "--commands", "--out", "repro.sh")
	if variables, _ := exported["variables"].([]any); len(variables) != 1 || variables[0] != "PASSWORD" {
		r.T.Errorf("%v", exported)
	}
	if out, err := r.runs([]string{"DBRIDGE=" + r.Program()}, "sh", "repro.sh"); err == nil || !strings.Contains(out, "PASSWORD") {
		r.T.Errorf("it runs without the password: %v\n%s", err, out)
	}
	out, err := r.runs([]string{"DBRIDGE=" + r.Program(), "PASSWORD=" + pages.Password, "BASE_URL=" + r.Site.URL("")}, "sh", "repro.sh")
	if err != nil {
		script, _ := os.ReadFile(r.File("repro.sh"))
		r.T.Fatalf("%v\n%s\n%s", err, out, script)
	}
	r.same(out)
}

// playwright: the script ends green and leaves the page as it was; where the page is not what it was, it says so.
func (r *reading) playwright() {
	root, err := bundle.Root()
	if err != nil {
		r.T.Fatal(err)
	}
	modules := filepath.Join(root, "test", "cdp", "clients", "node_modules")
	_, err = exec.LookPath("node")
	if _, missing := os.Stat(filepath.Join(modules, "playwright-core")); err != nil || missing != nil {
		if os.Getenv("CI") != "" {
			r.T.Fatalf("Playwright cannot run (make setup): %v %v", err, missing)
		}
		r.T.Skip("no Playwright: make setup")
	}
	if err := os.Symlink(modules, r.File("node_modules")); err != nil {
		r.T.Fatal(err)
	}
	defer os.Remove(r.File("node_modules"))
	r.OK("record", "export", r.file, "--playwright", "--out", "repro.mjs")
	endpoint, _ := r.OK("session", "cdp")["endpoint"].(string)
	environment := []string{"CDP_ENDPOINT=" + endpoint, "BASE_URL=" + r.Site.URL(""), "NODE_NO_WARNINGS=1"}
	out, err := r.runs(append(environment, "PASSWORD="+pages.Password), "node", "repro.mjs")
	if err != nil || !strings.Contains(out, "As recorded.") {
		script, _ := os.ReadFile(r.File("repro.mjs"))
		r.T.Fatalf("%v\n%s\n%s", err, out, script)
	}
	list, _ := r.OK("page", "list")["pages"].([]any)
	newest := list[len(list)-1].(map[string]any)["pageId"].(float64)
	r.OK("page", "use", itoa(int(newest)))
	r.same(out)
	if out, err := r.runs(append(environment, "PASSWORD=wrong"), "node", "repro.mjs"); err == nil || !strings.Contains(out, "POST /api/session answered 401, not 200") {
		r.T.Errorf("with another password: %v\n%s", err, out)
	}
}
