package toon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestToon(t *testing.T) {
	type element struct {
		Ref    string `json:"ref"`
		Role   string `json:"role"`
		Name   string `json:"name"`
		States string `json:"states"`
	}
	page := struct {
		URL      string    `json:"url"`
		Elements []element `json:"elements"`
	}{"https://example.com/login", []element{{"e1", "heading", "Welcome, you", ""}, {"e4", "checkbox", "Remember me", "unchecked"}}}
	got, err := Encoder{Delimiter: ",", Indent: 2}.Encode(page)
	want := "url: \"https://example.com/login\"\nelements[2]{ref,role,name,states}:\n  e1,heading,\"Welcome, you\",\"\"\n  e4,checkbox,Remember me,unchecked"
	if err != nil || got != want {
		t.Errorf("got %v:\n%s\nwant:\n%s", err, got, want)
	}
}

// TestToonCases holds the encoder to the specification's own cases.
func TestToonCases(t *testing.T) {
	root := os.Getenv("TABRELAY_CASES")
	if root == "" {
		t.Skip("TABRELAY_CASES names no folder with the cases")
	}
	files, err := filepath.Glob(filepath.Join(root, "toon", "encode", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s: %v", root, err)
	}
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var cases struct {
			Tests []struct {
				Name     string
				Input    json.RawMessage
				Expected string
				Options  struct {
					Delimiter  string
					IndentSize int
				}
			}
		}
		if err := json.Unmarshal(data, &cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases.Tests {
			e := Encoder{Delimiter: ",", Indent: 2}
			if c.Options.Delimiter != "" {
				e.Delimiter = c.Options.Delimiter
			}
			if c.Options.IndentSize > 0 {
				e.Indent = c.Options.IndentSize
			}
			count++
			if got, err := e.EncodeJSON(c.Input); err != nil || got != c.Expected {
				t.Errorf("%s, %s: %v\ngot:\n%s\nwant:\n%s", filepath.Base(file), c.Name, err, got, c.Expected)
			}
		}
	}
	t.Logf("%d cases", count)
}
