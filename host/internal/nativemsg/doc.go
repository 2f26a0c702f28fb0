// Package nativemsg holds the two formats of the link between the extension
// and the daemon: Chrome's native messaging (a length in native byte order,
// then that many bytes of UTF-8 JSON) and the frames inside the messages.
//
// It is a leaf: it imports nothing of ours, reads no clock and does no I/O but
// through the io.Reader and io.Writer it is given. All that it decodes is
// untrusted: it allocates by what has arrived, never by what a header claims,
// and every refusal is a typed error.
//
// Format: https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging
package nativemsg

import (
	"errors"
	"fmt"
)

const (
	// MaxToBrowser is Chrome's limit of one message to the extension. One byte
	// more and Chrome closes the port.
	MaxToBrowser = 1 << 20
	// MaxFromBrowser is Chrome's limit of one message from the extension. One
	// byte more and postMessage throws.
	MaxFromBrowser = 64 << 20
	// MaxMessage is the most that one message put together from chunks may hold.
	MaxMessage = 64 << 20
	// PieceToBrowser is the size of a chunk's piece on the way to the extension.
	// Escaping at most doubles it, so the frame stays below MaxToBrowser.
	PieceToBrowser = 480_000
	// PieceFromBrowser is the size of a chunk's piece from the extension.
	PieceFromBrowser = 8 << 20

	headerSize = 4
)

// ErrEmpty is the error of a message of length zero. The stream goes on after it.
var ErrEmpty = errors.New("native message of length zero")

// ErrInvalidUTF8 is the error of a message that is not UTF-8: Chrome would
// deliver it with its bytes silently replaced.
var ErrInvalidUTF8 = errors.New("native message is not valid UTF-8")

// TooLargeError says that a message is, or claims to be, larger than the limit.
// After it a Reader is of no more use: what follows the header cannot be trusted.
type TooLargeError struct {
	Size  int64
	Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("native message of %d bytes exceeds the limit of %d", e.Size, e.Limit)
}

// TruncatedError says that the stream ended inside a message.
type TruncatedError struct {
	Header bool  // within the length prefix
	Want   int64 // bytes the part should have
	Got    int64 // bytes it had
}

func (e *TruncatedError) Error() string {
	part := "body"
	if e.Header {
		part = "length prefix"
	}
	return fmt.Sprintf("native message ends within its %s: %d of %d bytes", part, e.Got, e.Want)
}
