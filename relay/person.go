package relay

import (
	"encoding/json"
	"slices"
)

// Wish is something that the person asks for in their browser. One of its fields is
// set.
type Wish struct {
	// Watching says whether a panel is open there, in which they see what is done.
	Watching *bool
	// Paused are those that they paused, instead of those before.
	Paused *Paused
	// Clear asks for an empty history.
	Clear bool
	// End names an address of theirs by its ID: it is to end, with its clients.
	End string
}

// Paused are agents and clients that a person paused: all, or some by name.
type Paused struct {
	All bool     `json:"all"`
	Who []string `json:"who"`
}

// faultPaused answers the commands of a client that the person paused. Where they
// paused everything, the extension answers with the same.
var faultPaused = &fault{code: codePaused, message: "the person paused this client: nothing runs until they press Resume in Tabrelay"}

// goesOn are the methods that a client may use while it is paused: nobody's page
// stands still for it.
var goesOn = map[string]bool{
	"Runtime.runIfWaitingForDebugger": true, "Debugger.resume": true, "Fetch.disable": true,
	"Target.detachFromTarget": true, "Browser.close": true,
}

// wished takes in what the person asks for.
func (h *hub) wished(method string, params []byte) {
	var said struct {
		On *bool  `json:"on"`
		ID string `json:"id"`
		Paused
	}
	if json.Unmarshal(params, &said) != nil {
		return
	}
	w := Wish{Clear: method == "clearHistory"}
	switch method {
	case "watching":
		w.Watching = said.On
		if said.On == nil {
			return
		}
	case "paused":
		h.pause(said.Who)
		w.Paused = &said.Paused
	case "endAddress":
		if w.End = said.ID; w.End == "" {
			return
		}
	}
	h.wish(h.info.InstallID, w)
}

// pause holds those clients whose names are given, and no others: what they wait
// for ends at once.
func (h *hub) pause(names []string) {
	h.halted = names
	for _, c := range h.clients {
		was := c.paused
		if c.paused = h.pauses(c); was || !c.paused {
			continue
		}
		for _, call := range h.inFlight(func(k *call) bool { return k.session != nil && k.session.client == c }) {
			h.finish(call, nil, faultPaused)
		}
		h.waits(func(k *call) {
			if k.session != nil && k.session.client == c {
				h.finish(k, nil, faultPaused)
			}
		})
	}
}

// pauses reports whether the person paused a client. This program's agents are held
// where their calls are, since several may have the same way here.
func (h *hub) pauses(c *client) bool { return !c.agent && slices.Contains(h.halted, c.name) }

// Client is a client of CDP that is connected to a browser.
type Client struct {
	Name string
	Tabs []string // target ids of those that it is attached to
	// Paused says that the person paused it.
	Paused bool
}

// Clients lists the clients of a browser that are not this program's agents.
func (s *Server) Clients(installID string) []Client {
	h := s.known(installID)
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []Client
	for _, c := range h.clients {
		if c.agent || c.entry != nil {
			continue
		}
		one := Client{Name: c.name, Paused: c.paused}
		for _, t := range h.order {
			if slices.ContainsFunc(t.page.sessions, func(s *session) bool { return s.client == c }) {
				one.Tabs = append(one.Tabs, t.id)
			}
		}
		list = append(list, one)
	}
	return list
}

// Show gives a browser's panel something to show. Nobody waits for it, and without
// an extension nothing is kept.
func (s *Server) Show(installID string, what any) {
	h := s.known(installID)
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.extension != nil {
		h.post("show", what)
	}
}

// known returns the hub of an installation, or nil.
func (s *Server) known(installID string) *hub {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hubs[installID]
}
