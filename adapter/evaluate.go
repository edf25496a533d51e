package adapter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// evaluateLimit is how many characters of a result are told.
const evaluateLimit = 100_000

// functional matches a script that is a function.
var functional = regexp.MustCompile(`^\s*(?:async\s*)?(?:function\b|\(\s*(?:[\w$\s,={}\[\].'"]|\([^()]*\))*\)\s*=>|[\w$]+\s*=>)`)

// Evaluate runs a script in the page's own world: an expression, statements
// whose last value counts, or a function, which is called with the element as
// its argument if one is given. Promises are awaited. It fails with ErrScript when the script throws, and with ErrTimeout when it does
// not come to an end, in which case it is stopped.
func (p *Page) Evaluate(ctx context.Context, script string, e Element) (Value, error) {
	var v Value
	_, err := p.perform(ctx, e, "find", func(ctx context.Context, a *actor) error {
		if strings.TrimSpace(script) == "" {
			return fail(ErrInvalid, "give an expression or a function", "script is empty")
		}
		var element runtime.RemoteObjectID
		if e.zero() {
			a.frame = a.main()
		} else {
			if err := a.prepare(ctx); err != nil {
				return err
			}
			id, err := a.inMainWorld(ctx)
			if err != nil {
				return err
			}
			element = id
			defer post(a.target, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: id})
		}
		a.sent = true
		v.Text = "undefined"
		limited, cancel := context.WithDeadline(ctx, a.until)
		defer cancel()
		res, err := a.run(limited, script, element)
		if err != nil && element == "" && nothingRan(err) && a.anew(limited) {
			res, err = a.run(limited, script, element) // nothing had run
		}
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) || stopped(err) {
				a.recover()
				return advise(ErrTimeout, AdviceScriptTime, "the script did not finish within %s and was stopped", a.limit)
			}
			return err
		}
		v, err = a.read(limited, res, evaluateLimit)
		v.Text = bounded(v.Text)
		return err
	})
	return v, err
}

// anew waits for the next document of the main frame, where one has gone.
func (a *actor) anew(ctx context.Context) bool {
	return a.page.await(ctx, func() bool { return a.frame.main.id != 0 && a.frame.session != nil }) == nil
}

// run runs a script, on an element unless that is empty.
func (a *actor) run(ctx context.Context, script string, element runtime.RemoteObjectID) (*runtime.RemoteObject, error) {
	p := a.page
	p.mu.Lock()
	s, world := a.frame.session, a.frame.main
	p.mu.Unlock()
	a.target = s
	if s == nil {
		return nil, advise(ErrStaleRef, AdviceLookAgain, "the frame is gone")
	}
	var res *runtime.RemoteObject
	var thrown *runtime.ExceptionDetails
	if element == "" {
		// A function is called; an object in braces would else be a block.
		trimmed, wrapped := strings.TrimRight(script, "; \t\r\n"), ""
		if functional.MatchString(script) {
			wrapped = "(" + trimmed + "\n)()"
		} else if t := strings.TrimSpace(trimmed); strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") {
			wrapped = "(" + t + "\n)"
		}
		params := world.run(runtime.EvaluateParams{Expression: cmp.Or(wrapped, script), ReplMode: new(true), AwaitPromise: new(true), UserGesture: new(true), ObjectGroup: objects})
		if left := time.Until(a.until); left > 0 {
			params.Timeout = runtime.TimeDelta(left.Milliseconds())
		}
		out, err := call(ctx, s, runtime.Evaluate, params)
		if err == nil && wrapped != "" && out.ExceptionDetails != nil && syntaxError(out.ExceptionDetails) {
			params.Expression = script // it was something else after all
			out, err = call(ctx, s, runtime.Evaluate, params)
		}
		if err != nil {
			return nil, err
		}
		res, thrown = out.Result, out.ExceptionDetails
		if thrown == nil && res.Subtype == runtime.RemoteObjectSubtypePromise { // replMode awaits none
			out, err := call(ctx, s, runtime.AwaitPromise, runtime.AwaitPromiseParams{PromiseObjectID: res.ObjectID})
			if err != nil {
				return nil, err
			}
			res, thrown = out.Result, out.ExceptionDetails
		}
	} else {
		declaration := script
		if !functional.MatchString(script) {
			declaration = "async function(element) { return (" + strings.TrimRight(script, "; \t\r\n") + "\n) }"
		}
		params := runtime.CallFunctionOnParams{
			FunctionDeclaration: declaration, ObjectID: element, Arguments: []*runtime.CallArgument{{ObjectID: element}},
			AwaitPromise: new(true), UserGesture: new(true), ObjectGroup: objects,
		}
		out, err := call(ctx, s, runtime.CallFunctionOn, params)
		if err == nil && out.ExceptionDetails != nil && syntaxError(out.ExceptionDetails) && declaration != script {
			params.FunctionDeclaration = "async function(element) { " + script + "\n}"
			out, err = call(ctx, s, runtime.CallFunctionOn, params)
		}
		if err != nil {
			return nil, err
		}
		res, thrown = out.Result, out.ExceptionDetails
	}
	if thrown != nil {
		return nil, scriptError(thrown)
	}
	return res, nil
}

// inMainWorld returns the element as an object of the page's own world.
func (a *actor) inMainWorld(ctx context.Context) (runtime.RemoteObjectID, error) {
	p, f := a.page, a.frame
	s, world, err := p.world(ctx, f)
	if err != nil {
		return "", err
	}
	a.target = s
	held, err := call(ctx, s, runtime.Evaluate, world.run(runtime.EvaluateParams{Expression: expression("element", a.ready.Ref), ObjectGroup: objects}))
	if err != nil {
		return "", err
	}
	if held.Result == nil || held.Result.ObjectID == "" {
		return "", a.objected(ready{Objection: &objection{Code: objectsGone}})
	}
	defer post(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: held.Result.ObjectID})
	node, err := call(ctx, s, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: held.Result.ObjectID})
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	main := f.main
	p.mu.Unlock()
	object, err := call(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node.Node.BackendNodeID, ExecutionContextID: main.id, ObjectGroup: objects})
	if err != nil {
		return "", err
	}
	return object.Object.ObjectID, nil
}

// recover stops a script that does not end, so that the page goes on. It asks
// first whether the page answers: to stop a page that runs nothing would stop
// what it runs next.
func (a *actor) recover() {
	s := a.target
	if s == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime/2)
	defer cancel()
	if _, err := call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: "0", ReturnByValue: new(true)}); err == nil || !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	ctx, cancel = context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	_, _ = call(ctx, s, runtime.TerminateExecution, cdp.Empty{})
}

func syntaxError(e *runtime.ExceptionDetails) bool {
	return e.Exception != nil && e.Exception.ClassName == "SyntaxError" && e.StackTrace == nil
}

// scriptError tells what a script threw, with the line of it.
func scriptError(e *runtime.ExceptionDetails) error {
	text := exception(e).Error()
	if message, stack, ok := strings.Cut(text, "\n"); ok {
		text = message
		for line := range strings.Lines(stack) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "at ") {
				text += " (" + strings.ReplaceAll(line, "<anonymous>", "script") + ")"
				break
			}
		}
	}
	return fail(ErrScript, "", "the script threw: %s", lines.Clip(strings.TrimPrefix(text, "Uncaught "), 2000))
}

// bounded cuts a result that is too long and says so.
func bounded(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= evaluateLimit {
		return s
	}
	return lines.Head(s, evaluateLimit) + fmt.Sprintf("… (truncated after %d of %d bytes: return less)", evaluateLimit, len(s))
}
