package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/tools"
)

const (
	// idleLimit is how long an agent keeps its session, and its tabs, that says
	// nothing and holds no stream open.
	idleLimit = 2 * time.Minute
	// statelessEra is the first protocol version without sessions.
	statelessEra = "2026-07-28"
	versionField = "Mcp-Protocol-Version"
	sessionField = "Mcp-Session-Id"
)

// router routes requests to agents' servers: by session id in the older
// protocol, by ?agent= in the one without sessions. An agent chooses its set of
// tools with ?tools=, and less of it with ?allow-tools= and ?deny-tools=.
type router struct {
	// Static after construction.
	opts      tools.Options
	stateful  http.Handler
	stateless http.Handler
	unused    *mcp.Server   // answers what belongs to no session
	idle      time.Duration // idleLimit, unless a test has less

	// What an agent begins and ends with; set before the first one comes. The name
	// is empty for one that has a session of the protocol.
	begin func(o tools.Options, name string) (*mcp.Server, *tools.Session)
	end   func(*tools.Session)

	// mu guards the following.
	mu       sync.Mutex
	agents   map[string]*httpAgent
	sessions map[*tools.Session]*mcp.Server
	present  map[string]*presentSession // by the protocol's session id
	busy     int                        // requests under way that have an end
	closed   bool
	quiet    chan struct{} // closed when there are none, once somebody waits for that
}

// httpAgent is an agent of the protocol without sessions.
type httpAgent struct {
	server  *mcp.Server
	session *tools.Session
	idle    *time.Timer
	busy    int // requests under way
}

func newRouter(o tools.Options) *router {
	f := &router{opts: o, agents: map[string]*httpAgent{}, sessions: map[*tools.Session]*mcp.Server{},
		present: map[string]*presentSession{}, idle: idleLimit,
		begin: func(o tools.Options, _ string) (*mcp.Server, *tools.Session) { return tools.NewServer(o) },
		end:   func(s *tools.Session) { _ = s.Close() }}
	f.unused, _ = tools.NewServer(o)
	f.stateful = mcp.NewStreamableHTTPHandler(f.bySession, &mcp.StreamableHTTPOptions{
		Logger: o.Logger})
	f.stateless = mcp.NewStreamableHTTPHandler(f.byName, &mcp.StreamableHTTPOptions{
		Stateless: true, Logger: o.Logger, PropagateRequestCancellation: true})
	return f
}

func (f *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !f.come(r) {
		http.Error(w, "tabrelay is shutting down: try again", http.StatusServiceUnavailable)
		return
	}
	defer f.gone(r)
	opts := f.opts
	if set := r.URL.Query().Get("tools"); set != "" {
		if !slices.Contains(tools.Profiles(), set) {
			http.Error(w, fmt.Sprintf("there is no set of tools %q: choose one of %q", set, tools.Profiles()), http.StatusBadRequest)
			return
		}
		if opts.Tools != "" && opts.Tools != set {
			http.Error(w, fmt.Sprintf("only --tools %s is served here: leave out ?tools=", opts.Tools), http.StatusForbidden)
			return
		}
		opts.Tools = set
	}
	switch r.URL.Query().Get("dynamic-call") {
	case "1", "true":
		opts.DynamicCall = true
	}
	filter := tools.Filter{Allow: patterns(r, "allow-tools"), Deny: patterns(r, "deny-tools"), Query: true}
	if err := filter.Check(opts.Tools); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	opts.Filters = append(slices.Clip(opts.Filters), filter)
	if r.Header.Get(versionField) >= statelessEra {
		agent := f.enter(r.URL.Query().Get("agent"), opts)
		defer f.leave(agent)
		f.stateless.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), serverKey{}, agent.server)))
		return
	}
	if r.Method == http.MethodPost && r.Header.Get(sessionField) == "" {
		// The handler asks for the server more than once a request.
		fresh := sync.OnceValue(func() *mcp.Server { return f.newSession(opts) })
		r = r.WithContext(context.WithValue(r.Context(), serverKey{}, fresh))
	}
	defer f.attend(r.Header.Get(sessionField))()
	f.stateful.ServeHTTP(w, r)
}

// patterns are the globs of a query, which commas keep apart.
func patterns(r *http.Request, name string) []string {
	return strings.FieldsFunc(r.URL.Query().Get(name), func(c rune) bool { return c == ',' })
}

// serverKey is the context key of the server for a request.
type serverKey struct{}

func (f *router) bySession(r *http.Request) *mcp.Server {
	if fresh, ok := r.Context().Value(serverKey{}).(func() *mcp.Server); ok {
		return fresh()
	}
	return f.unused
}

func (f *router) byName(r *http.Request) *mcp.Server {
	server, _ := r.Context().Value(serverKey{}).(*mcp.Server)
	return server
}

// newSession makes the server of an agent that begins, and closes its session
// when the protocol's is over.
func (f *router) newSession(o tools.Options) *mcp.Server {
	server, session := f.begin(o, "")
	f.mu.Lock()
	f.sessions[session] = server
	f.mu.Unlock()
	var once sync.Once
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			once.Do(func() {
				if s, ok := r.GetSession().(*mcp.ServerSession); ok {
					f.watch(s)
					go func() { // ends with the protocol's session
						_ = s.Wait()
						f.unwatch(s)
						f.forget(session)
					}()
				}
			})
			return next(ctx, method, r)
		}
	})
	return server
}

func (f *router) forget(s *tools.Session) {
	f.mu.Lock()
	_, here := f.sessions[s]
	delete(f.sessions, s)
	f.mu.Unlock()
	if here {
		f.end(s)
	}
}

// come notes a request, and reports whether there is still somebody to answer it.
// Only those that have an end are counted.
func (f *router) come(r *http.Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Method == http.MethodPost && !f.closed {
		f.busy++
	}
	return !f.closed
}

func (f *router) gone(r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Method != http.MethodPost {
		return
	}
	if f.busy--; f.busy == 0 && f.quiet != nil {
		close(f.quiet)
		f.quiet = nil
	}
}

// enter returns the agent of a name with its set of tools, new or known; the
// caller calls leave.
func (f *router) enter(name string, o tools.Options) *httpAgent {
	name += fmt.Sprintf("?%s %v %v", o.Tools, o.DynamicCall, o.Filters)
	f.mu.Lock()
	defer f.mu.Unlock()
	a := f.agents[name]
	if a == nil {
		a = &httpAgent{}
		a.server, a.session = f.begin(o, name)
		f.sessions[a.session] = a.server
		a.idle = time.AfterFunc(f.idle, func() {
			f.mu.Lock()
			idle := a.busy == 0 && f.agents[name] == a
			if idle {
				delete(f.agents, name)
			}
			f.mu.Unlock()
			if idle {
				f.forget(a.session)
			}
		})
		f.agents[name] = a
	}
	a.busy++
	a.idle.Stop()
	return a
}

func (f *router) leave(a *httpAgent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if a.busy--; a.busy == 0 {
		a.idle.Reset(f.idle)
	}
}

// close ends every agent's session, once the requests under way are answered or
// the limit is over. Nobody is let in any more.
func (f *router) close(limit time.Duration) {
	f.mu.Lock()
	f.closed = true
	quiet := make(chan struct{})
	if f.busy == 0 {
		close(quiet)
	} else {
		f.quiet = quiet
	}
	f.mu.Unlock()
	select {
	case <-quiet:
	case <-time.After(limit):
	}
	f.mu.Lock()
	sessions := maps.Clone(f.sessions)
	for _, a := range f.agents {
		a.idle.Stop()
	}
	clear(f.agents)
	f.mu.Unlock()
	var all sync.WaitGroup
	for session, server := range sessions {
		all.Go(func() {
			f.forget(session)
			for s := range server.Sessions() {
				_ = s.Close()
			}
		})
	}
	all.Wait()
}
