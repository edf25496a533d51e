package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// cdpCommand gives out addresses for CDP clients.
type cdpCommand struct {
	Name   string        `env:"-" help:"Name of the address in lists and tab groups." placeholder:"NAME"`
	Tabs   string        `env:"-" enum:"shared,new" default:"shared" help:"Tabs that its clients see: ${enum}. With new, they see only tabs they open, which close with them."`
	TTL    time.Duration `env:"-" default:"1h" help:"Lifetime; 0 lasts as long as the daemon."`
	Listen *int          `env:"-" help:"Also open this port on 127.0.0.1 (0 for a free one), for clients that accept only a host and port. It requires no secret: until it is revoked, or has no client for 10 minutes, any program on this machine can use a managed browser through it. In your own browser you are asked about each one." placeholder:"PORT"`
	Revoke string        `env:"-" help:"Revoke the address with this id or name, and disconnect its clients." placeholder:"ID"`
	JSON   bool          `env:"-" name:"json" help:"Print JSON, on one line."`

	settings.Choice
	settings.Noted
	settings.Fleet
	Headless bool `help:"Use a managed browser without a window."`
	logging
	fromFile
}

func (o cdpCommand) Run(ctx context.Context, c console) error {
	if o.Listen != nil && *o.Listen != 0 {
		if err := checkPort(*o.Listen); err != nil {
			return fmt.Errorf("--listen %d: a port is 1 to 65535, or 0: %w", *o.Listen, errUsage)
		}
	}
	if o.TTL < 0 {
		return fmt.Errorf("--ttl %v: it cannot be negative: %w", o.TTL, errUsage)
	}
	agent, err := settings.Agent{Choice: o.Choice, Noted: o.Noted, Fleet: o.Fleet, Headless: o.Headless}.Resolved()
	if err != nil {
		return fmt.Errorf("%w: %w", err, errUsage)
	}
	said, err := daemon.Addresses(ctx, state.Folder(), c.level.String(), agent,
		daemon.AddressAsk{Name: o.Name, New: o.Tabs == "new", Life: o.TTL, Listen: o.Listen, Revoke: o.Revoke})
	switch {
	case errors.Is(err, daemon.ErrNone) && o.Revoke != "":
		return fmt.Errorf("no address %q: no daemon is running, and addresses end with the daemon", o.Revoke)
	case err != nil:
		return err
	case said.Error != "" && said.Hint != "":
		return fmt.Errorf("%s: %s", said.Error, said.Hint)
	case said.Error != "":
		return errors.New(said.Error)
	}
	if o.JSON && said.Address != nil {
		return json.NewEncoder(c.stdout).Encode(said.Address)
	}
	if o.JSON {
		return json.NewEncoder(c.stdout).Encode(said)
	}
	for _, a := range said.Ended {
		fmt.Fprintf(c.stdout, "ended %s\n", a.Called())
	}
	a := said.Address
	if a == nil {
		return nil
	}
	fmt.Fprintln(c.stdout, a.URL)
	if a.Port != 0 && a.Asks {
		fmt.Fprintf(c.stderr, "Any program on this machine can ask for %s at 127.0.0.1:%d, and you are asked in the browser about each one, until `tabrelay cdp --revoke %s`, or 10 minutes without a client.\n", a.Browser, a.Port, a.ID)
		return nil
	}
	if a.Port != 0 {
		fmt.Fprintf(c.stderr, "Any program on this machine can use %s at 127.0.0.1:%d until `tabrelay cdp --revoke %s`, or 10 minutes without a client.\n", a.Browser, a.Port, a.ID)
		return nil
	}
	fmt.Fprintf(c.stderr, "It leads to %s and contains a secret: whoever has it can use that browser until %s or `tabrelay cdp --revoke %s`.\n", a.Browser, a.End(), a.ID)
	return nil
}
