package fleet

import (
	"bytes"
	"crypto/ecdh"
	crypto "crypto/rand"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// newSeals are the two ends of a session, after they have greeted.
func newSeals(t testing.TB) (agent, host *seals) {
	t.Helper()
	key := func() *ecdh.PrivateKey {
		k, err := ecdh.X25519().GenerateKey(crypto.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	a, h, secret := key(), key(), []byte("secret of the invite")
	e, g, err := greet(a, Browser{Key: h.PublicKey().Bytes(), Epoch: "epoch"}, "invite", secret, hello{Name: "claude"})
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range [][]byte{nil, []byte("another secret")} {
		if _, _, err := g.hear(h, other); err == nil {
			t.Fatal("a greeting was opened without its secret")
		}
	}
	agreed, said, err := g.hear(h, secret)
	if err != nil || said.Name != "claude" {
		t.Fatal(said, err)
	}
	host, r, err := agreed.reply(g, said, secret, welcome{})
	if err != nil {
		t.Fatal(err)
	}
	bad := r
	bad.Key = key().PublicKey().Bytes()
	if _, _, err := e.hear(bad); err == nil {
		t.Fatal("another's reply was taken")
	}
	if agent, _, err = e.hear(r); err != nil {
		t.Fatal(err)
	}
	return agent, host
}

// lane carries records one way, and loses some, repeats some and turns some around
// while it is bad.
func lane(t testing.TB, to func() *Link, seed uint64, bad int) func([]byte) error {
	records := make(chan []byte, 1<<14)
	go func() { // ends with the test
		chance := rand.New(rand.NewPCG(seed, 0))
		var late []byte
		for {
			var r []byte
			select {
			case r = <-records:
			case <-t.Context().Done():
				return
			}
			if bad--; bad > 0 {
				switch chance.IntN(8) {
				case 0:
					continue
				case 1:
					to().deliver(r)
				case 2:
					late, r = r, late
				}
			}
			if r != nil {
				to().deliver(bytes.Clone(r))
			}
		}
	}()
	return func(r []byte) error { records <- r; return nil }
}

// TestLinkLosesNothing holds that messages come whole, once and in order, whatever
// becomes of records.
func TestLinkLosesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			one, two := newSeals(t)
			var c counts
			var a, b *Link
			ready := make(chan struct{})
			to := func(l **Link) func() *Link { return func() *Link { <-ready; return *l } }
			a = newLink(one, lane(t, to(&b), seed, 400), 4<<10, time.Minute, &c, nil)
			b = newLink(two, lane(t, to(&a), seed+100, 400), 4<<10, time.Minute, &c, nil)
			close(ready)
			chance := rand.New(rand.NewPCG(seed, 1))
			var messages [][]byte
			for n := range 200 {
				messages = append(messages, bytes.Repeat(fmt.Appendf(nil, "%d:%d ", n, chance.Uint64()), 1<<chance.IntN(12)))
			}
			ended := make(chan error, 4)
			for _, pair := range [][2]*Link{{a, b}, {b, a}} {
				go func() {
					for _, m := range messages {
						if err := pair[0].Write(m); err != nil {
							ended <- err
							return
						}
					}
					ended <- nil
				}()
				go func() {
					for n, m := range messages {
						got, err := pair[1].Read()
						if err != nil || !bytes.Equal(got, m) {
							ended <- fmt.Errorf("message %d: %d bytes, want %d: %v", n, len(got), len(m), err)
							return
						}
					}
					ended <- nil
				}()
			}
			for range 4 {
				select {
				case err := <-ended:
					if err != nil {
						t.Error(err)
					}
				case <-time.After(2 * waitLimit):
					t.Fatal("messages are missing")
				}
			}
			a.Close(1000, "done")
			b.Close(1000, "done")
		})
	}
}

// TestSlowReaderSlowsItsSender holds that no more is under way than the window.
func TestSlowReaderSlowsItsSender(t *testing.T) {
	t.Parallel()
	one, two := newSeals(t)
	var c counts
	var a, b *Link
	ready := make(chan struct{})
	a = newLink(one, lane(t, func() *Link { <-ready; return b }, 0, 0), maxChunk, time.Minute, &c, nil)
	b = newLink(two, lane(t, func() *Link { <-ready; return a }, 0, 0), maxChunk, time.Minute, &c, nil)
	close(ready)
	message := make([]byte, 4*window) // random bytes do not get smaller
	_, _ = crypto.Read(message)
	written := make(chan error, 1)
	go func() { written <- a.Write(message) }()
	a.mu.Lock()
	for a.flown+maxChunk+1 <= window {
		a.mu.Unlock()
		select {
		case err := <-written:
			t.Fatalf("all was written, and nobody read: %v", err)
		default:
		}
		a.mu.Lock()
	}
	if a.flown > window {
		t.Errorf("%d bytes are under way", a.flown)
	}
	a.mu.Unlock()
	if got, err := b.Read(); err != nil || !bytes.Equal(got, message) {
		t.Fatal(len(got), err)
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	a.Close(1000, "done")
	if _, err := b.Read(); ended(err) != (Ended{1000, "done"}) {
		t.Error(err)
	}
}

// TestOtherEndIsNotBelieved holds that no end makes the other keep more than the
// window, whatever it claims.
func TestOtherEndIsNotBelieved(t *testing.T) {
	t.Parallel()
	one, two := newSeals(t)
	var c counts
	deaf := func([]byte) error { return nil }
	l := newLink(one, deaf, maxChunk, time.Minute, &c, nil)
	state := make([]byte, 25)
	for n := range 24 {
		state[n] = 255
	}
	l.deliver(two.seal(recordState, 1, state))
	if l.limit != window || l.states != 1 {
		t.Errorf("%d bytes may be under way", l.limit)
	}
	l.deliver(two.seal(recordData, 1, nil))
	if _, err := l.Read(); ended(err).Code != 1009 {
		t.Error("a record without a body:", err)
	}
	l = newLink(one, deaf, maxChunk, time.Minute, &c, nil)
	l.deliver(two.seal(recordEnd, 1, []byte("\x03\xe8"+strings.Repeat("ä", 200))))
	if _, err := l.Read(); ended(err) != (Ended{1000, strings.Repeat("ä", 60)}) {
		t.Error(err)
	}
}

// TestSilentEndIsGivenUp holds that an end that is not heard of ends the session.
func TestSilentEndIsGivenUp(t *testing.T) {
	t.Parallel()
	one, _ := newSeals(t)
	var c counts
	l := newLink(one, func([]byte) error { return nil }, maxChunk, 80*time.Millisecond, &c, nil)
	if _, err := l.Read(); ended(err).Code != codeLost {
		t.Error(err)
	}
}
