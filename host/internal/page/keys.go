package page

import (
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Keys of a US keyboard: what CDP wants to know of each
// (https://www.w3.org/TR/uievents-code/, https://www.w3.org/TR/uievents-key/;
// the numbers are Windows virtual key codes).

// Key is one key.
type Key struct {
	Key, Code string
	Number    int64  // virtual key code
	Text      string // what it types, empty for most
	Location  int64  // 1 left, 2 right, 3 number pad
}

// namedKeys are the keys that type nothing, or something else than their name.
var namedKeys = map[string]Key{
	"Enter": {"Enter", "Enter", 13, "\r", 0}, "Tab": {"Tab", "Tab", 9, "", 0}, "Space": {" ", "Space", 32, " ", 0},
	"Backspace": {"Backspace", "Backspace", 8, "", 0}, "Delete": {"Delete", "Delete", 46, "", 0}, "Insert": {"Insert", "Insert", 45, "", 0},
	"Escape": {"Escape", "Escape", 27, "", 0}, "Home": {"Home", "Home", 36, "", 0}, "End": {"End", "End", 35, "", 0},
	"PageUp": {"PageUp", "PageUp", 33, "", 0}, "PageDown": {"PageDown", "PageDown", 34, "", 0},
	"ArrowLeft": {"ArrowLeft", "ArrowLeft", 37, "", 0}, "ArrowUp": {"ArrowUp", "ArrowUp", 38, "", 0},
	"ArrowRight": {"ArrowRight", "ArrowRight", 39, "", 0}, "ArrowDown": {"ArrowDown", "ArrowDown", 40, "", 0},
	"Shift": {"Shift", "ShiftLeft", 16, "", 1}, "Control": {"Control", "ControlLeft", 17, "", 1},
	"Alt": {"Alt", "AltLeft", 18, "", 1}, "Meta": {"Meta", "MetaLeft", 91, "", 1},
	"CapsLock": {"CapsLock", "CapsLock", 20, "", 0}, "ContextMenu": {"ContextMenu", "ContextMenu", 93, "", 0},
	"PrintScreen": {"PrintScreen", "PrintScreen", 44, "", 0}, "ScrollLock": {"ScrollLock", "ScrollLock", 145, "", 0},
	"Pause": {"Pause", "Pause", 19, "", 0}, "NumLock": {"NumLock", "NumLock", 144, "", 0},
	"NumpadEnter": {"Enter", "NumpadEnter", 13, "\r", 3}, "NumpadAdd": {"+", "NumpadAdd", 107, "+", 3},
	"NumpadSubtract": {"-", "NumpadSubtract", 109, "-", 3}, "NumpadMultiply": {"*", "NumpadMultiply", 106, "*", 3},
	"NumpadDivide": {"/", "NumpadDivide", 111, "/", 3}, "NumpadDecimal": {".", "NumpadDecimal", 110, ".", 3},
	"F1": {"F1", "F1", 112, "", 0}, "F2": {"F2", "F2", 113, "", 0}, "F3": {"F3", "F3", 114, "", 0}, "F4": {"F4", "F4", 115, "", 0},
	"F5": {"F5", "F5", 116, "", 0}, "F6": {"F6", "F6", 117, "", 0}, "F7": {"F7", "F7", 118, "", 0}, "F8": {"F8", "F8", 119, "", 0},
	"F9": {"F9", "F9", 120, "", 0}, "F10": {"F10", "F10", 121, "", 0}, "F11": {"F11", "F11", 122, "", 0}, "F12": {"F12", "F12", 123, "", 0},
}

// keyAliases are other words for keys, in lower case.
var keyAliases = map[string]string{
	"return": "Enter", "esc": "Escape", "del": "Delete", "ins": "Insert", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"ctrl": "Control", "cmd": "Meta", "command": "Meta", "win": "Meta", "super": "Meta", "option": "Alt", "opt": "Alt", "spacebar": "Space", " ": "Space",
	"plus": "+", "minus": "-", "pgup": "PageUp", "pgdn": "PageDown", "\n": "Enter", "\r": "Enter", "\t": "Tab",
}

// signKeys are the keys of signs: what they type alone and with Shift.
var signKeys = []struct {
	plain, shifted byte
	code           string
	number         int64
}{
	{'-', '_', "Minus", 189}, {'=', '+', "Equal", 187}, {'[', '{', "BracketLeft", 219}, {']', '}', "BracketRight", 221},
	{'\\', '|', "Backslash", 220}, {';', ':', "Semicolon", 186}, {'\'', '"', "Quote", 222}, {',', '<', "Comma", 188},
	{'.', '>', "Period", 190}, {'/', '?', "Slash", 191}, {'`', '~', "Backquote", 192},
}

// shiftedDigits are what the digits' keys type with Shift, from 0.
const shiftedDigits = ")!@#$%^&*("

// character gives the key of a character; shifted ones need Shift.
func character(c rune) (key Key, shift, ok bool) {
	if c >= utf8.RuneSelf {
		return Key{}, false, false
	}
	b := byte(c)
	text := string(c)
	switch {
	case b >= 'a' && b <= 'z':
		return Key{text, "Key" + strings.ToUpper(text), int64(b - 'a' + 'A'), text, 0}, false, true
	case b >= 'A' && b <= 'Z':
		return Key{text, "Key" + text, int64(b), text, 0}, true, true
	case b >= '0' && b <= '9':
		return Key{text, "Digit" + text, int64(b), text, 0}, false, true
	case b == ' ':
		return namedKeys["Space"], false, true
	case b == '\n' || b == '\r':
		return namedKeys["Enter"], false, true
	case b == '\t':
		return namedKeys["Tab"], false, true
	}
	if digit := strings.IndexByte(shiftedDigits, b); digit >= 0 {
		return Key{text, "Digit" + string(rune('0'+digit)), int64('0' + digit), text, 0}, true, true
	}
	for _, sign := range signKeys {
		if b == sign.plain || b == sign.shifted {
			return Key{text, sign.code, sign.number, text, 0}, b == sign.shifted, true
		}
	}
	return Key{}, false, false
}

// Chord is a key with the modifiers that are held.
type Chord struct {
	Modifiers []string // Control, Alt, Shift, Meta
	Key       Key
}

// ParseChord reads a key or a chord: Enter, a, Control+Shift+K, ControlOrMeta+A, Control++.
func ParseChord(text string) (Chord, error) {
	var chord Chord
	rest := text
	for {
		at := strings.Index(rest, "+")
		if at <= 0 || at == len(rest)-1 { // the last word, or the key + itself
			break
		}
		name, known := keyName(rest[:at])
		if name == "ControlOrMeta" {
			name = "Control"
			if runtime.GOOS == "darwin" {
				name = "Meta"
			}
		}
		if _, modifier := modifierBits[name]; !known || !modifier {
			return chord, fault.New(fault.ValidationError, "%q is no modifier; use Control, Alt, Shift, Meta or ControlOrMeta", rest[:at]).
				Suggest("dbridge input key Control+A", "dbridge input key Enter")
		}
		chord.Modifiers = append(chord.Modifiers, name)
		rest = rest[at+1:]
	}
	name, _ := keyName(rest)
	if key, ok := namedKeys[name]; ok {
		chord.Key = key
	} else if c, size := utf8.DecodeRuneInString(name); size == len(name) && size > 0 {
		key, shift, ok := character(c)
		if !ok {
			key = Key{Key: name, Text: name}
		}
		held := chord.holds("Shift")
		if held && !shift {
			key = shiftedOf(key)
		}
		chord.Key = key
	} else {
		return chord, fault.New(fault.ValidationError, "there is no key %q", rest).
			Suggest("dbridge input key Enter", "dbridge input type '"+strings.ReplaceAll(rest, "'", "")+"'")
	}
	return chord, nil
}

func (c Chord) holds(modifier string) bool {
	for _, held := range c.Modifiers {
		if held == modifier {
			return true
		}
	}
	return false
}

// shiftedOf is what a character's key types with Shift.
func shiftedOf(key Key) Key {
	for c := rune('!'); c < 127; c++ {
		if other, shift, ok := character(c); ok && shift && other.Code == key.Code {
			return other
		}
	}
	return key
}

// keyName gives the name that the tables use.
func keyName(word string) (string, bool) {
	lower := strings.ToLower(word)
	if alias, ok := keyAliases[lower]; ok {
		return alias, true
	}
	if lower == "controlormeta" {
		return "ControlOrMeta", true
	}
	if len(word) > 1 {
		for name := range namedKeys {
			if strings.EqualFold(name, word) {
				return name, true
			}
		}
	}
	return word, utf8.RuneCountInString(word) == 1
}

// Press gives the events of pressing a chord, repeat times over for a key that is held.
func (c Chord) Press(repeat int) []Send {
	var sends []Send
	var held int64
	for _, name := range c.Modifiers {
		held |= modifierBits[name]
		sends = append(sends, keyEvent(input.DispatchKeyEventTypeRawKeyDown, namedKeys[name], held, false))
	}
	down := input.DispatchKeyEventTypeKeyDown
	key := c.Key
	if held&^modifierBits["Shift"] != 0 || key.Text == "" { // a shortcut types nothing
		down, key.Text = input.DispatchKeyEventTypeRawKeyDown, ""
	}
	for n := range max(repeat, 1) {
		sends = append(sends, keyEvent(down, key, held, n > 0))
	}
	sends = append(sends, keyEvent(input.DispatchKeyEventTypeKeyUp, c.Key, held, false))
	for i := len(c.Modifiers) - 1; i >= 0; i-- {
		name := c.Modifiers[i]
		held &^= modifierBits[name]
		sends = append(sends, keyEvent(input.DispatchKeyEventTypeKeyUp, namedKeys[name], held, false))
	}
	return sends
}

// Typed gives the events of typing one character; what no key types goes in as it is.
func Typed(c rune) []Send {
	key, shift, ok := character(c)
	if !ok {
		return []Send{{input.CommandInsertText, input.InsertTextParams{Text: string(c)}}}
	}
	var held int64
	if shift {
		held = modifierBits["Shift"]
	}
	down := input.DispatchKeyEventTypeKeyDown
	if key.Text == "" {
		down = input.DispatchKeyEventTypeRawKeyDown
	}
	return []Send{keyEvent(down, key, held, false), keyEvent(input.DispatchKeyEventTypeKeyUp, key, held, false)}
}

func keyEvent(kind input.DispatchKeyEventType, key Key, held int64, repeated bool) Send {
	params := input.DispatchKeyEventParams{
		Type: kind, Key: key.Key, Code: key.Code, WindowsVirtualKeyCode: key.Number, Modifiers: held, Location: key.Location,
	}
	yes := true
	if repeated {
		params.AutoRepeat = &yes
	}
	if key.Location == 3 {
		params.IsKeypad = &yes
	}
	if kind == input.DispatchKeyEventTypeKeyDown {
		params.Text, params.UnmodifiedText = key.Text, key.Text
	}
	return Send{input.CommandDispatchKeyEvent, params}
}
