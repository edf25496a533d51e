package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// counted is the address of an echo, and how many sessions were given it and not
// taken back.
type counted struct{ now, most atomic.Int64 }

func (n *counted) dial(browser string) func(context.Context, string, string) (string, func(), error) {
	return func(context.Context, string, string) (string, func(), error) {
		for now := n.now.Add(1); ; {
			if most := n.most.Load(); now <= most || n.most.CompareAndSwap(most, now) {
				return browser, func() { n.now.Add(-1) }, nil
			}
		}
	}
}

// crowd has as many agents as are asked for look for a browser and only then, all at
// once, take one; it returns the sessions, and why others had none.
func crowd(t *testing.T, c *Client, agents int, name string) (links []*Link, refused []error) {
	t.Helper()
	var mu sync.Mutex
	var looked, working sync.WaitGroup
	looked.Add(agents)
	for n := range agents {
		working.Go(func() {
			list, err := c.Find(t.Context(), name)
			looked.Done()
			looked.Wait() // what they saw is old now
			var l *Link
			if err == nil {
				_, l, err = c.enter(t.Context(), name, list, fmt.Sprint("agent", n))
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				refused = append(refused, err)
				return
			}
			t.Cleanup(func() { l.Close(1000, "") })
			links = append(links, l)
		})
	}
	working.Wait()
	return links, refused
}

// TestB101ManyAskAtOnce holds that agents which ask for a label at one moment all get a
// place while there is one, and no host more than it has; that those of a host that
// dies meanwhile get one elsewhere; and that places are free again when sessions end.
func TestB101ManyAskAtOnce(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	browser := echo(t)
	var taken [2]counted
	var hosts []*Host
	for n, machine := range []string{"attic", "cellar"} {
		hosts = append(hosts, newHost(t, url, browser, func(o *Offer) { o.Machine, o.Capacity, o.Dial = machine, 5, taken[n].dial(browser) }))
	}
	c := newClient(t, url, hosts...)
	for range 3 {
		links, refused := crowd(t, c, 10, "label:eu")
		if len(links) != 10 {
			t.Fatalf("%d of 10 have a place; others: %v", len(links), errors.Join(refused...))
		}
		for n, l := range links {
			l.says(t, fmt.Sprint("session ", n))
		}
		for n := range taken {
			if now, most := taken[n].now.Load(), taken[n].most.Load(); now != 5 || most != 5 {
				t.Errorf("%s has %d sessions, and had %d", hosts[n].Machine, now, most)
			}
		}
		if links, refused := crowd(t, c, 2, "label:eu"); len(links) != 0 || len(refused) != 2 {
			t.Errorf("%d have a place where there is none", len(links))
		} else {
			var says *Error
			if !errors.As(refused[0], &says) || says.Hint == "" {
				t.Error("it is not said what to do:", refused[0])
			}
		}
		for _, l := range links {
			l.Close(1000, "")
		}
		eventually(t, "all places are free", func() bool { return taken[0].now.Load()+taken[1].now.Load() == 0 })
		eventually(t, "the directory says so", func() bool {
			list, err := c.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return len(list) == 2 && list[0].Free == 5 && list[1].Free == 5
		})
	}
}

// TestB101HostDiesMeanwhile holds that nobody waits for a host that dies before it
// answers, and that who finds it in the directory still gets a place on another.
func TestB101HostDiesMeanwhile(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	browser := echo(t)
	lives := newHost(t, url, browser, func(o *Offer) { o.Capacity = 5 })
	asked := make(chan struct{}, 1)
	dies := newHost(t, url, browser, func(o *Offer) {
		o.Machine, o.Capacity = "cellar", 10 // which is chosen first
		o.Dial = func(ctx context.Context, _, _ string) (string, func(), error) {
			asked <- struct{}{}
			<-ctx.Done() // a browser that starts, until this host is gone
			return "", func() {}, ctx.Err()
		}
	})
	c := newClient(t, url, lives, dies)
	list, err := c.Find(t.Context(), "label:eu")
	if err != nil || len(list) != 2 || list[0].Machine != "cellar" {
		t.Fatal(list, err)
	}
	go func() { // ends with the greeting
		<-asked
		dies.wire.close()
	}()
	if _, err := c.open(t.Context(), list[0], "claude"); err == nil || !strings.Contains(err.Error(), "cellar is away") {
		t.Error("of a host that is gone it is said:", err)
	}
	links, refused := crowd(t, c, 5, "label:eu")
	if len(links) != 5 {
		t.Fatalf("%d of 5 have a place; others: %v", len(links), errors.Join(refused...))
	}
	for n, l := range links {
		l.says(t, fmt.Sprint("session ", n))
	}
}
