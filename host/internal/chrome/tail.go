package chrome

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	tailLines  = 20
	tailWidth  = 500     // bytes kept of a line
	stderrFile = 4 << 20 // bytes of a log file; what comes later is counted
)

// tail reads a browser's stderr: the last lines are kept, and all of it goes to a
// file up to stderrFile bytes.
type tail struct {
	from *os.File
	file *os.File
	done chan struct{}

	mu      sync.Mutex
	lines   []string
	written int
	dropped int
}

// newTail begins to read. from is owned from here on; path may be empty.
func newTail(from *os.File, path string) (*tail, error) {
	t := &tail{from: from, done: make(chan struct{})}
	if path != "" {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return nil, err
		}
		t.file = file
	}
	go t.read()
	return t, nil
}

func (t *tail) read() {
	defer close(t.done)
	defer t.from.Close()
	lines := bufio.NewReaderSize(t.from, tailWidth)
	fresh := true
	for {
		piece, err := lines.ReadSlice('\n')
		t.keep(piece, fresh)
		fresh = !errors.Is(err, bufio.ErrBufferFull)
		if err != nil && fresh {
			break
		}
	}
	if t.file == nil {
		return
	}
	if t.dropped > 0 {
		_, _ = fmt.Fprintf(t.file, "\n(%d more bytes were not kept)\n", t.dropped)
	}
	_ = t.file.Close()
}

// keep takes a line, or a further piece of a long one, of which only the first is kept.
func (t *tail) keep(piece []byte, fresh bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if line := strings.TrimSpace(strings.ToValidUTF8(string(piece), "\uFFFD")); fresh && line != "" {
		if len(t.lines) == tailLines {
			t.lines = append(t.lines[:0], t.lines[1:]...)
		}
		t.lines = append(t.lines, line)
	}
	if t.file == nil {
		return
	}
	if t.written+len(piece) > stderrFile {
		t.dropped += len(piece)
		return
	}
	n, err := t.file.Write(piece)
	t.written += n
	if err != nil { // a full disk does not end a browser
		t.dropped += len(piece) - n
	}
}

// last gives the last lines.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}

// finish waits for the end of the stream, which a process that left the group could
// hold open; then it is cut off.
func (t *tail) finish(limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-t.done:
	case <-timer.C:
		_ = t.from.SetReadDeadline(time.Now())
		<-t.done
	}
}
