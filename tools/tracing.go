package tools

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/adapter/trace"
)

var performance = []tool{
	{
		name: "browser_trace", kind: onPatience,
		openWorld: true,
		doc:       "Record a performance trace; stop summarizes it.",
		body: do(func(ctx context.Context, c *call, a *traceArgs) (traced, error) {
			if a.Action == "start" {
				return traced{}, c.page.StartTrace(ctx)
			}
			var text bytes.Buffer
			var to io.Writer
			if a.File != "" {
				if _, err := c.session.place(a.File); err != nil {
					return traced{}, err
				}
				to = &text
			}
			sum, err := c.page.StopTrace(ctx, to)
			if err != nil {
				return traced{}, err
			}
			v := tracedAs(sum)
			if a.File != "" {
				v.File, err = c.session.write(a.File, text.Bytes())
			}
			return v, err
		}),
	},
}

type traceArgs struct {
	Action string `json:"action" enum:"start,stop"`
	File   string `json:"file,omitempty" doc:"for stop"`
	onPage
}

func (a *traceArgs) check() error {
	if a.Action == "start" && a.File != "" {
		return invalid("file is for stop, when the trace is written")
	}
	return nil
}

// traced is the summary of a trace; times are in ms.
type traced struct {
	Stopped    bool            `json:"stopped,omitempty"`
	DurationMs int             `json:"durationMs,omitempty"`
	FCPMs      float64         `json:"fcpMs,omitempty"`
	LCPMs      float64         `json:"lcpMs,omitempty"`
	CLS        float64         `json:"cls"`
	LongTasks  int             `json:"longTasks"`
	BlockingMs float64         `json:"blockingMs"`
	Requests   int             `json:"requests"`
	Longest    []tracedTask    `json:"longest,omitempty"`
	Largest    []tracedRequest `json:"largest,omitempty"`
	Lost       bool            `json:"lost,omitempty"`
	File       string          `json:"file,omitempty"`
	Bytes      int             `json:"bytes,omitempty"`
}

type tracedTask struct {
	AtMs   float64 `json:"atMs"`
	TookMs float64 `json:"tookMs"`
}

type tracedRequest struct {
	URL    string  `json:"url"`
	Bytes  int64   `json:"bytes"`
	TookMs float64 `json:"tookMs"`
}

func millis(d time.Duration) float64 { return float64(d.Round(100*time.Microsecond)) / 1e6 }

func tracedAs(s trace.Summary) traced {
	v := traced{
		Stopped: true, DurationMs: int(s.Duration.Milliseconds()), FCPMs: millis(s.FCP), LCPMs: millis(s.LCP), CLS: s.CLS,
		LongTasks: s.Tasks, BlockingMs: millis(s.Blocking), Requests: s.Fetched, Lost: s.Lost, Bytes: s.Bytes,
	}
	for _, t := range s.LongTasks {
		v.Longest = append(v.Longest, tracedTask{millis(t.At), millis(t.Took)})
	}
	for _, r := range s.Requests {
		v.Largest = append(v.Largest, tracedRequest{bounded(r.URL, 200), r.Bytes, millis(r.Took)})
	}
	return v
}

func (v traced) files() []string { return written(v.File) }

func (v traced) text() string {
	if !v.Stopped {
		return "recording; do what you want to measure, then call stop"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "recorded %d ms", v.DurationMs)
	if v.File != "" {
		fmt.Fprintf(&b, ", written to %s (%d KB)", v.File, v.Bytes>>10)
	}
	paint := func(name string, ms float64) {
		if ms > 0 {
			fmt.Fprintf(&b, "\n%s: %v ms", name, ms)
		} else {
			fmt.Fprintf(&b, "\n%s: none (no page loaded while visible)", name)
		}
	}
	paint("FCP", v.FCPMs)
	paint("LCP", v.LCPMs)
	fmt.Fprintf(&b, "\nCLS: %.3f\nlong tasks: %d, total blocking time: %v ms", v.CLS, v.LongTasks, v.BlockingMs)
	for _, t := range v.Longest {
		fmt.Fprintf(&b, "\n- %v ms at %v ms", t.TookMs, t.AtMs)
	}
	fmt.Fprintf(&b, "\nrequests: %d", v.Requests)
	for _, r := range v.Largest {
		fmt.Fprintf(&b, "\n- %d bytes in %v ms: %s", r.Bytes, r.TookMs, r.URL)
	}
	if v.Lost {
		b.WriteString("\nthe buffer was full before the end: record for a shorter time")
	}
	return b.String()
}
