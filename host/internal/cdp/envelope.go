package cdp

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fromPage are the options for what a browser says. A page's text may hold lone
// surrogates, which DevTools passes on as \ud800; names are never doubled by
// Chromium's serializer, so looking for doubles is time lost.
var fromPage = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Unmarshal decodes a result or an event's parameters. A lone surrogate, which a
// page can put into any text, becomes U+FFFD instead of an error.
func Unmarshal(value jsontext.Value, into any) error {
	if raw, ok := into.(*jsontext.Value); ok {
		*raw = value
		return nil
	}
	return json.Unmarshal(value, into, fromPage)
}

// envelope is a message from the browser; its values are parts of the message.
type envelope struct {
	id      uint64
	hasID   bool
	method  string
	session string
	params  jsontext.Value
	result  jsontext.Value
	failure jsontext.Value
}

var errEnvelope = errors.New("the browser sent something that is no DevTools message")

// open reads the top level of a message. Values are only skipped over: a snapshot
// of many megabytes is looked at once, by whoever decodes it.
func open(message []byte) (e envelope, err error) {
	at := space(message, 0)
	if at == len(message) || message[at] != '{' {
		return e, errEnvelope
	}
	at = space(message, at+1)
	if at < len(message) && message[at] == '}' {
		return e, end(message, at+1)
	}
	for {
		var name, value []byte
		if name, at = text(message, at); at < 0 {
			return e, errEnvelope
		}
		if at = space(message, at); at == len(message) || message[at] != ':' {
			return e, errEnvelope
		}
		at = space(message, at+1)
		from := at
		if at = skip(message, at); at < 0 {
			return e, errEnvelope
		}
		value = message[from:at:at]
		if err := e.set(name, value); err != nil {
			return e, err
		}
		if at = space(message, at); at == len(message) {
			return e, errEnvelope
		}
		switch message[at] {
		case ',':
			at = space(message, at+1)
		case '}':
			return e, end(message, at+1)
		default:
			return e, errEnvelope
		}
	}
}

func (e *envelope) set(name, value []byte) error {
	switch string(name) {
	case "id":
		if string(value) == "null" { // a complaint about a message that could not be read
			return nil
		}
		id, ok := number(value)
		if !ok {
			return errEnvelope
		}
		e.id, e.hasID = id, true
	case "method":
		return quoted(&e.method, value)
	case "sessionId":
		return quoted(&e.session, value)
	case "params":
		e.params = value
	case "result":
		e.result = value
	case "error":
		e.failure = value
	}
	return nil
}

// end refuses anything but space after the message.
func end(message []byte, at int) error {
	if space(message, at) != len(message) {
		return errEnvelope
	}
	return nil
}

func space(message []byte, at int) int {
	for at < len(message) && (message[at] == ' ' || message[at] == '\n' || message[at] == '\r' || message[at] == '\t') {
		at++
	}
	return at
}

func number(digits []byte) (n uint64, ok bool) {
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for _, digit := range digits {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		n = n*10 + uint64(digit-'0')
	}
	return n, true
}

// quoted reads a string value; escapes are rare enough to be left to the decoder.
func quoted(into *string, value []byte) error {
	if len(value) < 2 || value[0] != '"' {
		return errEnvelope
	}
	if bytes.IndexByte(value, '\\') < 0 {
		*into = string(value[1 : len(value)-1])
		return nil
	}
	if err := json.Unmarshal(value, into, fromPage); err != nil {
		return errEnvelope
	}
	return nil
}

// text gives the inside of the string at a position and the position behind it, or -1.
func text(message []byte, at int) ([]byte, int) {
	if at >= len(message) || message[at] != '"' {
		return nil, -1
	}
	end := skipString(message, at)
	if end < 0 {
		return nil, -1
	}
	return message[at+1 : end-1], end
}

// skip gives the position behind the value at a position, or -1. It counts brackets
// and leaves the grammar within them to the decoder.
func skip(message []byte, at int) int {
	depth := 0
	for at < len(message) {
		switch c := message[at]; c {
		case '"':
			if at = skipString(message, at); at < 0 || depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				if depth < 0 {
					return -1
				}
				return at + 1
			}
		default:
			if depth == 0 {
				return skipScalar(message, at)
			}
		}
		at++
	}
	return -1
}

// skipScalar passes over a number, true, false or null.
func skipScalar(message []byte, at int) int {
	from := at
	for at < len(message) {
		switch c := message[at]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c == '-', c == '+', c == '.', c == 'E':
			at++
			continue
		}
		break
	}
	if at == from {
		return -1
	}
	return at
}

// skipString passes over the string that begins at a position.
func skipString(message []byte, at int) int {
	at++
	for {
		quote := bytes.IndexByte(message[at:], '"')
		if quote < 0 {
			return -1
		}
		slashes := 0
		for before := at + quote - 1; before >= at && message[before] == '\\'; before-- {
			slashes++
		}
		at += quote + 1
		if slashes%2 == 0 {
			return at
		}
	}
}
