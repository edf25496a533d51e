package tools

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// TestAdviceIsComplete holds that each set has a sentence for each piece of
// advice, and that it names only tools, and actions of tools, which it has.
func TestAdviceIsComplete(t *testing.T) {
	for _, file := range []string{"../adapter/advice.go", "advice.go"} {
		for _, word := range adviceIn(t, file) {
			if _, ok := advice[adapter.Advice(word)]; !ok {
				t.Errorf("%s: no set has a sentence for %q", file, word)
			}
		}
	}
	full := regexp.MustCompile(`browser_[a-z_]+`)
	facade := regexp.MustCompile(`(browser_[a-z_]+)(?: (\w+))?`)
	dynamic := regexp.MustCompile(`\w+_\w+`)
	for a, told := range advice {
		for _, p := range profiles {
			if p.words(told) == "" {
				t.Errorf("%s: nothing in the set %s", a, p.name)
			}
		}
		for _, name := range full.FindAllString(told.full, -1) {
			if profileNamed("full").byName[name] == nil {
				t.Errorf("%s: full has no %s", a, name)
			}
		}
		for _, m := range facade.FindAllStringSubmatch(told.facade, -1) {
			tool := profileNamed("facade").byName[m[1]]
			if tool == nil {
				t.Errorf("%s: facade has no %s", a, m[1])
			} else if m[2] != "to" && m[2] != "" && !strings.Contains(string(must(lines.Marshal(tool.takes()))), strconv.Quote(m[2])) {
				t.Errorf("%s: %s has no action %s", a, m[1], m[2])
			}
		}
		for _, name := range dynamic.FindAllString(told.dynamic, -1) {
			if !ownNames[name] {
				t.Errorf("%s: dynamic has no %s", a, name)
			}
		}
		for _, words := range []string{told.facade, told.minimal, told.dynamic} {
			if strings.Contains(words, "--") {
				t.Errorf("%s: a flag is no argument of a tool: %s", a, words)
			}
		}
		if dynamic.MatchString(told.minimal) {
			t.Errorf("%s: minimal has no such tool: %s", a, told.minimal)
		}
	}
}

// TestFlagsAreToldToTheFullSet holds that the other sets, which speak of their
// arguments alone, are told whom to ask.
func TestFlagsAreToldToTheFullSet(t *testing.T) {
	for _, err := range []error{
		&Error{Kind: ErrBrowserNotAvailable, Text: "none", Hint: "wait", Flag: "use --any"},
		&adapter.Error{Kind: adapter.ErrBlocked, Text: "none", Hint: "wait", Flag: "use --any"},
	} {
		for _, p := range profiles {
			want := "wait; " + askStarter
			if p.name == "full" {
				want = "wait; use --any"
			}
			if f := failureOf(err, p); f.Hint != want || f.Text != "none" {
				t.Errorf("%s: %+v", p.name, f)
			}
		}
	}
}

// adviceIn returns the words of the constants of type Advice in a file.
func adviceIn(t *testing.T, file string) (words []string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		kind := v.Type
		if s, ok := kind.(*ast.SelectorExpr); ok {
			kind = s.Sel
		}
		if id, ok := kind.(*ast.Ident); ok && id.Name == "Advice" && len(v.Values) == 1 {
			word, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, word)
		}
		return true
	})
	if len(words) == 0 {
		t.Fatalf("%s gives no advice", file)
	}
	return words
}
