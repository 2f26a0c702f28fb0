package flow

import (
	"encoding/base64"
	"hash/maphash"
	"net/url"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// shingle is how many words in a row are one print.
	shingle = 4
	// minShingle is how many letters they have together at least.
	minShingle = 16
	// maxText bounds what of one text is looked at, in bytes.
	maxText = 256 << 10
	// maxWord bounds one word; longer ones are pictures and the like.
	maxWord = 512
)

// printer makes prints. Its key is random, so that prints tell nobody anything.
type printer struct{ seed maphash.Seed }

// of gives the prints of a text until each is false.
func (p printer) of(text string, each func(print uint64) bool) {
	if len(text) > maxText {
		text = text[:maxText]
	}
	var row [shingle]struct {
		sum     uint64
		letters int
		telling bool
	}
	n := 0
	for word := range wordsOf(text) {
		sum := maphash.String(p.seed, word.folded)
		if word.rare && !each(sum) {
			return
		}
		copy(row[:], row[1:])
		row[shingle-1].sum, row[shingle-1].letters, row[shingle-1].telling = sum, len(word.folded), word.telling
		if n++; n < shingle {
			continue
		}
		var sums [shingle]uint64
		letters, telling := 0, 0
		for i, w := range row {
			sums[i] = w.sum
			letters += w.letters
			if w.telling {
				telling++
			}
		}
		if letters >= minShingle && telling >= 2 && !each(maphash.Comparable(p.seed, sums)) {
			return
		}
	}
}

// address is the print of a whole address.
func (p printer) address(text string) uint64 {
	return maphash.String(p.seed, "address "+text)
}

// whole is the print of a whole text of a site.
func (p printer) whole(text, site string) uint64 {
	return maphash.String(p.seed, text) ^ maphash.String(p.seed, "site "+site)
}

type word struct {
	folded  string
	rare    bool // it alone is a print
	telling bool // it is no filler
}

// wordsOf parts text into words: letters and digits, with the marks that mail addresses,
// references and keys have inside.
func wordsOf(text string) func(func(word) bool) {
	return func(yield func(word) bool) {
		for len(text) > 0 {
			start := strings.IndexFunc(text, inside)
			if start < 0 {
				return
			}
			text = text[start:]
			end := strings.IndexFunc(text, func(r rune) bool { return !inside(r) })
			if end < 0 {
				end = len(text)
			}
			found := strings.Trim(text[:end], "-_.@+")
			text = text[end:]
			if found == "" || len(found) > maxWord {
				continue
			}
			if !yield(judge(strings.ToLower(found))) {
				return
			}
		}
	}
}

func inside(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' || r == '@' || r == '+'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// Words that are prints by themselves: addresses of mail from minMail bytes on, numbers
// from minDigits, words with digits in them from minMixed, plain words from minPlain.
const (
	minMail   = 8
	minDigits = 9
	minMixed  = 12
	minPlain  = 24
)

func judge(folded string) word {
	digits, marks := 0, 0
	for _, r := range folded {
		switch {
		case r < utf8.RuneSelf && r >= '0' && r <= '9':
			digits++
		case r < utf8.RuneSelf && (r < 'a' || r > 'z'):
			marks++
		}
	}
	w := word{folded: folded, telling: len(folded) >= 5 || digits >= 3}
	switch at := strings.IndexByte(folded, '@'); {
	case at > 0 && strings.Contains(folded[at:], "."):
		w.rare = len(folded) >= minMail
	case dated(folded):
	case digits == len(folded):
		w.rare = digits >= minDigits
	case digits > 0:
		w.rare = len(folded) >= minMixed
	default:
		w.rare = marks == 0 && len(folded) >= minPlain
	}
	return w
}

// dated tells words that begin as 2026-05-01: times are on all pages.
func dated(folded string) bool {
	if len(folded) < 10 || folded[4] != '-' || folded[7] != '-' {
		return false
	}
	for _, i := range []int{0, 1, 2, 3, 5, 6, 8, 9} {
		if folded[i] < '0' || folded[i] > '9' {
			return false
		}
	}
	return true
}

// forms are the text and what it is in other spellings: percent escapes, base64.
func forms(text string) []string {
	out := []string{text}
	if strings.ContainsAny(text, "%+") {
		if plain, err := url.QueryUnescape(text); err == nil && plain != text {
			out = append(out, plain)
		}
	}
	for _, piece := range strings.FieldsFunc(text, func(r rune) bool {
		return !(r < utf8.RuneSelf && (inside(r) && r != '.' && r != '@' || r == '/' || r == '='))
	}) {
		piece = strings.TrimRight(piece[strings.LastIndexByte(strings.TrimRight(piece, "="), '=')+1:], "=")
		if len(piece) < minMixed || len(out) > 8 {
			continue
		}
		for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if data, err := coding.DecodeString(piece); err == nil && readable(data) {
				out = append(out, string(data))
				break
			}
		}
	}
	return out
}

func readable(data []byte) bool {
	if !utf8.Valid(data) {
		return false
	}
	for _, r := range string(data) {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// addressesIn gives the http and https addresses that stand in a text.
func addressesIn(text string) []string {
	var out []string
	for len(out) < 64 {
		at := strings.Index(text, "://")
		if at < 0 {
			return out
		}
		begin := at
		for _, scheme := range []string{"https", "http"} {
			if strings.HasSuffix(text[:at], scheme) {
				begin = at - len(scheme)
				break
			}
		}
		end := strings.IndexFunc(text[at+3:], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`<>()[]{}\\", r) })
		if end < 0 {
			end = len(text)
		} else {
			end += at + 3
		}
		if begin < at {
			out = append(out, strings.TrimRight(text[begin:end], ".,;!?"))
		}
		text = text[end:]
	}
	return out
}

// maxWalk bounds how deep a result is looked into.
const maxWalk = 16

// texts gives the strings of a value: what its JSON would hold.
func texts(v reflect.Value, depth int, each func(string)) {
	if depth == 0 || !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			texts(v.Elem(), depth-1, each)
		}
	case reflect.String:
		each(v.String())
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Kind() == reflect.Slice {
				each(string(v.Bytes()))
			}
			return
		}
		for i := range v.Len() {
			texts(v.Index(i), depth-1, each)
		}
	case reflect.Map:
		for pair := v.MapRange(); pair.Next(); {
			texts(pair.Key(), depth-1, each)
			texts(pair.Value(), depth-1, each)
		}
	case reflect.Struct:
		t := v.Type()
		for i := range v.NumField() {
			if f := t.Field(i); f.IsExported() || f.Anonymous {
				texts(v.Field(i), depth-1, each)
			}
		}
	}
}
