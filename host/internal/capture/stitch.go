package capture

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/draw"
	"io"
)

// Stitcher writes a PNG from strips, one below the other, and holds no more than one
// of them: a page of any length costs the memory of a strip. Close it at the end.
type Stitcher struct {
	out    *bufio.Writer
	body   *zlib.Writer
	chunks *chunkWriter
	width  int
	height int
	at     int
	row    []byte
	above  []byte
}

// NewStitcher begins a PNG of that size.
func NewStitcher(w io.Writer, width, height int) (*Stitcher, error) {
	s := &Stitcher{out: bufio.NewWriterSize(w, 64<<10), width: width, height: height}
	if _, err := s.out.WriteString("\x89PNG\r\n\x1a\n"); err != nil {
		return nil, err
	}
	s.chunks = &chunkWriter{out: s.out}
	var head [13]byte
	binary.BigEndian.PutUint32(head[0:], uint32(width))
	binary.BigEndian.PutUint32(head[4:], uint32(height))
	head[8], head[9] = 8, 2 // eight bits a channel, RGB
	if err := s.chunks.chunk("IHDR", head[:]); err != nil {
		return nil, err
	}
	body, err := zlib.NewWriterLevel(s.chunks, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	s.body = body
	s.row, s.above = make([]byte, 1+3*width), make([]byte, 1+3*width)
	return s, nil
}

// Add appends a strip's rows, as many as there is room for.
func (s *Stitcher) Add(strip image.Image) error {
	b := strip.Bounds()
	pixels, ok := strip.(*image.RGBA)
	if !ok {
		pixels = image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(pixels, pixels.Bounds(), strip, b.Min, draw.Src)
		b = pixels.Bounds()
	}
	for y := b.Min.Y; y < b.Max.Y && s.at < s.height; y++ {
		line := pixels.Pix[pixels.PixOffset(b.Min.X, y):]
		s.row[0] = 2 // each byte less the one above it: pages are made of boxes
		for x := range s.width {
			var r, g, blue byte = 0xff, 0xff, 0xff
			if x < b.Dx() {
				r, g, blue = line[4*x], line[4*x+1], line[4*x+2]
			}
			i := 1 + 3*x
			s.row[i], s.above[i] = r-s.above[i], r
			s.row[i+1], s.above[i+1] = g-s.above[i+1], g
			s.row[i+2], s.above[i+2] = blue-s.above[i+2], blue
		}
		if _, err := s.body.Write(s.row); err != nil {
			return err
		}
		s.at++
	}
	return nil
}

// Rows is how many rows are written.
func (s *Stitcher) Rows() int { return s.at }

// Close ends the file; it is an error when rows are missing.
func (s *Stitcher) Close() error {
	if s.at < s.height {
		return errors.New("capture: rows of the image are missing")
	}
	if err := s.body.Close(); err != nil {
		return err
	}
	if err := s.chunks.flush(); err != nil {
		return err
	}
	if err := s.chunks.chunk("IEND", nil); err != nil {
		return err
	}
	return s.out.Flush()
}

// chunkWriter writes what it is given as IDAT chunks.
type chunkWriter struct {
	out  io.Writer
	data []byte
}

const maxChunk = 1 << 16

func (c *chunkWriter) Write(data []byte) (int, error) {
	c.data = append(c.data, data...)
	if len(c.data) < maxChunk {
		return len(data), nil
	}
	return len(data), c.flush()
}

func (c *chunkWriter) flush() error {
	if len(c.data) == 0 {
		return nil
	}
	err := c.chunk("IDAT", c.data)
	c.data = c.data[:0]
	return err
}

func (c *chunkWriter) chunk(kind string, data []byte) error {
	var head [8]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(data)))
	copy(head[4:], kind)
	sum := crc32.NewIEEE()
	_, _ = sum.Write(head[4:]) // a hash never fails
	_, _ = sum.Write(data)
	var tail [4]byte
	binary.BigEndian.PutUint32(tail[:], sum.Sum32())
	for _, part := range [...][]byte{head[:], data, tail[:]} {
		if _, err := c.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}
