package commandtest

import (
	"errors"
	"regexp"
	"strings"
	"testing"
)

var (
	fenceHead = regexp.MustCompile(`^\[page ([0-9A-Za-z]{11})(?: stripped:[1-9][0-9]*)?\]$`)
	fenceLike = regexp.MustCompile(`(?m)^\[page [0-9A-Za-z]{11}(?: stripped:[0-9]+)?\]$`)
)

// Unfence takes the fences out of answers given as text, after checking their form: a
// first line, a last line with the same word, and that word nowhere between. What has no
// fence stays as it is.
func Unfence(t testing.TB, text string) string {
	t.Helper()
	out, err := Unfenced(text)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return out
}

// Unfenced is Unfence for those who have no test at hand.
func Unfenced(text string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		head := fenceHead.FindStringSubmatch(strings.TrimSuffix(lines[i], "\n"))
		if head == nil {
			out = append(out, lines[i])
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSuffix(lines[end], "\n") != "[/page "+head[1]+"]" {
			if strings.Contains(lines[end], head[1]) {
				return "", errors.New("the fence's word is in the page's text")
			}
			out = append(out, lines[end])
			end++
		}
		if end == len(lines) {
			return "", errors.New("the fence has no end")
		}
		if n := len(out) - 1; n >= 0 && !strings.HasSuffix(lines[end], "\n") { // the line break before the last line is the fence's
			out[n] = strings.TrimSuffix(out[n], "\n")
		}
		i = end
	}
	return strings.Join(out, ""), nil
}

// Fenced reports whether a text is one fence from its first line to its last.
func Fenced(text string) bool {
	at := fenceLike.FindStringIndex(text)
	if at == nil || at[0] != 0 {
		return false
	}
	word := strings.Fields(strings.Trim(text[:at[1]], "[]"))[1]
	return strings.HasSuffix(strings.TrimRight(text, "\n"), "\n[/page "+word+"]") && strings.Count(text, word) == 2
}
