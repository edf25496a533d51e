// Package secret holds what an agent may type without knowing it, and takes it out
// of what the agent is told.
//
//	list, err := secret.Parse(file)
//	mask := secret.NewMask(list)
//	mask.Text(`{"card":"4111 1111"}`) // {"card":"<secret CARD>"}
//
// It finds a secret as it is, and as it is written in addresses, JSON, HTML and
// base64. Whoever can run scripts in a page can write it in other ways: a mask
// keeps secrets out of answers, and is no lock.
package secret

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Secret is a text with a name, and the sites that it may be typed into: hosts as
// --allow-sites takes them, for https unless they begin with http://.
type Secret struct {
	Name  string   `json:"name"`
	Value string   `json:"value"`
	Sites []string `json:"sites"`
}

// Least is the fewest characters that a secret may have: shorter texts occur
// everywhere.
const Least = 4

var name = regexp.MustCompile(`^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*`)

// Parse reads a file in dotenv's form: a line for each secret, NAME=value, with its
// sites behind a #. Its errors name lines and never values.
func Parse(text string) ([]Secret, error) {
	var list []Secret
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s, err := parseLine(line)
		if err == nil && seen[s.Name] {
			err = fmt.Errorf("%s is given twice", s.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		seen[s.Name] = true
		list = append(list, s)
	}
	return list, nil
}

func parseLine(line string) (Secret, error) {
	m := name.FindStringSubmatch(line)
	if m == nil {
		return Secret{}, errors.New("it is not NAME=value # site")
	}
	s := Secret{Name: m[1]}
	value, rest, err := parseValue(line[len(m[0]):])
	if err != nil {
		return s, fmt.Errorf("%s: %w", s.Name, err)
	}
	s.Value = value
	if s.Sites = strings.Fields(strings.ReplaceAll(rest, ",", " ")); len(s.Sites) == 0 {
		return s, fmt.Errorf("%s names no site: add the sites that it may be typed into, as in NAME=value # example.com", s.Name)
	}
	if n := len([]rune(strings.TrimSpace(s.Value))); n < Least { // white space occurs everywhere
		return s, fmt.Errorf("%s has %d characters; the least is %d", s.Name, n, Least)
	}
	return s, nil
}

// parseValue reads a value, in quotes or not, and returns the comment behind it.
func parseValue(text string) (value, comment string, err error) {
	if text == "" || !strings.ContainsRune(`"'`, rune(text[0])) {
		if i := strings.IndexByte(text, '#'); i == 0 || i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
			return strings.TrimSpace(text[:i]), text[i+1:], nil
		} else if i > 0 {
			if j := strings.Index(text, " #"); j > 0 {
				return strings.TrimSpace(text[:j]), text[j+2:], nil
			}
		}
		return text, "", nil
	}
	quote := text[0]
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			rest := strings.TrimSpace(text[i+1:])
			if rest != "" && rest[0] != '#' {
				return "", "", errors.New("something follows the closing quote")
			}
			return b.String(), strings.TrimPrefix(rest, "#"), nil
		case c == '\\' && quote == '"' && i+1 < len(text):
			i++
			if unescaped := strings.IndexByte("nrt", text[i]); unescaped >= 0 {
				b.WriteByte("\n\r\t"[unescaped])
			} else {
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", "", errors.New("the closing quote is missing")
}
