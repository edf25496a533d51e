package fleet

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// spy hears everything on NATS and may say anything there, as its operator can.
type spy struct {
	nc *nats.Conn

	// mu guards the following.
	mu   sync.Mutex
	seen []*nats.Msg
	more chan struct{}
}

func newSpy(t testing.TB, url string) *spy {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	s := &spy{nc: nc, more: make(chan struct{}, 1)}
	if _, err := nc.Subscribe(">", func(m *nats.Msg) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen = append(s.seen, m)
		select {
		case s.more <- struct{}{}:
		default:
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	return s
}

// sees waits for a message on a subject with a part and a kind, and returns the
// first.
func (s *spy) sees(t testing.TB, part string, kind byte) *nats.Msg {
	t.Helper()
	limit := time.After(waitLimit)
	for {
		s.mu.Lock()
		for _, m := range s.seen {
			if strings.Contains(m.Subject, part) && (kind == 0 || len(m.Data) > 0 && m.Data[0] == kind) {
				s.mu.Unlock()
				return m
			}
		}
		s.mu.Unlock()
		select {
		case <-s.more:
		case <-limit:
			t.Fatalf("nothing was seen on %s", part)
		}
	}
}

// count returns how many sessions a host has, and how many greetings it keeps.
func (h *Host) count() (sessions, kept int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.sessions), len(h.seen)
}

// TestB101WhoeverIsNotInvitedStaysOut tries what somebody can who may say and hear
// everything on NATS.
func TestB101WhoeverIsNotInvitedStaysOut(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	s := newSpy(t, url)
	h := newHost(t, url, echo(t))
	c := newClient(t, url, h)
	l := c.begin(t, "work@attic")
	l.says(t, "the person's password")
	refused := func() int64 { return h.counts.refused.Load() }

	// The operator reads nothing.
	greeted, record := s.sees(t, ".open", 0), s.sees(t, ".s.", recordData)
	s.mu.Lock()
	for _, m := range s.seen {
		for _, word := range []string{"password", "claude", "cellar"} {
			if bytes.Contains(m.Data, []byte(word)) {
				t.Errorf("%s says %s", m.Subject, word)
			}
		}
	}
	s.mu.Unlock()

	// A greeting that is sent again opens nothing, and a reply goes to no other subject.
	// Those that are made up are not kept. The host takes one after the other, so that
	// it has refused them when another session begins.
	before := refused()
	elsewhere, err := s.nc.SubscribeSync("elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.nc.PublishRequest(greeted.Subject, "elsewhere", greeted.Data); err != nil {
		t.Fatal(err)
	}
	var made greeting
	if err := json.Unmarshal(greeted.Data, &made); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		_, _ = rand.Read(made.Key)
		text, _ := json.Marshal(made)
		_ = s.nc.Publish(greeted.Subject, text)
	}
	if err := s.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	other := c.begin(t, "work@attic")
	sessions, kept := h.count()
	if n, _, _ := elsewhere.Pending(); n != 0 || refused() != before+101 || sessions != 2 || kept != 2 {
		t.Errorf("%d replies elsewhere, %d refused, %d sessions, %d greetings kept", n, refused()-before, sessions, kept)
	}

	// Records that are sent again, changed or made up reach no browser; the session
	// goes on, and so does another beside it. They come before what the agent says
	// later.
	before, again := refused(), h.counts.repeated.Load()
	forged := bytes.Clone(record.Data)
	forged[8] = 200 // another number
	for range 3_000 {
		_ = s.nc.Publish(record.Subject, record.Data)
		_ = s.nc.Publish(record.Subject, forged)
	}
	if err := s.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	other.says(t, "beside a flood")
	l.says(t, "in a flood")
	if forged, repeated := refused()-before, h.counts.repeated.Load()-again; forged < 3_000 || repeated < 3_000 {
		t.Errorf("%d forged records were refused, %d repeated ones dropped", forged, repeated)
	}

	// What an agent says in one session is nothing in another.
	before = refused()
	s.mu.Lock()
	var subjects []string
	for _, m := range s.seen {
		if strings.Contains(m.Subject, ".s.") && m.Subject != record.Subject && !slices.Contains(subjects, m.Subject) {
			subjects = append(subjects, m.Subject)
		}
	}
	s.mu.Unlock()
	again = h.counts.repeated.Load()
	for _, subject := range subjects {
		_ = s.nc.Publish(subject, record.Data)
		_ = s.nc.Publish(subject, forged)
	}
	if err := s.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	other.says(t, "beside another's words")
	if n := refused() - before; len(subjects) != 1 || n+h.counts.repeated.Load()-again != 2 || n < 1 {
		t.Errorf("of another session's records on %d subjects %d were refused", len(subjects), n)
	}

	// What the host sent is not taken for the agent's.
	_ = s.nc.Publish(record.Subject, s.sees(t, agentSubjects, recordData).Data)
	l.says(t, "after a reflection")
}

// TestB101EntriesAreNotBelieved holds that nobody puts another's browser into the
// directory, nor a name that breaks a line, and that who invited this machine comes
// before who calls itself the same.
func TestB101EntriesAreNotBelieved(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	h := newHost(t, url, echo(t))
	c := newClient(t, url, h)
	double := newHost(t, url, echo(t), func(o *Offer) { o.Open, o.Capacity = true, 1000 })
	put := func(key string, b Browser) {
		t.Helper()
		text, err := json.Marshal(b)
		if err == nil {
			err = double.wire.ask(t.Context(), entries+key, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	stolen := h.offered()[0]
	stolen.Epoch, stolen.Free = "another", 5000
	put("attic.stolen."+double.id, stolen)
	ugly := double.offered()[0]
	ugly.Name = "work\x1b[2J"
	put(ugly.key(), ugly)
	long := double.offered()[0]
	long.Name, long.Labels = "long", []string{strings.Repeat("long", 100)}
	put(long.key(), long)
	if err := double.wire.put(t.Context(), double.offered()[0]); err != nil {
		t.Fatal(err)
	}
	list, err := c.List(t.Context())
	if err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
	if list, err = c.Find(t.Context(), "work@attic"); err != nil || len(list) != 2 || list[0].Host != h.id {
		t.Errorf("%v, %v", list, err)
	}
}

// TestB101InvitesEnd holds that an invite is one machine's, and ends.
func TestB101InvitesEnd(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	h := newHost(t, url, echo(t))
	c := newClient(t, url, h)
	l := c.begin(t, "work@attic")
	thief := newClient(t, url)
	steal := func() {
		t.Helper()
		book, err := ReadBook(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := change(thief.dir, func(b *Book) error { b.Hosts = book.Hosts; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(c *Client, want string) {
		t.Helper()
		list, err := c.Find(t.Context(), "work@attic")
		if err == nil {
			_, err = c.open(t.Context(), list[0], "claude")
		}
		var says *Error
		if !errors.As(err, &says) || !strings.Contains(says.Text, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	refused(thief, "has no invite to attic")
	steal()
	refused(thief, "does not know this machine's invite")
	if err := Revoke(h.Dir, "cellar"); err != nil {
		t.Fatal(err)
	}
	h.audit()
	if _, err := l.Read(); !strings.Contains(ended(err).Reason, "revoked") {
		t.Error(err)
	}
	refused(c, "does not know this machine's invite")
	refused(thief, "does not know this machine's invite")
}

// TestB101AccountsSeeTheirOwn holds that NATS keeps accounts apart, and that the
// permissions that are written out are enough and no more.
func TestB101AccountsSeeTheirOwn(t *testing.T) {
	t.Parallel()
	hostDir, agentDir := t.TempDir(), t.TempDir()
	user := func(name, dir string, offers bool, a *server.Account) *server.User {
		p, err := Permit(dir, offers)
		if err != nil {
			t.Fatal(err)
		}
		return &server.User{Username: name, Password: "p", Account: a, Permissions: &server.Permissions{
			Publish: &server.SubjectPermission{Allow: p.Publish}, Subscribe: &server.SubjectPermission{Allow: p.Subscribe}}}
	}
	ours, theirs := server.NewAccount("ours"), server.NewAccount("theirs")
	s := newNATS(t, func(o *server.Options) {
		o.Accounts = []*server.Account{ours, theirs}
		o.Users = []*server.User{
			user("host", hostDir, true, ours), user("agent", agentDir, false, ours), user("agent2", t.TempDir(), false, ours),
			{Username: "stranger", Password: "p", Account: theirs},
		}
	})
	for _, name := range []string{"ours", "theirs"} {
		a, err := s.LookupAccount(name)
		if err == nil {
			err = a.EnableJetStream(nil, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	as := func(who string) string { return strings.Replace(s.ClientURL(), "://", "://"+who+":p@", 1) }
	h := newHost(t, as("host"), echo(t), func(o *Offer) { o.Dir = hostDir })
	text, err := NewInvite(hostDir, "attic", "cellar")
	if err == nil {
		_, err = Accept(agentDir, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	join := func(who, dir string) *Client {
		c, err := Join(Options{URL: as(who)}, dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	c := join("agent", agentDir)
	l := c.begin(t, "work@attic")
	l.says(t, "within the permissions")
	if _, err := join("stranger", agentDir).Find(t.Context(), "work@attic"); err == nil {
		t.Error("another account sees the browser")
	}
	nosy, err := nats.Connect(as("agent2"))
	if err != nil {
		t.Fatal(err)
	}
	defer nosy.Close()
	denied := make(chan struct{}, 4)
	nosy.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			denied <- struct{}{}
		}
	})
	forged, _ := json.Marshal(Browser{Name: "work", Machine: "attic"})
	_, _ = nosy.SubscribeSync(c.wire.nc.NewInbox())
	_, _ = nosy.SubscribeSync(hostSubjects + ">")
	_ = nosy.Publish(entries+"attic.work."+h.id, forged)
	_ = nosy.Publish(agentSubjects+"x", nil)
	limit := time.After(waitLimit)
	for n := range 4 {
		select {
		case <-denied:
		case <-limit:
			t.Fatalf("only %d of what others may not was denied", n)
		}
	}
	l.says(t, "still")
}

// TestTLSIsDemanded holds that off loopback nothing is said in the clear.
func TestTLSIsDemanded(t *testing.T) {
	t.Parallel()
	for url, far := range map[string]bool{
		"nats://127.0.0.1:4222": false, "localhost:4222": false, "nats://[::1]:4222": false, "nats://127.0.0.1,nats://example.com": true,
		"nats://example.com:4222": true, "10.0.0.1": true, "tls://127.0.0.1": true,
	} {
		if got, err := offLoopback(url); err != nil || got != far {
			t.Errorf("%s: %v, %v", url, got, err)
		}
	}
	plain := newNATS(t).ClientURL()
	if _, err := Join(Options{URL: strings.Replace(plain, "nats://", "tls://", 1)}, t.TempDir(), 0); err == nil || !strings.Contains(err.Error(), "does not offer TLS") {
		t.Error(err)
	}
	ca, certificate := newCertificate(t)
	secure := newNATS(t, func(o *server.Options) {
		o.TLSConfig, o.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}, true
	})
	url := strings.Replace(secure.ClientURL(), "nats://", "tls://", 1)
	if _, err := Join(Options{URL: url}, t.TempDir(), 0); err == nil || !strings.Contains(err.Error(), "an unknown authority") {
		t.Error(err)
	}
	newHost(t, url, echo(t), func(o *Offer) { o.CA = ca; o.Open = true })
	c, err := Join(Options{URL: url, CA: ca}, t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	c.begin(t, "work@attic").says(t, "over TLS")
}
