// Package trace sums up what a trace of Chrome says of how a page did.
package trace

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// Summary is what a trace says of how a page did. What was not seen is
// zero: a page that was loaded before the recording has no LCP in it.
type Summary struct {
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
	Requests  []Request // largest first
	Fetched   int       // of all requests
}

// LongTask is a task of the page's main thread of more than 50 ms.
type LongTask struct {
	At, Took time.Duration
}

// Request is a request in a trace.
type Request struct {
	URL   string
	Bytes int64 // as they came over the network
	Took  time.Duration
}

const (
	longTask = 50 * time.Millisecond
	most     = 5 // tasks and requests that are listed
)

// ErrNoEvents is the error of a trace with nothing in it.
var ErrNoEvents = errors.New("it has no events")

// Summarize reads a trace, as JSON that the browser's performance panel reads.
// Duration, Bytes and Lost are left to whoever recorded it.
func Summarize(text []byte) (Summary, error) {
	events, err := parse(text)
	if err != nil {
		return Summary{}, err
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.TS, b.TS) })
	r := reading{Summary: Summary{Events: len(events)}, mains: map[thread]bool{}, pages: map[int]bool{}, requests: map[string]*request{}}
	for _, e := range events {
		r.place(e)
	}
	for _, e := range events {
		r.take(e)
	}
	r.longest()
	return r.Summary, nil
}

// reading is a summary under way.
type reading struct {
	Summary
	begin     float64 // of the trace
	navigated float64 // when the last navigation of the page began
	mains     map[thread]bool
	pages     map[int]bool // the processes that draw the page
	requests  map[string]*request
}

// request is a request that may be under way.
type request struct {
	Request
	began float64
}

// place notes what an event says of where the others happened: when the trace
// began, which threads are a page's main ones, and which processes draw it.
func (r *reading) place(e event) {
	if e.TS > 0 && r.begin == 0 {
		r.begin = e.TS
	}
	switch e.Name {
	case "thread_name":
		if e.Args.Name == "CrRendererMain" {
			r.mains[e.thread] = true
		}
	case "TracingStartedInBrowser", "FrameCommittedInBrowser":
		var d struct {
			ProcessID int `json:"processId"`
			Frames    []struct {
				ProcessID int `json:"processId"`
			} `json:"frames"`
		}
		if json.Unmarshal(e.Args.Data, &d) == nil {
			r.pages[d.ProcessID] = true
			for _, f := range d.Frames {
				r.pages[f.ProcessID] = true
			}
		}
	}
}

// take adds what an event says.
func (r *reading) take(e event) {
	switch e.Name {
	case "RunTask":
		r.task(e)
	case "navigationStart", "firstContentfulPaint", "largestContentfulPaint::Candidate":
		r.paint(e, e.data())
	case "LayoutShift":
		if d := e.data(); !d.Recent {
			r.CLS += max(d.Score, 0)
			r.Shifts++
		}
	case "ResourceSendRequest":
		if d := e.data(); d.RequestID != "" && r.requests[d.RequestID] == nil {
			r.requests[d.RequestID] = &request{Request{URL: d.URL}, e.TS}
		}
	case "ResourceFinish":
		d := e.data()
		if q := r.requests[d.RequestID]; q != nil {
			q.Bytes, q.Took = int64(d.Encoded), micros(e.TS-q.began)
		}
	}
}

// paint notes when a navigation begins and what it paints.
func (r *reading) paint(e event, d data) {
	switch e.Name {
	case "navigationStart":
		if d.Outermost != nil && !*d.Outermost || d.Loader == "" || strings.HasPrefix(d.Loader, "about:") {
			return
		}
		r.navigated, r.FCP, r.LCP = e.TS, 0, 0
	case "firstContentfulPaint":
		if r.navigated > 0 && r.FCP == 0 {
			r.FCP = micros(e.TS - r.navigated)
		}
	default:
		if r.navigated > 0 && (d.MainFrame == nil || *d.MainFrame) {
			r.LCP = micros(e.TS - r.navigated)
		}
	}
}

// task notes a task that took long.
func (r *reading) task(e event) {
	took := micros(e.Dur)
	if e.Ph == "X" && took > longTask && r.mains[e.thread] && (len(r.pages) == 0 || r.pages[e.PID]) {
		r.LongTasks = append(r.LongTasks, LongTask{At: micros(e.TS - r.begin), Took: took})
		r.Blocking += took - longTask
	}
}

// longest keeps the tasks and requests that cost most, the costliest first.
func (r *reading) longest() {
	r.Tasks, r.Fetched = len(r.LongTasks), len(r.requests)
	slices.SortFunc(r.LongTasks, func(a, b LongTask) int { return cmp.Compare(b.Took, a.Took) })
	r.LongTasks = r.LongTasks[:min(len(r.LongTasks), most)]
	for _, q := range r.requests {
		r.Requests = append(r.Requests, q.Request)
	}
	slices.SortFunc(r.Requests, func(a, b Request) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.URL, b.URL))
	})
	r.Requests = r.Requests[:min(len(r.Requests), most)]
}
