package e2e

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// startFiles hold the errors of starting, and of connecting to a browser.
var startFiles = []string{
	"../cmd/tabrelay/connect*.go", "../cmd/tabrelay/serve_host.go", "../cmd/internal/browser/launch*.go", "../cmd/internal/browser/find.go",
	"../cmd/internal/daemon/start.go", "../cmd/internal/daemon/contact.go", "../cmd/internal/daemon/lock.go", "../cmd/internal/daemon/tell.go",
}

// TestErrorsOfStartAreInTroubleshooting wants each of them in the document, with
// what helps.
func TestErrorsOfStartAreInTroubleshooting(t *testing.T) {
	data, err := os.ReadFile("../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	document, said := strings.ReplaceAll(string(data), "`", ""), 0
	for _, pattern := range startFiles {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range errorTexts(tree) {
				said++
				if words := symptom(text); !strings.Contains(document, words) {
					t.Errorf("%s: docs/troubleshooting.md lacks %q, of %q", file, words, text)
				}
			}
		}
	}
	if said < 30 {
		t.Errorf("only %d errors were found", said)
	}
}

// errorTexts are the texts of a file's errors, with a verb for what is not fixed.
func errorTexts(tree *ast.File) (texts []string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Errorf" || f.Sel.Name == "New") && len(n.Args) > 0 {
				texts = append(texts, literal(n.Args[0]))
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Text" {
				texts = append(texts, literal(n.Value))
			}
		}
		return true
	})
	return texts
}

func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return literal(e.X) + literal(e.Y)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return literal(e.Args[0])
		}
	}
	return "%s"
}

var (
	clauseEnd = regexp.MustCompile(`[;:.] | \(`)
	verb      = regexp.MustCompile(`%[a-z]`)
)

// symptom is what a person searches for: the first clause that is fixed for three
// words or more. Of a prefix alone it is empty.
func symptom(text string) string {
	for _, clause := range clauseEnd.Split(text, -1) {
		for _, words := range verb.Split(clause, -1) {
			if words = strings.Trim(words, " `\"),"); len(strings.Fields(words)) >= 3 {
				return strings.ReplaceAll(words, "`", "")
			}
		}
	}
	return ""
}
