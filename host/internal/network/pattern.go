package network

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Pattern chooses addresses.
//
//	/api/save        any address that holds the text
//	*.png  /api/*/x  a glob: * is anything; a query at the end is let through
//	/ord(er)?s$/     a regular expression between slashes
type Pattern struct {
	text    string
	expr    *regexp.Regexp // nil: holds
	holds   string
	browser string // the same or more, as Fetch.enable takes it
}

// ParsePattern reads a pattern. The error says what is wrong with it.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	if inner, ok := strings.CutPrefix(text, "/"); ok && strings.HasSuffix(inner, "/") && strings.ContainsAny(inner, `\^$|()[]{}+*?.`) {
		expr, err := regexp.Compile(strings.TrimSuffix(inner, "/"))
		if err != nil {
			return nil, fmt.Errorf("%q is no regular expression: %w", text, err)
		}
		p.expr, p.browser = expr, "*"
		return p, nil
	}
	if text == "" {
		return nil, fmt.Errorf("the pattern is empty")
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%q is not UTF-8", text)
	}
	forBrowser := strings.NewReplacer(`\`, `\\`, "?", `\?`).Replace(text) // there ? is any character
	if !strings.Contains(text, "*") {
		p.holds, p.browser = text, "*"+forBrowser+"*"
		return p, nil
	}
	parts := strings.Split(text, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	source, start := strings.Join(parts, ".*"), "^"
	if !strings.Contains(text, "://") {
		start, forBrowser = "", "*"+forBrowser
	}
	if !strings.Contains(text, "?") {
		source += `(?:[?#].*)?`
	}
	p.expr, p.browser = regexp.MustCompile(start+source+"$"), forBrowser+"*"
	return p, nil
}

// Match reports whether the pattern chooses the address. A nil pattern chooses all.
func (p *Pattern) Match(url string) bool {
	switch {
	case p == nil:
		return true
	case p.expr == nil:
		return strings.Contains(url, p.holds)
	}
	return p.expr.MatchString(url)
}

// String is the pattern as it was given.
func (p *Pattern) String() string { return p.text }

// Status chooses answers: 200, 4xx, failed, pending, ok (below 400), error (failed or from 400).
type Status string

// Valid reports whether it is one.
func (s Status) Valid() bool {
	switch s {
	case "", "failed", "pending", "ok", "error":
		return true
	}
	if len(s) != 3 || s[0] < '1' || s[0] > '5' {
		return false
	}
	return s[1:] == "xx" || s[1] >= '0' && s[1] <= '9' && s[2] >= '0' && s[2] <= '9'
}

func (s Status) match(e *entry) bool {
	switch {
	case s == "":
		return true
	case s == "failed":
		return e.state == Failed
	case s == "pending":
		return e.state == Pending
	case s == "ok":
		return e.state != Failed && e.status > 0 && e.status < 400
	case s == "error":
		return e.state == Failed || e.status >= 400
	case s[1:] == "xx":
		return e.status/100 == int(s[0]-'0')
	}
	return itoa(e.status) == string(s)
}
