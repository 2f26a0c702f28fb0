package hostlink

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// RedirectStdout takes stdout away from everybody: it gives the only file that
// still reaches Chrome's pipe, and makes stderr the process's standard output.
// Children do not inherit the file. Call it first thing in host mode.
func RedirectStdout() (*os.File, error) {
	self := windows.CurrentProcess()
	var pipe windows.Handle
	if err := windows.DuplicateHandle(self, windows.Handle(os.Stdout.Fd()), self, &pipe, 0, false, windows.DUPLICATE_SAME_ACCESS); err != nil {
		return nil, fmt.Errorf("duplicating stdout: %w", err)
	}
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		_ = windows.CloseHandle(pipe)
		return nil, fmt.Errorf("pointing stdout at stderr: %w", err)
	}
	os.Stdout = os.Stderr
	return os.NewFile(uintptr(pipe), "native messaging"), nil
}
