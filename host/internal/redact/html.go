package redact

import "strings"

// secretFields are values of autocomplete whose field holds a secret.
var secretFields = map[string]bool{"current-password": true, "new-password": true, "one-time-code": true, "cc-number": true, "cc-csc": true, "cc-exp": true}

// addressAttributes hold an address.
var addressAttributes = map[string]bool{"href": true, "src": true, "action": true, "formaction": true, "poster": true, "data": true, "cite": true}

// HTML masks the secrets of a document: values of fields for secrets, attributes and meta
// elements that are named like one, addresses, what looks like one in any text, and what
// scripts say. It reads in one pass and takes any text for HTML.
func HTML(text string) string {
	text = tokens(Known(text))
	if !strings.Contains(text, "<") {
		return Text(text)
	}
	var out strings.Builder
	out.Grow(len(text) + 64)
	for len(text) > 0 {
		open := strings.IndexByte(text, '<')
		if open < 0 {
			break
		}
		out.WriteString(cards(text[:open]))
		text = text[open:]
		tag := readTag(text)
		if tag.length == 0 { // no tag: a sign
			out.WriteByte('<')
			text = text[1:]
			continue
		}
		tag.write(&out, text[:tag.length])
		text = text[tag.length:]
		if tag.name == "script" {
			end := closing(text, "</script")
			out.WriteString(Text(text[:end]))
			text = text[end:]
		}
	}
	out.WriteString(cards(text))
	return out.String()
}

// closing gives where an element ends whose content is no HTML.
func closing(text, end string) int {
	for at := 0; ; {
		next := strings.Index(text[at:], "</")
		if next < 0 {
			return len(text)
		}
		at += next
		if len(text)-at >= len(end) && strings.EqualFold(text[at:at+len(end)], end) {
			return at
		}
		at += 2
	}
}

// tag is an element's opening, with where the values of its attributes are.
type tag struct {
	name       string
	length     int
	attributes []attribute
}

type attribute struct {
	name     string
	from, to int // of the value
}

// readTag reads the tag that a text begins with; its length is 0 where there is none.
func readTag(text string) (t tag) {
	at := 1
	for at < len(text) && (text[at] >= 'a' && text[at] <= 'z' || text[at] >= 'A' && text[at] <= 'Z' || at > 1 && (text[at] == '-' || text[at] >= '0' && text[at] <= '9')) {
		at++
	}
	if at == 1 {
		return t
	}
	t.name = strings.ToLower(text[1:at])
	for at < len(text) {
		switch c := text[at]; {
		case c == '>':
			t.length = at + 1
			return t
		case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '/':
			at++
			continue
		}
		start := at
		for at < len(text) && !strings.ContainsRune(" \n\t\r\f=>", rune(text[at])) {
			at++
		}
		a := attribute{name: strings.ToLower(text[start:at])}
		equals := at
		for equals < len(text) && strings.ContainsRune(" \n\t\r\f", rune(text[equals])) {
			equals++
		}
		if equals >= len(text) || text[equals] != '=' {
			if at == start {
				at++
			}
			continue
		}
		at = equals + 1
		for at < len(text) && strings.ContainsRune(" \n\t\r\f", rune(text[at])) {
			at++
		}
		if at < len(text) && (text[at] == '"' || text[at] == '\'') {
			end := strings.IndexByte(text[at+1:], text[at])
			if end < 0 {
				end = len(text) - at - 1
			}
			a.from, a.to = at+1, at+1+end
			at = min(len(text), a.to+1)
		} else {
			a.from = at
			for at < len(text) && !strings.ContainsRune(" \n\t\r\f>", rune(text[at])) {
				at++
			}
			a.to = at
		}
		t.attributes = append(t.attributes, a)
	}
	t.length = len(text)
	return t
}

func (t *tag) value(text, name string) string {
	for _, a := range t.attributes {
		if a.name == name {
			return text[a.from:a.to]
		}
	}
	return ""
}

// write writes the tag, of which text is the source, without its secrets.
func (t *tag) write(out *strings.Builder, text string) {
	name := t.value(text, "name")
	secret := Name(name)
	if t.name == "input" || t.name == "textarea" || t.name == "select" {
		secret = secret || Name(t.value(text, "id")) || strings.EqualFold(t.value(text, "type"), "password")
		for word := range strings.FieldsSeq(strings.ToLower(t.value(text, "autocomplete"))) {
			secret = secret || secretFields[word]
		}
	}
	at := 0
	for _, a := range t.attributes {
		value := text[a.from:a.to]
		masked := value
		switch {
		case value == "" || strings.Contains(value, "«"): // marked already
		case secret && (a.name == "value" || a.name == "content" && t.name == "meta"), strings.HasPrefix(a.name, "data-") && Name(a.name[len("data-"):]) && value != "true" && value != "false":
			masked = Mark
		case addressAttributes[a.name]:
			if strings.ContainsAny(value, "?#@") {
				masked = URL(value)
			}
		case a.name == "srcdoc", strings.HasPrefix(a.name, "data-") && strings.ContainsAny(value, ":="):
			masked = Text(value)
		default:
			masked = cards(value)
		}
		out.WriteString(text[at:a.from])
		out.WriteString(masked)
		at = a.to
	}
	out.WriteString(text[at:])
}
