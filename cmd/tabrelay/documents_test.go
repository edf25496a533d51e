package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documentCommand matches a line of a document that calls the program.
var documentCommand = regexp.MustCompile(`^(?:bin/)?tabrelay( .*)?$`)

// documentWord matches a word of a shell's line, quoted or not, or a comment.
var documentWord = regexp.MustCompile(`"[^"]*"|'[^']*'|(?:[^\s"'#]|\S#)(?:[^\s"']|"[^"]*"|'[^']*')*|#.*`)

// TestCommandsOfDocumentsAreTaken holds that every command line in a block of a
// document has commands and flags that there are.
func TestCommandsOfDocumentsAreTaken(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		inBlock := false
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") {
				inBlock = !inBlock
			}
			m := documentCommand.FindStringSubmatch(line)
			if !inBlock || m == nil || strings.Contains(line, "make build") {
				continue
			}
			var args []string
			for _, word := range documentWord.FindAllString(m[1], -1) {
				if strings.HasPrefix(word, "#") {
					break
				}
				args = append(args, strings.Trim(word, `"'`))
			}
			tried++
			if _, err := parse(args, console{stdout: io.Discard, stderr: io.Discard}, nil); err != nil {
				t.Errorf("%s: %s: %v", file, line, err)
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d commands were found", tried)
	}
}
