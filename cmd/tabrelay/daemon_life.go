package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/relay"
)

// busy notes that somebody came; mu is held.
func (d *service) busy() {
	if d.timer != nil {
		d.timer.Stop()
	}
	d.tell()
}

// rest notes that somebody went; mu is held.
func (d *service) rest() {
	if d.timer != nil && d.alone() && !d.leaving {
		d.timer.Reset(d.idle)
	}
	d.tell()
}

// hold keeps the daemon until release.
func (d *service) hold() (release func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asking++
	d.busy()
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.asking--
		d.rest()
	}
}

// alone reports whether nobody is there; mu is held.
func (d *service) alone() bool {
	return len(d.agents) == d.resting && d.clients == 0 && d.asking == 0 && d.http == nil && len(d.host.relay.Addresses()) == 0
}

// tell wakes those who watch; mu is held.
func (d *service) tell() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// follow tells those who watch of each browser that comes or goes, and
// remembers those of persons.
func (d *service) follow(ctx context.Context) {
	before, issued := map[string]relay.Browser{}, 0
	for {
		changed := d.host.relay.Changed()
		now := len(d.host.relay.Addresses())
		if now < issued {
			d.mu.Lock()
			d.rest() // an address held the daemon
			d.mu.Unlock()
		}
		issued = now
		for _, b := range d.host.relay.Browsers() {
			if was := before[b.InstallID]; b.Connected && b.Launch == "" && (!was.Connected || was.Label != b.Label) {
				d.host.remember(b, false)
			}
			before[b.InstallID] = b
		}
		d.note()
		d.audience.wake() // one that is gone pauses nobody
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// note tells those who watch that an agent holds something else.
func (d *service) note() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tell()
}

// tire leaves when nobody is there.
func (d *service) tire() {
	d.mu.Lock()
	alone := d.alone()
	if alone {
		d.leaving = true // whoever comes from now on starts another
	}
	d.mu.Unlock()
	if alone {
		d.leave(daemon.ErrIdle)
	}
}

// part ends the daemon: calls under way are answered, within a limit; then the
// connections and the browsers end.
func (d *service) part(why error) {
	defer close(d.parted)
	d.mu.Lock()
	d.leaving = true
	if d.timer != nil {
		d.timer.Stop()
	}
	var agents []*agent
	for p := range d.agents {
		if p.front != nil {
			agents = append(agents, p.front)
		}
	}
	http := d.http
	d.tell()
	d.mu.Unlock()
	d.log.Info("daemon leaves", "because", why.Error())
	// From here on nobody finds it; the file goes first, so that its absence says
	// that the socket is going.
	_ = os.Remove(filepath.Join(d.host.state.Dir, daemon.ContactFile))
	_ = d.listen.Close()
	limit := time.After(partLimit)
	for _, a := range agents {
		a.dismiss()
	}
	if http != nil {
		http.dismiss(why)
	}
	for _, a := range agents {
		select {
		case <-a.ended:
		case <-limit:
			a.cut()
			limit = time.After(0)
			<-a.ended
		}
	}
	if http != nil {
		<-http.ended // within its own limit
	}
	d.endKept()
	d.host.close()
}
