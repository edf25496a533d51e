package lines

import "strings"

// Clip returns the beginning of a text: at most so many characters, the last of
// which is … where something is left out.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// Short returns what a person sees of a text, as Clean does, and clips it.
func Short(s string, most int) string {
	if len(s) > 16*most { // what follows is not told, and need not be read
		s = strings.ToValidUTF8(s[:16*most], "")
	}
	return Clip(Clean(s), most)
}
