package adapter

import (
	"context"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// marshal renders a value as JSON; what cannot be is null.
func marshal(v any) jsonv2.Value {
	buf, err := jsonv2.Marshal(v, chromedp.DefaultMarshalOptions)
	if err != nil {
		return jsonv2.Value("null")
	}
	return buf
}

// function calls a function on a remote object, with values as arguments, and
// decodes its value.
func function[T any](ctx context.Context, s *session, object runtime.RemoteObjectID, declaration string, args ...jsonv2.Value) (T, error) {
	var v T
	params := runtime.CallFunctionOnParams{ObjectID: object, FunctionDeclaration: declaration, ReturnByValue: new(true), AwaitPromise: new(true), Silent: new(true)}
	for _, a := range args {
		params.Arguments = append(params.Arguments, &runtime.CallArgument{Value: a})
	}
	res, err := call(ctx, s, runtime.CallFunctionOn, params)
	if err != nil {
		return v, err
	}
	return came[T](res.Result, res.ExceptionDetails)
}

// came returns the value that a script came to, or what it threw as an error.
func came[T any](o *runtime.RemoteObject, thrown *runtime.ExceptionDetails) (v T, err error) {
	if thrown != nil {
		return v, exception(thrown)
	}
	if len(o.Value) > 0 {
		err = jsonv2.Unmarshal(o.Value, &v, chromedp.DefaultUnmarshalOptions)
	}
	return v, err
}
