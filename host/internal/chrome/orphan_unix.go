//go:build unix

package chrome

import "syscall"

// killOrphan kills a browser's group; a launched browser leads one.
func killOrphan(pid int) {
	if syscall.Kill(-pid, syscall.SIGKILL) != nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
