// Package keyboard knows the keys of a US keyboard, and how they are written:
//
//	list, err := keyboard.Parse("Control+A Delete")
//
// Keys have the names that the DOM gives them, in upper or lower case, and those
// that people use: Ctrl, Esc, Up. A character that is on no key is a key of its
// own, which types it.
package keyboard

import (
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/chromedp/kb"
)

// The bits of modifiers in input events.
const (
	Alt     = 1
	Control = 2
	Meta    = 4
	Shift   = 8
)

// Key is a key as events tell it; its text is "" where it types nothing.
type Key struct {
	kb.Key
	Location int64 // 1 for the left one of two
	Modifier int64 // the bit that it holds, if it is a modifier
}

// named are the keys by lower-case name or code.
var named = map[string]Key{}

// typing are the keys that type a character.
var typing = map[rune]Key{}

// aliases are other words for keys.
var aliases = map[string]string{
	"ctrl": "control", "cmd": "meta", "command": "meta", "win": "meta", "super": "meta", "option": "alt",
	"esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "spacebar": "space", "up": "arrowup",
	"down": "arrowdown", "left": "arrowleft", "right": "arrowright", "pgup": "pageup", "pgdn": "pagedown",
	"pagedn": "pagedown", "plus": "+", "minus": "-", "comma": ",", "period": ".", "slash": "/", "break": "pause",
}

// pressed are the keys that type no character.
const pressed = kb.Enter + kb.Tab + kb.Backspace + kb.Escape + kb.Delete + kb.Insert + kb.Home + kb.End + kb.PageUp + kb.PageDown +
	kb.ArrowLeft + kb.ArrowUp + kb.ArrowRight + kb.ArrowDown + kb.CapsLock + kb.NumLock + kb.ScrollLock + kb.Pause + kb.PrintScreen + kb.ContextMenu +
	kb.F1 + kb.F2 + kb.F3 + kb.F4 + kb.F5 + kb.F6 + kb.F7 + kb.F8 + kb.F9 + kb.F10 + kb.F11 + kb.F12 +
	kb.F13 + kb.F14 + kb.F15 + kb.F16 + kb.F17 + kb.F18 + kb.F19 + kb.F20 + kb.F21 + kb.F22 + kb.F23 + kb.F24

func init() {
	name := func(k Key) {
		named[strings.ToLower(k.Key.Key)], named[strings.ToLower(k.Code)] = k, k
	}
	for _, r := range pressed {
		name(Key{Key: *kb.Keys[r]})
	}
	// Both keys of a pair have the same number in events; the location tells them apart.
	for _, k := range []Key{
		{kb.Key{Key: "Control", Code: "ControlLeft", Windows: 17}, 1, Control},
		{kb.Key{Key: "Shift", Code: "ShiftLeft", Windows: 16}, 1, Shift},
		{kb.Key{Key: "Alt", Code: "AltLeft", Windows: 18}, 1, Alt},
		{kb.Key{Key: "Meta", Code: "MetaLeft", Windows: 91}, 1, Meta},
	} {
		name(k)
	}
	for r := ' '; r <= '~'; r++ {
		typing[r] = Key{Key: *kb.Keys[r]}
		if !typing[r].Shift {
			named[strings.ToLower(typing[r].Code)] = typing[r]
		}
	}
	typing['\n'], typing['\r'], typing['\t'] = named["enter"], named["enter"], named["tab"]
}

// Chord is a key with the modifiers that are held.
type Chord struct {
	Held []Key
	Key  Key
}

// Parse reads keys such as "Control+A", or several, such as "Escape Escape". A
// single space is the Space key; an empty text has no keys. The error names the
// key that is unknown.
func Parse(text string) ([]Chord, error) {
	words := strings.Fields(text)
	if text == " " {
		words = []string{"Space"}
	}
	list := make([]Chord, len(words))
	for i, word := range words {
		c, err := parse(word)
		if err != nil {
			return nil, err
		}
		list[i] = c
	}
	return list, nil
}

func parse(word string) (Chord, error) {
	var c Chord
	rest := word
	for {
		name, after, ok := strings.Cut(rest, "+")
		if !ok || name == "" || after == "" { // the last one; + itself may be a key
			break
		}
		k, ok := lookup(name)
		if !ok || k.Modifier == 0 {
			return c, unknown{name, word}
		}
		c.Held = append(c.Held, k)
		rest = after
	}
	k, ok := lookup(rest)
	if !ok {
		return c, unknown{rest, word}
	}
	c.Key = k
	switch bits := c.Modifiers(); {
	case len(k.Key.Key) != 1:
	case bits&Shift != 0:
		for _, other := range typing {
			if other.Code == k.Code && other.Shift {
				c.Key = other
			}
		}
	case bits != 0 && k.Key.Key >= "A" && k.Key.Key <= "Z":
		c.Key = named[strings.ToLower(k.Code)] // Control+A is no Control+Shift+A
	}
	return c, nil
}

// unknown is a name in a word that is no key's.
type unknown struct{ name, word string }

func (u unknown) Error() string {
	text := "unknown key " + strconv.Quote(u.name)
	if u.name != u.word {
		text += " (in " + strconv.Quote(u.word) + ")"
	}
	return text
}

// Typing returns the key that types a character, with Shift where it needs it.
func Typing(r rune) Chord {
	k, _ := lookup(string(r))
	return Chord{Key: k}
}

// lookup returns the key with a name, or the one that types a character.
func lookup(name string) (Key, bool) {
	if r, n := utf8.DecodeRuneInString(name); n == len(name) && n > 0 {
		if k, ok := typing[r]; ok {
			return k, true
		}
		return Key{Key: kb.Key{Key: name, Text: name}}, true // not on a US keyboard
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
			return typing[r], true
		}
	}
	k, ok := named[name]
	return k, ok
}

// Moves reports whether the chord only moves a caret, to the same place however often
// it is pressed.
func (c Chord) Moves() bool { return c.Key.Key.Key == "Home" }

// Types reports whether the chord writes a character, and does nothing else.
func (c Chord) Types() bool {
	return c.Key.Text != "" && utf8.RuneCountInString(c.Key.Key.Key) == 1 && c.Modifiers()&^Shift == 0
}

// Modifiers returns the bits of the modifiers that are held.
func (c Chord) Modifiers() int64 {
	var bits int64
	for _, k := range c.Held {
		bits |= k.Modifier
	}
	return bits
}

// Modifier returns the bit of a modifier by name, and whether it is one.
func Modifier(name string) (int64, bool) {
	k, ok := lookup(name)
	return k.Modifier, ok && k.Modifier != 0
}

// Editing is what the chord does to a text on macOS, where Chrome leaves it to
// the system, which does not see these events.
func (c Chord) Editing() []string {
	if runtime.GOOS != "darwin" || c.Modifiers() != Meta {
		return nil
	}
	command := map[string]string{"KeyA": "selectAll", "KeyC": "copy", "KeyX": "cut", "KeyV": "paste", "KeyZ": "undo"}[c.Key.Code]
	if command == "" {
		return nil
	}
	return []string{command}
}
