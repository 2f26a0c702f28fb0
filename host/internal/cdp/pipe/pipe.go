// Package pipe carries DevTools messages over two files, each message ended by a
// NUL byte: what --remote-debugging-pipe speaks on descriptors 3 and 4.
package pipe

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
)

// chunk is how much is read at once.
const chunk = 64 << 10

// errNUL refuses a message that would arrive as two. JSON cannot hold the byte.
var errNUL = errors.New("a DevTools message holds a NUL byte")

type transport struct {
	to     io.WriteCloser
	from   io.ReadCloser
	limit  int
	buffer []byte // what was read
	start  int    // where the next message begins in it
	close  func() error
}

// New takes both files over.
func New(toBrowser io.WriteCloser, fromBrowser io.ReadCloser) cdp.Transport {
	return NewLimit(toBrowser, fromBrowser, cdp.MaxFromBrowser)
}

// NewLimit is New with another limit for messages from the browser.
func NewLimit(toBrowser io.WriteCloser, fromBrowser io.ReadCloser, limit int) cdp.Transport {
	return &transport{to: toBrowser, from: fromBrowser, limit: limit, close: sync.OnceValue(func() error {
		return errors.Join(toBrowser.Close(), fromBrowser.Close())
	})}
}

// Read gives the next message. Bytes without a NUL before the end of the stream
// are not a message.
func (t *transport) Read() ([]byte, error) {
	searched := t.start
	for {
		if at := bytes.IndexByte(t.buffer[searched:], 0); at >= 0 {
			end := searched + at
			if end-t.start > t.limit {
				return nil, cdp.ErrMessageTooBig
			}
			return t.take(end), nil
		}
		searched = len(t.buffer)
		if searched-t.start > t.limit {
			return nil, cdp.ErrMessageTooBig
		}
		moved, err := t.fill()
		searched -= moved
		if err != nil {
			return nil, err
		}
	}
}

// take cuts the message off. A large one keeps the buffer it was read into, instead
// of being copied; a small one is copied, so that keeping it keeps no more.
func (t *transport) take(end int) []byte {
	message := t.buffer[t.start:end:end]
	rest := t.buffer[end+1:]
	if len(message) >= chunk {
		t.buffer, t.start = append(make([]byte, 0, chunk), rest...), 0
		return message
	}
	t.start = end + 1
	return bytes.Clone(message)
}

// fill reads more, and says by how much the buffer's content moved to the front.
func (t *transport) fill() (moved int, err error) {
	if t.start > 0 && (t.start == len(t.buffer) || cap(t.buffer)-len(t.buffer) < chunk) {
		moved = t.start
		t.buffer = t.buffer[:copy(t.buffer, t.buffer[t.start:])]
		t.start = 0
	}
	if cap(t.buffer)-len(t.buffer) < chunk {
		larger := make([]byte, len(t.buffer), 2*cap(t.buffer)+chunk)
		copy(larger, t.buffer)
		t.buffer = larger
	}
	n, err := t.from.Read(t.buffer[len(t.buffer):cap(t.buffer)])
	t.buffer = t.buffer[:len(t.buffer)+n]
	if n > 0 {
		err = nil // told again by the next read
	}
	return moved, err
}

func (t *transport) Write(message []byte) error {
	if bytes.IndexByte(message, 0) >= 0 {
		return errNUL
	}
	// One write, so that no half of a small message is ever alone in the pipe.
	_, err := t.to.Write(append(message, 0))
	return err
}

func (t *transport) Close() error { return t.close() }
