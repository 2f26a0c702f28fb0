package chrome

import (
	"errors"
	"os"
	"os/exec"

	"golang.org/x/sys/unix"
)

// reap waits for the browser's end without letting go of its process id, which is
// the group's: killing the rest of the group cannot hit another one.
func (g *group) reap(cmd *exec.Cmd) error {
	for errors.Is(unix.Waitid(unix.P_PID, g.id, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
	g.kill()
	return cmd.Wait()
}

// pipeSize lets a large snapshot through in fewer turns of two processes.
const pipeSize = 1 << 20

func widen(file *os.File) {
	raw, err := file.SyscallConn()
	if err != nil {
		return
	}
	// A system that allows less keeps what it has.
	_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
}

func freeShm() (uint64, bool) {
	var info unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &info); err != nil {
		return 0, false
	}
	return info.Bavail * uint64(info.Bsize), true
}
