package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	quotedTest = regexp.MustCompile("`(Test\\w+)(…?)`")
	quotedFile = regexp.MustCompile("`((?:[a-z0-9_]+/)*[a-z0-9_*]+\\.(?:go|txt))`")
	testName   = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// TestDocumentsNameWhatExists holds that the tests and files that the documents
// name are there.
func TestDocumentsNameWhatExists(t *testing.T) {
	var tests []string
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range testName.FindAllStringSubmatch(string(text), -1) {
			tests = append(tests, m[1])
		}
		return err
	})
	if err != nil || len(tests) == 0 {
		t.Fatalf("%d tests: %v", len(tests), err)
	}
	files, err := filepath.Glob("../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, file := range append(files, "../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quotedTest.FindAllStringSubmatch(string(text), -1) {
			named := func(test string) bool { return test == m[1] || m[2] != "" && strings.HasPrefix(test, m[1]) }
			if !slices.ContainsFunc(tests, named) {
				t.Errorf("%s names %s, which is no test", file, m[1]+m[2])
			}
		}
		for _, m := range quotedFile.FindAllStringSubmatch(string(text), -1) {
			if !slices.ContainsFunc([]string{"..", "../relay/testdata", "../cmd/tabrelay"}, func(dir string) bool {
				found, _ := filepath.Glob(filepath.Join(dir, m[1]))
				return len(found) > 0
			}) {
				t.Errorf("%s names %s, which is no file", file, m[1])
			}
		}
	}
}
