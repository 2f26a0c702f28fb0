package repo

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/manifests"
	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// The TypeScript types, the reference and the list of errors are what the Go types say.
func TestGeneratedFilesAreFresh(t *testing.T) {
	t.Parallel()
	command := exec.Command("go", "run", "./host/internal/docgen/gen", "-check")
	command.Dir = repository(t)
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

// extension/dist is what the sources make.
func TestDistIsFresh(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	if !bundle.Modules(dir) {
		if os.Getenv("CI") != "" {
			t.Fatal("the npm packages of the extension are not installed: run `make setup`")
		}
		t.Skip("the npm packages of the extension are not installed (`make setup`), so dist cannot be rebuilt for comparison")
	}
	want, err := bundle.Extension(dir)
	if err != nil {
		t.Fatal(err)
	}
	dist := os.DirFS(filepath.Join(dir, "extension", "dist"))
	for name, content := range want {
		got, err := fs.ReadFile(dist, name)
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("extension/dist/%s is out of date (%v): run `make extension`", name, err)
		}
	}
	err = fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if _, made := want[name]; err == nil && !entry.IsDir() && !made {
			t.Errorf("extension/dist/%s is not made from the sources: run `make extension`", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// The manifest's key fixes the id; the host manifest allows that id alone; the
// tests use the same. Computed here from the key, apart from the product's own code.
func TestExtensionID(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join(repository(t), "extension", "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Key                    string   `json:"key"`
		Permissions            []string `json:"permissions"`
		ExternallyConnectable  any      `json:"externally_connectable"`
		WebAccessibleResources any      `json:"web_accessible_resources"`
		UpdateURL              any      `json:"update_url"`
	}
	if err := json.Unmarshal(content, &manifest); err != nil {
		t.Fatal(err)
	}
	der, err := base64.StdEncoding.DecodeString(manifest.Key)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(der)
	var id strings.Builder
	for _, b := range sum[:16] {
		id.WriteByte('a' + b>>4)
		id.WriteByte('a' + b&15)
	}
	if id.String() != manifests.ExtensionID {
		t.Errorf("the manifest's key makes the id %s, package manifests has %s", id.String(), manifests.ExtensionID)
	}
	if browsertest.ExtensionID != manifests.ExtensionID || browsertest.HostName != manifests.HostName {
		t.Error("package browsertest has another id or host name than package manifests")
	}
	host := manifests.New("/opt/dbridge")
	want := "chrome-extension://" + id.String() + "/"
	if len(host.AllowedOrigins) != 1 || host.AllowedOrigins[0] != want {
		t.Errorf("allowed origins %v, want %s alone", host.AllowedOrigins, want)
	}
	if host.Name != manifests.HostName {
		t.Errorf("host name %s, want %s", host.Name, manifests.HostName)
	}
	if manifest.ExternallyConnectable != nil || manifest.WebAccessibleResources != nil || manifest.UpdateURL != nil {
		t.Error("the manifest must have no externally_connectable, web_accessible_resources or update_url")
	}
	guide, err := os.ReadFile(filepath.Join(repository(t), "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, permission := range manifest.Permissions {
		if !bytes.Contains(guide, []byte("`"+permission+"`")) {
			t.Errorf("the permission %s is not justified in ARCHITECTURE.md", permission)
		}
	}
}

// The service worker asks for the host by the name that is installed.
func TestHostName(t *testing.T) {
	t.Parallel()
	found := false
	for name, content := range sources(t) {
		if strings.HasPrefix(name, "extension/src/background/") && bytes.Contains(content, []byte("'"+manifests.HostName+"'")) {
			found = true
		}
	}
	if !found {
		t.Errorf("no file of extension/src/background names %s", manifests.HostName)
	}
}

// The extension and the program have one version.
func TestVersions(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	read := func(name, pattern string) string {
		content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		match := regexp.MustCompile(pattern).FindSubmatch(content)
		if match == nil {
			t.Fatalf("%s names no version", name)
		}
		return string(match[1])
	}
	program := read("host/internal/version/version.go", `Version\s*=\s*"([^"]+)"`)
	for _, name := range []string{"extension/manifest.json", "extension/package.json"} {
		if got := read(name, `"version"\s*:\s*"([^"]+)"`); got != program {
			t.Errorf("%s has version %s, dbridge has %s", name, got, program)
		}
	}
}

var row = regexp.MustCompile("(?m)^\\| `((?:host|client|extension|manifests|scripts|test)[^`]*)` \\| [^|]+ \\|$")

// ARCHITECTURE.md lists every package, and none that is not there.
func TestArchitectureListsPackages(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join(repository(t), "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]bool)
	for _, match := range row.FindAllStringSubmatch(string(content), -1) {
		if rows[match[1]] {
			t.Errorf("ARCHITECTURE.md lists %s twice", match[1])
		}
		rows[match[1]] = true
	}
	exists := make(map[string]bool)
	for _, p := range list(t) {
		exists[p.path()] = true
		// Folders of tests alone may be listed or not.
		if len(p.GoFiles) > 0 && !rows[p.path()] {
			t.Errorf("ARCHITECTURE.md does not list %s", p.path())
		}
	}
	for name := range rows {
		if !exists[name] {
			t.Errorf("ARCHITECTURE.md lists %s, which is no package", name)
		}
	}
}
