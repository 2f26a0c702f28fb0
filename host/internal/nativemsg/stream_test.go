package nativemsg_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func message(body string) []byte {
	return append(binary.NativeEndian.AppendUint32(nil, uint32(len(body))), body...)
}

func header(size uint32) []byte { return binary.NativeEndian.AppendUint32(nil, size) }

func TestF01MessageOfExactlyTheLimit(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	writer := nativemsg.NewWriter(&out, nativemsg.MaxToBrowser)
	exact := []byte(`"` + strings.Repeat("a", nativemsg.MaxToBrowser-2) + `"`)
	if err := writer.Write(exact); err != nil {
		t.Fatalf("1,048,576 bytes: %v", err)
	}
	if out.Len() != nativemsg.MaxToBrowser+4 {
		t.Fatalf("wrote %d bytes", out.Len())
	}
	var tooLarge *nativemsg.TooLargeError
	if err := writer.Write(append(exact, ' ')); !errors.As(err, &tooLarge) || tooLarge.Size != nativemsg.MaxToBrowser+1 {
		t.Fatalf("1,048,577 bytes: %v", err)
	}
	if out.Len() != nativemsg.MaxToBrowser+4 {
		t.Fatal("a refused message left bytes on the stream")
	}
	got, err := nativemsg.NewReader(&out, nativemsg.MaxToBrowser).Read()
	if err != nil || !bytes.Equal(got, exact) {
		t.Fatalf("read back %d bytes, %v", len(got), err)
	}
}

func TestWriterRefusesWhatChromeWouldAlter(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	writer := nativemsg.NewWriter(&out, nativemsg.MaxToBrowser)
	if err := writer.Write([]byte("\"\xff\"")); !errors.Is(err, nativemsg.ErrInvalidUTF8) {
		t.Errorf("invalid UTF-8: %v", err)
	}
	if err := writer.Write(nil); !errors.Is(err, nativemsg.ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
	if out.Len() != 0 {
		t.Errorf("%d bytes written", out.Len())
	}
}

func TestF06ZeroLengthThenNext(t *testing.T) {
	t.Parallel()
	in := append(header(0), message(`{"a":1}`)...)
	reader := nativemsg.NewReader(bytes.NewReader(in), nativemsg.MaxFromBrowser)
	if _, err := reader.Read(); !errors.Is(err, nativemsg.ErrEmpty) {
		t.Fatalf("zero length: %v", err)
	}
	if got, err := reader.Read(); err != nil || string(got) != `{"a":1}` {
		t.Fatalf("next: %q, %v", got, err)
	}
	if _, err := reader.Read(); err != io.EOF {
		t.Fatalf("end: %v", err)
	}
}

func TestF07HugeHeaderAllocatesNothing(t *testing.T) {
	for _, size := range []uint32{0xFFFFFFFF, 65 << 20, nativemsg.MaxFromBrowser} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := nativemsg.NewReader(bytes.NewReader(header(size)), nativemsg.MaxFromBrowser).Read()
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
			t.Errorf("header %d allocated %d bytes", size, grown)
		}
		var tooLarge *nativemsg.TooLargeError
		var truncated *nativemsg.TruncatedError
		switch {
		case size > nativemsg.MaxFromBrowser && !errors.As(err, &tooLarge):
			t.Errorf("header %d: %v", size, err)
		case size == nativemsg.MaxFromBrowser && !errors.As(err, &truncated):
			t.Errorf("header %d: %v", size, err)
		}
	}
}

func TestF08Truncated(t *testing.T) {
	t.Parallel()
	whole := message(`{"k":"value"}`)
	for cut := 1; cut < len(whole); cut++ {
		reader := nativemsg.NewReader(bytes.NewReader(whole[:cut]), nativemsg.MaxFromBrowser)
		got, err := reader.Read()
		var truncated *nativemsg.TruncatedError
		if !errors.As(err, &truncated) || got != nil {
			t.Fatalf("cut at %d: %q, %v", cut, got, err)
		}
		if truncated.Header != (cut < 4) || truncated.Got != int64(map[bool]int{true: cut, false: cut - 4}[cut < 4]) {
			t.Errorf("cut at %d: %+v", cut, truncated)
		}
	}
}

func TestF09OneByteAtATimeAndManyAtOnce(t *testing.T) {
	t.Parallel()
	var in bytes.Buffer
	for i := range 10_000 {
		in.Write(message(fmt.Sprintf(`{"n":%d}`, i)))
	}
	for name, stream := range map[string]io.Reader{
		"at once": bytes.NewReader(in.Bytes()), "byte by byte": iotest.OneByteReader(bytes.NewReader(in.Bytes()))} {
		reader := nativemsg.NewReader(stream, nativemsg.MaxFromBrowser)
		for i := range 10_000 {
			got, err := reader.Read()
			if want := fmt.Sprintf(`{"n":%d}`, i); err != nil || string(got) != want {
				t.Fatalf("%s: message %d is %q, %v", name, i, got, err)
			}
		}
	}
}

func TestReaderMemoryOfALargeMessage(t *testing.T) {
	body := strings.Repeat("x", 40<<20)
	in := message(body)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := nativemsg.NewReader(bytes.NewReader(in), nativemsg.MaxFromBrowser).Read()
	runtime.ReadMemStats(&after)
	if err != nil || string(got) != body {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 2*uint64(len(body))+1<<20 {
		t.Errorf("allocated %d bytes for %d", grown, len(body))
	}
}

// FuzzReader: no panic, no message out of thin air, and what is read is what was written.
func FuzzReader(f *testing.F) {
	f.Add(message(`{"v":1}`), uint8(0))
	f.Add(append(header(0), message("[]")...), uint8(1))
	f.Add(header(0xFFFFFFFF), uint8(0))
	f.Add(append(header(65<<20), "abc"...), uint8(0))
	f.Add([]byte{1, 0}, uint8(1))
	f.Add([]byte("LOG: hello\n"), uint8(0))
	f.Add(append(message(`"a"`), 9, 0, 0, 0, 'x'), uint8(1))
	f.Fuzz(func(t *testing.T, in []byte, slow uint8) {
		var stream io.Reader = bytes.NewReader(in)
		if slow%2 == 1 {
			stream = iotest.OneByteReader(stream)
		}
		reader := nativemsg.NewReader(stream, 1<<16)
		var again bytes.Buffer
		writer := nativemsg.NewWriter(&again, 1<<16)
		consumed := 0
		for {
			got, err := reader.Read()
			if errors.Is(err, nativemsg.ErrEmpty) {
				consumed += 4
				continue
			}
			if err != nil {
				break
			}
			if !bytes.Equal(got, in[consumed+4:consumed+4+len(got)]) {
				t.Fatalf("message at %d differs", consumed)
			}
			again.Reset()
			if err := writer.Write(got); err == nil && !bytes.Equal(again.Bytes(), in[consumed:consumed+4+len(got)]) {
				t.Fatalf("written back differently at %d", consumed)
			}
			consumed += 4 + len(got)
		}
		if consumed > len(in) {
			t.Fatalf("read %d of %d bytes", consumed, len(in))
		}
	})
}

func BenchmarkReadWrite1KiB(b *testing.B) {
	body := []byte(`"` + strings.Repeat("a", 1022) + `"`)
	var out bytes.Buffer
	writer := nativemsg.NewWriter(&out, nativemsg.MaxToBrowser)
	reader := nativemsg.NewReader(&out, nativemsg.MaxFromBrowser)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := writer.Write(body); err != nil {
			b.Fatal(err)
		}
		if _, err := reader.Read(); err != nil {
			b.Fatal(err)
		}
	}
}
