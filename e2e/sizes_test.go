package e2e

import (
	"bytes"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const (
	longestFile     = 400 // lines
	longestFunction = 80
)

// TestSizes holds that a file has one noun and a function one thought, as far as
// their lengths tell. Tests may have longer functions: a table, or a story.
func TestSizes(t *testing.T) {
	out, err := exec.Command("git", "-C", "..", "ls-files", "*.go", "*.js").Output()
	if err != nil {
		t.Skip("not a checkout: ", err)
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSuffix(name, "\n")
		text, err := os.ReadFile("../" + name)
		if err != nil || strings.Contains(name, "bundle") {
			continue // generated, or on its way out
		}
		if n := bytes.Count(text, []byte("\n")); n > longestFile {
			t.Errorf("%s has %d lines, more than %d", name, n, longestFile)
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := gotoken.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > longestFunction {
				t.Errorf("%s: %s has %d lines, more than %d", name, f.Name.Name, n, longestFunction)
			}
		}
	}
}
