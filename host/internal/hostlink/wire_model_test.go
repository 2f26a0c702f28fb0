package hostlink

import (
	"io"
	"sync"
)

// wireBytes are the two pipes between the extension and its relay.
type wireBytes struct {
	mu      sync.Mutex
	left    [2]int // bytes until the cut; negative: none
	passed  [2]int
	held    chan struct{} // closed when nothing is held
	gone    chan struct{}
	ghost   chan struct{} // closed when the extension has left it, and nobody else knows
	fired   chan<- struct{}
	close   sync.Once
	readers [2]*io.PipeReader
	writers [2]*io.PipeWriter
}

// wireEnd is the writing end of one direction.
type wireEnd struct {
	wire *wireBytes
	way  int
}

func newWireBytes(up, down int, fired chan<- struct{}) *wireBytes {
	b := &wireBytes{fired: fired, left: [2]int{up, down}, held: make(chan struct{}), gone: make(chan struct{}), ghost: make(chan struct{})}
	close(b.held)
	for way := range b.readers {
		b.readers[way], b.writers[way] = io.Pipe()
	}
	return b
}

func (b *wireBytes) cut() {
	b.close.Do(func() {
		close(b.gone)
		for way := range b.readers {
			_ = b.writers[way].Close()
			_ = b.readers[way].CloseWithError(io.ErrClosedPipe)
		}
	})
}

func (b *wireBytes) hold(held bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.held:
		if held {
			b.held = make(chan struct{})
		}
	default:
		if !held {
			close(b.held)
		}
	}
}

// never takes the planned cut back.
func (b *wireBytes) never() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left = [2]int{-1, -1}
}

func (e wireEnd) Write(p []byte) (int, error) {
	b := e.wire
	b.mu.Lock()
	held := b.held
	b.mu.Unlock()
	select {
	case <-held:
	case <-b.gone:
		return 0, io.ErrClosedPipe
	}
	b.mu.Lock()
	n := len(p)
	cut := b.left[e.way] >= 0 && b.left[e.way] < n
	if cut {
		n = b.left[e.way]
	}
	if b.left[e.way] >= 0 {
		b.left[e.way] -= n
	}
	b.passed[e.way] += n
	b.mu.Unlock()
	if n > 0 {
		if _, err := b.writers[e.way].Write(p[:n]); err != nil {
			return 0, err
		}
	}
	if cut {
		b.cut()
		select {
		case b.fired <- struct{}{}:
		default:
		}
		return n, io.ErrClosedPipe
	}
	return n, nil
}

const (
	wayUp   = 0 // to the daemon
	wayDown = 1
)
