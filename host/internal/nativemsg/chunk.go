package nativemsg

import (
	"fmt"
	"time"
	"unicode/utf8"
)

const (
	// MaxStreams is the most messages that may be half arrived at a time.
	MaxStreams = 64
	// MaxOpenBytes is the most that all half arrived messages may hold together.
	MaxOpenBytes = 2 * MaxMessage
	// StreamTTL is how long a half arrived message waits for its next piece.
	StreamTTL = 30 * time.Second

	// rememberedStreams is how many ended streams are known by name, so that a
	// late copy of one of their pieces opens nothing.
	rememberedStreams = 256
)

// Split cuts text into pieces of at most size bytes, never inside a rune. The
// pieces share text's memory. Invalid UTF-8 is cut anywhere; size is at least utf8.UTFMax.
func Split(text []byte, size int) [][]byte {
	size = max(size, utf8.UTFMax)
	pieces := make([][]byte, 0, len(text)/size+1)
	for len(text) > size {
		cut := size
		for back := 0; back < utf8.UTFMax-1 && !utf8.RuneStart(text[cut]); back++ {
			cut--
		}
		if !utf8.RuneStart(text[cut]) {
			cut = size
		}
		pieces = append(pieces, text[:cut:cut])
		text = text[cut:]
	}
	return append(pieces, text)
}

// ChunkError says why a chunk was refused; the stream it names is dropped with
// all that had come of it, unless Reason is ChunkUnknown.
type ChunkError struct {
	Stream string
	Index  int
	Reason ChunkReason
}

// ChunkReason says what is wrong with a chunk.
type ChunkReason string

// The reasons of a ChunkError.
const (
	ChunkUnknown   ChunkReason = "unknown stream"
	ChunkReordered ChunkReason = "a piece is missing before this one"
	ChunkTooLarge  ChunkReason = "message is larger than the limit"
	ChunkTooMany   ChunkReason = "too many open streams"
)

func (e *ChunkError) Error() string {
	return fmt.Sprintf("chunk %d of stream %q refused: %s", e.Index, e.Stream, e.Reason)
}

// Reassembler puts chunked messages together. The zero value is ready; it is
// for one goroutine and reads no clock: callers say what time it is.
type Reassembler struct {
	streams map[string]*stream
	ended   map[string]struct{}
	order   []string // of ended, a ring
	next    int
	bytes   int
}

type stream struct {
	next  int
	text  []byte
	heard time.Time
}

// Add takes one chunk frame. It gives the whole text with the last piece, else
// nil. A piece that came before is ignored. The error is a *ChunkError.
func (r *Reassembler) Add(f *Frame, now time.Time) ([]byte, error) {
	refuse := func(reason ChunkReason) ([]byte, error) {
		return nil, &ChunkError{Stream: f.ID, Index: f.Index, Reason: reason}
	}
	s := r.streams[f.ID]
	if s == nil {
		if _, ended := r.ended[f.ID]; ended {
			return nil, nil
		}
		if f.Index != 0 {
			return refuse(ChunkUnknown)
		}
		if len(r.streams) >= MaxStreams {
			r.end(f.ID)
			return refuse(ChunkTooMany)
		}
		s = &stream{}
		if r.streams == nil {
			r.streams = make(map[string]*stream)
		}
		r.streams[f.ID] = s
	}
	switch {
	case f.Index < s.next:
		return nil, nil
	case f.Index > s.next:
		r.end(f.ID)
		return refuse(ChunkReordered)
	case len(s.text)+len(f.Data) > MaxMessage || r.bytes+len(f.Data) > MaxOpenBytes:
		r.end(f.ID)
		return refuse(ChunkTooLarge)
	}
	s.text = append(s.text, f.Data...)
	s.next++
	s.heard = now
	r.bytes += len(f.Data)
	if !f.Last {
		return nil, nil
	}
	text := s.text
	r.end(f.ID)
	return text, nil
}

// end forgets a stream's text and remembers its name.
func (r *Reassembler) end(id string) {
	if s := r.streams[id]; s != nil {
		r.bytes -= len(s.text)
		delete(r.streams, id)
	}
	if r.ended == nil {
		r.ended = make(map[string]struct{}, rememberedStreams)
		r.order = make([]string, rememberedStreams)
	}
	if old := r.order[r.next]; old != "" {
		delete(r.ended, old)
	}
	r.order[r.next] = id
	r.ended[id] = struct{}{}
	r.next = (r.next + 1) % rememberedStreams
}

// Expire drops the streams that have waited longer than StreamTTL and names them.
func (r *Reassembler) Expire(now time.Time) []string {
	var expired []string
	for id, s := range r.streams {
		if now.Sub(s.heard) > StreamTTL {
			expired = append(expired, id)
		}
	}
	for _, id := range expired {
		r.end(id)
	}
	return expired
}

// Hear gives one open stream its full time again: its next piece has come.
func (r *Reassembler) Hear(id string, now time.Time) {
	if s := r.streams[id]; s != nil {
		s.heard = now
	}
}

// Touch gives every open stream its full time again, as after an interruption that was nobody's fault.
func (r *Reassembler) Touch(now time.Time) {
	for _, s := range r.streams {
		s.heard = now
	}
}

// Open tells how many streams are half arrived, and how many bytes they hold.
func (r *Reassembler) Open() (streams, bytes int) { return len(r.streams), r.bytes }
