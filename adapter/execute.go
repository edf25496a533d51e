package adapter

import (
	"context"
	"errors"
	"strings"

	"github.com/chromedp/cdproto/runtime"
)

// ExecuteOptions say what to run.
type ExecuteOptions struct {
	Code string
	// Body makes Code the body of an async function, which gets Args as its
	// arguments and returns its result; else it is an expression, statements
	// whose last value counts, or a function, which is called with Args.
	Body bool
	Args []any
}

// executeLimit is how many characters of a result are told.
const executeLimit = 2_000_000

// Execute runs a script in the page's own world and returns its value as
// Evaluate does, but up to 2 million characters of it. It fails as Evaluate does.
func (p *Page) Execute(ctx context.Context, o ExecuteOptions) (string, error) {
	script := o.Code
	var args []string
	for _, a := range o.Args {
		args = append(args, string(marshal(a)))
	}
	given := strings.Join(args, ", ")
	switch {
	case strings.TrimSpace(script) == "":
		return "", fail(ErrInvalid, "give JavaScript", "the code is empty")
	case functional.MatchString(script):
		script = "0, (" + strings.TrimRight(script, "; \t\r\n") + "\n)(" + given + ")"
	case o.Body:
		// On one line, so that errors tell the caller's lines.
		script = "0, (async function() { " + script + "\n})(" + given + ")"
	}
	text := "undefined"
	_, err := p.perform(ctx, Element{}, "find", func(ctx context.Context, a *actor) error {
		a.frame, a.sent = a.main(), true
		limited, cancel := context.WithDeadline(ctx, a.until)
		defer cancel()
		res, err := a.run(limited, script, "")
		if err != nil && strings.Contains(err.Error(), "Cannot find context") && a.anew(limited) {
			res, err = a.run(limited, script, "") // nothing had run
		}
		if errors.Is(err, context.DeadlineExceeded) || err != nil && stopped(err) {
			a.recover()
			return fail(ErrTimeout, "make the script shorter", "the script did not come to an end within %s and was stopped", a.limit)
		}
		if err != nil {
			return err
		}
		text, err = a.value(limited, res)
		return err
	})
	return text, err
}

// value renders a value as read does, with more of it.
func (a *actor) value(ctx context.Context, o *runtime.RemoteObject) (string, error) {
	if o == nil || o.ObjectID == "" {
		if o != nil && o.UnserializableValue == "" && o.Type != runtime.RemoteObjectTypeUndefined {
			return string(o.Value), nil
		}
		return a.read(ctx, o)
	}
	return a.rendered(ctx, o, executeLimit)
}
