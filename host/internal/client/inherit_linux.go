package client

import "golang.org/x/sys/unix"

// closeInherited marks every descriptor but stdio close-on-exec; ours are already.
func closeInherited() { _ = unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC) }
