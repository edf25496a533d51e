package fleet

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

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
	picture := make([]byte, 750_000) // 1 MB as base64
	_, _ = rand.Read(picture)
	for size, message := range map[string][]byte{
		"command": []byte(strings.Repeat("x", 300)), "snapshot100KB": bytes.Repeat([]byte(`{"nodeId":17,"name":"A line of a page"},`), 2560),
		"screenshot1MB": []byte(base64.StdEncoding.EncodeToString(picture)),
	} {
		for _, way := range []string{"direct", "fleet"} {
			b.Run(size+"/"+way, func(b *testing.B) {
				address := browser
				if way == "fleet" {
					_, path, err := bridge.Open(b.Context(), c, "work@attic", "claude")
					if err != nil {
						b.Fatal(err)
					}
					address = "ws" + strings.TrimPrefix(s.URL, "http") + path
				}
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
			l, err := c.open(b.Context(), list[0], "claude")
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

// BenchmarkGrowth measures many agents in as many simulated browsers on one NATS
// node, each asking again as soon as it has its answer, for ten seconds.
func BenchmarkGrowth(b *testing.B) {
	for _, browsers := range []int{100, 1000} {
		b.Run(fmt.Sprint(browsers), func(b *testing.B) {
			links := grown(b, browsers)
			var took []time.Duration
			for b.Loop() {
				took = append(took, busy(b, links, 10*time.Second)...)
			}
			slices.Sort(took)
			b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "commands/s")
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/median")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs/slowest-hundredth")
		})
	}
}

// grown opens a session in each of many browsers of a new fleet.
func grown(b *testing.B, browsers int) (links []*Link) {
	const each = 50 // browsers of a host, and agents of a client
	url, browser := newNATS(b).ClientURL(), echo(b)
	for n := 0; n < browsers; n += each {
		machine := fmt.Sprint("machine", n/each)
		h := newHost(b, url, browser, func(o *Offer) { o.Machine, o.Capacity = machine, each })
		var list []Browser
		for i := range each {
			list = append(list, Browser{Name: fmt.Sprint("browser", i), Kind: "chromium"})
		}
		h.Set(b.Context(), list)
		c := newClient(b, url, h)
		for _, one := range list {
			links = append(links, c.begin(b, one.Name+"@"+machine))
		}
	}
	return links
}

// busy has each session ask again and again, and returns how long the answers took.
func busy(b *testing.B, links []*Link, while time.Duration) []time.Duration {
	ctx, stop := context.WithTimeout(b.Context(), while)
	defer stop()
	message := []byte(strings.Repeat("x", 300))
	took := make([][]time.Duration, len(links))
	var working sync.WaitGroup
	for n, l := range links {
		working.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				err := l.Write(message)
				if err == nil {
					_, err = l.Read()
				}
				if err != nil {
					b.Error(err)
					return
				}
				took[n] = append(took[n], time.Since(began))
			}
		})
	}
	working.Wait()
	return slices.Concat(took...)
}

// BenchmarkDirectory measures what the directory costs that grows with it: to tell it of
// a browser, and to find one by its name and by a label.
func BenchmarkDirectory(b *testing.B) {
	for _, browsers := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(browsers), func(b *testing.B) {
			url := newNATS(b).ClientURL()
			h := newHost(b, url, echo(b), func(o *Offer) { o.Open = true })
			list := make([]Browser, browsers)
			for i := range list {
				list[i] = Browser{Name: fmt.Sprint("browser", i), Kind: "chromium", Version: "156.0"}
			}
			c := newClient(b, url)
			took := map[string]time.Duration{}
			for b.Loop() {
				began := time.Now()
				h.Set(b.Context(), list)
				took["told"] = time.Since(began) / time.Duration(browsers)
				for what, name := range map[string]string{"by-name": "browser7@attic", "by-label": "label:eu"} {
					began := time.Now()
					if _, err := c.Find(b.Context(), name); err != nil {
						b.Fatal(err)
					}
					took[what] = time.Since(began)
				}
			}
			for what, t := range took {
				b.ReportMetric(float64(t.Microseconds()), "µs/"+what)
			}
		})
	}
}
