package adapter

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// How long Settle waits, at the most, for what an action started.
const (
	navigationLimit = 10 * time.Second // for a document to arrive
	requestLimit    = 2 * time.Second  // for one request
	windowLimit     = 1 * time.Second  // for a window that was asked for
	trafficTotal    = 3 * time.Second  // for all requests together
	timerDelay      = 250              // ms; a longer timer is the page's own affair
	keyTimerDelay   = 400              // ms; after keys, for a page that waits until a word is written
	timerTotal      = 500              // ms; for timers that start timers
	timerTold       = 2000             // ms; of a timer that is told, not waited for
	settleRounds    = 8                // what was started may start more, so often
)

// breath is a promise that the page keeps after a few turns of its event loop.
// Timers would do, but in a hidden tab each takes a second.
const breath = `new Promise((resolve) => {
  const {port1, port2} = new MessageChannel();
  let turns = 3;
  port1.onmessage = () => {
    if (--turns) return port2.postMessage(0);
    port1.close();
    resolve();
  };
  port2.postMessage(0);
})`

// Watch sees what an action starts in a page, from its creation on.
type Watch struct {
	page    *Page
	begin   time.Time
	moves   int
	seq     int
	windows windows
	saving  int
	saved   int
	hook    func() (runtime.EvaluateResult, error)
	session *session
	loader  cdp.LoaderID
}

// Settled is the page when what an action started is over, or its bound is.
type Settled struct {
	// Navigated tells that the page came to another document, or to another
	// place within it.
	Navigated bool
	// URL is where the page is.
	URL string
	// Loading tells that a navigation had not arrived when the wait was over.
	Loading bool
	// Pending counts the requests that were still under way then, apart from those
	// to addresses that took as long before.
	Pending int
	// Timer and Animation are how long the timers that it started, and the
	// animations, still ran then; endless ones do not count.
	Timer, Animation time.Duration
}

// Later is how long to wait for what may still change the page by itself.
func (s Settled) Later() time.Duration { return max(s.Timer, s.Animation) }

// Watch begins to watch, before an action. The caller calls Settle after it.
// Nothing of it waits: timers that the action starts, and messages that it posts,
// are seen by wrappers that stand in the page until Settle.
func (p *Page) Watch(ctx context.Context) *Watch {
	saved := p.browser.downloadsBegun()
	p.mu.Lock()
	w := &Watch{
		page: p, begin: time.Now(), moves: p.loading.moves, seq: p.traffic.seq,
		windows: p.windows, saving: p.saving, saved: saved, session: p.session, loader: p.loading.loader,
	}
	blocked := p.hindrance() != nil
	p.mu.Unlock()
	if w.session != nil && !blocked {
		w.hook = start(ctx, w.session, runtime.Evaluate, runtime.EvaluateParams{Expression: timerHook, Silent: new(true)})
	}
	return w
}

// standing returns when the wrappers stand in the page: input that is sent right
// after goes another way through the browser than the script that makes them.
func (w *Watch) standing() *Watch {
	if w.hook != nil {
		res, err := w.hook()
		w.hook = func() (runtime.EvaluateResult, error) { return res, err }
	}
	return w
}

// Settle returns when nothing that the action started is pending any more, or
// its bound is over; at once when it started nothing.
func (w *Watch) Settle(ctx context.Context) Settled {
	p := w.page
	var left stillRunning
	if run, stop, err := p.running(ctx); err == nil {
		left = w.timers(run)
		for range settleRounds {
			if !w.wait(run) {
				break
			}
			// What came in is now handled by the page, which may start more.
			p.breathe(run)
		}
		p.mu.Lock()
		began := p.saving - w.saving
		p.mu.Unlock()
		if began > 0 {
			p.browser.heardOfDownload(run, w.saved+began-1)
		}
		stop()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	out := Settled{
		Navigated: p.loading.moves > w.moves, URL: p.loading.url, Loading: p.loading.starting,
		Timer: millis(left.Timer), Animation: millis(left.Animation),
	}
	for _, r := range p.traffic.pending {
		if r.seq > w.seq && !p.traffic.endless[r.to] {
			out.Pending++
			if time.Since(r.since) >= requestLimit || time.Since(w.begin) >= trafficTotal {
				p.traffic.takesLong(r)
			}
		}
	}
	return out
}

// stillRunning is what the wrappers leave behind, in ms.
type stillRunning struct {
	Timer     float64 `json:"timer"`
	Animation float64 `json:"animation"`
}

// timers waits for the short timers that the action started and the messages that
// it posted. It is also the barrier behind which every event of what the action
// did has come.
func (w *Watch) timers(ctx context.Context) (left stillRunning) { return w.pause(ctx, timerTotal) }

// pause is timers with another bound, in ms.
func (w *Watch) pause(ctx context.Context, limit int) (left stillRunning) {
	if w.hook == nil {
		w.page.breathe(ctx)
		return left
	}
	w.page.mu.Lock()
	elsewhere := w.page.loading.loader != w.loader
	w.page.mu.Unlock()
	if elsewhere {
		return left // and the wrapper went with its document
	}
	res, err := w.hook()
	if err != nil || res.Result == nil || res.Result.ObjectID == "" {
		return left // the document went away: nothing of it is pending
	}
	id := res.Result.ObjectID
	if said, err := call(ctx, w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID: id, FunctionDeclaration: fmt.Sprintf("function() { return this.wait(%d) }", limit),
		AwaitPromise: new(true), ReturnByValue: new(true), Silent: new(true),
	}); err == nil && said.Result != nil && said.ExceptionDetails == nil {
		_ = jsonv2.Unmarshal(said.Result.Value, &left, chromedp.DefaultUnmarshalOptions)
	}
	post(w.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{ObjectID: id, FunctionDeclaration: "function() { this.close() }", Silent: new(true)})
	post(w.session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: id})
	return left
}

// millis is a duration that a page said, which may say anything.
func millis(ms float64) time.Duration {
	return time.Duration(min(max(ms, 0), timerTold) * float64(time.Millisecond))
}

// breathe returns when the page has handled what has come in by now.
func (p *Page) breathe(ctx context.Context) {
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	if s == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	_, _ = call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: breath, AwaitPromise: new(true), ReturnByValue: new(true), Silent: new(true)})
}

// wait returns when nothing is needed any more, and whether anything was.
func (w *Watch) wait(ctx context.Context) (waited bool) {
	p := w.page
	for {
		p.mu.Lock()
		until, changed := w.needs(time.Now()), p.changed
		p.mu.Unlock()
		if until.IsZero() {
			return waited
		}
		waited = true
		timer := time.NewTimer(time.Until(until))
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-p.browser.conn.done:
			timer.Stop()
			return false
		}
		timer.Stop()
	}
}

// needs returns until when something is still to be waited for, or zero where
// nothing is; mu is held.
func (w *Watch) needs(now time.Time) (until time.Time) {
	p := w.page
	if p.hindrance() != nil || p.session == nil {
		return time.Time{}
	}
	need := func(t time.Time) {
		if t.After(now) && t.After(until) {
			until = t
		}
	}
	l := &p.loading
	if l.starting || (l.moves > w.moves && !l.dom) {
		need(w.begin.Add(navigationLimit))
	}
	if p.windows.awaited(w.windows) {
		need(w.begin.Add(windowLimit))
	}
	for _, r := range p.traffic.pending {
		if r.seq > w.seq && !p.traffic.endless[r.to] && r.since.Add(requestLimit).Before(w.begin.Add(trafficTotal+requestLimit)) {
			need(earlier(r.since.Add(requestLimit), w.begin.Add(trafficTotal)))
		}
	}
	return until
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
