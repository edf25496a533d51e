package adapter

import (
	"context"
	"errors"
	"strings"
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
func (p *Page) Execute(ctx context.Context, o ExecuteOptions) (Value, error) {
	script := o.Code
	var args []string
	for _, a := range o.Args {
		args = append(args, string(marshal(a)))
	}
	given := strings.Join(args, ", ")
	switch {
	case strings.TrimSpace(script) == "":
		return Value{}, fail(ErrInvalid, "give JavaScript", "the code is empty")
	case functional.MatchString(script):
		script = "0, (" + strings.TrimRight(script, "; \t\r\n") + "\n)(" + given + ")"
	case o.Body:
		// On one line, so that errors tell the caller's lines.
		script = "0, (async function() { " + script + "\n})(" + given + ")"
	}
	v := Value{Text: "undefined"}
	_, err := p.perform(ctx, Element{}, "find", func(ctx context.Context, a *actor) error {
		a.frame, a.sent = a.main(), true
		limited, cancel := context.WithDeadline(ctx, a.until)
		defer cancel()
		res, err := a.run(limited, script, "")
		if err != nil && nothingRan(err) && a.anew(limited) {
			res, err = a.run(limited, script, "") // nothing had run
		}
		if errors.Is(err, context.DeadlineExceeded) || err != nil && stopped(err) {
			a.recover()
			return advise(ErrTimeout, AdviceScriptTime, "the script did not finish within %s and was stopped", a.limit)
		}
		if err != nil {
			return err
		}
		v, err = a.read(limited, res, executeLimit)
		return err
	})
	return v, err
}
