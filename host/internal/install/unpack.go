package install

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/manifests"
)

// extensionFiles lists the extension's files, and checks that it is ours.
func (e Env) extensionFiles() ([]string, error) {
	var files []string
	err := fs.WalkDir(e.Extension, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		return nil, fault.New(fault.InternalError, "The extension inside this binary cannot be read: %v.", err).Because(err)
	}
	data, err := fs.ReadFile(e.Extension, "manifest.json")
	if err != nil || extensionID(data) != manifests.ExtensionID {
		return nil, fault.New(fault.InternalError, "This binary was built without the extension.").
			Suggest("Build it again with `make build`.")
	}
	return files, nil
}

// extensionID is the id that the manifest of an extension gives it, or "".
func extensionID(manifest []byte) string {
	var fields struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(manifest, &fields) != nil || fields.Key == "" {
		return ""
	}
	id, err := manifests.IDOfKey(fields.Key)
	if err != nil {
		return ""
	}
	return id
}

// extensionState says whether the unpacked extension equals ours. A folder that
// holds anything else than our extension is an error: it would be replaced.
func (e Env) extensionState(files []string) (same bool, err error) {
	target := e.Layout.Extension
	if !e.exists(target) {
		return false, nil
	}
	entries, readErr := e.FS.ReadDir(target)
	if readErr != nil {
		return false, fault.New(fault.FileAccessFailed, "The folder of the extension cannot be read: %v.", readErr).With("path", target).Because(readErr)
	}
	if len(entries) > 0 && !e.OwnExtension(target) {
		return false, fault.New(fault.FileAccessFailed, "The folder for the extension holds something else; it was left alone.").
			With("path", target).Suggest("Move its contents away, or set DBRIDGE_HOME to another folder, and run `dbridge install` again.")
	}
	have := e.listTree(target, "")
	slices.Sort(have)
	want := slices.Clone(files)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		return false, nil
	}
	for _, name := range files {
		ours, err := fs.ReadFile(e.Extension, name)
		if err != nil {
			return false, fault.New(fault.InternalError, "The extension inside this binary cannot be read: %v.", err).Because(err)
		}
		theirs, err := e.FS.ReadFile(e.Join(target, name))
		if err != nil || !bytes.Equal(ours, theirs) {
			return false, nil
		}
	}
	return true, nil
}

// OwnExtension reports whether a folder holds (some version of) our extension.
func (e Env) OwnExtension(dir string) bool {
	data, err := e.FS.ReadFile(e.Join(dir, "manifest.json"))
	return err == nil && extensionID(data) == manifests.ExtensionID
}

// listTree lists files below dir with slashes. Chrome's own _metadata folder does not count.
func (e Env) listTree(dir, prefix string) []string {
	entries, err := e.FS.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, entry := range entries {
		name := path.Join(prefix, entry.Name())
		switch {
		case strings.HasPrefix(name, "_metadata"):
		case entry.IsDir():
			out = append(out, e.listTree(e.Join(dir, entry.Name()), name)...)
		default:
			out = append(out, name)
		}
	}
	return out
}

// Unpacked says what the extension's folder holds: our extension or not, of
// which version, and whether file by file it is the one inside this binary.
func (e Env) Unpacked() (own bool, version string, same bool) {
	if !e.OwnExtension(e.Layout.Extension) {
		return false, "", false
	}
	data, err := e.FS.ReadFile(e.Join(e.Layout.Extension, "manifest.json"))
	if err != nil {
		return false, "", false
	}
	files, err := e.extensionFiles()
	if err != nil {
		return true, manifestVersion(data), false
	}
	same, err = e.extensionState(files)
	return true, manifestVersion(data), err == nil && same
}

// ExtensionVersion is the version of the extension inside this binary.
func (e Env) ExtensionVersion() string {
	data, err := fs.ReadFile(e.Extension, "manifest.json")
	if err != nil {
		return ""
	}
	return manifestVersion(data)
}

func manifestVersion(manifest []byte) string {
	var fields struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(manifest, &fields) != nil {
		return ""
	}
	return fields.Version
}
