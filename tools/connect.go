package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

var connecting = []tool{
	{
		name: "browser_connect", kind: onSession, sees: true,
		duringDialog: true, repeatable: true,
		doc: "Connect to a browser: one with the extension, or a new managed one.",
		body: do(func(ctx context.Context, c *call, a *connectArgs) (connected, error) {
			b, err := c.session.connect(ctx, Want{Browser: a.Browser, Headless: a.Headless, Profile: a.Profile}, false)
			if err != nil {
				return connected{}, err
			}
			c.browser = b
			return c.session.connected(b), nil
		}),
	},
	{
		name: "browser_disconnect", kind: onSession, sees: true,
		duringDialog: true,
		doc:          "Disconnect; tabs stay open.",
		body: do(func(_ context.Context, c *call, _ *struct{}) (disconnected, error) {
			name, err := c.session.disconnect()
			return disconnected{Browser: name}, err
		}),
	},
}

type connectArgs struct {
	Browser  string `json:"browser,omitempty" doc:"chrome, brave, edge, chromium, or the name of a connected one; default: any"`
	Headless *bool  `json:"headless,omitempty" doc:"for a managed browser"`
	Profile  string `json:"profile,omitempty" doc:"of a managed browser"`
	timed
}

// connected says which browser it is and what is open in it.
type connected struct {
	Browser string      `json:"browser"`
	How     string      `json:"how,omitempty"`
	Pages   []pageEntry `json:"pages"`
}

func (v connected) text() string { return v.browser() + "\n" + pageList(v.Pages) }

// browser says which browser it is.
func (v connected) browser() string {
	s := "connected to " + v.Browser
	if v.How != "" {
		s += "\n" + v.How
	}
	return s
}

type disconnected struct {
	Browser string `json:"browser"`
}

func (v disconnected) text() string { return "disconnected from " + v.Browser }

// mostPages is how many pages an answer lists.
const mostPages = 100

func pageList(pages []pageEntry) string {
	if len(pages) == 0 {
		return "no page is open: browser_tab_open opens one"
	}
	var b strings.Builder
	b.WriteString("pages:")
	for i, p := range pages {
		if i == mostPages {
			fmt.Fprintf(&b, "\n… %d more", len(pages)-i)
			break
		}
		p.URL = lines.Clip(p.URL, 300)
		b.WriteString("\n- " + p.line())
	}
	return b.String()
}
