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
	inlineTable = regexp.MustCompile(`^\s*"?mcp_servers"?\s*(=|\.)`)
)

// section is a table of a text in TOML, by the places of its header and its end.
type section struct {
	header     string // with its quotes and spaces taken out
	start, end int
}

// sections are the tables of a text. What stands in a text of several lines is none.
func sections(text []byte) (list []section, inline bool) {
	at, quote := 0, ""
	for line := range bytes.Lines(text) {
		start := at
		at += len(line)
		if quote != "" {
			if bytes.Contains(line, []byte(quote)) {
				quote = ""
			}
			continue
		}
		if m := tableHeader.FindSubmatch(line); m != nil {
			if n := len(list); n > 0 {
				list[n-1].end = start
			}
			list = append(list, section{header: strings.NewReplacer(`"`, "", "'", "", " ", "").Replace(string(m[1])), start: start, end: len(text)})
			continue
		}
		inline = inline || len(list) == 0 && inlineTable.Match(line)
		for _, q := range []string{`"""`, "'''"} {
			if bytes.Count(line, []byte(q))%2 == 1 {
				quote = q
			}
		}
	}
	return list, inline
}

// setTable returns a text with the server's table. In one that is there the command
// alone is another, and the arguments if some are given: the rest is the person's.
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
		return text, errors.New("its servers stand in one line")
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

// valueEnd is where a text or a list of texts ends.
func valueEnd(text []byte) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
			if depth == 0 {
				return i + 1
			}
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == '\n' || c == '\r' || c == '#'):
			return i
		}
	}
	return len(text)
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
