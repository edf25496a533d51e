package lines

import (
	"fmt"
	"unicode/utf8"
)

// Clip returns the beginning of a text: at most so many characters, the last of
// which is … where something is left out.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n, end := 0, 0
	for i := range s {
		switch n++; n {
		case most:
			end = i
		case most + 1:
			return s[:end] + "…"
		}
	}
	return s
}

// Short returns what a person sees of a text, as Clean does, and clips it.
func Short(s string, most int) string {
	return Clip(Clean(Head(s, 16*most)), most) // what follows is not told, and need not be read
}

// Head returns the beginning of a text: at most so many bytes, and no character
// cut in two.
func Head(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// Amount writes a number with its word.
func Amount(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
