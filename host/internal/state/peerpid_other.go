//go:build !linux && !darwin && !windows

package state

import "net"

// PeerPid is not known on this system.
func PeerPid(net.Conn) int { return 0 }
