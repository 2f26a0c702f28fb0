// Package enroll tells the clients of the MCP server about it, and gives them the
// skill: it adds an entry to each client's file, or takes it out.
//
// All that was in a file stays, to the byte: comments, order, indentation. A plan
// is made first, for any operating system on any, and applied then: a file is
// replaced as a whole, through links, with its old mode, and only when it is still
// what the plan was made from. Before that the new text is parsed and compared
// with the old one; a file that cannot be parsed is never touched.
// The package does not print: Report has JSON tags and Text.
package enroll

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
)

// Machine is what is planned for. All of it is data, as in install.
type Machine struct {
	install.Env
	Folder string // the project we are in
	// Follow gives the file that a path leads to through links. Nil: the path itself.
	Follow func(path string) (string, error)
}

// variables are those of the environment that planning reads.
var variables = []string{
	"XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "SUDO_USER", "DBRIDGE_HOME",
}

// This is the machine and the folder that we run on and in. The executable replaces ours where it is given.
func This(layout install.Layout, version, executable string) (Machine, error) {
	env, err := install.ThisMachine(layout, nil, version)
	if err != nil {
		return Machine{}, err
	}
	for _, name := range variables {
		if value := os.Getenv(name); value != "" {
			env.Vars[name] = value
		}
	}
	if executable != "" {
		env.Executable, env.Resolved = executable, executable
	}
	env.Executable = onPath(env.Executable, env.Resolved)
	folder, err := os.Getwd()
	if err != nil {
		return Machine{}, fault.New(fault.FileAccessFailed, "The current folder is not known: %v.", err).
			Suggest("Change to a folder that is there, and run the command again.").Because(err)
	}
	return Machine{Env: env, Folder: folder, Follow: filepath.EvalSymlinks}, nil
}

// onPath prefers the name by which the program is found on the PATH, when it leads to
// this one: it stays when a package manager puts the next version elsewhere.
func onPath(executable, resolved string) string {
	found, err := exec.LookPath("dbridge")
	if err != nil {
		return executable
	}
	if found, err = filepath.Abs(found); err != nil {
		return executable
	}
	if leads, err := filepath.EvalSymlinks(found); err != nil || leads != resolved {
		return executable
	}
	return found
}

func (m Machine) there(path string) bool {
	_, err := m.FS.Stat(path)
	return err == nil
}

// file is one that is there, or not.
type file struct {
	path   string // as the client names it
	target string // what it leads to
	data   []byte
	mode   fs.FileMode
	exists bool
}

// maxFile is more than any client's file has; a larger one is not a configuration.
const maxFile = 64 << 20

// read looks at a file, through links.
func (m Machine) read(path string) (file, error) {
	f := file{path: path, target: path}
	if _, err := m.FS.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		f.target, err = m.missing(path)
		return f, err
	}
	target, err := m.follow(path)
	if err != nil {
		return f, err
	}
	f.target = target
	info, err := m.FS.Stat(path)
	switch {
	case err != nil:
		return f, unreadable(path, "cannot be looked at", err)
	case !info.Mode().IsRegular():
		return f, unreadable(path, "is not a file", nil)
	case info.Size() > maxFile:
		return f, unreadable(path, "is larger than any configuration is", nil)
	}
	f.data, err = m.FS.ReadFile(path)
	if err != nil {
		return f, unreadable(path, "cannot be read", err)
	}
	f.mode, f.exists = info.Mode().Perm(), true
	return f, nil
}

func (m Machine) follow(path string) (string, error) {
	if m.Follow == nil {
		return path, nil
	}
	target, err := m.Follow(path)
	if err != nil {
		return path, unreadable(path, "leads to nothing, or not to what can be followed", err)
	}
	return target, nil
}

// missing is where a file that is not there would be: folders above it can be links.
func (m Machine) missing(path string) (string, error) {
	dir := m.Parent(path)
	if dir == path {
		return path, nil
	}
	above, err := m.follow(dir)
	if _, lost := m.FS.Lstat(dir); errors.Is(lost, fs.ErrNotExist) {
		above, err = m.missing(dir)
	}
	if err != nil {
		return path, err
	}
	return m.Join(above, m.Base(path)), nil
}

func unreadable(path, what string, cause error) *fault.Error {
	f := fault.New(fault.FileAccessFailed, "%s %s.", path, what).With("path", path)
	if cause != nil {
		f.Because(cause)
	}
	return f
}
