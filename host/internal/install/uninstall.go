package install

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/manifests"
)

// ownFiles are the names that Debug Bridge gives files in its state and run
// folders. Only these are removed: with DBRIDGE_HOME set to a folder that is
// used for other things too, those stay.
var ownFiles = []string{"daemon.", "start.lock", "tokens.json", "apps.json", "secrets.json", "dbridge.log", recordName, "clients.json"}

// PlanUninstall says what taking Debug Bridge off a machine would do.
//
// Manifests go before the daemon is stopped: a browser that still knew the host
// would start it, and with it a daemon, again. The binary itself stays.
func PlanUninstall(env Env, choice Choice) (Plan, error) {
	b := builder{env: env, plan: Plan{Action: "uninstall", Browsers: []Found{}}}
	targets, err := env.installed(choice)
	if err != nil {
		return Plan{}, err
	}
	for _, key := range places(targets, func(f Found) []string { return f.Keys }) {
		if env.hasKey(key.path) {
			b.add(Step{Kind: DeleteKey, Path: key.path, Why: "told " + key.readers + " where the manifest is"})
		}
	}
	for _, file := range places(targets, func(f Found) []string { return f.Manifests }) {
		if env.exists(file.path) {
			b.add(Step{Kind: Remove, Path: file.path, Why: "let " + file.readers + " start dbridge"})
		}
	}
	for _, target := range targets {
		if slices.ContainsFunc(target.Manifests, env.exists) || slices.ContainsFunc(target.Keys, env.hasKey) {
			b.plan.Browsers = append(b.plan.Browsers, target)
		}
	}
	if !choice.narrow() && !choice.System {
		b.ownFolders()
	}
	return b.plan, nil
}

func (e Env) hasKey(key string) bool {
	if e.Registry == nil {
		return false
	}
	_, ok, err := e.Registry.Get(key)
	return err == nil && ok
}

// installed lists every place that may hold one of our manifests, whether or not its browser is still there.
func (e Env) installed(choice Choice) ([]Found, error) {
	if choice.Dir != "" {
		return e.chooseDir(choice)
	}
	if choice.Browser != "" && !e.known(choice.Browser) {
		return e.choose(choice) // says which names there are
	}
	var all []Found
	for _, row := range manifests.For(e.GOOS) {
		if choice.Browser == "" || row.Browser == choice.Browser {
			all = append(all, e.places(row, "table", choice.System))
		}
	}
	if choice.Browser != "" {
		return []Found{e.withoutShared(all[0], choice.System)}, nil
	}
	if !choice.System {
		all = append(all, Found{Browser: "custom", Name: "the browser of that folder", How: "recorded", Manifests: e.Custom()})
	}
	return all, nil
}

// withoutShared leaves out the places that another browser on this machine reads too.
func (e Env) withoutShared(one Found, system bool) Found {
	for _, other := range e.Browsers(system) {
		if other.Browser == one.Browser {
			continue
		}
		one.Keys = slices.DeleteFunc(one.Keys, func(key string) bool { return slices.Contains(other.Keys, key) })
		if !e.windows() || len(one.Keys) == 0 {
			one.Manifests = slices.DeleteFunc(one.Manifests, func(file string) bool { return slices.Contains(other.Manifests, file) })
		}
	}
	if e.windows() && len(e.Browsers(system)) > 1 {
		one.Manifests = nil // one file serves all browsers
	}
	return one
}

// ownFolders plans the end of the daemon, the extension, our files, and then every folder that is empty by then.
func (b *builder) ownFolders() {
	env := b.env
	b.add(Step{Kind: StopDaemon, Why: "ends the daemon, which lets go of every tab"})
	if target := env.Layout.Extension; env.exists(target) {
		if env.OwnExtension(target) {
			b.add(Step{Kind: RemoveTree, Path: target, Why: "the unpacked extension"})
		} else {
			b.plan.Notes = append(b.plan.Notes, target+" does not hold Debug Bridge's extension; it is left alone.")
		}
	}
	folders := []string{env.Layout.State}
	if env.Layout.Run != env.Layout.State {
		folders = append(folders, env.Layout.Run)
	}
	for _, dir := range folders {
		b.ownFilesIn(dir)
	}
	b.contextsIn(env.Layout.State)
	if env.Layout.Socket != "" {
		b.removeIfThere(env.Layout.Socket, "the daemon's socket")
		folders = append(folders, env.Parent(env.Layout.Socket))
	}
	created := slices.Clone(env.readRecord().Created)
	// Deepest first, so that a folder is empty when its turn comes.
	slices.SortFunc(created, func(a, c string) int { return cmp.Or(cmp.Compare(len(c), len(a)), cmp.Compare(a, c)) })
	for _, dir := range created {
		b.removeDir(dir, "made by install")
	}
	if parent := env.Parent(env.Layout.Extension); env.Base(parent) == "debug-bridge" {
		folders = append(folders, parent)
	}
	if env.Layout.Root != "" {
		folders = append(folders, env.Layout.Root)
	}
	for _, dir := range folders {
		b.removeDir(dir, "Debug Bridge's own")
	}
}

func (b *builder) ownFilesIn(dir string) {
	entries, err := b.env.FS.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		own := slices.ContainsFunc(ownFiles, func(name string) bool { return strings.HasPrefix(entry.Name(), name) })
		if own && !entry.IsDir() {
			b.removeIfThere(b.env.Join(dir, entry.Name()), "Debug Bridge's own")
		}
	}
}

// contextsIn plans the end of what contexts have on disk: screenshots, traces and downloads
// of pages that the person may be signed in to, and of the audit log. Browsers' folders that are kept by name
// hold sign-ins that nobody else has, so these are theirs to remove.
func (b *builder) contextsIn(state string) {
	contexts := b.env.Join(state, "contexts")
	if entries, err := b.env.FS.ReadDir(contexts); err == nil {
		foreign := slices.ContainsFunc(entries, func(entry fs.DirEntry) bool { return !entry.IsDir() || !strings.HasPrefix(entry.Name(), "ctx_") })
		if foreign {
			b.plan.Notes = append(b.plan.Notes, contexts+" holds what is not Debug Bridge's; it is left alone.")
		} else {
			b.add(Step{Kind: RemoveTree, Path: contexts, Why: "screenshots, traces and downloads of agents"})
		}
	}
	audit := b.env.Join(state, "audit")
	if entries, err := b.env.FS.ReadDir(audit); err == nil {
		if slices.ContainsFunc(entries, func(entry fs.DirEntry) bool { return entry.IsDir() || !strings.HasPrefix(entry.Name(), "audit-") }) {
			b.plan.Notes = append(b.plan.Notes, audit+" holds what is not Debug Bridge's; it is left alone.")
		} else {
			b.add(Step{Kind: RemoveTree, Path: audit, Why: "the audit log"})
		}
	}
	if profiles := b.env.Join(state, "profiles"); b.env.isDir(profiles) {
		b.plan.Notes = append(b.plan.Notes, profiles+" has the browser profiles that were kept by name, with their sign-ins; remove it yourself if you want that.")
	}
}

func (b *builder) removeIfThere(path, why string) {
	if b.env.exists(path) {
		b.add(Step{Kind: Remove, Path: path, Why: why})
	}
}

func (b *builder) removeDir(path, why string) {
	if b.env.isDir(path) && !slices.Contains(b.planned, path) {
		b.planned = append(b.planned, path)
		b.add(Step{Kind: RemoveDir, Path: path, Why: why + ", when it is empty"})
	}
}

var errNoStop = fault.New(fault.InternalError, "Nothing is there to stop the daemon with.")
