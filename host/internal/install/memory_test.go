package install

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/debug-bridge/debug-bridge/manifests"
)

// extensionKey is the public key in the extension's manifest; the id follows from it.
const extensionKey = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnf0c3BzjCr1YhGA+LSrjJMQm53mPApTVESDRRx+C1ML4OtoGlNN7jp9HOTiLQ9fvoh+Zrku8KCZzcz78vQ47MVp0LxY+7JxnCGZSy1pZ9cQ7F7WWkJarD8xxDcJwCxm7RUhMw17wgMnBxScKs+00kiRV7B4Yswy/xXu+n5Jjg/vKxIRZxgwPrbtFD0+2d7ryUOhgghmXmda6Q9dQtui6VI6M5Dx60IQlc+je/UqhoM7vywF6fyCySITCXhjxTSz2r9O10GjHBmNWvFVLoBa2pKmQP1MiXKUfu5c1fbLyyEn6QFCsO9f8rt5LTJ8dJcJf9pLZ+enYcQmX0jpPzGPvBwIDAQAB"

func sampleExtension(version string) fs.FS {
	return fstest.MapFS{
		"manifest.json":       {Data: []byte(`{"manifest_version":3,"version":"` + version + `","key":"` + extensionKey + `"}`)},
		"background.js":       {Data: []byte("// worker " + version + "\n")},
		"icons/icon-16.png":   {Data: []byte{0x89, 'P', 'N', 'G'}},
		"popup.html":          {Data: []byte("<!doctype html>\n")},
		"sdk/debug-bridge.js": {Data: []byte("export {}\n")},
	}
}

func TestSampleKeyIsTheExtensions(t *testing.T) {
	t.Parallel()
	if id, err := manifests.IDOfKey(extensionKey); err != nil || id != manifests.ExtensionID {
		t.Fatalf("%s, %v", id, err)
	}
}

// memory is a file system of any operating system, in memory. Folders above a file exist by themselves.
type memory struct {
	windows bool
	files   map[string][]byte
	modes   map[string]fs.FileMode
}

func newMemory(windows bool, dirs ...string) *memory {
	m := &memory{windows: windows, files: map[string][]byte{}, modes: map[string]fs.FileMode{}}
	for _, dir := range dirs {
		m.mkdir(dir, 0o755)
	}
	return m
}

// key folds what the system folds: Windows knows one path by several spellings.
func (m *memory) key(name string) string {
	if m.windows {
		name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	}
	return path.Clean(name)
}

func (m *memory) mkdir(name string, mode fs.FileMode) {
	name = m.key(name)
	m.modes[name] = fs.ModeDir | mode
	for up := path.Dir(name); up != name; name, up = up, path.Dir(up) {
		if _, ok := m.modes[up]; !ok {
			m.modes[up] = fs.ModeDir | 0o755
		}
	}
}

func (m *memory) put(name string, data []byte, mode fs.FileMode) {
	folder := path.Dir(m.key(name))
	if _, ok := m.modes[folder]; !ok {
		m.mkdir(folder, 0o755)
	}
	m.files[m.key(name)] = data
	m.modes[m.key(name)] = mode
}

func (m *memory) remove(name string) {
	delete(m.files, m.key(name))
	delete(m.modes, m.key(name))
}

func (m *memory) children(name string) []string {
	var out []string
	for other := range m.modes {
		if other != m.key(name) && path.Dir(other) == m.key(name) {
			out = append(out, path.Base(other))
		}
	}
	slices.Sort(out)
	return out
}

func (m *memory) Stat(name string) (fs.FileInfo, error) {
	mode, ok := m.modes[m.key(name)]
	if !ok {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return memoryInfo{path.Base(m.key(name)), mode, len(m.files[m.key(name)])}, nil
}

func (m *memory) Lstat(name string) (fs.FileInfo, error) { return m.Stat(name) }

func (m *memory) ReadFile(name string) ([]byte, error) {
	data, ok := m.files[m.key(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return data, nil
}

func (m *memory) ReadDir(name string) ([]fs.DirEntry, error) {
	if info, err := m.Stat(name); err != nil || !info.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	var out []fs.DirEntry
	for _, child := range m.children(name) {
		info, err := m.Stat(path.Join(m.key(name), child))
		if err != nil {
			return nil, err
		}
		out = append(out, fs.FileInfoToDirEntry(info))
	}
	return out, nil
}

type memoryInfo struct {
	name string
	mode fs.FileMode
	size int
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return int64(i.size) }
func (i memoryInfo) Mode() fs.FileMode  { return i.mode }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.mode.IsDir() }
func (i memoryInfo) Sys() any           { return nil }

type memoryRegistry map[string]string

func (r memoryRegistry) Get(key string) (string, bool, error) {
	value, ok := r[strings.ToLower(key)]
	return value, ok, nil
}

func (r memoryRegistry) Set(key, value string) error {
	r[strings.ToLower(key)] = value
	return nil
}

func (r memoryRegistry) Delete(key string) error {
	delete(r, strings.ToLower(key))
	return nil
}

// carryOut does a plan in memory, as apply does on a disk.
func carryOut(env Env, plan Plan) {
	m := env.FS.(*memory)
	for _, step := range plan.Steps {
		if step.UpToDate {
			continue
		}
		switch step.Kind {
		case Mkdir:
			m.mkdir(step.Path, step.perm)
		case Write:
			m.put(step.Path, step.content, step.perm)
		case Unpack:
			_ = fs.WalkDir(env.Extension, ".", func(name string, entry fs.DirEntry, _ error) error {
				if entry.Type().IsRegular() {
					data, _ := fs.ReadFile(env.Extension, name)
					m.put(env.Join(step.Path, name), data, 0o644)
				}
				return nil
			})
		case SetKey:
			_ = env.Registry.Set(step.Path, step.Value)
		case DeleteKey:
			_ = env.Registry.Delete(step.Path)
		case Remove:
			m.remove(step.Path)
		case RemoveDir:
			if len(m.children(step.Path)) == 0 {
				m.remove(step.Path)
			}
		case RemoveTree:
			for name := range m.modes {
				if name == m.key(step.Path) || strings.HasPrefix(name, m.key(step.Path)+"/") {
					m.remove(name)
				}
			}
		}
	}
}

// machine is a machine of the given system with the given browsers, by the table.
func machine(goos string, browsers ...string) Env {
	env := Env{GOOS: goos, Vars: map[string]string{}, Extension: sampleExtension("0.1.0"), Version: "0.1.0"}
	switch goos {
	case "windows":
		env.Home, env.Executable = `C:\Users\Ann Lee`, `C:\Users\Ann Lee\bin\dbridge.exe`
		env.Registry = memoryRegistry{}
		data := env.Home + `\AppData\Local\debug-bridge`
		env.Layout = Layout{Extension: data + `\extension`, State: data, Run: data}
	case "darwin":
		env.Home, env.Executable = "/Users/ann", "/opt/homebrew/bin/dbridge"
		env.Resolved = "/opt/homebrew/Cellar/dbridge/0.1.0/bin/dbridge"
		data := env.Home + "/Library/Application Support/debug-bridge"
		env.Layout = Layout{Extension: data + "/extension", State: data, Run: data}
	default:
		env.Home, env.Executable = "/home/ann", "/home/ann/.local/bin/dbridge"
		env.Layout = Layout{
			Extension: "/home/ann/.local/share/debug-bridge/extension",
			State:     "/home/ann/.local/state/debug-bridge",
			Run:       "/run/user/1000/debug-bridge",
		}
	}
	m := newMemory(goos == "windows", env.Home)
	m.put(env.Executable, []byte("ELF"), 0o755)
	if env.Resolved != "" {
		m.put(env.Resolved, []byte("ELF"), 0o755)
	}
	env.FS = m
	for _, row := range manifests.For(goos) {
		if slices.Contains(browsers, row.Browser) || slices.Contains(browsers, "all") {
			m.mkdir(env.Dir(row.Found[0]), 0o700)
		}
	}
	return env
}
