package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tabrelay/tabrelay/tools"
)

// wireProtocol is the number of what a front and a daemon say to each other.
// Stop and status mean the same under every number.
const wireProtocol = 1

const (
	maxGreeting = 1 << 20  // bytes of a first line
	maxLine     = 64 << 20 // bytes of any other
)

// What a process may ask of a daemon, with its first line.
const (
	askAgent  = "agent"  // serve an agent on this connection
	askHTTP   = "http"   // serve agents over HTTP while this connection lasts
	askStatus = "status" // one line of status
	askWatch  = "watch"  // the same, again after each change
	askStop   = "stop"   // leave; the connection ends when all is done
)

// ask is the first line on a connection to the daemon.
type ask struct {
	Ask      string          `json:"tabrelay"`
	Protocol int             `json:"protocol"`
	Secret   string          `json:"secret"`
	Version  string          `json:"version"`
	PID      int             `json:"pid"`
	Agent    agentFlags      `json:"agent,omitzero"`
	Record   json.RawMessage `json:"record,omitempty"` // an agentRecord, to go on with that session

	Token    string                     `json:"token,omitempty"`    // of the HTTP address; the state's own if empty
	Records  map[string]json.RawMessage `json:"records,omitempty"`  // of agents over HTTP, by their names
	Replaces bool                       `json:"replaces,omitempty"` // who says stop starts another daemon
}

// agentFlags are the settings of one agent, which its front was given.
type agentFlags struct {
	browserFlags
	Headless   bool     `json:"headless,omitempty"`
	Tools      string   `json:"tools,omitempty"`
	Snapshot   string   `json:"snapshot,omitempty"`
	Structured bool     `json:"structured,omitempty"`
	AllowFile  bool     `json:"allowFile,omitempty"`
	Roots      []string `json:"roots,omitempty"`
	OnExit     string   `json:"onExit,omitempty"`
	NoGroup    bool     `json:"noGroup,omitempty"`
	Display    []string `json:"display,omitempty"` // where its windows open, as lines of an environment

	DynamicCall bool `json:"dynamicCall,omitempty"`

	Filter tools.Filter `json:"filter,omitzero"`
	Config tools.Config `json:"config,omitzero"`
}

// agentRecord is what a daemon tells a front of its agent, so that another
// daemon can go on with it.
type agentRecord struct {
	Session tools.Record `json:"session"`
	Own     string       `json:"own,omitempty"` // the installation of the person's browser that is used
	Name    string       `json:"name,omitempty"`
}

// control is a line that is no JSON-RPC. It is told by its first bytes.
type control struct {
	Tabrelay string          `json:"tabrelay"` // one of the words below
	Protocol int             `json:"protocol,omitempty"`
	Version  string          `json:"version,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Reads    []string        `json:"reads,omitempty"` // tools whose calls may be repeated
	Record   json.RawMessage `json:"record,omitempty"`
	Agent    string          `json:"agent,omitempty"` // whose record it is, over HTTP
}

const (
	sayWelcome = "welcome" // the answer to askAgent: JSON-RPC follows
	sayRefused = "refused" // the other answer, with its reason
	sayRecord  = "record"  // a new record
	sayLeaving = "leaving" // what was asked is still answered, but nothing more
	sayEnd     = "end"     // the front's last line: its agent asks nothing more
)

var controlMark = []byte(`{"tabrelay":"`)

func isControl(line []byte) bool { return bytes.HasPrefix(line, controlMark) }

// errLongLine is a line that is longer than anybody needs.
var errLongLine = errors.New("the line is too long")

// readLine reads a line with its end, into buf if that is large enough.
func readLine(r *bufio.Reader, buf []byte, limit int) ([]byte, error) {
	buf = buf[:0]
	for {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case len(buf) > limit:
			return nil, errLongLine
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		}
		return buf, err
	}
}

// writeLine writes a value as a line, in one write.
func writeLine(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write line: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
