package repo

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/licenses"
)

// npmFolders have packages of npm; those of the extension are shipped, the others are of tests.
var npmFolders = []string{"extension", "test/apps", "test/cdp/clients", "test/mcp"}

// Every Go module that anything here is compiled from, tests included, has a licence of the table.
func TestLicencesOfModules(t *testing.T) {
	t.Parallel()
	modules, err := licenses.Modules(repository(t), []string{"./..."}, "-test")
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) < 30 {
		t.Fatalf("only %d modules were found", len(modules))
	}
	for _, m := range modules {
		if problem := licenses.Check(m.Path, m.License); problem != "" {
			t.Errorf("%s (%.80q)", problem, m.Text)
		}
	}
}

// testOnly are licences of packages that no user gets: compiled into the test apps, or tools of the build.
var testOnly = map[string]bool{
	"Apache-2.0": true, "0BSD": true, "BlueOak-1.0.0": true, "CC0-1.0": true, "CC-BY-4.0": true, "Python-2.0": true, "Unlicense": true,
	"(MIT OR CC0-1.0)": true, "(BSD-2-Clause OR MIT OR Apache-2.0)": true, "MIT-0": true, "(MIT AND CC-BY-3.0)": true, "(MIT AND Zlib)": true, "(MIT OR WTFPL)": true, "MPL-2.0": true,
	"SEE LICENSE IN LICENSE": true, // @modelcontextprotocol/inspector: MIT and Apache-2.0, of its file
}

// Every npm package is pinned to a version and to the bytes of its archive, comes from the
// registry, and has a licence of the table.
func TestLocksAndLicencesOfPackages(t *testing.T) {
	t.Parallel()
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	for _, dir := range npmFolders {
		dir := filepath.Join(repository(t), filepath.FromSlash(dir))
		packages, err := licenses.Lock(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range packages {
			if !strings.HasPrefix(p.Integrity, "sha512-") {
				t.Errorf("%s: %s %s is not pinned to its bytes: %q", dir, p.Name, p.Version, p.Integrity)
			}
			if p.Resolved != "" && !strings.HasPrefix(p.Resolved, "https://registry.npmjs.org/") {
				t.Errorf("%s: %s is from %s", dir, p.Name, p.Resolved)
			}
			if problem := licenses.Check(p.Name, p.License); problem != "" && (path.Base(dir) == "extension" || !testOnly[p.License]) {
				t.Errorf("%s: %s", dir, problem)
			}
		}
		data, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			t.Fatal(err)
		}
		var about struct{ Dependencies, DevDependencies, OptionalDependencies map[string]string }
		if err := json.Unmarshal(data, &about); err != nil {
			t.Fatal(err)
		}
		for _, list := range []map[string]string{about.Dependencies, about.DevDependencies, about.OptionalDependencies} {
			for name, version := range list {
				if alias, ok := strings.CutPrefix(version, "npm:"); ok { // another version of a package under a name of ours
					version = alias[strings.LastIndex(alias, "@")+1:]
				}
				if !exact.MatchString(version) {
					t.Errorf("%s/package.json: %s is %q, not one version", dir, name, version)
				}
			}
		}
	}
}

// uses are what shows that a permission is needed: without it this would not work.
var uses = map[string]string{
	"nativeMessaging": "connectNative", "debugger": "chrome.debugger.", "scripting": "chrome.scripting.", "tabs": "chrome.tabs.", "tabGroups": "chrome.tabGroups.",
	"storage": "chrome.storage.", "alarms": "chrome.alarms.", "webNavigation": "chrome.webNavigation.", "contextMenus": "chrome.contextMenus.",
	"offscreen": "chrome.offscreen.", "notifications": "chrome.notifications.", "<all_urls>": "chrome.scripting.",
}

// free are the interfaces of Chrome that need no permission.
var free = []string{"runtime", "action", "commands", "windows", "dom"}

// The extension asks for nothing that it does not use, uses nothing that it does not ask for, and
// docs/permissions.md says why of each.
func TestPermissions(t *testing.T) {
	t.Parallel()
	files := sources(t)
	var manifest struct {
		Permissions []string        `json:"permissions"`
		Hosts       []string        `json:"host_permissions"`
		Optional    []string        `json:"optional_permissions"`
		Connectable json.RawMessage `json:"externally_connectable"`
		Accessible  json.RawMessage `json:"web_accessible_resources"`
	}
	if err := json.Unmarshal(files["extension/manifest.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Connectable != nil || manifest.Accessible != nil || len(manifest.Optional) > 0 {
		t.Error("the extension can be reached from outside, or asks for more later")
	}
	var all strings.Builder
	for name, content := range files {
		if strings.HasPrefix(name, "extension/src/") && strings.HasSuffix(name, ".ts") {
			all.Write(content)
		}
	}
	asked := append(slices.Clone(manifest.Permissions), manifest.Hosts...)
	for _, name := range asked {
		if use := uses[name]; use == "" || !strings.Contains(all.String(), use) {
			t.Errorf("nothing in extension/src shows what the permission %s is for (%q)", name, use)
		}
	}
	for _, found := range regexp.MustCompile(`(?:^|[^\w.'"])chrome\.([a-zA-Z]+)\.`).FindAllStringSubmatch(all.String(), -1) {
		if !slices.Contains(free, found[1]) && !slices.Contains(asked, found[1]) {
			t.Errorf("extension/src uses chrome.%s, which the manifest does not ask for", found[1])
		}
	}
	told := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]{20,} \\| [^|]{20,} \\|$").FindAllStringSubmatch(string(files["docs/permissions.md"]), -1) {
		told[row[1]] = true
	}
	slices.Sort(asked)
	if rows := slices.Sorted(maps.Keys(told)); !slices.Equal(rows, asked) {
		t.Errorf("docs/permissions.md explains %q\nthe manifest asks for     %q", rows, asked)
	}
}

// What SECURITY.md promises is tested by what it names: each test is there, and each file.
func TestSecurityPromises(t *testing.T) {
	t.Parallel()
	files := sources(t)
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for name, content := range files {
		if strings.HasSuffix(name, "_test.go") {
			for _, found := range declared.FindAllSubmatch(content, -1) {
				tests[string(found[1])] = true
			}
		}
	}
	text := string(files["SECURITY.md"])
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(text, -1)
	if len(named) < 30 {
		t.Fatalf("SECURITY.md names %d tests", len(named))
	}
	for _, found := range named {
		if !tests[found[1]] {
			t.Errorf("SECURITY.md names %s, which is no test", found[1])
		}
	}
	for _, found := range regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllStringSubmatch(text, -1) {
		if files[found[1]] == nil {
			t.Errorf("SECURITY.md leads to %s, which is not there", found[1])
		}
	}
}

// fuzzed are the readers of what others write, each with the target that feeds it anything.
var fuzzed = map[string][]string{
	"host/internal/nativemsg": {"FuzzReader", "FuzzF12Allocations", "FuzzF12DecodeFrame", "FuzzReassembler"},
	"host/internal/protocol":  {"FuzzDecodeCommand", "FuzzDecodeApp", "FuzzApplyPatch"},
	"host/internal/policy":    {"FuzzParse"},
	"host/internal/profile":   {"FuzzParse"},
	"host/internal/locator":   {"FuzzParse"},
	"host/internal/page":      {"FuzzParseChord"},
	"host/internal/network":   {"FuzzHAR", "FuzzPattern"},
	"host/internal/trace":     {"FuzzTrace", "FuzzReport"},
	"host/internal/recording": {"FuzzOpen"},
	"host/internal/gate":      {"FuzzHostAndOrigin"},
	"host/internal/socket":    {"FuzzGuard"},
	"host/internal/redact":    {"FuzzText"},
	"host/internal/tomledit":  {"FuzzEdit"},
	"host/internal/enroll":    {"FuzzChange"},
	"host/internal/state":     {"FuzzParseOrigin"},
	"host/internal/cdp":       {"FuzzEnvelope"},
}

func TestF12WhatOthersWriteIsFuzzed(t *testing.T) {
	t.Parallel()
	found := map[string][]string{}
	declared := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)
	for name, content := range sources(t) {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, target := range declared.FindAllSubmatch(content, -1) {
			found[path.Dir(name)] = append(found[path.Dir(name)], string(target[1]))
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(fuzzed)) {
		for _, target := range fuzzed[dir] {
			if !slices.Contains(found[dir], target) {
				t.Errorf("%s has no %s", dir, target)
			}
		}
	}
}
