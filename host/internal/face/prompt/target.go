package prompt

import (
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// next takes the first word of text. A word may be quoted: with " (\" and \\
// inside) or '. A quote right after = keeps its spaces in the word: [name="a b"].
func (v *verb) next(text string) (word, error) {
	start := len(text) - len(strings.TrimLeft(text, " \t"))
	if start == len(text) {
		return word{end: len(text)}, nil
	}
	quote := text[start]
	if quote != '"' && quote != '\'' {
		end := plainEnd(text, start)
		return word{text: text[start:end], end: end}, nil
	}
	var b strings.Builder
	for i := start + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return word{text: b.String(), quoted: true, end: i + 1}, nil
		case c == '\\' && quote == '"' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return word{}, v.wrong("the quote %c is not closed", quote)
}

func plainEnd(text string, start int) int {
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' || c == '\t':
			return i
		case (c == '"' || c == '\'') && i > start && text[i-1] == '=':
			if length := strings.IndexByte(text[i+1:], c); length >= 0 {
				i += length + 1
			}
		}
	}
	return len(text)
}

// take takes a target from the start of text: a ref, a selector, a role with a
// quoted name, key=value, or text. With whole there is nothing else on the line,
// so words without quotes belong together: click Sign in.
func (v *verb) take(text string, whole bool) (*protocol.Target, string, error) {
	first, err := v.next(text)
	if err != nil {
		return nil, "", err
	}
	rest := text[first.end:]
	if first.text == "" {
		return nil, "", v.wrong("the target is missing")
	}
	if first.quoted {
		return &protocol.Target{Text: first.text}, rest, nil
	}
	if slices.Contains(roles, first.text) {
		second, err := v.next(rest)
		if err != nil {
			return nil, "", err
		}
		if second.quoted && second.text != "" {
			return &protocol.Target{Role: first.text, Name: second.text}, rest[second.end:], nil
		}
	}
	target, joins := plainTarget(first.text)
	if whole && joins && strings.TrimSpace(rest) != "" {
		target, _ = plainTarget(strings.TrimSpace(text))
		rest = ""
	}
	return target, rest, nil
}

// plainTarget reads an unquoted target. joins tells that following words may belong to it.
func plainTarget(text string) (target *protocol.Target, joins bool) {
	if key, value, ok := strings.Cut(text, "="); ok && value != "" {
		if n := len(value); n > 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		switch key {
		case "ref":
			return &protocol.Target{Ref: value}, false
		case "id", "testid":
			return &protocol.Target{StableID: value}, false
		case "css":
			return &protocol.Target{Selector: value}, true
		case "text":
			return &protocol.Target{Text: value}, true
		}
	}
	switch {
	case refPattern.MatchString(text):
		return &protocol.Target{Ref: text}, false
	case strings.ContainsRune("#.[", rune(text[0])) && len(text) > 1, strings.Contains(text, ">"):
		return &protocol.Target{Selector: text}, true
	}
	return &protocol.Target{Text: text}, true
}
