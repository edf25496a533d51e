package adapter

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// WaitOptions say what to wait for; all that is given must hold.
type WaitOptions struct {
	Text      string // is shown, in any frame, without regard to letter case
	TextGone  string // is shown in no frame
	Selector  string // matches an element that can be seen
	URL       string // the page's address: a part of it, a pattern with *, or /regexp/
	Predicate string // a JavaScript expression or function that comes to be truthy
	State     LoadState
	Time      time.Duration // just that long
}

// condition is one thing to wait for.
type condition struct {
	missing string // what to say when it does not come to hold
	// holds returns when the condition holds; the wait begins if it did not at once.
	holds func(ctx context.Context, w *patience) error
}

// Wait returns when all conditions hold. At the limit it fails with ErrTimeout,
// which names the one that does not; navigations on the way do not matter.
func (p *Page) Wait(ctx context.Context, o WaitOptions) error {
	ctx, l, cancel := limited(ctx, p.browser.opts.ActionTimeout+max(o.Time, 0))
	defer cancel()
	conditions, err := p.conditions(o)
	if err != nil {
		return err
	}
	missing := fmt.Sprintf("%s had not passed", o.Time)
	if len(conditions) > 0 {
		missing = conditions[0].missing
	}
	if _, err := p.attached(ctx); err != nil {
		return p.unmet(ctx, err, missing, l.whole)
	}
	ctx, stop, err := p.running(ctx)
	if err != nil {
		return p.unmet(ctx, err, missing, l.whole)
	}
	defer stop()
	w := &patience{page: p}
	if o.Time > 0 {
		w.begin(ctx)
		progress(ctx, 0, 0, "waiting "+o.Time.String())
		timer := time.NewTimer(o.Time)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return p.unmet(ctx, context.Cause(ctx), fmt.Sprintf("%s had not passed", o.Time), l.whole)
		case <-p.browser.conn.done:
			return p.browser.conn.err
		}
	}
	for told := false; ; told = true {
		w.waited = false
		for i, c := range conditions {
			if !told {
				progress(ctx, float64(i), float64(len(conditions)), "conditions met")
			}
			if err := c.holds(ctx, w); err != nil {
				return p.unmet(ctx, err, c.missing, l.whole)
			}
		}
		if !w.waited || len(conditions) == 1 {
			return nil
		}
	}
}

func (p *Page) unmet(ctx context.Context, err error, missing string, limit time.Duration) error {
	if err = p.reason(err); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	return advise(ErrTimeout, AdviceMoreTime, "%s within %s", missing, limit)
}

func (p *Page) conditions(o WaitOptions) ([]condition, error) {
	var list []condition
	if o.URL != "" {
		matches, err := urlTest(o.URL)
		if err != nil {
			return nil, err
		}
		list = append(list, condition{fmt.Sprintf("the address did not match %q", lines.Clip(o.URL, echoed)), func(ctx context.Context, w *patience) error {
			return p.awaited(ctx, w, func() bool { return matches(p.loading.url) })
		}})
	}
	if o.State != "" {
		if !o.State.known() {
			return nil, fail(ErrInvalid, "use commit, domcontentloaded, load or networkidle", "%q is not a load state", o.State)
		}
		list = append(list, condition{fmt.Sprintf("the page did not reach %s", o.State), func(ctx context.Context, w *patience) error {
			err := p.awaited(ctx, w, func() bool { return !p.loading.starting && p.loading.reached(o.State) })
			if err == nil && o.State == NetworkIdle {
				err = p.idle(ctx)
			}
			return err
		}})
	}
	if o.Selector != "" {
		list = append(list, condition{fmt.Sprintf("nothing visible matched %q", lines.Clip(o.Selector, echoed)), func(ctx context.Context, w *patience) error {
			if !strings.Contains(o.Selector, chain) {
				return p.shown(ctx, w, awaitsRequest{Selector: o.Selector})
			}
			e := Element{Selector: o.Selector}
			held, err := p.stands(ctx, e, ElementVisible)
			if held || err != nil && !contextGone(err) {
				return err
			}
			w.begin(ctx)
			return p.AwaitElement(ctx, e, ElementVisible)
		}})
	}
	if o.Text != "" {
		list = append(list, condition{fmt.Sprintf("the text %q did not appear", lines.Clip(o.Text, echoed)), func(ctx context.Context, w *patience) error {
			return p.shown(ctx, w, awaitsRequest{Text: o.Text})
		}})
	}
	if o.TextGone != "" {
		list = append(list, condition{fmt.Sprintf("the text %q did not disappear", lines.Clip(o.TextGone, echoed)), func(ctx context.Context, w *patience) error {
			return p.gone(ctx, w, awaitsRequest{TextGone: o.TextGone})
		}})
	}
	if o.Predicate != "" {
		list = append(list, condition{fmt.Sprintf("%s did not become true", lines.Clip(o.Predicate, echoed)), func(ctx context.Context, w *patience) error {
			return p.truthy(ctx, w, o.Predicate)
		}})
	}
	if len(list) == 0 && o.Time <= 0 {
		return nil, fail(ErrInvalid, "give text, textGone, selector, url, loadState, predicate or timeMs", "there is nothing to wait for")
	}
	return list, nil
}

// echoed is how many characters of what was given an error repeats.
const echoed = 80

// awaited is await that notes whether it had to wait.
func (p *Page) awaited(ctx context.Context, w *patience, ok func() bool) error {
	p.mu.Lock()
	held := ok()
	p.mu.Unlock()
	if held {
		return nil
	}
	w.begin(ctx)
	return p.await(ctx, ok)
}

// urlTest makes a test of addresses: a part, a pattern with * and ?, or a
// regular expression between slashes.
func urlTest(pattern string) (func(string) bool, error) {
	if len(pattern) > 2 && pattern[0] == '/' && pattern[len(pattern)-1] == '/' && strings.ContainsAny(pattern, `.*+?[](){}^$|\`) {
		re, err := regexp.Compile(pattern[1 : len(pattern)-1])
		if err != nil {
			return nil, fail(ErrInvalid, "", "url: %v", err)
		}
		return re.MatchString, nil
	}
	if strings.Contains(pattern, "*") {
		text := regexp.QuoteMeta(pattern)
		text = strings.NewReplacer(`\*\*`, ".*", `\*`, ".*").Replace(text)
		re := regexp.MustCompile("^" + text + "$")
		return re.MatchString, nil
	}
	return func(url string) bool { return strings.Contains(url, pattern) }, nil
}

// predicateLook is how long the page looks by itself before it is asked again,
// and lateness how long its answer may take beyond: the timers of a tab that was
// hidden for long run once a minute.
const (
	predicateLook = time.Second
	lateness      = 500 * time.Millisecond
)

// truthy returns when an expression in the page's own world is truthy. What
// throws is not true yet.
func (p *Page) truthy(ctx context.Context, w *patience, script string) error {
	body := "() => (" + strings.TrimRight(script, "; \t\r\n") + "\n)"
	if functional.MatchString(script) {
		body = strings.TrimRight(script, "; \t\r\n")
	}
	for first := true; ; first = false {
		wait := time.Duration(0)
		if !first {
			w.begin(ctx)
			wait = predicateLook
		}
		held, err := p.truth(ctx, body, wait)
		switch {
		case err == nil && held:
			return nil
		case err != nil && !contextGone(err):
			return err
		case err != nil:
			// The document goes: look in the next one.
			if err := p.await(ctx, func() bool { f := p.mainFrame(); return f.main.id != 0 && f.session != nil }); err != nil {
				return err
			}
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
	}
}

// truth looks whether a function is truthy, again whenever the document
// changes, for as long as wait.
func (p *Page) truth(ctx context.Context, body string, wait time.Duration) (bool, error) {
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	if s == nil {
		return false, advise(ErrConnectionLost, AdviceRetry, "the tab is not attached")
	}
	expression := fmt.Sprintf(`(async (until) => {
  const test = %s;
  for (;;) {
    try { if (await test()) return true; } catch {}
    const left = until - performance.now();
    if (left <= 0) return false;
    await new Promise((resolve) => {
      const observer = new MutationObserver(() => done());
      const timer = setTimeout(() => done(), Math.min(left, 50));
      const done = () => { observer.disconnect(); clearTimeout(timer); resolve(); };
      observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    });
  }
})(performance.now() + %d)`, body, wait.Milliseconds())
	limited, cancel := context.WithTimeout(ctx, wait+lateness)
	defer cancel()
	held, err := evaluate[bool](limited, s, runtime.EvaluateParams{Expression: expression, AwaitPromise: new(true), Silent: new(true)})
	if limited.Err() != nil && ctx.Err() == nil {
		return false, nil
	}
	return held, err
}
