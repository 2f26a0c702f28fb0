package recording

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestCommands(t *testing.T) {
	t.Parallel()
	f := must(t, manifest(t, func(m *Manifest) { m.Note = "signing in\n; rm -rf ~" }), timeline(t, sample()...))
	script, err := f.Commands()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# signing in ; rm -rf ~\n",
		`BASE_URL="${BASE_URL:-http://shop.test}"`,
		`: "${PASSWORD:?was not recorded, set it}"`,
		`run page navigate --url="$BASE_URL"'/app/'`,
		`run element fill --target='textbox "Email"' --value='ada@harbour.test'`,
		`run element fill --target='textbox "Password"' --value="$PASSWORD"`,
		"run element click --target='button \"Sign in\"'\nrun page wait-url \"$BASE_URL\"'/app/#orders'\nsettle\n",
		"# Left out: click #gone (it failed when it was recorded: ELEMENT_NOT_FOUND)",
	} {
		if !strings.Contains(script.Text, want) {
			t.Errorf("no %s in\n%s", want, script.Text)
		}
	}
	if script.Steps != 4 || len(script.Skipped) != 1 || !slices.Equal(script.Ask, []string{"PASSWORD"}) {
		t.Errorf("%+v", script)
	}
}

// hostile are texts that try to become a part of the script.
var hostile = []string{
	`$(touch OWNED)`, "`touch OWNED`", `'; touch OWNED; '`, `"; touch OWNED; "`, "\ntouch OWNED\n", "\r\ntouch OWNED", `\'; touch OWNED #`,
	"\u2028require('fs').writeFileSync('OWNED','')\u2028", "*/ require('fs').writeFileSync('OWNED','')", "`${require('fs').writeFileSync('OWNED','')}`", `--executable=/bin/sh`, "\x00touch OWNED",
}

// TestHostileExport: nothing in a file becomes code of the scripts made of it. A shell and Node
// run them, with a dbridge that notes what it was given.
func TestHostileExport(t *testing.T) {
	t.Parallel()
	for _, bad := range hostile {
		entries := []Entry{
			{At: 1, Kind: KindAction, Command: "element.fill", Params: map[string]any{"target": "text=" + bad, "value": bad, "x" + bad: bad, bad: 1}},
			{At: 2, Kind: KindAction, Command: "element.fill", Params: map[string]any{"target": "textbox \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(bad) + "\"", "value": Secret}},
			{At: 3, Kind: KindAction, Command: "element.click" + bad, Params: map[string]any{"target": "#a"}},
			{At: 4, Kind: KindAction, Command: "runtime.eval", Params: map[string]any{"expression": bad}},
			{At: 5, Kind: KindAction, Command: "page.navigate", Params: map[string]any{"url": "javascript:" + bad}},
			{At: 6, Kind: KindAction, Command: "page.navigate", Params: map[string]any{"url": "http://shop.test/" + bad}},
			{At: 7, Kind: KindAction, Command: "input.key", Params: map[string]any{"key": bad, "repeat": bad}, Code: ""},
			{At: 8, Kind: KindAction, Command: "element.select", Params: map[string]any{"target": "#s", "values": []any{bad, "b"}}},
			{At: 9, Kind: KindNetwork, Method: "POST" + bad, URL: "http://shop.test/x" + bad, Status: 200, Type: "fetch"},
			{At: 10, Kind: KindNavigation, URL: "http://shop.test/y" + bad, Title: bad},
			{At: 11, Kind: KindDialog, Type: bad, Text: bad},
			{At: 12, Kind: KindAction, Command: "dialog.handle", Params: map[string]any{"accept": true, "text": bad}},
			{At: 13, Kind: KindError, Text: bad},
			{At: 14, Kind: KindAction, Command: "element.click", Params: map[string]any{"target": "#z"}, Code: bad},
		}
		f := must(t, manifest(t, func(m *Manifest) {
			m.Note, m.Title, m.URL = bad, bad, "http://shop.test/"+strings.TrimLeft(bad, "\n\r\x00")
		}), timeline(t, entries...))
		dir := t.TempDir()
		commands, err := f.Commands()
		if err != nil {
			if errors.Is(err, fault.New(fault.ValidationError, "")) {
				continue // its address is none: there is no script
			}
			t.Fatal(err)
		}
		write(t, dir, "dbridge", "#!/bin/sh\nprintf '%s\\n' \"$@\" >>given\n", 0o700)
		write(t, dir, "repro.sh", commands.Text, 0o600)
		run := exec.Command("sh", "repro.sh")
		run.Dir, run.Env = dir, append(os.Environ(), "DBRIDGE="+filepath.Join(dir, "dbridge"))
		for _, name := range commands.Ask {
			run.Env = append(run.Env, name+"=given")
		}
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("%q: %v %s\n%s", bad, err, out, commands.Text)
		}
		given, _ := os.ReadFile(filepath.Join(dir, "given")) // nothing where no line ran
		if want := "--value=" + strings.ReplaceAll(bad, "\x00", ""); !bytes.Contains(given, []byte(want+"\n")) {
			t.Errorf("no %q among\n%s", want, given)
		}
		if bytes.Contains(given, []byte("eval")) || bytes.Contains(given, []byte("javascript:")) {
			t.Errorf("what no reproduction does was run:\n%s", given)
		}
		node(t, dir, f, bad)
		if _, err := os.Stat(filepath.Join(dir, "OWNED")); err == nil {
			t.Errorf("%q became code", bad)
		}
	}
}

// node runs the Playwright script with a Playwright whose every call does nothing.
func node(t *testing.T, dir string, f *File, bad string) {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		return // the shell was tried
	}
	script, err := f.Playwright()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "node_modules", "playwright")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "package.json", `{"name":"playwright","main":"index.js"}`, 0o600)
	write(t, folder, "index.js", `globalThis.require = require;
const any = new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => 'any' : name === 'then' || typeof name === 'symbol' ? undefined : name === 'url' ? () => 'http://shop.test/' : any), apply: () => any });
module.exports = { chromium: any };`, 0o600)
	write(t, dir, "repro.mjs", script.Text, 0o600)
	run := exec.Command(program, "repro.mjs")
	run.Dir, run.Env = dir, os.Environ()
	for _, name := range script.Ask {
		run.Env = append(run.Env, name+"=given")
	}
	out, err := run.CombinedOutput()
	if !strings.Contains(string(out), "s recorded.") { // or not: all was run
		t.Errorf("%q: %v %s\n%s", bad, err, out, script.Text)
	}
}

func write(t *testing.T, dir, name, content string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func TestPlaywright(t *testing.T) {
	t.Parallel()
	entries := append(sample(),
		Entry{At: 70_000, Kind: KindAction, Command: "element.fill-form", Params: map[string]any{"values": map[string]any{`checkbox "Gift"`: true, `combobox "Country"`: "Spain"}}},
		Entry{At: 71_000, Kind: KindAction, Command: "element.click", Params: map[string]any{"target": "testid=ask", "count": 2.0}},
		Entry{At: 71_100, Kind: KindDialog, Type: "prompt", Text: "Name?"},
		Entry{At: 71_200, Kind: KindAction, Command: "dialog.handle", Params: map[string]any{"accept": true, "text": "Ada"}},
		Entry{At: 72_000, Kind: KindAction, Command: "element.click", Params: map[string]any{"target": "e12"}},
		Entry{At: 90_000, Kind: KindNavigation, URL: "http://shop.test/help", Title: "Help"},
	)
	f := must(t, manifest(t, func(m *Manifest) { m.Counts[KindError] = 1 }), timeline(t, entries...))
	script, err := f.Playwright()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`const BASE_URL = (process.env.BASE_URL ?? "http://shop.test")`,
		`const PASSWORD = ask("PASSWORD");`,
		"viewport: { width: 1200, height: 800 }",
		`await page.goto(BASE_URL + "/app/");`,
		`await page.getByRole("textbox", { name: "Password", exact: true }).fill(PASSWORD);`,
		`const answer3_0 = page.waitForResponse((r) => r.request().method() === "POST" && new URL(r.url()).pathname === "/api/session");`,
		`check((await answer3_0).status() === 500, `,
		`await page.waitForURL((url) => url.href === BASE_URL + "/app/#orders");`,
		`await page.getByRole("checkbox", { name: "Gift", exact: true }).setChecked(true);`,
		`await hold(page.getByRole("combobox", { name: "Country", exact: true }), "Spain");`,
		"page.once('dialog', (dialog) => dialog.accept(\"Ada\"));\n  await page.locator(\"[data-testid=\\\"ask\\\"], [id=\\\"ask\\\"]\").first().click({\"clickCount\":2});",
		"Left out: click e12 (its element has no name that lasts)",
		`await page.goto(BASE_URL + "/help");`,
		`errors.some((error) => error.includes("x is not a function"))`,
	} {
		if !strings.Contains(script.Text, want) {
			t.Errorf("no %s in\n%s", want, script.Text)
		}
	}
}

func TestExportNeedsAnAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "about:blank", "file:///etc/passwd", "javascript:alert(1)", "http://"} {
		f := must(t, manifest(t, func(m *Manifest) { m.URL = address }))
		if _, err := f.Commands(); !errors.Is(err, fault.New(fault.ValidationError, "")) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	closing := "</script><script>alert(1)</script><!--<script>\u2028"
	entries := append(sample(), Entry{At: 62_000, Kind: KindConsole, Text: closing})
	f := must(t, manifest(t, func(m *Manifest) { m.Title, m.Note, m.URL = closing, closing, "http://shop.test/"+closing }), timeline(t, entries...),
		part{"bodies/1", closing}, part{"shots/1.png", "\x89PNG\r\n\x1a\nimage"}, part{PageName, `{"type":2,"text":"</SCRIPT><img src=x onerror=alert(1)>` + "\u2028" + `"}` + "\n"})
	var page bytes.Buffer
	if damaged, err := f.Page(&page, "run('</script>')"); err != nil || damaged != 0 {
		t.Fatal(damaged, err)
	}
	text := page.String()
	if n := strings.Count(strings.ToLower(text), "<script"); n != 3 || strings.Contains(text, "\u2028") || strings.Count(strings.ToLower(text), "</script") != 3 || strings.Contains(text, "<!--") || strings.Contains(text, "<img") {
		t.Errorf("%d scripts in\n%s", n, text)
	}
	for _, want := range []string{"default-src 'none'; script-src 'sha256-", "data:image/png;base64,", `run('<\/script>')`, `\u003c/SCRIPT>`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
