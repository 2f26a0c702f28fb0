// Package bundle makes the built extension from its sources with esbuild's Go
// API and gives it as a map of file names to bytes.
//
// The same function serves scripts/build (which writes extension/dist), the test
// that compares dist with the sources, and the browser tests. The output is a
// pure function of the files under extension: no time, no absolute path and no
// environment gets in. Types are not checked here; tsc does that.
package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// target is the oldest Chrome that the manifest allows.
const target = "chrome125"

// Entry is one script of the built extension.
type Entry struct {
	Source  string // below extension/
	Output  string // below extension/dist/
	ESM     bool   // module instead of a self-contained function
	Global  string // name of the global that an IIFE sets, if any
	Compact bool   // without the spaces that nobody reads: it is sent to each frame, or is minified to begin with
}

// Entries lists the scripts of the extension and of the SDK.
var Entries = []Entry{
	{Source: "src/background/main.ts", Output: "background.js", ESM: true},
	{Source: "src/content/main.ts", Output: "content.js", Compact: true},
	{Source: "src/page/mainworld/main.ts", Output: "mainworld.js"},
	{Source: "src/injected/main.ts", Output: "injected.js", Compact: true},
	{Source: "src/app/main.ts", Output: "app.js", Compact: true},
	{Source: "src/recorder/main.ts", Output: "recorder.js", Compact: true},
	{Source: "src/popup/popup.ts", Output: "popup.js"},
	{Source: "src/options/options.ts", Output: "options.js"},
	{Source: "src/trace/main.ts", Output: "trace-engine.js", Global: "DebugBridgeTrace"},
	{Source: "src/trace/offscreen.ts", Output: "trace-offscreen.js"},
	{Source: "src/audit/axe.ts", Output: "audit-axe.js", Global: "DebugBridgeAudit", Compact: true},
	{Source: "src/audit/page.ts", Output: "audit-page.js", Global: "DebugBridgeAudit"},
	{Source: "src/replay/main.ts", Output: "replay.js", Compact: true},
	{Source: "src/sdk/index.ts", Output: "sdk/debug-bridge.js", ESM: true},
	{Source: "src/sdk/index.ts", Output: "sdk/debug-bridge.global.js", Global: "DebugBridge"},
}

// copies are files taken over as they are: a single file, or every file of the
// named kinds in a folder.
var copies = []struct {
	from, to string
	kinds    []string
}{
	{from: "manifest.json", to: "manifest.json"},
	{from: "src/sdk/index.d.ts", to: "sdk/debug-bridge.d.ts"},
	{from: "src/popup", to: ".", kinds: []string{".html", ".css"}},
	{from: "src/trace", to: ".", kinds: []string{".html"}},
	{from: "src/options", to: ".", kinds: []string{".html", ".css"}},
	{from: "icons", to: "icons", kinds: []string{".png"}},
}

// noticesFile holds the licences of the npm packages that are in the bundles.
const noticesFile = "THIRD_PARTY_LICENSES.txt"

// Extension builds everything that belongs in extension/dist. root is the
// folder of the repository.
func Extension(root string) (map[string][]byte, error) {
	dir := filepath.Join(root, "extension")
	files := make(map[string][]byte)
	packages := make(map[string]bool)
	for _, entry := range Entries {
		code, inputs, err := build(dir, entry)
		if err != nil {
			return nil, err
		}
		if err := add(files, entry.Output, code); err != nil {
			return nil, err
		}
		for _, input := range inputs {
			if name := npmPackage(input); name != "" {
				packages[name] = true
			}
		}
	}
	for _, c := range copies {
		if err := copyInto(files, dir, c.from, c.to, c.kinds); err != nil {
			return nil, err
		}
	}
	notices, err := notices(dir, packages)
	if err != nil {
		return nil, err
	}
	return files, add(files, noticesFile, notices)
}

// Script bundles one entry alone; tests use it for pieces of the page bridge.
func Script(root string, entry Entry) ([]byte, error) {
	code, _, err := build(filepath.Join(root, "extension"), entry)
	return code, err
}

// Root finds the folder of the repository from the working folder upward.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod in this folder or above it")
		}
		dir = parent
	}
}

// Modules reports whether the npm packages that the bundles need are installed.
func Modules(root string) bool {
	for _, name := range []string{"axe-core", "tldts", "@paulirish/trace_engine", "@rrweb/record"} {
		if _, err := os.Stat(filepath.Join(root, "extension", "node_modules", filepath.FromSlash(name))); err != nil {
			return false
		}
	}
	return true
}

func build(dir string, entry Entry) (code []byte, inputs []string, err error) {
	source := filepath.Join(dir, filepath.FromSlash(entry.Source))
	if filepath.IsAbs(entry.Source) {
		source = entry.Source
	}
	format := api.FormatIIFE
	if entry.ESM {
		format = api.FormatESModule
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:   []string{source},
		Outfile:       filepath.Join(dir, "dist", "out.js"),
		AbsWorkingDir: dir, // paths in comments are relative to it
		Bundle:        true,
		Write:         false,
		Format:        format,
		GlobalName:    entry.Global,
		Target:        api.ES2024,
		Engines:       []api.Engine{{Name: api.EngineChrome, Version: strings.TrimPrefix(target, "chrome")}},
		Platform:      api.PlatformBrowser,
		// Spaces alone: names and statements stay what the source says.
		MinifyWhitespace: entry.Compact,
		// Style sheets that a script brings along are text in it.
		Loader: map[string]api.Loader{".css": api.LoaderText},
		// esbuild would decide this for the SDK; it is for the bundler of the app that embeds it.
		Define:        map[string]string{"process.env.NODE_ENV": "process.env.NODE_ENV"},
		Charset:       api.CharsetASCII, // a page's own encoding cannot garble an injected script
		LegalComments: api.LegalCommentsEndOfFile,
		Metafile:      true,
		LogLevel:      api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		lines := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, nil, fmt.Errorf("bundle %s:\n%s", entry.Source, strings.Join(lines, ""))
	}
	if len(result.OutputFiles) != 1 {
		return nil, nil, fmt.Errorf("bundle %s: %d output files, want 1", entry.Source, len(result.OutputFiles))
	}
	inputs, err = metaInputs(result.Metafile)
	return result.OutputFiles[0].Contents, inputs, err
}

func add(files map[string][]byte, name string, content []byte) error {
	if _, taken := files[name]; taken {
		return fmt.Errorf("two sources make dist/%s", name)
	}
	files[name] = content
	return nil
}

func copyInto(files map[string][]byte, dir, from, to string, kinds []string) error {
	source := filepath.Join(dir, filepath.FromSlash(from))
	if kinds == nil {
		content, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		return add(files, to, content)
	}
	return filepath.WalkDir(source, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !hasKind(name, kinds) {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(source, name)
		if err != nil {
			return err
		}
		return add(files, path.Join(to, filepath.ToSlash(relative)), content)
	})
}

func hasKind(name string, kinds []string) bool {
	for _, kind := range kinds {
		if strings.HasSuffix(name, kind) {
			return true
		}
	}
	return false
}

// Names gives the file names in order.
func Names(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
