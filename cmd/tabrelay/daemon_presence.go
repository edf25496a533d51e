package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/cmd/internal/history"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// presence is an agent as the others and a status know it, whichever way it came.
type presence struct {
	// Static after construction.
	session *tools.Session
	since   time.Time
	wish    string // the name that it had at another daemon
	plain   bool   // its tabs are not put into a group
	noted   bool   // a history is kept of it

	// The daemon's mu guards the following.
	front  *agent // that it comes through, or came through last; nil for one over HTTP
	pid    int    // of the process that it came through
	order  int
	client *mcp.Implementation
	name   string // tells it apart from the others; empty until it is known

	recorded []byte // the last record of it

	doing atomic.Pointer[doing] // its last call, while that is under way
}

const (
	// maxName is how many letters of a client's name are used.
	maxName = 32
)

// colors are those of agents' groups, as Chrome calls them.
var colors = []string{"blue", "purple", "green", "orange", "cyan", "pink", "yellow", "red"}

// know notes who an agent is, from a request of its.
func (d *service) know(p *presence, r mcp.Request) {
	s, ok := r.GetSession().(*mcp.ServerSession)
	if !ok {
		return
	}
	init := s.InitializeParams()
	if init == nil || init.ClientInfo == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.client == nil {
		defer d.tell()
	}
	p.client = init.ClientInfo
	d.call(p)
}

// knowing notes who an agent is, within each of its requests.
func (d *service) knowing(p *presence) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			d.know(p, r)
			result, err := next(ctx, method, r)
			d.know(p, r) // initialize says who it is
			return result, err
		}
	}
}

// call gives an agent a name that no other has; mu is held.
func (d *service) call(p *presence) {
	if p.name != "" {
		return
	}
	taken := map[string]bool{}
	for other := range d.agents {
		taken[other.name] = true
	}
	name := p.wish
	if name == "" || taken[name] {
		base := "agent"
		if p.client != nil {
			base = plainName(p.client.Name)
		}
		name = base
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s %d", base, n)
		}
	}
	p.name = name
	p.session.Named(name)
	p.session.Pause(d.audience.pauses(name))
	d.noteAgent(p, history.Connected)
}

// plainName is what a client calls itself, fit for a line and a tab strip.
func plainName(name string) string { return cmp.Or(plain(name), "agent") }

// plain is a short text of somebody else, fit for a line.
func plain(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if letters := []rune(name); len(letters) > maxName {
		return strings.TrimSpace(string(letters[:maxName])) + "…"
	}
	return name
}

// colorOf is the color of an agent's groups: the same for the same name, and
// another for the second of its kind.
func colorOf(name string) string {
	n := uint32(1)
	base := name
	if i := strings.LastIndexByte(name, ' '); i > 0 {
		if number, err := strconv.ParseUint(name[i+1:], 10, 16); err == nil {
			base, n = name[:i], uint32(number)
		}
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(base))
	return colors[(h.Sum32()%1024+n-1)%uint32(len(colors))]
}

// group shows a tab that an agent opened, or took, as its, and waits for nothing.
func (d *service) group(p *presence, target string, taken bool) {
	if p.plain {
		return
	}
	d.mu.Lock()
	d.call(p)
	name := p.name
	d.mu.Unlock()
	d.host.relay.Group([]string{target}, name, colorOf(name), taken)
}

// ungroup says at an agent's groups that it has gone.
func (d *service) ungroup(p *presence) {
	d.mu.Lock()
	name := p.name
	d.mu.Unlock()
	if name != "" && !p.plain {
		d.host.relay.LeaveGroups(name)
	}
}

// enter takes an agent in, unless the daemon leaves.
func (d *service) enter(p *presence) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.leaving {
		return false
	}
	d.order++
	p.order = d.order
	d.agents[p] = struct{}{}
	d.busy()
	return true
}

// exit forgets an agent. One that goes on elsewhere keeps its name there.
func (d *service) exit(p *presence, elsewhere bool) {
	if !elsewhere {
		d.ungroup(p) // before another gets the name
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.agents, p)
	if p.name != "" {
		d.noteAgent(p, history.Left)
	}
	d.rest()
}

// options are those of an agent's session.
func (d *service) options(a settings.Agent, p *presence, s *seeker) tools.Options {
	p.plain, p.noted = a.NoGroup, a.History
	s.called = func() string {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.call(p)
		return p.name
	}
	return tools.Options{
		Settings: a.Settings, Connect: s.connect, Launch: s.launch, Claims: d.claims, Logger: d.log, Version: release.Text(),
		Has: func(target string, taken bool) { d.group(p, target, taken) }, Used: d.noter(p), Using: d.audience.sees(p),
	}
}
