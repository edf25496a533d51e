package e2e

import (
	"go/ast"
	"go/parser"
	position "go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoNameIsABuiltins holds that no variable is called as what is built into Go:
// a reader takes make for make.
func TestNoNameIsABuiltins(t *testing.T) {
	files := position.NewFileSet()
	for _, room := range []string{"../adapter", "../cmd", "../extension", "../relay", "../tools", "."} {
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, id := range declared(file) {
				if types.Universe.Lookup(id.Name) != nil {
					t.Errorf("%s: %s", files.Position(id.Pos()), id.Name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// declared returns the names of the variables, arguments, functions and types of a
// file; those of methods and fields are never alone.
func declared(file *ast.File) (list []*ast.Ident) {
	add := func(expressions ...ast.Expr) {
		for _, e := range expressions {
			if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
				list = append(list, id)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil {
				add(n.Name)
			}
		case *ast.FuncType:
			for _, fields := range []*ast.FieldList{n.Params, n.Results} {
				if fields == nil {
					continue
				}
				for _, f := range fields.List {
					for _, id := range f.Names {
						add(id)
					}
				}
			}
		case *ast.AssignStmt:
			if n.Tok == position.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == position.DEFINE {
				add(n.Key, n.Value)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.TypeSpec:
			add(n.Name)
		}
		return true
	})
	return list
}
