package ws

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// rawClient does the handshake and then writes what bytes it likes.
func rawClient(t *testing.T, d *daemon, token string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", d.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET /debug?role=agent HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n", d.port, token)
	reader := bufio.NewReader(conn)
	answer, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusSwitchingProtocols || answer.Header.Get("Sec-WebSocket-Extensions") != "" {
		t.Fatalf("status %d, extensions %q", answer.StatusCode, answer.Header.Get("Sec-WebSocket-Extensions"))
	}
	return &buffered{conn, reader}
}

type buffered struct {
	net.Conn
	reader *bufio.Reader
}

func (b *buffered) Read(p []byte) (int, error) { return b.reader.Read(p) }

// readClose skips frames up to the close frame and gives its code.
func readClose(t *testing.T, conn net.Conn) uint16 {
	t.Helper()
	for {
		var head [2]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			t.Fatalf("no close frame: %v", err)
		}
		length := uint64(head[1])
		switch length {
		case 126:
			var more [2]byte
			if _, err := io.ReadFull(conn, more[:]); err != nil {
				t.Fatal(err)
			}
			length = uint64(binary.BigEndian.Uint16(more[:]))
		case 127:
			if err := binary.Read(conn, binary.BigEndian, &length); err != nil {
				t.Fatal(err)
			}
		}
		payload := make([]byte, length)
		if _, err := io.ReadFull(conn, payload); err != nil {
			t.Fatal(err)
		}
		if head[0] == 0x80|8 {
			if len(payload) < 2 {
				return 1005
			}
			return binary.BigEndian.Uint16(payload)
		}
	}
}

// frame masks with zeros, which leaves the payload readable.
func frame(first byte, payload string) string {
	header := string([]byte{first, 0x80 | byte(min(len(payload), 126))})
	switch {
	case len(payload) >= 1<<16:
		header = string([]byte{first, 0x80 | 127}) + string(binary.BigEndian.AppendUint64(nil, uint64(len(payload))))
	case len(payload) >= 126:
		header += string(binary.BigEndian.AppendUint16(nil, uint16(len(payload))))
	}
	return header + "\x00\x00\x00\x00" + payload
}

func TestA11A14Frames(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{}, Config{})
	d.page("default")
	witness := d.dial("any", "role=agent")
	claims := func(length uint64) string {
		return "\x81\xff" + string(binary.BigEndian.AppendUint64(nil, length)) + "\x00\x00\x00\x00"
	}
	for _, c := range []struct {
		name, bytes string
		want        uint16
	}{
		{"A14 invalid UTF-8", frame(0x81, "{\"a\":\"\xff\"}"), 1007},
		{"invalid UTF-8 in a close reason", frame(0x88, "\x03\xe8\xff"), 1007},
		{"binary", frame(0x82, "{}"), 1003},
		{"1 MiB + 1", frame(0x81, strings.Repeat("a", 1<<20+1)), 1009},
		{"1 MiB + 1 claimed only", claims(1<<20 + 1), 1009},
		{"100 MB claimed only", claims(100 << 20), 1009},
		{"2^62 claimed", claims(1 << 62), 1009},
		{"2^63 claimed", claims(1 << 63), 1002},
		{"fragments beyond the limit", frame(0x01, strings.Repeat("a", 1<<19)) + frame(0x00, strings.Repeat("a", 1<<19)) + "\x00\x81", 1009},
		{"not masked", "\x81\x02{}", 1002},
		{"RSV1 (compressed)", frame(0xc1, "{}"), 1002},
		{"RSV3", frame(0x91, "{}"), 1002},
		{"unknown opcode", frame(0x83, ""), 1002},
		{"unknown control opcode", frame(0x8b, ""), 1002},
		{"fragmented ping", frame(0x09, ""), 1002},
		{"long ping", frame(0x89, strings.Repeat("a", 126)), 1002},
		{"continuation of nothing", frame(0x80, "a"), 1002},
		{"message inside a message", frame(0x01, "a") + frame(0x81, "b"), 1002},
		{"length not minimal", "\x81\xfe\x00\x05\x00\x00\x00\x00hello", 1002},
		{"close of one byte", frame(0x88, "\x03"), 1002},
		{"close code 999", frame(0x88, "\x03\xe7"), 1002},
		{"close code 1005", frame(0x88, "\x03\xed"), 1002},
		{"close code 1006", frame(0x88, "\x03\xee"), 1002},
		{"ping flood", strings.Repeat(frame(0x89, ""), 5000), 1008},
		{"pong flood", strings.Repeat(frame(0x8a, "x"), 5000), 1008},
		{"empty fragments", frame(0x01, "a") + strings.Repeat(frame(0x00, ""), 20000), 1008},
		{"close is answered", frame(0x88, "\x0f\xa1bye"), 4001},
		{"close without a code", frame(0x88, ""), 1005},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn := rawClient(t, d, "agent")
			// The peer may close in the middle of what is sent.
			go func() { _, _ = io.WriteString(conn, c.bytes) }()
			if code := readClose(t, conn); code != c.want {
				t.Fatalf("closed with %d, want %d", code, c.want)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
				t.Fatal(err)
			}
		})
	}
	t.Run("100 MB sent", func(t *testing.T) {
		conn := rawClient(t, d, "agent")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		go func() {
			chunk := strings.Repeat("a", 1<<20)
			if _, err := io.WriteString(conn, claims(100<<20)); err != nil {
				return
			}
			for range 100 {
				if _, err := io.WriteString(conn, chunk); err != nil {
					return // closed as it should be
				}
			}
		}()
		if code := readClose(t, conn); code != 1009 {
			t.Fatalf("closed with %d", code)
		}
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 16<<20 {
			t.Errorf("the heap grew by %d", grown)
		}
	})
	t.Run("what is allowed passes", func(t *testing.T) {
		conn := rawClient(t, d, "agent")
		command := `{"type":"click","requestId":"raw","target":{"ref":"e1"}}`
		text := frame(0x89, "hi") + frame(0x01, command[:20]) + frame(0x89, "between") + frame(0x00, "") + frame(0x80, command[20:]) + frame(0x88, "\x03\xe8")
		for i := range len(text) { // one byte at a time
			if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if code := readClose(t, conn); code != 1000 {
			t.Fatalf("closed with %d", code)
		}
	})
	if m := witness.until("command_result", "raw"); !m.Success {
		t.Fatal(m.Raw)
	}
	witness.send(`{"type":"click","requestId":"w","target":{"ref":"e1"}}`)
	if m := witness.until("command_result", "w"); !m.Success {
		t.Fatal(m.Raw)
	}
}

func TestPingIsAnswered(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{}, Config{})
	conn := rawClient(t, d, "agent")
	if _, err := io.WriteString(conn, frame(0x89, "are you there")); err != nil {
		t.Fatal(err)
	}
	var got []byte
	buffer := make([]byte, 4096)
	for !strings.Contains(string(got), "\x8a\x0dare you there") {
		n, err := conn.Read(buffer)
		if err != nil {
			t.Fatalf("no pong in %q: %v", got, err)
		}
		got = append(got, buffer[:n]...)
	}
}
