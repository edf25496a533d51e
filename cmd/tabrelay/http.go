package main

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/tools"
)

const (
	// idleLimit is how long an agent that says nothing keeps its session.
	idleLimit = 30 * time.Minute
	// statelessEra is the first protocol version without sessions.
	statelessEra = "2026-07-28"
	versionField = "Mcp-Protocol-Version"
	sessionField = "Mcp-Session-Id"
)

// serveHTTP serves agents at /mcp until ctx ends.
func serveHTTP(ctx context.Context, h *host, o tools.Options, c console) error {
	token, from := h.state.MCPToken, "in "+h.state.file()+" (mcpToken)"
	if t := os.Getenv("TABRELAY_TOKEN"); t != "" {
		token, from = t, "in TABRELAY_TOKEN"
	}
	front := newFront(o)
	defer front.close()
	h.routes.Handle("/mcp", guard(token, front))
	fmt.Fprintf(c.stderr, "MCP at http://%s/mcp; the bearer token is %s.\n", h.address(), from)
	<-ctx.Done()
	return nil
}

// guard lets in who calls the address by a loopback name, is no web page, and
// knows the token.
func guard(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopbackName(r.Host) {
			http.Error(w, "this Host is not allowed: use 127.0.0.1 or localhost", http.StatusForbidden)
			return
		}
		if r.Header.Get("Origin") != "" {
			http.Error(w, "web pages may not call this address", http.StatusForbidden)
			return
		}
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(strings.TrimSpace(given)))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="tabrelay"`)
			http.Error(w, "a bearer token is needed; tabrelay says at its start where it is", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isLoopbackName(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

// front routes requests to agents' servers: by session id in the older
// protocol, by ?agent= in the one without sessions. An agent chooses its set of
// tools with ?tools=, and less of it with ?allow-tools= and ?deny-tools=.
type front struct {
	// Static after construction.
	opts      tools.Options
	stateful  http.Handler
	stateless http.Handler
	unused    *mcp.Server // answers what belongs to no session

	// mu guards the following.
	mu       sync.Mutex
	agents   map[string]*httpAgent
	sessions map[*tools.Session]struct{}
}

// httpAgent is an agent of the protocol without sessions.
type httpAgent struct {
	server  *mcp.Server
	session *tools.Session
	idle    *time.Timer
	busy    int // requests under way
}

func newFront(o tools.Options) *front {
	f := &front{opts: o, agents: map[string]*httpAgent{}, sessions: map[*tools.Session]struct{}{}}
	f.unused, _ = tools.NewServer(o)
	f.stateful = mcp.NewStreamableHTTPHandler(f.bySession, &mcp.StreamableHTTPOptions{
		SessionTimeout: idleLimit, Logger: o.Logger})
	f.stateless = mcp.NewStreamableHTTPHandler(f.byName, &mcp.StreamableHTTPOptions{
		Stateless: true, Logger: o.Logger, PropagateRequestCancellation: true})
	return f
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	opts := f.opts
	if set := r.URL.Query().Get("tools"); set != "" {
		if !slices.Contains(tools.Profiles(), set) {
			http.Error(w, fmt.Sprintf("there is no set of tools %q: choose one of %q", set, tools.Profiles()), http.StatusBadRequest)
			return
		}
		opts.Tools = set
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
		make := sync.OnceValue(func() *mcp.Server { return f.newSession(opts) })
		r = r.WithContext(context.WithValue(r.Context(), serverKey{}, make))
	}
	f.stateful.ServeHTTP(w, r)
}

// patterns are the globs of a query, which commas keep apart.
func patterns(r *http.Request, name string) []string {
	return strings.FieldsFunc(r.URL.Query().Get(name), func(c rune) bool { return c == ',' })
}

// serverKey is the context key of the server for a request.
type serverKey struct{}

func (f *front) bySession(r *http.Request) *mcp.Server {
	if make, ok := r.Context().Value(serverKey{}).(func() *mcp.Server); ok {
		return make()
	}
	return f.unused
}

func (f *front) byName(r *http.Request) *mcp.Server {
	server, _ := r.Context().Value(serverKey{}).(*mcp.Server)
	return server
}

// newSession makes the server of an agent that begins, and closes its session
// when the protocol's is over.
func (f *front) newSession(o tools.Options) *mcp.Server {
	server, session := tools.NewServer(o)
	f.mu.Lock()
	f.sessions[session] = struct{}{}
	f.mu.Unlock()
	var once sync.Once
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			once.Do(func() {
				if s, ok := r.GetSession().(*mcp.ServerSession); ok {
					go func() { // ends with the protocol's session
						_ = s.Wait()
						f.forget(session)
					}()
				}
			})
			return next(ctx, method, r)
		}
	})
	return server
}

func (f *front) forget(s *tools.Session) {
	f.mu.Lock()
	delete(f.sessions, s)
	f.mu.Unlock()
	_ = s.Close()
}

// enter returns the agent of a name with its set of tools, new or known; the
// caller calls leave.
func (f *front) enter(name string, o tools.Options) *httpAgent {
	name += fmt.Sprintf("?%s %v", o.Tools, o.Filters)
	f.mu.Lock()
	defer f.mu.Unlock()
	a := f.agents[name]
	if a == nil {
		a = &httpAgent{}
		a.server, a.session = tools.NewServer(o)
		f.sessions[a.session] = struct{}{}
		a.idle = time.AfterFunc(idleLimit, func() {
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

func (f *front) leave(a *httpAgent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if a.busy--; a.busy == 0 {
		a.idle.Reset(idleLimit)
	}
}

// close ends every agent's session.
func (f *front) close() {
	f.mu.Lock()
	var list []*tools.Session
	for s := range f.sessions {
		list = append(list, s)
	}
	clear(f.sessions)
	for _, a := range f.agents {
		a.idle.Stop()
	}
	f.mu.Unlock()
	for _, s := range list {
		_ = s.Close()
	}
}
