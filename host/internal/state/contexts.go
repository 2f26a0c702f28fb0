package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Contexts is the folder of what callers' contexts have on disk, one folder each:
//
//	metadata.json  what runs, so that the next daemon can end what this one left
//	lease.json     for whose sake
//	profile/       the managed browser's, gone with it
//	artifacts/     screenshots, traces, downloads: these stay
func (h *Home) Contexts() string { return filepath.Join(h.State, "contexts") }

// Profiles is the folder of the profiles that people name and keep.
func (h *Home) Profiles() string { return filepath.Join(h.State, "profiles") }

// Profile is the folder of one that is kept under its name.
func (h *Home) Profile(name string) string { return filepath.Join(h.Profiles(), name) }

// ContextFiles are one context's.
type ContextFiles struct{ Dir string }

// ContextFiles gives the place of a context's files; nothing is made yet.
func (h *Home) ContextFiles(name string) ContextFiles {
	return ContextFiles{filepath.Join(h.Contexts(), name)}
}

// Profile is the managed browser's user data directory.
func (c ContextFiles) Profile() string { return filepath.Join(c.Dir, "profile") }

// Artifacts is where the context's files for people and agents go.
func (c ContextFiles) Artifacts() string { return filepath.Join(c.Dir, "artifacts") }

// The files of a context that describe it.
const (
	ContextMetadata = "metadata.json"
	ContextLease    = "lease.json"
)

// MakeDir makes a folder of ours, mode 0700, and checks it.
func MakeDir(dir string) error { return ensureDir(dir, true) }

// Write replaces one of the describing files whole. It is not forced to the disk: what
// it tells of does not outlive the machine's run.
func (c ContextFiles) Write(name string, value any) error {
	path := filepath.Join(c.Dir, name)
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return fault.New(fault.InternalError, "%s cannot be made", path).Because(err)
	}
	if err := ensureDir(c.Dir, true); err != nil {
		return err
	}
	temp, err := os.CreateTemp(c.Dir, "."+name+".*")
	if err != nil {
		return accessFault(path, "cannot be written", err)
	}
	_, err = temp.Write(append(data, '\n'))
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // it may not be there
		return accessFault(path, "cannot be written", err)
	}
	return nil
}

// Read reads one of the describing files. The error is fs.ErrNotExist where there is none.
func (c ContextFiles) Read(name string, into any) error {
	path := filepath.Join(c.Dir, name)
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return accessFault(path, "is damaged", err)
	}
	return nil
}

// RemoveProfile removes the managed browser's folder. A browser that has just ended may
// still have written a last file into it, so a second try is made.
func (c ContextFiles) RemoveProfile() error {
	err := os.RemoveAll(c.Profile())
	if err != nil {
		err = os.RemoveAll(c.Profile())
	}
	if err != nil {
		return accessFault(c.Profile(), "cannot be removed", err)
	}
	return nil
}

// Remove removes all but the artifacts; the folder too, when there are none.
func (c ContextFiles) Remove() error {
	failure := c.RemoveProfile()
	for _, name := range []string{ContextMetadata, ContextLease} {
		if err := os.Remove(filepath.Join(c.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failure = accessFault(filepath.Join(c.Dir, name), "cannot be removed", err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(c.Dir, ".*.json.*")); err == nil {
		for _, half := range left {
			_ = os.Remove(half) // of a write that was cut off
		}
	}
	_ = os.Remove(c.Artifacts()) // only where they are empty
	_ = os.Remove(c.Dir)
	return failure
}

// ListContexts lists the contexts that have a folder, by name.
func (h *Home) ListContexts() []string {
	entries, err := os.ReadDir(h.Contexts())
	if err != nil {
		return nil // none yet, or not ours to read: then there is nothing to tidy either
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() && strings.HasPrefix(entry.Name(), "ctx_") {
			names = append(names, entry.Name())
		}
	}
	return names
}

// Newest is when anything in the context's folder last changed.
func (c ContextFiles) Newest() time.Time {
	var newest time.Time
	_ = filepath.WalkDir(c.Dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be looked at does not count
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return nil
	})
	return newest
}
