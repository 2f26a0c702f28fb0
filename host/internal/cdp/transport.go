package cdp

import "errors"

const (
	// MaxFromBrowser is the largest message a transport takes from a browser. The
	// accessibility tree of 200,000 elements is near it.
	MaxFromBrowser = 256 << 20
	// MaxToBrowser is Chromium's own limit for what it takes (kReceiveBufferSizeForDevTools,
	// content/browser/devtools); beyond it a WebSocket is
	// reset, and a pipe is never read again.
	MaxToBrowser = 100<<20 - 1
)

// ErrMessageTooBig ends a connection whose peer sent more than MaxFromBrowser at once.
var ErrMessageTooBig = errors.New("a message from the browser is larger than the limit")

// Transport carries whole messages. Read is called by one goroutine at a time and
// so is Write; Close may be called at any time, more than once, and unblocks both.
// The slice that Read returns belongs to the caller.
type Transport interface {
	Read() ([]byte, error)
	Write(message []byte) error
	Close() error
}
