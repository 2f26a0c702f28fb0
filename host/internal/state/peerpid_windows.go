package state

import (
	"net"

	"golang.org/x/sys/windows"
)

// PeerPid is the process at the other end of a local connection, 0 where the system does not tell.
func PeerPid(conn net.Conn) int {
	pipe, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	var pid uint32
	if windows.GetNamedPipeClientProcessId(windows.Handle(pipe.Fd()), &pid) != nil {
		return 0
	}
	return int(pid)
}
