package fleet

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

var growth = flag.Int("growth", 0, "how many simulated browsers and agents TestGrowth has")

// BenchmarkMessage measures a message and its echo: on a WebSocket to the browser,
// and over a bridge, NATS and a host to the same. What a fleet costs is the
// difference.
func BenchmarkMessage(b *testing.B) {
	url := newNATS(b).ClientURL()
	browser := echo(b)
	c := newClient(b, url, newHost(b, url, browser, func(o *Offer) { o.Capacity = 1000 }))
	var bridge Bridge
	s := httptest.NewServer(&bridge)
	defer s.Close()
	list, err := c.Find(b.Context(), "work@attic")
	if err != nil {
		b.Fatal(err)
	}
	path, err := bridge.Open(b.Context(), c, list[0], "claude", -1)
	if err != nil {
		b.Fatal(err)
	}
	defer bridge.Shut(path)
	picture := make([]byte, 750_000) // 1 MB as base64
	_, _ = rand.Read(picture)
	for size, message := range map[string][]byte{
		"command": []byte(strings.Repeat("x", 300)), "snapshot100KB": bytes.Repeat([]byte(`{"nodeId":17,"name":"A line of a page"},`), 2560),
		"screenshot1MB": []byte(base64.StdEncoding.EncodeToString(picture)),
	} {
		for way, address := range map[string]string{"direct": browser, "fleet": "ws" + strings.TrimPrefix(s.URL, "http") + path} {
			b.Run(size+"/"+way, func(b *testing.B) {
				ws, _, err := websocket.DefaultDialer.Dial(address, nil)
				if err != nil {
					b.Fatal(err)
				}
				defer ws.Close()
				var took []time.Duration
				for b.Loop() {
					began := time.Now()
					if err := ws.WriteMessage(websocket.TextMessage, message); err != nil {
						b.Fatal(err)
					}
					if _, m, err := ws.ReadMessage(); err != nil || len(m) != len(message) {
						b.Fatal(len(m), err)
					}
					took = append(took, time.Since(began))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/median")
			})
		}
	}
}

// BenchmarkSessionMemory measures what an open session holds, both ends and both
// sockets together.
func BenchmarkSessionMemory(b *testing.B) {
	url := newNATS(b).ClientURL()
	c := newClient(b, url, newHost(b, url, echo(b), func(o *Offer) { o.Capacity = 1 << 20 }))
	list, err := c.Find(b.Context(), "work@attic")
	if err != nil {
		b.Fatal(err)
	}
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapInuse + m.StackInuse
	}
	const sessions = 200
	for b.Loop() {
		before := held()
		var all []*Link
		for range sessions {
			l, err := c.open(b.Context(), list[0], "claude", "")
			if err != nil {
				b.Fatal(err)
			}
			l.says(b, strings.Repeat("large ", 1<<17))
			all = append(all, l)
		}
		b.ReportMetric(float64(held()-before)/sessions/1024, "KB/session")
		for _, l := range all {
			l.Close(1000, "")
		}
	}
}

// TestGrowth measures many agents in as many simulated browsers on one NATS node,
// each asking again as soon as it has its answer; -growth says how many.
func TestGrowth(t *testing.T) {
	if *growth == 0 {
		t.Skip("-growth says how many browsers")
	}
	const each = 50 // browsers of a host, and agents of a client
	s := newNATS(t)
	url, browser := s.ClientURL(), echo(t)
	var clients []*Client
	var targets []Browser
	for n := 0; n < *growth; n += each {
		machine := fmt.Sprint("machine", n/each)
		h := newHost(t, url, browser, func(o *Offer) {
			o.Machine, o.Capacity, o.Log = machine, each, slog.New(slog.DiscardHandler)
		})
		var list []Browser
		for i := range each {
			list = append(list, Browser{Name: fmt.Sprint("browser", i), Kind: "chromium"})
		}
		h.Set(t.Context(), list)
		c := newClient(t, url, h)
		clients = append(clients, c)
		for _, b := range list {
			found, err := c.Find(t.Context(), b.Name+"@"+machine)
			if err != nil {
				t.Fatal(err)
			}
			targets = append(targets, found[0])
		}
	}
	took := make([][]time.Duration, len(targets))
	var working sync.WaitGroup
	message := strings.Repeat("x", 300)
	var links []*Link
	for n, b := range targets {
		l, err := clients[n/each].open(t.Context(), b, "claude", "")
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, l)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	began := time.Now()
	for n, l := range links {
		working.Go(func() {
			for ctx.Err() == nil {
				at := time.Now()
				l.says(t, message)
				took[n] = append(took[n], time.Since(at))
			}
		})
	}
	working.Wait()
	all := slices.Concat(took...)
	slices.Sort(all)
	t.Logf("%d browsers: %.0f commands/s, median %v, slowest hundredth %v; %d goroutines", len(targets), float64(len(all))/time.Since(began).Seconds(),
		all[len(all)/2], all[len(all)*99/100], runtime.NumGoroutine())
}
