package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// disk has room for so many bytes.
type disk struct {
	bytes.Buffer
	room int
}

func (d *disk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	d.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// H-17: a full disk ends no log and tears no line into the next; what was lost is counted.
func TestLogOnAFullDisk(t *testing.T) {
	d := &disk{room: 14}
	l := &lossy{to: d}
	for _, line := range []string{"one\n", "two\n", "three and more\n", "four\n", "five\n"} {
		if n, err := l.Write([]byte(line)); n != len(line) || err != nil {
			t.Fatalf("%q: %d %v", line, n, err)
		}
	}
	d.room = 1000
	_, _ = l.Write([]byte("six\n"))
	_, _ = l.Write([]byte("seven\n"))
	lines := strings.Split(strings.TrimSpace(d.String()), "\n")
	if len(lines) != 6 || lines[1] != "two" || lines[2] != "three " || !strings.Contains(lines[3], `"lost":3`) || lines[4] != "six" || lines[5] != "seven" {
		t.Errorf("%q", lines)
	}
}
