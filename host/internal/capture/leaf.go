package capture

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// longDigits of its length make a text one whose length is told: so much is no paragraph.
const longDigits = 5

// leaf writes one node: role "name" ref states ="value" href (what it offers).
func (r *renderer) leaf(it *item) string {
	if it.IsText() {
		text := r.cut(it.Name, maxText)
		if it.States != "" { // hidden: in the page, and nobody sees it
			text = "(" + it.States + ") " + text
		}
		if len(it.More) >= longDigits {
			text += " (" + it.More + " characters)"
		}
		if it.Ref != "" {
			text += " " + it.Ref
		}
		return text
	}
	var b strings.Builder
	b.WriteString(it.Role)
	if it.Name != "" {
		b.WriteString(" \"")
		b.WriteString(r.cut(it.Name, maxName))
		b.WriteByte('"')
	}
	for _, word := range [...]string{it.Ref, it.States} {
		if word != "" {
			b.WriteByte(' ')
			b.WriteString(word)
		}
	}
	if it.Value != "" {
		b.WriteString(" =")
		b.WriteString(quoteValue(r.cut(it.Value, maxValue)))
	}
	if it.Href != "" {
		b.WriteByte(' ')
		b.WriteString(r.cut(relative(it.Href, r.origin), maxHref))
	}
	if it.More != "" {
		b.WriteString(" (")
		b.WriteString(it.More)
		b.WriteByte(')')
	}
	return b.String()
}

// cut shortens text to a number of characters, unless all is wanted.
func (r *renderer) cut(text string, limit int) string {
	if r.full || len(text) <= limit {
		return text
	}
	end := limit - 1
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimRight(text[:end], " ") + "…"
}

// quoteValue puts quotes around a value that does not end where a space is.
func quoteValue(value string) string {
	if strings.ContainsAny(value, " ,|\"") {
		return "\"" + value + "\""
	}
	return value
}

// originOf is scheme and host of an address.
func originOf(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// relative leaves out the page's own origin.
func relative(href, origin string) string {
	rest, ok := strings.CutPrefix(href, origin)
	if origin == "" || !ok || rest != "" && rest[0] != '/' {
		return href
	}
	if rest == "" {
		return "/"
	}
	return rest
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return grouped(n) + " " + word + "s"
}

// grouped writes 1,234.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
