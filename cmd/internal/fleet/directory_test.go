package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"
)

// TestB101LabelsPlaceSessions holds that a label leads to the browser with most free
// places of those that have it, on whichever of three machines, and to no other.
func TestB101LabelsPlaceSessions(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	var hosts []*Host
	for _, m := range []struct {
		machine, label string
		capacity       int
	}{{"attic", "eu", 3}, {"cellar", "eu", 1}, {"tower", "us", 2}} {
		hosts = append(hosts, newHost(t, url, echo(t), func(o *Offer) { o.Machine, o.Labels, o.Capacity = m.machine, []string{m.label}, m.capacity }))
	}
	c := newClient(t, url, hosts...)
	free := func(machine string) (n int) {
		list, err := c.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range list {
			if b.Machine == machine {
				n = b.Free
			}
		}
		return n
	}
	eventually(t, "all machines are listed", func() bool { return free("attic") == 3 && free("cellar") == 1 && free("tower") == 2 })
	places := map[string]int{"attic": 3, "cellar": 1, "tower": 2}
	var first *Link
	for n, p := range []struct{ label, machine string }{
		{"EU", "attic"}, {"eu", "attic"}, {"us", "tower"}, {"eu", ""}, {"eu", ""}, {"chromium", "tower"},
	} {
		list, err := c.Find(t.Context(), "label:"+p.label)
		if err != nil || p.machine != "" && list[0].Machine != p.machine {
			t.Fatalf("%d: %s leads to %+v, %v", n, p.label, list, err)
		}
		for i := range list[1:] {
			if list[i].Free < list[i+1].Free {
				t.Errorf("%d: %d free places come before %d", n, list[i].Free, list[i+1].Free)
			}
		}
		l, err := c.open(t.Context(), list[0], "claude")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close(1000, "") })
		l.says(t, fmt.Sprint("session ", n))
		if first == nil {
			first = l
		}
		at := list[0].Machine
		places[at]--
		eventually(t, at+" has a place less", func() bool { return free(at) == places[at] })
	}
	list, err := c.Find(t.Context(), "label:eu")
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for _, b := range list {
		if _, err := c.open(t.Context(), b, "claude"); err == nil {
			t.Errorf("%s takes more than it has places for", b.Machine)
		}
	}
	first.Close(1000, "")
	eventually(t, "the place is free again", func() bool { return free("attic") == 1 })
	if _, err := c.Find(t.Context(), "label:mars"); err == nil {
		t.Error("a label that nobody has leads somewhere")
	}
}

// TestB101SilentBrowsersAreForgotten holds that a browser of which nothing is heard
// is out of the directory by itself, after the time that this one keeps entries.
func TestB101SilentBrowsersAreForgotten(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	w, err := dial(Options{URL: url, Name: "operator", inbox: "operator"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	if err := w.bring(t.Context()); err != nil {
		t.Fatal(err)
	}
	m, err := w.nc.RequestWithContext(t.Context(), "$JS.API.STREAM.INFO."+bucket, nil)
	if err != nil {
		t.Fatal(err)
	}
	var info struct{ Config map[string]any }
	if err := json.Unmarshal(m.Data, &info); err != nil {
		t.Fatal(err)
	}
	if kept := info.Config["max_age"]; kept != float64(15*time.Second) || 2*announce >= maxAge {
		t.Errorf("entries are kept for %v ns, and told every %v", kept, announce)
	}
	quick := 300 * time.Millisecond // the same, by a faster clock
	info.Config["max_age"], info.Config["duplicate_window"] = quick, quick
	config, err := json.Marshal(info.Config)
	if err == nil {
		err = w.ask(t.Context(), "$JS.API.STREAM.UPDATE."+bucket, config)
	}
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHost(t.Context(), Offer{Options: Options{URL: url, Name: "host"}, Dir: t.TempDir(), Machine: "attic", Capacity: 1, Log: slog.New(slog.DiscardHandler),
		Dial: func(context.Context, string, string) (string, func(), error) { return "", func() {}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.wire.close)
	listed := func() int {
		list, err := w.list(t.Context(), ">")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for range 3 { // it tells what it has, falls silent, and tells it again
		eventually(t, "it is listed", func() bool { h.Set(t.Context(), []Browser{{Name: "work"}}); return listed() == 1 })
		eventually(t, "it is forgotten", func() bool { return listed() == 0 })
	}
}

// TestB101DirectoryIsMadeAnew holds that a directory that NATS has lost comes back with
// the browsers that are there.
func TestB101DirectoryIsMadeAnew(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	h := newHost(t, url, echo(t))
	c := newClient(t, url, h)
	if err := c.wire.ask(t.Context(), "$JS.API.STREAM.DELETE."+bucket, nil); err != nil {
		t.Fatal(err)
	}
	if list, err := c.List(t.Context()); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	h.announce(t.Context())
	c.begin(t, "work@attic").says(t, "hello")
}

// TestB101LargeDirectories holds that all of a fleet is found that takes several pages,
// and each browser once.
func TestB101LargeDirectories(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	h := newHost(t, url, echo(t), func(o *Offer) { o.Open = true })
	all := make([]Browser, 2*pageSize+pageSize/2)
	for i := range all {
		all[i] = Browser{Name: fmt.Sprint("browser", i), Kind: "chromium"}
	}
	h.Set(t.Context(), all)
	h.Set(t.Context(), all[1:]) // one is gone again
	c := newClient(t, url)
	eventually(t, "all are listed", func() bool {
		list, err := c.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, b := range list {
			names[b.Name] = true
		}
		return len(list) == len(all)-1 && len(names) == len(list) && !names["browser0"]
	})
	if list, err := c.Find(t.Context(), "browser2400@attic"); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
}
