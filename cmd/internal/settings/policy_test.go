package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/tools"
)

// TestB90PolicyBindsFlags holds that flags narrow what a policy file allows, and never
// widen it.
func TestB90PolicyBindsFlags(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"in/below", "out", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "policy.json")
	if err := os.WriteFile(file, []byte(`{"level": "see", "sites": {"allow": ["a.example"]}, "files": {"roots": ["in"], "output": "out"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for says, s := range map[string]tools.Settings{
		"--allow-sites b.example: the policy allows only a.example": {AllowSites: []string{"b.example"}},
		"--root " + at("other"):                   {Root: []string{at("in"), at("other")}},
		"--output " + at("other"):                 {Output: at("other")},
		"--output " + at("in") + ": the policy":   {Output: at("in")},
		"--root " + at("in") + "/../other: the p": {Root: []string{at("in") + "/../other"}},
	} {
		s.Policy = file
		if _, err := (Agent{Settings: s}).Resolved(); err == nil || !strings.Contains(err.Error(), "--policy "+file+": "+says) {
			t.Errorf("%v; want %s", err, says)
		}
	}
	if _, err := (Agent{Settings: tools.Settings{Policy: dir}}).Resolved(); err == nil || !strings.Contains(err.Error(), "it is not a file") {
		t.Errorf("a folder is read as a policy: %v", err)
	}
	reads := filepath.Join(dir, "reads.json")
	for says, c := range map[string]struct {
		roots string
		tools.Settings
	}{
		"--allow-file: the policy allows only " + at("in"):                                         {`["in"]`, tools.Settings{AllowFile: true}},
		"--allow-file: the policy allows no folder":                                                {`[]`, tools.Settings{AllowFile: true}},
		"--root " + at("in") + ": the policy allows no folder":                                     {`[]`, tools.Settings{Root: []string{at("in")}}},
		"--output " + at("other") + ", which agents read, too: the policy allows only " + at("in"): {`["in"]`, tools.Settings{Output: at("other")}},
		"": {`["in"]`, tools.Settings{Output: at("in/below")}},
	} {
		if err := os.WriteFile(reads, []byte(`{"files": {"roots": `+c.roots+`}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		c.Policy = reads
		if _, err := (Agent{Settings: c.Settings}).Resolved(); (err == nil) != (says == "") || err != nil && err.Error() != "--policy "+reads+": "+says {
			t.Errorf("%v; want %s", err, says)
		}
	}
	a, err := Agent{Settings: tools.Settings{Policy: file}}.Resolved()
	if err != nil || len(a.Root) != 1 || a.Root[0] != at("in") || a.Output != at("out") || len(a.AllowSites) != 1 || a.Bound.Level != "see" {
		t.Errorf("%+v, %v", a.Settings, err)
	}
	a, err = Agent{Settings: tools.Settings{Policy: file, Root: []string{at("in/below")}, Output: at("out/new"), AllowSites: []string{"x.a.example"}}}.Resolved()
	if err != nil || a.Root[0] != at("in/below") || a.Output != at("out/new") || a.AllowSites[0] != "x.a.example" {
		t.Errorf("%+v, %v", a.Settings, err)
	}
	if err := os.WriteFile(file, []byte("{\n\"files\": {\"roots\": \"in\", \"out\": 1}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Agent{Settings: tools.Settings{Policy: file}}).Resolved(); err == nil || !strings.Contains(err.Error(), `--policy `+file+`: unknown key "files.out"`) {
		t.Error(err)
	}
	if err := os.WriteFile(at("out/policy.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Agent{Settings: tools.Settings{Policy: at("out/policy.json"), Output: at("out")}}).Resolved(); err == nil || !strings.Contains(err.Error(), "keep it elsewhere") {
		t.Errorf("agents can write the policy: %v", err)
	}
	if _, err := (Agent{Settings: tools.Settings{Policy: at("none.json")}}).Resolved(); err == nil {
		t.Error("a file that is not there binds nothing")
	}
}
