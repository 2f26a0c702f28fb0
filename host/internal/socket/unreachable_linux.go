package socket

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// lostRetries is how often in a row the kernel has sent the same bytes again before the
// peer is given up: three seconds and more. A peer that only does not read acknowledges
// nothing new either, but the kernel then asks for room and sends no bytes.
const lostRetries = 4

// unreachable reports that not even the peer's system answers any more.
func unreachable(conn net.Conn) bool {
	system, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := system.SyscallConn()
	if err != nil {
		return false
	}
	lost := false
	_ = raw.Control(func(fd uintptr) { // a closed connection is noticed by its reader
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		lost = err == nil && info.Unacked > 0 && info.Retransmits >= lostRetries
	})
	return lost
}
