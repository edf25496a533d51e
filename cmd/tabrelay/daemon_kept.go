package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

const (
	// keptLimit is how long a kept session goes on that nobody calls.
	keptLimit = 30 * time.Minute
	// turnLimit is how long a call waits for the one before it in its session; it is
	// less than who calls waits for a welcome.
	turnLimit = daemon.QuietLimit - 2*time.Second
)

// kept is an agent whose session goes on between its connections, as a shell's
// does. It does not hold the daemon.
type kept struct {
	// Static after construction.
	turn chan struct{} // holds one value while a connection is served

	// The daemon's mu guards the following.
	agent *agent // the first, or the one of the last connection; nil before there is one
	timer *time.Timer
}

// serveKept serves a connection of a kept session, one at a time.
func (d *service) serveKept(conn net.Conn, r *bufio.Reader, q daemon.Ask) {
	k := d.keep(q)
	refuse := func(why error) {
		_ = daemon.WriteLine(conn, daemon.Control{Tabrelay: daemon.SayRefused, Protocol: daemon.WireProtocol, Version: d.contact.Version, Reason: why.Error()})
	}
	limit := time.NewTimer(turnLimit)
	defer limit.Stop()
	select {
	case k.turn <- struct{}{}:
	case <-d.ctx.Done():
		return
	case <-limit.C:
		refuse(fmt.Errorf("session %q is busy with another call: wait for that, or choose another --session", q.Session))
		return
	}
	defer func() { <-k.turn }()
	a, err := d.wake(k, conn, r, q)
	switch {
	case errors.Is(err, daemon.ErrNone):
		return // it leaves
	case err != nil:
		refuse(err)
		return
	}
	end := q.End || q.EndNew && a.session.Unused()
	a.talk()
	d.lay(k, end)
	close(a.ended)
}

// keep returns the kept session of a name and a set of tools, new or known. One
// that has ended stays there, as a place for the next.
func (d *service) keep(q daemon.Ask) *kept {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := q.Session + " " + cmp.Or(q.Agent.Tools, tools.Profiles()[0])
	k := d.kept[name]
	if k == nil {
		k = &kept{turn: make(chan struct{}, 1)}
		d.kept[name] = k
	}
	return k
}

// wake makes a connection that of a kept session, whose turn it is.
func (d *service) wake(k *kept, conn net.Conn, r *bufio.Reader, q daemon.Ask) (*agent, error) {
	d.mu.Lock()
	before := k.agent
	d.mu.Unlock()
	if before == nil {
		a := newAgent(d, conn, r, q)
		if !d.enter(a.presence) {
			return nil, daemon.ErrNone
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		k.agent = a
		return a, nil
	}
	key := otherSetting(before.flags, q.Agent)
	if key != "" && !before.session.Unused() {
		end := "tabrelay call --end --session " + q.Session
		if q.Agent.Tools != "" {
			end += " --tools " + q.Agent.Tools
		}
		return nil, fmt.Errorf("session %q began with another setting of %s: end it with `%s`, or choose another --session", q.Session, key, end)
	}
	if !d.rouse(k) {
		return nil, daemon.ErrNone
	}
	if key != "" { // nothing is lost if it begins anew
		d.drop(k, before)
		return d.wake(k, conn, r, q)
	}
	a := &agent{presence: before.presence, daemon: d, conn: conn, in: r, flags: before.flags, seeker: before.seeker, server: before.server, ended: make(chan struct{})}
	a.ctx, a.gone = context.WithCancel(context.Background())
	d.mu.Lock()
	defer d.mu.Unlock()
	k.agent, a.front, a.pid = a, a, q.PID
	return a, nil
}

// rouse ends the rest of a kept session; false if the daemon leaves.
func (d *service) rouse(k *kept) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.leaving {
		return false
	}
	k.timer.Stop()
	d.resting--
	d.busy()
	return true
}

// lay lets a kept session rest, or ends it.
func (d *service) lay(k *kept, end bool) {
	d.mu.Lock()
	a := k.agent
	if end || d.leaving {
		d.mu.Unlock()
		d.drop(k, a)
		return
	}
	defer d.mu.Unlock()
	k.timer = time.AfterFunc(keptLimit, func() {
		k.turn <- struct{}{} // a call that came meanwhile is served first
		defer func() { <-k.turn }()
		d.mu.Lock()
		idle := k.agent == a
		if idle {
			d.resting--
		}
		d.mu.Unlock()
		if idle {
			d.drop(k, a)
		}
	})
	d.resting++
	d.rest()
}

// drop ends a kept session that nobody calls.
func (d *service) drop(k *kept, a *agent) {
	d.mu.Lock()
	if k.agent != a {
		d.mu.Unlock()
		return
	}
	k.agent, k.timer = nil, nil // the timer knows the agent, too
	d.mu.Unlock()
	a.leave(false)
	d.exit(a.presence, false)
}

// endKept ends all kept sessions, when the daemon leaves.
func (d *service) endKept() {
	d.mu.Lock()
	list := slices.Collect(maps.Values(d.kept))
	d.mu.Unlock()
	for _, k := range list {
		d.mu.Lock()
		a := k.agent
		if k.timer != nil {
			k.timer.Stop()
		}
		d.mu.Unlock()
		if a != nil {
			d.drop(k, a)
		}
	}
}

// otherSetting names a setting that was asked for and differs from what a session
// began with; what is as usual was not asked for.
func otherSetting(has, wants settings.Agent) string {
	usual, _ := settings.Agent{Settings: tools.Settings{Snapshot: "diff", Cookies: "page"}, Noted: settings.Noted{History: true}, OnExit: "leave"}.Resolved()
	plain := func(a settings.Agent) map[string]string {
		a.Display = nil
		data, _ := json.Marshal(a)
		var raw map[string]json.RawMessage
		_ = json.Unmarshal(data, &raw)
		text := map[string]string{}
		for key, value := range raw {
			text[key] = string(value)
		}
		return text
	}
	had, as := plain(has), plain(usual)
	asked := plain(wants)
	for _, key := range slices.Sorted(maps.Keys(asked)) {
		if value := asked[key]; key != "tools" && value != as[key] && value != had[key] {
			return key
		}
	}
	return ""
}
