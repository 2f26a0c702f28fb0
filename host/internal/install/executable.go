package install

import (
	"io/fs"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const worldWritable fs.FileMode = 0o002

// CheckExecutable refuses a binary that a browser must not be pointed at: one
// that will be gone (go run), cannot be started, or can be replaced by others.
func (e Env) CheckExecutable() error {
	if !e.absolute(e.Executable) {
		return unfit(e.Executable, "The path of dbridge is not absolute.", "Start dbridge by its full path.")
	}
	for _, path := range e.executablePaths() {
		if e.temporaryBuild(path) {
			return unfit(path, "dbridge runs from a temporary folder of the Go tool; it is deleted when `go run` ends.",
				"Build it first: go build -o ~/.local/bin/dbridge ./host/cmd/dbridge, then run that one's `dbridge install`.")
		}
		info, err := e.FS.Stat(path)
		if err != nil {
			return unfit(path, "dbridge is not where it was started from.", "Start dbridge again by the path where it is now.").Because(err)
		}
		if !info.Mode().IsRegular() {
			return unfit(path, "dbridge is not a regular file.", "Install the dbridge binary as a file.")
		}
		if e.windows() {
			continue // access lists, not modes, decide there
		}
		if info.Mode().Perm()&0o111 == 0 {
			return unfit(path, "dbridge is not executable.", "Run `chmod 755` on it.")
		}
		if info.Mode().Perm()&worldWritable != 0 {
			return unfit(path, "Every user of this computer can overwrite dbridge; a browser would start what they put there.", "Run `chmod 755` on it.")
		}
		if err := e.checkFolders(path); err != nil {
			return err
		}
	}
	return nil
}

// executablePaths are the path as started and, where it differs, what it leads to.
func (e Env) executablePaths() []string {
	if e.Resolved == "" || e.Resolved == e.Executable {
		return []string{e.Executable}
	}
	return []string{e.Executable, e.Resolved}
}

// temporaryBuild recognises `go run` and `go test` binaries: <tmp>/go-build123/b001/exe/dbridge.
func (e Env) temporaryBuild(path string) bool {
	for _, element := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(e.separators(), r) }) {
		if strings.HasPrefix(element, "go-build") {
			return true
		}
	}
	return false
}

// checkFolders refuses folders in which others can put their own dbridge. The
// sticky bit protects what is inside a folder above, but the binary's own
// folder must not be open at all.
func (e Env) checkFolders(path string) error {
	own := e.Parent(path)
	for dir := own; ; dir = e.Parent(dir) {
		info, err := e.FS.Stat(dir)
		if err != nil {
			return unfit(dir, "A folder above dbridge cannot be examined.", "Move dbridge to a folder of your own, for example ~/.local/bin.").Because(err)
		}
		open := info.Mode().Perm()&worldWritable != 0
		if open && (dir == own || info.Mode()&fs.ModeSticky == 0) {
			return unfit(dir, "Every user of this computer can write to a folder above dbridge and replace it.",
				"Move dbridge to a folder of your own, for example ~/.local/bin, and run `dbridge install` again.")
		}
		if dir == e.Parent(dir) {
			return nil
		}
	}
}

func unfit(path, message, suggestion string) *fault.Error {
	return fault.New(fault.FileAccessFailed, "%s", message).With("path", path).Suggest(suggestion)
}
