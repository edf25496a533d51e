package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// The steps that are measured, in the order of the table.
var steps = []string{
	"start", "memory", "tools/list", "navigate", "click in front", "click behind", "evaluate",
	"snapshot, small page", "snapshot, 1,000 rows", "snapshot, 5,000 rows", "ten steps", "recovery after the browser was killed",
}

// measured is what came of one step: times, or a number with a unit; or why not.
type measured struct {
	times []time.Duration // sorted
	text  string          // beside them, or alone
	fault string
}

// result is what came of one peer.
type result struct {
	peer
	steps map[string]measured
}

// uncounted is how many rounds come before those that are counted.
const uncounted = 3

func measurePeer(ctx context.Context, p peer, site string, rounds int) (r result, err error) {
	r = result{p, map[string]measured{}}
	mark := fmt.Sprintf("PEERS_RUN=%d-%d", os.Getpid(), time.Now().UnixNano())
	s, _, err := start(ctx, p, mark)
	if err != nil {
		return r, err
	}
	defer s.end()
	note := func(step string, m measured, err error) {
		if err != nil {
			m.fault = strings.Join(strings.Fields(err.Error()), " ")
			fmt.Fprintf(os.Stderr, "  %s: %.200s\n", step, m.fault)
		}
		slices.Sort(m.times)
		r.steps[step] = m
	}
	for _, a := range append(p.begin, p.navigate(site+"/")) {
		if _, err := s.call(ctx, a); err != nil {
			return r, err
		}
	}
	m, err := s.starts(ctx, rounds)
	note("start", m, err)
	m, err = s.list(ctx)
	note("tools/list", m, err)
	m, err = s.times(ctx, rounds, p.navigate(site+"/"))
	note("navigate", m, err)
	note("memory", measured{text: fmt.Sprintf("%.0f MB", float64(s.memory())/1e6)}, nil)
	for name, path := range map[string]string{"small page": "/", "1,000 rows": "/rows1000", "5,000 rows": "/rows5000"} {
		if _, err = s.call(ctx, p.navigate(site+path)); err == nil {
			m, err = s.times(ctx, rounds, p.snapshot)
			m.text = fmt.Sprintf("%.1f KB", float64(len(s.last))/1000)
		}
		note("snapshot, "+name, m, err)
	}
	m, err = s.clicks(ctx, rounds, site, false)
	note("click in front", m, err)
	m, err = s.times(ctx, rounds, p.evaluate("1 + 1"))
	note("evaluate", m, err)
	m, err = s.task(ctx, site)
	note("ten steps", m, err)
	m, err = s.clicks(ctx, rounds, site, true)
	note("click behind", m, err)
	m, err = s.recovery(ctx, site)
	note("recovery after the browser was killed", m, err)
	return r, nil
}

// starts starts the peer beside the one that runs, some times.
func (s *session) starts(ctx context.Context, rounds int) (m measured, err error) {
	for range max(3, rounds/3) {
		other, took, err := start(ctx, s.peer, s.mark+"-start")
		if err != nil {
			return m, err
		}
		_ = other.mcp.Close()
		m.times = append(m.times, took)
	}
	return m, nil
}

func (s *session) list(ctx context.Context) (m measured, err error) {
	list, err := s.mcp.ListTools(ctx, nil)
	if err != nil {
		return m, err
	}
	text, err := json.Marshal(list.Tools)
	m.text = fmt.Sprintf("%d tools, %.1f KB, %d tokens", len(list.Tools), float64(len(text))/1000, s.count(string(text)))
	return m, err
}

// times makes a call some times.
func (s *session) times(ctx context.Context, rounds int, a ask) (m measured, err error) {
	for i := range rounds + uncounted {
		took, err := s.call(ctx, a)
		if err != nil {
			return m, err
		}
		if i >= uncounted {
			m.times = append(m.times, took)
		}
	}
	return m, nil
}

// clicks clicks on a button that counts, in the page in front or with another in
// front of it. What it takes to get to the page behind counts as well; that the
// other is in front again before each round does not.
func (s *session) clicks(ctx context.Context, rounds int, site string, behind bool) (m measured, err error) {
	if _, err := s.call(ctx, s.navigate(site+"/")); err != nil {
		return m, err
	}
	ref, err := s.ref(ctx, "button", "Press")
	if err != nil {
		return m, err
	}
	for i := range rounds + uncounted {
		var sum time.Duration
		timed := func(a ask) error {
			took, err := s.call(ctx, a)
			sum += took
			return err
		}
		if !behind {
			err = timed(s.click(ref))
		} else {
			ref, err = s.clickBehind(ctx, site, ref, i == 0, timed)
		}
		if err != nil {
			return m, err
		}
		if i >= uncounted {
			m.times = append(m.times, sum)
		}
	}
	if len(s.first) > 0 || !behind {
		if _, err := s.call(ctx, s.evaluate("document.getElementById('n').textContent")); err != nil {
			return m, err
		}
		if want := fmt.Sprint(rounds + uncounted); !strings.Contains(s.last, want) {
			return m, fmt.Errorf("the page counted other than %s clicks: %s", want, s.last)
		}
	}
	return m, nil
}

// clickBehind clicks on the button of the first page with another in front, and
// returns its ref, which may be another now.
func (s *session) clickBehind(ctx context.Context, site, ref string, begins bool, timed func(ask) error) (string, error) {
	if begins || len(s.first) > 0 {
		if _, err := s.call(ctx, s.open(site+"/other")); err != nil {
			return "", err
		}
	}
	back := slices.Clone(s.first)
	if s.forgets {
		back = append(back, s.snapshot)
	}
	for _, a := range back {
		if err := timed(a); err != nil {
			return "", err
		}
	}
	if s.forgets {
		var err error
		if ref, err = s.ref(ctx, "button", "Press"); err != nil {
			return "", err
		}
	}
	return ref, timed(s.behind(ref))
}

// task is ten steps of an agent: a form, a choice, an order.
func (s *session) task(ctx context.Context, site string) (m measured, err error) {
	s.calls, s.tokens, s.last = 0, 0, ""
	begun := time.Now()
	if _, err := s.call(ctx, s.navigate(site+"/order")); err != nil {
		return m, err
	}
	for _, step := range []struct{ role, name, text string }{
		{"textbox", "Name", "Anna"}, {"textbox", "Street", "Long Road 1"}, {"textbox", "City", "Oslo"}, {"checkbox", "Send me news", ""}, {"button", "Next", ""},
		{"link", "Assam", ""}, {"checkbox", "Wrap as a gift", ""}, {"button", "Add", ""}, {"button", "Order", ""},
	} {
		ref, err := s.ref(ctx, step.role, step.name)
		if err != nil {
			return m, err
		}
		a := s.click(ref)
		if step.text != "" {
			a = s.fill(ref, step.text)
		}
		before := s.last
		if _, err := s.call(ctx, a); err != nil {
			return m, err
		}
		if !strings.Contains(s.last, `"Next"`) && step.role != "link" && step.name != "Next" && step.name != "Add" {
			s.last += before // the page is the same, and so are its refs
		}
	}
	if !strings.Contains(s.last, ordered) {
		if _, err := s.call(ctx, s.snapshot); err != nil {
			return m, err
		}
	}
	if !strings.Contains(s.last, ordered) {
		return m, fmt.Errorf("nothing was ordered: %.300s", s.last)
	}
	m.times = []time.Duration{time.Since(begun)}
	m.text = fmt.Sprintf("%d calls, %d tokens", s.calls, s.tokens)
	return m, nil
}

// recovery is how long after the browser's end the next page is open, by asking for
// it again and again, as an agent would.
func (s *session) recovery(ctx context.Context, site string) (m measured, err error) {
	if err := s.killBrowser(); err != nil {
		return m, err
	}
	begun := time.Now()
	for calls := 1; ; calls++ {
		if _, err = s.call(ctx, s.navigate(site+"/")); err == nil {
			m.times = []time.Duration{time.Since(begun)}
			m.text = fmt.Sprintf("%d calls", calls)
			return m, nil
		}
		if time.Since(begun) > callLimit || calls == 20 {
			return m, fmt.Errorf("not in %d calls: %w", calls, err)
		}
	}
}
