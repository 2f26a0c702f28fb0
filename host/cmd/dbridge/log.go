package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// lossy writes log lines, without the values of secrets, and goes on where that fails, as
// on a full disk. The first line
// that can be written again is preceded by one that says how many were lost.
type lossy struct {
	to io.Writer

	mu   sync.Mutex
	lost int
	torn bool // the last line is only half there
}

func (l *lossy) Write(given []byte) (int, error) {
	line := redact.KnownJSON(given)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost > 0 && !l.put(fmt.Appendf(nil, `{"level":"warn","lost":%d,"time":%q,"message":"lines of the log could not be written"}`+"\n", l.lost, time.Now().Format(time.RFC3339))) {
		l.lost++
		return len(given), nil
	}
	l.lost = 0
	if !l.put(line) {
		l.lost++
	}
	return len(given), nil
}

// put writes one whole line or remembers that it is torn.
func (l *lossy) put(line []byte) bool {
	if l.torn {
		if _, err := l.to.Write([]byte{'\n'}); err != nil {
			return false
		}
		l.torn = false
	}
	n, err := l.to.Write(line)
	l.torn = err != nil && n > 0
	return err == nil
}
