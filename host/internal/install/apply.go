package install

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Status of a step after apply.
const (
	Planned   = "planned"
	Done      = "done"
	Unchanged = "unchanged"
	Failed    = "failed"
	Skipped   = "skipped" // an earlier step failed
)

// maxStops bounds how often a daemon is stopped that something keeps starting:
// a relay of a browser may be just about to start one when its manifest goes.
const maxStops = 5

// applier does steps on the real system. It stops at the first failure and
// never leaves a half-written file behind.
type applier struct {
	extension fs.FS
	registry  Registry
	stop      func(context.Context) (stopped bool, err error)
	fail      func(kind Kind, path string) error // tests inject faults here; nil otherwise
}

// apply does the steps in order and says what became of each.
func (a applier) apply(ctx context.Context, steps []Step) ([]string, error) {
	status := make([]string, len(steps))
	for i := range status {
		status[i] = Skipped
	}
	for i, step := range steps {
		if step.UpToDate {
			status[i] = Unchanged
			continue
		}
		if err := ctx.Err(); err != nil {
			return status, fault.New(fault.Cancelled, "Interrupted; the steps before this one are done.").With("path", step.Path).Because(err)
		}
		changed, err := a.do(ctx, step)
		if err != nil {
			status[i] = Failed
			return status, explain(step, err)
		}
		status[i] = Done
		if !changed {
			status[i] = Unchanged
		}
	}
	return status, nil
}

func (a applier) do(ctx context.Context, step Step) (changed bool, err error) {
	switch step.Kind {
	case Mkdir:
		return a.mkdir(step)
	case Write:
		return true, a.write(step.Path, step.content, step.perm)
	case Unpack:
		return true, a.unpack(step.Path)
	case SetKey:
		return true, a.registry.Set(step.Path, step.Value)
	case DeleteKey:
		return true, a.registry.Delete(step.Path)
	case Remove:
		return gone(os.Remove(step.Path))
	case RemoveDir:
		return removeEmpty(step.Path)
	case RemoveTree:
		return true, os.RemoveAll(step.Path)
	case StopDaemon:
		return a.stopDaemon(ctx)
	}
	return false, fault.New(fault.InternalError, "No such kind of step: %s.", step.Kind)
}

func (a applier) inject(kind Kind, path string) error {
	if a.fail == nil {
		return nil
	}
	return a.fail(kind, path)
}

func (a applier) mkdir(step Step) (bool, error) {
	if err := a.inject(Mkdir, step.Path); err != nil {
		return false, err
	}
	err := os.Mkdir(step.Path, step.perm)
	if errors.Is(err, fs.ErrExist) {
		return false, nil // another install was faster
	}
	if err != nil {
		return false, err
	}
	return true, os.Chmod(step.Path, step.perm) // whatever the umask is
}

// write replaces a file as a whole: a new file beside it, on the disk, then renamed over it.
func (a applier) write(path string, content []byte, perm fs.FileMode) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil { // the first error is the one to tell; what follows is tidying up
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	if _, err := file.Write(content); err != nil {
		return err
	}
	if err := a.inject(Write, path); err != nil {
		return err
	}
	if err := file.Chmod(perm); err != nil && !errors.Is(err, errors.ErrUnsupported) && !onWindows {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// unpack writes the extension beside its place and swaps it in, so that a
// browser that reads it meanwhile sees the old or the new one.
func (a applier) unpack(target string) (err error) {
	fresh, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if removed := os.RemoveAll(fresh); err == nil {
			err = removed
		}
	}()
	err = fs.WalkDir(a.extension, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path := filepath.Join(fresh, filepath.FromSlash(name))
		if entry.IsDir() {
			if name != "." {
				err = os.Mkdir(path, sharedDir)
			}
			return errors.Join(err, os.Chmod(path, sharedDir))
		}
		content, err := fs.ReadFile(a.extension, name)
		if err != nil {
			return err
		}
		if err := a.inject(Unpack, name); err != nil {
			return err
		}
		return a.write(path, content, manifestPer)
	})
	if err != nil {
		return err
	}
	if err := os.Rename(fresh, target); err == nil || !exists(target) {
		return err // nothing (or an empty folder) was there
	}
	return swap(fresh, target) // fresh holds the old one now and is removed
}

// swapByRename replaces target in two steps, going back when the second fails.
func swapByRename(fresh, target string) error {
	aside := fresh + "-old"
	if err := os.Rename(target, aside); err != nil {
		return err
	}
	if err := os.Rename(fresh, target); err != nil {
		return errors.Join(err, os.Rename(aside, target))
	}
	return os.RemoveAll(aside)
}

func (a applier) stopDaemon(ctx context.Context) (changed bool, err error) {
	if a.stop == nil {
		return false, errNoStop
	}
	for range maxStops {
		stopped, err := a.stop(ctx)
		if err != nil || !stopped {
			return changed, err
		}
		changed = true
	}
	return changed, fault.New(fault.DaemonUnavailable, "The daemon was stopped and something starts it again each time.").
		Suggest("Close the browsers and agents that use Debug Bridge, then run `dbridge uninstall` again.")
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func gone(err error) (changed bool, _ error) {
	return err == nil, ignoreMissing(err)
}

// removeEmpty leaves a folder that holds something, which is not an error: it is not ours alone.
func removeEmpty(path string) (changed bool, _ error) {
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) > 0 {
		return false, ignoreMissing(err)
	}
	return gone(os.Remove(path))
}

// explain turns an operating system's error into a fault that names the file and what to do.
func explain(step Step, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	out := fault.New(fault.FileAccessFailed, "%s %s: %v.", step.Kind, step.Path, err).With("path", step.Path).With("step", string(step.Kind)).Because(err)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return out.Suggest("Make yourself the owner of that folder, or, for --system, run it as administrator (sudo).", "`--dry-run` shows every step beforehand.")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return out.Suggest("Free some disk space and run the command again. The old files are whole.")
	case errors.Is(err, syscall.EROFS):
		return out.Suggest("The file system is read-only. Set DBRIDGE_HOME, or start the browser with a --user-data-dir on another disk and use --dir.")
	}
	return out.Suggest("See `details.path`; correct it and run the command again. The old files are whole.")
}
