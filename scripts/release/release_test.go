package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/scripts/licenses"
)

func work(t *testing.T) string {
	t.Helper()
	root, err := bundle.Root()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("git", "rev-parse", "--verify", "HEAD")
	command.Dir = root
	if err := command.Run(); err != nil {
		t.Skipf("no git work tree: %v", err)
	}
	return root
}

// The whole way of a release, with the smaller program for this system alone: twice, from the
// commit, in two folders, with two caches of which one is empty, and the same bytes.
func TestTwoBuildsAreTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library twice")
	}
	root := work(t)
	files, err := twice(root, []platform{{runtime.GOOS, runtime.GOARCH}}, []string{"dbr"})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 {
		t.Fatalf("%d files", len(files))
	}
	for name, data := range files {
		if bytes.Contains(data, []byte(root)) {
			t.Errorf("%s holds the path of the work tree", name)
		}
		if !strings.HasSuffix(name, ".zip") || !strings.Contains(name, "extension") {
			continue
		}
		archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(archive.File, func(f *zip.File) bool { return f.Name == "manifest.json" }) {
			t.Errorf("%s has no manifest at the top", name)
		}
	}
	if lines := strings.Count(string(sums(files)), "\n"); lines != len(files) {
		t.Errorf("%d checksums", lines)
	}
}

func TestADifferenceIsTold(t *testing.T) {
	t.Parallel()
	one := map[string][]byte{"a": []byte("1"), "b": []byte("1")}
	if err := compare(one, map[string][]byte{"a": []byte("1"), "b": []byte("2")}); err == nil || !strings.HasPrefix(err.Error(), "b has other bytes") {
		t.Error(err)
	}
	if err := compare(one, map[string][]byte{"a": []byte("1")}); err == nil {
		t.Error("a missing file is not told")
	}
	if err := compare(one, one); err != nil {
		t.Error(err)
	}
}

// An archive says nothing of when, where and in which order it was made.
func TestArchives(t *testing.T) {
	t.Parallel()
	parts := []part{{"b", []byte("2"), true}, {"a", []byte("1"), false}}
	other := []part{parts[1], parts[0]}
	at := time.Unix(1_800_000_000, 0)
	for name, pack := range map[string]func([]part, time.Time) ([]byte, error){
		"zip": zipped, "tar": func(parts []part, at time.Time) ([]byte, error) { return tarred("f", parts, at) },
	} {
		one, err := pack(parts, at)
		if err != nil {
			t.Fatal(err)
		}
		two, err := pack(other, at.In(time.FixedZone("there", 3600)))
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: %d bytes, then %d: %v", name, len(one), len(two), err)
		}
	}
}

// The list of contents is SPDX 2.3, names each thing once, with its version, a licence that is
// allowed and a hash, and leaves no reference open.
func TestSBOM(t *testing.T) {
	t.Parallel()
	root := work(t)
	modules, err := licenses.Modules(root, shipped)
	if err != nil {
		t.Fatal(err)
	}
	data, err := sbom(root, "1.2.3", commit{strings.Repeat("a", 40), time.Unix(1_800_000_000, 0).UTC()}, modules)
	if err != nil {
		t.Fatal(err)
	}
	var d spdxDocument
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	if d.Version != "SPDX-2.3" || d.License != "CC0-1.0" || d.Creation.Created != "2027-01-15T08:00:00Z" || d.Namespace == "" || len(d.Creation.Creators) != 1 {
		t.Errorf("%+v", d)
	}
	ids := map[string]bool{d.ID: true}
	form := regexp.MustCompile(`^SPDXRef-[A-Za-z0-9.-]+$`)
	for _, p := range d.Packages {
		if ids[p.ID] || !form.MatchString(p.ID) || p.Name == "" || p.Version == "" || p.Download == "" {
			t.Errorf("%+v", p)
		}
		ids[p.ID] = true
		if problem := licenses.Check(p.Name, p.Declared); problem != "" {
			t.Error(problem)
		}
	}
	held := map[string]int{}
	for _, r := range d.Relationships {
		if !ids[r.From] || !ids[r.To] {
			t.Errorf("%+v refers to nothing", r)
		}
		held[r.To]++
	}
	for _, want := range []string{"github.com/coder/websocket", "github.com/Microsoft/go-winio", "stdlib", "axe-core", "@rrweb/record"} {
		if !slices.ContainsFunc(d.Packages, func(p spdxPackage) bool { return p.Name == want && held[p.ID] == 1 }) {
			t.Errorf("%s is not in the list", want)
		}
	}
	for _, no := range []string{"github.com/evanw/esbuild", "pgregory.net/rapid", "typescript"} {
		if slices.ContainsFunc(d.Packages, func(p spdxPackage) bool { return p.Name == no }) {
			t.Errorf("%s is not shipped, and is in the list", no)
		}
	}
	if bytes.Contains(data, []byte(filepath.ToSlash(root))) {
		t.Error("the list holds the path of the work tree")
	}
}
