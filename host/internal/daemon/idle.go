package daemon

import (
	"sync"
	"time"
)

// idleTimer calls end after a time in which busy was never true.
type idleTimer struct {
	after time.Duration
	busy  func() bool
	end   func()

	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
}

// newIdleTimer starts counting; after 0 never ends.
func newIdleTimer(after time.Duration, busy func() bool, end func()) *idleTimer {
	i := &idleTimer{after: after, busy: busy, end: end}
	i.touch()
	return i
}

// touch starts counting anew.
func (i *idleTimer) touch() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stopped || i.after == 0 {
		return
	}
	if i.timer != nil {
		i.timer.Stop()
	}
	i.timer = time.AfterFunc(i.after, i.fire)
}

func (i *idleTimer) fire() {
	if i.busy() {
		i.touch()
		return
	}
	i.mu.Lock()
	stopped := i.stopped
	i.mu.Unlock()
	if !stopped {
		i.end()
	}
}

func (i *idleTimer) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stopped = true
	if i.timer != nil {
		i.timer.Stop()
	}
}
