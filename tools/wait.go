package tools

import (
	"context"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
)

var waiting = []tool{
	{
		name: "browser_wait", kind: onPatience, deed: evaluates,
		openWorld: true, repeatable: true,
		doc: "Wait until all given conditions are met.",
		body: do(func(ctx context.Context, c *call, a *waitArgs) (waited, error) {
			begin := time.Now()
			err := c.page.Wait(ctx, adapter.WaitOptions{
				Text: a.Text, TextGone: a.TextGone, Selector: a.Selector, URL: a.URL, Predicate: a.Predicate,
				State: adapter.LoadState(a.LoadState), Time: time.Duration(a.TimeMs) * time.Millisecond,
			})
			return waited{Ms: int(time.Since(begin).Milliseconds())}, err
		}),
	},
}

type waitArgs struct {
	Text      string `json:"text,omitempty"`
	TextGone  string `json:"textGone,omitempty" doc:"no longer shown"`
	Selector  string `json:"selector,omitempty"`
	URL       string `json:"url,omitempty" doc:"exact or part; * matches anything"`
	LoadState string `json:"loadState,omitempty" enum:"commit,domcontentloaded,load,networkidle"`
	Predicate string `json:"predicate,omitempty" doc:"JavaScript that becomes true"`
	TimeMs    int    `json:"timeMs,omitempty" min:"1"`
	showing
	onSlowPage
}

func (a *waitArgs) check() error {
	rest := *a
	rest.showing, rest.onSlowPage = showing{}, onSlowPage{}
	if rest == (waitArgs{}) {
		return invalid("nothing to wait for: give text, textGone, selector, url, loadState, predicate or timeMs")
	}
	if a.TimeoutMs > 0 && a.TimeMs >= a.TimeoutMs {
		return invalid("timeMs is not below timeoutMs: the wait could never succeed")
	}
	return nil
}

type waited struct {
	Ms int `json:"ms"`
}

func (v waited) text() string {
	return "done after " + (time.Duration(v.Ms) * time.Millisecond).String()
}
