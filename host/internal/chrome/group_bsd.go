//go:build unix && !linux

package chrome

import (
	"os"
	"os/exec"
)

// reap waits for the browser's end. There is no way here to wait without letting go
// of the process id; the kill of the rest of the group follows at once.
func (g *group) reap(cmd *exec.Cmd) error {
	err := cmd.Wait()
	g.kill()
	return err
}

func widen(*os.File) {}

func freeShm() (uint64, bool) { return 0, false }
