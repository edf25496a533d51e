package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// The skill is short, and names only tools that there are.
func TestSkill(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	if tokens, _, err := codec.Encode(skill); err != nil || len(tokens) > 600 {
		t.Errorf("%d tokens, %v", len(tokens), err)
	}
	var named []byte // where tools are
	files, _ := filepath.Glob("../../tools/*.go")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		named = append(named, text...)
	}
	for _, name := range regexp.MustCompile(`browser_[a-z_]+|connect_browser`).FindAllString(skill, -1) {
		if !strings.Contains(string(named), `"`+name+`"`) {
			t.Errorf("no tool is called %s", name)
		}
	}
	for _, set := range []string{"full", "facade", "minimal", "dynamic"} {
		if !strings.Contains(skill, "**"+set+"**") {
			t.Errorf("%s is not explained", set)
		}
	}
}
