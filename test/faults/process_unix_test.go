//go:build unix

package faults

import (
	"os/exec"
	"syscall"
)

// own makes the browser the leader of a group, so that all of it can be ended.
func own(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func end(command *exec.Cmd) {
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	_ = command.Wait()
}
