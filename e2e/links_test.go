package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"`)
	heading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	codeBlock = regexp.MustCompile("(?s)```.*?\n```")
)

// TestLinksOfDocuments holds that each link within the project leads somewhere:
// to a file that is there, and a heading that it has.
func TestLinksOfDocuments(t *testing.T) {
	files, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, file := range append(files, "../README.md", "../CHANGELOG.md") {
		for _, m := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(document(t, file), ""), -1) {
			to := m[1] + m[2]
			if strings.Contains(to, "://") {
				continue
			}
			tried++
			path, anchor, _ := strings.Cut(to, "#")
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s leads to %s: %v", file, to, err)
			} else if anchor != "" && !anchors(document(t, target))[anchor] {
				t.Errorf("%s leads to %s, and there is no such heading", file, to)
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d links were found", tried)
	}
}

func document(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// anchors are what headings of a document can be linked by.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		name := strings.ToLower(regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(m[1], ""))
		found[strings.ReplaceAll(name, " ", "-")] = true
	}
	return found
}
