package state

import (
	"net"

	"golang.org/x/sys/unix"
)

// PeerPid is the process at the other end of a local connection, 0 where the system does not tell.
func PeerPid(conn net.Conn) int {
	pid := 0
	controlPeer(conn, func(fd int) {
		if found, err := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID); err == nil {
			pid = found
		}
	})
	return pid
}
