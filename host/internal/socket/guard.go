package socket

import (
	"encoding/binary"
	"fmt"
	"net"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

// Opcodes of RFC 6455 section 11.8.
const (
	opContinuation = 0x0
	opText         = 0x1
	opBinary       = 0x2
	opClose        = 0x8
	opPing         = 0x9
	opPong         = 0xA
)

// Frames that carry nothing (control frames, fragments shorter than tinyFragment)
// are allowed in a burst and then at a rate; beyond it the peer is flooding.
const (
	cheapBurst   = 2000
	cheapRate    = 200 // a second
	tinyFragment = 16
)

const maxControl = 125

// Violation is why a connection is closed by us.
type Violation struct {
	Code   websocket.StatusCode
	Reason string
}

func (v *Violation) Error() string { return fmt.Sprintf("close %d: %s", v.Code, v.Reason) }

// guard is the peer's connection as the library reads it. It follows the frames
// that pass, and ends the stream in front of the first one that must not be read.
// Only one goroutine reads.
type guard struct {
	net.Conn
	buffered []byte // what net/http read behind the request
	limit    int64  // of a message
	now      func() time.Time
	began    time.Time
	heard    atomic.Int64 // when the peer last said something: nanoseconds since began, whatever the wall clock does

	header    [14]byte
	have      int
	claimed   uint64 // payload length that the header says
	left      uint64 // payload bytes of the frame still to come
	opcode    byte
	mask      [4]byte
	position  int // in the payload of a control frame
	control   [maxControl]byte
	message   int64 // bytes claimed by the fragments of the open message
	open      bool  // a fragmented message is open
	cheap     float64
	cheapTime time.Time
	broken    *Violation
}

// Read gives the bytes of whole and allowed beginnings of frames only.
func (g *guard) Read(p []byte) (int, error) {
	if g.broken != nil {
		return 0, g.broken
	}
	var n int
	var err error
	if len(g.buffered) > 0 {
		n = copy(p, g.buffered)
		g.buffered = g.buffered[n:]
	} else {
		n, err = g.Conn.Read(p)
	}
	if n > 0 {
		g.heard.Store(int64(g.now().Sub(g.began)))
	}
	if good, v := g.follow(p[:n]); v != nil {
		g.broken = v
		if good > 0 {
			return good, nil
		}
		return 0, v
	}
	return n, err
}

// silent is for how long the peer has said nothing.
func (g *guard) silent() time.Duration { return g.now().Sub(g.began) - time.Duration(g.heard.Load()) }

// Close does nothing: the library would close before our own close frame is
// out. The peer closes the connection itself.
func (g *guard) Close() error { return nil }

// Write drops what the library writes: its only writes are answers to close
// frames, which the peer gives itself, behind the message in progress.
func (g *guard) Write(p []byte) (int, error) { return len(p), nil }

// follow walks over the frames in data. When one is not allowed it gives the
// number of bytes before it.
func (g *guard) follow(data []byte) (good int, v *Violation) {
	for i := 0; i < len(data); {
		if g.left > 0 {
			n := int(min(g.left, uint64(len(data)-i)))
			if g.opcode >= opClose {
				for j, b := range data[i : i+n] {
					g.control[g.position+j] = b ^ g.mask[(g.position+j)%4]
				}
				g.position += n
			}
			g.left -= uint64(n)
			i += n
			if g.left == 0 {
				if v := g.frameEnd(); v != nil {
					return good, v
				}
				good = i
			}
			continue
		}
		g.header[g.have] = data[i]
		g.have++
		i++
		if v := g.early(); v != nil {
			return good, v
		}
		if g.have < g.headerLen() {
			continue
		}
		if v := g.frameStart(); v != nil {
			return good, v
		}
		if g.left == 0 {
			if v := g.frameEnd(); v != nil {
				return good, v
			}
			good = i
		}
	}
	return len(data), nil
}

// headerLen is the length of the frame's header, as far as it is known.
func (g *guard) headerLen() int {
	if g.have < 2 {
		return 2
	}
	n := 2 + 4 // every frame of a client is masked
	switch g.header[1] & 0x7f {
	case 126:
		n += 2
	case 127:
		n += 8
	}
	return n
}

// early refuses what the first two bytes show, without waiting for more.
func (g *guard) early() *Violation {
	refuse := func(reason string) *Violation { return &Violation{websocket.StatusProtocolError, reason} }
	first, opcode := g.header[0], g.header[0]&0x0f
	if g.have == 1 {
		switch {
		case first&0x70 != 0:
			return refuse("reserved bits are set")
		case opcode == opBinary:
			return &Violation{websocket.StatusUnsupportedData, "messages are text"}
		case opcode > opBinary && opcode < opClose || opcode > opPong:
			return refuse("unknown opcode")
		case opcode >= opClose && first&0x80 == 0:
			return refuse("control frame in pieces")
		case opcode == opContinuation && !g.open:
			return refuse("continuation of nothing")
		case opcode == opText && g.open:
			return refuse("new message inside another")
		}
	}
	if g.have == 2 {
		switch {
		case g.header[1]&0x80 == 0:
			return refuse("frame is not masked")
		case opcode >= opClose && g.header[1]&0x7f > maxControl:
			return refuse("control frame is too long")
		}
	}
	if g.have < 2 || g.have != g.headerLen()-len(g.mask) {
		return nil
	}
	return g.claim()
}

// claim takes the length, as soon as it is there.
func (g *guard) claim() *Violation {
	opcode, length := g.header[0]&0x0f, uint64(g.header[1]&0x7f)
	switch length {
	case 126:
		length = uint64(binary.BigEndian.Uint16(g.header[2:]))
		if length < 126 {
			return &Violation{websocket.StatusProtocolError, "length is not minimal"}
		}
	case 127:
		length = binary.BigEndian.Uint64(g.header[2:])
		if length < 1<<16 || length >= 1<<63 {
			return &Violation{websocket.StatusProtocolError, "length is not minimal"}
		}
	}
	if opcode < opClose {
		if opcode == opText {
			g.message = 0
		}
		if length > uint64(g.limit) || g.message+int64(length) > g.limit {
			return &Violation{websocket.StatusMessageTooBig, fmt.Sprintf("a message is at most %d bytes", g.limit)}
		}
		g.message += int64(length)
	}
	g.claimed = length
	return nil
}

// frameStart takes a complete header.
func (g *guard) frameStart() *Violation {
	g.opcode = g.header[0] & 0x0f
	copy(g.mask[:], g.header[g.have-len(g.mask):g.have])
	g.left, g.have, g.position = g.claimed, 0, 0
	if g.opcode >= opClose {
		return g.spendCheap()
	}
	g.open = g.header[0]&0x80 == 0
	if g.left < tinyFragment && (g.open || g.opcode == opContinuation) {
		return g.spendCheap()
	}
	return nil
}

// frameEnd looks into the close frames.
func (g *guard) frameEnd() *Violation {
	if g.opcode != opClose || g.position == 0 {
		return nil
	}
	payload := g.control[:g.position]
	if len(payload) == 1 {
		return &Violation{websocket.StatusProtocolError, "close code is cut"}
	}
	code := binary.BigEndian.Uint16(payload)
	switch {
	case code < 1000, code >= 1004 && code <= 1006, code >= 1015 && code < 3000, code >= 5000:
		return &Violation{websocket.StatusProtocolError, "close code is not valid"}
	case !utf8.Valid(payload[2:]):
		return &Violation{websocket.StatusInvalidFramePayloadData, "close reason is not UTF-8"}
	}
	return nil
}

func (g *guard) spendCheap() *Violation {
	now := time.Now()
	if !g.cheapTime.IsZero() {
		g.cheap = max(0, g.cheap-now.Sub(g.cheapTime).Seconds()*cheapRate)
	}
	g.cheapTime = now
	if g.cheap++; g.cheap > cheapBurst {
		return &Violation{websocket.StatusPolicyViolation, "too many empty frames"}
	}
	return nil
}

// appendFrame adds the header and the payload of one unmasked, final frame.
func appendFrame(buffer []byte, opcode byte, payload []byte) []byte {
	return append(appendHeader(buffer, opcode, len(payload)), payload...)
}

func appendHeader(buffer []byte, opcode byte, length int) []byte {
	buffer = append(buffer, 0x80|opcode)
	switch {
	case length < 126:
		return append(buffer, byte(length))
	case length < 1<<16:
		return binary.BigEndian.AppendUint16(append(buffer, 126), uint16(length))
	}
	return binary.BigEndian.AppendUint64(append(buffer, 127), uint64(length))
}

// closePayload is the payload of a close frame; code 0 means none.
func closePayload(code websocket.StatusCode, reason string) []byte {
	if code <= 0 || code == websocket.StatusNoStatusRcvd {
		return nil
	}
	return append(binary.BigEndian.AppendUint16(nil, uint16(code)), reason[:min(len(reason), maxControl-2)]...)
}
