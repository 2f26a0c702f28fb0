//go:build unix

package hostlink

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// RedirectStdout takes stdout away from everybody: it gives the only file that
// still reaches Chrome's pipe, and points descriptor 1 at stderr, so that a
// stray print of any library, or of C code, cannot corrupt the frames. Children
// do not inherit the file. Call it first thing in host mode.
//
// It also ignores SIGPIPE, which would kill the process when Chrome closes the
// pipe during a write; the write then fails with EPIPE.
func RedirectStdout() (*os.File, error) {
	signal.Ignore(syscall.SIGPIPE)
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("duplicating stdout: %w", err)
	}
	if err := unix.Dup2(2, 1); err != nil { // started without a stderr: prints go nowhere
		null, nullErr := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if nullErr == nil {
			nullErr = unix.Dup2(int(null.Fd()), 1)
			_ = null.Close()
		}
		if nullErr != nil {
			_ = unix.Close(fd)
			return nil, fmt.Errorf("pointing stdout away from the browser: %w", nullErr)
		}
	}
	return os.NewFile(uintptr(fd), "native messaging"), nil
}
