//go:build unix && !linux

package client

import "golang.org/x/sys/unix"

// maxInherited is far above what a browser leaves open in a child by mistake.
const maxInherited = 256

// closeInherited marks every descriptor but stdio close-on-exec; ours are already.
func closeInherited() {
	for fd := 3; fd < maxInherited; fd++ {
		unix.CloseOnExec(fd)
	}
}
