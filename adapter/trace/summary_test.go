package trace

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

const ms = time.Millisecond

// recorded is a trace of a page in process 7, and of another in process 8.
const recorded = `[
{"name":"thread_name","pid":7,"tid":1,"args":{"name":"CrRendererMain"}},
{"name":"thread_name","pid":8,"tid":1,"args":{"name":"CrRendererMain"}},
{"name":"TracingStartedInBrowser","pid":1,"tid":1,"ts":1000,"args":{"data":{"frames":[{"processId":7}]}}},
{"name":"firstContentfulPaint","pid":7,"tid":1,"ts":2000,"args":{"data":{}}},
{"name":"navigationStart","pid":7,"tid":1,"ts":10000,"args":{"data":{"documentLoaderURL":"https://a.test/","isOutermostMainFrame":true}}},
{"name":"navigationStart","pid":7,"tid":1,"ts":10500,"args":{"data":{"documentLoaderURL":"https://frame.test/","isOutermostMainFrame":false}}},
{"name":"ResourceSendRequest","pid":7,"tid":1,"ts":11000,"args":{"data":{"requestId":"1","url":"https://a.test/"}}},
{"name":"ResourceSendRequest","pid":7,"tid":1,"ts":11500,"args":{"data":{"requestId":"2","url":"https://a.test/big.js"}}},
{"name":"ResourceFinish","pid":7,"tid":1,"ts":12500,"args":{"data":{"requestId":"2","encodedDataLength":900}}},
{"name":"ResourceFinish","pid":7,"tid":1,"ts":12000,"args":{"data":{"requestId":"1","encodedDataLength":100}}},
{"name":"firstContentfulPaint","pid":7,"tid":1,"ts":20000,"args":{"data":{}}},
{"name":"largestContentfulPaint::Candidate","pid":7,"tid":1,"ts":21000,"args":{"data":{"isMainFrame":true}}},
{"name":"largestContentfulPaint::Candidate","pid":7,"tid":1,"ts":40000,"args":{"data":{"isMainFrame":true}}},
{"name":"largestContentfulPaint::Candidate","pid":7,"tid":1,"ts":50000,"args":{"data":{"isMainFrame":false}}},
{"name":"LayoutShift","pid":7,"tid":1,"ts":41000,"args":{"data":{"weighted_score_delta":0.25}}},
{"name":"LayoutShift","pid":7,"tid":1,"ts":42000,"args":{"data":{"weighted_score_delta":0.5,"had_recent_input":true}}},
{"name":"ThreadControllerImpl::RunTask","ph":"X","pid":7,"tid":1,"ts":61000,"dur":70000},
{"name":"RunTask","ph":"X","pid":7,"tid":1,"ts":61000,"dur":70000},
{"name":"RunTask","ph":"X","pid":7,"tid":1,"ts":161000,"dur":150000},
{"name":"RunTask","ph":"X","pid":7,"tid":1,"ts":361000,"dur":40000},
{"name":"RunTask","ph":"X","pid":7,"tid":2,"ts":361000,"dur":400000},
{"name":"RunTask","ph":"X","pid":8,"tid":1,"ts":361000,"dur":400000}
]`

func TestSummarize(t *testing.T) {
	want := Summary{
		Events: 22, FCP: 10 * ms, LCP: 30 * ms, CLS: 0.25, Shifts: 1,
		LongTasks: []LongTask{{160 * ms, 150 * ms}, {60 * ms, 70 * ms}}, Tasks: 2, Blocking: 120 * ms,
		Requests: []Request{{"https://a.test/big.js", 900, ms}, {"https://a.test/", 100, ms}}, Fetched: 2,
	}
	for _, text := range []string{recorded, `{"traceEvents":` + recorded + `}`} {
		got, err := Summarize([]byte(text))
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v\n got %v\nwant %v", err, got, want)
		}
	}
}

func TestSummarizeNothing(t *testing.T) {
	for _, text := range []string{"[]", "{}"} {
		if _, err := Summarize([]byte(text)); !errors.Is(err, ErrNoEvents) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Summarize([]byte("no trace")); err == nil {
		t.Error("a text is a trace")
	}
}
