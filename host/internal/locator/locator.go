// Package locator reads how a person or an agent names an element in one line of
// text. It is pure: what the text means in a page is the page bridge's affair.
//
//	e12  f2e7                 a ref from a snapshot
//	button "Sign in"          role and accessible name, as snapshots print them
//	#id  .class  a[href]      a CSS selector (also css=…); >>> enters open shadow roots
//	id=save  testid=save      an id or data-testid
//	main  dialog  form  h1    these few words alone are the elements of that name
//	"Sign in"  text=Sign in   visible text; so is anything else
package locator

import (
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

var (
	refPattern  = lazy.MustCompile(`^(?:f\d+)?e\d+$`)
	rolePattern = lazy.MustCompile(`^([a-z]+)\s+("(?:[^"\\]|\\.)*"|'[^']*')$`)
	roleEquals  = lazy.MustCompile(`^role=([a-z]+)(?:\[name=(.+)\])?$`)
	// A selector begins like one; a dot or a colon in plain words (example.com) does not make them one.
	selectorPattern = lazy.MustCompile(`^(?:[#.\[*]\S|[a-z][a-z0-9-]*(?:[#\[]\S|:[a-z]|\s*>)|` +
		`(?:a|article|aside|button|dd|details|dialog|div|dl|dt|fieldset|footer|form|h[1-6]|header|img|input|label|li|main|nav|ol|option|p|pre|section|select|span|summary|svg|table|tbody|td|textarea|th|thead|tr|ul|[a-z]+-[a-z0-9-]+)\.[a-zA-Z_-])`)
)

// structural are words that are surely meant as elements when they stand alone.
var structural = map[string]bool{
	"body": true, "main": true, "header": true, "footer": true, "nav": true, "aside": true, "form": true, "table": true, "dialog": true, "h1": true,
}

// Parse reads a locator. The error is VALIDATION_ERROR.
func Parse(text string) (protocol.Target, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return protocol.Target{}, empty()
	}
	if refPattern.MatchString(text) {
		return protocol.Target{Ref: text}, nil
	}
	if found := rolePattern.FindStringSubmatch(text); found != nil {
		return protocol.Target{Role: found[1], Name: unquote(found[2])}, nil
	}
	if found := roleEquals.FindStringSubmatch(text); found != nil {
		return protocol.Target{Role: found[1], Name: unquote(found[2])}, nil
	}
	if key, value, ok := strings.Cut(text, "="); ok && value != "" {
		value = unquote(value)
		if value == "" && strings.Contains(" ref id testid css text ", " "+key+" ") {
			return protocol.Target{}, empty()
		}
		switch key {
		case "ref":
			return protocol.Target{Ref: value}, nil
		case "id", "testid":
			return protocol.Target{StableID: value}, nil
		case "css":
			return protocol.Target{Selector: value}, nil
		case "text":
			return protocol.Target{Text: value}, nil
		}
	}
	if quoted := unquote(text); quoted != text {
		if quoted == "" {
			return protocol.Target{}, empty()
		}
		return protocol.Target{Text: quoted}, nil
	}
	if structural[text] || selectorPattern.MatchString(text) || strings.Contains(text, ">>>") {
		return protocol.Target{Selector: text}, nil
	}
	return protocol.Target{Text: text}, nil
}

func empty() error {
	return fault.New(fault.ValidationError, "the target is empty").
		Suggest("Name an element by ref (e12), role and name (button \"Save\"), CSS selector (#save) or visible text.")
}

// unquote takes off a pair of quotes, and the backslashes inside double ones.
func unquote(text string) string {
	n := len(text)
	if n < 2 || text[0] != text[n-1] || text[0] != '"' && text[0] != '\'' {
		return text
	}
	inner := text[1 : n-1]
	if text[0] == '\'' {
		return inner
	}
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] == '\\' && i+1 < len(inner) {
			i++
		}
		b.WriteByte(inner[i])
	}
	return b.String()
}
