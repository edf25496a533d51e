package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/settings"
)

// AddressAsk asks for an address of CDP clients, or with Revoke ends some.
type AddressAsk struct {
	Name   string        `json:"name,omitempty"`
	New    bool          `json:"new,omitempty"`    // its clients see the tabs that they open alone
	Life   time.Duration `json:"life,omitempty"`   // nanoseconds; 0 for as long as the daemon runs
	Listen *int          `json:"listen,omitempty"` // a port of its own; 0 for any free one
	Revoke string        `json:"revoke,omitempty"` // the id or the name of those to end
	Far    bool          `json:"far,omitempty"`    // for an agent on another machine: it ends with the connection
	Alone  bool          `json:"alone,omitempty"`  // a managed browser for it alone, which ends with it
}

// Address is an address of CDP clients.
type Address struct {
	ID      string    `json:"id"`
	Name    string    `json:"name,omitempty"`
	Browser string    `json:"browser"`
	Tabs    string    `json:"tabs"`          // new or shared
	URL     string    `json:"url,omitempty"` // holds its secret; told to who asked for it and never again
	WS      string    `json:"webSocketDebuggerUrl,omitempty"`
	Port    int       `json:"port,omitempty"`
	Asks    bool      `json:"asks,omitempty"` // the person is asked about each client
	Expires time.Time `json:"expires,omitzero"`
	Clients int       `json:"clients"`
}

// AddressAnswer is the one line that AskCDP is answered with.
type AddressAnswer struct {
	Address *Address  `json:"address,omitempty"`
	Ended   []Address `json:"ended,omitempty"`
	Error   string    `json:"error,omitempty"`
	Hint    string    `json:"hint,omitempty"`
}

// Addresses asks the daemon for an address. It starts a daemon where none is,
// unless some are to be ended.
func Addresses(ctx context.Context, dir, level string, agent settings.Agent, a AddressAsk) (AddressAnswer, error) {
	said, end, err := HoldAddress(ctx, dir, level, agent, a)
	end()
	return said, err
}

// HoldAddress is Addresses that keeps the connection, with which an address for
// an agent on another machine ends; end ends it.
func HoldAddress(ctx context.Context, dir, level string, agent settings.Agent, a AddressAsk) (said AddressAnswer, end func(), err error) {
	end = func() {}
	if a.Revoke == "" {
		conn, _, err := Reach(ctx, dir, level)
		if err != nil {
			return said, end, err
		}
		_ = conn.Close() // it stays for a moment
	}
	conn, _, err := tellDaemon(ctx, dir, Ask{Ask: AskCDP, Agent: agent, Address: &a})
	if err != nil {
		return said, end, err
	}
	end = func() { _ = conn.Close() }
	defer context.AfterFunc(ctx, end)()
	line, err := ReadLine(bufio.NewReader(conn), nil, MaxGreeting)
	switch {
	case ctx.Err() != nil:
		return said, end, context.Cause(ctx)
	case err != nil:
		return said, end, errors.New("the daemon is shutting down: try again")
	}
	return said, end, json.Unmarshal(line, &said)
}

// Called is how an address is spoken of.
func (a Address) Called() string {
	if a.Name == "" {
		return a.ID
	}
	return a.Name + " (" + a.ID + ")"
}

// End says when an address ends by itself.
func (a Address) End() string {
	if a.Expires.IsZero() {
		return "the daemon exits"
	}
	return a.Expires.Format("15:04")
}
