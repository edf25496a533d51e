package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// httpFront is a process for which the daemon serves agents over HTTP. It only
// stays, and finds or starts another daemon when that one is gone.
type httpFront struct {
	// Static after construction.
	dir   string
	flags agentFlags
	c     console

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

// runHTTP has agents served over HTTP until ctx ends or the daemon is stopped.
func runHTTP(ctx context.Context, flags agentFlags, c console) error {
	f := &httpFront{dir: stateDir(), flags: flags, c: c, records: map[string]json.RawMessage{}}
	said := false
	for short := 0; short < shortLives; short++ {
		conn, who, err := reach(ctx, f.dir, c.level.String())
		if err != nil {
			return f.over(ctx, err)
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		begin := time.Now()
		r, err := f.enter(conn, who)
		if err == nil {
			if !said {
				s, err := openState(f.dir)
				if err != nil {
					return err
				}
				sayHTTP(c, net.JoinHostPort("127.0.0.1", strconv.Itoa(who.Port)), s)
			}
			said = true
			err = f.follow(r)
		}
		stop()
		_ = conn.Close()
		if !errors.Is(err, errNoDaemon) {
			return f.over(ctx, err)
		}
		if time.Since(begin) > shortLife {
			short = 0
		}
		if ctx.Err() != nil {
			return nil
		}
	}
	return errors.New("each tabrelay daemon left as soon as it was met: `tabrelay stop` ends one of another version; else see daemon.log in the state folder")
}

// over is the end of a run; one that was asked for is no error.
func (f *httpFront) over(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// enter asks a daemon to serve agents.
func (f *httpFront) enter(conn net.Conn, who contact) (*bufio.Reader, error) {
	q := ask{Ask: askHTTP, Protocol: wireProtocol, Secret: who.Secret, Version: versionText(), PID: os.Getpid(),
		Agent: f.flags, Token: os.Getenv("TABRELAY_TOKEN"), Records: f.records}
	r, _, err := welcomed(conn, q, who.PID)
	return r, err
}

// follow keeps what the daemon tells until it ends: errNoDaemon says that another
// may take its place.
func (f *httpFront) follow(r *bufio.Reader) error {
	stopped := false
	var buf []byte
	for {
		line, err := readLine(r, buf, maxLine)
		if err != nil {
			break
		}
		buf = line
		var said control
		if json.Unmarshal(line, &said) != nil {
			continue
		}
		switch said.Tabrelay {
		case sayRecord:
			f.keep(said.Agent, said.Record)
		case sayLeaving:
			stopped = said.Reason == errStopped.Error()
		}
	}
	if stopped {
		fmt.Fprintln(f.c.stderr, "tabrelay: the daemon was stopped")
		return nil
	}
	return errNoDaemon
}

func (f *httpFront) keep(agent string, record json.RawMessage) {
	if _, known := f.records[agent]; !known && len(f.records) == maxRecords {
		for any := range f.records { // which one is of little matter: it begins anew
			delete(f.records, any)
			break
		}
	}
	f.records[agent] = record
}
