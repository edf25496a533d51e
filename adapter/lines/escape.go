package lines

import (
	"strings"
	"unicode/utf8"
)

// escapable are the characters that a backslash may stand before.
const escapable = `\"[]|-(:→`

// text writes a text of a page that stands without quotes. What reads like one of
// our marks gets a backslash, and so does a backslash that reads like ours.
func text(b []byte, s string) []byte {
	s = Clean(s)
	if !strings.ContainsAny(s, escapable) {
		return append(b, s...)
	}
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		if marks(s, i, size) {
			b = append(b, '\\')
		}
		b = append(b, s[i:i+size]...)
		i += size
	}
	return b
}

// marks reports whether a character of a text would be read as one of our marks.
func marks(s string, i, size int) bool {
	begins := i == 0 || s[i-1] == ' '
	ends := i+size == len(s) || s[i+size] == ' '
	switch s[i] {
	case '\\':
		if i+1 == len(s) {
			return false
		}
		r, _ := utf8.DecodeRuneInString(s[i+1:])
		return strings.ContainsRune(escapable, r)
	case '"':
		return i == 0 || begins && roleBefore(s, i-1)
	case '[':
		return begins
	case ']':
		return refBefore(s, i)
	case ':':
		return ends && roleBefore(s, i)
	case '|':
		return begins && ends
	case '-':
		return i == 0 && ends
	case '(':
		return begins && strings.HasSuffix(s[:i], "… ")
	case "→"[0]:
		return begins && ends && strings.HasPrefix(s[i:], "→")
	}
	return false
}

// roleBefore reports whether the word that ends at i is a role.
func roleBefore(s string, i int) bool { return roles[lastWord(s[:i])] }

// refBefore reports whether a ref and its bracket end at i.
func refBefore(s string, i int) bool {
	open := strings.LastIndexByte(s[:i], '[')
	return open >= 0 && IsRef(s[open+1:i])
}

// IsRef reports whether a word is a ref, such as e12 or f2e5.
func IsRef(s string) bool {
	if rest, ok := strings.CutPrefix(s, "f"); ok {
		digits, number, ok := strings.Cut(rest, "e")
		return ok && isNumber(digits) && isNumber(number)
	}
	number, ok := strings.CutPrefix(s, "e")
	return ok && isNumber(number)
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// quote writes a text of a page in quotes.
func quote(b []byte, s string) []byte {
	s = Clean(s)
	b = append(b, '"')
	if !strings.ContainsAny(s, `"\]`) {
		return append(append(b, s...), '"')
	}
	for i := range len(s) {
		if c := s[i]; c == '"' || c == '\\' || c == ']' && refBefore(s, i) {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}
