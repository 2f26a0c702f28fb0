//go:build unix

package chrome

import (
	"os/exec"
	"syscall"
)

// group is the browser's process group: the browser leads it, and what it starts is in it.
type group struct{ id int }

func startGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // our terminal's Ctrl-C is not the browser's
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &group{id: cmd.Process.Pid}, nil
}

func (g *group) terminate() { _ = syscall.Kill(g.id, syscall.SIGTERM) }

// kill is for the whole group; that it is gone already is no error.
func (g *group) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }
