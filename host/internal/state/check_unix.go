//go:build unix

package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// maxLinks bounds symbolic links in one path, as the kernel does.
const maxLinks = 40

const overflowUID = 65534

func pipeName(string) string { return "" }

// checkDir walks to dir from the root, through links, and refuses when anyone
// but root and this user could swap or fill a directory on the way.
func checkDir(dir string) error {
	pending := strings.Split(strings.Trim(filepath.Clean(dir), "/"), "/")
	current, links := "/", 0
	for len(pending) > 0 {
		name := pending[0]
		pending = pending[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			current = filepath.Dir(current)
			continue
		}
		next := filepath.Join(current, name)
		info, err := os.Lstat(next)
		if err != nil {
			return accessFault(next, "cannot be looked at", err)
		}
		uid := ownerOf(info)
		if info.Mode()&os.ModeSymlink != 0 {
			if links++; links > maxLinks {
				return accessFault(dir, "has too many symbolic links", nil)
			}
			if !trusted(uid) {
				return foreign(next, uid, "a symbolic link of")
			}
			target, err := os.Readlink(next)
			if err != nil {
				return accessFault(next, "cannot be followed", err)
			}
			if filepath.IsAbs(target) {
				current = "/"
			}
			pending = append(strings.Split(target, "/"), pending...)
			continue
		}
		if err := checkStep(next, info, uid, len(pending) == 0); err != nil {
			return err
		}
		current = next
	}
	return nil
}

func checkStep(path string, info os.FileInfo, uid uint32, last bool) error {
	if !info.IsDir() {
		return accessFault(path, "is not a directory", nil).Suggest(fmt.Sprintf("Move it away: mv %s %s", quote(path), quote(path+".old")))
	}
	mode := info.Mode()
	if last {
		if int(uid) != os.Geteuid() {
			return foreign(path, uid, "owned by")
		}
		if mode.Perm()&0o022 != 0 {
			return writable(path, mode)
		}
		return nil
	}
	if !trusted(uid) {
		return foreign(path, uid, "owned by")
	}
	// A group of one's own is usual on the way (umask 002); the world is not.
	if mode.Perm()&0o002 != 0 && mode&os.ModeSticky == 0 {
		return writable(path, mode)
	}
	return nil
}

func trusted(uid uint32) bool {
	return uid == 0 || int(uid) == os.Geteuid() || (uid == overflowUID && inUserNamespace())
}

// inUserNamespace reports whether root's files may show as the overflow user's, as in rootless containers.
func inUserNamespace() bool {
	data, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && strings.Join(strings.Fields(string(data)), " ") != "0 0 4294967295"
}

func foreign(path string, uid uint32, how string) *fault.Error {
	return accessFault(path, fmt.Sprintf("is %s user %d, not of this user (%d)", how, uid, os.Geteuid()), nil).
		With("owner", uid).
		Suggest("Set DBRIDGE_HOME to a folder of your own.", fmt.Sprintf("Or give it to this user: sudo chown %d %s", os.Geteuid(), quote(path)))
}

func writable(path string, mode os.FileMode) *fault.Error {
	return accessFault(path, fmt.Sprintf("can be written by others (mode %04o)", mode.Perm()), nil).
		With("mode", fmt.Sprintf("%04o", mode.Perm())).
		Suggest("Run: chmod go-w " + quote(path))
}

func tighten(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return accessFault(dir, "cannot be looked at", err)
	}
	if info.Mode()&os.ModeSymlink != 0 || info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return accessFault(dir, "cannot be made private", err)
	}
	return nil
}

// openChecked opens a file of ours for reading: never through a link, only when it is this user's alone.
func openChecked(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if err := checkFile(path, file); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func checkFile(path string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return accessFault(path, "cannot be looked at", err)
	}
	if !info.Mode().IsRegular() {
		return accessFault(path, "is not a regular file", nil).Suggest(fmt.Sprintf("Move it away: mv %s %s", quote(path), quote(path+".old")))
	}
	if uid := ownerOf(info); int(uid) != os.Geteuid() {
		return foreign(path, uid, "owned by")
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return accessFault(path, fmt.Sprintf("can be used by others (mode %04o)", mode), nil).
			With("mode", fmt.Sprintf("%04o", mode)).
			Suggest("Run: chmod 600 " + quote(path))
	}
	return nil
}

// appendFile opens a file of ours for appending, making it where it is missing.
func appendFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, accessFault(path, "cannot be opened", err)
	}
	if err := checkFile(path, file); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func ownerOf(info os.FileInfo) uint32 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Uid
	}
	return overflowUID
}

func syncDir(dir string) {
	// Best effort: the rename is atomic without it, only its durability is not.
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
