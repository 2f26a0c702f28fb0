package daemon

import (
	"errors"
	"net"
	"strconv"
	"syscall"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// nextPorts is how many ports above the wanted one are tried before any free one is taken.
const nextPorts = 20

// listenLoopback listens on 127.0.0.1, and on ::1 with the same port where there is one.
// A port that somebody else holds is left to them and the next free one is taken.
func listenLoopback(log zerolog.Logger) ([]net.Listener, error) {
	wanted, err := wantedPort()
	if err != nil {
		return nil, err
	}
	ports := []int{wanted}
	if wanted != 0 {
		for n := 1; n <= nextPorts && wanted+n < 65536; n++ {
			ports = append(ports, wanted+n)
		}
		ports = append(ports, 0)
	}
	for _, port := range ports {
		four, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EACCES) {
				continue
			}
			return nil, fault.New(fault.DaemonUnavailable, "cannot listen on 127.0.0.1: %v", err).Because(err)
		}
		taken := four.Addr().(*net.TCPAddr).Port
		if wanted != 0 && taken != wanted {
			log.Warn().Int("wanted", wanted).Int("port", taken).Msg("the port is taken by another program; using the next free one")
		}
		listeners := []net.Listener{four}
		six, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(taken)))
		if err == nil {
			listeners = append(listeners, six)
		} else if errors.Is(err, syscall.EADDRINUSE) {
			// Agents are told 127.0.0.1; who writes localhost may reach the other one.
			log.Warn().Int("port", taken).Msg("another program has this port on ::1; reach the daemon at 127.0.0.1")
		} else {
			log.Debug().Err(err).Msg("no listener on ::1")
		}
		return listeners, nil
	}
	return nil, fault.New(fault.DaemonUnavailable, "no free port on 127.0.0.1 from %d on", wanted).Suggest("Set DBRIDGE_PORT to a free port.")
}
