package adapter

import "github.com/chromedp/cdproto/runtime"

// realm is an execution context. Its id is counted anew in each process, so a
// tab that goes to another site meets the same ids again; only the unique id
// tells one document from the next.
type realm struct {
	id     runtime.ExecutionContextID
	unique string // empty where Chrome has not told it
}

// run returns the parameters of an evaluation, made to run in the realm and
// nowhere else.
func (r realm) run(params runtime.EvaluateParams) runtime.EvaluateParams {
	if params.UniqueContextID = r.unique; r.unique == "" {
		params.ContextID = r.id
	}
	return params
}
