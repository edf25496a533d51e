package e2e

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"os/exec"
	"regexp"
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
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
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
		if strings.HasSuffix(name, ".js") {
			scriptFunctions(string(text), func(function string, n int) {
				if n > longestFunction {
					t.Errorf("%s: %s has %d lines, more than %d", name, function, n, longestFunction)
				}
			})
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

// scriptFunction matches the beginning of a function at the top of a module.
var scriptFunction = regexp.MustCompile(`^(?:export )?(?:async )?function\*? (\w+)|^(?:export )?(?:const )?([\w.]+) = .*=> \{$`)

// scriptFunctions tells each function at the top of a module and how many lines
// it has. It ends where a brace begins a line.
func scriptFunctions(text string, each func(name string, lines int)) {
	name, begun := "", 0
	for i, line := range strings.Split(text, "\n") {
		if m := scriptFunction.FindStringSubmatch(line); m != nil {
			name, begun = m[1]+m[2], i
		}
		if name != "" && strings.HasPrefix(line, "}") {
			each(name, i-begun+1)
			name = ""
		}
	}
}

func TestScriptFunctionsAreMeasured(t *testing.T) {
	got := ""
	scriptFunctions("const a = 1;\nfunction b(c) {\n  return () => {\n  };\n}\nexport const d = async (e) => {\n};\nsteps.f = (g) => {\n  h();\n};\nconst i = {\n};\n", func(name string, lines int) {
		got += fmt.Sprint(name, lines, " ")
	})
	if want := "b4 d2 steps.f3 "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
