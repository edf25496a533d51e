package tools

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
)

var executeTool = tool{
	name: "browser_execute", kind: onPatience, deed: evaluates,
	destructive: true, openWorld: true, settles: true,
	doc: "Run JavaScript in the page.",
	body: do(func(ctx context.Context, c *call, a *facadeExecuteArgs) (browserResponse, error) {
		limits := c.session.opts.Config.Limits
		l := limits.Evaluate
		if a.Action == "execute" {
			l = limits.Execute
		}
		value, again, err := c.session.instances.recall(c.tab, a)
		if err != nil {
			return browserResponse{}, err
		}
		if !again {
			value, err = c.page.Execute(ctx, adapter.ExecuteOptions{Code: a.Code, Args: a.Args, Body: a.Action == "execute" && (len(a.Args) > 0 || functionBody.MatchString(a.Code))})
			if err != nil {
				return browserResponse{}, err
			}
			if a.Action == "execute" && a.wanted() {
				c.session.instances.keep(c.tab, a, value)
			}
		}
		value.Text = c.session.Masked(value.Text) // before it is cut
		return resultOf(value, a, l, limits)
	}),
}

// functionBody tells the body of a function from an expression: it returns something,
// or speaks of its arguments.
var functionBody = regexp.MustCompile(`(?:^|[^\w$.])(?:return|arguments)(?:$|[^\w$])`)

type facadeExecuteArgs struct {
	Action string `json:"action" enum:"execute,evaluate" doc:"execute runs a function's body with args, evaluate an expression"`
	Code   string `json:"code"`
	Args   []any  `json:"args,omitempty" doc:"arguments[0] and so on"`
	chunkArgs
	facadePage
}

func (a *facadeExecuteArgs) check() error {
	if a.Action == "evaluate" && len(a.Args) > 0 {
		return invalid("args are for the action execute")
	}
	return nil
}

// further reports whether a chunk is asked for of a result that was kept: nothing runs.
func (a *facadeExecuteArgs) further() bool {
	return a.Action == "execute" && (a.Offset != 0 || a.Checksum != "")
}

// resultOf answers with a script's value. What is too long, or asked for in
// chunks, is told as text: a string as it is, all else as JSON.
func resultOf(value adapter.Value, a *facadeExecuteArgs, l textLimits, limits facadeLimits) (browserResponse, error) {
	var v browserResponse
	if value.Text == "undefined" {
		return v, nil
	}
	if len(value.Notes) > 0 {
		v.put("notes", value.Notes)
	}
	if value.Type != "" {
		v.put("type", value.Type)
	}
	text := value.Text
	content, quoted := unquoted(text)
	if !quoted && json.Valid([]byte(text)) && (len(text) <= l.Response && !a.wanted() || a.Offset == 0 && len(text) <= l.Chunk) {
		v.Result = json.RawMessage(text)
		return v, nil
	}
	piece, size, chunk, err := a.part(content, l, limits.Chunks.Max)
	if err != nil {
		return v, err
	}
	v.Result, v.sized, v.chunked = &piece, size, chunk
	if !quoted && json.Valid([]byte(text)) {
		v.put("note", "the result is returned as JSON text")
	}
	return v, nil
}

// unquoted returns a JSON string as it is meant, and all else as it stands.
func unquoted(text string) (content string, quoted bool) {
	if strings.HasPrefix(text, `"`) && json.Unmarshal([]byte(text), &content) == nil {
		return content, true
	}
	return text, false
}

// keptResult is what a script returned that is read in chunks: to run it again
// for the next one could do things twice.
type keptResult struct {
	tab   *tab
	code  string
	sum   string
	value adapter.Value
}

func (a *facadeExecuteArgs) said() string {
	args, _ := json.Marshal(a.Args)
	return a.Code + "\x00" + string(args)
}

func (i *instances) keep(t *tab, a *facadeExecuteArgs, value adapter.Value) {
	content, _ := unquoted(value.Text)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kept = &keptResult{tab: t, code: a.said(), sum: checksum(content), value: value}
}

// recall returns the result of which a further chunk is asked for. Expressions
// are evaluated anew, so that a change is told.
func (i *instances) recall(t *tab, a *facadeExecuteArgs) (adapter.Value, bool, error) {
	if !a.further() {
		return adapter.Value{}, false, nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	k := i.kept
	if k != nil && k.tab == t && k.code == a.said() && (a.Checksum == "" || a.Checksum == k.sum) {
		return k.value, true, nil
	}
	return adapter.Value{}, false, invalid("the result of this chunk is no longer kept: run the code again with offset 0 and without snapshot_checksum")
}
