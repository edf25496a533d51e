package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/fleet"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// fleetCommand is what a person does about browsers of other machines.
type fleetCommand struct {
	Offer  fleetOffer  `cmd:"" help:"Offer this machine's browsers to invited agents elsewhere, until ended."`
	Invite fleetInvite `cmd:"" help:"Print an invite to this machine's browsers, or revoke one."`
	Accept fleetAccept `cmd:"" help:"Keep an invite that was printed on another machine; reads it from stdin if not given."`
	List   fleetList   `cmd:"" help:"Show the browsers of the fleet."`

	Permissions fleetPermissions `cmd:"" help:"Print what this machine's user of the NATS server must be allowed, and no more."`
}

// fleetServer says where the fleet's NATS is.
type fleetServer struct {
	NATS  string `name:"nats" required:"" help:"NATS servers, separated by commas." placeholder:"URL"`
	Creds string `help:"NATS credentials, or an nkey's seed." placeholder:"FILE"`
	CA    string `name:"ca" help:"Certificates of the authority of the servers; default: the system's." placeholder:"FILE"`
}

func (f fleetServer) options(as string) fleet.Options {
	return fleet.Options{URL: f.NATS, Creds: f.Creds, CA: f.CA, Name: as}
}

// fleetMachine is how a machine is called.
type fleetMachine struct {
	Machine string `help:"Name of this machine in the fleet; default: its own." placeholder:"NAME"`
}

func (m fleetMachine) name() string {
	own, _ := os.Hostname()
	short, _, _ := strings.Cut(own, ".")
	return cmp.Or(m.Machine, short, "machine")
}

type fleetOffer struct {
	fleetServer
	fleetMachine
	Browsers string   `env:"-" enum:"own,managed" default:"own" help:"Browsers that are offered: ${enum}. With managed, each session gets a new one."`
	Labels   []string `env:"-" help:"Labels by which agents choose." placeholder:"LABEL"`
	Capacity int      `env:"-" default:"4" help:"Sessions that may be open at once." placeholder:"N"`
	Metrics  string   `env:"-" help:"Serve metrics for Prometheus at /metrics, and /healthz and /readyz, here." placeholder:"ADDR"`
	Open     bool     `env:"-" help:"Also accept agents without an invite: anyone who may use that NATS server."`

	settings.Choice
	Headless bool `help:"Start managed browsers without a window."`
	logging
}

func (o fleetOffer) Run(ctx context.Context, c console) error {
	if o.Capacity < 1 {
		return fmt.Errorf("--capacity %d: it is 1 or more: %w", o.Capacity, errUsage)
	}
	agent, err := settings.Agent{Choice: o.Choice, Headless: o.Headless}.Resolved()
	if err != nil {
		return fmt.Errorf("%w: %w", err, errUsage)
	}
	host, err := fleet.NewHost(ctx, fleet.Offer{
		Options: o.options("tabrelay offer " + o.name()), Dir: state.Folder(), Machine: o.name(), Labels: o.Labels, Capacity: o.Capacity, Open: o.Open,
		Log: c.log, Dial: func(ctx context.Context, name, who string) (string, func(), error) {
			return o.dial(ctx, c, agent, name, who)
		},
	})
	if err != nil {
		return err
	}
	// Two that offer with one key would answer the same agents.
	lock, err := state.Lock(state.Folder(), "fleet-offer.lock")
	if err != nil {
		return err
	}
	if alone, err := lock.TryLock(); err != nil {
		return fmt.Errorf("fleet: %w", err)
	} else if !alone {
		return errors.New("this machine offers browsers already: end that `tabrelay fleet offer` first, or give this one a state folder of its own with TABRELAY_STATE")
	}
	defer func() { _ = lock.Unlock() }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if o.Metrics != "" {
		listener, err := net.Listen("tcp", o.Metrics)
		if err != nil {
			return fmt.Errorf("--metrics %s: %w", o.Metrics, err)
		}
		server := &http.Server{Handler: host.Metrics(), ReadHeaderTimeout: 5 * time.Second}
		defer server.Close()
		go func() { _ = server.Serve(listener) }() // ends with the offer
	}
	watched := make(chan struct{})
	go func() { // ends with ctx
		defer close(watched)
		o.follow(ctx, c, host)
	}()
	fmt.Fprintf(c.stderr, "This machine is %s in the fleet; Ctrl-C ends the offer.\n", o.name())
	err = host.Run(ctx)
	stop()
	<-watched
	return err
}

// dial opens an address of a browser for one session.
func (o fleetOffer) dial(ctx context.Context, c console, agent settings.Agent, name, who string) (string, func(), error) {
	ask := daemon.AddressAsk{Name: who, Far: true, Alone: o.Browsers == "managed"}
	if !ask.Alone {
		agent.Browser = name
	}
	said, end, err := daemon.HoldAddress(ctx, state.Folder(), c.level.String(), agent, ask)
	switch {
	case err != nil:
		end()
		return "", nil, err
	case said.Address == nil:
		end()
		return "", nil, &fleet.Error{Text: cmp.Or(said.Error, "the daemon gave no address"), Hint: said.Hint}
	}
	return said.Address.WS, end, nil
}

// follow tells the fleet which browsers are there.
func (o fleetOffer) follow(ctx context.Context, c console, host *fleet.Host) {
	if o.Browsers == "managed" {
		kind := "chromium"
		if found, err := browser.Find(o.Browser, o.BrowserPath); err == nil {
			kind = found.Kind
		}
		host.Set(ctx, []fleet.Browser{{Name: managedName, Kind: kind, Managed: true}})
		fmt.Fprintf(c.stderr, "%s@%s can be used now.\n", managedName, o.name())
		return
	}
	for ctx.Err() == nil {
		began := time.Now()
		err := o.watch(ctx, c, host)
		host.Set(ctx, nil)
		if ctx.Err() == nil {
			c.log.Info("the daemon is gone", "err", err)
		}
		select {
		case <-time.After(time.Until(began.Add(time.Second))): // another is not started more often
		case <-ctx.Done():
		}
	}
}

// watch tells the fleet which browsers a daemon has, for as long as it runs.
func (o fleetOffer) watch(ctx context.Context, c console, host *fleet.Host) error {
	conn, err := daemon.Watch(ctx, state.Folder(), c.level.String())
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	r := bufio.NewReader(conn)
	var before string
	for {
		line, err := daemon.ReadLine(r, nil, daemon.MaxLine)
		if err != nil {
			return err
		}
		var now daemon.Status
		if err := json.Unmarshal(line, &now); err != nil {
			return err
		}
		var list []fleet.Browser
		for _, b := range now.Browsers {
			if b.Managed || !b.Connected || b.Called == "" {
				continue
			}
			name, version, _ := strings.Cut(b.Name, " ")
			list = append(list, fleet.Browser{Name: b.Called, Kind: strings.ToLower(name), Version: version})
		}
		if text, err := json.Marshal(list); err == nil && string(text) != before {
			before = string(text)
			host.Set(ctx, list)
			for _, b := range list {
				fmt.Fprintf(c.stderr, "%s@%s can be used now.\n", b.Name, o.name())
			}
		}
	}
}

type fleetInvite struct {
	fleetMachine
	Name   string `arg:"" help:"Whom it is for, as you will see their agents: claude-code@NAME."`
	Revoke bool   `env:"-" help:"Revoke the invite with this name, and end its sessions."`
}

func (i fleetInvite) Run(_ context.Context, c console) error {
	if i.Revoke {
		if err := fleet.Revoke(state.Folder(), i.Name); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.stdout, "revoked the invite for %s\n", i.Name)
		return err
	}
	text, err := fleet.NewInvite(state.Folder(), i.name(), i.Name)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.stdout, text)
	fmt.Fprintln(c.stderr, "It is a secret, good for the first machine that uses it. There: tabrelay fleet accept")
	return nil
}

type fleetAccept struct {
	Invite string `arg:"" optional:"" env:"TABRELAY_FLEET_INVITE" help:"The invite; default: a line of stdin."`
}

func (a fleetAccept) Run(_ context.Context, c console) error {
	if a.Invite == "" {
		line, err := bufio.NewReader(c.stdin).ReadString('\n')
		if err != nil && line == "" {
			return errors.New("no invite was given: pass it as an argument, or on stdin")
		}
		a.Invite = line
	}
	machine, err := fleet.Accept(state.Folder(), a.Invite)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "Browsers of %s can be used now, such as managed@%s, with --fleet URL.\n", machine, machine)
	return err
}

type fleetList struct {
	fleetServer
	JSON bool `name:"json" env:"-" help:"Print JSON, on one line."`
}

func (l fleetList) Run(ctx context.Context, c console) error {
	client, err := fleet.Join(l.options("tabrelay list"), state.Folder(), 0)
	if err != nil {
		return err
	}
	defer client.Close()
	list, err := client.List(ctx)
	if err != nil {
		return err
	}
	if l.JSON {
		return json.NewEncoder(c.stdout).Encode(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(c.stdout, "no browsers")
	}
	for _, b := range list {
		kind := b.Kind
		if b.Managed {
			kind += ", managed"
		}
		if len(b.Labels) > 0 {
			kind += ", labels " + strings.Join(b.Labels, " ")
		}
		fmt.Fprintf(c.stdout, "%s (%s): %d of %d places free\n", b.Called(), kind, b.Free, b.Capacity)
	}
	for i := range len(list) - 1 { // they are in the order of their names
		if one, next := list[i], list[i+1]; one.Called() == next.Called() && (i == 0 || list[i-1].Called() != one.Called()) {
			fmt.Fprintf(c.stderr, "Several machines are called %s, and agents may get any of them: give each a name of its own with --machine.\n", one.Machine)
		}
	}
	return nil
}

type fleetPermissions struct {
	For string `arg:"" enum:"offer,agent" help:"What the machine does: ${enum}."`
}

func (p fleetPermissions) Run(_ context.Context, c console) error {
	needs, err := fleet.Permit(state.Folder(), p.For == "offer")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.stdout, needs)
	return err
}
