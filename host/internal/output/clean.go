package output

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from a page or a file safe to show on one terminal line:
// escape sequences, control, bidi, zero-width and tag characters are taken
// out, line breaks and tabs become a space.
func Clean(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == 0x1b || r == 0x9b {
			i += escape(text[i:], r, size)
			continue
		}
		i += size
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == 0x85 || r == 0x2028 || r == 0x2029:
			b.WriteByte(' ')
		case hidden(r):
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// CleanLines is Clean for text of several lines, which stay.
func CleanLines(text string) string {
	text = strings.TrimRight(text, "\n")
	if plainLines(text) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Clean(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

func plainLines(text string) bool {
	for i := 0; i < len(text); i++ {
		if (text[i] < 0x20 && text[i] != '\n') || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < 0x20 || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// escape measures an escape sequence: CSI to its final byte, OSC and other
// strings to their terminator, else the introducer and one byte.
func escape(text string, introducer rune, size int) int {
	rest := text[size:]
	used := size
	kind := byte('[')
	if introducer == 0x1b {
		if rest == "" || rest[0] < 0x20 || rest[0] >= 0x7f {
			return used
		}
		kind = rest[0]
		rest = rest[1:]
		used++
	}
	switch kind {
	case '[':
		for i := 0; i < len(rest); i++ {
			if rest[i] >= 0x40 && rest[i] <= 0x7e {
				return used + i + 1
			}
			if rest[i] < 0x20 || rest[i] >= 0x7f {
				return used + i
			}
		}
		return used + len(rest)
	case ']', 'P', 'X', '^', '_':
		for i := 0; i < len(rest); i++ {
			if rest[i] == 0x07 {
				return used + i + 1
			}
			if rest[i] == 0x1b && i+1 < len(rest) && rest[i+1] == '\\' {
				return used + i + 2
			}
			if rest[i] == '\n' {
				return used + i
			}
		}
		return used + len(rest)
	}
	return used
}

// hidden tells the characters that show nothing or change how their neighbours show.
func hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0xad, r == 0x61c, r == 0x180e, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// Cut shortens text to at most limit runes and says so with an ellipsis.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	count := 0
	for i := range text {
		if count++; count > limit {
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return text
}
