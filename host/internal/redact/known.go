package redact

import (
	"mime"
	"slices"
	"strings"
	"sync/atomic"
)

// Secret is a value that a person gave a name. Text that holds it shows «secret:NAME».
type Secret struct{ Name, Value string }

// MinKnown and MaxKnown are how many bytes a known value may have: a shorter one stands
// in too much that is none, a longer one costs every answer.
const (
	MinKnown = 4
	MaxKnown = 4096
)

// wordKnown is the length below which a value of letters and digits is masked only where
// it stands as a word: else a PIN would go out of numbers, refs and pictures.
const wordKnown = 8

// known are the values of this process; nil, as nearly always, is none.
var known atomic.Pointer[matcher]

// Know has all sinks mask these values from now on, in place of those of before: as they
// are, and as JSON, addresses, HTML and base64 hold them.
func Know(secrets []Secret) {
	if len(secrets) == 0 {
		known.Store(nil)
		return
	}
	known.Store(newMatcher(secrets))
}

// Knows reports whether there are values to mask.
func Knows() bool { return known.Load() != nil }

// Known masks the known values in text.
func Known(text string) string {
	m := known.Load()
	if m == nil || !begins(m, text) {
		return text
	}
	out, _ := m.mask([]byte(text), 0, nil, true)
	return string(out)
}

// KnownText is Known for bytes. What it gives may be data itself, which it leaves as it is.
func KnownText(data []byte) []byte { return knownIn(data, nil) }

// KnownJSON masks the known values in JSON: in the texts, so that numbers and structure
// stay what they are. Several values, and the fields of an event stream, may follow each
// other. What it gives may be data itself, which it leaves as it is.
func KnownJSON(data []byte) []byte { return knownIn(data, &jsonPlace{}) }

// KnownAs is KnownJSON or KnownText, as the type of the content says. Pictures and archives
// stay as they are: what is in an archive was masked when it was made.
func KnownAs(contentType string, data []byte) []byte {
	if !Knows() {
		return data
	}
	switch kind, _, err := mime.ParseMediaType(contentType); {
	case err == nil && (strings.HasSuffix(kind, "json") || kind == "text/event-stream"):
		return KnownJSON(data)
	case err != nil || strings.HasPrefix(kind, "text/"):
		return KnownText(data)
	}
	return data
}

func knownIn(data []byte, place *jsonPlace) []byte {
	m := known.Load()
	if m == nil || !begins(m, data) {
		return data
	}
	out, _ := m.mask(data, 0, place, true)
	return out
}

// form is one way in which a value may be written.
type form struct {
	text    string
	mark    string
	word    bool // counts only as a word
	letters bool // is a plain word: not masked where it is the name of a JSON member
}

// jsonPlace is where a reader of JSON is.
type jsonPlace struct {
	inText bool
	escape int // how many bytes of an escape are still to come
}

func (p *jsonPlace) pass(c byte) {
	switch {
	case p.escape > 0:
		if p.escape--; c == 'u' && p.escape == 0 {
			p.escape = 4
		}
	case c == '"':
		p.inText = !p.inText
	case c == '\\' && p.inText:
		p.escape = 1
	}
}

// matcher finds all forms in one pass, whose cost does not grow with their number.
type matcher struct {
	pairs   [1 << 16 / 64]uint64 // of the first two bytes: whether a form begins so
	forms   map[uint16][]form    // by the first two bytes, the longest first
	longest int
}

func newMatcher(secrets []Secret) *matcher {
	m := &matcher{forms: make(map[uint16][]form)}
	seen := make(map[string]bool)
	for _, secret := range secrets {
		if len(secret.Value) < MinKnown || len(secret.Value) > MaxKnown {
			continue
		}
		mark := "«secret:" + secret.Name + "»"
		for _, f := range formsOf(secret.Value) {
			if seen[f.text] {
				continue
			}
			seen[f.text] = true
			f.mark = mark
			pair := pairOf(f.text[0], f.text[1])
			m.pairs[pair/64] |= 1 << (pair % 64)
			m.forms[pair] = append(m.forms[pair], f)
			m.longest = max(m.longest, len(f.text))
		}
	}
	for _, forms := range m.forms {
		slices.SortStableFunc(forms, func(a, b form) int { return len(b.text) - len(a.text) })
	}
	return m
}

func pairOf(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// begins reports whether a form may be in the text: most text is done with this.
func begins[T string | []byte](m *matcher, text T) bool {
	for i := 0; i+1 < len(text); i++ {
		pair := pairOf(text[i], text[i+1])
		if m.pairs[pair/64]&(1<<(pair%64)) == 0 {
			continue
		}
		for _, f := range m.forms[pair] {
			if len(text)-i >= len(f.text) && string(text[i:i+len(f.text)]) == f.text {
				return true
			}
		}
	}
	return false
}

// mask gives data from its byte at on, masked, and how much of data that was: all of it
// when final, else what cannot be the beginning of a value. place, where it is not nil, is
// the place in JSON at the start, and is moved on.
func (m *matcher) mask(data []byte, at int, place *jsonPlace, final bool) (out []byte, used int) {
	end := len(data)
	if !final {
		end -= m.longest + 1 // and the byte behind it, which tells a word's end
	}
	out = make([]byte, 0, len(data)-at+64)
	for at < end {
		if f := m.match(data, at, place); f != nil {
			out = append(out, f.mark...)
			at += len(f.text) // both ends are within one text of JSON: the place is the same
			continue
		}
		if place != nil {
			place.pass(data[at])
		}
		out = append(out, data[at])
		at++
	}
	return out, at
}

// match gives the longest form that stands at a place.
func (m *matcher) match(data []byte, at int, place *jsonPlace) *form {
	if at+1 >= len(data) || place != nil && (!place.inText || place.escape > 0) {
		return nil
	}
	pair := pairOf(data[at], data[at+1])
	if m.pairs[pair/64]&(1<<(pair%64)) == 0 {
		return nil
	}
	forms := m.forms[pair]
	for i := range forms {
		f := &forms[i]
		end := at + len(f.text)
		if end > len(data) || string(data[at:end]) != f.text ||
			f.word && !(startsWord(data, at) && endsWord(data, end)) ||
			place != nil && (!within(f.text) || f.letters && isMember(data, end)) {
			continue
		}
		return f
	}
	return nil
}

// within reports whether a text of JSON that goes on over these bytes is still one, with
// no escape begun.
func within(text string) bool {
	place := jsonPlace{inText: true}
	for i := range len(text) {
		if place.pass(text[i]); !place.inText {
			return false
		}
	}
	return place.escape == 0
}

// longestMember bounds how far the end of a member's name is looked for.
const longestMember = 256

// isMember reports whether the text of JSON that goes on at a place is a member's name.
func isMember(data []byte, at int) bool {
	place := jsonPlace{inText: true}
	for i := at; i < min(len(data), at+longestMember); i++ {
		switch c := data[i]; {
		case place.inText:
			place.pass(c)
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
		default:
			return c == ':'
		}
	}
	return false
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// startsWord reports whether what stands before a place is no part of the word at it. The
// last letter of an escape (\n, \u000a, %3D) is none.
func startsWord(data []byte, at int) bool {
	if at == 0 || !wordByte(data[at-1]) {
		return true
	}
	back := func(n int, c byte) bool { return at >= n && data[at-n] == c }
	return back(2, '\\') || back(3, '%') || back(6, '\\') && back(5, 'u') || at >= 2 && data[at-2] == 0xC2 && data[at-1] == 0xBB // »
}

func endsWord(data []byte, at int) bool {
	return at >= len(data) || !wordByte(data[at]) || data[at] == 0xC2
}

// Stream masks the known values in what is written to it, wherever a piece ends. Close
// writes what is left; it does not close what it writes to.
type Stream struct {
	to    interface{ Write([]byte) (int, error) }
	place *jsonPlace
	held  []byte
	done  int // bytes of held that were written: what stands before a word
}

// NewStream makes one for text, or for JSON as KnownJSON takes it.
func NewStream(to interface{ Write([]byte) (int, error) }, json bool) *Stream {
	s := &Stream{to: to}
	if json {
		s.place = &jsonPlace{}
	}
	return s
}

// archives are how files begin that no text is in.
var archives = []string{"\x89PNG", "GIF8", "\xff\xd8", "RIFF", "%PDF", "PK\x03\x04", "\x1f\x8b"}

// NewFileStream makes a stream for a file that begins so, nil where there is nothing to
// mask in it: no value is known, or it is a picture or an archive.
func NewFileStream(to interface{ Write([]byte) (int, error) }, begins []byte) *Stream {
	if !Knows() || slices.ContainsFunc(archives, func(magic string) bool { return strings.HasPrefix(string(begins[:min(len(begins), 8)]), magic) }) {
		return nil
	}
	start := strings.TrimLeft(string(begins[:min(len(begins), 64)]), " \t\r\n\ufeff")
	return NewStream(to, strings.HasPrefix(start, "{") || strings.HasPrefix(start, "["))
}

// before is how much is kept of what was written.
const before = 8

// Write masks what it can be sure of and keeps the rest, a few KiB at most.
func (s *Stream) Write(data []byte) (int, error) {
	m := known.Load()
	if m == nil && len(s.held) == s.done && s.place == nil {
		return s.to.Write(data)
	}
	s.held = append(s.held, data...)
	if err := s.put(m, false); err != nil {
		return 0, err
	}
	return len(data), nil
}

// Close writes what is left.
func (s *Stream) Close() error { return s.put(known.Load(), true) }

func (s *Stream) put(m *matcher, final bool) error {
	var out []byte
	used := len(s.held)
	if m != nil {
		out, used = m.mask(s.held, s.done, s.place, final)
		used = max(used, s.done)
	} else {
		out = s.held[s.done:]
		if s.place != nil {
			for _, c := range out {
				s.place.pass(c)
			}
		}
	}
	if len(out) > 0 {
		if _, err := s.to.Write(out); err != nil {
			return err
		}
	}
	from := max(0, used-before)
	s.done = used - from
	s.held = append(s.held[:0:0], s.held[from:]...)
	return nil
}
