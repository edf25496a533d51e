package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	// Grace is how long a session waits for a link that is away.
	Grace = 15 * time.Second
	// openLimit is how long a host may take to open a session; it may have to start
	// a browser.
	openLimit = 40 * time.Second
)

// Client is an agent's side of a fleet.
type Client struct {
	wire   *wire
	dir    string
	grace  time.Duration
	counts counts
}

// Error is one that says what to do: Hint to an agent, Flag to the person who starts
// tabrelay. Either may be empty.
type Error struct{ Text, Hint, Flag string }

// Error returns the text, and what the person can do.
func (e *Error) Error() string {
	if e.Flag == "" {
		return e.Text
	}
	return e.Text + ": " + e.Flag
}

// another is what an agent can do about a browser that it cannot have.
const another = "choose another browser"

// Join connects to a fleet; dir is the state folder. Grace is how long sessions
// wait for a link that is away; zero is the usual.
func Join(o Options, dir string, grace time.Duration) (*Client, error) {
	book, err := ReadBook(dir)
	if err != nil {
		return nil, err
	}
	own, err := book.own()
	if err != nil {
		return nil, err
	}
	o.inbox = agentSubjects + idOf(own.PublicKey().Bytes())
	w, err := dial(o)
	if err != nil {
		if says, ok := errors.AsType[*Error](err); ok {
			return nil, &Error{says.Text, another, says.Flag}
		}
		return nil, &Error{Text: err.Error(), Hint: another}
	}
	return &Client{wire: w, dir: dir, grace: cmp.Or(grace, Grace)}, nil
}

// Close closes the connection, without a word; sessions end after the grace time.
func (c *Client) Close() { c.wire.close() }

// List returns the browsers of a fleet, by their names.
func (c *Client) List(ctx context.Context) ([]Browser, error) {
	list, err := c.wire.list(ctx, ">")
	if list == nil {
		list = []Browser{}
	}
	slices.SortFunc(list, func(a, b Browser) int {
		return cmp.Or(cmp.Compare(a.Called(), b.Called()), cmp.Compare(a.Host, b.Host))
	})
	return list, err
}

// IsName reports whether a name means a browser of a fleet: one with a machine, or
// a label.
func IsName(name string) bool {
	return strings.Contains(name, "@") || strings.HasPrefix(name, labelWord)
}

const labelWord = "label:"

// Find returns the browsers that a name means and that this machine may use: those
// of machines that invited it before those that are open to all, whatever they are
// called, and of each the emptiest first.
func (c *Client) Find(ctx context.Context, name string) ([]Browser, error) {
	book, err := ReadBook(c.dir)
	if err != nil {
		return nil, err
	}
	name = strings.TrimSpace(name)
	part := ">"
	label, labelled := strings.CutPrefix(name, labelWord)
	if !labelled {
		own, machine, _ := strings.Cut(name, "@")
		part = token(machine) + "." + token(own) + ".>"
	}
	list, err := c.wire.list(ctx, part)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(b Browser) bool {
		return labelled && !b.has(label) || !labelled && !strings.EqualFold(b.Called(), name)
	})
	if len(list) == 0 {
		return nil, &Error{fmt.Sprintf("no browser %s is in the fleet", name), another, "`tabrelay fleet list` shows those that are"}
	}
	invited := func(b Browser) int {
		if _, ok := book.host(b.Key); ok {
			return 1
		}
		return 0
	}
	usable := slices.DeleteFunc(slices.Clone(list), func(b Browser) bool { return invited(b) == 0 && !b.Open })
	if len(usable) == 0 {
		return nil, &Error{fmt.Sprintf("this machine has no invite to %s", list[0].Machine),
			another, "its owner makes one with `tabrelay fleet invite`; `tabrelay fleet accept` keeps it here"}
	}
	slices.SortStableFunc(usable, func(a, b Browser) int {
		return cmp.Or(cmp.Compare(invited(b), invited(a)), cmp.Compare(b.Free, a.Free))
	})
	return usable, nil
}

// enter opens a session in the first browser of a list that takes one, as an agent of
// a name. Where a machine has started anew since, the list is made anew, too.
func (c *Client) enter(ctx context.Context, name string, list []Browser, agent string) (Browser, *Link, error) {
	for again := true; ; {
		var failed error
		anew := false
		for _, b := range list {
			l, err := c.open(ctx, b, agent)
			if err == nil || ctx.Err() != nil {
				return b, l, err
			}
			if failed == nil {
				failed = err // of the one that was to be the best
			}
			anew = anew || errors.As(err, new(startedAnew))
		}
		if !anew || !again {
			return Browser{}, nil, failed
		}
		again = false
		var err error
		if list, err = c.Find(ctx, name); err != nil {
			return Browser{}, nil, err
		}
	}
}

// open opens a session in a browser, as an agent of a name.
func (c *Client) open(ctx context.Context, b Browser, agent string) (*Link, error) {
	machine, _ := os.Hostname()
	book, err := ReadBook(c.dir)
	if err != nil {
		return nil, err
	}
	own, err := book.own()
	if err != nil {
		return nil, err
	}
	host, _ := book.host(b.Key)
	e, g, err := greet(own, b, host.Invite, host.Secret, hello{Name: agent, Machine: machine, Browser: b.Name})
	if err != nil {
		return nil, err
	}
	seals, w, err := c.greet(ctx, b, e, g)
	if err != nil {
		return nil, err
	}
	if w.Error != "" {
		return nil, &Error{Text: w.Error, Hint: w.Hint}
	}
	l := newLink(seals, func(record []byte) error {
		return c.wire.nc.Publish(sessionSubject(b.Host, g), record)
	}, c.wire.chunk(), c.grace, &c.counts, func(l *Link) { c.doubt(l, b) })
	if err := c.wire.carry(inbox(g), l); err != nil {
		l.Close(1011, "the connection to NATS is lost")
		return nil, err
	}
	l.resume() // what came before somebody listened
	return l, nil
}

// doubt ends a session whose host has started anew, and knows nothing of it.
func (c *Client) doubt(l *Link, b Browser) {
	if there, same := c.stands(l.ctx, b); there && !same {
		l.end(Ended{codeLost, "the browser's machine started anew"})
	}
}

// stands reports whether a browser's host is in the directory, and has not started
// anew. Where the directory does not answer, nothing has changed.
func (c *Client) stands(ctx context.Context, b Browser) (there, same bool) {
	list, err := c.wire.list(ctx, token(b.Machine)+".*."+b.Host)
	if err != nil {
		return true, true
	}
	return len(list) > 0, !slices.ContainsFunc(list, func(now Browser) bool { return now.Epoch != b.Epoch })
}

const (
	agentSubjects = "tabrelay.agent."
	hostSubjects  = "tabrelay.host."
)

// sessionSubject is that of what goes to a host in a session.
func sessionSubject(host string, g greeting) string { return hostSubjects + host + ".s." + g.Session }

// inbox is the subject of what goes to an agent in a session.
func inbox(g greeting) string { return agentSubjects + g.Agent + "." + g.Session }

// greet sends a greeting and returns what the host's reply leads to. What others
// send in the host's place is passed over. A host may take long, since it may have to
// start a browser; one that is gone meanwhile is not waited for.
func (c *Client) greet(ctx context.Context, b Browser, e *greeter, g greeting) (*seals, welcome, error) {
	var none welcome
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	text, err := json.Marshal(g)
	if err != nil {
		return nil, none, err
	}
	sub, err := c.wire.nc.SubscribeSync(inbox(g))
	if err != nil {
		return nil, none, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := c.wire.nc.PublishRequest(hostSubjects+b.Host+".open", inbox(g), text); err != nil {
		return nil, none, &Error{Text: "the connection to NATS is lost", Hint: "try again in a moment"}
	}
	for {
		m, err := c.next(ctx, sub)
		switch {
		case errors.Is(err, errSilent):
			if err := c.wire.denied(); err != nil {
				return nil, none, err
			}
			there, same := c.stands(ctx, b)
			switch {
			case !there:
				return nil, none, &Error{Text: b.Machine + " is away", Hint: "try again in a moment, or " + another}
			case !same:
				return nil, none, refusal(refusedEpoch, b)
			}
			// NATS says whether somebody hears it; the host passes it over.
			if err := c.wire.nc.PublishRequest(hostSubjects+b.Host+".open", inbox(g), nil); err != nil {
				return nil, none, &Error{Text: "the connection to NATS is lost", Hint: "try again in a moment"}
			}
			continue
		case errors.Is(err, nats.ErrNoResponders), err == nil && m.Header.Get("Status") == "503":
			return nil, none, &Error{Text: b.Machine + " is away", Hint: "try again in a moment, or " + another}
		case errors.Is(err, context.DeadlineExceeded):
			return nil, none, &Error{Text: b.Machine + " does not answer", Hint: "try again in a moment, or " + another}
		case err != nil:
			return nil, none, err
		}
		var r reply
		if json.Unmarshal(m.Data, &r) != nil {
			continue
		}
		if r.Refused != "" {
			return nil, none, refusal(r.Refused, b)
		}
		if seals, w, err := e.hear(r); err == nil {
			return seals, w, nil
		}
	}
}

// errSilent says that nothing came for a while.
var errSilent = errors.New("nothing came")

// next returns the next message, or errSilent after a moment without one.
func (c *Client) next(ctx context.Context, sub *nats.Subscription) (*nats.Msg, error) {
	wait, cancel := context.WithTimeout(ctx, min(maxBeat, c.grace/8))
	defer cancel()
	m, err := sub.NextMsgWithContext(wait)
	if wait.Err() != nil && ctx.Err() == nil && m == nil {
		return nil, errSilent
	}
	return m, err
}

// startedAnew says that a host has started anew since it was found.
type startedAnew struct{ says *Error }

func (e startedAnew) Error() string { return e.says.Error() }
func (e startedAnew) Unwrap() error { return e.says }

// Why a host refuses in the open.
const (
	refusedInvite = "invite"
	refusedEpoch  = "epoch"
)

func refusal(why string, b Browser) error {
	switch why {
	case refusedInvite:
		return &Error{Text: fmt.Sprintf("%s does not know this machine's invite", b.Machine), Hint: "it was revoked, or is another machine's: ask its owner for a new one"}
	case refusedEpoch:
		return startedAnew{&Error{Text: fmt.Sprintf("%s has just started anew", b.Machine), Hint: "try again"}}
	}
	return &Error{Text: fmt.Sprintf("%s refused the session", b.Machine), Hint: "try again in a moment"}
}
