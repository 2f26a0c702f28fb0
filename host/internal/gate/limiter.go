package gate

import (
	"sync"
	"time"
)

// Wrong tokens answered with 401 before 429 begins, and the time for one more.
const (
	guessBurst = 20
	guessEvery = 3 * time.Second // 20 a minute
)

// limiter is a token bucket of wrong guesses. It only chooses the answer to a
// wrong one: valid tokens never meet it.
type limiter struct {
	now func() time.Time

	mu   sync.Mutex
	used float64
	last time.Time
}

func (l *limiter) allow() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if !l.last.IsZero() {
		l.used = max(0, l.used-float64(now.Sub(l.last))/float64(guessEvery))
	}
	l.last = now
	if l.used+1 > guessBurst {
		return false
	}
	l.used++
	return true
}
