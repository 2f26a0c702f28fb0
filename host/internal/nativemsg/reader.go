package nativemsg

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// firstBlock is what a Reader allocates before the first byte of a large body came.
const firstBlock = 64 << 10

// Reader reads native messages. It is for one goroutine.
type Reader struct {
	in    *bufio.Reader
	limit int64
}

// NewReader makes a Reader that refuses messages above limit bytes.
func NewReader(in io.Reader, limit int) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 64<<10), limit: int64(limit)}
}

// Read gives the next message, in memory of its own.
//
// At the end of the stream between two messages the error is io.EOF, within one
// *TruncatedError. ErrEmpty leaves the Reader usable; after any other error the
// stream is out of step and must be given up.
func (r *Reader) Read() ([]byte, error) {
	var header [headerSize]byte
	if n, err := io.ReadFull(r.in, header[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, &TruncatedError{Header: true, Want: headerSize, Got: int64(n)}
		}
		return nil, err
	}
	size := int64(binary.NativeEndian.Uint32(header[:]))
	switch {
	case size == 0:
		return nil, ErrEmpty
	case size > r.limit:
		return nil, &TooLargeError{Size: size, Limit: r.limit}
	}
	return r.body(size)
}

// body reads size bytes in blocks, each no larger than what came before it, so
// that a false length costs no memory.
func (r *Reader) body(size int64) ([]byte, error) {
	var blocks [][]byte
	var got int64
	for got < size {
		block := make([]byte, min(size-got, max(got, firstBlock)))
		n, err := io.ReadFull(r.in, block)
		got += int64(n)
		if err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
				return nil, &TruncatedError{Want: size, Got: got}
			}
			return nil, err
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 1 {
		return blocks[0], nil
	}
	body := make([]byte, 0, size)
	for _, block := range blocks {
		body = append(body, block...)
	}
	return body, nil
}
