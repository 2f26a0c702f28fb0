package install

import "golang.org/x/sys/unix"

// swap exchanges two folders in one step, where the file system can.
func swap(fresh, target string) error {
	if err := unix.Renameat2(unix.AT_FDCWD, fresh, unix.AT_FDCWD, target, unix.RENAME_EXCHANGE); err == nil {
		return nil
	}
	return swapByRename(fresh, target)
}
