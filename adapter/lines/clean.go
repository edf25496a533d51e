package lines

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
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

// Plain returns what a person sees of a text of several lines: as Clean does, but
// white space stays, and each line end is a line feed.
func Plain(s string) string { return seen(s, '\n') }

// Visible returns a text of ours that has a page's words in it, without what shows
// nothing: as Plain does, but only line feeds end its lines.
func Visible(s string) string { return seen(s, ' ') }

// seen leaves out what shows nothing, and makes line ends other than line feeds
// one of these.
func seen(s string, end rune) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f }) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	var before rune
	list := []rune(s)
	for i, r := range list {
		var after rune
		if i+1 < len(list) {
			after = list[i+1]
		}
		switch {
		case r == '\n' || r == '\t':
		case r == '\r' && after == '\n':
			continue
		case r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029:
			r = end
		case unicode.IsControl(r), unseen(r) && !joins(r, before, after):
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// JSON returns a text of JSON with what shows nothing as escapes, so that nothing
// of the page's data is lost.
func JSON(s string) string {
	hidden := func(r rune) bool {
		return r >= 0x7f && (unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || unseen(r))
	}
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
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
