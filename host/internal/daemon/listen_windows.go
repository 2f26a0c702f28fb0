package daemon

import (
	"net"

	"github.com/Microsoft/go-winio"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// ownerOnly is an SDDL that admits the pipe's owner alone.
const ownerOnly = "D:P(A;;GA;;;OW)"

// listenSocket makes the named pipe that stands for the Unix socket.
func listenSocket(path string) (net.Listener, error) {
	listener, err := winio.ListenPipe(path, &winio.PipeConfig{SecurityDescriptor: ownerOnly})
	if err != nil {
		return nil, fault.New(fault.FileAccessFailed, "cannot make the pipe %s: %v", path, err).With("path", path).Because(err)
	}
	return listener, nil
}
