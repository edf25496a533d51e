package fleet

import (
	"cmp"
	"context"
	"crypto/ecdh"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gorilla/websocket"
	"github.com/nats-io/nats.go"
)

const (
	// maxGreetings is how many greetings that are true one epoch of a host takes.
	maxGreetings = 1 << 16
	maxShown     = 64 // letters of an agent's name
)

// Offer says what a host offers.
type Offer struct {
	Options
	Dir      string // the state folder
	Machine  string // the name of this one
	Labels   []string
	Capacity int  // sessions at once
	Open     bool // also to agents without an invite
	Grace    time.Duration
	Log      *slog.Logger

	// Dial opens a CDP address of a browser for an agent; release ends it.
	Dial func(ctx context.Context, browser, agent string) (url string, release func(), err error)
}

// Host offers browsers.
type Host struct {
	Offer
	own    *ecdh.PrivateKey
	id     string
	wire   *wire
	counts counts
	opened latency // of sessions

	// mu guards the following.
	mu       sync.Mutex
	epoch    string
	seen     map[string]struct{} // keys of true greetings in this epoch
	browsers []Browser
	sessions map[string]*hosted
	running  sync.WaitGroup
}

// hosted is a session in a browser here.
type hosted struct {
	invite string
	agent  string
	end    context.CancelCauseFunc
}

// NewHost connects a host to a fleet; nothing is offered yet.
func NewHost(ctx context.Context, o Offer) (*Host, error) {
	book, err := ReadBook(o.Dir)
	if err != nil {
		return nil, err
	}
	own, err := book.own()
	if err != nil {
		return nil, err
	}
	h := &Host{Offer: o, own: own, id: idOf(own.PublicKey().Bytes()), epoch: newToken(), seen: map[string]struct{}{}, sessions: map[string]*hosted{}}
	h.Grace = cmp.Or(o.Grace, Grace)
	h.inbox = hostSubjects + h.id
	if h.wire, err = dial(h.Options); err != nil {
		return nil, err
	}
	if err := h.wire.bring(ctx); err != nil {
		h.wire.close()
		return nil, err
	}
	return h, nil
}

// Run takes sessions until ctx ends; then it ends them.
func (h *Host) Run(ctx context.Context) error {
	defer h.wire.close()
	ctx, stop := context.WithCancelCause(ctx)
	defer func() {
		stop(Ended{websocket.CloseGoingAway, h.Machine + " no longer offers its browsers"})
		h.running.Wait()
	}()
	if err := h.wire.hear(ctx, hostSubjects+h.id+".open", "", func(m *nats.Msg) { h.greeted(ctx, m.Data) }); err != nil {
		return err
	}
	tick := time.NewTicker(announce)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			for _, b := range h.offered() {
				h.wire.drop(b)
			}
			return nil
		case <-tick.C:
			h.audit()
			h.announce(ctx)
		}
	}
}

// Set says which browsers are there, and tells the directory.
func (h *Host) Set(ctx context.Context, list []Browser) {
	h.mu.Lock()
	before := h.browsers
	h.browsers = slices.Clone(list)
	h.mu.Unlock()
	for _, b := range before {
		if !slices.ContainsFunc(list, func(o Browser) bool { return o.Name == b.Name }) {
			b.Machine, b.Host = h.Machine, h.id
			h.wire.drop(b)
		}
	}
	h.announce(ctx)
}

// offered is what stands in the directory.
func (h *Host) offered() []Browser {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := slices.Clone(h.browsers)
	for i := range list {
		b := &list[i]
		b.Machine, b.Host, b.Key, b.Epoch, b.Open = h.Machine, h.id, h.own.PublicKey().Bytes(), h.epoch, h.Open
		b.Labels, b.Capacity, b.Free = h.Labels, h.Capacity, h.Capacity-len(h.sessions)
	}
	return list
}

// announce tells the directory what is offered.
func (h *Host) announce(ctx context.Context) {
	for _, b := range h.offered() {
		err := h.wire.put(ctx, b)
		if errors.Is(err, errAway) {
			if err = h.wire.bring(ctx); err == nil {
				err = h.wire.put(ctx, b)
			}
		}
		if err != nil {
			h.Log.Warn("the fleet is not told of a browser", "browser", b.Name, "err", err)
			return
		}
	}
}

// audit ends the sessions whose invite was revoked.
func (h *Host) audit() {
	book, err := ReadBook(h.Dir)
	if err != nil {
		h.Log.Warn("invites cannot be read", "err", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sessions {
		if s.invite != "" && !slices.ContainsFunc(book.Invited, func(i Invite) bool { return i.ID == s.invite }) {
			s.end(Ended{websocket.ClosePolicyViolation, "the invite was revoked"})
		}
	}
}

// greeted takes a greeting. The reply goes to the agent whose key the greeting is
// sealed with, and to no subject that somebody names.
func (h *Host) greeted(ctx context.Context, data []byte) {
	if len(data) == 0 {
		return // whether this host is there
	}
	var g greeting
	if json.Unmarshal(data, &g) != nil || !isToken(g.Agent) || !isToken(g.Session) || g.Invite != "" && !isToken(g.Invite) {
		h.counts.refuse()
		return
	}
	refuse := func(why string) {
		h.counts.refuse()
		h.answer(g, reply{Refused: why})
	}
	if !h.fresh(g) {
		refuse(refusedEpoch)
		return
	}
	secret, from, err := h.invited(g)
	if err != nil {
		refuse(refusedInvite)
		return
	}
	a, hello, err := g.hear(h.own, secret)
	if err != nil {
		refuse(refusedInvite)
		return
	}
	h.mark(g)
	if g.Invite != "" {
		if err := take(h.Dir, g.Invite, g.Agent); err != nil {
			refuse(refusedInvite)
			return
		}
	}
	agent := shown(hello.Name) + "@" + shown(cmp.Or(from, hello.Machine, "somewhere"))
	ctx, end := context.WithCancelCause(ctx)
	s := &hosted{g.Invite, agent, end}
	if why := h.enter(g, s, hello.Browser); why != "" {
		end(nil)
		h.counts.refuse()
		h.welcome(a, g, hello, secret, welcome{Error: why, Hint: "choose another browser, or try again later"})
		return
	}
	h.hint()
	h.running.Go(func() { // ends with the session
		defer h.leave(g)
		defer end(nil)
		h.serve(ctx, a, g, hello, secret, s)
	})
}

// fresh reports whether a greeting is of this epoch and new.
func (h *Host) fresh(g greeting) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, old := h.seen[string(g.Key)]
	return !old && g.Epoch == h.epoch
}

// mark keeps a greeting that is true from being taken again. What others make up
// is not kept, and so moves no host to another epoch.
func (h *Host) mark(g greeting) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen[string(g.Key)] = struct{}{}
	if len(h.seen) >= maxGreetings {
		h.epoch, h.seen = newToken(), map[string]struct{}{}
	}
}

// invited returns the secret of a greeting's invite, and whom it is for.
func (h *Host) invited(g greeting) (secret []byte, name string, err error) {
	if g.Invite == "" {
		if h.Open {
			return nil, "", nil
		}
		return nil, "", errNoInvite
	}
	book, err := ReadBook(h.Dir)
	if err != nil {
		return nil, "", err
	}
	for _, i := range book.Invited {
		if i.ID == g.Invite && (i.Agent == "" || i.Agent == g.Agent) {
			return i.Secret, i.Name, nil
		}
	}
	return nil, "", errNoInvite
}

// enter gives a session a place, or says why there is none.
func (h *Host) enter(g greeting, s *hosted, browser string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case !slices.ContainsFunc(h.browsers, func(b Browser) bool { return b.Name == browser }):
		return fmt.Sprintf("%s@%s is no longer there", browser, h.Machine)
	case len(h.sessions) >= h.Capacity:
		return fmt.Sprintf("%s@%s has no free place", browser, h.Machine)
	case h.sessions[g.Session] != nil:
		return "the session is there already"
	}
	h.sessions[g.Session] = s
	return ""
}

func (h *Host) leave(g greeting) {
	h.mu.Lock()
	delete(h.sessions, g.Session)
	h.mu.Unlock()
	h.hint()
}

// hint tells the directory of places without waiting for it.
func (h *Host) hint() {
	for _, b := range h.offered() {
		if text, err := json.Marshal(b); err == nil {
			_ = h.wire.nc.Publish(entries+b.key(), text)
		}
	}
}

// answer sends a reply to the agent that greeted.
func (h *Host) answer(g greeting, r reply) {
	if text, err := json.Marshal(r); err == nil {
		_ = h.wire.nc.Publish(inbox(g), text)
	}
}

// welcome answers a true greeting that leads to no session.
func (h *Host) welcome(a *agreement, g greeting, hello hello, secret []byte, w welcome) {
	if _, r, err := a.reply(g, hello, secret, w); err == nil {
		h.answer(g, r)
	}
}

// serve carries a session.
func (h *Host) serve(ctx context.Context, a *agreement, g greeting, hello hello, secret []byte, s *hosted) {
	failed := func(err error) {
		w := welcome{Error: err.Error()}
		var says *Error
		if errors.As(err, &says) {
			w.Hint = says.Hint
		}
		h.welcome(a, g, hello, secret, w)
	}
	began := time.Now()
	url, release, err := h.Dial(ctx, hello.Browser, s.agent)
	if err != nil {
		failed(err)
		return
	}
	defer release()
	ws, _, err := (&websocket.Dialer{HandshakeTimeout: 10 * time.Second, WriteBufferPool: upgrader.WriteBufferPool}).DialContext(ctx, url, nil)
	if err != nil {
		failed(errors.New("the browser's daemon does not answer"))
		return
	}
	defer ws.Close()
	// The link listens before the agent hears of it.
	seals, r, err := a.reply(g, hello, secret, welcome{})
	if err != nil {
		return
	}
	to := inbox(g)
	l := newLink(seals, func(record []byte) error { return h.wire.nc.Publish(to, record) }, h.wire.chunk(), h.Grace, &h.counts, nil)
	defer context.AfterFunc(ctx, func() {
		e := ended(context.Cause(ctx))
		l.Close(e.Code, e.Reason)
	})()
	if err := h.wire.carry(sessionSubject(h.id, g), l); err != nil {
		l.Close(websocket.CloseGoingAway, "the connection to NATS is lost")
		return
	}
	h.answer(g, r)
	h.opened.note(time.Since(began))
	h.Log.Info("session began", "agent", s.agent, "browser", hello.Browser)
	pump(l, ws)
	h.Log.Info("session ended", "agent", s.agent, "browser", hello.Browser, "why", context.Cause(l.ctx))
}

// shown is what another machine calls something, fit for a line and a tab strip.
func shown(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '@' }), " ")
	if letters := []rune(name); len(letters) > maxShown {
		name = string(letters[:maxShown]) + "…"
	}
	return cmp.Or(name, "agent")
}
