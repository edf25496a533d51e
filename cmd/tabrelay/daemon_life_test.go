package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/relay"
)

// Whoever is there holds the daemon: agents, those over HTTP, CDP clients, addresses
// that are out. It leaves when none is.
func TestDaemonStaysForThoseWhoAreThere(t *testing.T) {
	t.Setenv("TABRELAY_STATE", t.TempDir())
	d, err := openDaemon(t.Context(), time.Hour, hostOptions{AnyPort: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		d.run()
	}()
	t.Cleanup(func() {
		d.leave(daemon.ErrStopped)
		<-ran
	})
	// set changes who is there.
	set := func(change func()) {
		d.mu.Lock()
		defer d.mu.Unlock()
		change()
	}
	stays := func(whom string) {
		t.Helper()
		if d.tire(); d.ctx.Err() != nil {
			t.Fatalf("it leaves though %s is there", whom)
		}
	}
	agent := &presence{}
	set(func() { d.agents[agent] = struct{}{} })
	stays("an agent")
	set(func() { delete(d.agents, agent); d.http = &httpAgents{} })
	stays("who serves agents over HTTP")
	set(func() { d.http = nil; d.asking++ })
	stays("who asks for an address")
	set(func() { d.asking-- })
	address, _ := d.host.relay.Issue(relay.Address{Browser: "i"}, 0)
	stays("an address that is out")
	d.host.relay.Revoke(address.ID)

	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Upgrade", "websocket")
	d.counted(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if d.timer.Stop() {
			t.Error("the time runs while a CDP client is there")
		}
		stays("a CDP client")
	})).ServeHTTP(httptest.NewRecorder(), r)
	if !d.timer.Stop() {
		t.Error("the time does not run when the client has gone")
	}
	d.tire()
	if cause := context.Cause(d.ctx); !errors.Is(cause, daemon.ErrIdle) {
		t.Errorf("nobody is there, and it stays: %v", cause)
	}
}
