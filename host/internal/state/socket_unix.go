//go:build unix

package state

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Listen makes the daemon's endpoint, mode 0600, closed to other users. Call
// it while holding Lock: a socket file found then is a dead daemon's.
func (h *Home) Listen() (net.Listener, error) {
	info, err := os.Lstat(h.socket)
	switch {
	case err == nil && info.Mode().Type() != fs.ModeSocket:
		return nil, accessFault(h.socket, "is not a socket", nil).Suggest("Move it away: mv " + quote(h.socket) + " " + quote(h.socket+".old"))
	case err == nil:
		if uid := ownerOf(info); int(uid) != os.Geteuid() {
			return nil, foreign(h.socket, uid, "owned by")
		}
		if err := os.Remove(h.socket); err != nil {
			return nil, accessFault(h.socket, "cannot be removed", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, accessFault(h.socket, "cannot be looked at", err)
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: h.socket, Net: "unix"})
	if err != nil {
		return nil, accessFault(h.socket, "cannot be listened on", err)
	}
	// Nobody could connect before this: the directory is ours alone.
	if err := os.Chmod(h.socket, 0o600); err != nil {
		listener.Close()
		return nil, accessFault(h.socket, "cannot be made private", err)
	}
	return &ownListener{listener}, nil
}

// ownListener drops connections from other users, whom only a careless chmod would let come this far.
type ownListener struct{ *net.UnixListener }

func (l *ownListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if CheckPeer(conn) == nil {
			return conn, nil
		}
		conn.Close()
	}
}

// CheckSocket refuses a path where anything but a socket of this user's lies. The error is fs.ErrNotExist where there is none.
func CheckSocket(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return accessFault(path, "is not a socket", nil)
	}
	if uid := ownerOf(info); int(uid) != os.Geteuid() {
		return foreign(path, uid, "owned by")
	}
	return nil
}

// CheckPeer refuses a Unix connection whose other end runs as another user.
func CheckPeer(conn net.Conn) error {
	unixConn, ok := conn.(*net.UnixConn)
	if !ok {
		return fmt.Errorf("not a Unix connection: %T", conn)
	}
	raw, err := unixConn.SyscallConn()
	if err != nil {
		return err
	}
	var uid uint32
	var peerErr error
	if err := raw.Control(func(fd uintptr) { uid, peerErr = peerUID(int(fd)) }); err != nil {
		return err
	}
	if peerErr != nil {
		return os.NewSyscallError("getsockopt", peerErr)
	}
	if int(uid) != os.Geteuid() {
		return fault.New(fault.Unauthorized, "the other end of the socket runs as user %d, not as this one (%d)", uid, os.Geteuid())
	}
	return nil
}

// Refused reports whether a dial error means that nobody listens.
func Refused(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}
