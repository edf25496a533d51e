// Package daemon is how processes find, start, ask and stop the one daemon of a
// state folder, and what is said on a connection to it.
//
//	conn, contact, err := daemon.Reach(ctx, dir, "warn")
//
// Contact is daemon.json, which names the socket and its secret. Ask is the first
// line on a connection; JSON-RPC follows, with Control lines between. What the
// daemon does with it is not here.
package daemon

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// WireProtocol is the number of what a front and a daemon say to each other.
// Stop and status mean the same under every number.
const WireProtocol = 2

const (
	MaxGreeting = 1 << 20  // bytes of a first line
	MaxLine     = 64 << 20 // bytes of any other
)

// DrainLimit is how long calls may go on when the agent's end of the pipe is
// closed: one that pipes requests in still wants its answers.
const DrainLimit = 5 * time.Second

// What a process may ask of a daemon, with its first line.
const (
	AskAgent   = "agent"   // serve an agent on this connection
	AskHTTP    = "http"    // serve agents over HTTP while this connection lasts
	AskStatus  = "status"  // one line of status
	AskWatch   = "watch"   // the same, again after each change
	AskHistory = "history" // a line when that begins, then each entry of the history as it is written
	AskStop    = "stop"    // leave; the connection ends when all is done
	AskCDP     = "cdp"     // one line of an AddressAnswer
)

// The reasons to leave.
var (
	ErrIdle     = errors.New("idle")
	ErrStopped  = errors.New("asked to stop")
	ErrReplaced = errors.New("replaced by a newer version")
)

// Ask is the first line on a connection to the daemon.
type Ask struct {
	Ask      string          `json:"tabrelay"`
	Protocol int             `json:"protocol"`
	Secret   string          `json:"secret"`
	Version  string          `json:"version"`
	PID      int             `json:"pid"`
	Agent    settings.Agent  `json:"agent,omitzero"`
	Record   json.RawMessage `json:"record,omitempty"` // an AgentRecord, to go on with that session

	Session  string                     `json:"session,omitempty"` // agent: the name of a session that goes on between connections
	End      bool                       `json:"end,omitempty"`     // agent: that session ends with this connection
	EndNew   bool                       `json:"endNew,omitempty"`  // agent: the same, if this connection is the first that uses it
	Ping     bool                       `json:"ping,omitempty"`    // status: ask each browser's extension for an answer, too
	Hold     bool                       `json:"hold,omitempty"`    // watch: the daemon stays for as long
	Address  *AddressAsk                `json:"address,omitempty"`
	Token    string                     `json:"token,omitempty"`    // of the HTTP address; the state's own if empty
	Origins  []string                   `json:"origins,omitempty"`  // http: of web pages that may call the address
	Records  map[string]json.RawMessage `json:"records,omitempty"`  // of agents over HTTP, by their names
	Replaces bool                       `json:"replaces,omitempty"` // who says stop starts another daemon
}

// AgentRecord is what a daemon tells a front of its agent, so that another
// daemon can go on with it.
type AgentRecord struct {
	Session tools.Record `json:"session"`
	Own     string       `json:"own,omitempty"` // the installation of the person's browser that is used
	Name    string       `json:"name,omitempty"`
}

// Control is a line that is no JSON-RPC. It is told by its first bytes.
type Control struct {
	Tabrelay string          `json:"tabrelay"` // one of the words below
	Protocol int             `json:"protocol,omitempty"`
	Version  string          `json:"version,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Reads    []string        `json:"reads,omitempty"` // tools whose calls may be repeated
	Record   json.RawMessage `json:"record,omitempty"`
	Agent    string          `json:"agent,omitempty"` // whose record it is, over HTTP
}

const (
	SayWelcome = "welcome" // the answer to AskAgent: JSON-RPC follows
	SayRefused = "refused" // the other answer, with its reason
	SayRecord  = "record"  // a new record
	SayLeaving = "leaving" // what was asked is still answered, but nothing more
	SayEnd     = "end"     // the front's last line: its agent asks nothing more
)

var controlMark = []byte(`{"tabrelay":"`)

func IsControl(line []byte) bool { return bytes.HasPrefix(line, controlMark) }

// ErrLongLine is a line that is longer than anybody needs.
var ErrLongLine = errors.New("the line is too long")

// ReadLine reads a line with its end, into buf if that is large enough.
func ReadLine(r *bufio.Reader, buf []byte, limit int) ([]byte, error) {
	buf = buf[:0]
	for {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case len(buf) > limit:
			return nil, ErrLongLine
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		}
		return buf, err
	}
}

// WriteLine writes a value as a line, in one write.
func WriteLine(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write line: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
