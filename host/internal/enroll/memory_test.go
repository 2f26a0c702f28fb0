package enroll

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/install"
)

// memory is a file system of any operating system, in memory. Folders above a file exist by themselves.
type memory struct {
	windows bool
	files   map[string][]byte // nil: a folder
}

func (m *memory) key(name string) string {
	if m.windows {
		name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	}
	return path.Clean(name)
}

func (m *memory) put(name string, data []byte) {
	name = m.key(name)
	m.files[name] = data
	for up := path.Dir(name); up != name; name, up = up, path.Dir(up) {
		if _, ok := m.files[up]; !ok {
			m.files[up] = nil
		}
	}
}

func (m *memory) Stat(name string) (fs.FileInfo, error) {
	data, ok := m.files[m.key(name)]
	if !ok {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return info{path.Base(m.key(name)), data}, nil
}

func (m *memory) Lstat(name string) (fs.FileInfo, error)     { return m.Stat(name) }
func (m *memory) ReadDir(name string) ([]fs.DirEntry, error) { return nil, fs.ErrNotExist }
func (m *memory) ReadFile(name string) ([]byte, error) {
	if data := m.files[m.key(name)]; data != nil {
		return data, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

type info struct {
	name string
	data []byte
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return int64(len(i.data)) }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.data == nil }
func (i info) Sys() any           { return nil }
func (i info) Mode() fs.FileMode {
	if i.data == nil {
		return fs.ModeDir | 0o755
	}
	return 0o755
}

// machine is one of the system on which the named clients are installed.
func machine(goos string, clients ...string) Machine {
	m := Machine{Env: install.Env{GOOS: goos, Vars: map[string]string{}, Version: "0.1.0"}}
	switch goos {
	case "windows":
		m.Home, m.Executable, m.Folder = `C:\Users\Ann Lee`, `C:\Users\Ann Lee\bin\dbridge.exe`, `D:\shop`
	case "darwin":
		m.Home, m.Executable, m.Folder = "/Users/ann", "/opt/homebrew/bin/dbridge", "/Users/ann/shop"
	default:
		m.Home, m.Executable, m.Folder = "/home/ann", "/home/ann/.local/bin/dbridge", "/home/ann/shop"
	}
	m.Layout.State = m.Join(m.Home, "state")
	files := &memory{windows: goos == "windows", files: map[string][]byte{}}
	m.FS = files
	files.put(m.Executable, []byte("ELF"))
	files.put(m.Folder, nil)
	for _, c := range Clients() {
		if slices.Contains(clients, c.ID) || slices.Contains(clients, "all") {
			files.put(m.Parent(m.file(c, false)), nil)
			for _, p := range c.seen[:min(1, len(c.seen))] {
				files.put(m.at(p), nil)
			}
		}
	}
	return m
}

// carryOutIn does a plan in memory, as the disk would have it.
func carryOutIn(m Machine, report *Report) {
	files := m.FS.(*memory)
	remembered := m.record()
	for i := range report.Clients {
		r := &report.Clients[i]
		if r.Status != Planned {
			continue
		}
		r.Status = Done
		remembered = remembered.forget(r.change.target, report.Name)
		if !r.forget {
			remembered.Files = append(remembered.Files, r.note)
		}
		if r.change.remove {
			delete(files.files, files.key(r.change.target))
		} else {
			files.put(r.change.target, r.change.after)
		}
	}
	files.put(m.recordPath(), remembered.encode())
}

// in plans, and does it in memory.
func in(t *testing.T, m Machine, o Options) Report {
	t.Helper()
	if o.Name == "" {
		o.Name = DefaultName
	}
	if o.Tools == "" {
		o.Tools = Tools[0]
	}
	look := o
	look.DryRun = true
	report, err := MCP(t.Context(), m, look)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	if !o.DryRun {
		carryOutIn(m, &report)
	}
	return report
}
