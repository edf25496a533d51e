package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// number is a tab's id as this set tells it.
func (t *tab) number() int {
	n, _ := strconv.Atoi(strings.TrimPrefix(t.id, "t"))
	return n
}

// seenTab is a tab that can be worked in.
type seenTab struct {
	*tab
	page  *adapter.Page
	about dynamicTab
}

// tabs returns the open tabs that the session sees, but for crashed ones.
func (d *dynamic) tabs(b *adapter.Browser) []seenTab {
	s := d.session
	var list []seenTab
	for _, e := range s.pages(b) {
		s.mu.Lock()
		t := s.tabs[slices.IndexFunc(s.tabs, func(t *tab) bool { return t.id == e.ID })]
		s.mu.Unlock()
		if p, err := b.Page(t.target); err == nil && !p.Crashed() {
			list = append(list, seenTab{t, p, dynamicTab{ID: t.number(), Title: lines.Short(e.Title, titleLength), URL: lines.Short(e.URL, addressLength)}})
		}
	}
	return list
}

// tab describes a tab.
func (d *dynamic) tab(b *adapter.Browser, t *tab) dynamicTab {
	for _, o := range d.tabs(b) {
		if o.tab == t {
			return o.about
		}
	}
	return dynamicTab{ID: t.number()}
}

// find returns the tab with a number, which is the session's from now on.
func (d *dynamic) find(b *adapter.Browser, id float64) (*tab, *adapter.Page, error) {
	open := d.tabs(b)
	if i := slices.IndexFunc(open, func(o seenTab) bool { return float64(o.about.ID) == id }); i >= 0 {
		return d.session.resolve(b, open[i].id)
	}
	e := &Error{Kind: adapter.ErrPageNotFound, Text: fmt.Sprintf("there is no tab %v", id), Hint: "open_tab opens one"}
	if len(open) > 0 {
		ids := make([]string, len(open))
		for i, o := range open {
			ids[i] = strconv.Itoa(o.about.ID)
		}
		e.Hint = "open tabs: " + strings.Join(ids, ", ") + " (list_tabs)"
	}
	return nil, nil, e
}

// focusedID is the number of the focused tab, or 0.
func (d *dynamic) focusedID() float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.focused == nil {
		return 0
	}
	return float64(d.focused.number())
}

// describe lists the tabs. Those that are attached are looked at for the number
// of their tools; of the others the last number is told, because looking would
// put the debugger on them.
func (d *dynamic) describe(ctx context.Context, b *adapter.Browser) dynamicTabs {
	ctx, cancel := context.WithTimeout(ctx, countLimit)
	defer cancel()
	open := d.tabs(b)
	d.mu.Lock()
	focused := d.focused
	d.mu.Unlock()
	var all sync.WaitGroup
	for _, o := range open {
		switch {
		case o.tab == focused:
			all.Go(func() { d.update(ctx, true) })
		case o.page.Attached():
			all.Go(func() {
				if list, err := d.inspect(ctx, o.tab, o.page); err == nil {
					d.count(o.tab, list)
				}
			})
		}
	}
	all.Wait()
	v := dynamicTabs{Tabs: []dynamicListed{}}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range open {
		e := dynamicListed{dynamicTab: o.about, Focused: o.tab == d.focused}
		if n, ok := d.counts[o.tab]; ok {
			e.ToolCount = &n
		}
		if e.Focused {
			v.Focused = &e.ID
		}
		v.Tabs = append(v.Tabs, e)
	}
	return v
}

func (d *dynamic) count(t *tab, list []tool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[t] = len(list)
}
