package doctor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
)

// daemon looks whether one runs, answers, and is of this version.
func (e *examination) daemon(ctx context.Context) {
	if e.state == nil {
		return
	}
	c, err := daemon.ReadContact(e.Dir)
	if errors.Is(err, daemon.ErrNone) {
		e.add(Finding{Check: "daemon", Level: Note, Text: "not running: it starts with the first agent"})
		return
	}
	if err != nil {
		e.add(Finding{Check: "daemon", Level: Failure, Text: err.Error(), Mend: fmt.Sprintf("rm %q", filepath.Join(e.Dir, daemon.ContactFile))})
		return
	}
	hung := Finding{Check: "daemon", Level: Failure, Text: fmt.Sprintf("the daemon (pid %d) does not respond", c.PID), Mend: fmt.Sprintf("kill %d", c.PID)}
	conn, err := daemon.Ping(ctx, e.Dir)
	if errors.Is(err, daemon.ErrNone) {
		path := filepath.Join(e.Dir, daemon.ContactFile)
		e.add(Finding{Check: "daemon", Level: Warning, Text: fmt.Sprintf("daemon.json is left from one (pid %d) that was killed; the next one replaces it", c.PID),
			Mend: fmt.Sprintf("rm %q", path), Fix: func(context.Context) error { return daemon.Forget(e.Dir) }})
		return
	}
	if err != nil {
		e.add(hung)
		return
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(daemon.QuietLimit))
	line, err := daemon.ReadLine(bufio.NewReader(conn), nil, daemon.MaxLine)
	var now daemon.Status
	if err != nil || json.Unmarshal(line, &now) != nil {
		e.add(hung)
		return
	}
	e.status, e.who = &now, &c
	stop := func(ctx context.Context) error {
		_, err := daemon.Stop(ctx, e.Dir)
		return err
	}
	if len(now.Agents) > 0 || now.Clients > 0 { // they would lose the browsers that it started
		stop = nil
	}
	switch {
	case c.Protocol > daemon.WireProtocol:
		e.add(Finding{Check: "daemon", Level: Failure, Text: fmt.Sprintf("it is tabrelay %s, too new for this %s", c.Version, e.Program.Version), Mend: "update this program, or run `tabrelay stop`"})
	case c.Protocol < daemon.WireProtocol || release.Newer(e.Program, release.Build{Version: c.Version, Written: c.Built}):
		e.add(Finding{Check: "daemon", Level: Warning, Text: fmt.Sprintf("it is tabrelay %s (pid %d), older than this %s; the next agent replaces it", c.Version, c.PID, e.Program.Version),
			Mend: "tabrelay stop", Fix: stop})
	default:
		e.ok("daemon", "tabrelay %s, pid %d, running for %s", c.Version, c.PID, age(c.Started))
	}
}

// port looks who listens where the extension looks for tabrelay.
func (e *examination) port(ctx context.Context) {
	if e.state == nil {
		return
	}
	port := e.state.Port
	if e.who != nil && e.who.Port == port {
		e.ok("port", "%d is the daemon's", port)
		return
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err == nil {
		_ = l.Close()
		e.ok("port", "%d is free", port)
		return
	}
	by := "another program"
	if name := listener(ctx, port); name != "" {
		by = name
	}
	e.add(Finding{Check: "port", Level: Failure, Text: fmt.Sprintf("%d is taken by %s: your own browser does not reach tabrelay there", port, by),
		Mend: fmt.Sprintf("end that program, or run `tabrelay extension --port %d` and reload the extension", port+1)})
}
