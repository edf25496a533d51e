package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/history"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

const (
	// showPace is how long what is new is gathered before panels are shown it.
	showPace = 100 * time.Millisecond
	// shownEntries is how much of the history a panel that opens is shown.
	shownEntries = 200
)

// audience are the persons who look at the panel of their browser: what they see
// of the agents, and what they ask for there.
type audience struct {
	// Static after construction.
	daemon *service
	woken  chan struct{} // has a token when there is something to look at

	watched atomic.Bool // somebody watches

	// mu guards the following; it is the last that is taken.
	mu       sync.Mutex
	watching map[string]bool     // by install id: whether the panel is still empty
	paused   map[string][]string // by install id: names of agents
	stops    []string            // install ids of those whose agents were just paused all
	ends     []relay.Address     // of each the ID and the browser: those to end
	clear    bool                // the history
}

func newAudience(d *service) *audience {
	return &audience{daemon: d, woken: make(chan struct{}, 1), watching: map[string]bool{}, paused: map[string][]string{}}
}

// wish takes what a person asks for; it is carried out by run.
func (a *audience) wish(install string, w relay.Wish) {
	a.mu.Lock()
	switch {
	case w.Watching != nil && *w.Watching:
		a.watching[install] = true
	case w.Watching != nil:
		delete(a.watching, install)
	case w.Paused != nil:
		if a.paused[install] = w.Paused.Who; w.Paused.All {
			a.stops = append(a.stops, install)
		}
	case w.Clear:
		a.clear = true
	case w.End != "":
		a.ends = append(a.ends, relay.Address{ID: w.End, Browser: install})
	}
	a.watched.Store(len(a.watching) > 0)
	a.mu.Unlock()
	a.wake()
}

func (a *audience) wake() {
	select {
	case a.woken <- struct{}{}:
	default:
	}
}

// doing is what an agent does now.
type doing struct {
	Did   string    `json:"did"`
	Site  string    `json:"site,omitempty"`
	Since time.Time `json:"since"`
}

// sees returns what notes that an agent's call begins. It costs the call next to
// nothing.
func (a *audience) sees(p *presence) func(tools.Use) {
	return func(u tools.Use) {
		p.doing.Store(&doing{Did: u.Tool, Site: u.Site, Since: time.Now()})
		if a.watched.Load() {
			a.wake()
		}
	}
}

// ended notes that an agent's call has ended.
func (a *audience) ended(p *presence, u tools.Use) {
	if now := p.doing.Load(); now != nil && now.Did == u.Tool {
		p.doing.CompareAndSwap(now, nil)
	}
	if a.watched.Load() {
		a.wake()
	}
}

// pauses reports whether a person paused an agent in a browser that is there, or may
// come back.
func (a *audience) pauses(name string) bool {
	a.mu.Lock()
	var by []string
	for install, names := range a.paused {
		if slices.Contains(names, name) {
			by = append(by, install)
		}
	}
	a.mu.Unlock()
	return len(by) > 0 && slices.ContainsFunc(a.daemon.host.relay.Browsers(), func(b relay.Browser) bool { return slices.Contains(by, b.InstallID) })
}

// run carries out what persons ask for, and shows them what they watch, until ctx
// ends.
func (a *audience) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.woken:
		}
		a.obey()
		if a.watched.Load() {
			a.show(ctx)
		}
	}
}

// obey ends addresses, pauses agents, lets others go on, and clears the history.
func (a *audience) obey() {
	d := a.daemon
	a.mu.Lock()
	emptied, stops, ends := a.clear, a.stops, a.ends
	a.clear, a.stops, a.ends = false, nil, nil
	if emptied {
		for install := range a.watching {
			a.watching[install] = true
		}
	}
	a.mu.Unlock()
	for _, e := range ends {
		// Those of other browsers are not theirs to end.
		if slices.ContainsFunc(d.host.relay.Addresses(), func(r relay.Address) bool { return r.ID == e.ID && r.Browser == e.Browser }) {
			d.host.relay.Revoke(e.ID)
		}
	}
	if emptied {
		if err := d.history.Clear(); err != nil {
			d.log.Warn("the history cannot be cleared", "why", err)
		}
	}
	d.mu.Lock()
	names := map[*presence]string{}
	for p := range d.agents {
		names[p] = p.name
	}
	d.mu.Unlock()
	here := map[string]bool{}
	for _, b := range d.host.relay.Browsers() {
		if slices.Contains(stops, b.InstallID) {
			here[d.host.nameOf(b)] = true
		}
	}
	for p, name := range names {
		// Where all are paused the browser refuses what comes; what waits without asking it is ended here.
		p.session.Pause(a.pauses(name) || here[p.session.Holding().Browser])
		p.session.Pause(a.pauses(name))
	}
}

// show shows what is new, until nobody watches.
func (a *audience) show(ctx context.Context) {
	d := a.daemon
	written, stop := d.history.Follow()
	defer stop()
	var entries []json.RawMessage
	shown := map[string][]byte{}
	pace := time.NewTicker(showPace) // while somebody looks
	defer pace.Stop()
	for a.watched.Load() && ctx.Err() == nil {
		d.mu.Lock()
		changed := d.changed
		d.mu.Unlock()
		a.send(entries, shown)
		entries = nil
		select {
		case <-changed:
		case <-a.woken:
			a.obey()
		case line, ok := <-written:
			if !ok {
				return // the service leaves
			}
			entries = append(entries, bytes.TrimSpace(line))
		case <-ctx.Done():
			return
		}
		for waits := true; waits; {
			select {
			case <-pace.C:
				waits = false
			case <-a.woken:
				a.obey()
			}
		}
		for more := true; more; {
			select {
			case line, ok := <-written:
				if more = ok; ok {
					entries = append(entries, bytes.TrimSpace(line))
				}
			default:
				more = false
			}
		}
	}
}

// actor is an agent or a client as a person sees it.
type actor struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind"` // as in the history
	Color  string   `json:"color,omitempty"`
	Tabs   []string `json:"tabs"` // target ids
	Doing  *doing   `json:"doing,omitempty"`
	Paused bool     `json:"paused,omitempty"`
}

// scene is what a panel is shown: who is there, and what they did since the last.
type scene struct {
	Fresh  bool    `json:"fresh,omitempty"` // forget what was shown before
	Called string  `json:"called"`          // the browser, by agents
	Actors []actor `json:"actors"`
	// Addresses are those of CDP clients that lead there, without their secrets.
	Addresses []daemon.Address  `json:"addresses"`
	Entries   []json.RawMessage `json:"entries"`
}

// send shows each panel what is new there.
func (a *audience) send(entries []json.RawMessage, shown map[string][]byte) {
	a.mu.Lock()
	watching := maps.Clone(a.watching)
	for install := range a.watching {
		a.watching[install] = false
	}
	a.mu.Unlock()
	called := map[string]string{}
	for _, b := range a.daemon.host.relay.Browsers() {
		called[b.InstallID] = a.daemon.host.nameOf(b)
	}
	for install, fresh := range watching {
		s := scene{Fresh: fresh, Called: called[install], Actors: a.actors(install), Addresses: a.addresses(install), Entries: entries}
		if fresh {
			s.Entries, _ = history.Last(state.Folder(), shownEntries) // what cannot be read is not shown
		}
		now, err := json.Marshal([]any{s.Actors, s.Addresses})
		if err != nil || !fresh && len(s.Entries) == 0 && bytes.Equal(now, shown[install]) {
			continue
		}
		shown[install] = now
		if s.Entries == nil {
			s.Entries = []json.RawMessage{}
		}
		a.daemon.host.relay.Show(install, s)
	}
}

// actors lists who is there for a browser: agents but for those that work in another
// alone, and its clients.
func (a *audience) actors(install string) []actor {
	d := a.daemon
	d.mu.Lock()
	agents := slices.SortedFunc(maps.Keys(d.agents), func(p, q *presence) int { return cmp.Compare(p.order, q.order) })
	names := make([]string, len(agents))
	for i, p := range agents {
		names[i] = p.name
	}
	d.mu.Unlock()
	in := map[string]string{} // target ids to the browsers that have them
	for _, b := range d.host.relay.Browsers() {
		for _, t := range d.host.relay.Tabs(b.InstallID) {
			in[t.ID] = b.InstallID
		}
	}
	list := []actor{}
	for i, p := range agents {
		if names[i] == "" {
			continue // it has not said who it is
		}
		one := actor{Name: names[i], Kind: history.Agent, Color: colorOf(names[i]), Tabs: []string{}, Doing: p.doing.Load(), Paused: p.session.Paused()}
		elsewhere := false
		for _, page := range p.session.Holding().Pages {
			switch in[page.Target] {
			case install:
				one.Tabs = append(one.Tabs, page.Target)
			case "": // the person took it back, or over
			default:
				elsewhere = true
			}
		}
		if len(one.Tabs) > 0 || !elsewhere {
			list = append(list, one)
		}
	}
	for _, c := range d.host.relay.Clients(install) {
		list = append(list, actor{Name: c.Name, Kind: history.Client, Tabs: append([]string{}, c.Tabs...), Paused: c.Paused})
	}
	return list
}

// addresses lists those of CDP clients that lead to a browser.
func (a *audience) addresses(install string) []daemon.Address {
	list := []daemon.Address{}
	for _, one := range a.daemon.host.relay.Addresses() {
		if one.Browser == install {
			list = append(list, a.daemon.host.told(one))
		}
	}
	return list
}
