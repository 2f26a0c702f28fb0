package socket

import "testing"

// frame is a masked frame; the mask is zero, so that the payload reads as it is.
func frame(first byte, payload string) string {
	return string([]byte{first, 0x80 | byte(len(payload)), 0, 0, 0, 0}) + payload
}

// FuzzGuard: whatever the bytes, in whatever pieces, the guard gives the same
// verdict, and never lets a byte of a refused frame's message through twice.
func FuzzGuard(f *testing.F) {
	f.Add([]byte(frame(0x81, "{}")), uint8(1))
	f.Add([]byte(frame(0x01, "a")+frame(0x89, "p")+frame(0x80, "b")), uint8(3))
	f.Add([]byte(frame(0x88, "\x03\xe8bye")), uint8(2))
	f.Add([]byte("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff"), uint8(7))
	f.Fuzz(func(t *testing.T, data []byte, step uint8) {
		whole := &guard{limit: 1000}
		_, verdict := whole.follow(data)
		pieces := &guard{limit: 1000}
		var other *Violation
		for rest := data; len(rest) > 0 && other == nil; {
			n := min(len(rest), int(step)+1)
			var good int
			good, other = pieces.follow(rest[:n])
			if good < 0 || good > n {
				t.Fatalf("good is %d of %d", good, n)
			}
			rest = rest[n:]
		}
		if (verdict == nil) != (other == nil) || verdict != nil && *verdict != *other {
			t.Fatalf("whole: %v, in pieces: %v", verdict, other)
		}
	})
}
