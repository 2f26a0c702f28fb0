//go:build !linux

package browsertest

import (
	"fmt"
	"os/exec"
)

func startBound(command *exec.Cmd, exited chan<- struct{}) error {
	if err := command.Start(); err != nil {
		return err
	}
	go func() {
		_ = command.Wait() // killed is a usual end
		close(exited)
	}()
	return nil
}

// Process is one process that belongs to a test.
type Process struct {
	PID  int
	Line string
}

func (p Process) String() string { return fmt.Sprintf("%d %s", p.PID, p.Line) }

// processesOf needs /proc; elsewhere left-over processes are not looked for.
func processesOf(string) []Process { return nil }
