package page

import (
	"math"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

var (
	wholeNumber = lazy.MustCompile(`^\s*([+-]?)([0-9]+)`)
	anyNumber   = lazy.MustCompile(`^\s*([+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))`)
)

// Formatted is what a console makes of a call's arguments where the first of several is
// a text: its %s, %d, %i, %f, %o and %O are filled with those that follow, and %c, a
// style, shows nothing. https://console.spec.whatwg.org/#formatter
func Formatted(args []string) []string {
	if len(args) < 2 || !strings.Contains(args[0], "%") {
		return args
	}
	text, rest := args[0], args[1:]
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "%")
		b.WriteString(before)
		if !found {
			break
		}
		fill, known := byte(0), false
		if after != "" {
			fill = after[0]
			known = strings.IndexByte("sdifoOc", fill) >= 0 && len(rest) > 0
		}
		switch {
		case fill == '%':
			b.WriteByte('%')
			text = after[1:]
			continue
		case !known:
			b.WriteByte('%')
			text = after
			continue
		}
		switch fill {
		case 'd', 'i':
			b.WriteString(integer(rest[0]))
		case 'f':
			b.WriteString(float(rest[0]))
		case 's', 'o', 'O':
			b.WriteString(rest[0])
		}
		text, rest = after[1:], rest[1:]
	}
	if b.Len() == 0 && len(rest) > 0 { // styles alone
		return rest
	}
	return append([]string{b.String()}, rest...)
}

// integer is parseInt of a value's text.
func integer(text string) string {
	found := wholeNumber.FindStringSubmatch(text)
	if found == nil {
		return "NaN"
	}
	digits := strings.TrimLeft(found[2], "0")
	if digits == "" {
		return "0"
	}
	return strings.TrimPrefix(found[1], "+") + digits
}

// float is parseFloat of a value's text.
func float(text string) string {
	found := anyNumber.FindStringSubmatch(text)
	if found == nil {
		return "NaN"
	}
	v, err := strconv.ParseFloat(found[1], 64)
	switch size := math.Abs(v); {
	case math.IsInf(v, 0) || err != nil:
		return strings.TrimPrefix(found[1], "+")
	case size != 0 && (size < 1e-6 || size >= 1e21):
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
