package enroll

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
)

// Change is what becomes of one file. Before and after are its whole text.
type Change struct {
	file
	after   []byte
	remove  bool
	perm    fs.FileMode
	folders []string    // to be made, outermost first; or, with remove, to be removed when empty
	dirPerm fs.FileMode // of those
}

// Permissions of new files and folders: a person's own are theirs alone, as some
// clients keep keys there; a project's are as its other files.
const (
	ownFile     fs.FileMode = 0o600
	ownDir      fs.FileMode = 0o700
	projectFile fs.FileMode = 0o644
	projectDir  fs.FileMode = 0o755
)

// permissions sets those of a change by whose file it is.
func (c *Change) permissions(project bool) {
	c.perm, c.dirPerm = ownFile, ownDir
	if project {
		c.perm, c.dirPerm = projectFile, projectDir
	}
	if c.exists {
		c.perm = c.mode
	}
}

// missingFolders are those above a file that are not there, outermost first.
func (m Machine) missingFolders(path string) []string {
	var out []string
	for dir := m.Parent(path); !m.there(dir) && dir != m.Parent(dir); dir = m.Parent(dir) {
		out = append(out, dir)
	}
	slices.Reverse(out)
	return out
}

// apply does a change on the disk, when the file is still what was planned from.
func apply(ctx context.Context, c Change) error {
	if err := ctx.Err(); err != nil {
		return fault.New(fault.Cancelled, "Interrupted before %s.", c.path).Because(err)
	}
	now, err := os.ReadFile(c.target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return explain(c.path, err)
	}
	if there := err == nil; there != c.exists || !bytes.Equal(now, c.data) {
		return fault.New(fault.Busy, "%s was changed by another program meanwhile.", c.path).With("path", c.path).
			Suggest("Run the command again.")
	}
	if c.remove {
		if err := os.Remove(c.target); err != nil {
			return explain(c.path, err)
		}
		for _, dir := range slices.Backward(c.folders) {
			// One that holds something else stays: it is not ours alone any more.
			if os.Remove(dir) != nil {
				break
			}
		}
		return nil
	}
	for _, dir := range c.folders {
		if err := os.Mkdir(dir, c.dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
			return explain(dir, err)
		}
	}
	if err := install.Replace(filepath.FromSlash(c.target), c.after, c.perm); err != nil {
		return explain(c.path, err)
	}
	return nil
}

// explain turns an operating system's error into a fault that says what to do.
func explain(path string, err error) error {
	out := fault.New(fault.FileAccessFailed, "%s: %v.", path, err).With("path", path).Because(err)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return out.Suggest("Make yourself the owner of " + path + " and its folder.")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return out.Suggest("Free some disk space and run the command again. The old file is whole.")
	case errors.Is(err, syscall.EROFS):
		return out.Suggest("The file system is read-only: add it by hand where the file comes from. `--dry-run` shows what.")
	}
	return out.Suggest("Correct what the message says and run the command again. The old file is whole.")
}
