package install

import (
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/manifests"
)

// Found is a browser of this machine.
type Found struct {
	Browser   string   `json:"browser"`
	Name      string   `json:"name"`
	How       string   `json:"how"`            // how it was found
	Manifests []string `json:"manifests"`      // host manifest files that it reads
	Keys      []string `json:"keys,omitempty"` // registry keys that lead to them
	Note      string   `json:"note,omitempty"` // what its vendor does not document
}

// Browsers lists the browsers found, in the order of the table. system chooses the machine's places.
func (e Env) Browsers(system bool) []Found {
	record := e.readRecord()
	var found []Found
	for _, row := range manifests.For(e.GOOS) {
		if how := e.foundBy(row, system, record); how != "" {
			found = append(found, e.places(row, how, system))
		}
	}
	return found
}

func (e Env) foundBy(row manifests.Location, system bool, record Record) string {
	for _, dir := range row.Found {
		if path := e.Dir(dir); e.isDir(path) && !e.onlyOurs(path, record) {
			return path + " exists"
		}
	}
	if system && !e.windows() {
		for _, dir := range row.System {
			// The package of a browser makes this folder's parent; Chrome's is shared by
			// browsers which are told apart only by their own folders.
			if parent := e.Parent(e.Dir(dir)); e.isDir(parent) && e.owns(row, dir) {
				return parent + " exists"
			}
		}
	}
	return ""
}

// owns reports whether row is the first of the table with that machine folder.
func (e Env) owns(row manifests.Location, dir manifests.Dir) bool {
	for _, other := range manifests.For(e.GOOS) {
		if slices.Contains(other.System, dir) {
			return other.Browser == row.Browser
		}
	}
	return false
}

// onlyOurs reports that a browser's folder is there only because an earlier
// install made it, for a browser that reads another one's folder.
func (e Env) onlyOurs(path string, record Record) bool {
	if !slices.Contains(record.Created, path) {
		return false
	}
	entries, err := e.FS.ReadDir(path)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if entry.Name() != manifests.FolderName {
			return false
		}
	}
	return true
}

// places fills in where the browser looks.
func (e Env) places(row manifests.Location, how string, system bool) Found {
	found := Found{Browser: row.Browser, Name: row.Name, How: how, Note: row.Note}
	if e.windows() {
		found.Manifests = []string{e.windowsManifest(system)}
		hive := `HKCU\`
		if system {
			hive = `HKLM\`
		}
		for _, key := range row.Keys {
			found.Keys = append(found.Keys, hive+key+`\`+manifests.HostName)
		}
		return found
	}
	dirs := row.User
	if system {
		dirs = row.System
	}
	for _, dir := range dirs {
		found.Manifests = append(found.Manifests, e.Join(e.Dir(dir), manifests.FileName))
	}
	return found
}

// windowsManifest is the one file that all keys lead to.
func (e Env) windowsManifest(system bool) string {
	if system {
		return e.Join(e.variable("ProgramData", `C:\ProgramData`), "debug-bridge", manifests.FileName)
	}
	return e.Join(e.Parent(e.Layout.Extension), manifests.FileName)
}

// Choice narrows a plan.
type Choice struct {
	Browser string // only this one; empty: all that are found
	Dir     string // only this user data directory (or NativeMessagingHosts folder)
	System  bool   // for all users of the machine
}

func (c Choice) narrow() bool { return c.Browser != "" || c.Dir != "" }

// choose gives the browsers that a choice means, or says why there are none.
func (e Env) choose(choice Choice) ([]Found, error) {
	if choice.Dir != "" {
		return e.chooseDir(choice)
	}
	if choice.Browser != "" && !e.known(choice.Browser) {
		return nil, fault.New(fault.ValidationError, "No browser is called %q here.", choice.Browser).
			With("browsers", e.names()).Suggest("Use one of: " + strings.Join(e.names(), ", ") + ".")
	}
	found := e.Browsers(choice.System)
	if choice.Browser != "" {
		found = slices.DeleteFunc(found, func(f Found) bool { return f.Browser != choice.Browser })
	}
	if len(found) == 0 {
		return nil, e.noneFound(choice)
	}
	return found, nil
}

func (e Env) chooseDir(choice Choice) ([]Found, error) {
	switch {
	case choice.Browser != "" || choice.System:
		return nil, fault.New(fault.ValidationError, "--dir stands alone: it names the place itself.").
			Suggest("Leave out --browser and --system, or leave out --dir.")
	case e.windows():
		return nil, fault.New(fault.ValidationError, "On Windows browsers look in the registry, not in a folder; --dir has no use there.").
			Suggest("Use `dbridge install --browser NAME`: it serves every user data directory of that browser.")
	case !e.absolute(choice.Dir):
		return nil, fault.New(fault.ValidationError, "--dir %q is not an absolute path.", choice.Dir).
			Suggest("Give the full path of the browser's --user-data-dir.")
	}
	folder := strings.TrimRight(choice.Dir, "/")
	if e.Base(folder) != manifests.FolderName {
		folder = e.Join(folder, manifests.FolderName)
	}
	return []Found{{
		Browser: "custom", Name: "the browser of that folder", How: "--dir",
		Manifests: []string{e.Join(folder, manifests.FileName)},
	}}, nil
}

func (e Env) known(browser string) bool { return slices.Contains(e.names(), browser) }

func (e Env) names() []string {
	var names []string
	for _, row := range manifests.For(e.GOOS) {
		names = append(names, row.Browser)
	}
	return names
}

func (e Env) noneFound(choice Choice) error {
	var looked []string
	for _, row := range manifests.For(e.GOOS) {
		if choice.Browser == "" || row.Browser == choice.Browser {
			for _, dir := range row.Found {
				looked = append(looked, e.Dir(dir))
			}
		}
	}
	what := "No browser was found"
	if choice.Browser != "" {
		what = "The browser " + choice.Browser + " was not found"
	}
	out := fault.New(fault.NativeHostNotInstalled, "%s; nothing was written.", what).With("looked", looked)
	if confined := e.confined(); len(confined) > 0 {
		out = out.With("notes", confined)
	}
	advice := []string{"Start the browser once, so that it makes its folder, and run `dbridge install` again."}
	if !e.windows() {
		advice = append(advice, "For a browser started with --user-data-dir run `dbridge install --dir THAT_FOLDER`.")
	}
	return out.Suggest(advice...)
}

// confined says which sandboxed browsers are here and cannot be served.
func (e Env) confined() []string {
	if e.GOOS != "linux" {
		return nil
	}
	var notes []string
	for _, row := range manifests.Confined {
		if e.isDir(e.Dir(row.Found[0])) {
			notes = append(notes, row.Name+" was found too, but its sandbox cannot start dbridge. Use a browser installed from a package.")
		}
	}
	return notes
}
