package main

import (
	"cmp"
	"context"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/relay"
)

// status describes the daemon as it is now, with ping also how long each browser
// takes to answer.
func (d *service) status(ping bool) daemon.Status {
	d.mu.Lock()
	agents := make([]*presence, 0, len(d.agents))
	for a := range d.agents {
		agents = append(agents, a)
	}
	s := daemon.Status{Running: true, PID: d.contact.PID, Version: d.contact.Version, Port: d.contact.Port, Taken: d.host.moved, Started: d.contact.Started,
		Uptime: time.Since(d.contact.Started).Seconds(), Memory: residentMemory(), Clients: d.clients, HTTP: d.http != nil,
		CDP: []daemon.Address{}, Agents: []daemon.AgentStatus{}, Browsers: []daemon.BrowserStatus{}}
	d.mu.Unlock()
	slices.SortFunc(agents, func(a, b *presence) int { return cmp.Compare(a.order, b.order) })
	held := map[string]daemon.TabStatus{}
	masked := func(text string) string {
		for _, a := range agents {
			text = a.session.Masked(text)
		}
		return text
	}
	for _, a := range agents {
		one := d.agentStatus(a)
		holding := a.session.Holding()
		one.Browser = holding.Browser
		for _, p := range holding.Pages {
			one.Tabs = append(one.Tabs, p.ID)
			held[p.Target] = daemon.TabStatus{Page: p.ID, Agent: one.Name, Client: one.Client, Holder: one.PID}
		}
		s.Agents = append(s.Agents, one)
	}
	list := d.host.relay.Browsers()
	for _, b := range list {
		s.Browsers = append(s.Browsers, d.host.browserStatus(b, held, masked))
	}
	if ping {
		d.host.ping(d.ctx, list, s.Browsers)
	}
	for _, a := range d.host.relay.Addresses() {
		s.CDP = append(s.CDP, d.host.told(a))
	}
	if r := d.host.relay.Refused(); r != nil {
		s.Refused = &daemon.RefusedStatus{At: r.At, Why: r.Why}
	}
	return s
}

func (d *service) agentStatus(p *presence) daemon.AgentStatus {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := daemon.AgentStatus{Name: p.name, PID: p.pid, HTTP: p.front == nil, Since: p.since, Tabs: []string{}}
	if p.client != nil {
		s.Client, s.Version = plain(p.client.Name), plain(p.client.Version)
	}
	return s
}

// browserStatus describes a browser and its tabs, held being those of agents, whose
// secrets are masked.
func (h *host) browserStatus(b relay.Browser, held map[string]daemon.TabStatus, masked func(string) string) daemon.BrowserStatus {
	major, _, _ := strings.Cut(b.Version, ".")
	s := daemon.BrowserStatus{Called: h.nameOf(b), Name: strings.TrimSpace(b.Name + " " + major), Managed: b.Launch != "", Connected: b.Connected, Extension: b.ExtensionVersion, Tabs: []daemon.TabStatus{}}
	h.mu.Lock()
	for key, m := range h.browsers {
		select {
		case <-m.ready:
			if m.process != nil && m.process.Launch == b.Launch {
				s.Headless, s.Profile = key.Headless, key.Profile
			}
		default:
		}
	}
	h.mu.Unlock()
	for _, t := range h.relay.Tabs(b.InstallID) {
		one := held[t.ID]
		one.Title, one.URL = masked(t.Title), masked(t.URL)
		s.Tabs = append(s.Tabs, one)
	}
	return s
}

// pingLimit is how long an extension may take to answer.
const pingLimit = 3 * time.Second

// ping asks the extensions of connected browsers, all at once, so that none waits for
// a silent one, and adds their answers to the browsers' status.
func (h *host) ping(ctx context.Context, list []relay.Browser, status []daemon.BrowserStatus) {
	ctx, cancel := context.WithTimeout(ctx, pingLimit)
	defer cancel()
	var asked sync.WaitGroup
	for i, b := range list {
		if !b.Connected {
			continue
		}
		asked.Go(func() {
			took, err := h.relay.Ping(ctx, b.InstallID)
			if err != nil {
				status[i].Silent = err.Error()
				return
			}
			status[i].Answer = float64(took.Microseconds()) / 1000
		})
	}
	asked.Wait()
}

// watch tells the status now and after each change, until either side ends.
func (d *service) watch(conn net.Conn) {
	ended := make(chan struct{})
	go func() { // ends with the connection
		_, _ = conn.Read(make([]byte, 1))
		close(ended)
	}()
	for {
		d.mu.Lock()
		changed, leaving := d.changed, d.leaving
		d.mu.Unlock()
		if leaving {
			<-d.parted // the end of this connection says that all is closed
			return
		}
		_ = conn.SetWriteDeadline(time.Now().Add(greetLimit))
		if daemon.WriteLine(conn, d.status(false)) != nil {
			return
		}
		select {
		case <-changed:
		case <-ended:
			return
		}
	}
}

// residentMemory is what this process holds, in bytes; 0 where the system does
// not tell.
func residentMemory() int64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	data, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}
