package cli_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/debug-bridge/debug-bridge/host/internal/face/cli"
)

// screen is a person at a terminal: a pseudo-terminal's other end.
type screen struct {
	t      *testing.T
	master *os.File
	slave  *os.File
	done   chan struct{}

	mu      sync.Mutex
	text    string
	read    int
	changed chan struct{}
}

func openScreen(t *testing.T) *screen {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	// Not by Fd, which would make reads that a Close cannot end.
	raw, err := master.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	number, ioctlErr := 0, error(nil)
	if err := raw.Control(func(fd uintptr) {
		if ioctlErr = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); ioctlErr == nil {
			number, ioctlErr = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}); err != nil || ioctlErr != nil {
		t.Skipf("no pseudo-terminals here: %v %v", err, ioctlErr)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	s := &screen{t: t, master: master, slave: slave, done: make(chan struct{}), changed: make(chan struct{})}
	go func() {
		defer close(s.done)
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.text += string(buffer[:n])
			close(s.changed)
			s.changed = make(chan struct{})
			s.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		master.Close() // hangs up, which ends every read of the slave
		<-s.done
		slave.Close()
	})
	return s
}

func (s *screen) keys(text string) {
	s.t.Helper()
	if _, err := s.master.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// shows waits until text appears after what was waited for before.
func (s *screen) shows(text string) {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		s.mu.Lock()
		if i := strings.Index(s.text[s.read:], text); i >= 0 {
			s.read += i + len(text)
			s.mu.Unlock()
			return
		}
		seen, changed := s.text[s.read:], s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			s.t.Fatalf("no %q on the screen:\n%q", text, seen)
		}
	}
}

// all is what was ever shown.
func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text
}

func (s *screen) start(args ...string) (status chan int, cancel context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	status = make(chan int, 1)
	go func() { status <- cli.Main(ctx, args, s.slave, s.slave, s.slave, deps()) }()
	return status, cancel
}

func TestPromptOnATerminal(t *testing.T) {
	home(t)
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	s := openScreen(t)
	before, err := term.GetState(int(s.slave.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	status, cancel := s.start("attach")
	defer cancel()
	s.shows("\x1b[32mconnected\x1b[0m")
	// Page text cannot paint the screen.
	s.shows("A test")
	s.keys("tr\t\r")
	s.shows("\x1b[1me1    \x1b[0m \x1b[36mbutton\x1b[0m \"Sign in\"\r\n")
	s.keys("click \t\r")
	s.shows(`click "Sign in"`)
	s.shows("done")
	s.keys(`{"type":"x.deny"}` + "\r")
	s.shows("ELEMENT_NOT_FOUND:")
	s.shows("try: look again")
	s.keys(`{"type":"x.say","n":2}` + "\r")
	s.shows("[log] 1")
	// History: two lines up is the deny.
	s.keys("\x1b[A\x1b[A\r")
	s.shows("ELEMENT_NOT_FOUND:")
	// Several ways to go on are listed.
	s.keys("c\t")
	s.shows("click  console")
	s.keys("\x7f\x04")
	select {
	case got := <-status:
		if got != 0 {
			t.Fatalf("status %d", got)
		}
	case <-time.After(patience):
		t.Fatal("Ctrl-D does not leave")
	}
	after, err := term.GetState(int(s.slave.Fd()))
	if err != nil || fmt.Sprint(*before) != fmt.Sprint(*after) {
		t.Fatalf("the terminal is not as it was: %v", err)
	}
	if strings.Contains(s.all(), "A \x1b[31mtest") {
		t.Fatal("an escape sequence of the page reached the terminal")
	}
}

func TestPromptWithoutColour(t *testing.T) {
	home(t)
	t.Setenv("NO_COLOR", "1")
	s := openScreen(t)
	status, cancel := s.start("attach")
	defer cancel()
	s.shows("connected to session default")
	s.keys("help\r")
	s.shows("click TARGET")
	s.keys("quit\r")
	if got := <-status; got != 0 {
		t.Fatalf("status %d", got)
	}
	if text := s.all(); strings.Contains(text, "\x1b[3") {
		t.Fatalf("colour: %q", text)
	}
}

// Ctrl-C and a signal leave it, and the terminal is as before.
func TestPromptInterrupted(t *testing.T) {
	home(t)
	for name, leave := range map[string]func(*screen, context.CancelFunc){
		"Ctrl-C": func(s *screen, _ context.CancelFunc) { s.keys("\x03") },
		"signal": func(_ *screen, cancel context.CancelFunc) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			s := openScreen(t)
			status, cancel := s.start("attach")
			defer cancel()
			s.shows("connected")
			leave(s, cancel)
			select {
			case got := <-status:
				if got != 0 {
					t.Fatalf("status %d", got)
				}
			case <-time.After(patience):
				t.Fatal("it stays")
			}
			s.keys("\r") // frees the reader that waits for a key
		})
	}
}
