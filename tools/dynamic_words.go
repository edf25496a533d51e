package tools

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// name64 is a short word of ASCII, or nothing.
func name64(s string) string {
	if validKey.MatchString(s) {
		return s
	}
	return ""
}

// plain makes a page's words safe to stand within a line of ours: one line, of
// what can be seen, no longer than most characters.
func plain(s string, most int) string {
	var b strings.Builder
	count, space := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = true
			continue
		}
		if r == utf8.RuneError || unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs) {
			continue // nothing to see: marks of direction, and words hidden in tags
		}
		if count >= most-1 || space && count == most-2 {
			b.WriteRune('…')
			break
		}
		if space && count > 0 {
			b.WriteByte(' ')
			count++
		}
		space = false
		b.WriteRune(r)
		count++
	}
	return b.String()
}
