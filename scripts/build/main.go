// Command build writes the built extension to extension/dist.
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	root, err := bundle.Root()
	if err != nil {
		return err
	}
	if !bundle.Modules(root) {
		return fmt.Errorf("the npm packages of the extension are not installed: run `make setup`")
	}
	files, err := bundle.Extension(root)
	if err != nil {
		return err
	}
	dist := filepath.Join(root, "extension", "dist")
	if err := removeOthers(dist, files); err != nil {
		return err
	}
	size := 0
	for _, name := range bundle.Names(files) {
		size += len(files[name])
		if err := write(filepath.Join(dist, filepath.FromSlash(name)), files[name]); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "extension/dist: %d files, %d kB\n", len(files), size/1000)
	return nil
}

// write leaves an unchanged file alone, so that a Chrome which has the folder
// loaded sees only real changes.
func write(name string, content []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o644)
}

// removeOthers deletes files of an earlier build that the sources no longer make.
func removeOthers(dist string, files map[string][]byte) error {
	err := filepath.WalkDir(dist, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dist, name)
		if err != nil {
			return err
		}
		if _, wanted := files[filepath.ToSlash(relative)]; wanted {
			return nil
		}
		return os.Remove(name)
	})
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
