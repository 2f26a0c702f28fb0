//go:build windows

package chrome

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/websocket"
)

// channelFlags: descriptors cannot be handed to a program here, so that Chrome
// opens a port of its choice on loopback and writes it into its profile.
var channelFlags = []string{"--remote-debugging-port=0"}

type channel struct{}

func openChannel(*exec.Cmd) (*channel, error) { return &channel{}, nil }
func (*channel) started()                     {}
func (*channel) close()                       {}

func (*channel) transport(p *Process) cdp.Transport { return newLate(p) }

// portPoll is how often the port's file is looked for: Windows tells nobody else cheaply.
const portPoll = 10 * time.Millisecond

// late is a transport that connects when the browser has written its port.
type late struct {
	ready  chan struct{}
	inner  cdp.Transport
	err    error
	cancel context.CancelFunc
}

func newLate(p *Process) *late {
	ctx, cancel := context.WithCancel(context.Background())
	l := &late{ready: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(l.ready)
		l.inner, l.err = l.connect(ctx, p)
	}()
	return l
}

func (l *late) connect(ctx context.Context, p *Process) (cdp.Transport, error) {
	ticker := time.NewTicker(portPoll)
	defer ticker.Stop()
	for {
		if info, err := os.Stat(filepath.Join(p.dir, portFile)); err == nil && !info.ModTime().Before(p.started.Truncate(time.Second)) {
			if address, err := readPortFile(p.dir); err == nil {
				return websocket.Dial(ctx, address, nil)
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.done:
			return nil, cdp.ErrClosed
		case <-ticker.C:
		}
	}
}

func (l *late) Read() ([]byte, error) {
	if <-l.ready; l.err != nil {
		return nil, l.err
	}
	return l.inner.Read()
}

func (l *late) Write(message []byte) error {
	if <-l.ready; l.err != nil {
		return l.err
	}
	return l.inner.Write(message)
}

func (l *late) Close() error {
	l.cancel()
	if <-l.ready; l.err != nil {
		return nil
	}
	return l.inner.Close()
}

// group is a job object: what is in it ends with its last handle, ours.
type group struct {
	process *os.Process

	mu  sync.Mutex
	job windows.Handle // 0 when it is closed: the number may be another's then
}

func startGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("job object: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("job object: %w", err)
	}
	if err := cmd.Start(); err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	g := &group{job: job, process: cmd.Process}
	if handle, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid)); err == nil {
		_ = windows.AssignProcessToJobObject(job, handle)
		_ = windows.CloseHandle(handle)
	}
	return g, nil
}

// terminate: a program without a console takes no gentle signal; the closed
// connection was the gentle way.
func (g *group) terminate() {}

func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		_ = g.process.Kill()
	}
}

// reap waits for the browser's end; the job's end takes the rest.
func (g *group) reap(cmd *exec.Cmd) error {
	err := cmd.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = windows.TerminateJobObject(g.job, 1)
	_ = windows.CloseHandle(g.job)
	g.job = 0
	return err
}

func freeShm() (uint64, bool) { return 0, false }

func born(pid int) string {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(handle)
	var created, exited, kernel, user windows.Filetime
	var code uint32
	if windows.GetProcessTimes(handle, &created, &exited, &kernel, &user) != nil ||
		windows.GetExitCodeProcess(handle, &code) != nil || code != 259 { // STILL_ACTIVE
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

// usesProfile: Chrome holds its lock file open here instead of a link.
func usesProfile(int, string) bool { return false }

func killOrphan(pid int) {
	if process, err := os.FindProcess(pid); err == nil {
		_ = process.Kill()
	}
}
