package adapter

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// TraceSummary is what a trace says of how a page did. What was not seen is
// zero: a page that was loaded before the recording has no LCP in it.
type TraceSummary struct {
	Duration time.Duration
	Events   int
	Bytes    int  // of the whole trace
	Lost     bool // the buffer was full before the end

	FCP, LCP  time.Duration // after the navigation
	CLS       float64       // the sum of layout shifts that nobody caused
	Shifts    int
	LongTasks []LongTask // longest first
	Tasks     int        // of the long ones, also those that are not listed
	Blocking  time.Duration
	Requests  []TracedRequest // largest first
	Fetched   int             // of all requests
}

// LongTask is a task of the page's main thread of more than 50 ms.
type LongTask struct {
	At, Took time.Duration
}

// TracedRequest is a request in a trace.
type TracedRequest struct {
	URL   string
	Bytes int64 // as they came over the network
	Took  time.Duration
}

const (
	longTask   = 50 * time.Millisecond
	tracedMost = 5 // tasks and requests that are listed
)

// traceEvent is an event of a trace; times are in µs.
type traceEvent struct {
	Name string  `json:"name"`
	Cat  string  `json:"cat"`
	Ph   string  `json:"ph"`
	PID  int     `json:"pid"`
	TID  int     `json:"tid"`
	TS   float64 `json:"ts"`
	Dur  float64 `json:"dur"`
	Args struct {
		Name string          `json:"name"`
		Data json.RawMessage `json:"data"`
	} `json:"args"`
}

func micros(us float64) time.Duration { return time.Duration(us * float64(time.Microsecond)) }

// summarize reads a trace.
func summarize(text []byte) (TraceSummary, error) {
	events, err := traceEvents(text)
	if err != nil {
		return TraceSummary{}, err
	}
	slices.SortStableFunc(events, func(a, b traceEvent) int {
		switch {
		case a.TS < b.TS:
			return -1
		case a.TS > b.TS:
			return 1
		}
		return 0
	})
	out := TraceSummary{Events: len(events)}
	begin, mains, pages := traced(events)
	navigated := 0.0
	requests := map[string]*TracedRequest{}
	began := map[string]float64{}
	for _, e := range events {
		var d struct {
			RequestID string  `json:"requestId"`
			URL       string  `json:"url"`
			Encoded   float64 `json:"encodedDataLength"`
			Score     float64 `json:"weighted_score_delta"`
			Plain     float64 `json:"score"`
			Recent    bool    `json:"had_recent_input"`
			MainFrame *bool   `json:"isMainFrame"`
			Outermost *bool   `json:"isOutermostMainFrame"`
			Loader    string  `json:"documentLoaderURL"`
		}
		switch e.Name {
		case "navigationStart", "largestContentfulPaint::Candidate", "firstContentfulPaint", "LayoutShift", "ResourceSendRequest", "ResourceFinish":
			_ = json.Unmarshal(e.Args.Data, &d) // without, it is as if empty
		}
		switch e.Name {
		case "navigationStart":
			if d.Outermost != nil && !*d.Outermost || d.Loader == "" || strings.HasPrefix(d.Loader, "about:") {
				continue
			}
			navigated, out.FCP, out.LCP = e.TS, 0, 0
		case "firstContentfulPaint":
			if navigated > 0 && out.FCP == 0 {
				out.FCP = micros(e.TS - navigated)
			}
		case "largestContentfulPaint::Candidate":
			if navigated > 0 && (d.MainFrame == nil || *d.MainFrame) {
				out.LCP = micros(e.TS - navigated)
			}
		case "LayoutShift":
			if !d.Recent {
				out.CLS += max(d.Score, 0)
				out.Shifts++
			}
		case "RunTask", "ThreadControllerImpl::RunTask":
			took := micros(e.Dur)
			if e.Ph == "X" && took > longTask && mains[[2]int{e.PID, e.TID}] && (len(pages) == 0 || pages[e.PID]) {
				if e.Name == "ThreadControllerImpl::RunTask" {
					continue // the same once more
				}
				out.LongTasks = append(out.LongTasks, LongTask{At: micros(e.TS - begin), Took: took})
				out.Blocking += took - longTask
			}
		case "ResourceSendRequest":
			if d.RequestID != "" && requests[d.RequestID] == nil {
				requests[d.RequestID] = &TracedRequest{URL: d.URL}
				began[d.RequestID] = e.TS
			}
		case "ResourceFinish":
			if r := requests[d.RequestID]; r != nil {
				r.Bytes, r.Took = int64(d.Encoded), micros(e.TS-began[d.RequestID])
			}
		}
	}
	out.longest(requests)
	return out, nil
}

// traced finds where a trace begins, the main threads of pages, and the processes
// that draw the page.
func traced(events []traceEvent) (begin float64, mains map[[2]int]bool, pages map[int]bool) {
	mains, pages = map[[2]int]bool{}, map[int]bool{}
	for _, e := range events {
		if e.TS > 0 && begin == 0 {
			begin = e.TS
		}
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			mains[[2]int{e.PID, e.TID}] = true
		}
		if e.Name != "TracingStartedInBrowser" && e.Name != "FrameCommittedInBrowser" {
			continue
		}
		var d struct {
			ProcessID int `json:"processId"`
			Frames    []struct {
				ProcessID int `json:"processId"`
			} `json:"frames"`
		}
		if json.Unmarshal(e.Args.Data, &d) == nil {
			pages[d.ProcessID] = true
			for _, f := range d.Frames {
				pages[f.ProcessID] = true
			}
		}
	}
	return begin, mains, pages
}

// longest keeps the tasks and requests that cost most, the costliest first.
func (out *TraceSummary) longest(requests map[string]*TracedRequest) {
	out.Tasks, out.Fetched = len(out.LongTasks), len(requests)
	slices.SortFunc(out.LongTasks, func(a, b LongTask) int { return int(b.Took - a.Took) })
	out.LongTasks = out.LongTasks[:min(len(out.LongTasks), tracedMost)]
	for _, r := range requests {
		out.Requests = append(out.Requests, *r)
	}
	slices.SortFunc(out.Requests, func(a, b TracedRequest) int {
		if a.Bytes != b.Bytes {
			return int(b.Bytes - a.Bytes)
		}
		return strings.Compare(a.URL, b.URL)
	})
	out.Requests = out.Requests[:min(len(out.Requests), tracedMost)]
}
