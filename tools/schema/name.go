package schema

import (
	"regexp"
	"strings"
)

// Letters whose marks are left out of names.
var unmarked = strings.NewReplacer(
	"à", "a", "á", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ā", "a", "ă", "a", "ą", "a", "æ", "ae",
	"ç", "c", "ć", "c", "č", "c", "ď", "d", "đ", "d", "è", "e", "é", "e", "ê", "e", "ë", "e", "ē", "e", "ę", "e", "ě", "e",
	"ğ", "g", "ì", "i", "í", "i", "î", "i", "ï", "i", "ī", "i", "ı", "i", "ł", "l", "ñ", "n", "ń", "n", "ň", "n",
	"ò", "o", "ó", "o", "ô", "o", "õ", "o", "ö", "o", "ø", "o", "ő", "o", "œ", "oe", "ř", "r", "ś", "s", "š", "s", "ş", "s", "ș", "s", "ß", "ss",
	"ť", "t", "ț", "t", "ù", "u", "ú", "u", "û", "u", "ü", "u", "ū", "u", "ů", "u", "ű", "u", "ý", "y", "ÿ", "y", "ź", "z", "ż", "z", "ž", "z",
)

// NameLength is how many characters Name makes of words.
const NameLength = 48

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// IsName reports whether clients take a word as the name of a tool or an argument.
func IsName(s string) bool { return nameForm.MatchString(s) }

// Name writes words as a name: search_flights. It is empty where there is
// nothing to write in ASCII.
func Name(words string) string {
	var b strings.Builder
	gap := false
	for _, r := range unmarked.Replace(strings.ToLower(words)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
		case r == '\'' || r == '’':
		default:
			gap = true
		}
	}
	name := b.String()
	if len(name) > NameLength {
		name = name[:NameLength]
		if i := strings.LastIndexByte(name, '_'); i > NameLength/2 {
			name = name[:i]
		}
	}
	return name
}
