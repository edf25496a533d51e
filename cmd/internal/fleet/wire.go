package fleet

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Options say how NATS is reached.
type Options struct {
	URL   string // of servers, separated by commas
	Creds string // a file with a JWT and its seed, or with an nkey's seed; empty for none
	CA    string // a file with the certificates of the authority that signed the servers'; empty for the system's
	Name  string // as the operator of NATS sees it
	inbox string // where answers go, as far as this end may listen
}

const (
	dialLimit = 5 * time.Second
	// maxWaiting is how many bytes of one session may wait to be opened; more are
	// dropped, and asked for again if they were true.
	maxWaiting = 4 * window
	// minPayload is the least that a server must carry at once, in bytes; greetings
	// have to fit.
	minPayload = 8 << 10
)

// wire is a connection to NATS, which comes back by itself.
type wire struct {
	nc *nats.Conn

	// mu guards the following.
	mu   sync.Mutex
	back map[*Link]struct{} // those that are told when it is back
}

// dial connects. Off loopback it speaks TLS or not at all.
func dial(o Options) (*wire, error) {
	w := &wire{back: map[*Link]struct{}{}}
	options := []nats.Option{
		nats.Name(o.Name), nats.Timeout(dialLimit), nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 500*time.Millisecond),
		nats.ReconnectBufSize(-1), // links send again what did not go out
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectHandler(func(*nats.Conn) { w.resume() }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // drops are counted and made good
		nats.IgnoreAuthErrorAbort(),                                       // what is refused today may be allowed again
		nats.NoEcho(), nats.CustomInboxPrefix(o.inbox),
	}
	far, err := offLoopback(o.URL)
	if err != nil {
		return nil, err
	}
	if far {
		config, err := o.tls()
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Secure(config))
	} else {
		options = append(options, nats.IgnoreDiscoveredServers())
	}
	way := &noting{dialer: net.Dialer{Timeout: dialLimit}}
	options = append(options, nats.SetCustomDialer(way))
	if o.Creds != "" {
		with, err := credentials(o.Creds)
		if err != nil {
			return nil, err
		}
		options = append(options, with)
	}
	if w.nc, err = nats.Connect(o.URL, options...); err != nil {
		return nil, explained(o.URL, err, way.failed())
	}
	if most := w.nc.MaxPayload(); most < minPayload {
		w.close()
		return nil, fmt.Errorf("the NATS server at %s carries messages of %d bytes at most: set max_payload there to %d or more", redacted(o.URL), most, minPayload)
	}
	return w, nil
}

// noting is how NATS dials; it keeps why that failed, which nats.Connect does not say.
type noting struct {
	dialer net.Dialer

	// mu guards the following.
	mu   sync.Mutex
	last error
}

// Dial opens a connection.
func (n *noting) Dial(network, address string) (net.Conn, error) {
	c, err := n.dialer.Dial(network, address)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = err
	return c, err
}

func (n *noting) failed() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.last
}

// explained says what to do about a NATS that cannot be reached; dialed is why no
// connection was made, if that is why.
func explained(url string, err, dialed error) error {
	where := "the NATS server at " + redacted(url)
	var invalid x509.CertificateInvalidError
	var other x509.HostnameError
	switch {
	case errors.Is(err, nats.ErrSecureConnRequired), errors.Is(err, nats.ErrSecureConnWanted):
		return &Error{Text: where + " does not offer TLS, which is required beyond this machine", Flag: "add tls { … } to its configuration, or use nats://127.0.0.1 if it runs here"}
	case errors.Is(err, nats.ErrAuthExpired):
		return &Error{Text: where + " says that these credentials have expired", Flag: "give others with --creds or --fleet-creds, and see that both machines' clocks are right"}
	case errors.Is(err, nats.ErrAuthorization):
		return &Error{Text: where + " refuses these credentials", Flag: "give others with --creds or --fleet-creds"}
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return &Error{Text: "the certificate of " + where + " is signed by an unknown authority", Flag: "name that authority's certificate with --ca or --fleet-ca"}
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return &Error{Text: "the certificate of " + where + " is not valid now", Flag: "renew it, or correct this machine's clock"}
	case errors.As(err, &other):
		return &Error{Text: "the certificate of " + where + " is for another name", Flag: "use that name in --nats or --fleet, or give the server a certificate for this one"}
	case errors.Is(err, nats.ErrNoServers) && dialed != nil:
		err = dialed
	}
	return &Error{Text: fmt.Sprintf("%s cannot be reached: %v", where, err), Flag: "start it, or correct --nats or --fleet"}
}

// denied is what the server last said that these credentials may not do; nil for
// nothing.
func (w *wire) denied() error {
	err := w.nc.LastError()
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return nil
	}
	return &Error{Text: "the NATS server does not let these credentials do what is needed: " + err.Error(), Hint: another,
		Flag: "allow their user what `tabrelay fleet permissions` prints on this machine"}
}

// redacted names the servers of a list of addresses, without passwords.
func redacted(list string) string {
	var all []string
	for one := range strings.SplitSeq(list, ",") {
		if u, err := url.Parse(strings.TrimSpace(one)); err == nil && u.Host != "" {
			all = append(all, u.Host)
		}
	}
	return cmp.Or(strings.Join(all, ","), "that address")
}

// offLoopback reports whether any of the servers is not on this machine.
func offLoopback(list string) (bool, error) {
	far := false
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		if !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		u, err := url.Parse(one)
		if err != nil || u.Hostname() == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return false, fmt.Errorf("%q is not an address of a NATS server, such as nats://127.0.0.1:4222 or tls://nats.example.com", redacted(one))
		}
		ip := net.ParseIP(u.Hostname())
		far = far || u.Scheme != "nats" || u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())
	}
	return far, nil
}

func (o Options) tls() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CA == "" {
		return config, nil
	}
	text, err := os.ReadFile(o.CA)
	if err != nil {
		return nil, err
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate", o.CA)
	}
	return config, nil
}

// credentials reads a file of either kind.
func credentials(file string) (nats.Option, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(text, []byte("BEGIN NATS USER JWT")) {
		return nats.UserCredentials(file), nil
	}
	with, err := nats.NkeyOptionFromSeed(file)
	if err != nil {
		return nil, fmt.Errorf("%s holds neither NATS credentials nor the seed of an nkey", file)
	}
	return with, nil
}

// resume tells each link that the way is back.
func (w *wire) resume() {
	w.mu.Lock()
	var all []*Link
	for l := range w.back {
		all = append(all, l)
	}
	w.mu.Unlock()
	for _, l := range all {
		l.resume()
	}
}

// carry makes a subject lead to a link until it ends. Each has a queue of its
// own, so that a flood on one session is that session's alone.
func (w *wire) carry(subject string, l *Link) error {
	sub, err := w.nc.Subscribe(subject, func(m *nats.Msg) { l.deliver(m.Data) })
	if err != nil {
		return err
	}
	_ = sub.SetPendingLimits(-1, maxWaiting)
	w.mu.Lock()
	w.back[l] = struct{}{}
	w.mu.Unlock()
	context.AfterFunc(l.ctx, func() {
		_ = sub.Unsubscribe()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.back, l)
	})
	return nil
}

// hear calls take with each message on a subject until ctx ends.
func (w *wire) hear(ctx context.Context, subject, queue string, take func(*nats.Msg)) error {
	sub, err := w.nc.QueueSubscribe(subject, queue, take)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _ = sub.Unsubscribe() })
	if err := w.nc.FlushTimeout(dialLimit); err != nil {
		return err
	}
	return w.denied()
}

// chunk is how much of a message goes into one record, in bytes.
func (w *wire) chunk() int {
	return min(maxChunk, int(w.nc.MaxPayload())-overhead)
}

func (w *wire) close() { w.nc.Close() }
