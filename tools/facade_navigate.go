package tools

import (
	"context"

	"github.com/tabrelay/tabrelay/adapter"
)

var navigateTool = tool{
	name: "browser_navigate", kind: onJourney, sees: true, opens: true,
	destructive: true, openWorld: true, settles: true,
	doc: "Go to a page and through its history.",
	body: do(func(ctx context.Context, c *call, a *facadeNavigateArgs) (browserResponse, error) {
		if a.Action == "get_url" {
			c.settled = true
			return browserResponse{URL: c.page.URL(), Data: map[string]any{"title": c.session.entry(c.browser, c.tab).Title}}, nil
		}
		var n adapter.Navigation
		var err error
		word := ""
		switch a.Action {
		case "goto":
			word = "navigated"
			n, err = c.page.Navigate(ctx, a.URL, adapter.DOMContentLoaded)
		case "back":
			word = "navigated_back"
			n, err = c.page.Back(ctx, adapter.DOMContentLoaded)
		case "forward":
			word = "navigated_forward"
			n, err = c.page.Forward(ctx, adapter.DOMContentLoaded)
		case "refresh":
			word = "refreshed"
			n, err = c.page.Reload(ctx, adapter.DOMContentLoaded)
		}
		if err != nil {
			return browserResponse{}, err
		}
		v := status(word)
		if n.Download {
			v.put("status", "downloading")
			v.put("note", "the address is a download; the page stays as it was")
			return v, nil
		}
		if n.Loading {
			v.put("loading", true)
		}
		if n.Status != 0 {
			v.put("http_status", n.Status)
		}
		if a.WaitFor != "" {
			c.settled = true
			err = c.page.Wait(ctx, adapter.WaitOptions{Selector: a.WaitFor})
		} else {
			c.settle(ctx)
		}
		v.URL = c.page.URL()
		return v, err
	}),
}

type facadeNavigateArgs struct {
	Action  string  `json:"action" enum:"goto,back,forward,refresh,get_url"`
	URL     string  `json:"url,omitempty" doc:"for goto"`
	WaitFor string  `json:"wait_for,omitempty" doc:"selector"`
	Timeout float64 `json:"timeout,omitempty" doc:"seconds" default:"30" min:"0"`
	facadePage
}

func (a *facadeNavigateArgs) limit() int { return milliseconds(a.Timeout, 30) }

func (a *facadeNavigateArgs) check() error {
	if a.Action == "goto" && a.URL == "" {
		return missing("url", "goto")
	}
	return nil
}
