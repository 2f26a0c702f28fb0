package redact

import (
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
)

// formsOf lists the ways in which a value is written where it gets: as it is, in HTML, in
// an address, quoted for a shell or for Go, each also in JSON and in JSON within JSON; and
// in base64 at any of the three places that it can have there.
func formsOf(value string) []form {
	var forms []form
	word, letters := true, true
	for i := range len(value) {
		c := value[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		letters = letters && letter
		word = word && (letter || c >= '0' && c <= '9' || c == '_')
	}
	short := len(value) < wordKnown && word
	plain := []string{value}
	add := func(text string) {
		for _, has := range plain {
			if has == text {
				return
			}
		}
		plain = append(plain, text)
	}
	for _, text := range markups(value) {
		add(text)
	}
	for _, text := range addressed(value) {
		add(text)
	}
	add(strings.ReplaceAll(value, "'", `'\''`))
	add(unquoted(strconv.Quote(value)))
	add(unquoted(strconv.QuoteToASCII(value)))
	levels := 3 // JSON within JSON within JSON
	if len(value) > longKnown {
		levels = 1
	}
	seen := make(map[string]bool)
	for _, text := range plain {
		seen[text] = true
	}
	for level, last := 0, plain; ; level++ {
		var next []string
		for _, text := range last {
			forms = append(forms, form{text: text, word: short, letters: letters})
			for _, way := range jsonWays {
				if text := way(text); level < levels && !seen[text] {
					seen[text] = true
					next = append(next, text)
				}
			}
		}
		if last = next; len(last) == 0 {
			break
		}
	}
	return append(forms, base64Forms(value)...)
}

// longKnown is the length above which a value, a key file say, is looked for in fewer forms.
const longKnown = 256

func unquoted(text string) string { return text[1 : len(text)-1] }

// jsonWays are how writers of JSON differ: in what they escape beyond what they must.
var jsonWays = []func(string) string{
	func(text string) string { return escaped(text, false, false) },
	func(text string) string { return escaped(text, true, false) },
	func(text string) string { return escaped(text, false, true) },
	func(text string) string { return escaped(text, true, true) },
	func(text string) string { return strings.ReplaceAll(escaped(text, false, false), "/", `\/`) },
}

// escaped is the inside of a JSON text. markup also escapes what HTML means something by,
// ascii all that is beyond ASCII.
func escaped(text string, markup, ascii bool) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strings.ContainsRune("\b\f\n\r\t", r):
			b.WriteByte('\\')
			b.WriteByte("btn_fr"[r-'\b'])
		case r < ' ' || markup && strings.ContainsRune("<>&\u2028\u2029", r) || ascii && r >= 0x7f && r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		case ascii && r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// markups are a value in HTML: in text, in an attribute, as Go and as templates write it.
func markups(value string) []string {
	amp := strings.ReplaceAll(value, "&", "&amp;")
	angles := strings.NewReplacer("<", "&lt;", ">", "&gt;")
	quote := func(text, double, single string) string {
		return strings.NewReplacer(`"`, double, "'", single).Replace(text)
	}
	list := []string{amp, angles.Replace(amp), html.EscapeString(value)}
	for _, single := range []string{"'", "&#39;", "&#x27;", "&apos;"} {
		list = append(list, quote(amp, "&quot;", single), quote(angles.Replace(amp), "&quot;", single))
	}
	for _, text := range list {
		list = append(list, strings.ReplaceAll(text, "\u00a0", "&nbsp;"))
	}
	return list
}

// kept are the characters, beyond letters and digits, that the functions of JavaScript
// and the URL standard leave as they are in an address, from the strictest on.
var kept = []string{"-_.~", "-_.!~*'()", "*-._", ";,/?:@&=+$-_.!~*'()#", "!$&'()*+,-./:;=@_~", "!$&'()*+,-./:;=?@_~", "!$%&'()*+,-./:;=?@_~[]\\^|{}`"}

// addressed are a value in an address, with capital and small digits.
func addressed(value string) []string {
	list := []string{url.QueryEscape(value), url.PathEscape(value), (&url.URL{Path: value}).EscapedPath(), url.UserPassword("", value).String()[1:]}
	for _, keep := range kept {
		for _, digits := range []string{"%%%02X", "%%%02x"} {
			var b strings.Builder
			for i := range len(value) {
				c := value[i]
				if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(keep, c) >= 0 {
					b.WriteByte(c)
				} else {
					fmt.Fprintf(&b, digits, c)
				}
			}
			list = append(list, b.String(), strings.ReplaceAll(b.String(), "%20", "+"))
		}
	}
	return list
}

// shortestBase64 is how many characters of base64 are looked for at least: fewer stand in
// every picture.
const shortestBase64 = 6

// base64Forms are what a value surely looks like within base64, behind none, one and two
// bytes of something else, and alone.
func base64Forms(value string) []form {
	var forms []form
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		alone := encoding.EncodeToString([]byte(value))
		forms = append(forms, form{text: alone, word: len(value) < wordKnown})
		forms = append(forms, form{text: strings.TrimRight(alone, "="), word: len(value) < wordKnown})
		for before := range 3 {
			all := encoding.EncodeToString([]byte("\x00\x00"[:before] + value + "\x00\x00"))
			core := all[(8*before+5)/6 : 8*(before+len(value))/6]
			if len(core) >= shortestBase64 {
				forms = append(forms, form{text: core})
			}
		}
	}
	return forms
}
