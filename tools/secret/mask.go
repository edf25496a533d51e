package secret

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Mask takes secrets out of texts. A nil one changes nothing.
type Mask struct {
	// Static after construction.
	masked []masked
}

// masked is a secret and how it is written.
type masked struct {
	forms []form
	whole []string // forms of which a cut may leave a part
	word  string   // what stands in its place
}

// form is a way to write a secret.
type form struct {
	*regexp.Regexp
	run   string // plain letters that it has in any case: a text without them is soon done
	alone bool   // a short number, such as a PIN, which longer ones contain by chance
}

// NewMask returns a mask of secrets, or nil where there are none.
func NewMask(list []Secret) *Mask {
	if len(list) == 0 {
		return nil
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Secret) int { return len(b.Value) - len(a.Value) }) // one may hold another
	m := &Mask{}
	for _, s := range list {
		var forms []form
		for _, text := range inBase64(s.Value) {
			forms = append(forms, form{Regexp: regexp.MustCompile(written(text)), run: longestRun(text)})
		}
		forms = append(forms, form{regexp.MustCompile(written(s.Value)), longestRun(s.Value), isDigits(s.Value) && !isNumber(s.Value)})
		whole := []string{s.Value, url.QueryEscape(s.Value), url.PathEscape(s.Value)}
		if quoted, err := json.Marshal(s.Value); err == nil {
			whole = append(whole, string(quoted[1:len(quoted)-1]))
		}
		slices.Sort(whole)
		m.masked = append(m.masked, masked{forms, slices.Compact(whole), "<secret " + s.Name + ">"})
	}
	return m
}

// backslash matches one, also as an address writes it.
const backslash = `(?:\\|%(?:25)*5[Cc])`

// written returns a pattern of a text as addresses, JSON and HTML write it, also one
// within the other.
func written(text string) string {
	var b strings.Builder
	gap := ""
	if isNumber(text) { // such as a card's, which pages write in groups
		gap = `[ \x{a0}.\-]?`
	}
	space := false
	for i, r := range text {
		if unicode.IsSpace(r) {
			if !space {
				b.WriteString(`(?:\s|\+|%(?:25)*(?:20|2[Bb]|0[AaDd9])|` + backslash + `+[nrt]|&nbsp;)+`)
			}
			space = true
			continue
		}
		space = false
		if i > 0 {
			b.WriteString(gap)
		}
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(r)
			continue
		}
		other := []string{regexp.QuoteMeta(string(r))}
		if strings.ContainsRune(`"'\/`, r) {
			b.WriteString(backslash + "*")
		}
		var bytes strings.Builder
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&bytes, `%%(?:25)*(?i:%02x)`, c)
		}
		other = append(other, bytes.String(), fmt.Sprintf(`&#0*%d;|&#[xX]0*(?i:%x);`, r, r))
		var units strings.Builder
		for _, c := range utf16.AppendRune(nil, r) {
			units.WriteString(backslash + fmt.Sprintf(`+u(?i:%04x)`, c))
		}
		other = append(other, units.String())
		if entity := map[rune]string{'&': "amp", '<': "lt", '>': "gt", '"': "quot", '\'': "apos"}[r]; entity != "" {
			other = append(other, "&"+entity+";")
		}
		slices.Reverse(other) // the longer ones first
		b.WriteString("(?:" + strings.Join(other, "|") + ")")
	}
	return b.String()
}

// longestRun returns the longest part of a text that is written the same everywhere.
func longestRun(text string) string {
	longest := ""
	if isNumber(text) {
		return longest
	}
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest
}

// isNumber reports whether a text is a number of the length of a card's.
func isNumber(text string) bool { return len(text) >= 8 && isDigits(text) }

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// inBase64 returns the parts of a text in base64 that are the same whatever stands
// around the text.
func inBase64(text string) []string {
	var list []string
	for before := range 3 {
		raw := append(make([]byte, before), text...)
		first, last := (before*8+5)/6, len(raw)*8/6 // characters that hold bits of the text alone
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if form := encoding.EncodeToString(raw)[first:last]; !slices.Contains(list, form) {
				list = append(list, form)
			}
		}
	}
	return list
}

// Text returns a text with the name of each secret in its place.
func (m *Mask) Text(text string) string {
	if m == nil {
		return text
	}
	for _, s := range m.masked {
		for _, form := range s.forms {
			if strings.Contains(text, form.run) {
				text = form.replace(text, s.word)
			}
		}
		text = s.cuts(text)
	}
	return text
}

// replace puts a word in the place of what a form finds.
func (f form) replace(text, word string) string {
	if !f.alone {
		return f.ReplaceAllLiteralString(text, word)
	}
	var b strings.Builder
	end := 0
	for _, at := range f.FindAllStringIndex(text, -1) {
		if standsAlone(text[max(at[0]-10, 0):at[0]], text[at[1]:]) {
			b.WriteString(text[end:at[0]] + word)
			end = at[1]
		}
	}
	return b.String() + text[end:]
}

var (
	escapeEnd = regexp.MustCompile(`(?:%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\[nrtbf])$`)
	refBegin  = regexp.MustCompile(`\b(?:f[0-9]+)?[a-z]$`) // as of e1234, f2e1234 and r1234
)

// standsAlone reports whether a number between two texts is part of neither another
// number nor a ref or an id of ours.
func standsAlone(before, after string) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	switch {
	case after != "" && digit(after[0]):
		return false
	case before == "" || escapeEnd.MatchString(before):
		return true
	case after != "" && (after[0] == '_' || unicode.IsLetter(rune(after[0]))):
		return !digit(before[len(before)-1])
	}
	return !digit(before[len(before)-1]) && !refBegin.MatchString(before)
}

// ellipsis is what a text that was cut ends or begins with.
const ellipsis = "…"

// cuts masks what a cut left of a secret; a cut between two words has a space.
func (s *masked) cuts(text string) string {
	if !strings.Contains(text, ellipsis) {
		return text
	}
	parts := strings.Split(text, ellipsis)
	for i, part := range parts {
		text := strings.TrimSuffix(part, " ")
		if n := s.longest(text, strings.HasSuffix, func(form string, n int) string { return form[:n] }); i+1 < len(parts) && n > 0 {
			part = text[:len(text)-n] + s.word + part[len(text):]
		}
		text = strings.TrimPrefix(part, " ")
		if n := s.longest(text, strings.HasPrefix, func(form string, n int) string { return form[len(form)-n:] }); i > 0 && n > 0 {
			part = part[:len(part)-len(text)] + s.word + text[n:]
		}
		parts[i] = part
	}
	return strings.Join(parts, ellipsis)
}

// longest returns how many bytes of a form stand at an end of a text, if they are
// enough to matter.
func (s *masked) longest(text string, stands func(string, string) bool, piece func(string, int) string) int {
	most := 0
	for _, form := range s.whole {
		for n := len(form) - 1; n >= Least && n > most; n-- {
			if stands(text, piece(form, n)) {
				most = n
			}
		}
	}
	return most
}

// token is a string or a number of JSON.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*`)

// JSON masks the secrets in the strings of JSON that we wrote. It stays valid, and
// its numbers stay numbers.
func (m *Mask) JSON(data []byte) []byte {
	if m == nil {
		return data
	}
	return m.json(data, false)
}

// json masks strings and, if numbers is set, each number that is a secret, which
// becomes a string.
func (m *Mask) json(data []byte, numbers bool) []byte {
	return token.ReplaceAllFunc(data, func(found []byte) []byte {
		whole := found[0] == '"'
		for _, s := range m.masked {
			if numbers && !whole && string(found) == s.whole[0] {
				return []byte(`"` + s.word + `"`)
			}
		}
		if !whole {
			return found
		}
		inside := string(found[1 : len(found)-1])
		now := m.Text(inside)
		if now == inside {
			return found
		}
		if said := []byte(`"` + now + `"`); json.Valid(said) {
			return said
		}
		return []byte(`"<secret>"`) // an escape was cut in two
	})
}

// Data returns the bytes of a file, or what a page said, with the secrets masked; what
// is not text stays as it is.
func (m *Mask) Data(data []byte) []byte {
	switch {
	case m == nil || !utf8.Valid(data):
		return data
	case json.Valid(data):
		return m.json(data, true)
	}
	return []byte(m.Text(string(data)))
}
