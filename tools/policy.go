package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/tools/schema"
)

// Policy is what a person's policy file says: the most that agents may have. Flags
// and calls narrow it. The zero value bounds nothing.
type Policy struct {
	Schema  string      `json:"$schema,omitempty" doc:"the address of this schema, for editors"`
	Level   string      `json:"level,omitempty" enum:"see,act" doc:"see: agents open pages and read them, and do nothing to them"`
	Sites   PolicySites `json:"sites,omitzero"`
	Tools   PolicyTools `json:"tools,omitzero"`
	Files   PolicyFiles `json:"files,omitzero"`
	Confirm []string    `json:"confirm,omitempty" enum:"submit,upload,close,evaluate" doc:"what the person is asked for each time, before it is done"`
}

// PolicySites are bounds of --allow-sites and --block-sites.
type PolicySites struct {
	Allow []string `json:"allow,omitempty" doc:"only these hosts, such as example.com (with subdomains) or *.example.com"`
	Block []string `json:"block,omitempty" doc:"never these"`
}

// PolicyTools are bounds of --allow-tools and --deny-tools.
type PolicyTools struct {
	Allow []string `json:"allow,omitempty" doc:"only these tools: globs such as browser_tab_*"`
	Deny  []string `json:"deny,omitempty" doc:"never these"`
}

// PolicyFiles are bounds of --root and --output.
type PolicyFiles struct {
	Roots  []string `json:"roots,omitempty" doc:"folders that files may be read from; [] for none"`
	Output string   `json:"output,omitempty" doc:"the folder that files are written to"`
}

// PolicySchema returns the JSON Schema of a policy file.
func PolicySchema() *schema.Schema { return schema.Of(reflect.TypeFor[Policy]()) }

// ReadPolicy reads the text of a policy file. An error says where in it.
func ReadPolicy(text []byte) (Policy, error) {
	var p Policy
	if err := json.Unmarshal(text, new(map[string]any)); err != nil {
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			before := text[:min(int(e.Offset), len(text))]
			line := bytes.Count(before, []byte("\n")) + 1
			return p, fmt.Errorf("line %d, column %d: %w", line, len(before)-bytes.LastIndexByte(before, '\n')-1, err)
		}
		return p, errors.New("it must be a JSON object")
	}
	if err := PolicySchema().Decode(text, &p); err != nil {
		return p, errors.New(strings.NewReplacer("unknown argument ", "unknown key ", "argument \"", "key \"").Replace(err.Error()))
	}
	if err := unclear(json.NewDecoder(bytes.NewReader(text)), ""); err != nil {
		return p, err
	}
	for key, list := range map[string][]string{"sites.allow": p.Sites.Allow, "tools.allow": p.Tools.Allow} {
		if list != nil && len(list) == 0 {
			return p, fmt.Errorf("key %q must name what is allowed; leave it out to allow all", key)
		}
	}
	if err := (adapter.Sites{Allow: p.Sites.Allow, Block: p.Sites.Block}).Check(); err != nil {
		return p, errors.New(strings.NewReplacer("--allow-sites", "sites.allow", "--block-sites", "sites.block").Replace(err.Error()))
	}
	return p, p.filter().Check(Profiles()...)
}

// unclear returns what of a JSON value, which is at a key, could be meant in two ways:
// a key that is there twice, and null.
func unclear(d *json.Decoder, key string) error {
	token, _ := d.Token() // the text is JSON
	switch token {
	case nil:
		return fmt.Errorf("key %q must not be null: leave it out", key)
	case json.Delim('{'):
		for seen := map[string]bool{}; d.More(); {
			name, _ := d.Token()
			one := strings.TrimPrefix(fmt.Sprint(key, ".", name), ".")
			if seen[one] {
				return fmt.Errorf("key %q is there twice", one)
			}
			seen[one] = true
			if err := unclear(d, one); err != nil {
				return err
			}
		}
		_, _ = d.Token()
	case json.Delim('['):
		for d.More() {
			if err := unclear(d, key); err != nil {
				return err
			}
		}
		_, _ = d.Token()
	}
	return nil
}

func (p *Policy) filter() Filter {
	return Filter{Allow: p.Tools.Allow, Deny: p.Tools.Deny, Policy: true}
}

// Bind narrows settings to what the policy allows. An error names the flag that asks
// for more. Files are bound where their paths are known.
func (s *Settings) Bind(p Policy) error {
	s.Bound = p
	for _, site := range s.AllowSites {
		if len(p.Sites.Allow) > 0 && !adapter.CoversSite(p.Sites.Allow, site) {
			return fmt.Errorf("--allow-sites %s: the policy allows only %s", site, strings.Join(p.Sites.Allow, ", "))
		}
	}
	if len(s.AllowSites) == 0 {
		s.AllowSites = p.Sites.Allow
	}
	s.BlockSites = append(s.BlockSites[:len(s.BlockSites):len(s.BlockSites)], p.Sites.Block...)
	return nil
}

// excludes returns what of the policy keeps a tool out by what it does, or "".
func (p *Policy) excludes(t *tool) string {
	if p.Level == "see" && !t.readOnly && !t.sees {
		return "the policy's level see"
	}
	return ""
}
