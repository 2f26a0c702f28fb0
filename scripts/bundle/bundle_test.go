package bundle

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A small tree with the shape of extension/, so that the rules are tested
// without the real sources.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		file := filepath.Join(root, "extension", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func small() map[string]string {
	return map[string]string{
		"manifest.json":                    `{"manifest_version":3}`,
		"icons/16.png":                     "png",
		"src/background/main.ts":           `import { one } from 'one'; export const n: number = one;`,
		"src/content/main.ts":              `console.info('é');`,
		"src/page/mainworld/main.ts":       `console.info(1);`,
		"src/popup/popup.ts":               `document.title = 'p';`,
		"src/popup/popup.html":             `<!doctype html>`,
		"src/popup/popup.css":              `a{}`,
		"src/options/options.ts":           `document.title = 'o';`,
		"src/options/options.html":         `<!doctype html>`,
		"src/injected/main.ts":             `console.info(3);`,
		"src/app/main.ts":                  `console.info(4);`,
		"src/recorder/main.ts":             `console.info(5);`,
		"src/trace/main.ts":                `export const report = () => 1;`,
		"src/trace/offscreen.ts":           `console.info(2);`,
		"src/trace/trace.html":             `<!doctype html>`,
		"src/audit/axe.ts":                 `export const open = () => 1;`,
		"src/audit/page.ts":                `export const open = () => 2;`,
		"src/replay/main.ts":               `import css from './replay.css'; document.title = css;`,
		"src/replay/replay.css":            `b{}`,
		"src/sdk/index.ts":                 `export const create = () => 1;`,
		"src/sdk/index.d.ts":               `export declare const create: () => number;`,
		"node_modules/one/package.json":    `{"name":"one","version":"1.2.3","license":"MIT","main":"index.js"}`,
		"node_modules/one/index.js":        `export const one = 1;`,
		"node_modules/one/LICENSE":         "The licence of one.\r\n",
		"node_modules/unused/package.json": `{"name":"unused","version":"9.0.0"}`,
	}
}

func TestExtension(t *testing.T) {
	t.Parallel()
	root := tree(t, small())
	files, err := Extension(root)
	if err != nil {
		t.Fatal(err)
	}
	want := "THIRD_PARTY_LICENSES.txt app.js audit-axe.js audit-page.js background.js content.js icons/16.png injected.js mainworld.js manifest.json options.html options.js " +
		"popup.css popup.html popup.js recorder.js replay.js sdk/debug-bridge.d.ts sdk/debug-bridge.global.js sdk/debug-bridge.js trace-engine.js trace-offscreen.js trace.html"
	if got := strings.Join(Names(files), " "); got != want {
		t.Errorf("files:\n got %s\nwant %s", got, want)
	}
	for name, part := range map[string]string{
		"background.js":              "export {",
		"content.js":                 `"\xE9"`,
		"sdk/debug-bridge.global.js": "var DebugBridge =",
		"sdk/debug-bridge.js":        "export {",
		noticesFile:                  "one 1.2.3 (MIT)\n\nThe licence of one.\n",
	} {
		if !bytes.Contains(files[name], []byte(part)) {
			t.Errorf("%s does not hold %q:\n%s", name, part, files[name])
		}
	}
	if bytes.Contains(files[noticesFile], []byte("unused")) {
		t.Error("the notices name a package that is not in a bundle")
	}
	for name, content := range files {
		if bytes.Contains(content, []byte(root)) {
			t.Errorf("%s holds the path of the machine", name)
		}
	}
	again, err := Extension(root)
	if err != nil {
		t.Fatal(err)
	}
	for name := range files {
		if !bytes.Equal(files[name], again[name]) {
			t.Errorf("%s differs between two builds of the same sources", name)
		}
	}
}

func TestExtensionErrors(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, file, content, want string
	}{
		{"syntax", "src/popup/popup.ts", "const = 1;", "src/popup/popup.ts:1:6"},
		{"missing import", "src/content/main.ts", "import './nowhere.ts';", "nowhere.ts"},
		{"two files of one name", "src/options/popup.html", "<!doctype html>", "two sources make dist/popup.html"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sources := small()
			sources[c.file] = c.content
			_, err := Extension(tree(t, sources))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
