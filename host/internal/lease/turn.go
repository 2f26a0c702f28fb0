package lease

import (
	"context"
	"sync"
	"time"
)

// Turn lets one command of a context change things at a time, in the order in which
// they came. The zero value is ready to use.
type Turn struct {
	mu      sync.Mutex
	current string
	since   time.Time
	queue   []chan struct{}
}

// MaxWaiting bounds the commands that wait for their turn.
const MaxWaiting = 1024

// Waiting is what stands between a command and its turn.
type Waiting struct {
	Current string // the command whose turn it is
	Since   time.Time
	Count   int // that wait
}

// Take waits for the turn; done ends it. It gives what stood in the way when ctx ended,
// or when too many wait already (full).
func (t *Turn) Take(ctx context.Context, command string) (done func(), stood Waiting, full bool) {
	t.mu.Lock()
	if t.current == "" {
		t.current, t.since = command, time.Now()
		t.mu.Unlock()
		return t.done(), Waiting{}, false
	}
	if len(t.queue) >= MaxWaiting {
		stood = t.state()
		t.mu.Unlock()
		return nil, stood, true
	}
	mine := make(chan struct{})
	t.queue = append(t.queue, mine)
	t.mu.Unlock()
	select {
	case <-mine:
		t.mu.Lock()
		t.current, t.since = command, time.Now()
		t.mu.Unlock()
		return t.done(), Waiting{}, false
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	stood = t.state()
	for i, waiting := range t.queue {
		if waiting == mine {
			t.queue = append(t.queue[:i:i], t.queue[i+1:]...)
			return nil, stood, false
		}
	}
	t.next() // it was given to us in this very moment
	return nil, stood, false
}

func (t *Turn) done() func() {
	var once sync.Once
	return func() {
		once.Do(func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.next()
		})
	}
}

// next gives the turn to who waits longest. t.mu is held.
func (t *Turn) next() {
	if len(t.queue) == 0 {
		t.current = ""
		return
	}
	// current stays set, so that nobody overtakes the one who is woken here.
	close(t.queue[0])
	t.queue = t.queue[1:]
}

// State tells whose turn it is and how many wait.
func (t *Turn) State() Waiting {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state()
}

func (t *Turn) state() Waiting {
	return Waiting{Current: t.current, Since: t.since, Count: len(t.queue)}
}
