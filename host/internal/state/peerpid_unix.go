//go:build linux || darwin

package state

import (
	"net"
	"syscall"
)

func controlPeer(conn net.Conn, ask func(fd int)) {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return
	}
	if raw, err := socket.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { ask(int(fd)) }) // of a closed connection nothing is known
	}
}
