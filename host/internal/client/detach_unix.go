//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// startDetached starts command in a session of its own, so that neither
// Ctrl-C nor the end of its starter (Chrome's process group, a terminal) takes it along.
func startDetached(command *exec.Cmd) (*exec.Cmd, error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// Chrome leaves stray descriptors open in its native messaging host.
	closeInherited()
	return command, command.Start()
}
