package state

import (
	"errors"
	"fmt"
	"io/fs"
	"net"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Listen makes the daemon's named pipe, open to this user alone. go-winio asks
// for the first instance, so a pipe that another made before is an error.
func (h *Home) Listen() (net.Listener, error) {
	sid, err := ownSID()
	if err != nil {
		return nil, accessFault(h.socket, "cannot be listened on", err)
	}
	listener, err := winio.ListenPipe(h.socket, &winio.PipeConfig{SecurityDescriptor: "D:P(A;;GA;;;" + sid.String() + ")"})
	if err != nil {
		return nil, accessFault(h.socket, "cannot be listened on", err)
	}
	return listener, nil
}

// CheckSocket has nothing to look at before connecting to a pipe.
func CheckSocket(string) error { return nil }

// CheckPeer refuses a pipe whose server runs as another user.
func CheckPeer(conn net.Conn) error {
	pipe, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return fmt.Errorf("not a pipe connection: %T", conn)
	}
	var pid uint32
	if err := windows.GetNamedPipeServerProcessId(windows.Handle(pipe.Fd()), &pid); err != nil {
		return fmt.Errorf("who serves the pipe: %w", err)
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return fmt.Errorf("the process that serves the pipe: %w", err)
	}
	defer windows.CloseHandle(process)
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return fmt.Errorf("the owner of the pipe: %w", err)
	}
	defer token.Close()
	user, err := token.GetTokenUser()
	if err != nil {
		return fmt.Errorf("the owner of the pipe: %w", err)
	}
	own, err := ownSID()
	if err != nil {
		return err
	}
	if !user.User.Sid.Equals(own) {
		return fault.New(fault.Unauthorized, "the other end of the pipe runs as another user")
	}
	return nil
}

func ownSID() (*windows.SID, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("this user's id: %w", err)
	}
	return user.User.Sid, nil
}

// Refused reports whether a dial error means that nobody listens.
func Refused(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, windows.ERROR_FILE_NOT_FOUND)
}
