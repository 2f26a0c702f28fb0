package nativemsg

// replacement is U+FFFD as an escape: as long as the escape it takes the place of.
const replacement = `\ufffd`

// mendSurrogates replaces escaped surrogates without their other half in JSON
// text. It gives the same slice back, and false, when there are none.
func mendSurrogates(text []byte) ([]byte, bool) {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		unit, ok := escapedUnit(text[i:])
		if !ok {
			i++ // another escape: skip what it escapes
			continue
		}
		if isHigh(unit) {
			if low, ok := escapedUnit(text[i+6:]); ok && isLow(low) {
				i += 11
				continue
			}
		}
		if isHigh(unit) || isLow(unit) {
			if out == nil {
				out = append([]byte(nil), text...)
			}
			copy(out[i:], replacement)
		}
		i += 5
	}
	if out == nil {
		return text, false
	}
	return out, true
}

// escapedUnit reads the UTF-16 unit of a \uXXXX at the start of text.
func escapedUnit(text []byte) (unit uint16, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	for _, c := range text[2:6] {
		var digit byte
		switch {
		case '0' <= c && c <= '9':
			digit = c - '0'
		case 'a' <= c && c <= 'f':
			digit = c - 'a' + 10
		case 'A' <= c && c <= 'F':
			digit = c - 'A' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | uint16(digit)
	}
	return unit, true
}

func isHigh(unit uint16) bool { return unit >= 0xD800 && unit < 0xDC00 }
func isLow(unit uint16) bool  { return unit >= 0xDC00 && unit < 0xE000 }
