package enroll

import (
	"fmt"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// contextLines is how many lines stand around a difference.
const contextLines = 3

// diff is the unified difference of two texts. Changes of ours are in one place each, so
// one hunk from the first to the last line that differs says all.
func diff(path string, before, after []byte, existed, remains bool) string {
	old, now := lines(before), lines(after)
	head := 0
	for head < len(old) && head < len(now) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	if head == len(old) && head == len(now) {
		return ""
	}
	from, rest := max(0, head-contextLines), min(tail, contextLines)
	var b strings.Builder
	name := func(there bool) string {
		if there {
			return path
		}
		return "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name(existed), name(remains))
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", span(from, len(old)-tail+rest), span(from, len(now)-tail+rest))
	put := func(mark string, list []string) {
		for _, line := range list {
			text, whole := strings.CutSuffix(line, "\n")
			b.WriteString(mark + redact.Text(text) + "\n") // keys of other servers stand around
			if !whole {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
	}
	put(" ", old[from:head])
	put("-", old[head:len(old)-tail])
	put("+", now[head:len(now)-tail])
	put(" ", old[len(old)-tail:len(old)-tail+rest])
	return b.String()
}

func span(from, to int) string {
	if to == from {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func lines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	list := strings.SplitAfter(string(data), "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}
