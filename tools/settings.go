package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
)

// Settings are what a person sets for an agent: the bounds of what it may do, and
// how its answers look. The tags make each a flag, a variable of the environment, a
// key of the configuration file, and a field on its way to the daemon.
type Settings struct {
	Tools       string   `json:"tools,omitempty" help:"The set of tools: full (44 precise tools; the default), facade (nine), minimal (four) or dynamic (those of the focused page)." placeholder:"SET"`
	AllowTools  []string `json:"allowTools,omitempty" help:"Offer only these tools of the set: globs such as browser_tab_*." placeholder:"GLOB"`
	DenyTools   []string `json:"denyTools,omitempty" help:"Do not offer these tools: globs such as browser_set_*." placeholder:"GLOB"`
	DynamicCall bool     `json:"dynamicCall,omitempty" help:"With --tools dynamic: add a tool that calls any other by name, for clients that read the list only once."`
	Snapshot    string   `json:"snapshot,omitempty" enum:"diff,full,none" default:"diff" help:"What an action's answer shows of the page: ${enum}."`
	Structured  bool     `json:"structured,omitempty" help:"Also return answers as structured content, with an output schema."`
	AllowFile   bool     `json:"allowFile,omitempty" help:"Allow file: addresses."`
	AllowSites  []string `json:"allowSites,omitempty" help:"Open, read and use only these sites: hosts such as example.com (with subdomains) or *.example.com." placeholder:"HOST"`
	BlockSites  []string `json:"blockSites,omitempty" help:"Never open, read or use these sites." placeholder:"HOST"`
	Cookies     string   `json:"cookies,omitempty" enum:"page,all" default:"page" help:"Which cookie values an agent reads: page (those that a page's scripts can read) or all (also HttpOnly)."`
	Secrets     string   `json:"secrets,omitempty" help:"File of secrets that an agent types by their names without seeing them: lines NAME=value # site. Only you may be able to read it." placeholder:"FILE"`
	Policy      string   `json:"policy,omitempty" help:"Policy file: the most that agents may have, in JSON." placeholder:"FILE"`
	Root        []string `json:"root,omitempty" help:"Folder that files may be read from, for uploads; default: only the output folder. Repeatable." placeholder:"DIR" sep:"none"`
	Output      string   `json:"output,omitempty" help:"Folder that files are written to; default: output, in the state folder." placeholder:"DIR"`

	Vault  Vault  `json:"vault,omitempty" kong:"-"` // what the file of Secrets holds
	Bound  Policy `json:"bound,omitzero" kong:"-"`  // what the file of Policy says
	Config Config `json:"config,omitzero" kong:"-"` // of the file
}

// Filter is what the settings offer of a set of tools.
func (s *Settings) Filter() Filter { return Filter{Allow: s.AllowTools, Deny: s.DenyTools} }

func (s *Settings) sites() adapter.Sites {
	return adapter.Sites{Allow: s.AllowSites, Block: s.BlockSites}
}

// Check says what is wrong with the settings for agents that may have any of the
// sets.
func (s *Settings) Check(sets ...string) error {
	if s.Tools != "" && !slices.Contains(Profiles(), s.Tools) {
		return fmt.Errorf("--tools %s: there is no such set; choose one of %s", s.Tools, strings.Join(Profiles(), ", "))
	}
	if err := s.sites().Check(); err != nil {
		return err
	}
	return s.Filter().Check(sets...)
}
