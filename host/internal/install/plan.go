package install

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/manifests"
)

// Kind says what a step does.
type Kind string

// The kinds of steps.
const (
	Mkdir      Kind = "mkdir"
	Write      Kind = "write"
	Unpack     Kind = "unpack"     // the extension's files, swapped in as a whole
	SetKey     Kind = "registry"   // the default value of a registry key
	Remove     Kind = "remove"     // a file
	RemoveDir  Kind = "rmdir"      // a folder, when it is empty
	RemoveTree Kind = "rmtree"     // the unpacked extension
	DeleteKey  Kind = "unregister" // a registry key
	StopDaemon Kind = "stop"
)

// Step is one thing to do.
type Step struct {
	Kind     Kind   `json:"kind"`
	Path     string `json:"path,omitempty"`
	Mode     string `json:"mode,omitempty"`  // octal
	Value    string `json:"value,omitempty"` // of a registry key
	Files    int    `json:"files,omitempty"` // of the extension
	Why      string `json:"why"`
	UpToDate bool   `json:"upToDate,omitempty"` // nothing to do: it is so already

	perm    fs.FileMode
	content []byte
}

// Plan is an ordered list of steps. Making one changes nothing.
type Plan struct {
	Action   string   `json:"action"` // install or uninstall
	Browsers []Found  `json:"browsers"`
	Steps    []Step   `json:"steps"`
	Notes    []string `json:"notes,omitempty"`
}

// Changes counts the steps that do something.
func (p Plan) Changes() int {
	count := 0
	for _, step := range p.Steps {
		if !step.UpToDate {
			count++
		}
	}
	return count
}

const (
	privateDir  fs.FileMode = 0o700 // our own folders, and browsers' own where they are missing (as Chrome makes them)
	sharedDir   fs.FileMode = 0o755 // folders of host manifests and of the extension
	manifestPer fs.FileMode = 0o644
	recordPerm  fs.FileMode = 0o600
)

// PlanInstall says what an install would do on a machine.
//
// The extension comes first and the manifests last, so that a browser never
// learns of a host before the rest is in place.
func PlanInstall(env Env, choice Choice) (Plan, error) {
	if err := env.CheckExecutable(); err != nil {
		return Plan{}, err
	}
	found, err := env.choose(choice)
	if err != nil {
		return Plan{}, err
	}
	content, err := manifests.New(env.Executable).Encode()
	if err != nil {
		return Plan{}, fault.New(fault.InternalError, "%v", err).Because(err)
	}
	b := builder{env: env, plan: Plan{Action: "install", Browsers: found}}
	if !choice.System {
		// Under sudo our own folders would be root's, or the person's but owned by root.
		if err := b.extension(); err != nil {
			return Plan{}, err
		}
		b.record(found)
	}
	b.manifests(found, content)
	b.plan.Notes = env.notes(choice, found)
	return b.plan, nil
}

// builder collects steps; folders planned once are not planned again.
type builder struct {
	env     Env
	plan    Plan
	planned []string // folders
}

func (b *builder) add(step Step) {
	if !b.env.windows() && step.perm != 0 {
		step.Mode = octal(step.perm)
	}
	b.plan.Steps = append(b.plan.Steps, step)
}

// mkdir plans a folder and those above it that are missing, from the top down.
func (b *builder) mkdir(path string, perm fs.FileMode, why string) {
	if slices.Contains(b.planned, path) || b.env.isDir(path) {
		return
	}
	if parent := b.env.Parent(path); parent != path {
		above := privateDir
		if strings.HasPrefix(path, "/etc/") || strings.HasPrefix(path, "/Library/") {
			above = sharedDir // the machine's folders are for everyone to read
		}
		b.mkdir(parent, above, "holds "+b.env.Base(path))
	}
	b.planned = append(b.planned, path)
	b.add(Step{Kind: Mkdir, Path: path, perm: perm, Why: why})
}

func (b *builder) write(path string, content []byte, perm fs.FileMode, why string) {
	step := Step{Kind: Write, Path: path, perm: perm, content: content, Why: why}
	if old, err := b.env.FS.ReadFile(path); err == nil {
		info, err := b.env.FS.Lstat(path)
		sameMode := err == nil && (b.env.windows() || info.Mode() == perm)
		step.UpToDate = sameMode && bytes.Equal(old, content)
	}
	b.add(step)
}

func (b *builder) extension() error {
	target := b.env.Layout.Extension
	files, err := b.env.extensionFiles()
	if err != nil {
		return err
	}
	same, err := b.env.extensionState(files)
	if err != nil {
		return err
	}
	b.mkdir(b.env.Parent(target), privateDir, "holds the unpacked extension")
	b.add(Step{
		Kind: Unpack, Path: target, perm: sharedDir, Files: len(files), UpToDate: same,
		Why: "the extension, version " + b.env.Version + ", to be loaded in the browser",
	})
	return nil
}

func (b *builder) record(found []Found) {
	b.mkdir(b.env.Layout.State, privateDir, "holds what dbridge must remember")
	var files, folders []string
	for _, browser := range found {
		files = append(files, browser.Manifests...)
		for _, file := range browser.Manifests {
			for dir := b.env.Parent(file); !b.env.isDir(dir) && dir != b.env.Parent(dir); dir = b.env.Parent(dir) {
				folders = append(folders, dir)
			}
		}
	}
	content := b.env.readRecord().with(files, folders).encode()
	b.write(b.env.recordPath(), content, recordPerm, "remembers these places for `dbridge uninstall`")
}

// manifests plans each file and key once, naming all browsers that read it.
func (b *builder) manifests(found []Found, content []byte) {
	for _, file := range places(found, func(f Found) []string { return f.Manifests }) {
		b.mkdir(b.env.Parent(file.path), sharedDir, "holds native messaging hosts; read by "+file.readers)
		b.write(file.path, content, manifestPer, "lets "+file.readers+" start "+b.env.Executable)
	}
	for _, key := range places(found, func(f Found) []string { return f.Keys }) {
		step := Step{Kind: SetKey, Path: key.path, Value: found[0].Manifests[0], Why: "tells " + key.readers + " where the manifest is"}
		if b.env.Registry != nil {
			value, ok, err := b.env.Registry.Get(key.path)
			step.UpToDate = err == nil && ok && value == step.Value
		}
		b.add(step)
	}
}

type place struct{ path, readers string }

// places inverts browser → paths, keeping the order of the browsers.
func places(found []Found, of func(Found) []string) []place {
	var out []place
	for _, browser := range found {
		for _, path := range of(browser) {
			at := slices.IndexFunc(out, func(p place) bool { return p.path == path })
			if at < 0 {
				out = append(out, place{path, browser.Name})
			} else {
				out[at].readers += ", " + browser.Name
			}
		}
	}
	return out
}

// notes tells what a person should know beside the steps.
func (e Env) notes(choice Choice, found []Found) []string {
	notes := e.confined()
	if e.Vars["DBRIDGE_HOME"] != "" {
		notes = append(notes, "DBRIDGE_HOME is set here. Start the browser with the same DBRIDGE_HOME, or it will start a daemon of its own in the usual folders.")
	}
	if choice.System {
		notes = append(notes, "All users of this computer will start "+e.Executable+". Keep it where only administrators can write.",
			"Each person unpacks the extension for themselves with `dbridge install`.")
	} else if e.Vars["SUDO_USER"] != "" {
		notes = append(notes, "This runs under sudo and installs for the administrator, not for "+e.Vars["SUDO_USER"]+". Run it without sudo, or with --system for all users.")
	}
	for _, file := range places(found, func(f Found) []string { return f.Manifests }) {
		dir := e.Parent(file.path)
		if info, err := e.FS.Stat(dir); err == nil && !e.windows() && info.Mode().Perm()&worldWritable != 0 {
			notes = append(notes, "Every user of this computer can write to "+dir+". Run `chmod 755` on it.")
		}
	}
	return notes
}

func octal(perm fs.FileMode) string {
	const digits = "01234567"
	p := perm.Perm()
	return string([]byte{'0', digits[p>>6&7], digits[p>>3&7], digits[p&7]})
}
