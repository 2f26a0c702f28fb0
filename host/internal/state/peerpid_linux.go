package state

import (
	"net"

	"golang.org/x/sys/unix"
)

// PeerPid is the process at the other end of a local connection, 0 where the system
// does not tell (it is in a namespace that ours does not see).
func PeerPid(conn net.Conn) int {
	pid := 0
	controlPeer(conn, func(fd int) {
		if cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			pid = int(cred.Pid)
		}
	})
	return pid
}
