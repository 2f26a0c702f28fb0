package pagetext

import (
	"strconv"
	"strings"
)

// Fence puts a text between two lines with a boundary that is new for every answer, so
// that no page can end the text before its end:
//
//	[page 7fK2q9xW1bA]
//	…
//	[/page 7fK2q9xW1bA]
//
// What Strip takes out of it is counted in the first line (stripped:3), beside what was
// taken out before. An empty text stays empty. There is no line break at the end.
func Fence(text string, stripped int) string {
	text, more := Lines(text)
	return fenced(text, stripped+more, boundary)
}

func fenced(text string, stripped int, boundary func() string) string {
	if strings.TrimSpace(text) == "" {
		return text
	}
	word := boundary()
	for strings.Contains(text, word) {
		word = boundary()
	}
	var b strings.Builder
	b.Grow(len(text) + 2*len(word) + 40)
	b.WriteString(opening + word)
	if stripped > 0 {
		b.WriteString(" stripped:" + strconv.Itoa(stripped))
	}
	b.WriteString("]\n" + text + "\n" + closing + word + "]")
	return b.String()
}

const (
	opening = "[page "
	closing = "[/page "
)

// Fenced is a text that Fence made, taken apart again: what a page said, and what stands
// before and behind it.
type Fenced struct {
	Before, Page, After string
	Stripped            int
}

// Parse takes an answer apart; false where it has no fence, or one that is not whole.
// The first line in the form of a fence is the fence: what stands before it must be known
// to be ours.
func Parse(text string) (Fenced, bool) {
	before, rest := "", text
	for !strings.HasPrefix(rest, opening) {
		_, after, found := strings.Cut(rest, "\n")
		if !found {
			return Fenced{}, false
		}
		before, rest = text[:len(text)-len(after)], after
	}
	head, rest, found := strings.Cut(rest, "\n")
	if !found || !strings.HasSuffix(head, "]") {
		return Fenced{}, false
	}
	word, more, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(head, opening), "]"), " ")
	stripped := 0
	if more != "" {
		number, counted := strings.CutPrefix(more, "stripped:")
		n, err := strconv.Atoi(number)
		if !counted || err != nil || n <= 0 {
			return Fenced{}, false
		}
		stripped = n
	}
	if len(word) != 11 || strings.Trim(word, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != "" {
		return Fenced{}, false
	}
	page, after, found := strings.Cut(rest, "\n"+closing+word+"]")
	if !found || after != "" && after[0] != '\n' || strings.Contains(page, word) || strings.Contains(after, word) {
		return Fenced{}, false
	}
	return Fenced{Before: before, Page: page, After: strings.TrimPrefix(after, "\n"), Stripped: stripped}, true
}
