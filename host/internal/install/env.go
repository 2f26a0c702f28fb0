package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/manifests"
)

// FS is what planning may see of a file system. Paths are those of Env.GOOS.
type FS interface {
	Stat(path string) (fs.FileInfo, error)
	Lstat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
	ReadDir(path string) ([]fs.DirEntry, error)
}

// Registry is the Windows registry, default values only. Keys begin with HKCU\ or HKLM\.
type Registry interface {
	Get(key string) (value string, ok bool, err error)
	Set(key, value string) error
	Delete(key string) error
}

// Layout names Debug Bridge's own folders.
type Layout struct {
	Extension string // where the extension is unpacked
	State     string // tokens, apps, log, the record of what was installed
	Run       string // socket, lock, discovery file; may equal State
	Socket    string // the daemon's socket when it lies outside Run (long paths), else empty
	Root      string // DBRIDGE_HOME when set, else empty
}

// NewLayout makes a Layout of the folders and the socket address of a home.
func NewLayout(root, run, state, extension, socket string) Layout {
	layout := Layout{Root: root, Run: run, State: state, Extension: extension}
	// A named pipe is no file, and a socket inside Run goes with it.
	if filepath.IsAbs(socket) && runtime.GOOS != "windows" && filepath.Dir(socket) != run {
		layout.Socket = socket
	}
	return layout
}

// Env is a machine to plan for. Every field is data, so that plans for every
// operating system are made and tested on any of them.
type Env struct {
	GOOS       string
	Home       string            // the person's home directory
	Vars       map[string]string // environment variables that move folders
	FS         FS
	Registry   Registry // Windows only
	Executable string   // the binary that browsers shall start
	Resolved   string   // the same with symbolic links resolved; empty: the same
	Layout     Layout
	Extension  fs.FS // files of the extension
	Version    string
}

// envVars are the variables that planning reads.
var envVars = []string{
	"CHROME_CONFIG_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "APPDATA", "ProgramData", "SUDO_USER", "DBRIDGE_HOME",
}

// ThisMachine describes the machine and the process we run in.
func ThisMachine(layout Layout, extension fs.FS, version string) (Env, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return Env{}, fault.New(fault.FileAccessFailed, "The home directory is not known: %v.", err).
			Suggest("Set HOME (on Windows USERPROFILE) to your home directory.").Because(err)
	}
	executable, err := os.Executable()
	if err != nil {
		return Env{}, fault.New(fault.FileAccessFailed, "The path of this program is not known: %v.", err).
			Suggest("Start dbridge by its full path.").Because(err)
	}
	resolved, err := filepath.EvalSymlinks(executable)
	if err != nil {
		return Env{}, fault.New(fault.FileAccessFailed, "The path of this program cannot be followed: %v.", err).
			With("path", executable).Suggest("Start dbridge again by the path where it is now.").Because(err)
	}
	vars := make(map[string]string)
	for _, name := range envVars {
		if value := os.Getenv(name); value != "" {
			vars[name] = value
		}
	}
	return Env{
		GOOS: runtime.GOOS, Home: home, Vars: vars, FS: diskFS{}, Registry: systemRegistry(),
		Executable: executable, Resolved: resolved, Layout: layout, Extension: extension, Version: version,
	}, nil
}

// diskFS is the real file system.
type diskFS struct{}

func (diskFS) Stat(path string) (fs.FileInfo, error)      { return os.Stat(path) }
func (diskFS) Lstat(path string) (fs.FileInfo, error)     { return os.Lstat(path) }
func (diskFS) ReadFile(path string) ([]byte, error)       { return os.ReadFile(path) }
func (diskFS) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

func (e Env) windows() bool { return e.GOOS == "windows" }

// Join joins path elements by the rules of the planned system. Elements after the first may hold slashes.
func (e Env) Join(base string, elements ...string) string {
	separator := "/"
	if e.windows() {
		separator = `\`
	}
	path := strings.TrimRight(base, `/`+separator)
	for _, element := range elements {
		if e.windows() {
			element = strings.ReplaceAll(element, "/", `\`)
		}
		path += separator + strings.Trim(element, separator)
	}
	return path
}

// Parent is the folder of path, or path itself at the top.
func (e Env) Parent(path string) string {
	cut := strings.LastIndexAny(path, e.separators())
	switch {
	case cut < 0:
		return path
	case cut == 0:
		return path[:1]
	case e.windows() && cut == 2 && path[1] == ':':
		return path[:3]
	}
	return path[:cut]
}

// Base is the last element of path.
func (e Env) Base(path string) string {
	return path[strings.LastIndexAny(path, e.separators())+1:]
}

func (e Env) separators() string {
	if e.windows() {
		return `\/`
	}
	return "/"
}

func (e Env) absolute(path string) bool {
	if !e.windows() {
		return strings.HasPrefix(path, "/")
	}
	return len(path) > 2 && path[1] == ':' && strings.ContainsRune(`\/`, rune(path[2])) || strings.HasPrefix(path, `\\`)
}

// Dir gives the path of a row's folder on this machine.
func (e Env) Dir(dir manifests.Dir) string {
	base := ""
	switch dir.Root {
	case manifests.Absolute:
		return dir.Path
	case manifests.Home:
		base = e.Home
	case manifests.Config:
		base = e.variable("CHROME_CONFIG_HOME", e.variable("XDG_CONFIG_HOME", e.Join(e.Home, ".config")))
	case manifests.Support:
		base = e.Join(e.Home, "Library/Application Support")
	case manifests.Local:
		base = e.variable("LOCALAPPDATA", e.Join(e.Home, "AppData/Local"))
	case manifests.Roaming:
		base = e.variable("APPDATA", e.Join(e.Home, "AppData/Roaming"))
	}
	return e.Join(base, dir.Path)
}

// variable is an environment variable that holds an absolute path; others are ignored, as XDG demands.
func (e Env) variable(name, fallback string) string {
	if value := e.Vars[name]; e.absolute(value) {
		return value
	}
	return fallback
}

func (e Env) exists(path string) bool {
	_, err := e.FS.Lstat(path)
	return err == nil
}

func (e Env) isDir(path string) bool {
	info, err := e.FS.Stat(path)
	return err == nil && info.IsDir()
}
