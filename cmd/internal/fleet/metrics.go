package fleet

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"
)

// latency is how long something took. The zero value is ready.
type latency struct{ times, micros atomic.Int64 }

func (l *latency) note(took time.Duration) {
	l.times.Add(1)
	l.micros.Add(took.Microseconds())
}

// Metrics serves what a host has done, as Prometheus reads it, at /metrics; and at
// /healthz and /readyz whether it is there, and has its connection to NATS.
func (h *Host) Metrics() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		say := func(name, kind, help string, value any) {
			fmt.Fprintf(w, "# HELP tabrelay_fleet_%s %s\n# TYPE tabrelay_fleet_%s %s\ntabrelay_fleet_%s %v\n", name, help, name, kind, name, value)
		}
		h.mu.Lock()
		sessions, browsers := len(h.sessions), len(h.browsers)
		h.mu.Unlock()
		c := &h.counts
		say("sessions", "gauge", "Sessions that are open.", sessions)
		say("capacity", "gauge", "Sessions that may be open at once.", h.Capacity)
		say("browsers", "gauge", "Browsers that are offered.", browsers)
		say("records_in_total", "counter", "Records from agents.", c.framesIn.Load())
		say("records_out_total", "counter", "Records to agents.", c.framesOut.Load())
		say("bytes_in_total", "counter", "Bytes of records from agents.", c.bytesIn.Load())
		say("bytes_out_total", "counter", "Bytes of records to agents.", c.bytesOut.Load())
		say("resent_total", "counter", "Records that were sent again.", c.resent.Load())
		say("repeated_total", "counter", "Records that came again, and were dropped.", c.repeated.Load())
		say("refused_total", "counter", "Greetings and records that were refused.", c.refused.Load())
		say("session_open_seconds_sum", "counter", "Time that it took to open sessions.", float64(h.opened.micros.Load())/1e6)
		say("session_open_seconds_count", "counter", "Sessions that were opened.", h.opened.times.Load())
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !h.wire.nc.IsConnected() {
			http.Error(w, "no connection to NATS", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux
}
