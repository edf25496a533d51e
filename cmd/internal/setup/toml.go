package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
)

var (
	tableHeader = regexp.MustCompile(`^\s*\[+\s*([^\]]+?)\s*\]+`)
	// A server without a table of its own, from the top and from within mcp_servers.
	inlineTable  = regexp.MustCompile(`^\s*["']?mcp_servers["']?\s*(=|\.)`)
	inlineServer = regexp.MustCompile(`^\s*["']?` + name + `["']?\s*(=|\.)`)
)

// section is a table of a text in TOML, by the places of its header and its end.
type section struct {
	header     string // with its quotes and spaces taken out
	start, end int
}

// sections are the tables of a text, and whether it has servers, or ours, as the
// value of a key. What stands in a text or a list of several lines is no table.
func sections(text []byte) (list []section, inline bool) {
	for at := 0; at < len(text); {
		start := at
		at = statementEnd(text, at)
		n := len(list)
		if m := tableHeader.FindSubmatch(text[start:at]); m != nil {
			if n > 0 {
				list[n-1].end = start
			}
			list = append(list, section{header: strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(string(m[1])), start: start, end: len(text)})
			continue
		}
		key := inlineTable
		if n > 0 {
			key = inlineServer
		}
		inline = inline || (n == 0 || list[n-1].header == "mcp_servers") && key.Match(text[start:at])
	}
	return list, inline
}

// statementEnd is where the next line begins that is a statement of its own.
func statementEnd(text []byte, at int) int {
	for depth := 0; at < len(text); {
		switch text[at] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '\n':
			if depth <= 0 {
				return at + 1
			}
		}
		at = pass(text, at)
	}
	return at
}

// pass is the place behind a text, a comment, or any other character.
func pass(text []byte, at int) int {
	c := text[at]
	switch c {
	case '#':
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			return at + i
		}
		return len(text)
	case '"', '\'':
	default:
		return at + 1
	}
	quote, lines := []byte{c}, false
	if three := []byte{c, c, c}; bytes.HasPrefix(text[at:], three) {
		quote, lines = three, true
	}
	for at += len(quote); at < len(text); at++ {
		switch {
		case text[at] == '\n' && !lines:
			return at // it has no end
		case text[at] == '\\' && c == '"':
			at++
		case bytes.HasPrefix(text[at:], quote):
			return at + len(quote)
		}
	}
	return len(text)
}

// setTable returns a text with the server's table. If there is one already, it gets a
// new command, and new arguments if any are given: the rest is the person's.
func setTable(text []byte, key string, s Server) ([]byte, error) {
	line := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		line = "\r\n"
	}
	quoted := make([]string, len(s.Args))
	for i, a := range s.Args {
		quoted[i] = quote(a)
	}
	table := strings.Join([]string{"[" + key + "." + name + "]", "command = " + quote(s.Command), "args = [" + strings.Join(quoted, ", ") + "]", ""}, line)
	list, inline := sections(text)
	for _, at := range list {
		if at.header == key+"."+name {
			table := text[at.start:at.end]
			if len(s.Args) > 0 {
				table = setValue(table, "args", "["+strings.Join(quoted, ", ")+"]", line)
			}
			return splice(text, at.start, at.end, setValue(table, "command", quote(s.Command), line)), nil
		}
	}
	if inline {
		return text, errors.New("its servers have no tables of their own")
	}
	gap := ""
	if body := bytes.TrimRight(text, " \t\r\n"); len(body) > 0 {
		gap = line
		if !bytes.HasSuffix(text, []byte("\n")) {
			gap += line
		}
	}
	return append(bytes.Clone(text), gap+table...), nil
}

// setValue returns a table in which a key has a value.
func setValue(table []byte, key, value, line string) []byte {
	at := regexp.MustCompile(`(?m)^[ \t]*"?` + key + `"?[ \t]*=[ \t]*`).FindIndex(table)
	if at == nil {
		head := bytes.IndexByte(table, '\n') + 1
		if head == 0 { // the header is the last line
			return append(bytes.Clone(table), line+key+" = "+value+line...)
		}
		return splice(table, head, head, []byte(key+" = "+value+line))
	}
	return splice(table, at[1], at[1]+valueEnd(table[at[1]:]), []byte(value))
}

// valueEnd is where the value ends that a text begins with.
func valueEnd(text []byte) (end int) {
	for at, depth := 0, 0; at < len(text); {
		c := text[at]
		switch {
		case depth == 0 && (c == '\n' || c == '\r' || c == '#'):
			return end
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		at = pass(text, at)
		if c != ' ' && c != '\t' {
			end = at
		}
	}
	return end
}

// dropTable returns a text without the server's table and those below it.
func dropTable(text []byte, key string) []byte {
	list, _ := sections(text)
	for i := len(list) - 1; i >= 0; i-- {
		at := list[i]
		if at.header == key+"."+name || strings.HasPrefix(at.header, key+"."+name+".") {
			end := at.start + len(trimTail(text[at.start:at.end]))
			text = splice(text, at.start, end, nil)
		}
	}
	return text
}

// trimTail leaves out what stands before the next table and is about that: empty
// lines, and comments behind one.
func trimTail(table []byte) []byte {
	end := 0
	at := 0
	for line := range bytes.Lines(table) {
		at += len(line)
		if l := bytes.TrimSpace(line); len(l) > 0 && l[0] != '#' {
			end = at
		}
	}
	return table[:end]
}

// quote writes a text as a basic string, which TOML escapes as JSON does.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text
	return strings.TrimSuffix(b.String(), "\n")
}
