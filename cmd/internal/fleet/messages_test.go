package fleet

import (
	"context"
	"crypto/tls"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// TestErrorsSayWhatToDo holds that what an operator may get wrong is called by its
// name, with what to do about it.
func TestErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	with := func(ca string, c tls.Certificate) (url, file string) {
		url = newNATS(t, func(o *server.Options) { o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{c}} }).ClientURL()
		return strings.Replace(url, "nats:", "tls:", 1), ca
	}
	plain := newNATS(t).ClientURL()
	secured, ca := with(newCertificate(t))
	expired, expiredCA := with(newCertificate(t, time.Now().Add(-time.Hour)))
	without := newNATS(t, func(o *server.Options) { o.JetStream = false }).ClientURL()
	limited := newNATS(t, func(o *server.Options) {
		none := &server.SubjectPermission{Deny: []string{">"}}
		o.Users = []*server.User{{Username: "one", Password: "secret", Permissions: &server.Permissions{Publish: none}}}
	}).ClientURL()
	closed := newNATS(t)
	closedURL := closed.ClientURL()
	closed.Shutdown()
	junk := filepath.Join(t.TempDir(), "junk")
	if err := os.WriteFile(junk, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	user := strings.Replace(limited, "nats://", "nats://one:secret@", 1)
	for name, c := range map[string]struct {
		options Options
		offers  bool
		want    []string
	}{
		"nobody listens":        {Options{URL: closedURL}, false, []string{"refused", "start it, or correct --nats or --fleet"}},
		"no address":            {Options{URL: "http://127.0.0.1:4222"}, false, []string{"is not an address of a NATS server"}},
		"no TLS":                {Options{URL: strings.Replace(plain, "nats:", "tls:", 1)}, false, []string{"does not offer TLS", "add tls"}},
		"unknown authority":     {Options{URL: secured}, false, []string{"unknown authority", "--ca or --fleet-ca"}},
		"expired certificate":   {Options{URL: expired, CA: expiredCA}, false, []string{"is not valid now", "clock"}},
		"another name":          {Options{URL: strings.Replace(secured, "127.0.0.1", "localhost", 1), CA: ca}, false, []string{"for another name", "use that name"}},
		"no credentials":        {Options{URL: limited}, false, []string{"refuses these credentials", "--creds or --fleet-creds"}},
		"wrong credentials":     {Options{URL: strings.Replace(user, "secret", "guess", 1)}, false, []string{"refuses these credentials"}},
		"no credentials' file":  {Options{URL: plain, Creds: junk}, false, []string{"neither NATS credentials nor the seed"}},
		"no certificate's file": {Options{URL: secured, CA: junk}, false, []string{"holds no certificate"}},
		"agents, no JetStream":  {Options{URL: without}, false, []string{"no JetStream", "add jetstream"}},
		"host, no JetStream":    {Options{URL: without}, true, []string{"no JetStream", "add jetstream"}},
		"agents, not allowed":   {Options{URL: user}, false, []string{"does not let these credentials", "tabrelay fleet permissions"}},
		"host, not allowed":     {Options{URL: user}, true, []string{"does not let these credentials", "tabrelay fleet permissions"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tried(t.Context(), c.options, t.TempDir(), c.offers)
			if err == nil {
				t.Fatal("it works")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q lacks %q", err, part)
				}
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "guess") {
				t.Errorf("%q holds a password", err)
			}
		})
	}
}

// tried is what a person is told who offers browsers, or looks for them.
func tried(ctx context.Context, o Options, dir string, offers bool) error {
	if offers {
		h, err := NewHost(ctx, Offer{Options: o, Dir: dir, Machine: "attic", Capacity: 1, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			h.wire.close()
		}
		return err
	}
	c, err := Join(o, dir, 0)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.List(ctx)
	return err
}
