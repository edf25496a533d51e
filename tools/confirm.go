package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// deed is what a policy may have the person asked for each time, before it is done.
type deed string

const (
	submits   deed = "submit" // of a form with a password, a one-time code or a payment
	uploads   deed = "upload"
	closes    deed = "close" // a tab that the agent did not open
	evaluates deed = "evaluate"
)

// deeds say when the person is asked.
var deeds = map[deed]string{
	submits:   "forms with passwords, one-time codes and payments are sent",
	uploads:   "pages get files",
	closes:    "tabs are closed that you did not open",
	evaluates: "scripts run in pages",
}

// doing is implemented by the arguments of tools with a deed. It returns what the
// call does, as the person is told it, or "" where it does nothing of the kind.
type doing interface {
	does(context.Context, *call) string
}

// wordsAsked is how many bytes of an agent's or a page's words a question has.
const wordsAsked = 300

// asker puts a question to the person who uses the agent, and reports whether they
// said yes.
type asker func(ctx context.Context, question string) (bool, error)

type askerKey struct{}

// asks reports whether the person is to be asked for a deed.
func (p *Policy) asks(d deed) bool { return slices.Contains(p.Confirm, string(d)) }

// askFirst makes what sends such a form fail before it does, where the person is to be
// asked for that.
func (c *call) askFirst(ctx context.Context) context.Context {
	if c.session.opts.Bound.asks(submits) {
		return adapter.AskFirst(ctx)
	}
	return ctx
}

// confirm asks the person for what the call is about to do, where the policy says so.
func (c *call) confirm(ctx context.Context, args any) error {
	d := c.tool.deed
	if !c.session.opts.Bound.asks(d) {
		return nil
	}
	what := args.(doing).does(ctx, c)
	if what == "" {
		return nil
	}
	return c.ask(ctx, d, what)
}

// ask asks the person for a deed, and returns nil when they say yes, to this once.
func (c *call) ask(ctx context.Context, d deed, what string) error {
	limit := c.session.opts.AnswerTimeout
	wait, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer Waiting(ctx, "waiting for the person to confirm")()
	done := "done"
	if d == submits { // fields may have been filled in before
		done = "sent"
	}
	no := func(kind error, hint, format string, a ...any) error {
		return &Error{Kind: kind, Hint: hint, Text: "nothing was " + done + ": the person is asked before " + deeds[d] + ", and " + fmt.Sprintf(format, a...)}
	}
	put, ok := ctx.Value(askerKey{}).(asker)
	if !ok {
		put = c.browser.Confirm // in its panel
	}
	where := ""
	if c.page != nil {
		where = adapter.Origin(c.page.URL())
	}
	question := "Allow " + c.tool.told()
	if where != "" {
		question += " on " + lines.Short(where, wordsAsked)
	}
	yes, err := put(wait, c.session.Masked(question+"? It "+what+"."))
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case wait.Err() != nil:
		return no(adapter.ErrTimeout, "ask them to answer Tabrelay's question, then call again", "they did not answer within %s", limit)
	case err != nil:
		return no(adapter.ErrBlocked, "do without it, or have them use a program that shows questions (MCP elicitation), or their own browser, or another policy file", "nobody could be: %s", lines.Short(err.Error(), wordsAsked))
	case !yes:
		return no(adapter.ErrBlocked, "do without it, or ask them what to do instead", "they said no")
	case c.page != nil && adapter.Origin(c.page.URL()) != where:
		return no(adapter.ErrBlocked, "look where the page is now, then call again", "the page went elsewhere meanwhile")
	}
	return nil
}

// opened reports whether the session opened a tab, or something that it opened did.
func (s *Session) opened(t *tab) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range s.tabs { // no longer than there are tabs
		if t.mine {
			return true
		}
		i := slices.IndexFunc(s.tabs, func(o *tab) bool { return o.target == t.opener })
		if i < 0 {
			return false
		}
		t = s.tabs[i]
	}
	return false
}

// closing is what a call does that closes a tab.
func (c *call) closing(t *tab) string {
	if c.session.opened(t) {
		return ""
	}
	e := c.session.entry(c.browser, t)
	return fmt.Sprintf("closes a tab that the agent did not open: %s on %s", quoted(cmp.Or(e.Title, e.URL), wordsAsked), lines.Short(adapter.Origin(e.URL), wordsAsked))
}

// scripting is what a call does that runs a script.
func scripting(script string) string {
	if script == "" {
		return ""
	}
	return "runs a script: " + quoted(script, wordsAsked)
}

// uploading is what a call does that gives a page files.
func uploading(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return "gives the page " + lines.Amount(len(files), "file") + ": " + quoted(strings.Join(files, ", "), wordsAsked)
}

func (a *evaluateArgs) does(context.Context, *call) string { return scripting(a.Script) }
func (a *waitArgs) does(context.Context, *call) string     { return scripting(a.Predicate) }
func (a *uploadArgs) does(context.Context, *call) string   { return uploading(a.Files) }
func (a *dropArgs) does(context.Context, *call) string     { return uploading(a.Files) }

func (a *facadeExecuteArgs) does(context.Context, *call) string {
	if a.further() {
		return ""
	}
	return scripting(a.Code)
}

func (a *tabCloseArgs) does(ctx context.Context, c *call) string {
	if c.connect(ctx) != nil {
		return "" // the body says why
	}
	t, _, err := c.session.resolve(c.browser, a.PageID)
	if err != nil {
		return ""
	}
	a.PageID = t.id // and no other that is active later
	return c.closing(t)
}

func (a *dynamicCloseArgs) does(ctx context.Context, c *call) string {
	if c.connect(ctx) != nil {
		return ""
	}
	t, _, err := a.find(c)
	if err != nil {
		return ""
	}
	a.TabID = new(float64(t.number()))
	return c.closing(t)
}
