package pagetext

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON is Strip for every string of a JSON text that our own encoder made. In the name
// of a member the characters are written out instead, as \u200b, so that two names stay
// two. Data is given back as it came where there is nothing to take out; it is not
// changed in place. Surrogate escapes are left to the encoder, which writes U+FFFD.
func JSON(data []byte) ([]byte, int) {
	if !suspect(data) {
		return data, 0
	}
	out, count := cleanJSON(data, "")
	if count > 0 && !jsontext.Value(out).IsValid() {
		// A page that has both names, ours and its own: no page knows this one.
		out, count = cleanJSON(data, "~"+boundary())
	}
	return out, count
}

// suspect reports whether a JSON text can have a hidden character: as itself, or as an
// escape, which only controls and what a program wrote need. Most answers have none.
func suspect(data []byte) bool {
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == '\\' && i+1 < len(data):
			if next := data[i+1]; next == 'u' || next == 'b' || next == 'f' {
				return true
			}
			i += 2
		case c < 0x7f:
			i++
		default:
			r, size := utf8.DecodeRune(data[i:])
			if hidden(r) || r == blackFlag {
				return true
			}
			i += size
		}
	}
	return false
}

func cleanJSON(data []byte, mark string) ([]byte, int) {
	var out bytes.Buffer
	count, copied := 0, 0
	for i := 0; i < len(data); i++ {
		if data[i] != '"' {
			continue
		}
		end := i + 1
		for end < len(data) && data[end] != '"' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(data) {
			break // no JSON: nothing is known of it
		}
		literal := data[i : end+1]
		name := end+1 < len(data) && data[end+1] == ':'
		if clean, n := cleanLiteral(literal, name, mark); n > 0 {
			out.Write(data[copied:i])
			out.Write(clean)
			count += n
			copied = end + 1
		}
		i = end
	}
	if count == 0 {
		return data, 0
	}
	out.Write(data[copied:])
	return out.Bytes(), count
}

// cleanLiteral cleans one string, in its quotes.
func cleanLiteral(literal []byte, name bool, mark string) ([]byte, int) {
	if !suspect(literal) {
		return literal, 0
	}
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return literal, 0
	}
	clean, count := Strip(text)
	if count == 0 {
		return literal, 0
	}
	if name {
		clean = spelled(text) + mark
	}
	quoted, err := jsontext.AppendQuote(nil, clean)
	if err != nil {
		return literal, 0
	}
	return quoted, count
}

// spelled writes hidden characters out.
func spelled(text string) string {
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// boundary is 64 random bits and more, in 11 letters and digits.
func boundary() string {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	var out [11]byte // 62^11 is above 2^65
	for i := 0; i < len(out); {
		var random [16]byte
		_, _ = rand.Read(random[:]) // never fails: it ends the program instead
		for _, c := range random {
			if c < 4*62 && i < len(out) { // each letter as likely as another
				out[i] = letters[c%62]
				i++
			}
		}
	}
	return string(out[:])
}
