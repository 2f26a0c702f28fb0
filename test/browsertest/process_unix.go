//go:build unix

package browsertest

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the browser and all it starts into a process group of its own,
// so that the group can be ended as one.
func ownGroup(command *exec.Cmd) {
	if command.SysProcAttr == nil {
		command.SysProcAttr = new(syscall.SysProcAttr)
	}
	command.SysProcAttr.Setpgid = true
}

func killGroup(pid int) {
	// ESRCH means what is wanted: nothing of the group is left.
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

func killProcess(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }
