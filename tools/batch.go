package tools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

const (
	// batchSteps is how many steps a batch has at the most.
	batchSteps = 50
	batchName  = "browser_batch"
)

// batching runs several calls of a set in one; each step is a call of its own.
var batching = []tool{
	{
		name: batchName, kind: onSession, sees: true,
		destructive: true, openWorld: true, duringDialog: true,
		doc: "Run tools in order on one page, up to the first failure. find {role, name} can replace ref.",
		body: do(func(ctx context.Context, c *call, a *batchArgs) (batch, error) {
			v := c.batch(ctx, a)
			if v.page != "" && c.enter(ctx, v.page, lookLimit) == nil {
				c.show = cmp.Or(a.Snapshot, c.session.opts.Snapshot)
			}
			return v, nil
		}),
	},
}

// facadeBatch is the same for the facade, whose answers show no change.
var facadeBatch = tool{
	name: batchName, kind: onSession, sees: true,
	destructive: true, openWorld: true, duringDialog: true,
	doc: "Run tools in order, up to the first failure. find {role, name} can replace ref.",
	body: do(func(ctx context.Context, c *call, a *facadeBatchArgs) (browserResponse, error) {
		return c.batch(ctx, &batchArgs{Steps: a.Steps, PageID: a.PageID}).response(), nil
	}),
}

type batchArgs struct {
	Steps  []batchStep `json:"steps"`
	PageID string      `json:"pageId,omitempty"`
	// In all; each step is bounded by itself, too.
	TimeoutMs int `json:"timeoutMs,omitempty" min:"1" list:"-"`
	showing
}

type facadeBatchArgs struct {
	Steps  []batchStep `json:"steps"`
	PageID string      `json:"page_id,omitempty"`
}

type batchStep struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments,omitempty"`
	Navigates bool           `json:"navigates,omitempty" doc:"goes to another page"`
}

func (a *batchArgs) check() error       { return checkSteps(a.Steps) }
func (a *facadeBatchArgs) check() error { return checkSteps(a.Steps) }

// A batch takes as long as its steps, each of which is bounded.
func (a *batchArgs) limit() int       { return cmp.Or(a.TimeoutMs, len(a.Steps)*60_000) }
func (a *facadeBatchArgs) limit() int { return len(a.Steps) * 60_000 }

func checkSteps(steps []batchStep) error {
	if len(steps) > batchSteps {
		return invalid("there are %d steps; the maximum is %d", len(steps), batchSteps)
	}
	for i, s := range steps {
		if slices.Contains([]string{batchName, "browser_connect", "browser_disconnect", "browser_session"}, s.Tool) {
			return invalid("argument \"steps[%d].tool\": %s cannot be a step; call it by itself", i, s.Tool)
		}
	}
	return nil
}

// batch is what became of the steps.
type batch struct {
	Steps   []batchOutcome `json:"steps"`
	Stopped string         `json:"stopped,omitempty"` // why the rest was not run

	page  string // its id
	of    int    // steps in all
	told  Answer // what the steps told of their surroundings
	error *failure
}

// batchOutcome is what became of a step.
type batchOutcome struct {
	Tool   string `json:"tool"`
	Text   string `json:"text,omitempty"`
	answer *Answer
}

// batch runs steps until one fails, or brings what the next one does not expect.
func (c *call) batch(ctx context.Context, a *batchArgs) batch {
	s := c.session
	v := batch{Steps: []batchOutcome{}, page: cmp.Or(a.PageID, s.activeID()), of: len(a.Steps)}
	for i, step := range a.Steps {
		if ctx.Err() != nil {
			break
		}
		t := s.toolNamed(step.Tool)
		before := s.addressOf(v.page)
		answer := &Answer{set: s.profile}
		if raw, err := t.stepArguments(step.Arguments, v.page); err != nil {
			answer.fail(err)
		} else {
			answer = s.Call(ctx, step.Tool, raw)
		}
		answer.Remark = "" // it was not looked for
		v.Steps = append(v.Steps, batchOutcome{Tool: step.Tool, Text: answer.outcome(), answer: answer})
		v.told.gather(answer)
		if v.error = answer.Error; v.error != nil {
			return v
		}
		if t.kind != onElement && t.kind != onPatience || v.page == "" {
			v.page = s.activeID() // such as a tab that was opened
		}
		if i+1 == len(a.Steps) {
			break
		}
		next := s.toolNamed(a.Steps[i+1].Tool)
		switch {
		case answer.Dialog != nil && (next == nil || !next.answersDialog()):
			v.Stopped = "a dialog is open"
		case slices.ContainsFunc(answer.TabsClosed, func(t tabClosed) bool { return t.ID == v.page }):
			v.Stopped = "the page closed"
		case answer.URL != "" && t.kind != onJourney && !step.Navigates && !sameDocument(before, answer.URL) && !(next != nil && next.kind == onJourney):
			v.Stopped = "the page navigated, which no step announced (navigates: true)"
		}
		if v.Stopped != "" {
			v.Stopped += "; " + lines.Amount(len(a.Steps)-i-1, "step") + " not run"
			break
		}
	}
	return v
}

// answersDialog reports whether a tool is the one that answers dialogs.
func (t *tool) answersDialog() bool { return t.settles && t.duringDialog }

// stepArguments writes a step's arguments as the tool's own: on the batch's page,
// without a look at it, and with a selector for each find.
func (t *tool) stepArguments(given map[string]any, page string) (json.RawMessage, error) {
	args := map[string]any{}
	for name, v := range given {
		args[name] = v
	}
	if t == nil { // the call says so
		return json.RawMessage("{}"), nil
	}
	for _, p := range t.takes().Properties {
		if _, ok := args[p.Name]; ok {
			continue
		}
		switch p.Name {
		case "pageId", "page_id":
			if page != "" && !t.takes().Requires(p.Name) {
				args[p.Name] = page
			}
		case "snapshot":
			args[p.Name] = "none"
		}
	}
	if err := resolveFinds(args); err != nil {
		return nil, err
	}
	return lines.Marshal(args)
}

// resolveFinds puts a selector in the place of each find, also in lists of fields.
func resolveFinds(args map[string]any) error {
	for _, v := range args {
		if list, ok := v.([]any); ok {
			for _, item := range list {
				if inner, ok := item.(map[string]any); ok {
					if err := resolveFinds(inner); err != nil {
						return err
					}
				}
			}
		}
	}
	find, ok := args["find"]
	if !ok {
		return nil
	}
	var f struct{ Role, Name string }
	raw, _ := lines.Marshal(find)
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if d.Decode(&f) != nil || f.Role == "" {
		return invalid(`argument "find" must be {role, name}, such as {"role": "button", "name": "Save"}`)
	}
	delete(args, "find")
	args["selector"] = roleSelector(f.Role, f.Name)
	return nil
}

// roleSelector names an element by its role, and its name unless that is empty.
func roleSelector(role, name string) string {
	if name != "" {
		name = `[name="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"]`
	}
	return "role=" + role + name
}

// sameDocument reports whether two addresses differ in their fragment at most.
func sameDocument(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	if err != nil || err2 != nil {
		return a == b
	}
	x.Fragment, y.Fragment = "", ""
	return x.String() == y.String()
}

// outcome is the result of a step, or why there is none.
func (a *Answer) outcome() string {
	if f := a.Error; f != nil {
		return "error: " + f.Text
	}
	var parts []string
	if v, ok := a.Result.(value); ok && v.text() != "" {
		parts = append(parts, v.text())
	}
	if _, ok := a.Result.(snapshot); ok {
		parts = append(parts, a.Changes+a.Snapshot)
	}
	return strings.Join(parts, "\n")
}

// gather adds what a step told of its surroundings. The dialog and the page's
// change are told as they are in the end.
func (a *Answer) gather(step *Answer) {
	a.URL, a.Title = cmp.Or(step.URL, a.URL), cmp.Or(step.Title, a.Title)
	a.TabsOpened = append(a.TabsOpened, step.TabsOpened...)
	a.TabsClosed = append(a.TabsClosed, step.TabsClosed...)
	a.Downloads = append(a.Downloads, step.Downloads...)
	a.Console = a.Console.plus(step.Console)
}

// plus adds counts; either may be nil.
func (n *consoleCount) plus(m *consoleCount) *consoleCount {
	switch {
	case n == nil:
		return m
	case m == nil:
		return n
	}
	texts := slices.Concat(n.texts, m.texts)
	return &consoleCount{Errors: n.Errors + m.Errors, Warnings: n.Warnings + m.Warnings, texts: texts[max(0, len(texts)-consoleTexts):]}
}

// text is a line for each step, and why the rest was not run.
func (v batch) text() string {
	var b strings.Builder
	for i, s := range v.Steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, cmp.Or(s.Text, s.Tool))
	}
	if v.Stopped != "" {
		b.WriteString("stopped: " + v.Stopped + "\n")
	}
	return bounded(strings.TrimSuffix(b.String(), "\n"), resultLimit)
}

// contents are the pictures that steps took.
func (v batch) contents() []mcp.Content {
	var list []mcp.Content
	for _, s := range v.Steps {
		if c, ok := s.answer.Result.(contents); ok {
			list = append(list, c.contents()...)
		}
	}
	return list
}

// files are those that steps wrote.
func (v batch) files() (list []string) {
	for _, s := range v.Steps {
		if w, ok := s.answer.Result.(writer); ok {
			list = append(list, w.files()...)
		}
	}
	return list
}

func (v batch) fill(a *Answer) {
	told := v.told
	told.Result, told.set = v, a.set
	if f := v.error; f != nil {
		n := len(v.Steps)
		failed := *f
		failed.Text = fmt.Sprintf("step %d of %d, %s: %s", n, v.of, v.Steps[n-1].Tool, f.Text)
		if n > 1 {
			done := v
			done.Steps = v.Steps[:n-1]
			failed.Text += "\n" + done.text()
		}
		if left := v.of - n; left > 0 {
			failed.Text += "\nnot run: " + lines.Amount(left, "step")
		}
		told.Error = &failed
	}
	*a = told
}

// response is the answer of the facade's batch: that of each step in a list.
func (v batch) response() browserResponse {
	steps := make([]map[string]any, len(v.Steps))
	for i, s := range v.Steps {
		r := facadeResponse(s.answer)
		steps[i] = map[string]any{"tool": s.Tool, "response": r}
	}
	r := browserResponse{Data: map[string]any{"steps": steps, "count": len(steps)}}
	if v.Stopped != "" {
		r.put("stopped", v.Stopped)
	}
	if f := v.error; f != nil {
		r.put("failed_step", len(steps))
		r.Error = facadeResponse(&Answer{Error: f}).Error
		r.put("kind", f.Kind)
	}
	return r
}

// activeID is the id of the active page, or "".
func (s *Session) activeID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active == nil {
		return ""
	}
	return s.active.id
}

// addressOf is a page's address, or "".
func (s *Session) addressOf(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.id == id })
	if i < 0 || s.browser == nil {
		return ""
	}
	return s.describe(s.browser.Tabs(), s.tabs[i]).URL
}
