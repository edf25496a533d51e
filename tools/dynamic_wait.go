package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// waitKey names an invocation that has no answer yet: a tool of a tab has one at
// the most.
type waitKey struct {
	tab  *tab
	name string
}

// pendingRun is an invocation of a declared tool whose answer the agent has not
// got: the person has to submit its form, or a dialog came in between.
type pendingRun struct {
	input  string
	run    *adapter.Invocation
	cancel string // the tool that gives it up
}

func (w *pendingRun) over() bool {
	select {
	case <-w.run.Done():
		return true
	default:
		return false
	}
}

func (d *dynamic) forget(key waitKey) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.waits, key)
}

// invoke calls a tool that the page declares. The same call once more goes on
// with an invocation that waits; another one takes its place.
func (d *dynamic) invoke(ctx context.Context, c *call, name string, o adapter.Declared, values map[string]any) (pageTaken, error) {
	input, err := lines.Marshal(values)
	if err != nil {
		return pageTaken{}, fmt.Errorf("arguments: %w", err)
	}
	key := waitKey{c.tab, name}
	d.mu.Lock()
	w := d.waits[key]
	d.mu.Unlock()
	if w != nil && w.input != string(input) {
		w.run.Cancel()
		w = nil
	}
	first := w == nil
	if first {
		run, err := c.page.Invoke(ctx, o, input)
		if err != nil {
			return pageTaken{}, err
		}
		w = &pendingRun{input: string(input), run: run}
		d.mu.Lock()
		d.waits[key] = w
		d.mu.Unlock()
		if o.Manual && !w.over() {
			return pageTaken{Did: name + ": the form is filled in and waits for the person to submit it in the browser. Call " + name +
				" again with the same arguments to wait for their answer, or " + cancelWord + name + " to cancel it."}, nil
		}
	}
	out, err := w.run.Wait(ctx)
	switch {
	case errors.Is(err, adapter.ErrDialogOpen) && !w.over():
		return pageTaken{}, err // it goes on when the dialog is answered
	case o.Manual && errors.Is(err, context.DeadlineExceeded) && !w.over():
		return pageTaken{Did: name + ": the person has not submitted the form yet. Call " + name +
			" again with the same arguments to wait longer, or " + cancelWord + name + " to cancel it."}, nil
	}
	d.forget(key)
	if err != nil {
		w.run.Cancel()
		return pageTaken{}, err
	}
	v := pageTaken{Did: name + ": done"}
	if out != nil {
		v.Did = name + ": answered"
		v.Said = bounded(saidIn(out), contentLimit)
	}
	if !first {
		v.Did += "; this is the answer to the call made before"
	}
	return v, nil
}

// saidIn is what a tool's answer says: the texts of {content: [{type: "text"}]},
// which pages return as servers do, or the answer as it is.
func saidIn(out []byte) string {
	var v struct {
		Content []struct{ Type, Text string } `json:"content"`
	}
	if json.Unmarshal(out, &v) != nil || len(v.Content) == 0 {
		return string(out)
	}
	var texts []string
	for _, c := range v.Content {
		if c.Type != "text" {
			return string(out)
		}
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "\n")
}

// contentLimit is how much of a tool's answer is told, in bytes.
const contentLimit = 20_000
