package main

import (
	"cmp"
	"net"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/history"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

// noter returns what notes an agent's calls; nil where no history is kept of it.
func (d *service) noter(p *presence) func(tools.Use) {
	if !p.noted {
		return func(u tools.Use) { d.audience.ended(p, u) }
	}
	return func(u tools.Use) {
		d.audience.ended(p, u)
		d.mu.Lock()
		who := p.name
		d.mu.Unlock()
		d.history.Note(history.Entry{Kind: history.Agent, Who: who, Did: u.Tool, Page: u.Page, Site: u.Site, To: u.To,
			Outcome: u.Outcome, Why: u.Why, Ms: float64(u.Took.Microseconds()) / 1000})
	}
}

// noteAgent notes that an agent came or went; mu is held.
func (d *service) noteAgent(p *presence, did string) {
	if p.noted {
		d.history.Note(history.Entry{Kind: history.Agent, Who: p.name, Did: did})
	}
}

// visited notes that a CDP client came or went.
func (d *service) visited(at relay.Address, came bool) {
	did := history.Left
	if came {
		did = history.Connected
	}
	if !at.Quiet {
		d.history.Note(history.Entry{Kind: history.Client, Who: cmp.Or(at.Name, at.ID, "cdp"), Did: did})
	}
}

// recite tells each entry of the history from now on, until either side ends.
func (d *service) recite(conn net.Conn) {
	lines, stop := d.history.Follow()
	defer stop()
	ended := make(chan struct{})
	go func() { // ends with the connection
		_, _ = conn.Read(make([]byte, 1))
		close(ended)
	}()
	if daemon.WriteLine(conn, daemon.Control{Tabrelay: daemon.SayWelcome}) != nil {
		return
	}
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			_ = conn.SetWriteDeadline(time.Now().Add(greetLimit))
			if _, err := conn.Write(line); err != nil {
				return
			}
		case <-ended:
			return
		case <-d.parted:
			return
		}
	}
}
