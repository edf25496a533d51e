package front

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// httpFront is a process for which the daemon serves agents over HTTP. It only
// stays, and finds or starts another daemon when that one is gone.
type httpFront struct {
	// Static after construction.
	dir     string
	flags   settings.Agent
	origins []string // of web pages that may call
	s       Streams

	records map[string]json.RawMessage // of agents that have a name
}

const (
	// maxRecords is how many agents' records are kept.
	maxRecords = 256
	// shortLife is what a daemon lives at least, and shortLives how often it may
	// live less before that is an error.
	shortLife  = 5 * time.Second
	shortLives = 3
)

// HTTP has agents served over HTTP until ctx ends or the daemon is stopped.
func HTTP(ctx context.Context, flags settings.Agent, origins []string, s Streams) error {
	f := &httpFront{dir: state.Folder(), flags: flags, origins: origins, s: s, records: map[string]json.RawMessage{}}
	said := false
	for short := 0; short < shortLives; short++ {
		conn, who, err := daemon.Reach(ctx, f.dir, s.Level)
		if err != nil {
			return f.over(ctx, err)
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		begin := time.Now()
		r, err := f.enter(conn, who)
		if err == nil {
			if !said {
				folder, err := state.Open(f.dir)
				if err != nil {
					return err
				}
				SayServed(s.Err, net.JoinHostPort("127.0.0.1", strconv.Itoa(who.Port)), folder)
			}
			said = true
			err = f.follow(r)
		}
		stop()
		_ = conn.Close()
		if !errors.Is(err, daemon.ErrNone) {
			return f.over(ctx, err)
		}
		if time.Since(begin) > shortLife {
			short = 0
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	return errors.New("each tabrelay daemon exited immediately after connecting: `tabrelay stop` ends one of another version; otherwise see daemon.log in the state folder")
}

// over is the end of a run; one that was asked for is no error.
func (f *httpFront) over(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// enter asks a daemon to serve agents.
func (f *httpFront) enter(conn net.Conn, who daemon.Contact) (*bufio.Reader, error) {
	q := daemon.Ask{Ask: daemon.AskHTTP, Protocol: daemon.WireProtocol, Secret: who.Secret, Version: release.Text(), PID: os.Getpid(),
		Agent: f.flags, Token: os.Getenv("TABRELAY_TOKEN"), Origins: f.origins, Records: f.records}
	r, _, err := daemon.Welcomed(conn, q, who.PID)
	return r, err
}

// follow keeps what the daemon tells until it ends: ErrNone says that another
// may take its place.
func (f *httpFront) follow(r *bufio.Reader) error {
	stopped := false
	var buf []byte
	for {
		line, err := daemon.ReadLine(r, buf, daemon.MaxLine)
		if err != nil {
			break
		}
		buf = line
		var said daemon.Control
		if json.Unmarshal(line, &said) != nil {
			continue
		}
		switch said.Tabrelay {
		case daemon.SayRecord:
			f.keep(said.Agent, said.Record)
		case daemon.SayLeaving:
			stopped = said.Reason == daemon.ErrStopped.Error()
		}
	}
	if stopped {
		fmt.Fprintln(f.s.Err, "tabrelay: the daemon was stopped")
		return nil
	}
	return daemon.ErrNone
}

func (f *httpFront) keep(agent string, record json.RawMessage) {
	if _, known := f.records[agent]; !known && len(f.records) == maxRecords {
		for old := range f.records { // whichever: that agent starts over
			delete(f.records, old)
			break
		}
	}
	f.records[agent] = record
}

// SayServed says where agents are served, and where the token is.
func SayServed(w io.Writer, address string, s *state.State) {
	from := "in " + s.File() + " (mcpToken); `tabrelay token` prints it"
	if os.Getenv("TABRELAY_TOKEN") != "" {
		from = "in TABRELAY_TOKEN"
	}
	fmt.Fprintf(w, "MCP at http://%s/mcp; the bearer token is %s.\n", address, from)
}
