package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

var downloads = []tool{
	{
		name: "browser_downloads", kind: onPatience,
		readOnly: true, duringDialog: true, repeatable: true,
		doc: "List downloads, or wait for one to end.",
		body: do(func(ctx context.Context, c *call, a *downloadsArgs) (fetched, error) {
			if err := c.connect(ctx); err != nil {
				return fetched{}, err
			}
			b := c.browser
			if a.Action != "wait" {
				return c.session.fetched(b, a.Name), nil
			}
			d, err := b.AwaitDownload(ctx, a.Name, c.session.awaited())
			if err != nil {
				return fetched{}, err
			}
			c.session.waitedFor(d)
			return fetched{Downloads: []download{downloadOf(d)}}, nil
		}),
	},
}

type downloadsArgs struct {
	Action    string `json:"action,omitempty" enum:"list,wait" default:"list"`
	Name      string `json:"name,omitempty" doc:"part of the file's name"`
	TimeoutMs int    `json:"timeoutMs,omitempty" min:"1"`
}

func (a *downloadsArgs) limit() int { return a.TimeoutMs }

type fetched struct {
	Downloads []download `json:"downloads"`
}

func (v fetched) text() string {
	if len(v.Downloads) == 0 {
		return "no downloads"
	}
	list := make([]string, len(v.Downloads))
	for i, d := range v.Downloads {
		where := ""
		if d.Path != "" {
			where = " → " + oneLine(d.Path)
		}
		list[i] = fmt.Sprintf("%s%s (%s, %s)", lines.Short(d.Name, titleLength), where, d.State, size(d.Bytes))
	}
	return strings.Join(list, "\n")
}

func downloadOf(d adapter.Download) download {
	return download{Name: d.Name, Path: d.Path, URL: d.URL, State: stateOf(d.State), Bytes: d.Bytes}
}

// fetched lists the downloads of a connection.
func (s *Session) fetched(b *adapter.Browser, name string) fetched {
	v := fetched{Downloads: []download{}}
	list, _ := b.Downloads(0)
	for _, d := range list {
		if strings.Contains(strings.ToLower(d.Name), strings.ToLower(name)) {
			v.Downloads = append(v.Downloads, downloadOf(d))
		}
	}
	return v
}

// awaited returns which download of the connection was waited for last: a further
// wait is for another one.
func (s *Session) awaited() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waited
}

func (s *Session) waitedFor(d adapter.Download) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waited = d.Seq
}
