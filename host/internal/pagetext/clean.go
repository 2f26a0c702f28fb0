// Package pagetext is what stands between a page's words and who reads them: it takes
// out the characters that nobody sees and counts them, and puts an answer that is
// mostly page text between two lines that no page can guess.
package pagetext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Strip takes out of a text what shows nothing or changes how its neighbours show:
// control characters, escape sequences, bidi controls, zero-width and tag characters,
// which hide words from a person and not from a model. Line breaks and tabs stay, and
// so do joiners where a script or an emoji is written with them, selectors behind the
// character that they select a form of, and the flags that are spelled with tags. What
// is no UTF-8 becomes U+FFFD. The count is of the characters that were taken out.
func Strip(text string) (string, int) {
	return strip(text, false)
}

// Line is Strip for one line of a terminal: line breaks and tabs become a space.
func Line(text string) string {
	text, _ = strip(text, true)
	return text
}

// Lines is Strip without the line breaks at the end and without carriage returns.
func Lines(text string) (string, int) {
	text = strings.TrimRight(text, "\n")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return Strip(text)
}

func strip(text string, line bool) (string, int) {
	if plain(text, line) || utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return hidden(r) || line && breaks(r) }) {
		return text, 0
	}
	var b strings.Builder
	b.Grow(len(text))
	count := 0
	last := rune(-1) // what was written last
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case line && breaks(r):
			b.WriteByte(' ')
			last = ' '
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteRune(r)
			last = r
		case r == 0x1b || r == 0x9b:
			size = escape(text[i:], r, size)
			count += utf8.RuneCountInString(text[i : i+size])
		case r == blackFlag:
			size = flag(text[i:])
			b.WriteString(text[i : i+size])
			last = r
		case hidden(r) && !wanted(last, r, text[i+size:]):
			count++
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
			last = r
		default:
			b.WriteRune(r)
			last = r
		}
		i += size
	}
	return b.String(), count
}

func plain(text string, line bool) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= 0x7f || c < 0x20 && (line || c != '\n' && c != '\r' && c != '\t') {
			return false
		}
	}
	return true
}

// breaks tells what begins a new line, or jumps within one.
func breaks(r rune) bool {
	return r == '\n' || r == '\r' || r == '\t' || r == 0x85 || r == 0x2028 || r == 0x2029
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

const (
	nonJoiner = 0x200c
	joiner    = 0x200d
	blackFlag = 0x1f3f4
)

// hidden tells the characters that show nothing or change how their neighbours show:
// controls, what Unicode says may be ignored when shown, and bidi and line controls.
func hidden(r rune) bool {
	if r < 0x7f {
		return r < 0x20
	}
	return unicode.Is(invisible, r)
}

var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x7f, 0x9f, 1}, {0xad, 0xad, 1}, {0x34f, 0x34f, 1}, {0x61c, 0x61c, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1},
		{0x180b, 0x180f, 1}, {0x200b, 0x200f, 1}, {0x202a, 0x202e, 1}, {0x2060, 0x206f, 1}, {0x3164, 0x3164, 1},
		{0xfe00, 0xfe0f, 1}, {0xfeff, 0xfeff, 1}, {0xffa0, 0xffa0, 1}, {0xfff0, 0xfffb, 1},
	},
	R32: []unicode.Range32{
		{0x1bca0, 0x1bca3, 1}, {0x1d173, 0x1d17a, 1}, {0xe0000, 0xe0fff, 1},
	},
	LatinOffset: 2,
}

// joined are the scripts in which a joiner between letters, or its absence, is spelling.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer,
	unicode.Myanmar, unicode.Tibetan, unicode.Balinese, unicode.Javanese,
}

// wanted reports whether a character that shows nothing has its place between what was
// written last and the rest. One alone has: a second one behind it has not.
func wanted(last, r rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == joiner && pictured(last) && pictured(next):
		return true
	case r == joiner || r == nonJoiner:
		// A consonant's half form ends a word, too.
		return unicode.In(last, joined...) && (unicode.In(next, joined...) || unicode.Is(unicode.Mn, last) && !hidden(next))
	case r == 0xfe0e || r == 0xfe0f:
		return pictured(last) && last != r || last >= '0' && last <= '9' || last == '#' || last == '*'
	case r >= 0x180b && r <= 0x180d || r == 0x180f:
		return unicode.Is(unicode.Mongolian, last) && !hidden(last)
	case r >= 0xfe00 && r <= 0xfe02, r >= 0xe0100 && r <= 0xe01ef:
		return unicode.Is(unicode.Han, last)
	}
	return false
}

// pictured tells emoji and other symbols, and what changes the one before it.
func pictured(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk, unicode.Sm) && r > 0x7f || r == 0xfe0f || r == 0x203c || r == 0x2049 || r == 0x3030 || r == 0x303d
}

// flags are those of England, Scotland and Wales: the only ones that are spelled with tags.
var flags = []string{"gbeng", "gbsct", "gbwls"}

// flag measures the black flag at the front of a text, with the tags that make another of it.
func flag(text string) int {
	size := utf8.RuneLen(blackFlag)
	for _, name := range flags {
		tags := make([]rune, 0, len(name)+1)
		for _, letter := range name {
			tags = append(tags, 0xe0000+letter)
		}
		if spelled := string(append(tags, 0xe007f)); strings.HasPrefix(text[size:], spelled) {
			return size + len(spelled)
		}
	}
	return size
}
