package tools

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestPoliciesSayWhatIsWrong(t *testing.T) {
	for text, says := range map[string]string{
		"{\n  \"level\": see\n}":                 "line 2, column 12",
		`{"level": "see"`:                        "line 1, column 15",
		`[]`:                                     "a JSON object",
		`{"levels": "see"}`:                      `unknown key "levels"`,
		`{"sites": {"alow": []}}`:                `unknown key "sites.alow"`,
		`{"level": "look"}`:                      `"level"`,
		`{"sites": {"allow": "a.example"}}`:      `key "sites.allow" must be an array`,
		`{"sites": {"allow": [7]}}`:              "sites.allow",
		`{"sites": {"allow": ["co.uk"]}}`:        "sites.allow: co.uk is a public suffix",
		`{"sites": {"block": ["http://x"]}}`:     "sites.block",
		`{"tools": {"deny": ["browser_klick"]}}`: `the policy's tools.deny: no tool is called "browser_klick"`,
		`{"level": "see", "level": "act"}`:       `key "level" is there twice`,
		`{"leve\u006c": "see", "level": "act"}`:  `key "level" is there twice`,
		`{"tools": {"deny": ["a"], "deny": []}}`: `key "tools.deny" is there twice`,
		`{"level": null}`:                        `key "level" must not be null`,
		`{"sites": {"block": null}}`:             `key "sites.block" must not be null`,
		`{"sites": {"block": [null]}}`:           "sites.block",
		`{"sites": {"allow": []}}`:               `key "sites.allow" must name what is allowed`,
		`{"tools": {"allow": []}}`:               `key "tools.allow" must name what is allowed`,
		`{"$schema": "x", "level": "see", "sites": {"allow": ["a.example"], "block": ["*.b.example"]}, "tools": {"allow": ["browser_*"]}, "files": {"roots": [], "output": "files"}}`: "",
	} {
		p, err := ReadPolicy([]byte(text))
		switch {
		case says == "" && err != nil, says != "" && (err == nil || !strings.Contains(err.Error(), says)):
			t.Errorf("%s: %v; want %s", text, err, says)
		case strings.Contains(text, "roots") && p.Files.Roots == nil:
			t.Errorf("no folders are %+v", p.Files)
		}
	}
}

// TestWhoMaySeeDoesNothing holds that level see leaves no tool that enters, runs or
// removes something, in any set, and one to go somewhere and to read in each.
func TestWhoMaySeeDoesNothing(t *testing.T) {
	see := &Policy{Level: "see"}
	for name, tool := range everySet() {
		if see.excludes(tool) != "" || strings.HasSuffix(name, batchName) { // whose steps are calls of their own
			continue
		}
		if tool.kind == onElement && !tool.readOnly || tool.hasArgument(slices.Concat(scripts, files, entries)...) && !tool.readOnly {
			t.Errorf("who may only see has %s", name)
		}
	}
	for _, p := range profiles {
		if !slices.ContainsFunc(p.tools, func(t tool) bool { return see.excludes(&t) == "" && t.kind == onJourney }) {
			t.Errorf("%s: who may only see goes nowhere", p.name)
		}
	}
}

func TestPoliciesAreNotWidened(t *testing.T) {
	for flag, allowed := range map[string]bool{
		"a.example": true, "*.a.example": true, "sub.a.example": true, "a.example:8080": true, "xa.example": false, "example": false,
		"b.example": false, "*.b.example": true, "x.b.example": true, "c.example:80": true, "c.example": false, "c.example:81": false,
		"127.0.0.1": true, "[::1]:80": true, "::1": false,
	} {
		s := Settings{AllowSites: []string{flag}, BlockSites: []string{"z.example"}}
		err := s.Bind(Policy{Sites: PolicySites{Allow: []string{"a.example", "*.b.example", "c.example:80", "127.0.0.1", "[::1]:80"}, Block: []string{"y.example"}}})
		if (err == nil) != allowed {
			t.Errorf("--allow-sites %s: %v", flag, err)
		}
		if err == nil && (!slices.Equal(s.AllowSites, []string{flag}) || !slices.Equal(s.BlockSites, []string{"z.example", "y.example"})) {
			t.Errorf("%s leaves %q, %q", flag, s.AllowSites, s.BlockSites)
		}
	}
}

// TestPolicySchema keeps docs/policy.schema.json as the declaration is.
func TestPolicySchema(t *testing.T) {
	text, err := json.Marshal(PolicySchema())
	if err != nil {
		t.Fatal(err)
	}
	head := `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"A policy file of tabrelay",`
	var now bytes.Buffer
	if err := json.Indent(&now, append([]byte(head), text[1:]...), "", "  "); err != nil {
		t.Fatal(err)
	}
	now.WriteByte('\n')
	const file = "../docs/policy.schema.json"
	if *update {
		if err := os.WriteFile(file, now.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if was, err := os.ReadFile(file); err != nil || !bytes.Equal(was, now.Bytes()) {
		t.Errorf("%s is not as declared (%v): go test -run PolicySchema ./tools -update", file, err)
	}
}
