package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

var forms = []tool{
	{
		name: "browser_fill_form", kind: onElement,
		destructive: true, openWorld: true, settles: true,
		doc: "Set several fields of any type.",
		body: do(func(ctx context.Context, c *call, a *fillArgs) (filled, error) {
			return c.fill(ctx, a.Fields)
		}),
	},
	{
		name: "browser_upload", kind: onPatience, deed: uploads,
		destructive: true, openWorld: true, settles: true,
		doc: "Give files to the open file chooser or a file input; none to cancel.",
		body: do(func(ctx context.Context, c *call, a *uploadArgs) (done, error) {
			d, err := c.page.Upload(ctx, a.target(), a.Files)
			return doneAs("files of", d), err
		}),
	},
}

type fillArgs struct {
	Fields []fieldArgs `json:"fields"`
	showing
	onPage
}

type fieldArgs struct {
	Ref      string `json:"ref,omitempty"`
	Selector string `json:"selector,omitempty"`
	Value    string `json:"value" doc:"text, option, date; true or false"`
	Secret   string `json:"secret,omitempty" instead:"value" doc:"name of a secret"`
}

func (a *fillArgs) check() error { return checkFields(a.Fields) }

// fill sets the fields of a form.
func (c *call) fill(ctx context.Context, fields []fieldArgs) (filled, error) {
	list := make([]adapter.Field, len(fields))
	for i, f := range fields {
		o, err := c.session.typing(f.Value, f.Secret)
		if err != nil {
			return filled{}, err
		}
		list[i] = adapter.Field{Element: adapter.Element{Ref: f.Ref, Selector: f.Selector}, Value: o.Text, Only: o.Only}
	}
	what, err := c.page.Fill(ctx, list)
	return filledAs(c.session.profile, fields, what, err)
}

func checkFields(list []fieldArgs) error {
	for i, f := range list {
		switch {
		case f.Ref != "" && f.Selector != "":
			return invalid("argument \"fields[%d]\" has both ref and selector: give one of them", i)
		case f.Ref == "" && f.Selector == "":
			return invalid("argument \"fields[%d]\" has no element: give ref or selector", i)
		}
		if err := oneText(fmt.Sprintf("fields[%d]: value", i), f.Value, f.Secret); err != nil {
			return err
		}
	}
	return nil
}

type uploadArgs struct {
	Files []string `json:"files,omitempty" doc:"paths in the allowed folders"`
	maybeElement
	showing
	onPage
}

func (a *uploadArgs) carries() []string { return a.Files }

// filled tells what became of each field.
type filled struct {
	Set    []done   `json:"set"`
	Failed []string `json:"failed,omitempty"`
}

// filledAs makes the answer of a form: an error where a field failed, which
// tells those that did not as well.
func filledAs(set *profile, fields []fieldArgs, list []adapter.Filled, stop error) (filled, error) {
	v := filled{Set: []done{}}
	var first error
	for i, f := range list {
		if f.Err != nil {
			if first == nil {
				first = f.Err
			}
			said := failureOf(f.Err, set)
			line := said.Text
			if who := cmp.Or(fields[i].Ref, fields[i].Selector); !strings.Contains(line, who) {
				line = who + ": " + line
			}
			if said.Hint != "" {
				line += " (" + said.Hint + ")"
			}
			v.Failed = append(v.Failed, line)
			continue
		}
		v.Set = append(v.Set, doneAs("set", f.Done))
	}
	if errors.Is(stop, adapter.ErrDialogOpen) { // the answer tells of it
		if left := len(fields) - len(list); left > 0 {
			v.Failed = append(v.Failed, lines.Amount(left, "further field")+": a dialog opened; fill in the rest after answering it")
		}
		return v, nil
	}
	if stop != nil || first == nil {
		return v, stop
	}
	return v, &Error{
		Kind: kindOf(first), Text: fmt.Sprintf("%d of %s could not be set\n%s", len(v.Failed), lines.Amount(len(fields), "field"), v.text()),
		Hint: "the others are set; fill in only those that failed",
	}
}

func (v filled) text() string {
	var list []string
	for _, d := range v.Set {
		list = append(list, d.text())
	}
	for _, f := range v.Failed {
		list = append(list, "not set: "+oneLine(f))
	}
	return strings.Join(list, "\n")
}

// kindOf returns the sentinel of a failure.
func kindOf(err error) error {
	switch e := err.(type) {
	case *adapter.Error:
		return e.Kind
	case *Error:
		return e.Kind
	}
	return adapter.ErrNotActionable
}
