package pipe_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/cdptest"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/pipe"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is the browser's end of two pipes.
type peer struct {
	from    *bufio.Reader
	to      io.WriteCloser
	closing func()
}

func (p *peer) Receive() ([]byte, error) {
	message, err := p.from.ReadBytes(0)
	return bytes.TrimSuffix(message, []byte{0}), err
}

func (p *peer) Send(message []byte) error {
	_, err := p.to.Write(append(bytes.Clone(message), 0))
	return err
}

func (p *peer) Close() error {
	p.closing()
	return nil
}

func open(t *testing.T, limit int) (cdp.Transport, cdptest.Peer) {
	t.Helper()
	toRead, toWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromRead, fromWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return pipe.NewLimit(toWrite, fromRead, limit), &peer{bufio.NewReader(toRead), fromWrite, func() {
		_ = toRead.Close()
		_ = fromWrite.Close()
	}}
}

func TestContract(t *testing.T) { cdptest.Run(t, "pipe", open) }

// pieces gives a stream in given portions.
type pieces struct {
	stream []byte
	sizes  []byte
	turn   int
}

func (p *pieces) Read(into []byte) (int, error) {
	if len(p.stream) == 0 {
		return 0, io.EOF
	}
	size := len(p.stream)
	if len(p.sizes) > 0 {
		size = int(p.sizes[p.turn%len(p.sizes)])*97 + 1
		p.turn++
	}
	n := copy(into, p.stream[:min(size, len(p.stream))])
	p.stream = p.stream[n:]
	return n, nil
}

func (p *pieces) Close() error                      { return nil }
func (p *pieces) Write(message []byte) (int, error) { return len(message), nil }

// However a stream is cut up, its messages are the same, and stay so while later
// ones are read; a rest without a NUL is none.
func FuzzRead(f *testing.F) {
	f.Add([]byte("{\"id\":1}\x00{}\x00"), []byte{0})
	f.Add([]byte("\x00\x00a"), []byte{})
	f.Add([]byte("no end"), []byte{3})
	f.Add([]byte("LLLLL\x00{}\x00rest"), []byte{255, 1})
	f.Add([]byte("S\x00LL\x00SSSS\x00SL\x00LLS"), []byte{200, 7})
	f.Add([]byte("LL\x00LL\x00LLL"), []byte{255, 255, 90})
	f.Fuzz(func(t *testing.T, stream, sizes []byte) {
		const limit = 150_000
		// A letter for many bytes: the seeds stay small, and streams pass the sizes of buffers.
		stream = bytes.ReplaceAll(stream, []byte("L"), bytes.Repeat([]byte("x"), 40_000))
		stream = bytes.ReplaceAll(stream, []byte("S"), bytes.Repeat([]byte("small\x00"), 3_000))
		want := bytes.Split(stream, []byte{0})
		want = want[:len(want)-1]
		transport := pipe.NewLimit(&pieces{}, &pieces{stream: bytes.Clone(stream), sizes: sizes}, limit)
		var got [][]byte
		var end error
		for {
			message, err := transport.Read()
			if err != nil {
				end = err
				break
			}
			got = append(got, message)
		}
		for i, message := range got {
			if !bytes.Equal(message, want[i]) {
				t.Fatalf("message %d differs", i)
			}
		}
		switch {
		case len(got) < len(want) && len(want[len(got)]) > limit && end == cdp.ErrMessageTooBig:
		case len(got) == len(want) && end == io.EOF:
		case len(got) == len(want) && end == cdp.ErrMessageTooBig && len(stream)-bytes.LastIndexByte(stream, 0)-1 > limit:
		default:
			t.Fatalf("%d of %d messages, then %v", len(got), len(want), end)
		}
	})
}

func TestWriteRefusesNUL(t *testing.T) {
	if err := pipe.New(&pieces{}, &pieces{}).Write([]byte("a\x00b")); err == nil {
		t.Error("a message with a NUL byte was written")
	}
}

func BenchmarkRead(b *testing.B) {
	for name, size := range map[string]int{"200B": 200, "1MB": 1 << 20} {
		b.Run(name, func(b *testing.B) {
			reader, writer := io.Pipe()
			transport := pipe.New(&pieces{}, reader)
			go func() {
				message := append(bytes.Repeat([]byte("x"), size), 0)
				for {
					if _, err := writer.Write(message); err != nil {
						return
					}
				}
			}()
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := transport.Read(); err != nil {
					b.Fatal(err)
				}
			}
			_ = transport.Close()
		})
	}
}
