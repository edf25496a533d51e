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
	if o.Creds != "" {
		with, err := credentials(o.Creds)
		if err != nil {
			return nil, err
		}
		options = append(options, with)
	}
	if w.nc, err = nats.Connect(o.URL, options...); err != nil {
		return nil, explained(o.URL, err)
	}
	if most := w.nc.MaxPayload(); most < minPayload {
		w.close()
		return nil, fmt.Errorf("the NATS server at %s carries messages of %d bytes at most: set max_payload there to %d or more", redacted(o.URL), most, minPayload)
	}
	return w, nil
}

// explained says what to do about a NATS that cannot be reached.
func explained(url string, err error) error {
	where := redacted(url)
	switch {
	case errors.Is(err, nats.ErrSecureConnRequired), errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("the NATS server at %s does not offer TLS, which is required beyond this machine", where)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired):
		return &Error{Text: fmt.Sprintf("the NATS server at %s refuses these credentials", where), Flag: "give others with --creds or --fleet-creds"}
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return &Error{Text: fmt.Sprintf("the certificate of the NATS server at %s is signed by an unknown authority", where), Flag: "name that authority's certificate with --ca or --fleet-ca"}
	}
	return fmt.Errorf("the NATS server at %s cannot be reached: %w", where, err)
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
		if err != nil || u.Hostname() == "" {
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
	return w.nc.FlushTimeout(dialLimit)
}

// chunk is how much of a message goes into one record, in bytes.
func (w *wire) chunk() int {
	return min(maxChunk, int(w.nc.MaxPayload())-overhead)
}

func (w *wire) close() { w.nc.Close() }
