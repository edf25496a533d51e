package adapter

import (
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bits of modifiers in input events.
const (
	modifierAlt     = 1
	modifierControl = 2
	modifierMeta    = 4
	modifierShift   = 8
)

// key is a key of a US keyboard, as events tell it.
type key struct {
	key      string // what it means
	code     string // where it is
	number   int64  // Windows' virtual key code
	text     string // what it types; "" when nothing
	location int64  // 1 left, 2 right
	modifier int64  // the bit that it holds, if it is a modifier
	shift    bool   // typed with Shift
}

// keys are the named keys by lower-case name.
var keys = map[string]key{}

// typable are the keys that type a character.
var typable = map[rune]key{}

// aliases are other words for keys.
var aliases = map[string]string{
	"ctrl": "control", "cmd": "meta", "command": "meta", "win": "meta", "super": "meta", "option": "alt",
	"esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "spacebar": "space", "up": "arrowup",
	"down": "arrowdown", "left": "arrowleft", "right": "arrowright", "pgup": "pageup", "pgdn": "pagedown",
	"pagedn": "pagedown", "plus": "+", "minus": "-", "comma": ",", "period": ".", "slash": "/", "break": "pause",
}

func init() {
	named := func(list ...key) {
		for _, k := range list {
			keys[strings.ToLower(k.key)] = k
			if k.code != "" {
				keys[strings.ToLower(k.code)] = k
			}
		}
	}
	named(
		key{key: "Control", code: "ControlLeft", number: 17, location: 1, modifier: modifierControl},
		key{key: "Shift", code: "ShiftLeft", number: 16, location: 1, modifier: modifierShift},
		key{key: "Alt", code: "AltLeft", number: 18, location: 1, modifier: modifierAlt},
		key{key: "Meta", code: "MetaLeft", number: 91, location: 1, modifier: modifierMeta},
		key{key: "Enter", code: "Enter", number: 13, text: "\r"},
		key{key: "Tab", code: "Tab", number: 9},
		key{key: "Backspace", code: "Backspace", number: 8},
		key{key: "Escape", code: "Escape", number: 27},
		key{key: "Delete", code: "Delete", number: 46},
		key{key: "Insert", code: "Insert", number: 45},
		key{key: "Home", code: "Home", number: 36},
		key{key: "End", code: "End", number: 35},
		key{key: "PageUp", code: "PageUp", number: 33},
		key{key: "PageDown", code: "PageDown", number: 34},
		key{key: "ArrowLeft", code: "ArrowLeft", number: 37},
		key{key: "ArrowUp", code: "ArrowUp", number: 38},
		key{key: "ArrowRight", code: "ArrowRight", number: 39},
		key{key: "ArrowDown", code: "ArrowDown", number: 40},
		key{key: "CapsLock", code: "CapsLock", number: 20},
		key{key: "NumLock", code: "NumLock", number: 144},
		key{key: "ScrollLock", code: "ScrollLock", number: 145},
		key{key: "Pause", code: "Pause", number: 19},
		key{key: "PrintScreen", code: "PrintScreen", number: 44},
		key{key: "ContextMenu", code: "ContextMenu", number: 93},
	)
	for i := range 24 {
		name := "F" + strconv.Itoa(i+1)
		named(key{key: name, code: name, number: int64(112 + i)})
	}
	// The rows of a US keyboard: code, key code, without and with Shift.
	type cap struct {
		code        string
		number      int64
		plain, high rune
	}
	caps := []cap{
		{"Space", 32, ' ', ' '},
		{"Backquote", 192, '`', '~'}, {"Minus", 189, '-', '_'}, {"Equal", 187, '=', '+'},
		{"BracketLeft", 219, '[', '{'}, {"BracketRight", 221, ']', '}'}, {"Backslash", 220, '\\', '|'},
		{"Semicolon", 186, ';', ':'}, {"Quote", 222, '\'', '"'},
		{"Comma", 188, ',', '<'}, {"Period", 190, '.', '>'}, {"Slash", 191, '/', '?'},
	}
	for i, high := range ")!@#$%^&*(" {
		caps = append(caps, cap{"Digit" + strconv.Itoa(i), int64('0' + i), rune('0' + i), high})
	}
	for r := 'a'; r <= 'z'; r++ {
		high := unicode.ToUpper(r)
		caps = append(caps, cap{"Key" + string(high), int64(high), r, high})
	}
	for _, c := range caps {
		k := key{key: string(c.plain), code: c.code, number: c.number, text: string(c.plain)}
		typable[c.plain] = k
		keys[strings.ToLower(c.code)] = k
		if c.high != c.plain {
			typable[c.high] = key{key: string(c.high), code: c.code, number: c.number, text: string(c.high), shift: true}
		}
	}
	enter := keys["enter"]
	typable['\n'], typable['\r'] = enter, enter
	typable['\t'] = keys["tab"]
}

// chord is a key with the modifiers that are held.
type chord struct {
	held []key
	key  key
}

// chords parses keys such as "Control+A", or several, such as "Escape Escape".
func chords(text string) ([]chord, error) {
	words := strings.Fields(text)
	if text == " " {
		words = []string{"Space"}
	}
	if len(words) == 0 {
		return nil, fail(ErrInvalid, "give keys such as Enter, Control+A or Escape", "keys is empty")
	}
	list := make([]chord, len(words))
	for i, word := range words {
		c, err := parseChord(word)
		if err != nil {
			return nil, err
		}
		list[i] = c
	}
	return list, nil
}

func parseChord(word string) (chord, error) {
	var c chord
	rest := word
	for {
		name, after, ok := strings.Cut(rest, "+")
		if !ok || name == "" || after == "" { // the last one; + itself may be a key
			break
		}
		k, ok := lookup(name)
		if !ok || k.modifier == 0 {
			return c, unknownKey(name, word)
		}
		c.held = append(c.held, k)
		rest = after
	}
	k, ok := lookup(rest)
	if !ok {
		return c, unknownKey(rest, word)
	}
	c.key = k
	if c.modifiers()&(modifierControl|modifierAlt|modifierMeta) != 0 && len(k.key) == 1 && unicode.IsUpper(rune(k.key[0])) && c.modifiers()&modifierShift == 0 {
		c.key = typable[unicode.ToLower(rune(k.key[0]))] // Control+A is no Control+Shift+A
	}
	if c.modifiers()&modifierShift != 0 && len(k.key) == 1 {
		for _, other := range typable {
			if other.code == k.code && other.shift {
				c.key = other
			}
		}
	}
	return c, nil
}

func unknownKey(name, word string) error {
	text := "unknown key " + quoted(name)
	if name != word {
		text += " (in " + quoted(word) + ")"
	}
	return &Error{Kind: ErrInvalid, Text: text, Advice: AdviceType, Hint: "use keys such as Enter, Escape, Tab, ArrowDown, F5, a or Control+A"}
}

func quoted(s string) string { return `"` + s + `"` }

// lookup returns the key with a name, or the one that types a character.
func lookup(name string) (key, bool) {
	if r, n := utf8.DecodeRuneInString(name); n == len(name) && n > 0 {
		if k, ok := typable[r]; ok {
			return k, true
		}
		return key{key: name, text: name}, true // not on a US keyboard
	}
	name = strings.ToLower(name)
	if name == "controlormeta" || name == "mod" {
		name = "control"
		if runtime.GOOS == "darwin" {
			name = "meta"
		}
	}
	if other, ok := aliases[name]; ok {
		name = other
		if r, n := utf8.DecodeRuneInString(name); n == len(name) {
			return typable[r], true
		}
	}
	k, ok := keys[name]
	return k, ok
}

// types reports whether the key writes a character, and does nothing else.
func (c chord) types() bool {
	return c.key.text != "" && utf8.RuneCountInString(c.key.key) == 1 && c.modifiers()&^modifierShift == 0
}

// modifiers returns the bits of the modifiers that are held.
func (c chord) modifiers() int64 {
	var bits int64
	for _, k := range c.held {
		bits |= k.modifier
	}
	return bits
}

// modifierBits returns the bits of modifiers by name.
func modifierBits(names []string) (int64, error) {
	var bits int64
	for _, name := range names {
		k, ok := lookup(name)
		if !ok || k.modifier == 0 {
			return 0, fail(ErrInvalid, "use Control, Shift, Alt, Meta or ControlOrMeta", "%q is not a modifier", name)
		}
		bits |= k.modifier
	}
	return bits, nil
}

// editing is what a key does to a text on macOS, where Chrome leaves it to the
// system, which does not see these events.
func (c chord) editing() []string {
	if runtime.GOOS != "darwin" || c.modifiers() != modifierMeta {
		return nil
	}
	command := map[string]string{"KeyA": "selectAll", "KeyC": "copy", "KeyX": "cut", "KeyV": "paste", "KeyZ": "undo"}[c.key.code]
	if command == "" {
		return nil
	}
	return []string{command}
}
