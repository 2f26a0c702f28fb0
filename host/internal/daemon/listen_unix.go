//go:build !windows

package daemon

import (
	"net"
	"os"

	"golang.org/x/sys/unix"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// listenSocket makes the Unix socket, readable and writable by this user only.
func listenSocket(path string) (net.Listener, error) {
	if err := removeStale(path); err != nil {
		return nil, err
	}
	// The mask, not a later chmod: the socket must never be open to others.
	old := unix.Umask(0o177)
	listener, err := net.Listen("unix", path)
	unix.Umask(old)
	if err != nil {
		return nil, fault.New(fault.FileAccessFailed, "cannot make the socket %s: %v", path, err).With("path", path).Because(err)
	}
	return &ownUser{listener.(*net.UnixListener)}, nil
}

// ownUser accepts connections of this user (and root) only, whatever the file's mode became.
type ownUser struct{ *net.UnixListener }

func (l *ownUser) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if uid, known := peerUID(conn); !known || uid == os.Getuid() || uid == 0 {
			return conn, nil
		}
		_ = conn.Close()
	}
}
