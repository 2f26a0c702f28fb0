// Package repo holds the rules of the repository as tests: what a reviewer would
// otherwise have to look for by hand in every change.
package repo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
)

const module = "github.com/debug-bridge/debug-bridge/"

// listed is one package as `go list` tells it.
type listed struct {
	ImportPath string
	Name       string
	GoFiles    []string
	Imports    []string
}

func (p listed) path() string { return strings.TrimPrefix(p.ImportPath, module) }

var root = sync.OnceValues(bundle.Root)

func repository(t *testing.T) string {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// packages lists the packages of this repository. -e lets a package that does not
// build be told by the compiler, not here.
var packages = sync.OnceValues(func() ([]listed, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	command := exec.Command("go", "list", "-e", "-json=ImportPath,Name,GoFiles,Imports", "./...")
	command.Dir = dir
	output, err := command.Output()
	if err != nil {
		return nil, err
	}
	var all []listed
	decoder := json.NewDecoder(bytes.NewReader(output))
	for {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

func list(t *testing.T) []listed {
	t.Helper()
	all, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages listed", len(all))
	}
	return all
}

// may says which packages of ours a package may import. Patterns end in /... for
// all below. What is not in the table is an error, so that a new package's place
// is thought about once. The order is that of the layers.
var may = map[string][]string{
	// Leaves.
	"host/internal/fault":     {},
	"host/internal/protocol":  {},
	"host/internal/nativemsg": {},
	"host/internal/version":   {},
	"host/internal/lazy":      {},
	"host/internal/pagetext":  {},
	"manifests":               {},
	"extension":               {"manifests"},

	// What stands on the leaves alone.
	"host/internal/caller":        {"host/internal/fault"},
	"host/internal/capture":       {},
	"host/internal/guard":         {"host/internal/caller", "host/internal/protocol"},
	"host/internal/audit":         {},
	"host/internal/layout":        {"host/internal/lazy"},
	"host/internal/lease":         {},
	"host/internal/redact":        {},
	"host/internal/recording":     {"host/internal/fault", "host/internal/locator", "host/internal/protocol", "host/internal/redact"},
	"host/internal/console":       {"host/internal/protocol", "host/internal/redact"},
	"host/internal/network":       {"host/internal/redact"},
	"host/internal/catalog":       {"host/internal/fault", "host/internal/protocol"},
	"host/internal/locator":       {"host/internal/fault", "host/internal/protocol"},
	"host/internal/cdp":           {"host/internal/fault"},
	"host/internal/cdp/pipe":      {"host/internal/cdp", "host/internal/fault"},
	"host/internal/cdp/websocket": {"host/internal/cdp", "host/internal/fault"},
	"host/internal/cdp/cdptest":   {"host/internal/cdp", "host/internal/cdp/...", "host/internal/fault"},
	"host/internal/chrome":        {"host/internal/cdp", "host/internal/cdp/...", "host/internal/fault", "host/internal/lazy"},
	"host/internal/trace":         {"host/internal/fault", "host/internal/redact", "extension"},
	"host/internal/output":        {"host/internal/fault"},
	"host/internal/gate":          {"host/internal/fault"},
	"host/internal/tomledit":      {"host/internal/fault"},
	"host/internal/socket":        {"host/internal/gate", "host/internal/protocol"},
	"host/internal/state":         {"host/internal/fault", "host/internal/protocol", "host/internal/redact"},
	"host/internal/secret":        {"host/internal/fault", "host/internal/guard", "host/internal/locator", "host/internal/output", "host/internal/protocol", "host/internal/redact", "host/internal/state"},
	"host/internal/profile":       {"host/internal/chrome", "host/internal/fault", "host/internal/output", "host/internal/state", "host/internal/tomledit"},

	// The core.
	"host/internal/session":  {"host/internal/fault", "host/internal/protocol", "host/internal/redact"},
	"host/internal/hostlink": {"host/internal/fault", "host/internal/nativemsg"},
	"host/internal/page":     {"host/internal/capture", "host/internal/fault", "host/internal/guard", "host/internal/layout", "host/internal/protocol", "host/internal/redact", "host/internal/session"},
	"host/internal/policy":   {"host/internal/fault", "host/internal/guard", "host/internal/output", "host/internal/protocol", "host/internal/state"},
	"host/internal/auditlog": {"host/internal/caller", "host/internal/fault", "host/internal/guard", "host/internal/policy", "host/internal/protocol", "host/internal/redact", "host/internal/state"},
	"host/internal/flow":     {"host/internal/fault", "host/internal/guard", "host/internal/policy", "host/internal/protocol"},
	"host/internal/browser":  {"host/internal/cdp", "host/internal/fault", "host/internal/page", "host/internal/policy", "host/internal/protocol", "extension"},
	"host/internal/slot": {
		"host/internal/lease", "host/internal/browser", "host/internal/caller", "host/internal/cdp", "host/internal/cdp/...", "host/internal/chrome",
		"host/internal/fault", "host/internal/page", "host/internal/profile", "host/internal/protocol", "host/internal/session", "host/internal/state",
	},
	"host/internal/devtools": {
		"host/internal/cdp", "host/internal/fault", "host/internal/lazy", "host/internal/page", "host/internal/policy", "host/internal/protocol", "host/internal/session", "host/internal/slot",
	},
	"host/internal/command": {
		"extension", "host/internal/audit", "host/internal/auditlog", "host/internal/caller", "host/internal/capture", "host/internal/catalog", "host/internal/console", "host/internal/emulate",
		"host/internal/fault", "host/internal/guard", "host/internal/layout", "host/internal/locator", "host/internal/network", "host/internal/page", "host/internal/policy", "host/internal/profile",
		"host/internal/protocol", "host/internal/recording", "host/internal/redact", "host/internal/secret", "host/internal/session", "host/internal/slot", "host/internal/state", "host/internal/trace",
		"host/internal/version",
	},
	"host/internal/client":  {"host/internal/fault", "host/internal/protocol", "host/internal/state", "host/internal/version"},
	"host/connect":          {"host/internal/caller", "host/internal/client", "host/internal/fault", "host/internal/protocol", "host/internal/state"},
	"client":                {"host/connect"},
	"host/internal/install": {"host/internal/fault", "extension", "manifests"},
	"host/internal/doctor":  {"host/internal/fault", "host/internal/install", "extension", "manifests"},
	"host/internal/enroll":  {"host/internal/fault", "host/internal/install", "host/internal/redact", "host/internal/skill", "host/internal/tomledit", "host/internal/version"},
	"host/internal/skill":   {"host/internal/version"},

	// Faces: none imports another, the daemon, or an adapter.
	"host/internal/face/ws":  {"host/internal/fault", "host/internal/protocol", "host/internal/redact", "host/internal/session", "host/internal/gate", "host/internal/socket", "host/internal/version"},
	"host/internal/face/cdp": {"host/internal/fault", "host/internal/devtools", "host/internal/gate", "host/internal/lazy", "host/internal/protocol", "host/internal/socket"},
	"host/internal/face/http": {
		"host/internal/caller", "host/internal/catalog", "host/internal/command", "host/internal/fault", "host/internal/gate", "host/internal/output",
		"host/internal/page", "host/internal/protocol", "host/internal/redact", "host/internal/session", "host/internal/slot", "host/internal/version",
	},
	"host/internal/face/mcp": {
		"host/internal/fault", "host/internal/protocol", "host/internal/caller", "host/internal/catalog", "host/internal/client",
		"host/internal/command", "host/internal/gate", "host/internal/state", "host/internal/version",
	},
	"host/internal/face/page":   {"host/internal/gate"},
	"host/internal/face/prompt": {"host/internal/fault", "host/internal/protocol", "host/internal/output", "host/internal/state", "host/internal/client"},
	"host/internal/face/cli": {
		"host/internal/fault", "host/internal/protocol", "host/internal/output", "host/internal/state", "host/internal/client",
		"host/internal/version", "host/internal/install", "host/internal/doctor", "host/internal/enroll", "host/internal/skill",
		"host/internal/caller", "host/internal/catalog", "host/internal/command",
	},

	// The daemon names the adapters, main names everything.
	"host/internal/daemon": {
		"host/internal/auditlog", "host/internal/browser", "host/internal/devtools", "host/internal/face/cdp", "host/internal/flow",
		"host/internal/face/ws", "host/internal/face/http", "host/internal/face/page", "host/internal/command", "host/internal/slot", "host/internal/fault", "host/internal/guard", "host/internal/protocol", "host/internal/gate", "host/internal/hostlink",
		"host/internal/page", "host/internal/policy", "host/internal/redact", "host/internal/secret", "host/internal/session", "host/internal/state", "host/internal/version", "extension",
		"host/internal/face/cli", "host/internal/caller", "host/internal/client", // the command line for another process
		"host/internal/doctor", "host/internal/install", // what of the way to a browser is there
	},
	"host/cmd/dbr":     {}, // links nothing: its start is all that it costs
	"host/cmd/dbridge": {"host/...", "extension", "manifests"},

	// Made for the repository, not for the product.
	"host/internal/docgen":     {"host/internal/catalog", "host/internal/command", "host/internal/face/http", "host/internal/fault", "host/internal/layout", "host/internal/protocol"},
	"host/internal/docgen/gen": {"host/internal/docgen"},
	"scripts/...":              {"scripts/...", "test/browsertest", "test/pages", "manifests", "extension"},
	"test/...":                 {"test/...", "scripts/...", "manifests", "extension", "client"},
}

// everywhere are the leaves that any package may import.
var everywhere = []string{"host/internal/lazy", "host/internal/pagetext"}

func TestImportDirections(t *testing.T) {
	t.Parallel()
	used := make(map[string]bool)
	for _, p := range list(t) {
		rule, ok := ruleOf(p.path())
		if !ok {
			t.Errorf("package %s has no place in the table of test/repo", p.path())
			continue
		}
		used[rule] = true
		for _, imported := range p.Imports {
			ours, ok := strings.CutPrefix(imported, module)
			if ok && !slices.Contains(everywhere, ours) && !slices.ContainsFunc(may[rule], func(pattern string) bool { return matches(pattern, ours) }) {
				t.Errorf("%s must not import %s", p.path(), ours)
			}
		}
	}
	for rule := range may {
		if !used[rule] {
			t.Errorf("the table of test/repo names %s, which is no package", rule)
		}
	}
}

func ruleOf(pkg string) (string, bool) {
	if _, ok := may[pkg]; ok {
		return pkg, true
	}
	for rule := range may {
		if strings.HasSuffix(rule, "/...") && matches(rule, pkg) {
			return rule, true
		}
	}
	return "", false
}

func matches(pattern, pkg string) bool {
	below, all := strings.CutSuffix(pattern, "/...")
	return pattern == pkg || all && strings.HasPrefix(pkg, below+"/")
}

// foreign are imports that only some places may have.
var foreign = []struct {
	imported string
	within   []string
	reason   string
}{
	{"github.com/evanw/esbuild/...", []string{"scripts/...", "test/..."}, "the product carries no bundler"},
	{"github.com/spf13/cobra", []string{"host/internal/face/cli"}, "one face has the command line"},
	{"github.com/spf13/pflag", []string{"host/internal/face/cli"}, "one face has the command line"},
	{"github.com/modelcontextprotocol/go-sdk/...", []string{"host/internal/face/mcp", "test/..."}, "one face has the protocol"},
	{"testing", []string{"test/...", "host/internal/cdp/cdptest"}, "test helpers stay out of the product"},
}

func TestForeignImports(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		for _, imported := range p.Imports {
			for _, f := range foreign {
				inside := slices.ContainsFunc(f.within, func(pattern string) bool { return matches(pattern, p.path()) })
				if matches(f.imported, imported) && !inside {
					t.Errorf("%s must not import %s: %s", p.path(), imported, f.reason)
				}
			}
		}
	}
}

// Pure packages do no I/O: what they could do it with is not imported.
func TestPurePackages(t *testing.T) {
	t.Parallel()
	forbidden := []string{"os", "os/exec", "net", "net/http", "syscall", "io/fs", "path/filepath"}
	for _, p := range list(t) {
		if !slices.Contains([]string{"host/internal/fault", "host/internal/nativemsg", "host/internal/protocol"}, p.path()) {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(forbidden, imported) {
				t.Errorf("%s must not import %s: it does no I/O", p.path(), imported)
			}
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, pkg string
		want         bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/b/c", false}, {"a/...", "a/b/c", true}, {"a/...", "ab/c", false}, {path.Join("a", "..."), "a", false},
	} {
		if got := matches(c.pattern, c.pkg); got != c.want {
			t.Errorf("matches(%q, %q) = %t", c.pattern, c.pkg, got)
		}
	}
}
