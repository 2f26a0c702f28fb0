// Command dbr is dbridge for one command against a running daemon, and nothing else:
// it passes its command line on and prints what comes back. A process that links the
// whole program spends two milliseconds before its first line; this one does not.
//
// What the daemon does not take (help, a session to be started where no daemon runs,
// anything that is not a command of the catalogue) is run by dbridge itself, which
// stands beside dbr or in PATH.
package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// Kinds of frames (host/internal/daemon/argv.go).
const (
	frameStdout = '1'
	frameStderr = '2'
	frameStatus = 'x'
)

// lost is the exit status when the daemon went away in the middle: INDETERMINATE.
const lost = 4

func main() {
	if status, done := relay(os.Args[1:]); done {
		os.Exit(status)
	}
	whole(os.Args[1:])
}

// whole becomes the whole program.
func whole(args []string) {
	program := ""
	if self, err := os.Executable(); err == nil {
		program = filepath.Join(filepath.Dir(self), "dbridge")
	}
	if _, err := os.Stat(program); err != nil {
		if program, err = exec.LookPath("dbridge"); err != nil {
			os.Stderr.WriteString("error: dbridge is neither beside dbr nor in PATH\n")
			os.Exit(6)
		}
	}
	err := syscall.Exec(program, append([]string{"dbridge"}, args...), os.Environ())
	os.Stderr.WriteString("error: " + program + " cannot be run: " + err.Error() + "\n")
	os.Exit(6)
}

// relay asks the daemon. It is not done when the whole program has to.
func relay(args []string) (status int, done bool) {
	if len(args) < 2 || isTerminal(1) {
		return 0, false // people get colours and progress
	}
	for _, arg := range args {
		for i := range len(arg) {
			if arg[i] == 0 {
				return 0, false
			}
		}
	}
	fd, ok := dial(socket())
	if !ok {
		return 0, false
	}
	cwd, err := os.Getwd()
	if err != nil {
		return 0, false
	}
	body := cwd + "\x00" + os.Getenv("DBRIDGE_CONTEXT_ID")
	for _, arg := range args {
		body += "\x00" + arg
	}
	request := "POST /v1/argv HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	if !write(fd, []byte(request)) {
		return 0, false
	}
	return answer(fd)
}

// answer prints frames until the one with the status.
func answer(fd int) (status int, done bool) {
	buffer := make([]byte, 0, 16<<10)
	for {
		for len(buffer) >= 5 {
			length := int(buffer[1])<<24 | int(buffer[2])<<16 | int(buffer[3])<<8 | int(buffer[4])
			if len(buffer) < 5+length {
				break
			}
			data := buffer[5 : 5+length]
			switch buffer[0] {
			case frameStdout:
				done = true
				if !write(1, data) {
					return 0, true // its reader went away: nothing is wrong
				}
			case frameStderr:
				done = true
				write(2, data)
			case frameStatus:
				if length == 1 {
					return int(data[0]), true
				}
				return lost, true
			default: // not taken, or not a daemon of this version
				return 0, done
			}
			buffer = append(buffer[:0], buffer[5+length:]...)
		}
		if len(buffer) == cap(buffer) {
			grown := make([]byte, len(buffer), 2*cap(buffer))
			copy(grown, buffer)
			buffer = grown
		}
		n, err := syscall.Read(fd, buffer[len(buffer):cap(buffer)])
		if err == syscall.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			if !done {
				os.Stderr.WriteString("error: the daemon went away before it answered; look at the page before you repeat the command (INDETERMINATE)\n")
			}
			return lost, true
		}
		buffer = buffer[:len(buffer)+n]
	}
}

// socket is where the daemon listens (host/internal/state): in DBRIDGE_HOME, or the runtime directory.
func socket() string {
	if home := os.Getenv("DBRIDGE_HOME"); home != "" {
		absolute, err := filepath.Abs(home)
		if err != nil {
			return ""
		}
		return filepath.Join(absolute, "run", "daemon.sock")
	}
	runtime := os.Getenv("XDG_RUNTIME_DIR")
	if runtime == "" {
		runtime = "/run/user/" + strconv.Itoa(os.Geteuid())
	}
	if info, err := os.Stat(runtime); err == nil && info.IsDir() {
		return filepath.Join(runtime, "debug-bridge", "daemon.sock")
	}
	states := os.Getenv("XDG_STATE_HOME")
	if states == "" {
		states = filepath.Join(os.Getenv("HOME"), ".local", "state")
	}
	return filepath.Join(states, "debug-bridge", "daemon.sock")
}

// dial connects to a socket of this user's, at whose other end this user is.
func dial(path string) (fd int, ok bool) {
	var info syscall.Stat_t
	if syscall.Lstat(path, &info) != nil || info.Mode&syscall.S_IFMT != syscall.S_IFSOCK || int(info.Uid) != os.Geteuid() {
		return 0, false
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, false
	}
	if syscall.Connect(fd, &syscall.SockaddrUnix{Name: path}) != nil {
		_ = syscall.Close(fd)
		return 0, false
	}
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil || int(peer.Uid) != os.Geteuid() {
		_ = syscall.Close(fd)
		return 0, false
	}
	return fd, true
}

func isTerminal(fd int) bool {
	var size [64]byte // more than a termios
	return ioctl(fd, syscall.TCGETS, &size)
}

// write writes all of it.
func write(fd int, data []byte) bool {
	for len(data) > 0 {
		n, err := syscall.Write(fd, data)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return false
		}
		data = data[n:]
	}
	return true
}
