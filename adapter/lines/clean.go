package lines

import (
	"strings"
	"unicode"
)

// Clean returns what a person sees of a text: one line, white space and line ends
// of every kind as single spaces, and nothing that shows nothing, such as marks
// of direction, characters without width, and words hidden in tags.
func Clean(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	var before rune
	list := []rune(s)
	for i, r := range list {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = true
			continue
		case r < 0x80:
		case unseen(r):
			var after rune
			if i+1 < len(list) {
				after = list[i+1]
			}
			if !joins(r, before, after) || space {
				continue
			}
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// clean reports whether a text is as Clean would return it, for most are.
func clean(s string) bool {
	if s == "" {
		return true
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == ' ' && s[i-1] == ' ' {
			return false
		}
	}
	return true
}

// unseen reports whether a character shows nothing by itself.
func unseen(r rune) bool {
	switch {
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff: // chooses a variant; tags
		return true
	case r == 0x34f || r == 0x115f || r == 0x1160 || r == 0x17b4 || r == 0x17b5 || r == 0x2800 || r == 0x3164 || r == 0xffa0:
		return true // letters and fillers that are blank
	case r >= 0xfff0 && r <= 0xfff8 || r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef: // no characters
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// joins reports whether an unseen character changes how its neighbours look: the
// joiners of scripts and emoji, and the choice between text and emoji.
func joins(r, before, after rune) bool {
	const scripts = 0x600 // where those begin that have joiners
	switch r {
	case 0x200c, 0x200d:
		return before >= scripts && after >= scripts && !unseen(before) && !unseen(after) || before == 0xfe0f && after >= scripts && !unseen(after)
	case 0xfe0e, 0xfe0f:
		return before != 0 && !unseen(before) && before != ' '
	}
	return false
}
