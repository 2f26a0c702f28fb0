package client

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

const detached = windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP

// startDetached starts command without a console and outside Chrome's job
// object, which ends its members; where the job forbids leaving, inside it.
func startDetached(command *exec.Cmd) (*exec.Cmd, error) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detached | windows.CREATE_BREAKAWAY_FROM_JOB, HideWindow: true}
	err := command.Start()
	if !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return command, err
	}
	again := exec.Command(command.Path, command.Args[1:]...)
	again.Stdin, again.Stdout, again.Stderr = command.Stdin, command.Stdout, command.Stderr
	again.Dir, again.Env = command.Dir, command.Env
	again.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detached, HideWindow: true}
	return again, again.Start()
}
