package extension_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write suffixes.txt anew")

// suffixRules are the rules of the public suffix list, as the module that the
// program uses has them.
func suffixRules(t *testing.T) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "publicsuffix", "table_test.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Names[0].Name != "rules" {
			return true
		}
		for _, element := range v.Values[0].(*ast.CompositeLit).Elts {
			rule, err := strconv.Unquote(element.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, rule)
		}
		return false
	})
	if len(rules) < 9000 {
		t.Fatalf("%d rules", len(rules))
	}
	return rules
}

// TestSuffixesAreThoseOfTheProgram holds that extension and program know the same
// public suffixes; -update takes over those of a new golang.org/x/net.
func TestSuffixesAreThoseOfTheProgram(t *testing.T) {
	below := map[string][]string{}
	for _, rule := range suffixRules(t) {
		at := strings.LastIndex(rule, ".")
		top := rule[at+1:]
		if at < 0 {
			below[top] = below[top][:len(below[top]):len(below[top])]
			continue
		}
		below[top] = append(below[top], rule[:at])
	}
	var tops []string
	for top, rules := range below {
		slices.Sort(rules)
		if len(rules) > 0 { // a domain that is not listed counts as one by itself
			tops = append(tops, top)
		}
	}
	slices.Sort(tops)
	var want bytes.Buffer
	want.WriteString("# Rules of the public suffix list (https://publicsuffix.org, MPL 2.0): a top-level domain, then what stands before it.\n")
	for _, top := range tops {
		want.WriteString(top + " " + strings.Join(below[top], " ") + "\n")
	}
	if *update {
		if err := os.WriteFile("suffixes.txt", want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("suffixes.txt")
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("suffixes.txt is not that of golang.org/x/net: go test -run %s ./extension -update (%v)", t.Name(), err)
	}
}
