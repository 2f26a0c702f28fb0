// Command release builds what is passed on: the program for every platform, the extension as
// an archive, a list of all that is in them (SBOM) and their checksums.
//
// It builds from the commit, not from what lies around; and everything twice, in folders of
// different names, the second time with an empty cache and another home, and compares: the same
// commit and the same Go give the same bytes, on any machine.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/scripts/licenses"
)

func main() {
	out := flag.String("out", filepath.Join(".build", "release"), "the folder for the archives; what is in it goes")
	only := flag.String("platform", "", "one platform, such as linux/amd64, instead of all")
	list := flag.Bool("sbom", false, "write the list of contents to stdout, and build nothing")
	flag.Parse()
	do := func() error { return run(*out, *only) }
	if *list {
		do = contents
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// contents writes the SBOM of the work tree.
func contents() error {
	root, err := bundle.Root()
	if err != nil {
		return err
	}
	c, err := commitOf(root)
	if err != nil {
		return err
	}
	modules, err := licenses.Modules(root, shipped)
	if err != nil {
		return err
	}
	data, err := sbom(root, extension.Version(), c, modules)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(data)
	return err
}

func run(out, only string) error {
	root, err := bundle.Root()
	if err != nil {
		return err
	}
	wanted := platforms
	if only != "" {
		wanted = slices.DeleteFunc(slices.Clone(platforms), func(p platform) bool { return p.String() != only })
		if len(wanted) == 0 {
			return fmt.Errorf("there is no platform %s among %v", only, platforms)
		}
	}
	files, err := twice(root, wanted, []string{"dbridge", "dbr"})
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	files["SHA256SUMS"] = sums(files)
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%s\nbuilt twice with the same bytes: %d files in %s\n", files["SHA256SUMS"], len(files), out)
	return nil
}

// twice builds in two places and compares.
func twice(root string, wanted []platform, programs []string) (map[string][]byte, error) {
	c, err := commitOf(root)
	if err != nil {
		return nil, err
	}
	var built [2]map[string][]byte
	for i, name := range []string{"a", "another-place/of/the/same"} {
		place, err := os.MkdirTemp("", "release")
		if err != nil {
			return nil, err
		}
		defer remove(place)
		// The second one has nothing that was compiled before, and another home.
		if built[i], err = build(root, c, filepath.Join(place, name), i > 0, wanted, programs); err != nil {
			return nil, err
		}
	}
	return built[0], compare(built[0], built[1])
}

// compare names the files that differ.
func compare(a, b map[string][]byte) error {
	var failures []error
	if one, other := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)); !slices.Equal(one, other) {
		failures = append(failures, fmt.Errorf("one build made %q, the other %q", one, other))
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if !bytes.Equal(a[name], b[name]) {
			failures = append(failures, fmt.Errorf("%s has other bytes when it is built again", name))
		}
	}
	return errors.Join(failures...)
}

// sums is what `sha256sum -c` reads.
func sums(files map[string][]byte) []byte {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(files[name]), name)
	}
	return []byte(out.String())
}
