//go:build unix

package chromium

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the browser in its own process group, so that its helpers die with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
