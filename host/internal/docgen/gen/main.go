// Command gen writes the files that are derived from the Go types: the
// extension's protocol types, docs/protocol.md, docs/errors.md,
// docs/commands.md and docs/openapi.json. With -check it
// writes nothing and fails when one of them is out of date. It lives here and not
// in scripts because Go keeps host/internal to the host; run it in the
// repository's folder.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/debug-bridge/debug-bridge/host/internal/docgen"
)

func main() {
	check := flag.Bool("check", false, "fail when a file is out of date, write nothing")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(check bool) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	files, err := docgen.Files(root)
	if err != nil {
		return err
	}
	var stale []string
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
			continue
		}
		stale = append(stale, name)
		if check {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	slices.Sort(stale)
	if check && len(stale) > 0 {
		return fmt.Errorf("out of date: %v; run `make gen`", stale)
	}
	for _, name := range stale {
		fmt.Fprintln(os.Stderr, "wrote", name)
	}
	return nil
}
