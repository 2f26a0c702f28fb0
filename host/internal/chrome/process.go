package chrome

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const (
	closeGrace = 5 * time.Second // from the closed connection to SIGTERM; a healthy Chrome needs 0.1 s
	termGrace  = 2 * time.Second // from SIGTERM to SIGKILL
	killGrace  = 5 * time.Second // from SIGKILL to giving up
	drainGrace = time.Second     // for what is left in stderr after the end
)

// Process is a launched Chrome.
type Process struct {
	cmd       *exec.Cmd
	group     *group
	transport cdp.Transport
	dir       string
	started   time.Time
	identity  Identity
	product   string
	stderr    *tail
	done      chan struct{}

	mu     sync.Mutex
	forced string // what Stop had to do
	exit   string // how it ended; set before done is closed
}

// Transport is the DevTools connection of the browser.
func (p *Process) Transport() cdp.Transport { return p.transport }

// Pid is the browser's process id.
func (p *Process) Pid() int { return p.identity.Pid }

// Identity names the process for as long as the machine runs, even when its id is
// given to another one later.
func (p *Process) Identity() Identity { return p.identity }

// StartedAt is when it was started.
func (p *Process) StartedAt() time.Time { return p.started }

// UserDataDir is the profile directory, absolute.
func (p *Process) UserDataDir() string { return p.dir }

// Version is the browser's own name and version, such as Chrome/156.0.8078.79.
func (p *Process) Version() string { return p.product }

// Done is closed when the process has ended and its group is gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how the process ended, with its last words; "" while it runs.
func (p *Process) Exit() string {
	select {
	case <-p.done:
	default:
		return ""
	}
	p.mu.Lock()
	how := p.exit
	if p.forced != "" {
		how += ", after " + p.forced
	}
	p.mu.Unlock()
	if last := p.stderr.last(); last != "" {
		how += "; its last words:\n" + last
	}
	return how
}

// Stop ends the browser: it closes the connection and waits, then SIGTERM, then
// SIGKILL of the whole group. When ctx ends, the group is killed at once. The error
// says that something of it still runs.
func (p *Process) Stop(ctx context.Context) error {
	_ = p.transport.Close()
	if p.wait(ctx, closeGrace) {
		return nil
	}
	if ctx.Err() == nil {
		p.force("SIGTERM")
		p.group.terminate()
		if p.wait(ctx, termGrace) {
			return nil
		}
	}
	p.force("SIGKILL")
	p.group.kill()
	if p.wait(context.WithoutCancel(ctx), killGrace) {
		return nil
	}
	return fault.New(fault.InternalError, "the browser (process %d) does not end", p.Pid()).With("pid", p.Pid()).
		Suggest(fmt.Sprintf("End it by hand: `kill -9 %d`", p.Pid()))
}

func (p *Process) force(how string) {
	p.mu.Lock()
	p.forced = how
	p.mu.Unlock()
}

func (p *Process) wait(ctx context.Context, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// reap waits for the end. What the browser started ends with it.
func (p *Process) reap() {
	err := p.group.reap(p.cmd)
	p.stderr.finish(drainGrace)
	ClearSocket(p.dir)
	how := "it ended with exit status 0"
	if err != nil {
		how = "it ended with " + strings.TrimSpace(err.Error())
	}
	p.mu.Lock()
	p.exit = how
	p.mu.Unlock()
	close(p.done)
}
