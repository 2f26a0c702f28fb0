package nativemsg

import (
	"encoding/binary"
	"io"
	"unicode/utf8"
)

// Writer writes native messages, each in one call of the underlying Write. It is for one goroutine.
type Writer struct {
	out   io.Writer
	limit int64
	buf   []byte
}

// NewWriter makes a Writer that refuses messages above limit bytes.
func NewWriter(out io.Writer, limit int) *Writer {
	return &Writer{out: out, limit: int64(limit)}
}

// Write sends one message. A message that the browser would drop, alter or
// answer by closing the port is refused before any byte is written: ErrEmpty,
// ErrInvalidUTF8, *TooLargeError.
func (w *Writer) Write(message []byte) error {
	switch {
	case len(message) == 0:
		return ErrEmpty
	case int64(len(message)) > w.limit:
		return &TooLargeError{Size: int64(len(message)), Limit: w.limit}
	case !utf8.Valid(message):
		return ErrInvalidUTF8
	}
	w.buf = binary.NativeEndian.AppendUint32(w.buf[:0], uint32(len(message)))
	w.buf = append(w.buf, message...)
	_, err := w.out.Write(w.buf)
	if cap(w.buf) > MaxToBrowser+headerSize {
		w.buf = nil // a rare large message is not kept in memory for ever
	}
	return err
}
