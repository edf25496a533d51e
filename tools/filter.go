package tools

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Filter narrows a set of tools. A tool passes that one of Allow matches, any
// where there is none, unless one of Deny matches it. Patterns are globs over
// whole names, such as browser_set_*.
type Filter struct {
	Allow []string `json:"allow,omitempty"`
	Deny  []string `json:"deny,omitempty"`
	// Query says that an agent gave them in the address, and not a person as flags.
	Query bool `json:"-"`
	// Policy says that a policy file gives them.
	Policy bool `json:"-"`
}

// Check says which pattern is none, or matches no tool of any of the sets, and
// whether the filter leaves nothing of them.
func (f Filter) Check(sets ...string) error {
	var names []string
	follows := false // pages have tools with names of their own
	for _, set := range sets {
		if profileNamed(set).follows {
			follows = true
			names = append(names, contentTool, findTool, keyTool, backTool, goTool)
		}
		for name := range profileNamed(set).byName {
			names = append(names, name)
		}
	}
	for _, list := range []struct {
		flag     string
		patterns []string
	}{{f.flag("allow-tools"), f.Allow}, {f.flag("deny-tools"), f.Deny}} {
		for _, pattern := range list.patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				return fmt.Errorf("%s: %q is not a valid pattern", list.flag, pattern)
			}
			if (!follows || f.Policy) && !slices.ContainsFunc(names, func(name string) bool { return matches(pattern, name) }) {
				return fmt.Errorf("%s: no tool is called %q", list.flag, pattern)
			}
		}
	}
	if !slices.ContainsFunc(names, func(name string) bool { return f.excludes(name) == "" }) {
		return fmt.Errorf("%s and %s leave no tools", f.flag("allow-tools"), f.flag("deny-tools"))
	}
	return nil
}

// excludes returns the flag that keeps a tool out, or "".
func (f Filter) excludes(name string) string {
	match := func(pattern string) bool { return matches(pattern, name) }
	switch {
	case slices.ContainsFunc(f.Deny, match):
		return f.flag("deny-tools")
	case len(f.Allow) > 0 && !slices.ContainsFunc(f.Allow, match):
		return f.flag("allow-tools")
	}
	return ""
}

func (f Filter) flag(name string) string {
	switch {
	case f.Query:
		return "?" + name + "="
	case f.Policy:
		return "the policy's tools." + strings.TrimSuffix(name, "-tools")
	}
	return "--" + name
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// refusal is the error of a call of a tool that is kept out; nil where it is
// not. Whoever lists a session's tools leaves out those that have one.
func (s *Session) refusal(name string) error {
	out := ""
	for _, f := range s.opts.Filters {
		out = cmp.Or(out, f.excludes(name))
	}
	return excluded(name, out)
}

// refused is refusal for a tool that is known: what it does may keep it out, too.
func (s *Session) refused(t *tool) error {
	if err := s.refusal(t.name); err != nil {
		return err
	}
	return excluded(t.name, s.opts.Bound.excludes(t))
}

// excluded is the error of a tool that something keeps out; nil where that is "".
func excluded(name, by string) error {
	if by == "" {
		return nil
	}
	return &Error{Kind: adapter.ErrBlocked, Text: name + " is not available here",
		Hint: "use another listed tool", Flag: by + " excludes it"}
}

// connects reports whether a session connects by itself: its set has no tool for
// that, or the tool is kept out.
func (s *Session) connects() bool {
	return s.profile.connects == "" || s.refusal(s.profile.connects) != nil
}

// redirect answers calls of tools that are not listed: those that are kept out
// say so, and retired ones what to call instead.
func (s *Session) redirect(next mcp.MethodHandler) mcp.MethodHandler {
	p := s.profile
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		q, ok := r.GetParams().(*mcp.CallToolParamsRaw)
		if !ok || method != "tools/call" {
			return next(ctx, method, r)
		}
		if instead, ok := p.retired[q.Name]; ok {
			return facadeJSON(browserResponse{Error: q.Name + " is not a tool of this set: call " + instead, Data: map[string]any{"kind": "InvalidArgument"}}, false), nil
		}
		if t := p.byName[q.Name]; t != nil && s.refused(t) != nil {
			return p.encode(t, s.Call(ctx, q.Name, nil), s.opts.Structured), nil
		}
		if p.byName[q.Name] == nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q: call one that is listed", lines.Short(q.Name, titleLength))}
		}
		return next(ctx, method, r)
	}
}
